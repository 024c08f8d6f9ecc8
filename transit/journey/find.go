package journey

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

// mostDepartures bounds the departures of a window.
const mostDepartures = 200_000

// Find returns the best journeys in the order of their departures, with ArriveBy of their
// arrivals, and then of their rides. Pages of windows that follow each other have each
// journey of the window as long as both once: the next page of a query is that with At moved
// on by Window, or back with ArriveBy. A window has no journey on foot alone. It fails where
// ctx ends, and where a window has more than 200,000 departures from the stops of the
// origin.
func (n *Network) Find(ctx context.Context, q *Query) ([]Journey, error) {
	s := n.scratch.Get().(*search)
	window := min(max(q.Window, 0), LongestAhead).Truncate(time.Second)
	s.begin(q, MostSteps+1, window > 0, window+Longest)
	defer s.end()
	var found []Journey
	var err error
	if window > 0 {
		found, err = s.window(ctx, q, int32(window/time.Second))
	} else {
		found, err = s.once(ctx, q)
	}
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(found, func(a, b Journey) int {
		if q.ArriveBy {
			return cmp.Or(b.Arrive.Compare(a.Arrive), b.Depart.Compare(a.Depart), cmp.Compare(a.Rides, b.Rides))
		}
		return cmp.Or(a.Depart.Compare(b.Depart), a.Arrive.Compare(b.Arrive), cmp.Compare(a.Rides, b.Rides))
	})
	return found, nil
}

const (
	longest = int32(Longest / time.Second)
	slack   = int32(Slack / time.Second)
)

// once finds the journeys at one time.
func (s *search) once(ctx context.Context, q *Query) (found []Journey, err error) {
	s.limit = longest
	if q.Direct >= 0 && q.Direct <= longest {
		found = append(found, s.onFoot(q.Direct))
	}
	ahead, err := s.scout(ctx, q, 0)
	defer ahead.end()
	if err != nil || ahead.best[s.rides] == never {
		return found, err
	}
	guide, err := s.guided(ctx, q, ahead)
	defer guide.end()
	if err != nil {
		return nil, err
	}
	if q.Direct >= 0 && q.Direct <= longest {
		s.finish(0, s.step(q.Direct), q.Direct, unruled)
	}
	s.start(0)
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	return s.journeys(found, true), nil
}

// scout searches for the earliest arrival alone, at first among the next hours: most of what
// a search comes to lies far ahead. It lowers the limit to what counts beside that arrival.
// The search that it returns has all that can be come to before the arrival.
func (s *search) scout(ctx context.Context, q *Query, at int32) (*search, error) {
	o := s.n.scratch.Get().(*search)
	o.begin(q, 1, false, q.Window+Longest)
	for hours := int32(2); ; hours *= 3 {
		o.reset()
		o.limit = min(s.limit, at+hours*3600)
		if q.Direct >= 0 {
			o.finish(0, 0, at+q.Direct, unruled)
		}
		o.start(at)
		if err := o.run(ctx); err != nil {
			return o, err
		}
		if first := o.best[o.rides]; first < never-slack {
			s.limit = min(s.limit, first+slack)
			o.limit = min(o.limit, first)
			return o, nil
		}
		if o.limit == s.limit {
			return o, nil
		}
	}
}

// guided gives a search a guide: until when one has to be where to arrive before the limit.
// The guide itself is a search backward from there, among what can be come to ahead.
func (s *search) guided(ctx context.Context, q *Query, ahead *search) (*search, error) {
	turned := *q
	turned.ArriveBy = !q.ArriveBy
	turned.At = s.time(s.limit)
	if s.back == backward {
		turned.At = s.time(-s.limit)
	}
	g := s.n.scratch.Get().(*search)
	g.begin(&turned, 1, false, q.Window+Longest)
	for slot := range g.walk {
		g.walk[slot] = unruled
	}
	g.limit, g.guide, g.guideAt, g.guideTo = s.limit, ahead, s.limit, ahead.limit
	g.start(0)
	s.guide, s.guideAt, s.guideTo = g, s.limit, never
	return g, g.run(ctx)
}

// departure is a ride from a stop of the origin and when it departs from there.
type departure struct {
	boarding
	at int32
}

// window finds the journeys of departures in so many seconds. What departs later, however
// late, comes first, so that what is better than journeys of the window is known.
func (s *search) window(ctx context.Context, q *Query, seconds int32) (found []Journey, err error) {
	departures, err := s.departures(ctx, seconds)
	if err != nil {
		return nil, err
	}
	s.limit = seconds + longest
	ahead, err := s.scout(ctx, q, seconds)
	defer ahead.end()
	if err != nil {
		return nil, err
	}
	ahead.reset()
	ahead.limit = s.limit
	if q.Direct >= 0 {
		ahead.finish(0, 0, q.Direct, unruled)
	}
	ahead.start(0)
	if err := ahead.run(ctx); err != nil {
		return nil, err
	}
	ahead.limit = min(ahead.limit, ahead.best[s.rides])
	guide, err := s.guided(ctx, q, ahead)
	defer guide.end()
	if err != nil {
		return nil, err
	}
	if q.Direct >= 0 && q.Direct <= longest {
		s.finish(0, s.step(q.Direct), seconds+q.Direct, unruled)
	}
	s.start(seconds)
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	for len(departures) > 0 {
		at := departures[0].at
		s.labels, s.limit = s.labels[:0], at+longest
		s.tight()
		for i := range s.bestBy {
			s.bestBy[i] = unruled
		}
		if q.Direct >= 0 {
			s.finish(0, s.step(q.Direct), at+q.Direct, unruled)
		}
		for len(departures) > 0 && departures[0].at == at {
			s.boards = append(s.boards, departures[0].boarding)
			departures = departures[1:]
		}
		if err := s.run(ctx); err != nil {
			return nil, err
		}
		found = s.journeys(found, false)
	}
	return found, nil
}

// departures lists the rides from stops of the origin in a window, the last first.
func (s *search) departures(ctx context.Context, seconds int32) (list []departure, err error) {
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

func (s *search) departuresOf(list []departure, calls []call, number, day int, a Access, seconds int32) []departure {
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

// leastApart is the fewest seconds between departures of a headway that is not exact.
const leastApart = 60

// repeatDepartures lists the departures of trips that repeat. Those of a headway that is not
// exact are at each time that a board shows, at least leastApart from each other.
func (s *search) repeatDepartures(list []departure, v *vehicles, b boarding, access, seconds int32) []departure {
	position := v.position(int(b.place))
	for _, row := range v.rows {
		call := v.times[int(row)*v.length+position]
		for _, h := range v.headways {
			if h.Trip != row {
				continue
			}
			waits, step := int32(0), h.Every
			if h.Exact != 1 {
				waits = h.Every
				step = h.Every * max(1, (leastApart+h.Every-1)/h.Every)
			}
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

// Reach calls yield for each stop that can be reached from q.From within a time of at most
// Longest, with the seconds from At to the earliest arrival there. With ArriveBy it is each
// stop from which one can come to q.To, with the seconds from the latest departure to At. A
// walk from where the last vehicle is left to a stop nearby counts too. It reads neither
// Direct nor Window.
func (n *Network) Reach(ctx context.Context, q *Query, within time.Duration, yield func(stop uint32, seconds int32)) error {
	return n.around(ctx, q, within, func(s *search) {
		// From here on ready is when one can be at a stop.
		for slot := range s.ready {
			s.ready[slot] = never
		}
		for _, a := range s.origin {
			if a.Seconds <= s.limit {
				s.ready[s.slot(a.Stop)] = a.Seconds
			}
		}
		ridden := len(s.stopOf)
		for slot := 1; slot < ridden; slot++ {
			if s.left[slot] == never {
				continue
			}
			for _, c := range s.n.changes[s.back].of(s.stopOf[slot]) {
				if c.least == never && c.to != s.stopOf[slot] {
					continue // there may be no way
				}
				if at := s.left[slot] + c.seconds; at <= s.limit {
					to := s.slot(c.to)
					s.ready[to] = min(s.ready[to], at)
				}
			}
		}
		for slot := 1; slot < len(s.stopOf); slot++ {
			if s.ready[slot] != never {
				yield(s.stopOf[slot], s.ready[slot])
			}
		}
	})
}

// Alight is Reach for the stops where a vehicle is left, or with ArriveBy boarded: whoever
// goes on from there does so on foot.
func (n *Network) Alight(ctx context.Context, q *Query, within time.Duration, yield func(stop uint32, seconds int32)) error {
	return n.around(ctx, q, within, func(s *search) {
		for slot := 1; slot < len(s.stopOf); slot++ {
			if s.left[slot] <= s.limit {
				yield(s.stopOf[slot], s.left[slot])
			}
		}
	})
}

// around searches for the earliest arrivals everywhere and calls read with what was found.
func (n *Network) around(ctx context.Context, q *Query, within time.Duration, read func(*search)) error {
	s := n.scratch.Get().(*search)
	within = min(max(within, 0), Longest)
	s.begin(q, 1, false, within)
	defer s.end()
	for slot := range s.walk {
		s.walk[slot] = unruled
	}
	s.limit = int32(within / time.Second)
	s.start(0)
	if err := s.run(ctx); err != nil {
		return err
	}
	read(s)
	return nil
}
