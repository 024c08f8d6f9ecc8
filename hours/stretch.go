package hours

import (
	"slices"
	"time"
)

// Stretch is a time in which the state of a schedule does not change.
type Stretch struct {
	From, To time.Time // From is in it, To is not
	State    State
}

// Stretches cuts the time between two instants where what the schedule says of a
// place changes on the clocks of its zone, the changes of these clocks among them.
// The stretches follow one another without a gap.
func (s *Schedule) Stretches(from, to time.Time, zone *time.Location, p *Place) []Stretch {
	var cuts []time.Time
	first := from.In(zone)
	for day := -1; ; day++ {
		midnight := time.Date(first.Year(), first.Month(), first.Day()+day, 0, 0, 0, 0, zone)
		if midnight.After(to) {
			break
		}
		_, change := midnight.ZoneBounds()
		changes := !change.IsZero() && change.Before(midnight.Add(48*time.Hour))
		if changes {
			cuts = append(cuts, change)
		}
		for _, m := range s.MinutesOn(midnight, p) {
			at := time.Date(first.Year(), first.Month(), first.Day()+day, 0, m, 0, 0, zone)
			if cuts = append(cuts, at); changes { // clocks that go back show it twice
				cuts = append(cuts, at.Add(-time.Hour), at.Add(time.Hour))
			}
		}
	}
	slices.SortFunc(cuts, time.Time.Compare)
	list := []Stretch{{From: from, To: to, State: s.In(first, p)}}
	for _, at := range cuts {
		last := &list[len(list)-1]
		if !at.After(last.From) || !at.Before(to) {
			continue
		}
		if state := s.In(at.In(zone), p); state != last.State {
			last.To = at
			list = append(list, Stretch{at, to, state})
		}
	}
	return list
}
