package search

import (
	"context"
	"slices"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/heap"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/sparse"
)

// TimeDependent finds the cheapest paths from a place to many others, or to all edges
// around it, where roads are closed at times: for a traveller who departs at the clock's
// moment or, where that is an arrival, for all travellers who must be at the place by then.
// It is exact. It is a scratch and not safe for concurrent use.
type TimeDependent struct {
	labelSearch
	took    []Measure          // by label: from the place to its end, or from the edge's start to the place
	settled sparse.Table[bool] // by edge
	limited map[labelID]Travel // of edges whose speed limits depend on the time, what all of them takes
	origins []End
	onEdge  ByEdge // origins

	goals   []goal
	goalAt  sparse.Table[uint32]      // by original edge: the first of its goals plus 1, 0 where it has none
	best    []targetPath              // by target
	pending heap.Heap[uint64, uint32] // targets by the cost of their best path so far
	left    int                       // targets to which a cheaper path may still be found

	bounded        bool // the search is for Around, with a bound
	bound          Measure
	pendingInBound int // labels within the bound that are not settled
	inBound        []bool
	reached        []Reached
	dearest        uint64 // cost of those, as labels have it, less what all paths to them cost
	hubIs          roads  // of origins
}

// roads are the kinds of the edges that a place lies on.
type roads uint8

const (
	mixed roads = iota
	allArePublic
	allArePrivate
)

func roadsOf(c *profile.Costing, ends []End) roads {
	switch {
	case allPublic(c, ends):
		return allArePublic
	case allPrivate(c, ends):
		return allArePrivate
	}
	return mixed
}

// tooLong is longer than any path, in decimetres.
const tooLong = 1 << 31

// goal is an end of a target; next is another goal on the same edge.
type goal struct {
	end    End
	target uint32
	next   uint32
}

// targetPath is the best path to a target found so far.
type targetPath struct {
	cost       uint64
	key        uint64 // cost as the heap has it
	took       Measure
	completion completion
	waited     bool
}

// NewTimeDependent returns a search over a graph.
func NewTimeDependent(g *graph.Graph) *TimeDependent {
	return &TimeDependent{labelSearch: newLabelSearch(g)}
}

func (s *TimeDependent) begin(w Weights, clock *overlay.Clock, hub []End) {
	s.labelSearch.begin(w, clock)
	s.settled.Reset()
	s.goalAt.Reset()
	s.origins, s.took, s.inBound = hub, s.took[:0], s.inBound[:0]
	s.onEdge.Reset(hub)
	s.hubIs = roadsOf(w.Costing, hub)
	s.goals, s.best, s.pending, s.left = s.goals[:0], s.best[:0], s.pending[:0], 0
	clear(s.limited)
	s.reached, s.dearest, s.pendingInBound, s.bounded = s.reached[:0], 0, 0, false
}

// measureOf returns the time and length of a part of an original edge, given the time of
// the whole.
func (s *TimeDependent) measureOf(e graph.Edge, share float64, x Travel) Measure {
	return MeasureOf(x.Seconds, s.g.EdgeLength(e)*share)
}

// usable reports whether a path may begin at a place or, in a search from the end,
// end there.
func (s *TimeDependent) usable(x End) bool {
	if s.back {
		return s.w.canArrive(x)
	}
	return s.w.canDepart(x)
}

// shareOf returns the part of a place's edge that a path over several edges travels; hub is
// true where the search began at the place or is for it.
func (s *TimeDependent) shareOf(x End, hub bool) float64 {
	if hub == s.back {
		return x.Along
	}
	return 1 - x.Along
}

// start adds the label of origin i, with the measure up to the end of its edge.
func (s *TimeDependent) start(i int) (label, Measure) {
	x := s.origins[i]
	part := s.shareOf(x, true)
	took := s.part(x.Edge, part, 0)
	l := label{edge: x.Edge, cost: took.Cost + uint64(x.Extra)<<s.shift, time: took.Millis, parent: root + labelID(i)}
	if s.back {
		l.time = -l.time
	}
	return l, s.measureOf(x.Edge, part, took)
}

// To finds the paths from any of the places of hub to each of the others or, where
// the clock is one of arrival, from each of the others to hub. At and Path give
// them. The error is the context's.
func (s *TimeDependent) To(ctx context.Context, w Weights, clock *overlay.Clock, hub []End, others [][]End) error {
	s.begin(w, clock, hub)
	for j, ends := range others {
		s.best = append(s.best, targetPath{cost: unreached})
		s.left++
		for _, x := range ends {
			s.direct(uint32(j), x)
			if s.back && !s.w.canDepart(x) || !s.back && !s.w.canArrive(x) {
				continue
			}
			s.goals = append(s.goals, goal{end: x, target: uint32(j), next: s.goalsOf(x.Edge)})
			*s.goalAt.At(uint32(x.Edge)) = uint32(len(s.goals))
		}
	}
	for i, x := range hub {
		if !s.usable(x) {
			continue
		}
		l, took := s.start(i)
		s.push(l, took)
		if s.back {
			s.g.EachCopy(x.Edge, func(e graph.Edge) {
				if e != x.Edge {
					l.edge = e
					s.push(l, took)
				}
			})
		}
	}
	for n := 0; s.left > 0 && len(s.heap) > 0; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		top := s.heap.Pop()
		// No cheaper path is left to targets that cost no more than this label.
		for len(s.pending) > 0 && s.pending[0].Key <= top.Key {
			if x := s.pending.Pop(); s.best[x.Value].key == x.Key {
				s.left--
			}
		}
		if !s.labels[top.Value].dead {
			s.settle(s.labels[top.Value], s.took[top.Value], top.Value)
		}
	}
	return ctx.Err()
}

func (s *TimeDependent) goalsOf(e graph.Edge) uint32 {
	return s.goalAt.Get(uint32(e)) - 1 // graph.None is one less than 0
}

// direct offers the paths between origins and a place on the same edge.
func (s *TimeDependent) direct(target uint32, x End) {
	for _, h := range s.onEdge.On(x.Edge) {
		from, to := h, x
		if s.back {
			from, to = x, h
		}
		if s.w.onOneEdge(from, to) {
			took := s.part(from.Edge, to.Along-from.Along, 0)
			cost := took.Cost + (uint64(from.Extra)+uint64(to.Extra))<<s.shift
			s.offer(target, targetPath{cost, cost + s.ahead(x.Edge), s.measureOf(from.Edge, to.Along-from.Along, took), completion{from: from, to: to, label: graph.None}, false})
		}
	}
}

func (s *TimeDependent) offer(target uint32, e targetPath) {
	if e.cost < s.best[target].cost {
		s.best[target] = e
		s.pending.Push(e.key, target)
	}
}

// ahead is by how much an edge is settled later than its cost says.
func (s *TimeDependent) ahead(e graph.Edge) uint64 {
	if s.back {
		return 0
	}
	return s.w.Costing.Ahead(e) << s.shift
}

// entered returns the part of the cost of a path to an edge or, in a search from the end, from
// it, that every other has too: that of entering private roads.
func (s *TimeDependent) entered(e graph.Edge) uint64 {
	if private := s.w.Costing.Private(e); s.back && s.hubIs == allArePrivate && !private || !s.back && s.hubIs == allArePublic && private {
		return profile.PrivateEntry << s.shift
	}
	return 0
}

// push inserts a label with what its path takes.
func (s *TimeDependent) push(l label, took Measure) bool {
	if !s.insert(l, s.ahead(l.edge)) {
		return false
	}
	s.took, s.inBound = append(s.took, took), append(s.inBound, false)
	return true
}

// settle relaxes the turns from a label, whose number is at, or, in a search from
// the end, into it.
func (s *TimeDependent) settle(l label, took Measure, at labelID) {
	g := s.g
	after := func(x transition) Measure { return took.Plus(MeasureOf(x.turn+float64(x.wait)/1000, 0)) }
	if !s.back {
		n := g.ByEdge[l.edge].Head
		for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
			if x, ok := s.turnInto(&l, f); ok {
				s.follow(x, f, after(x), at)
			}
		}
		return
	}
	g.EachPredecessor(l.edge, func(e graph.Edge) {
		if x, ok := s.turnFrom(e, &l); ok {
			s.follow(x, e, after(x), at)
		}
	})
}

// follow follows a transition: to the targets on the edge, which must be an
// original for that, and along all of it.
func (s *TimeDependent) follow(x transition, edge graph.Edge, took Measure, at labelID) {
	if edge < s.g.Base {
		for i := s.goalsOf(edge); i != graph.None; i = s.goals[i].next {
			end := s.goals[i].end
			part := s.shareOf(end, false)
			last := s.part(edge, part, x.time)
			e := targetPath{cost: x.cost + last.Cost + uint64(end.Extra)<<s.shift, took: took.Plus(s.measureOf(edge, part, last)), waited: x.waited}
			e.key = e.cost + s.ahead(edge)
			e.completion = completion{label: at, edge: x.edge, to: end}
			if s.back {
				e.completion = completion{label: at, from: end}
			}
			s.offer(s.goals[i].target, e)
		}
	}
	l, ok := s.traverse(x, at)
	if !ok {
		return
	}
	if s.bounded && x.waited {
		took.Decimetres = max(took.Decimetres, tooLong)
	}
	o := s.g.Original(x.edge)
	limited, whole := s.clock.Limited(o), Travel{}
	if limited {
		took := l.time - x.time
		whole = Travel{Cost: l.cost - x.cost, Millis: max(took, -took)}
		whole.Seconds = float64(whole.Millis) / 1000
	} else {
		whole.Seconds = s.w.Seconds(o)
	}
	own := s.measureOf(o, 1, whole)
	keeps := took.Within(s.bound)
	if !s.back && !keeps {
		keeps = took.Plus(own).Within(s.bound)
	}
	if !s.push(l, took.Plus(own)) {
		return
	}
	if limited {
		if s.limited == nil {
			s.limited = map[labelID]Travel{}
		}
		s.limited[labelID(len(s.labels)-1)] = whole
	}
	if keeps {
		s.inBound[len(s.inBound)-1] = true
		s.pendingInBound++
	}
}

// At returns the measure of the path that To found to a target; ok is false where there is
// none. waited is true where the traveller waits on it for something to open or, for a time
// of arrival, has to be early.
func (s *TimeDependent) At(target int) (cost uint64, took Measure, waited, ok bool) {
	m := &s.best[target]
	return m.cost >> s.shift, m.took, m.waited, m.cost != unreached
}

// Path returns the path that To found to a target that it reached.
func (s *TimeDependent) Path(target int) Found {
	m := &s.best[target]
	return s.path(m.completion, m.cost, s.origins)
}

// Around returns the edges that the cheapest paths from any of the places of hub reach
// within a bound or, with back, those from which hub is reached, as Tree's From and Back
// do. back must be true with a clock of arrival and false with one of departure. Time spent
// waiting counts, and so does being early; paths with waiting never keep to a bound of
// length. The slice is valid until the next search; the error is the context's.
func (s *TimeDependent) Around(ctx context.Context, w Weights, clock *overlay.Clock, back bool, hub []End, bound Measure) ([]Reached, error) {
	if still := clock.Stopped(); still != nil && bound.Decimetres == 0 {
		reached, err := s.around(ctx, w, still, back, hub, bound)
		if err != nil || s.isStill(still) {
			return reached, err
		}
	}
	return s.around(ctx, w, clock, back, hub, bound)
}

// isStill reports whether the search that a still clock led is that of the clock
// itself: a path on which something is otherwise than at the moment takes at least
// until then, and costs at least what waiting until then does. Where that is beyond
// the bound, and more than the dearest path within it costs, no such path counts.
func (s *TimeDependent) isStill(clock *overlay.Clock) bool {
	until := clock.ValidFor()
	return until > int64(s.bound.Millis) && (clock.Wait > 0 && until > int64(s.dearest/clock.Wait))
}

func (s *TimeDependent) around(ctx context.Context, w Weights, clock *overlay.Clock, back bool, hub []End, bound Measure) ([]Reached, error) {
	s.begin(w, clock, hub)
	s.back, s.bounded, s.bound = back, true, bound
	for i, x := range hub {
		if !s.usable(x) {
			continue
		}
		// A place's own edge is not reached: begin with those after it.
		l, took := s.start(i)
		s.settle(l, took, l.parent)
		if s.back {
			s.g.EachCopy(x.Edge, func(e graph.Edge) {
				if e != x.Edge {
					l.edge = e
					s.settle(l, took, l.parent)
				}
			})
		}
	}
	for n := 0; s.pendingInBound > 0 && len(s.heap) > 0; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		top := s.heap.Pop()
		l, keeps := s.labels[top.Value], s.inBound[top.Value]
		if keeps {
			s.pendingInBound--
		}
		if l.dead {
			continue
		}
		// The first label settled is the cheapest path to the edge.
		if settled := s.settled.At(uint32(l.edge)); !*settled {
			*settled = true
			if keeps {
				s.dearest = max(s.dearest, l.cost-min(l.cost, s.entered(l.edge)))
				s.reached = append(s.reached, s.reachedOf(top.Value))
			}
		}
		s.settle(l, s.took[top.Value], top.Value)
	}
	return s.reached, ctx.Err()
}

// Touches reports whether some path within the bound of the last Around came to an end of
// one of these edges. If not, none of them would be reached even if it were open.
func (s *TimeDependent) Touches(edges []graph.Edge) bool {
	ends := map[graph.Node]bool{}
	for _, e := range edges {
		ends[s.g.ByEdge[e].Tail], ends[s.g.ByEdge[e].Head] = true, true
	}
	comesTo := func(e graph.Edge) bool { return ends[s.g.ByEdge[e].Tail] || ends[s.g.ByEdge[e].Head] }
	if len(ends) == 0 {
		return false
	}
	if slices.ContainsFunc(s.origins, func(x End) bool { return comesTo(x.Edge) }) {
		return true
	}
	for i := range s.labels {
		if s.inBound[i] && comesTo(s.labels[i].edge) {
			return true
		}
	}
	return false
}

// reachedOf returns a label, by its number, as Reached.
func (s *TimeDependent) reachedOf(at labelID) Reached {
	l := &s.labels[at]
	o := s.g.Original(l.edge)
	own, limited := s.limited[at]
	switch {
	case limited:
	case s.back:
		own = Travel{Cost: uint64(s.w.edge(o)) << s.shift, Seconds: s.w.Seconds(o)}
	default:
		own.Seconds = s.w.Seconds(o)
	}
	r := Reached{Edge: l.edge, Cost: l.cost >> s.shift, Measure: s.took[at], Own: s.measureOf(o, 1, own)}
	if s.back {
		r.Cost = (l.cost - own.Cost) >> s.shift
		r.Measure = r.Measure.Minus(r.Own)
	}
	return r
}
