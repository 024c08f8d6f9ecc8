package traffic

import "time"

// Recurring is a time of the day on some days of the week.
type Recurring struct {
	From, Until time.Duration // since midnight; an end that is not after the beginning is on the next day
	Days        [7]bool       // by time.Weekday; none is every day
	Offset      time.Duration // of the local time that it is told in, ahead of UTC
}

// recurringDays is for how many days after a document was published its recurring
// times are worked out: one that is not published again for longer tells nothing.
const recurringDays = 14

// Windows lists when a recurring time holds within a window, from the day before a
// moment on and for two weeks.
func (r *Recurring) Windows(within Window, from time.Time) []Window {
	local := from.UTC().Add(r.Offset)
	midnight := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
	until := r.Until
	if until <= r.From {
		until += 24 * time.Hour
	}
	var list []Window
	for day := -1; day < recurringDays; day++ {
		at := midnight.AddDate(0, 0, day)
		if r.Days != [7]bool{} && !r.Days[at.Weekday()] {
			continue
		}
		w := Window{From: at.Add(r.From - r.Offset), Until: at.Add(until - r.Offset)}
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
func TimeOfDay(text string) (since, offset time.Duration, told, ok bool) {
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
