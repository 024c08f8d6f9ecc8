package fleet

import (
	"context"
	"math"
	"time"
)

// score is how good a plan is: first by priorities, then by tasks served, then by
// cost.
type score struct {
	priority int
	absent   int
	cost     int64
}

func (s *state) score() score { return score{s.priority, len(s.absent), s.cost} }

func (a score) better(b score) bool {
	if a.priority != b.priority {
		return a.priority > b.priority
	}
	if a.absent != b.absent {
		return a.absent < b.absent
	}
	return a.cost < b.cost
}

// found is a plan put aside: its stops by route.
type found struct {
	score  score
	routes [][]int32
}

func (f *found) keep(s *state) {
	f.score = s.score()
	if f.routes == nil {
		f.routes = make([][]int32, len(s.routes))
	}
	for r := range s.routes {
		f.routes[r] = append(f.routes[r][:0], s.routes[r].stops...)
	}
}

// restore makes a plan that was put aside the current one.
func (f *found) restore(s *state) {
	for r := range s.routes {
		s.empty(int32(r))
	}
	for r := range s.routes {
		s.fill(int32(r), f.routes[r])
	}
}

// walker is one search.
type walker struct {
	s          *state
	best       found
	order      []ranked
	missed     []int64 // by unit: how often it was not served; what is hard to serve weighs more
	scale      float64 // cost of a usual way
	iterations int64
}

const (
	hot, cold = 0.1, 0.002 // temperatures by the cost of a usual way
	glance    = 64         // iterations between looks at the clock
)

func newWalker(m *model, seed, number uint64) *walker {
	w := &walker{s: newState(m), missed: make([]int64, len(m.units))}
	w.s.random = newRandom(seed, number)
	w.s.given()
	w.order = w.s.recreate(nil)
	w.s.skip = 0
	w.best.keep(w.s)
	used, fixed := 0, int64(0)
	for r := range w.s.routes {
		if len(w.s.routes[r].stops) > 0 {
			used++
			fixed += m.slots[r].fixed
		}
	}
	w.scale = float64(w.s.cost-fixed) / float64(max(1, len(m.loc)+used))
	return w
}

// given begins with the steps that vehicles have, as far as they can be done.
func (s *state) given() {
	for r := range s.routes {
		sl := &s.m.slots[r]
		if sl.trip > 0 {
			continue
		}
		rt := &s.routes[r]
		for i, st := range sl.v.First {
			v := s.m.visitOf(st)
			rt.stops = append(rt.stops, v)
			if u := s.m.unitOf[v]; s.inList[u] >= 0 {
				s.serve(u)
			}
			rt.fixed = i + 1
		}
		// Deliveries of what is picked up there, as early as can be.
		for _, st := range sl.v.First {
			if v := s.m.visitOf(st); st.Kind == AtPickup && !hasVisit(rt.stops, v+1) {
				rt.stops = append(rt.stops, v+1)
			}
		}
		s.update(int32(r))
	}
	for r := range s.routes {
		sl := &s.m.slots[r]
		if sl.trip > 0 || len(sl.v.Initial) == 0 {
			continue
		}
		s.warm(int32(r), sl.v.Initial)
	}
}

func hasVisit(stops []int32, v int32) bool {
	for _, w := range stops {
		if w == v {
			return true
		}
	}
	return false
}

// warm puts a given order into a route, each task at the end where that can be done.
func (s *state) warm(r int32, stops []Stop) {
	rt := &s.routes[r]
	for _, st := range stops {
		v := s.m.visitOf(st)
		u := s.m.unitOf[v]
		if s.inList[u] < 0 || s.m.units[u].group >= 0 || !s.open(u, r) {
			continue
		}
		if !s.m.units[u].pair {
			i := len(rt.stops)
			if s.fits(rt, s.m.slots[r].v.Capacity, v, i) && s.inTime(rt, &s.m.slots[r], s.m.slots[r].class, v, i) && (!s.complex(r) || s.exactly(r, v, i, -1, 0)) {
				s.put(u, spot{0, r, int32(i), -1})
			}
			continue
		}
		b := spot{delta: math.MaxInt64}
		s.into(u, r, &b)
		if b.delta < math.MaxInt64 {
			s.put(u, b)
		}
	}
}

// clock says how much of the work is done: by iterations, by time, or whichever is
// further.
type clock struct {
	work       int64
	start, end time.Time
}

// shares are of the work and of the time; 0 of what has no end.
func (c *clock) shares(iterations int64) (work, elapsed float64) {
	if c.work > 0 {
		work = float64(iterations) / float64(c.work)
	}
	if !c.end.IsZero() {
		elapsed = float64(time.Since(c.start)) / float64(c.end.Sub(c.start))
	}
	return work, elapsed
}

// walk searches until a share of the work or of the time is over.
func (w *walker) walk(ctx context.Context, c *clock, work, elapsed float64) {
	s := w.s
	heat := hot
	for {
		if w.iterations%glance == 0 {
			a, b := c.shares(w.iterations)
			if a >= work || b >= elapsed || ctx.Err() != nil {
				return
			}
			heat = hot * math.Pow(cold/hot, max(a, b))
		}
		w.iterations++
		w.step(s, heat*w.scale)
	}
}

func (w *walker) step(s *state, temperature float64) {
	old := s.score()
	oldMissed := w.missedSum()
	s.begin()
	s.ruin()
	w.order = s.recreate(w.order)
	now := s.score()
	if now.better(w.best.score) {
		w.best.keep(s)
	}
	if !w.accept(old, now, oldMissed, temperature) {
		s.undo()
	}
	for _, u := range s.absent {
		w.missed[u]++
	}
}

func (w *walker) missedSum() (n int64) {
	for _, u := range w.s.absent {
		n += w.missed[u] + 1
	}
	return n
}

func (w *walker) accept(old, now score, oldMissed int64, temperature float64) bool {
	if old.absent == 0 && now.absent == 0 {
		return float64(now.cost) < float64(old.cost)-temperature*math.Log(w.s.random.float())
	}
	if now.priority > old.priority || now.priority == old.priority && now.absent < old.absent {
		return true
	}
	sum := w.missedSum()
	if sum < oldMissed {
		return true
	}
	return sum == oldMissed && float64(now.cost) < float64(old.cost)-temperature*math.Log(w.s.random.float())
}
