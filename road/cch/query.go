package cch

import (
	"math"

	"github.com/waygate/waygate/road/graph"
)

// Query is the scratch of a search. It is for one goroutine at a time and can be reused on
// the same topology.
type Query struct {
	t        *Topology
	m        *Metric
	forward  side
	backward side
	unpacker unpacker
}

// Unreached is the cost where there is no path.
const Unreached = math.MaxUint64

// NewQuery returns a query over a topology.
func NewQuery(t *Topology) *Query { return &Query{t: t} }

// Begin starts a new search in a metric.
func (q *Query) Begin(m *Metric) {
	q.m = m
	q.unpacker.forget()
	q.forward.reset()
	q.backward.reset()
}

// From lets paths begin once edge e has been travelled, at a cost so far.
func (q *Query) From(e graph.Edge, cost uint64) { q.forward.addSource(q.t.Rank[e], cost) }

// To lets paths end once edge e has been travelled, at a cost still to come.
func (q *Query) To(e graph.Edge, cost uint64) { q.backward.addSource(q.t.Rank[e], cost) }

// Run finds the cheapest path that costs less than limit. It returns its cost, Unreached
// where there is none, and the highest rank on it.
func (q *Query) Run(limit uint64) (cost uint64, top Rank) {
	q.forward.searchUp(q.t, &q.m.forward, limit, nil)
	best, top := limit, Rank(graph.None)
	q.backward.searchUp(q.t, &q.m.backward, limit, func(v Rank, depth int32, c uint64) uint64 {
		if f := q.forward.costOf(v, depth); f != Unreached && f+c < best {
			best, top = f+c, v
		}
		return best
	})
	if top == graph.None {
		return Unreached, top
	}
	return best, top
}
