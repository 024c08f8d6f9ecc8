package search

import (
	"context"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
)

// EdgePath is the cheapest path to an edge or, in reverse, from it.
type EdgePath struct {
	Cost uint64
	Measure
	// Least is true where the path lies beyond the bound and its cost is only a lower
	// bound.
	Least bool
}

// BeyondClosure are the edges of a tree whose cheapest paths led over something that
// changed, such as a closure. The paths to all other edges are known.
type BeyondClosure struct {
	Edges []graph.Edge // copies included
	// PathTo returns the path to an edge that is not one of them; ok is false where no path
	// leads there.
	PathTo func(e graph.Edge) (at EdgePath, ok bool)
}

// FromBeyondClosure returns, for the edges of b, the same as From. ok is false where the
// known paths to the others leave open which paths are the cheapest.
func (s *Tree) FromBeyondClosure(ctx context.Context, w Weights, from []End, bound Measure, b BeyondClosure) (reached []Reached, ok bool, err error) {
	x := s.beginBeyond(w, false, bound, b)
	c := w.Costing
	for _, f := range from {
		begun := EdgePath{Cost: PartCost(c, f.Edge, 1-f.Along) + uint64(f.Extra), Measure: part(c, f.Edge, 1-f.Along)}
		s.eachAfter(f.Edge, func(to graph.Edge) { x.goOn(f.Edge, to, begun) })
	}
	return x.search(ctx, s.eachBefore, s.eachAfter, x.goOn)
}

// BackBeyondClosure is FromBeyondClosure for paths to any of the places.
func (s *Tree) BackBeyondClosure(ctx context.Context, w Weights, to []End, bound Measure, b BeyondClosure) (reached []Reached, ok bool, err error) {
	x := s.beginBeyond(w, true, bound, b)
	s.arrivals(to, func(e graph.Edge, cost uint64, took Measure) {
		x.offer(e, EdgePath{Cost: cost, Measure: took}, took.Within(bound))
	})
	return x.search(ctx, s.eachAfter, s.eachBefore, x.goBack)
}

// eachAfter calls yield for the edges, copies perhaps, that turns lead to from an edge.
func (s *Tree) eachAfter(e graph.Edge, yield func(to graph.Edge)) {
	n := s.g.ByEdge[e].Head
	for f := s.g.FirstOut[n]; f < s.g.FirstOut[n+1]; f++ {
		if to, ok := s.w.Costing.Follow(e, f); ok {
			yield(to)
		}
	}
}

// eachBefore calls yield for the edges, copies perhaps, that turns lead from to an edge.
func (s *Tree) eachBefore(e graph.Edge, yield func(from graph.Edge)) {
	original := s.g.Original(e)
	s.g.EachPredecessor(e, func(from graph.Edge) {
		if to, ok := s.w.Costing.Follow(from, original); ok && to == e {
			yield(from)
		}
	})
}

// beyondSearch is the search for the edges of BeyondClosure.
type beyondSearch struct {
	*Tree
	BeyondClosure
	bound Measure
	// unsure is true where a path is compared with another of which only the least cost is
	// known, or leads to an edge whose path is not known.
	unsure bool
}

func (s *Tree) beginBeyond(w Weights, back bool, bound Measure, b BeyondClosure) *beyondSearch {
	s.begin(w, back)
	for _, e := range b.Edges {
		s.labels.At(uint32(e)).goal = true
	}
	return &beyondSearch{Tree: s, BeyondClosure: b, bound: bound}
}

// search finds the paths. They come from edges before and lead on to edges after, in the
// direction of the search; turn extends a path by a turn.
func (x *beyondSearch) search(ctx context.Context, before, after func(e graph.Edge, yield func(graph.Edge)), turn func(from, to graph.Edge, at EdgePath)) ([]Reached, bool, error) {
	for i, e := range x.Edges {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		before(e, func(from graph.Edge) {
			if at, ok := x.besideKnown(from); ok {
				turn(from, e, at)
			}
		})
	}
	err := x.run(ctx, func(e graph.Edge, l treeLabel) {
		if l.inBound {
			x.reached = append(x.reached, Reached{e, l.cost, l.took, part(x.w.Costing, x.g.Original(e), 1)})
		}
		after(e, func(to graph.Edge) { turn(e, to, EdgePath{l.cost, l.took, l.least}) })
	})
	return x.reached, !x.unsure, err
}

// known returns the path to an open edge that is not one of those searched.
func (x *beyondSearch) besideKnown(e graph.Edge) (at EdgePath, ok bool) {
	if x.labels.Get(uint32(e)).goal || x.edge(x.g.Original(e)) == profile.Forbidden {
		return at, false
	}
	return x.PathTo(e)
}

// goOn turns from an edge, to whose head a path leads, into another.
func (x *beyondSearch) goOn(from, to graph.Edge, at EdgePath) {
	if x.reachedFor(to, at) {
		return
	}
	if at, ok := x.step(from, to, at); ok {
		x.offer(to, at, at.beginsWithin(x.w.Costing, x.g.Original(to), x.bound))
	}
}

// goBack turns from an edge, from whose head a path leads, back to one before it.
func (x *beyondSearch) goBack(from, to graph.Edge, at EdgePath) {
	if x.reachedFor(to, at) || x.edge(x.g.Original(to)) == profile.Forbidden {
		return
	}
	if at, ok := x.step(to, from, at); ok {
		x.offer(to, at, at.Within(x.bound))
	}
}

// step adds a turn and the edge it leads into to a path.
func (x *beyondSearch) step(e, to graph.Edge, at EdgePath) (EdgePath, bool) {
	f, c := x.g.Original(to), x.w.Costing
	edge, turn := x.edge(f), x.turn(e, f)
	if edge == profile.Forbidden || turn.Cost == profile.Forbidden {
		return at, false
	}
	at.Cost += uint64(turn.Cost) + uint64(edge)
	at.Measure = at.Plus(MeasureOf(x.seconds(turn, e, f)+c.Seconds(f), x.g.EdgeLength(f)))
	return at, true
}

// reached reports whether an edge has been reached for less already, so that a path of this
// cost changes nothing.
func (x *beyondSearch) reachedFor(e graph.Edge, at EdgePath) bool {
	l := x.labels.Get(uint32(e))
	return l.state != unseen && l.cost < at.Cost && (!l.least || at.Least)
}

// offer adds a path to an edge or, in reverse, from it; within reports whether it is within
// the bound.
func (x *beyondSearch) offer(e graph.Edge, at EdgePath, within bool) {
	within = within && !at.Least
	l := x.labels.At(uint32(e))
	switch {
	case !l.goal:
		if within {
			beside, ok := x.PathTo(e)
			x.unsure = x.unsure || !ok || beside.Least
		}
		return
	case l.state != unseen && (l.least && within && at.Cost >= l.cost || at.Least && l.inBound && at.Cost <= l.cost):
		x.unsure = true
	}
	if l.state == unseen || at.Cost < l.cost {
		x.set(e, at.Cost, at.Measure, within)
		l.least = at.Least
	}
}
