package dispatch

import "github.com/waygate/waygate/wire/native/plan"

// report is whether a stop is reported done or failed, and the second at which it was.
type report struct {
	there bool
	at    int64
}

// minute is to what expected times are rounded down, so that an answer changes at most once a minute.
const minute = 60

// expected returns when the work at each stop of a round is expected to begin, in seconds from the
// beginning of the plan, and the seconds by which the round is behind the plan. From the last report
// on the vehicle takes the planned times of drives and of work, and waits for windows that are
// not open; nothing that is not reported lies in the past. A stop that is reported has the time
// at which it was. Where stops are reported out of order, the drive to the next is that of the plan.
func expected(stops []plan.PublishedStop, reported []report, now int64) (begins []int64, delay int64) {
	begins = make([]int64, len(stops))
	last := -1 // the latest report
	for i, r := range reported {
		if r.there && (last < 0 || r.at >= reported[last].at) {
			last = i
		}
	}
	free, next := int64(0), false
	if last >= 0 {
		free, delay = reported[last].at, reported[last].at-stops[last].End
	}
	for i := range stops {
		s := &stops[i]
		if reported[i].there {
			begins[i] = reported[i].at
			continue
		}
		arrival := s.Arrival
		if last >= 0 || next {
			if arrival = max(free, s.Arrival); i > 0 {
				arrival = free + max(0, s.Arrival-stops[i-1].End)
			}
		}
		arrival = max(arrival, now)
		begin := s.Begin
		if arrival != s.Arrival {
			begin = opening(s.Windows, arrival)
		}
		if !next {
			next, delay = true, begin-s.Begin
		}
		begins[i], free = begin, begin+s.End-s.Begin
	}
	for i := range begins {
		begins[i] = floor(begins[i])
	}
	return begins, delay
}

// floor rounds seconds down to a minute.
func floor(seconds int64) int64 { return seconds - ((seconds%minute)+minute)%minute }

// opening returns when work may begin for who arrives: in the first window that is not over, or at
// once where all are, or there is none.
func opening(windows []plan.FleetWindow, arrival int64) int64 {
	for _, w := range windows {
		if arrival <= w[1] {
			return max(arrival, w[0])
		}
	}
	return arrival
}
