package search

import (
	"context"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
)

// Known is what is known of the cheapest path to an edge or, in reverse, from it.
type Known struct {
	Cost uint64
	Measure
	// Least is true where the path is beyond the bound, and of its cost no more is known
	// than that it is no less.
	Least bool
}

// Behind are some of the edges of a tree, the paths to all others being known.
type Behind struct {
	Edges []graph.Edge // copies included
	// Known tells of an edge that is not one of them; ok is false where no path leads there.
	Known func(e graph.Edge) (at Known, ok bool)
}

// FromBehind gives what From gives of some edges. ok is false where what is known of the
// others does not tell which paths are the cheapest.
func (s *Tree) FromBehind(ctx context.Context, w Weights, from []End, bound Measure, b Behind) (reached []Reached, ok bool, err error) {
	x := s.beginBehind(w, false, bound, b)
	c := w.Costing
	for _, f := range from {
		begun := Known{Cost: Part(c, f.Edge, 1-f.Along) + uint64(f.Extra), Measure: part(c, f.Edge, 1-f.Along)}
		s.eachAfter(f.Edge, func(to graph.Edge) { x.goOn(f.Edge, to, begun) })
	}
	return x.search(ctx, s.eachBefore, s.eachAfter, x.goOn)
}

// BackBehind is FromBehind for paths to any of the places.
func (s *Tree) BackBehind(ctx context.Context, w Weights, to []End, bound Measure, b Behind) (reached []Reached, ok bool, err error) {
	x := s.beginBehind(w, true, bound, b)
	s.arrivals(to, func(e graph.Edge, cost uint64, took Measure) {
		x.offer(e, Known{Cost: cost, Measure: took}, took.Within(bound))
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
	s.g.EachBefore(e, func(from graph.Edge) {
		if to, ok := s.w.Costing.Follow(from, original); ok && to == e {
			yield(from)
		}
	})
}

// behindSearch is one for the edges of Behind.
type behindSearch struct {
	*Tree
	Behind
	bound Measure
	// unsure is true where a path within the bound is cheaper than another or not, by
	// what only the least is known of, or where somebody comes where nobody looked.
	unsure bool
}

func (s *Tree) beginBehind(w Weights, back bool, bound Measure, b Behind) *behindSearch {
	s.begin(w, back)
	for _, e := range b.Edges {
		s.labels.At(uint32(e)).goal = true
	}
	return &behindSearch{Tree: s, Behind: b, bound: bound}
}

// search finds the paths, which come from the edges before to those after, in the order of
// the search, by turns.
func (x *behindSearch) search(ctx context.Context, before, after func(e graph.Edge, yield func(graph.Edge)), turn func(from, to graph.Edge, at Known)) ([]Reached, bool, error) {
	for i, e := range x.Edges {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		before(e, func(from graph.Edge) {
			if at, ok := x.beside(from); ok {
				turn(from, e, at)
			}
		})
	}
	err := x.run(ctx, func(e graph.Edge, l treeLabel) {
		if l.inBound {
			x.reached = append(x.reached, Reached{e, l.cost, l.took, part(x.w.Costing, x.g.Original(e), 1)})
		}
		after(e, func(to graph.Edge) { turn(e, to, Known{l.cost, l.took, l.least}) })
	})
	return x.reached, !x.unsure, err
}

// beside is what is known of an edge that is not one of those searched, and is open.
func (x *behindSearch) beside(e graph.Edge) (at Known, ok bool) {
	if x.labels.Get(uint32(e)).goal || x.edge(x.g.Original(e)) == profile.Forbidden {
		return at, false
	}
	return x.Known(e)
}

// goOn turns from an edge, to whose head a path leads, into another.
func (x *behindSearch) goOn(from, to graph.Edge, at Known) {
	if x.known(to, at) {
		return
	}
	if at, ok := x.step(from, to, at); ok {
		x.offer(to, at, at.beginsWithin(x.w.Costing, x.g.Original(to), x.bound))
	}
}

// goBack turns from an edge, from whose head a path leads, back to one before it.
func (x *behindSearch) goBack(from, to graph.Edge, at Known) {
	if x.known(to, at) || x.edge(x.g.Original(to)) == profile.Forbidden {
		return
	}
	if at, ok := x.step(to, from, at); ok {
		x.offer(to, at, at.Within(x.bound))
	}
}

// step is a path with the turn from an edge into another, and that.
func (x *behindSearch) step(e, to graph.Edge, at Known) (Known, bool) {
	f, c := x.g.Original(to), x.w.Costing
	edge, turn := x.edge(f), x.turn(e, f)
	if edge == profile.Forbidden || turn.Cost == profile.Forbidden {
		return at, false
	}
	at.Cost += uint64(turn.Cost) + uint64(edge)
	at.Measure = at.Plus(MeasureOf(x.seconds(turn, e, f)+c.Seconds(f), x.g.EdgeLength(f)))
	return at, true
}

// known reports whether nothing new can be told of an edge by a path that costs more than
// something: most have been come to for less.
func (x *behindSearch) known(e graph.Edge, at Known) bool {
	l := x.labels.Get(uint32(e))
	return l.state != unseen && l.cost < at.Cost && (!l.least || at.Least)
}

// offer is a path to an edge or, in reverse, from it, which is within the bound or not.
func (x *behindSearch) offer(e graph.Edge, at Known, within bool) {
	within = within && !at.Least
	l := x.labels.At(uint32(e))
	switch {
	case !l.goal:
		if within {
			beside, ok := x.Known(e)
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
