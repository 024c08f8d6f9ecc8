package journey

import (
	"cmp"
	"context"
	"slices"
	"time"
)

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
	reached, err := s.guided(ctx, q, 0, 0)
	if err != nil || !reached {
		return found, err
	}
	return s.journeys(found, true), nil
}

// guided searches from a time on, with a guide that counts for departures from another time
// on as well. It returns false where there is no journey from there.
func (s *search) guided(ctx context.Context, q *Query, from, at int32) (reached bool, err error) {
	most := s.limit
	ahead := s.sweep(s.back)
	defer ahead.close()
	ahead.limit = most
	ahead.aim(at, q.Direct)
	if err := ahead.ahead(ctx, at, never); err != nil {
		return false, err
	}
	first := ahead.first
	for exact := false; ; exact = true {
		s.limit = min(most, later(first))
		if first == never && from == at {
			return false, nil
		}
		if from != at || exact {
			ahead.clear()
			ahead.ends, ahead.limit = false, s.limit
			if err := ahead.ahead(ctx, from, from+(s.limit-from)/2); err != nil {
				return false, err
			}
		}
		s.guide = s.sweep(1 - s.back)
		s.guide.limit = -from
		s.guide.leads = from != at && len(s.n.repeats[s.back].list) == 0
		if err := s.guide.sweepBack(ctx, ahead, -s.limit); err != nil {
			return false, err
		}
		if q.Direct >= 0 {
			s.finish(0, s.step(q.Direct), at+q.Direct, unruled)
		}
		if !s.onBoards() { // a scout does not find what comes back to where it began
			s.soonest = first
		}
		s.start(at)
		if err := s.run(ctx); err != nil {
			return false, err
		}
		s.soonest = -never
		if exact || s.best[len(s.best)-1] == first {
			return true, nil
		}
		s.reset()
		s.unguide()
		if first, err = s.scout(ctx, q, at, most); err != nil {
			return false, err
		}
	}
}

// sweep returns one for the search.
func (s *search) sweep(back int) *sweep {
	w := s.n.sweeps.Get().(*sweep)
	w.open(&s.frame, back)
	return w
}

// scout searches for the earliest arrival alone, at first among the next hours: most of what
// a search comes to lies far ahead.
func (s *search) scout(ctx context.Context, q *Query, at, most int32) (int32, error) {
	o := s.n.scratch.Get().(*search)
	defer o.end()
	o.begin(q, 1, false, q.Window+Longest)
	o.shown = s.shown
	for hours := int32(2); ; hours *= 3 {
		o.reset()
		o.limit = min(most, at+hours*3600)
		if q.Direct >= 0 {
			o.finish(0, 0, at+q.Direct, unruled)
		}
		o.start(at)
		if err := o.run(ctx); err != nil {
			return 0, err
		}
		if first := o.best[o.rides]; first != never || o.limit == most {
			return first, nil
		}
	}
}

// window finds the journeys of departures in so many seconds. What departs later, however
// late, comes first, so that what is better than journeys of the window is known.
func (s *search) window(ctx context.Context, q *Query, seconds int32) (found []Journey, err error) {
	departures, err := s.departures(ctx, seconds)
	if err != nil {
		return nil, err
	}
	s.limit, s.shown = seconds+longest, true
	if _, err := s.guided(ctx, q, 0, seconds); err != nil {
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

// Reach calls yield for each stop that can be reached from q.From within a time of at most
// Longest, with the seconds from At to the earliest arrival there. With ArriveBy it is each
// stop from which one can come to q.To, with the seconds from the latest departure to At. A
// walk from where the last vehicle is left to a stop nearby counts too. Live is whether a trip
// that is ridden for that is one that q.Live changes. It reads neither Direct nor Window.
func (n *Network) Reach(ctx context.Context, q *Query, within time.Duration, yield func(stop uint32, seconds int32, live bool)) error {
	return n.around(ctx, q, within, func(s *search, live []bool) {
		// From here on ready is when one can be at a stop.
		for slot := range s.ready {
			s.ready[slot] = never
		}
		by := make([]bool, len(s.stopOf)) // of ready
		be := func(stop uint32, at int32, live bool) {
			slot := s.slot(stop)
			if int(slot) == len(by) {
				by = append(by, false)
			}
			if at < s.ready[slot] {
				s.ready[slot], by[slot] = at, live
			}
		}
		for _, a := range s.origin {
			if a.Seconds <= s.limit {
				be(a.Stop, a.Seconds, false)
			}
		}
		ridden := len(live)
		for slot := 1; slot < ridden; slot++ {
			if s.left[slot] == never {
				continue
			}
			for _, c := range s.changes[s.back].of(s.stopOf[slot]) {
				if c.least == never && c.to != s.stopOf[slot] {
					continue // there may be no way
				}
				if at := s.left[slot] + c.seconds; at <= s.limit {
					be(c.to, at, live[slot])
				}
			}
		}
		for slot := 1; slot < len(s.stopOf); slot++ {
			if s.ready[slot] != never {
				yield(s.stopOf[slot], s.ready[slot], by[slot])
			}
		}
	})
}

// Alight is Reach for the stops where a vehicle is left, or with ArriveBy boarded: whoever
// goes on from there does so on foot.
func (n *Network) Alight(ctx context.Context, q *Query, within time.Duration, yield func(stop uint32, seconds int32, live bool)) error {
	return n.around(ctx, q, within, func(s *search, live []bool) {
		for slot := 1; slot < len(s.stopOf); slot++ {
			if s.left[slot] <= s.limit {
				yield(s.stopOf[slot], s.left[slot], live[slot])
			}
		}
	})
}

// changed notes the slots whose time is that of rides of which one is on a changed trip. It is
// of searches that do not keep levels apart, nor rounds.
func (s *search) changed(slots []bool) {
	by := make([]bool, len(s.labels))
	for i := range s.labels { // each after its parent
		l := &s.labels[i]
		v := s.vehicles(l.pattern, int(l.ride.day))
		board, leave := v.position(int(l.place)), v.position(int(l.leave))
		by[i] = l.parent != unruled && by[l.parent] || v.changed(int(l.row), min(board, leave), max(board, leave))
		if slot := s.slotOf[l.stop]; l.at == s.left[slot] {
			slots[slot] = slots[slot] || by[i]
		}
	}
}

// around searches for the earliest arrivals everywhere and calls read with what was found, and
// which slots were come to by changed trips.
func (n *Network) around(ctx context.Context, q *Query, within time.Duration, read func(s *search, live []bool)) error {
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
	live := make([]bool, len(s.stopOf))
	if q.Live != nil {
		s.changed(live)
	}
	read(s, live)
	return nil
}
