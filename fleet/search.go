package fleet

import (
	"context"
	"math"
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

func newWalker(ctx context.Context, m *model, seed, number uint64) (*walker, error) {
	w := &walker{s: newState(m), missed: make([]int64, len(m.units))}
	w.s.random = newRandom(seed, number)
	if !w.s.begins() {
		return nil, ErrSteps
	}
	w.order = w.s.recreate(ctx, nil)
	w.s.skip = 0
	w.best.keep(w.s)
	used, fixed := 0, int64(0)
	for r := range w.s.routes {
		if len(w.s.routes[r].stops) > 0 {
			used++
			fixed += m.slots[r].fixed
		}
	}
	w.scale = float64(w.s.cost-fixed) / float64(max(1, len(m.visits)+used))
	return w, nil
}

// walk searches until a share of the work or of the time is over.
func (w *walker) walk(ctx context.Context, c *clock, work, elapsed float64) {
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
		w.step(ctx, heat*w.scale)
	}
}

func (w *walker) step(ctx context.Context, temperature float64) {
	s := w.s
	old := s.score()
	oldMissed := w.missedSum()
	s.begin()
	if !s.ruin() {
		s.undo()
		return
	}
	w.order = s.recreate(ctx, w.order)
	if s.lacks() {
		s.undo()
		return
	}
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

// lacks reports whether something is not served that must be.
func (s *state) lacks() bool {
	for _, u := range s.m.must {
		if s.inList[u] >= 0 {
			return true
		}
	}
	return false
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
