package search

import (
	"context"
	"math"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
)

// Potential gives a lower bound on the cost of a path from the end of an edge
// (a copy perhaps) to the goal or, for a search from the end, on the cost from
// the start to the start of the edge. Unreachable means that there is no path.
type Potential func(edge graph.Edge) uint64

// Unreachable is the potential of an edge that no path leads over.
const Unreachable = math.MaxUint64

// AStar finds cheapest paths from one end, settling first what costs least
// together with a lower bound on the rest of the path (with bounds from a
// hierarchy: Strasser and Zeitz, "A Fast and Tight Heuristic for A* in Road
// Networks", 2021). The tighter the bound, the fewer edges it settles; it is
// exact with any. With a clock, edges and turns are open at times only, and the
// traveller waits before what is closed. For one goroutine at a time, to be
// used again and again on the same graph.
type AStar struct {
	labelSearch
	potential Potential
	entry     bool // every path enters private roads, see Entry
	ends      struct{ from, to []End }
	goals     ByEdge // ends.to or, in a search from the end, ends.from

	best    uint64
	meeting completion
	Settled int // labels settled by the last search, for measuring
}

// NewAStar returns a search over a graph.
func NewAStar(g *graph.Graph) *AStar {
	return &AStar{labelSearch: newLabelSearch(g)}
}

// Request is the question to an AStar: from where to where, and by what
// weights.
type Request struct {
	Weights   Weights
	Clock     *overlay.Clock // nil without a time: all that is closed at times counts as open
	Potential Potential      // nil is 0 everywhere
	Begun     Potential      // for a search from both ends: what it costs at least from the start to the start of an edge
	From, To  []End
}

// Shortest finds the cheapest path from any of the places from to any of the
// places to; ok is false where there is none. Waiting costs what the clock says.
// The error is the context's.
func (q *AStar) Shortest(ctx context.Context, j Request) (f Found, ok bool, err error) {
	if ctx.Err() != nil {
		return Found{}, false, ctx.Err()
	}
	q.begin(j)
	for n := 1; len(q.heap) > 0; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return Found{}, false, ctx.Err()
		}
		top := q.heap.Pop()
		if top.Key >= q.best {
			break
		}
		if q.labels[top.Value].dead {
			continue
		}
		q.Settled++
		if q.back {
			q.settleBack(top.Value)
		} else {
			q.settle(top.Value)
		}
	}
	if q.best == unreached {
		return Found{}, false, nil
	}
	return q.found(), true, nil
}

func (q *AStar) begin(j Request) {
	q.labelSearch.begin(j.Weights, j.Clock)
	q.potential, q.best, q.Settled = j.Potential, unreached, 0
	q.ends.from, q.ends.to = j.From, j.To
	q.entry = Entry(j.Weights.Costing, j.From, j.To) > 0
	q.goals.Reset(j.To)
	for i, s := range j.From {
		for _, t := range q.goals.On(s.Edge) {
			if q.w.onOneEdge(s, t) {
				q.offer(q.part(s.Edge, t.Along-s.Along, 0).Cost+(uint64(s.Extra)+uint64(t.Extra))<<q.shift, completion{from: s, to: t, label: graph.None})
			}
		}
		if !q.back && q.w.canDepart(s) {
			x := q.part(s.Edge, 1-s.Along, 0)
			q.add(label{edge: s.Edge, cost: x.Cost + uint64(s.Extra)<<q.shift, time: x.Millis, parent: root + labelID(i)}, 0)
		}
	}
	if !q.back {
		return
	}
	q.goals.Reset(j.From)
	for i, t := range j.To {
		if !q.w.canArrive(t) {
			continue
		}
		x := q.part(t.Edge, t.Along, 0)
		l := label{edge: t.Edge, cost: x.Cost + uint64(t.Extra)<<q.shift, time: -x.Millis, parent: root + labelID(i)}
		q.g.EachCopy(t.Edge, func(e graph.Edge) {
			l.edge = e
			q.add(l, 0)
		})
	}
}

func (q *AStar) offer(cost uint64, m completion) {
	if cost < q.best {
		q.best, q.meeting = cost, m
	}
}

// add inserts a label unless another dominates it or its path cannot better the
// best; rest is a lower bound on what is still to come.
func (q *AStar) add(l label, rest uint64) {
	if rest == Unreachable {
		return
	}
	rest <<= q.shift
	if l.cost+rest >= q.best {
		return
	}
	q.insert(l, rest)
}

func (q *AStar) rest(e graph.Edge) uint64 {
	switch {
	case q.potential != nil:
		return q.potential(e)
	case q.entry && q.w.Costing.Private(e) == q.back:
		return profile.PrivateEntry
	}
	return 0
}

// settle relaxes the turns from a label's edge.
func (q *AStar) settle(at labelID) {
	g, l := q.g, q.labels[at]
	n := g.ByEdge[l.edge].Head
	for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
		s, ok := q.turnInto(&l, f)
		if !ok {
			continue
		}
		for _, t := range q.goals.On(f) {
			if q.w.canArrive(t) {
				q.offer(s.cost+q.part(f, t.Along, s.time).Cost+uint64(t.Extra)<<q.shift, completion{to: t, label: at, edge: s.edge})
			}
		}
		if next, ok := q.traverse(s, at); ok {
			q.add(next, q.rest(next.edge))
		}
	}
}

// settleBack relaxes the turns into a label's edge, for a search from the end.
func (q *AStar) settleBack(at labelID) {
	g, n := q.g, q.g.ByEdge[q.labels[at].edge].Tail
	for out := g.FirstOut[n]; out < g.FirstOut[n+1]; out++ {
		q.settleBefore(g.ByEdge[out].Opposite, at)
	}
	for _, e := range g.Copies[g.CopyAt[n]:g.CopyAt[n+1]] {
		q.settleBefore(e, at)
	}
}

// settleBefore relaxes the turn from edge e (a copy perhaps) into a label's.
func (q *AStar) settleBefore(e graph.Edge, at labelID) {
	l := q.labels[at]
	s, ok := q.turnFrom(e, &l)
	if !ok {
		return
	}
	for _, x := range q.goals.On(e) {
		if q.w.canDepart(x) {
			q.offer(s.cost+q.part(e, 1-x.Along, s.time).Cost+uint64(x.Extra)<<q.shift, completion{from: x, label: at})
		}
	}
	if next, ok := q.traverse(s, at); ok {
		q.add(next, q.rest(e))
	}
}

// found returns the best path.
func (q *AStar) found() Found {
	if q.back {
		return q.path(q.meeting, q.best, q.ends.to)
	}
	return q.path(q.meeting, q.best, q.ends.from)
}
