package fleet

import "math"

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

// take makes f the same plan as another.
func (f *found) take(other *found) {
	f.score = other.score
	if f.routes == nil {
		f.routes = make([][]int32, len(other.routes))
	}
	for r := range other.routes {
		f.routes[r] = append(f.routes[r][:0], other.routes[r]...)
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
	scale      float64 // cost of a usual way
	iterations int64
	fewer      fewer
	stretch    stretch
	since      float64 // share of the stretch at which the temperature begins to fall
	anew       bool    // it is to begin now
	hopeless   int     // units that are
	penalty    penalty
	stopped    bool
	hurried    bool  // the clock has led where work was to
	missed     int64 // sum of how often each was not served
}

// stretch is a part of the search, by shares of it, over which the temperature falls once.
type stretch struct {
	from, to float64
	hottest  float64 // at its beginning, at most
}

// Temperatures, by the cost of a usual way. A search that is short for its problem begins
// colder: there is no time to walk far.
const (
	hottest, warm, cold = 3, 0.2, 0.03
	patience            = 200 // iterations for each visit from which a search is long enough to begin hottest
	glance              = 64  // iterations between looks at the clock
	mostHot             = 0.7 // of a stretch before the temperature falls
)

// heat is the temperature at a share of a stretch, which by what was done so far is of so many
// iterations. It falls from when the search last served more, or with fewer routes: a plan
// that was only to hold everything is far from a good one.
func (w *walker) heat(share, iterations float64) float64 {
	rest := 1 - w.since
	hot := min(w.stretch.hottest, max(warm, iterations*rest/float64(len(w.s.missed))/patience))
	return hot * math.Pow(cold/hot, (share-w.since)/rest)
}

// newWalker begins a search. It is not whole where its watch says that the work is to end.
func newWalker(m *model, seed, number uint64, watch *watch) (*walker, error) {
	w := &walker{s: newState(m), stretch: stretch{0, 1, hottest}}
	w.s.random = newRandom(seed, number)
	w.s.under(watch)
	if !w.s.begins() {
		switch {
		case watch.ctx.Err() != nil:
			return nil, watch.ctx.Err()
		case watch.over:
			return nil, ErrTime
		}
		return nil, ErrSteps
	}
	w.order = w.s.recreate(nil)
	w.hopeless = w.s.despair()
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
	w.penalty = penalty{cost: penaltyWays * w.scale, least: w.scale, most: penaltyMost * w.scale}
	return w, nil
}

// despair marks and counts what no vehicle could serve if it did nothing else but its first
// steps.
func (s *state) despair() (n int) {
	var alone *state
	for _, u := range s.absent {
		if s.watch.over {
			return n
		}
		if un := &s.m.units[u]; un.group >= 0 || un.half {
			continue
		}
		if alone == nil {
			alone = newState(s.m)
			alone.under(s.watch)
			if alone.random = s.random; !alone.starts() {
				return 0
			}
		}
		_, ok := alone.best(u)
		if s.hopeless[u] = !ok; !ok {
			n++
		}
	}
	return n
}

// walk searches until a share of the work or of the time is over.
func (w *walker) walk(c *clock, work, elapsed float64) {
	heat, share := float64(warm), 0.0
	for {
		if w.iterations%glance == 0 {
			a, b := c.shares(w.iterations)
			w.hurried = w.hurried || c.iterations > 0 && (b > a || b >= elapsed && a < work)
			w.s.watch.until = timeEvery // the clock was read
			if a >= work || b >= elapsed || w.s.watch.look(false) {
				return
			}
			if w.stopped = c.stopped(); w.stopped {
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
		w.fewer.turn(w, share)
		w.step(heat * w.scale)
		if w.s.watch.over {
			w.stopped, w.hurried = c.stopped(), true
			return
		}
	}
}

func (w *walker) step(temperature float64) {
	s := w.s
	old := s.score()
	oldMissed := w.missedSum()
	s.begin()
	if !s.ruin() {
		s.undo()
		return
	}
	if s.m.mixed {
		s.offer()
	}
	w.order = s.recreate(w.order)
	if s.watch.over || s.lacks() {
		s.undo()
		return
	}
	if s.m.mixed {
		s.retype()
	}
	now := s.score()
	if now.better(w.best.score) {
		w.anew = w.anew || now.absent < w.best.score.absent
		w.best.keep(s)
	} else if !w.accept(old, now, oldMissed, temperature) {
		s.undo()
	}
	if w.best.score.absent <= w.hopeless {
		w.penalty.learn(len(s.absent) > w.hopeless)
	}
	for _, u := range s.absent {
		s.missed[u]++
		if !s.hopeless[u] {
			w.missed++
		}
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
