package fleet

// fewer tries to do with fewer routes, where each costs much beside its way: it takes one out
// of use and has the search find room for what it served, what was hardest to serve first
// (absence counters, Christiaens and Vanden Berghe).
type fewer struct {
	phase  fewerPhase
	until  int64 // iteration at which a try has failed
	failed int
}

type fewerPhase int

const (
	fewerNew fewerPhase = iota
	fewerTrying
	fewerOver
)

const (
	fewerShare = 0.3 // of a search
	fewerTries = 4   // that fail one after the other
	fewerWay   = 5   // times the cost of a usual way that make a route dear
	fewerSteps = 20  // iterations of a try for each unit
)

// turn goes on before an iteration, at a share of the search.
func (f *fewer) turn(w *walker, share float64) {
	switch f.phase {
	case fewerOver:
		return
	case fewerNew:
		f.begin(w)
	case fewerTrying:
		if len(w.s.absent) <= w.best.score.absent {
			f.failed = 0
			f.begin(w)
		} else if w.iterations >= f.until {
			f.failed++
			w.s.reopen()
			w.best.restore(w.s)
			f.begin(w)
		}
	}
	if f.phase == fewerTrying && (share > fewerShare || f.failed == fewerTries) {
		f.end(w)
	}
}

// begin takes the route out of use that holds least of what was hard to serve.
func (f *fewer) begin(w *walker) {
	s := w.s
	victim, least := int32(-1), int64(0)
	for _, r := range s.lists().used {
		rt, sl := &s.routes[r], &s.m.slots[r]
		if rt.fixed > 0 || sl.first != sl.last || float64(sl.fixed) < fewerWay*w.scale {
			continue
		}
		sum := int64(len(rt.stops))
		for _, v := range rt.stops {
			sum += s.missed[s.m.visits[v].unit]
		}
		if f.failed > 0 { // another than before
			sum = int64(s.random.below(1 << 20))
		}
		if victim < 0 || sum < least {
			victim, least = r, sum
		}
	}
	if victim < 0 || len(s.spare.used) < 2 {
		f.end(w)
		return
	}
	f.phase, f.until = fewerTrying, w.iterations+int64(fewerSteps*len(s.m.units))
	s.shut(victim)
}

// again begins anew where the plan is to be another.
func (f *fewer) again(w *walker) {
	if f.phase == fewerTrying {
		w.s.reopen()
		f.phase = fewerNew
	}
}

// end puts every route back into use and goes on from the best plan.
func (f *fewer) end(w *walker) {
	if f.phase == fewerTrying {
		w.s.reopen()
		w.best.restore(w.s)
		w.anew = true
	}
	f.phase = fewerOver
}

// shut empties a route and allows none but those in use.
func (s *state) shut(victim int32) {
	s.begin()
	s.touch(victim)
	rt := &s.routes[victim]
	for i := range rt.stops {
		s.remove(s.m.visits[rt.stops[i]].unit)
	}
	s.settle()
	for r := range s.routes {
		s.closed[r] = !s.routes[r].used()
	}
	s.spare.stale = true
}

// reopen allows every route again.
func (s *state) reopen() {
	clear(s.closed)
	s.spare.stale = true
}
