package traffic

import "time"

// Recurring is a time of the day on some days of the week.
type Recurring struct {
	From, Until time.Duration  // since midnight; an end that is not after the beginning is on the next day
	Days        [7]bool        // by time.Weekday; none is every day
	Zone        *time.Location // of the times of the day
}

// recurringDays is for how many days after a document was published its recurring
// times are worked out: one that is not published again for longer does not count.
const recurringDays = 14

// Windows lists when a recurring time holds within a window, from the day before a
// moment on and for two weeks.
func (r *Recurring) Windows(within Window, from time.Time) []Window {
	year, month, today := from.In(r.Zone).Date()
	// On a day on which the clocks change the hours are those that they show.
	clock := func(day int, since time.Duration) time.Time {
		return time.Date(year, month, today+day, 0, 0, 0, int(since), r.Zone)
	}
	until := r.Until
	if until <= r.From {
		until += 24 * time.Hour
	}
	var list []Window
	for day := -1; day < recurringDays; day++ {
		weekday := time.Date(year, month, today+day, 0, 0, 0, 0, time.UTC).Weekday()
		if r.Days != [7]bool{} && !r.Days[weekday] {
			continue
		}
		w := Window{From: clock(day, r.From), Until: clock(day, until)}
		if within.From.After(w.From) {
			w.From = within.From
		}
		if !within.Until.IsZero() && within.Until.Before(w.Until) {
			w.Until = within.Until
		}
		if w.From.Before(w.Until) {
			list = append(list, w)
		}
	}
	return list
}

// Weekdays are the days of the week by their English names, in lower case.
var Weekdays = map[string]time.Weekday{
	"sunday": time.Sunday, "monday": time.Monday, "tuesday": time.Tuesday, "wednesday": time.Wednesday, "thursday": time.Thursday, "friday": time.Friday, "saturday": time.Saturday,
}

// TimeOfDay reads a time of the day, and its offset from UTC where it has one.
func TimeOfDay(text string) (since, offset time.Duration, hasOffset, ok bool) {
	for _, form := range []string{"15:04:05Z07:00", "15:04:05", "15:04Z07:00", "15:04"} {
		at, err := time.Parse(form, text)
		if err != nil {
			continue
		}
		_, seconds := at.Zone()
		since = time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute + time.Duration(at.Second())*time.Second
		return since, time.Duration(seconds) * time.Second, form[len(form)-1] == '0', true
	}
	return 0, 0, false, text == "24:00" || text == "24:00:00"
}
