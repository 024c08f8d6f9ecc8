package search

import (
	"math"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/search/limit"
	"github.com/waygate/waygate/fleet/search/model"
)

func (s *state) score() fleet.Score {
	return fleet.Score{Priority: s.priority, Absent: len(s.absent), Cost: s.cost}
}

// found is a saved plan: its stops by route.
type found struct {
	score  fleet.Score
	routes [][]int32
}

func (f *found) save(s *state) {
	f.score = s.score()
	if f.routes == nil {
		f.routes = make([][]int32, len(s.routes))
	}
	for r := range s.routes {
		f.routes[r] = append(f.routes[r][:0], s.routes[r].stops...)
	}
}

// take copies another plan into f.
func (f *found) take(other *found) {
	f.score = other.score
	if f.routes == nil {
		f.routes = make([][]int32, len(other.routes))
	}
	for r := range other.routes {
		f.routes[r] = append(f.routes[r][:0], other.routes[r]...)
	}
}

// restore makes a saved plan the current one.
func (f *found) restore(s *state) {
	for r := range s.routes {
		s.empty(int32(r))
	}
	for r := range s.routes {
		s.fill(int32(r), f.routes[r])
	}
}

// walker is one search, with its current and best plan.
type walker struct {
	s           *state
	best        found
	order       []ranked
	scale       float64 // cost of a usual way
	iterations  int64
	elimination elimination
	stretch     stretch
	since       float64 // share of the stretch at which the temperature begins to fall
	anew        bool    // it is to begin now
	unservable  int     // tasks that are
	penalty     penalty
	stopped     bool
	hurried     bool  // the clock has led where work was to
	missed      int64 // sum of how often each was not served
}

// stretch is a part of the search, given by shares of it, over which the temperature
// falls once.
type stretch struct {
	from, to float64
	hottest  float64 // at its beginning, at most
}

// Temperatures are relative to the cost of a usual way. A search that is short for its
// problem begins colder, because it has no time to explore far.
const (
	hottest, warm, cold = 3, 0.2, 0.03
	patience            = 200 // iterations for each visit from which a search is long enough to begin hottest
	iterationsPerLook   = 64  // iterations between looks at the clock
	mostHot             = 0.7 // of a stretch before the temperature falls
)

// heat returns the temperature at a share of a stretch; iterations is the expected
// length of the stretch. The temperature begins to fall when the search last served
// more, or with fewer routes: a plan that only had to fit everything in is far from a
// good one.
func (w *walker) heat(share, iterations float64) float64 {
	rest := 1 - w.since
	hot := min(w.stretch.hottest, max(warm, iterations*rest/float64(len(w.s.missed))/patience))
	return hot * math.Pow(cold/hot, (share-w.since)/rest)
}

// newWalker begins a search. It is incomplete if the watch ends meanwhile.
func newWalker(m *model.Model, seed, number uint64, watch *limit.Watch) (*walker, error) {
	w := &walker{s: newState(m), stretch: stretch{0, 1, hottest}}
	if m.Mixed {
		w.elimination.phase = eliminationOver // the cheapest plan may need more vehicles of another kind
	}
	w.s.random = newRandom(seed, number)
	w.s.under(watch)
	if !(start{w.s}).warmStart() {
		switch {
		case watch.Err() != nil:
			return nil, watch.Err()
		case watch.Over:
			return nil, ErrTime
		}
		return nil, ErrSteps
	}
	w.order = recreation{w.s}.recreate(nil)
	w.unservable = w.s.markUnservable()
	w.s.skip = 0
	w.best.save(w.s)
	used, fixed := 0, int64(0)
	for r := range w.s.routes {
		if len(w.s.routes[r].stops) > 0 {
			used++
			fixed += m.Slots[r].Fixed
		}
	}
	w.scale = float64(w.s.cost-fixed) / float64(max(1, len(m.Visits)+used))
	w.penalty = penalty{cost: penaltyWays * w.scale, least: w.scale, most: penaltyMost * w.scale}
	return w, nil
}

// markUnservable marks and counts the tasks that no vehicle could serve if it did
// nothing else but its given first steps.
func (s *state) markUnservable() (n int) {
	var alone *state
	for _, u := range s.absent {
		if s.watch.Over {
			return n
		}
		if un := &s.m.Tasks[u]; un.Group >= 0 || un.Half {
			continue
		}
		if alone == nil {
			alone = newState(s.m)
			alone.under(s.watch)
			if alone.random = s.random; !(start{alone}).placeFirst() {
				return 0
			}
		}
		_, ok := alone.best(u)
		if s.unservable[u] = !ok; !ok {
			n++
		}
	}
	return n
}

// walk searches until a share of the work or of the time is over.
func (w *walker) walk(c *limit.Clock, work, elapsed float64) {
	heat, share := float64(warm), 0.0
	for {
		if w.iterations%iterationsPerLook == 0 {
			a, b := c.Shares(w.iterations)
			w.hurried = w.hurried || c.Iterations > 0 && (b > a || b >= elapsed && a < work)
			w.s.watch.ClockRead()
			if a >= work || b >= elapsed || w.s.watch.Look(false) {
				return
			}
			if w.stopped = c.Stopped(); w.stopped {
				return
			}
			done, length := max(a, b), w.stretch.to-w.stretch.from
			share = max(0, done-w.stretch.from) / length
			if w.anew {
				w.anew, w.since = false, min(share, mostHot)
			}
			if done > 0 {
				heat = w.heat(share, float64(w.iterations)/done*length)
			}
		}
		w.iterations++
		w.elimination.turn(w, share)
		w.step(heat * w.scale)
		if w.s.watch.Over {
			w.stopped, w.hurried = c.Stopped(), true
			return
		}
	}
}

func (w *walker) step(temperature float64) {
	s := w.s
	old := s.score()
	oldMissed := w.missedSum()
	s.beginChange()
	if !(ruin{s}).ruin() {
		s.undo()
		return
	}
	if s.m.Mixed {
		s.offer()
	}
	w.order = recreation{s}.recreate(w.order)
	if s.watch.Over || s.lacks() {
		s.undo()
		return
	}
	if s.m.Mixed {
		exchange{s}.changeVehicles()
	}
	now := s.score()
	if now.Better(w.best.score) {
		w.anew = w.anew || now.Absent < w.best.score.Absent
		w.best.save(s)
	} else if !w.accept(old, now, oldMissed, temperature) {
		s.undo()
	}
	if w.best.score.Absent <= w.unservable {
		w.penalty.learn(len(s.absent) > w.unservable)
	}
	for _, u := range s.absent {
		s.missed[u]++
		if !s.unservable[u] {
			w.missed++
		}
	}
}

// lacks reports whether something that must be served is not.
func (s *unassigned) lacks() bool {
	for _, u := range s.model.Must {
		if s.inList[u] >= 0 {
			return true
		}
	}
	return false
}
