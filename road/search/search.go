// Package search finds cheapest paths in the road graph without preprocessing: exactly,
// with turn costs and restrictions, for any costing. It answers where the hierarchy of
// package cch does not apply, and tests compare that package with it. All searches settle
// directed edges, not nodes, so that a turn is a step between two of them.
//
// Query is Dijkstra's algorithm from both ends at once, with alternatives by plateaus; with
// lower bounds from a cch.Potential for either end it is A*. AStar searches from one end
// with such bounds; it supports an overlay of closures and live speeds, and waits where
// something is closed at a time. Tree is Dijkstra's algorithm from one place to all around
// it (a shortest-path tree), TimeDependent the same with times of day. Each is a scratch
// that is used again and again on one graph; its labels lie in a sparse.Table, which takes
// memory for the reached part only.
//
// A search takes Ends, places on edges from package snap, and Weights, a costing with the
// overlay of the request, and returns a Found, the edges of the path.
package search

import (
	"context"
	"math"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/heap"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/sparse"
)

// End is a place on an edge where a path may begin or finish.
type End struct {
	Edge  graph.Edge // an original
	Along float64    // part of the edge's length from its tail, 0 to 1
	Extra uint32     // cost of using this place, in milliseconds
	Begun uint32     // milliseconds that a path has taken before it; Tree.From and Tree.Back alone heed them
}

// Found is a cheapest path.
type Found struct {
	Edges    []graph.Edge // copies of the graph included
	From, To End
	Cost     uint64 // milliseconds of weighted time
}

const unreached = math.MaxUint64

// side is the search from one end.
type side struct {
	labels sparse.Table[sideLabel] // by edge
	heap   heap.Heap[uint64, graph.Edge]
	rest   Potential // lower bounds of the cost to the other end; nil is 0
}

// sideLabel is the label of an edge on one side.
type sideLabel struct {
	cost   uint64
	parent graph.Edge
	state  state
}

// state is how far a search has come with an edge.
type state uint8

const (
	unseen state = iota
	seen
	settled
)

// Query is the scratch of a search. It is used again and again on one graph and is not safe
// for concurrent use.
type Query struct {
	g        *graph.Graph
	w        Weights
	forward  side
	backward side
	ends     struct{ from, to []End }
	starts   ByEdge // ends.from

	fine    uint // by how many bits costs are finer than milliseconds
	best    uint64
	entry   uint64 // part of best that every path costs; see Entry
	meeting meeting
	Settled int // edges settled by the last search
	most    int // how many it may settle
}

// meeting is where the two searches join: at the turn from one edge to the next
// or, with single, on one edge that has both ends.
type meeting struct {
	from, to graph.Edge
	single   bool
	start    End
	end      End
}

// NewQuery returns a query over a graph.
func NewQuery(g *graph.Graph) *Query {
	return &Query{g: g}
}

// cost returns the cost of an edge, unreached where no path leads to it.
func (s *side) cost(e graph.Edge) uint64 {
	if l := s.labels.Get(uint32(e)); l.state != unseen {
		return l.cost
	}
	return unreached
}

func (s *side) parent(e graph.Edge) graph.Edge { return s.labels.Get(uint32(e)).parent }

// improve lowers the label of an edge on a side where that is cheaper and the edge may be
// on a wanted path.
func (q *Query) improve(s *side, to sideLabel, e graph.Edge) {
	l := s.labels.At(uint32(e))
	if l.state != unseen && l.cost <= to.cost {
		return
	}
	key := to.cost
	if s.rest != nil {
		rest := s.rest(e)
		if rest == Unreachable || key+rest >= q.best {
			return
		}
		key += rest
	}
	to.state = max(l.state, seen)
	*l = to
	s.heap.Push(key, e)
}

// checkEvery is how many edges are settled between two checks of the context.
const checkEvery = 1024

// Shortest finds the cheapest path from any of the places from to any of the
// places to; ok is false where there is none. The error is the context's.
func (q *Query) Shortest(ctx context.Context, c Weights, from, to []End) (f Found, ok bool, err error) {
	q.forward.rest, q.backward.rest, q.most, q.fine = nil, nil, math.MaxInt, 0
	if err := q.run(ctx, c, from, to, 1); err != nil || q.best == unreached {
		return Found{}, false, err
	}
	return q.found(q.meeting, q.best), true, nil
}

// run searches until no path cheaper than stretch times the best can be
// missing, or until it has settled q.most edges.
func (q *Query) run(ctx context.Context, c Weights, from, to []End, stretch float64) error {
	q.begin(c, from, to)
	for q.Settled < q.most {
		// A side with no edge left has reached all it can, the other side's ends
		// among it, so no better path is left.
		f, b := q.top(&q.forward), q.top(&q.backward)
		if f == unreached || b == unreached || q.best != unreached && float64(f+b) >= q.stretched(stretch) {
			return nil
		}
		if q.Settled%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		q.Settled++
		if f <= b-min(b, q.entry) {
			q.settleForward()
		} else {
			q.settleBackward()
		}
	}
	return nil
}

// stretched returns a multiple of the best path's cost, less what every path costs.
func (q *Query) stretched(stretch float64) float64 {
	return float64(q.entry) + float64(q.best-min(q.best, q.entry))*stretch
}

func (q *Query) begin(w Weights, from, to []End) {
	q.w, q.best, q.Settled = w, unreached, 0
	q.entry = Entry(w.Costing, from, to) << q.fine
	for _, s := range []*side{&q.forward, &q.backward} {
		s.labels.Reset()
		s.heap = s.heap[:0]
	}
	q.ends.from, q.ends.to = from, to
	q.starts.Reset(from)
	for _, s := range from {
		if !w.canDepart(s) {
			continue
		}
		q.improve(&q.forward, sideLabel{cost: q.part(s.Edge, 1-s.Along) + q.extra(s), parent: graph.None}, s.Edge)
	}
	for _, t := range to {
		for _, s := range q.starts.On(t.Edge) {
			if w.onOneEdge(s, t) {
				if cost := q.part(s.Edge, t.Along-s.Along) + q.extra(s) + q.extra(t); cost < q.best {
					q.best, q.meeting = cost, meeting{single: true, start: s, end: t}
				}
			}
		}
		if !w.canArrive(t) {
			continue
		}
		last := sideLabel{cost: q.part(t.Edge, t.Along) + q.extra(t), parent: graph.None}
		q.improve(&q.backward, last, t.Edge)
		n := q.g.ByEdge[t.Edge].Head
		for i := q.g.CopyAt[n]; i < q.g.CopyAt[n+1]; i++ {
			if x := q.g.Copies[i]; q.g.Original(x) == t.Edge {
				q.improve(&q.backward, last, x)
			}
		}
	}
}

func (q *Query) part(e graph.Edge, share float64) uint64 { return q.w.part(e, share) << q.fine }
func (q *Query) extra(x End) uint64                      { return uint64(x.Extra) << q.fine }

// top returns the least cost of a side's unsettled edges.
func (q *Query) top(s *side) uint64 {
	for len(s.heap) > 0 {
		top := s.heap[0]
		if l := s.labels.Get(uint32(top.Value)); l.state == seen && l.cost == top.Key {
			return top.Key
		}
		s.heap.Pop()
	}
	return unreached
}

func (q *Query) settleForward() {
	top := q.forward.heap.Pop()
	q.forward.labels.At(uint32(top.Value)).state = settled
	q.spreadForward(top.Value, top.Key)
}

// spreadForward relaxes the turns from an edge.
func (q *Query) spreadForward(e graph.Edge, sofar uint64) {
	g := q.g
	n := g.ByEdge[e].Head
	for out := g.FirstOut[n]; out < g.FirstOut[n+1]; out++ {
		to, ok := q.w.Costing.Follow(e, out)
		if !ok {
			continue
		}
		rest, w := q.backward.cost(to), q.edge(out)
		joins, betters := sofar+rest < q.best && rest != unreached, w != profile.Forbidden && sofar+uint64(w)<<q.fine < q.forward.cost(to)
		if !joins && !betters {
			continue // whatever the turn costs, since that takes longest to compute
		}
		_, turn, ok := q.turn(e, out)
		if !ok {
			continue
		}
		reached := sofar + turn
		if joins && reached+rest < q.best {
			q.best, q.meeting = reached+rest, meeting{from: e, to: to}
		}
		if betters {
			q.improve(&q.forward, sideLabel{cost: reached + uint64(w)<<q.fine, parent: e}, to)
		}
	}
}

func (q *Query) settleBackward() {
	top := q.backward.heap.Pop()
	q.backward.labels.At(uint32(top.Value)).state = settled
	q.spreadBackward(top.Value, top.Key)
}

// spreadBackward relaxes the turns into an edge.
func (q *Query) spreadBackward(f graph.Edge, rest uint64) {
	g := q.g
	n := g.ByEdge[f].Tail
	for out := g.FirstOut[n]; out < g.FirstOut[n+1]; out++ {
		q.relaxBackward(g.ByEdge[out].Opposite, f, rest)
	}
	for i := g.CopyAt[n]; i < g.CopyAt[n+1]; i++ {
		q.relaxBackward(g.Copies[i], f, rest)
	}
}

// relaxBackward relaxes the turn from e to f backwards.
func (q *Query) relaxBackward(e, f graph.Edge, cost uint64) {
	if to, ok := q.w.Costing.Follow(e, q.g.Original(f)); !ok || to != f {
		return
	}
	sofar, w := q.forward.cost(e), q.edge(q.g.Original(e))
	joins, betters := sofar != unreached && sofar+cost < q.best, w != profile.Forbidden && cost+uint64(w)<<q.fine < q.backward.cost(e)
	if !joins && !betters {
		return
	}
	_, turn, ok := q.turn(e, q.g.Original(f))
	if !ok {
		return
	}
	reached := cost + turn
	if joins && sofar+reached < q.best {
		q.best, q.meeting = sofar+reached, meeting{from: e, to: f}
	}
	if betters {
		q.improve(&q.backward, sideLabel{cost: reached + uint64(w)<<q.fine, parent: f}, e)
	}
}

func (q *Query) turn(e, f graph.Edge) (to graph.Edge, cost uint64, ok bool) {
	to, cost, ok = q.w.turn(q.g, e, f)
	return to, cost << q.fine, ok
}

func (q *Query) edge(e graph.Edge) uint32 { return q.w.edge(e) }

// found follows the parents from a meeting to both ends and returns the path.
func (q *Query) found(m meeting, cost uint64) Found {
	cost >>= q.fine
	if m.single {
		return Found{Edges: []graph.Edge{m.start.Edge}, From: m.start, To: m.end, Cost: cost}
	}
	var edges []graph.Edge
	for e := m.from; e != graph.None; e = q.forward.parent(e) {
		edges = append(edges, e)
	}
	for i, j := 0, len(edges)-1; i < j; i, j = i+1, j-1 {
		edges[i], edges[j] = edges[j], edges[i]
	}
	for e := m.to; e != graph.None; e = q.backward.parent(e) {
		edges = append(edges, e)
	}
	f := Found{Edges: edges, Cost: cost}
	f.From = cheapest(q.ends.from, edges[0], func(s End) uint64 { return q.part(s.Edge, 1-s.Along) + q.extra(s) })
	f.To = cheapest(q.ends.to, q.g.Original(edges[len(edges)-1]), func(t End) uint64 { return q.part(t.Edge, t.Along) + q.extra(t) })
	return f
}

// cheapest returns the end of least cost on an edge.
func cheapest(ends []End, edge graph.Edge, cost func(End) uint64) (best End) {
	least := uint64(unreached)
	for _, x := range ends {
		if c := cost(x); x.Edge == edge && c < least {
			best, least = x, c
		}
	}
	return best
}
