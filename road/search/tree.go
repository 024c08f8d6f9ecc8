package search

import (
	"context"
	"math"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/heap"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/sparse"
)

// Measure is the time and length of a path.
type Measure struct {
	Millis     uint32 // real time
	Decimetres uint32
}

// Plus returns the sum of two measures.
func (t Measure) Plus(u Measure) Measure {
	return Measure{t.Millis + u.Millis, t.Decimetres + u.Decimetres}
}

// Minus returns t without u, at least 0, since u may be a little more by rounding.
func (t Measure) Minus(u Measure) Measure {
	return Measure{t.Millis - min(t.Millis, u.Millis), t.Decimetres - min(t.Decimetres, u.Decimetres)}
}

// MeasureOf returns a measure of seconds and metres, rounded.
func MeasureOf(seconds, metres float64) Measure {
	return Measure{uint32(math.Round(seconds * 1000)), uint32(math.Round(metres * 10))}
}

// Within reports whether a path keeps to the bound of time or to that of length;
// one of them is enough.
func (t Measure) Within(bound Measure) bool {
	return t.Millis <= bound.Millis || t.Decimetres <= bound.Decimetres
}

// Reached is an edge of a shortest-path tree. Its Measure is that of the path
// from the root to the edge's head or, in a tree of paths to the root, from the
// edge's head to the root. Own is that of the edge itself.
type Reached struct {
	Edge graph.Edge // copies of the graph included
	Cost uint64
	Measure
	Own Measure
}

// Tree finds a shortest-path tree: the cheapest paths from a place to all edges around it,
// or from them to it, in the order of their costs, by Dijkstra's algorithm. It is a scratch
// and not safe for concurrent use.
type Tree struct {
	g       *graph.Graph
	w       Weights
	back    bool                    // the search is for paths to the place
	labels  sparse.Table[treeLabel] // by edge
	heap    heap.Heap[uint64, graph.Edge]
	pending int // labels with inBound that are not settled
	reached []Reached
	from    ByEdge // the places of To
	Settled int    // edges, by the last search
}

// treeLabel is the label of an edge.
type treeLabel struct {
	cost    uint64
	took    Measure
	state   state
	inBound bool // the edge begins within the bound, on a path of this cost
	goal    bool // a target follows it, or it is one of BeyondClosure
	least   bool // as in Known
}

// NewTree returns a search over a graph.
func NewTree(g *graph.Graph) *Tree {
	return &Tree{g: g}
}

func (s *Tree) begin(w Weights, back bool) {
	s.labels.Reset()
	s.w, s.back, s.heap, s.reached, s.pending, s.Settled = w, back, s.heap[:0], s.reached[:0], 0, 0
}

// set lowers the label of an edge; open is true where the edge begins within the
// bound on this path.
func (s *Tree) set(e graph.Edge, cost uint64, took Measure, open bool) {
	l := s.labels.At(uint32(e))
	if l.state != unseen {
		if l.cost <= cost {
			return
		}
		if l.inBound {
			s.pending--
		}
	}
	if open {
		s.pending++
	}
	l.state, l.cost, l.took, l.inBound = max(l.state, seen), cost, took, open
	s.heap.Push(s.key(e, cost), e)
}

// key returns when an edge of a cost is settled: private roads as soon as the public ones
// from which they are entered.
func (s *Tree) key(e graph.Edge, cost uint64) uint64 {
	if s.back {
		return cost
	}
	return cost + s.w.Costing.Ahead(e)
}

// cheaper reports whether a path of a cost would be the cheapest to an edge so far.
func (s *Tree) cheaper(e graph.Edge, cost uint64) bool {
	l := s.labels.Get(uint32(e))
	return l.state == unseen || cost < l.cost
}

// next settles the cheapest edge; ok is false where none is left.
func (s *Tree) next() (e graph.Edge, l treeLabel, ok bool) {
	for len(s.heap) > 0 {
		top := s.heap.Pop()
		l := s.labels.At(uint32(top.Value))
		if l.state == settled || s.key(top.Value, l.cost) != top.Key {
			continue
		}
		l.state = settled
		s.Settled++
		if l.inBound {
			s.pending--
		}
		return top.Value, *l, true
	}
	return 0, l, false
}

// unbounded is the bound that everything keeps to.
var unbounded = Measure{math.MaxUint32, math.MaxUint32}

// To finds the paths from any of the places from to each of the targets; At
// gives them. The error is the context's.
func (s *Tree) To(ctx context.Context, w Weights, from []End, targets [][]End) error {
	s.begin(w, false)
	left := 0
	for _, ends := range targets {
		for _, t := range ends {
			s.g.EachPredecessor(t.Edge, func(e graph.Edge) {
				if l := s.labels.At(uint32(e)); !l.goal {
					l.goal = true
					left++
				}
			})
		}
	}
	s.from.Reset(from)
	for _, x := range from {
		s.set(x.Edge, PartCost(w.Costing, x.Edge, 1-x.Along)+uint64(x.Extra), part(w.Costing, x.Edge, 1-x.Along), true)
	}
	for n := 0; left > 0; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		e, l, ok := s.next()
		if !ok {
			return nil
		}
		if l.goal {
			left--
		}
		s.relax(e, l, unbounded)
	}
	return nil
}

// At returns the cheapest path that To found to any of the ends of a target, and of those
// of the same cost the one that takes less time, as tables do; ok is false where there is
// none.
func (s *Tree) At(target []End) (cost uint64, took Measure, ok bool) {
	c := s.w.Costing
	cost = unreached
	offer := func(sum uint64, m Measure) {
		if sum < cost || sum == cost && m.Millis < took.Millis {
			cost, took = sum, m
		}
	}
	for _, t := range target {
		for _, x := range s.from.On(t.Edge) {
			if x.Along <= t.Along {
				offer(PartCost(c, x.Edge, t.Along-x.Along)+uint64(x.Extra)+uint64(t.Extra), part(c, x.Edge, t.Along-x.Along))
			}
		}
		rest := PartCost(c, t.Edge, t.Along) + uint64(t.Extra)
		s.g.EachPredecessor(t.Edge, func(e graph.Edge) {
			l := s.labels.Get(uint32(e))
			if l.state == unseen || l.cost+rest > cost {
				return
			}
			turn := c.Turn(e, t.Edge)
			if _, follows := c.Follow(e, t.Edge); !follows || turn.Cost == profile.Forbidden {
				return
			}
			offer(l.cost+uint64(turn.Cost)+rest, l.took.Plus(MeasureOf(turn.Seconds, 0)).Plus(part(c, t.Edge, t.Along)))
		})
	}
	return cost, took, cost != unreached
}

func part(c *profile.Costing, e graph.Edge, share float64) Measure {
	return MeasureOf(c.Seconds(e)*share, c.Graph().EdgeLength(e)*share)
}

// relax relaxes the turns from an edge with its label.
func (s *Tree) relax(e graph.Edge, l treeLabel, bound Measure) {
	g, c := s.g, s.w.Costing
	n := g.ByEdge[e].Head
	for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
		to, ok := c.Follow(e, f)
		if !ok {
			continue
		}
		// Most edges have been reached for less already; this check is cheap.
		if !s.cheaper(to, l.cost) {
			continue
		}
		edge := s.edge(f)
		if edge == profile.Forbidden || !s.cheaper(to, l.cost+uint64(edge)) {
			continue
		}
		turn := s.turn(e, f)
		cost := l.cost + uint64(turn.Cost) + uint64(edge)
		if turn.Cost == profile.Forbidden || !s.cheaper(to, cost) {
			continue
		}
		took := l.took.Plus(MeasureOf(s.seconds(turn, e, f)+c.Seconds(f), g.EdgeLength(f)))
		s.set(to, cost, took, took.beginsWithin(c, f, bound))
	}
}

func (s *Tree) edge(f graph.Edge) uint32 {
	if s.w.Metric != nil {
		return s.w.Metric.Edge(f)
	}
	return s.w.Costing.Edge(f)
}

// turn returns the delay of a turn, without its seconds where the metric has its cost.
func (s *Tree) turn(e, f graph.Edge) profile.Delay {
	if s.w.Metric != nil {
		return profile.Delay{Cost: s.w.Metric.Turn(s.g.Original(e), f)}
	}
	return s.w.Costing.Turn(e, f)
}

// seconds returns those of a turn.
func (s *Tree) seconds(turn profile.Delay, e, f graph.Edge) float64 {
	if s.w.Metric != nil {
		turn = s.w.Costing.Turn(e, f)
	}
	return turn.Seconds
}

// From returns the edges whose start the cheapest paths from any of the places reach within
// a bound, even if they end beyond it. The edges of the places themselves are among them
// only where paths come back to them. The slice is valid until the next search; the error
// is the context's.
func (s *Tree) From(ctx context.Context, w Weights, from []End, bound Measure) ([]Reached, error) {
	s.begin(w, false)
	g := s.g
	for _, x := range from {
		// A place's own edge is not reached: begin with those after it.
		s.addSource(x, bound)
	}
	err := s.run(ctx, func(e graph.Edge, l treeLabel) {
		if l.inBound {
			s.reached = append(s.reached, Reached{e, l.cost, l.took, part(w.Costing, g.Original(e), 1)})
		}
		s.relax(e, l, bound)
	})
	return s.reached, err
}

// addSource lets paths begin at a place, with the edges that follow its own.
func (s *Tree) addSource(x End, bound Measure) {
	g, c := s.g, s.w.Costing
	n := g.ByEdge[x.Edge].Head
	begun := part(c, x.Edge, 1-x.Along).Plus(Measure{Millis: x.Begun})
	for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
		turn, edge := c.Turn(x.Edge, f), c.Edge(f)
		to, ok := c.Follow(x.Edge, f)
		if !ok || turn.Cost == profile.Forbidden || edge == profile.Forbidden {
			continue
		}
		cost := PartCost(c, x.Edge, 1-x.Along) + uint64(x.Extra) + uint64(x.Begun) + uint64(turn.Cost) + uint64(edge)
		took := begun.Plus(MeasureOf(turn.Seconds+c.Seconds(f), g.EdgeLength(f)))
		s.set(to, cost, took, took.beginsWithin(c, f, bound))
	}
}

// Back is From for paths to any of the places.
func (s *Tree) Back(ctx context.Context, w Weights, to []End, bound Measure) ([]Reached, error) {
	s.begin(w, true)
	g, c := s.g, w.Costing
	s.arrivals(to, func(e graph.Edge, cost uint64, took Measure) { s.set(e, cost, took, took.Within(bound)) })
	err := s.run(ctx, func(f graph.Edge, l treeLabel) {
		original := g.Original(f)
		edge := s.edge(original)
		if l.inBound {
			s.reached = append(s.reached, Reached{f, l.cost, l.took, part(c, original, 1)})
		}
		seconds, metres := c.Seconds(original), g.EdgeLength(original)
		g.EachPredecessor(f, func(e graph.Edge) {
			// Most edges have been reached for less already; this check is cheap.
			if !s.cheaper(e, l.cost+uint64(edge)) {
				return
			}
			to, ok := c.Follow(e, original)
			if !ok || to != f || s.edge(g.Original(e)) == profile.Forbidden {
				return
			}
			turn := s.turn(e, original)
			cost := l.cost + uint64(edge) + uint64(turn.Cost)
			if turn.Cost == profile.Forbidden || !s.cheaper(e, cost) {
				return
			}
			took := l.took.Plus(MeasureOf(s.seconds(turn, e, original)+seconds, metres))
			s.set(e, cost, took, took.Within(bound))
		})
	})
	return s.reached, err
}

// arrivals calls yield for the edges by which paths come to any of the places, with what is
// left from the head of each.
func (s *Tree) arrivals(to []End, yield func(e graph.Edge, cost uint64, took Measure)) {
	g, c := s.g, s.w.Costing
	for _, t := range to {
		rest := part(c, t.Edge, t.Along).Plus(Measure{Millis: t.Begun})
		g.EachPredecessor(t.Edge, func(e graph.Edge) {
			turn := c.Turn(e, t.Edge)
			if _, ok := c.Follow(e, t.Edge); ok && turn.Cost != profile.Forbidden && c.Edge(g.Original(e)) != profile.Forbidden {
				yield(e, uint64(turn.Cost)+PartCost(c, t.Edge, t.Along)+uint64(t.Extra)+uint64(t.Begun), MeasureOf(turn.Seconds, 0).Plus(rest))
			}
		})
	}
}

// run settles edges until none is left whose path keeps to the bound. Edges beyond
// it are settled too where they are cheaper: an edge counts by its cheapest path,
// even if a dearer one is quicker or shorter.
func (s *Tree) run(ctx context.Context, visit func(e graph.Edge, l treeLabel)) error {
	for n := 0; s.pending > 0; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		e, l, ok := s.next()
		if !ok {
			return nil
		}
		visit(e, l)
	}
	return ctx.Err()
}

// beginsWithin reports whether the last edge f of a path begins within a bound.
func (t Measure) beginsWithin(c *profile.Costing, f graph.Edge, bound Measure) bool {
	return t.Within(bound) || t.Minus(part(c, f, 1)).Within(bound)
}
