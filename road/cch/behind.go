package cch

import (
	"context"
	"slices"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/sparse"
)

// changes is what a RangeQuery knows of edges that have changed since its metric was
// made. Where its paths lead over none of them they are the cheapest still, since
// changes only make others dearer.
type changes struct {
	any    bool // are there at all
	t      *Topology
	of     Costs
	places []search.End
	way    int // departing from the places or arriving there
	// reach is how far is looked, a third beyond the bound: ways round may be as dear as
	// others that take longer.
	reach  search.Measure
	marks  sparse.Table[mark]        // by rank
	cross  [2]sparse.Table[crossing] // by arc, of those travelled up and down
	up     []bool                    // by place in the search up: whether it is behind one
	looks  sparse.Table[Cell]        // by rank: what was found, with a cost 1 higher; 0 where nobody looked
	behind []graph.Edge
	rest   *Potential // from the places or to them, once asked of the last search
	asked  bool
}

// mark tells of a rank whether it has changed or one below it.
type mark uint8

const (
	markNone mark = iota
	markBelow
	markOwn
)

// crossing is what is known of an arc: whether its path leads over something changed.
type crossing uint8

const (
	unknown crossing = iota
	crosses
	crossesNone
)

// begin marks what has changed, for a search from places or to them.
func (x *changes) begin(ctx context.Context, t *Topology, c Costs, places []search.End, way int, within *Within) {
	if x.any {
		x.marks.Reset()
		x.looks.Reset()
		x.cross[0].Reset()
		x.cross[1].Reset()
	}
	x.any, x.asked, x.behind = len(within.Changed) > 0, false, x.behind[:0]
	x.t, x.of, x.places, x.way = t, c, places, way
	x.reach = within.Bound.Plus(search.Measure{Millis: within.Bound.Millis / 3, Decimetres: within.Bound.Decimetres / 3})
	for i, e := range within.Changed {
		if i%4096 == 0 && ctx.Err() != nil {
			return // as the search does that follows
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

// upwards tells which visits of the search up are behind something changed.
func (x *changes) upwards(s *side, w *searchGraph) {
	x.up = slices.Grow(x.up[:0], len(s.visits))[:len(s.visits)]
	for at := range s.places {
		p := s.visits[at].parent
		x.up[at] = x.marks.Get(uint32(s.visits[at].rank)) == markOwn
		if p != none && !x.up[at] {
			v := s.visits[p].rank
			x.up[at] = x.up[p] || x.crosses(v, w.find(v, uint32(x.t.Depth[s.visits[at].rank])), x.way == arriving)
		}
	}
}

// crosses reports whether the path of arc number i, whose lower rank is v, leads over
// something changed between its ends. All that it leads over is below v.
func (x *changes) crosses(v Rank, i uint32, down bool) bool {
	if x.marks.Get(uint32(v)) == markNone {
		return false
	}
	w, known := &x.of.Metric.forward, &x.cross[0]
	if down {
		w, known = &x.of.Metric.backward, &x.cross[1]
	}
	mid := w.over(v, i)
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
	from, to := uint32(x.t.Depth[v]), w.depth(w.arcs[i])
	if down {
		from, to = to, from
	}
	found := x.crosses(mid, x.of.Metric.backward.find(mid, from), true) || x.crosses(mid, x.of.Metric.forward.find(mid, to), false)
	*known.At(i) = crossesNone
	if found {
		*known.At(i) = crosses
	}
	return found
}

// comesBehind reports whether the cheapest path to a rank leads over something changed
// or ends with it: one by an arc from above or, where that is none, that of the search up
// to a place.
func (x *RangeQuery) comesBehind(by *descent, v Rank, via uint32, p place) bool {
	switch {
	case x.changes.marks.Get(uint32(v)) == markOwn:
		return true
	case via == none:
		return x.changes.up[p]
	}
	return x.above[by.graph.depth(by.graph.arcs[via])].behind || x.changes.crosses(v, via, x.changes.way == departing)
}

// besideBehind reports whether something changed is in the subtree of a rank, or
// something behind it next to that.
func (x *RangeQuery) besideBehind(root Rank) bool {
	if x.changes.marks.Get(uint32(root)) != markNone {
		return true
	}
	for _, depth := range x.t.above(root) {
		if x.above[depth].behind {
			return true
		}
	}
	return false
}

// look notes what was found of a rank.
func (x *changes) look(v Rank, to Cell, behind bool) {
	*x.looks.At(uint32(v)) = Cell{to.Cost + 1, to.Measure}
	if behind {
		x.behind = append(x.behind, x.t.Edge[v])
	}
}

// Behind gives the edges that the last search came to by way of what has changed, within
// the bound or not, with that itself. It has come to each that may be within it. The
// list is valid until the next search.
func (x *RangeQuery) Behind() []graph.Edge { return x.changes.behind }

// Known tells of an edge beside one of Behind, and not one of them, what the last search,
// which was told of changes, found of it. ok is false where no path leads there.
func (x *RangeQuery) Known(e graph.Edge) (at search.Known, ok bool) {
	if c := x.changes.looks.Get(uint32(x.t.Rank[e])); c.Cost != 0 {
		return search.Known{Cost: c.Cost - 1, Measure: c.Measure}, true
	}
	return x.changes.beyond(e)
}

// beyond tells of an edge that the search did not look at, since nothing within the bound
// leads there.
func (x *changes) beyond(e graph.Edge) (at search.Known, ok bool) {
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
	cost := x.rest.Rest(e)
	if cost == search.Unreachable {
		return at, false
	}
	if x.way == departing {
		cost += uint64(x.of.Costing.Edge(g.Original(e)))
	}
	return search.Known{Cost: cost - min(cost, Tied), Least: true}, true
}

// Tied is by how much rounding may make costs of the same path differ.
const Tied = 4
