package holiday

import (
	"slices"
	"time"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/aa"
	"github.com/rickar/cal/v2/es"
)

// on returns a holiday of a date.
func on(month time.Month, day int) *cal.Holiday {
	return &cal.Holiday{Month: month, Day: day, Func: cal.CalcDayOfMonth}
}

// saturday returns the first Saturday from a date on.
func saturday(month time.Month, day int) *cal.Holiday {
	return &cal.Holiday{Month: month, Day: day, Weekday: time.Saturday, Offset: 1, Func: cal.CalcWeekdayFrom}
}

// carnival returns the Monday or Tuesday before Lent.
func carnival(daysAfterEaster int) *cal.Holiday {
	return &cal.Holiday{Offset: daysAfterEaster, Func: cal.CalcEasterOffset}
}

var (
	maundy  = append(slices.Clone(es.Holidays), aa.MaundyThursday)
	galicia = append(slices.Clone(maundy), on(time.July, 25))
	// Catalonia and Valencia have Easter Monday in its stead.
	catalonia = append(slices.Clone(es.Holidays), aa.EasterMonday, on(time.June, 24), aa.ChristmasDay2)
	valencia  = append(slices.Clone(es.Holidays), aa.EasterMonday, on(time.March, 19), on(time.October, 9))

	finland = []*cal.Holiday{
		aa.NewYear, aa.Epiphany, aa.GoodFriday, aa.Easter, aa.EasterMonday, aa.WorkersDay, aa.AscensionDay, aa.Pentecost, saturday(time.June, 20), saturday(time.October, 31),
		on(time.December, 6), aa.ChristmasDay, aa.ChristmasDay2,
	}
	malta = []*cal.Holiday{
		aa.NewYear, on(time.February, 10), on(time.March, 19), on(time.March, 31), aa.GoodFriday, aa.WorkersDay, on(time.June, 7), on(time.June, 29), aa.AssumptionOfMary, on(time.September, 8),
		on(time.September, 21), aa.ImmaculateConception, on(time.December, 13), aa.ChristmasDay,
	}
	liechtenstein = []*cal.Holiday{
		aa.NewYear, on(time.January, 2), aa.Epiphany, on(time.February, 2), on(time.March, 19), aa.EasterMonday, aa.WorkersDay, aa.AscensionDay, aa.PentecostMonday, aa.CorpusChristi, aa.AssumptionOfMary,
		on(time.September, 8), aa.AllSaintsDay, aa.ImmaculateConception, aa.ChristmasDay, aa.ChristmasDay2,
	}
	andorra = []*cal.Holiday{
		aa.NewYear, aa.Epiphany, carnival(-47), on(time.March, 14), aa.GoodFriday, aa.EasterMonday, aa.WorkersDay, aa.PentecostMonday, aa.AssumptionOfMary, on(time.September, 8), aa.AllSaintsDay,
		aa.ImmaculateConception, aa.ChristmasDay, aa.ChristmasDay2,
	}
	portugal = []*cal.Holiday{
		aa.NewYear, aa.GoodFriday, aa.Easter, on(time.April, 25), aa.WorkersDay, aa.CorpusChristi, on(time.June, 10), aa.AssumptionOfMary, on(time.October, 5), aa.AllSaintsDay, on(time.December, 1),
		aa.ImmaculateConception, aa.ChristmasDay,
	}
	luxembourg = []*cal.Holiday{
		aa.NewYear, aa.EasterMonday, aa.WorkersDay, on(time.May, 9), aa.AscensionDay, aa.PentecostMonday, on(time.June, 23), aa.AssumptionOfMary, aa.AllSaintsDay, aa.ChristmasDay, aa.ChristmasDay2,
	}
)
