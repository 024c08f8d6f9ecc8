package journey

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/waygate/waygate/index/timetable"
)

// mostDepartures bounds the departures of a window.
const mostDepartures = 200_000

// leastApart is the fewest seconds between departures of a headway that is not exact.
const leastApart = 60

// departure is a ride from a stop of the origin and when it departs from there.
type departure struct {
	boarding
	at int32
}

// departures lists the rides from stops of the origin in a window, the last first.
func (s *frame) departures(ctx context.Context, seconds int32) (list []departure, err error) {
	for _, a := range s.origin {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for day := range s.services {
			d := &s.services[day]
			list = s.departuresOf(list, s.n.board[s.back].of(a.Stop), 0, day, a, seconds)
			list = s.departuresOf(list, d.board[s.back].of(a.Stop), d.number, day, a, seconds)
		}
		if len(list) > mostDepartures {
			return nil, fmt.Errorf("journey: the window has more than %d departures", mostDepartures)
		}
	}
	slices.SortFunc(list, func(a, b departure) int {
		return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(a.level, b.level), cmp.Compare(a.pattern, b.pattern), cmp.Compare(a.row, b.row), cmp.Compare(a.place, b.place))
	})
	return list, nil
}

func (s *frame) departuresOf(list []departure, calls []call, number, day int, a Access, seconds int32) []departure {
	for _, c := range calls {
		pattern := c.pattern + uint32(number)
		from, until, ok := s.span(pattern, day)
		if !ok || until < a.Seconds || from >= seconds+a.Seconds {
			continue
		}
		v := s.vehicles(pattern, day)
		if !s.modes.Has(v.mode) {
			continue
		}
		b := boarding{ride{pattern: pattern, day: uint16(day), place: uint16(c.place)}, unruled, uint8(s.step(a.Seconds))}
		if len(v.headways) > 0 {
			list = s.repeatDepartures(list, &v, b, a.Seconds, seconds)
			continue
		}
		for n := v.earliest(int(c.place), v.count, a.Seconds); n < v.count; n++ {
			row := v.row(n)
			at := v.boards(row, int(c.place)) - a.Seconds
			if at >= seconds {
				break
			}
			b.row = uint32(row)
			list = append(list, departure{b, at})
		}
	}
	return list
}

// apart returns how long one waits for a trip with a headway, and how many seconds its departures
// are from each other.
func apart(h timetable.Headway) (waits, step int32) {
	if h.Exact == 1 {
		return 0, h.Every
	}
	return h.Every, h.Every * max(1, (leastApart+h.Every-1)/h.Every)
}

// nextShown is nextRepeat among the departures of a window.
func (s *frame) nextShown(v *vehicles, row int, call timetable.Call, at int32) (start, every int32, ok bool) {
	best := int32(never)
	for _, h := range v.headways {
		if int(h.Trip) != row || h.End <= h.Start {
			continue
		}
		waits, step := apart(h)
		number, last := int32(0), (h.End-1-h.Start)/step
		if waits > 0 {
			last = max(0, h.End-waits-h.Start) / step
		}
		if s.back == forward {
			number = max(0, at-v.begin-call.Depart-h.Start+step-1) / step
		} else {
			due := -at - v.begin - call.Arrive - waits - h.Start
			if due < 0 {
				continue
			}
			number = min(due/step, last)
		}
		if number > last {
			continue
		}
		begin := v.begin + h.Start + number*step + waits
		if from := s.repeatLeaves(begin, waits, timetable.Call{}); from < best {
			best, start, every, ok = from, begin, waits, true
		}
	}
	return start, every, ok
}

// repeatDepartures lists the departures of trips that repeat. Those of a headway that is not
// exact are at each time that a board shows, at least leastApart from each other.
func (s *frame) repeatDepartures(list []departure, v *vehicles, b boarding, access, seconds int32) []departure {
	position := v.position(int(b.place))
	for _, row := range v.rows {
		call := v.times[int(row)*v.length+position]
		for _, h := range v.headways {
			if h.Trip != row {
				continue
			}
			waits, step := apart(h)
			for begin := h.Start; begin < h.End && len(list) <= mostDepartures; begin += step {
				if begin > h.Start && waits > 0 && begin+waits > h.End {
					break
				}
				b.row, b.start, b.every = row, v.begin+begin+waits, waits
				at := v.begin + begin + call.Depart // when one is at the stop
				if s.back == backward {
					at = -(b.start + call.Arrive)
				}
				if at -= access; at >= 0 && at < seconds {
					list = append(list, departure{b, at})
				}
			}
		}
	}
	return list
}
