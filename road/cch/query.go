package cch

import (
	"math"

	"github.com/waygate/waygate/road/graph"
)

// Query is the scratch of a search: for one goroutine at a time, to be used
// again and again on the same topology.
type Query struct {
	t        *Topology
	m        *Metric
	forward  side
	backward side
}

// side is the search from one end.
type side struct {
	cost     []uint64 // by rank; Unreached but for those visited
	parent   []Rank
	visited  []Rank
	sources  []Rank
	frontier []Rank // of each climb from a source, its next rank
}

// Unreached is the cost where there is no path.
const Unreached = math.MaxUint64

// NewQuery gives a query over a topology.
func NewQuery(t *Topology) *Query {
	q := &Query{t: t}
	for _, s := range []*side{&q.forward, &q.backward} {
		s.cost, s.parent = make([]uint64, len(t.Edge)), make([]Rank, len(t.Edge))
		for i := range s.cost {
			s.cost[i] = Unreached
		}
	}
	return q
}

// Begin starts a new search in a metric.
func (q *Query) Begin(m *Metric) {
	q.m = m
	q.forward.reset()
	q.backward.reset()
}

func (s *side) reset() {
	for _, v := range s.visited {
		s.cost[v] = Unreached
	}
	for _, v := range s.sources {
		s.cost[v] = Unreached
	}
	s.visited, s.sources = s.visited[:0], s.sources[:0]
}

func (s *side) addSource(v Rank, cost uint64) {
	if s.cost[v] == Unreached {
		s.sources = append(s.sources, v)
	}
	if cost < s.cost[v] {
		s.cost[v], s.parent[v] = cost, graph.None
	}
}

// From lets paths begin once edge e has been travelled, at a cost so far.
func (q *Query) From(e graph.Edge, cost uint64) { q.forward.addSource(q.t.Rank[e], cost) }

// To lets paths end once edge e has been travelled, at a cost still to come.
func (q *Query) To(e graph.Edge, cost uint64) { q.backward.addSource(q.t.Rank[e], cost) }

// Run finds the cheapest path, less than limit, from where paths begin to
// where they end and gives its cost, Unreached where there is none, and the
// rank at which it is highest.
func (q *Query) Run(limit uint64) (cost uint64, top Rank) {
	q.forward.searchUp(q.t, &q.m.forward, limit, nil)
	best, top := limit, Rank(graph.None)
	q.backward.searchUp(q.t, &q.m.backward, limit, func(v Rank, c uint64) uint64 {
		if f := q.forward.cost[v]; f != Unreached && f+c < best {
			best, top = f+c, v
		}
		return best
	})
	if top == graph.None {
		return Unreached, top
	}
	return best, top
}

// searchUp relaxes the arcs of the sources and all their ancestors in the
// elimination tree, in ascending order of rank. meet, unless nil, is called with
// each rank and its cost and gives the cost from which on paths are of no use.
func (s *side) searchUp(t *Topology, w *searchGraph, limit uint64, meet func(v Rank, cost uint64) uint64) {
	s.frontier = append(s.frontier[:0], s.sources...)
	at := s.frontier
	for len(at) > 0 {
		v := at[0]
		for _, x := range at[1:] {
			v = min(v, x)
		}
		s.visited = append(s.visited, v)
		if cost := s.cost[v]; cost < limit {
			if meet != nil {
				limit = meet(v, cost)
			}
			for _, x := range w.arcs[w.first[v]:w.first[v+1]] {
				if c := cost + uint64(x.weight); c < s.cost[x.head] {
					s.cost[x.head], s.parent[x.head] = c, v
				}
			}
		}
		p := t.Parent(v)
		kept := at[:0]
		for _, x := range at {
			if x == v {
				x = p
			}
			if x != graph.None && !contains(kept, x) {
				kept = append(kept, x)
			}
		}
		at = kept
	}
}

func contains(list []Rank, x Rank) bool {
	for _, y := range list {
		if y == x {
			return true
		}
	}
	return false
}
