package hours

import (
	"slices"
	"time"
)

// Stretch is a time in which what a schedule says does not change.
type Stretch struct {
	From, To time.Time // From is in it, To is not
	State    State
}

// Stretches cuts the time between two instants where what the schedule says
// changes on the clocks of a zone, the changes of these clocks among them. The
// stretches follow one another without a gap.
func (s *Schedule) Stretches(from, to time.Time, zone *time.Location) []Stretch {
	var cuts []time.Time
	minutes := s.Minutes()
	first := from.In(zone)
	for day := 0; ; day++ {
		midnight := time.Date(first.Year(), first.Month(), first.Day()+day, 0, 0, 0, 0, zone)
		if midnight.After(to) {
			break
		}
		for _, m := range minutes {
			cuts = append(cuts, time.Date(first.Year(), first.Month(), first.Day()+day, 0, m, 0, 0, zone))
		}
		if _, end := midnight.ZoneBounds(); !end.IsZero() && end.Before(midnight.Add(48*time.Hour)) {
			cuts = append(cuts, end)
		}
	}
	slices.SortFunc(cuts, time.Time.Compare)
	list := []Stretch{{From: from, To: to, State: s.At(first)}}
	for _, at := range cuts {
		last := &list[len(list)-1]
		if !at.After(last.From) || !at.Before(to) {
			continue
		}
		if state := s.At(at.In(zone)); state != last.State {
			last.To = at
			list = append(list, Stretch{at, to, state})
		}
	}
	return list
}
