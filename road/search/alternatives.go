package search

import (
	"context"
	"slices"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
)

// The conditions of an alternative: it is at most a third dearer than the best, shares at
// most this part of its length with another, and has a plateau of at least a tenth of the
// best's cost.
const (
	AlternativeStretch = 1.33 // of the best's cost
	alternativeShared  = 0.65
	AlternativePlateau = 0.1
)

// AlternativesSettled is how many edges a search for alternatives settles at most: it
// goes a third farther than that for the best, and finds little where that is far.
const AlternativesSettled = 100_000

// scanEvery is how many edges are looked at between two checks of the context.
const scanEvery = 16 * checkEvery

// plateau is a run of edges that lies on cheapest paths from the start and on
// cheapest paths to the end: in both search trees.
type plateau struct {
	first graph.Edge
	cost  uint64 // of the run
	total uint64 // of the whole path over it
}

// Alternatives finds the cheapest path and up to more other good ones, best
// first, by the plateaus of the two search trees (Choice Routing of Cambridge
// Vehicle Information Technology, as described in Bader, Dees, Geisberger,
// Sanders, "Alternative Route Graphs in Road Networks", 2011). It finds nothing where
// that takes more than AlternativesSettled edges.
func (q *Query) Alternatives(ctx context.Context, c Weights, from, to []End, more int) ([]Found, error) {
	q.forward.rest, q.backward.rest, q.most, q.fine = nil, nil, AlternativesSettled, 0
	if err := q.run(ctx, c, from, to, AlternativeStretch); err != nil || q.best == unreached || q.Settled >= q.most {
		return nil, err
	}
	routes := []Found{q.found(q.meeting, q.best)}
	roads := []Roads{RoadsOf(q.g, routes[0])}
	if q.meeting.single {
		return routes, nil
	}
	plateaus, err := q.plateaus(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range plateaus {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(routes) > more {
			break
		}
		f := q.found(meeting{from: p.first, to: q.backward.parent(p.first)}, p.total)
		if own, ok := Differs(q.g, f, roads); ok {
			routes, roads = append(routes, f), append(roads, own)
		}
	}
	return routes, nil
}

func (q *Query) plateaus(ctx context.Context) ([]plateau, error) {
	var list []plateau
	limit := uint64(q.stretched(AlternativeStretch))
	shortest := uint64(float64(q.best-min(q.best, q.entry)) * AlternativePlateau)
	looked := 0
	for i, l := range q.forward.labels.All {
		if looked++; looked%scanEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e := graph.Edge(i)
		if l.state != settled || !q.inBothTrees(e) || q.backward.parent(e) == graph.None {
			continue
		}
		if p := l.parent; p != graph.None && q.inBothTrees(p) && q.backward.parent(p) == e {
			continue // not the first of its run
		}
		w := q.edge(q.g.Original(e))
		if w == profile.Forbidden {
			continue
		}
		total := l.cost + q.backward.cost(e) - uint64(w)
		run := q.plateauCost(e)
		if total <= limit && run >= shortest {
			list = append(list, plateau{e, run, total})
		}
	}
	slices.SortFunc(list, func(a, b plateau) int {
		x, y := a.total-min(a.cost, a.total), b.total-min(b.cost, b.total)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return int(a.first) - int(b.first)
	})
	return list, nil
}

func (q *Query) inBothTrees(e graph.Edge) bool {
	return q.forward.cost(e) != unreached && q.backward.cost(e) != unreached
}

// plateauCost returns the cost of the run of edges that begins at e.
func (q *Query) plateauCost(e graph.Edge) uint64 {
	var cost uint64
	for {
		w := q.edge(q.g.Original(e))
		if w == profile.Forbidden {
			return cost
		}
		cost += uint64(w)
		next := q.backward.parent(e)
		if next == graph.None || !q.inBothTrees(next) || q.forward.parent(next) != e {
			return cost
		}
		e = next
	}
}

// Differs returns the segments of a path, and reports whether it passes none of them twice
// and shares little with the paths chosen before.
func Differs(g *graph.Graph, f Found, chosen []Roads) (own Roads, ok bool) {
	own = RoadsOf(g, f)
	metres := 0.0
	for i, s := range own {
		if i > 0 && s == own[i-1] {
			return own, false
		}
		metres += float64(g.BySegment[s].Length)
	}
	for _, other := range chosen {
		if other.shared(g, own) > alternativeShared*metres {
			return own, false
		}
	}
	return own, true
}

// Roads are the segments of a path by their numbers.
type Roads []graph.Segment

// RoadsOf returns the segments of a path, one as often as the path leads over it.
func RoadsOf(g *graph.Graph, f Found) Roads {
	n := len(f.Edges)
	both := make(Roads, 2*n)
	list, rest := both[:n:n], both[n:]
	most := graph.Segment(0)
	for i, e := range f.Edges {
		list[i] = g.Segment(e)
		most = max(most, list[i])
	}
	// By one byte after another, which takes a third of what sorting by comparisons does.
	for shift := 0; most>>shift > 0; shift += 8 {
		var at [256]uint32
		for _, s := range list {
			at[byte(s>>shift)]++
		}
		sum := uint32(0)
		for i, n := range at {
			at[i], sum = sum, sum+n
		}
		for _, s := range list {
			to := &at[byte(s>>shift)]
			rest[*to] = s
			*to++
		}
		list, rest = rest, list
	}
	return list
}

// shared returns the length in metres of those that are among others too.
func (r Roads) shared(g *graph.Graph, others Roads) float64 {
	metres := 0.0
	for len(r) > 0 && len(others) > 0 {
		switch a, b := r[0], others[0]; {
		case a < b:
			r = r[1:]
		case a > b:
			others = others[1:]
		default:
			metres += float64(g.BySegment[a].Length)
			r, others = r[1:], others[1:]
		}
	}
	return metres
}

// Has reports whether the path leads over a segment.
func (r Roads) Has(s graph.Segment) bool {
	_, ok := slices.BinarySearch(r, s)
	return ok
}
