package cch

import (
	"context"
	"slices"

	"github.com/waygate/waygate/road/cch/searchgraph"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/sparse"
)

// changes are the edges that have changed since the metric of a RangeQuery was made. A path
// that leads over none of them is still the cheapest, since changes only make paths dearer.
type changes struct {
	any    bool // there are some
	t      *Topology
	of     Costs
	places []search.End
	way    int // departing from the places or arriving there
	// reach is a third beyond the bound: detours may be as dear as other paths that take
	// longer.
	reach search.Measure
	marks sparse.Table[mark]        // by rank
	cross [2]sparse.Table[crossing] // by arc, of those travelled up and down
	up    []bool                    // by place in the upward search: its path leads over a change
	looks sparse.Table[Cell]        // by rank: the path found, with a cost 1 higher; 0 where the search did not look
	edges []graph.Edge
	rest  *Potential // from the places or to them, made when the last search first needs it
	asked bool
}

// mark reports whether a rank, or any rank below it, has a changed arc.
type mark uint8

const (
	markNone mark = iota
	markBelow
	markOwn
)

// crossing is whether the path of an arc leads over a change, as far as it was computed.
type crossing uint8

const (
	unknown crossing = iota
	crosses
	crossesNone
)

// begin marks the changed edges, for a search from places or to them.
func (x *changes) begin(ctx context.Context, t *Topology, c Costs, places []search.End, way int, within *RangeLimits) {
	if x.any {
		x.marks.Reset()
		x.looks.Reset()
		x.cross[0].Reset()
		x.cross[1].Reset()
	}
	x.any, x.asked, x.edges = len(within.Changed) > 0, false, x.edges[:0]
	x.t, x.of, x.places, x.way = t, c, places, way
	x.reach = within.Bound.Plus(search.Measure{Millis: within.Bound.Millis / 3, Decimetres: within.Bound.Decimetres / 3})
	for i, e := range within.Changed {
		if i%4096 == 0 && ctx.Err() != nil {
			return // the search that follows checks the context too
		}
		c.Costing.Graph().EachCopy(e, func(e graph.Edge) {
			v := t.Rank[e]
			at := x.marks.At(uint32(v))
			above := *at == markNone
			*at = markOwn
			for v = t.Parent(v); above && v != graph.None; v = t.Parent(v) {
				if at := x.marks.At(uint32(v)); *at == markNone {
					*at = markBelow
				} else {
					above = false
				}
			}
		})
	}
}

// upwards marks the visits of the upward search whose paths lead over a change.
func (x *changes) upwards(s *side, w *searchgraph.Graph) {
	x.up = slices.Grow(x.up[:0], len(s.visits))[:len(s.visits)]
	for at := range s.places {
		p := s.visits[at].parent
		x.up[at] = x.marks.Get(uint32(s.visits[at].rank)) == markOwn
		if p != none && !x.up[at] {
			v := s.visits[p].rank
			x.up[at] = x.up[p] || x.crosses(v, w.Find(v, uint32(x.t.Depth[s.visits[at].rank])), x.way == arriving)
		}
	}
}

// crosses reports whether the path of arc number i, whose lower rank is v, leads over a
// change between its ends. All ranks on that path are below v.
func (x *changes) crosses(v Rank, i uint32, down bool) bool {
	if x.marks.Get(uint32(v)) == markNone {
		return false
	}
	w, known := &x.of.Metric.forward, &x.cross[0]
	if down {
		w, known = &x.of.Metric.backward, &x.cross[1]
	}
	mid := w.Middle(v, i)
	if mid == graph.None {
		return false
	}
	if mid >= v {
		panic(damaged)
	}
	switch x.marks.Get(uint32(mid)) {
	case markNone:
		return false
	case markOwn:
		return true
	}
	if k := known.Get(i); k != unknown {
		return k == crosses
	}
	from, to := uint32(x.t.Depth[v]), w.Depth(w.Arcs[i])
	if down {
		from, to = to, from
	}
	found := x.crosses(mid, x.of.Metric.backward.Find(mid, from), true) || x.crosses(mid, x.of.Metric.forward.Find(mid, to), false)
	*known.At(i) = crossesNone
	if found {
		*known.At(i) = crosses
	}
	return found
}

// leadsBeyond reports whether the cheapest path to a rank leads over a change or ends with
// one. The path comes by the arc via from above or, where that is none, is the one of the
// upward search to p.
func (x *RangeQuery) leadsBeyond(by *descent, v Rank, via uint32, p rankIndex) bool {
	switch {
	case x.changes.marks.Get(uint32(v)) == markOwn:
		return true
	case via == none:
		return x.changes.up[p]
	}
	return x.above[by.graph.Depth(by.graph.Arcs[via])].beyond || x.changes.crosses(v, via, x.changes.way == departing)
}

// nearBeyond reports whether there is a change in the subtree of a rank, or an ancestor
// next to it whose path leads over one.
func (x *RangeQuery) nearBeyond(root Rank) bool {
	if x.changes.marks.Get(uint32(root)) != markNone {
		return true
	}
	for _, depth := range x.t.above(root) {
		if x.above[depth].beyond {
			return true
		}
	}
	return false
}

// look records the path found to a rank.
func (x *changes) look(v Rank, to Cell, beyond bool) {
	*x.looks.At(uint32(v)) = Cell{to.Cost + 1, to.Measure}
	if beyond {
		x.edges = append(x.edges, x.t.Edge[v])
	}
}

// BeyondClosure returns the edges whose path, in the last search, leads over a change, the
// changed edges included. They may lie outside the bound, but all that may lie within it
// are among them. The list is valid until the next search.
func (x *RangeQuery) BeyondClosure() []graph.Edge { return x.changes.edges }

// PathTo returns the path of the last search, which had changes, to an edge next to those of
// BeyondClosure and not one of them. ok is false where no path leads there.
func (x *RangeQuery) PathTo(e graph.Edge) (at search.EdgePath, ok bool) {
	if c := x.changes.looks.Get(uint32(x.t.Rank[e])); c.Cost != 0 {
		return search.EdgePath{Cost: c.Cost - 1, Measure: c.Measure}, true
	}
	return x.changes.beyond(e)
}

// beyond returns the path to an edge that the search did not look at, since nothing within
// the bound leads there.
func (x *changes) beyond(e graph.Edge) (at search.EdgePath, ok bool) {
	g := x.of.Costing.Graph()
	if !x.asked {
		x.asked = true
		if x.rest == nil {
			x.rest = NewPotential(x.t)
		}
		if bound := OfCosting(x.of.Costing, x.of.Metric, 1); x.way == arriving {
			x.rest.To(bound, g, x.places)
		} else {
			x.rest.From(bound, g, x.places)
		}
	}
	cost := x.rest.LowerBound(e)
	if cost == search.Unreachable {
		return at, false
	}
	if x.way == departing {
		cost += uint64(x.of.Costing.Edge(g.Original(e)))
	}
	return search.EdgePath{Cost: cost - min(cost, Tied), Least: true}, true
}

// Tied is by how much rounding may make costs of the same path differ.
const Tied = 4
