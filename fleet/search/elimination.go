package search

// elimination tries to use fewer routes where a route is expensive apart from its way.
// It closes one route and lets the search find room for the tasks that it served, those
// hardest to serve first (absence counters, Christiaens and Vanden Berghe).
type elimination struct {
	phase  eliminationPhase
	until  int64 // iteration at which a try has failed
	failed int
}

type eliminationPhase int

const (
	eliminationNew eliminationPhase = iota
	eliminationTrying
	eliminationOver
)

const (
	eliminationShare = 0.3 // of a search
	eliminationTries = 4   // that fail one after the other
	eliminationWay   = 5   // times the cost of a usual way that make a route dear
	eliminationSteps = 20  // iterations of a try for each task
)

// turn runs before an iteration, at a share of the search.
func (f *elimination) turn(w *walker, share float64) {
	switch f.phase {
	case eliminationOver:
		return
	case eliminationNew:
		f.begin(w)
	case eliminationTrying:
		if len(w.s.absent) <= w.best.score.Absent {
			f.failed = 0
			f.begin(w)
		} else if w.iterations >= f.until {
			f.failed++
			w.s.reopen()
			w.best.restore(w.s)
			f.begin(w)
		}
	}
	if f.phase == eliminationTrying && (share > eliminationShare || f.failed == eliminationTries) {
		f.end(w)
	}
}

// begin closes the route with the least that was hard to serve.
func (f *elimination) begin(w *walker) {
	s := w.s
	victim, least := int32(-1), int64(0)
	for _, r := range s.lists().used {
		rt, sl := &s.routes[r], &s.m.Slots[r]
		if rt.fixed > 0 || sl.First != sl.Last || float64(sl.Fixed) < eliminationWay*w.scale {
			continue
		}
		sum := int64(len(rt.stops))
		for _, v := range rt.stops {
			sum += s.missed[s.m.Visits[v].Task]
		}
		if f.failed > 0 { // a different route from last time
			sum = int64(s.random.below(1 << 20))
		}
		if victim < 0 || sum < least {
			victim, least = r, sum
		}
	}
	if victim < 0 || len(s.byUse.used) < 2 {
		f.end(w)
		return
	}
	f.phase, f.until = eliminationTrying, w.iterations+int64(eliminationSteps*len(s.m.Tasks))
	s.shut(victim)
}

// again starts over where the plan is to change.
func (f *elimination) again(w *walker) {
	if f.phase == eliminationTrying {
		w.s.reopen()
		f.phase = eliminationNew
	}
}

// end opens every route again and continues from the best plan.
func (f *elimination) end(w *walker) {
	if f.phase == eliminationTrying {
		w.s.reopen()
		w.best.restore(w.s)
		w.anew = true
	}
	f.phase = eliminationOver
}

// shut empties a route and allows none but those in use.
func (s *state) shut(victim int32) {
	s.beginChange()
	s.touch(victim)
	rt := &s.routes[victim]
	for i := range rt.stops {
		s.remove(s.m.Visits[rt.stops[i]].Task)
	}
	s.applyRemovals()
	for r := range s.routes {
		s.closed[r] = !s.routes[r].used()
	}
	s.byUse.stale = true
}

// reopen allows every route again.
func (s *state) reopen() {
	clear(s.closed)
	s.byUse.stale = true
}
