package cch

import (
	"iter"
	"slices"

	"github.com/waygate/waygate/road/graph"
)

// Path appends to dst the edges of the path that Run found over top, from the
// one it began with to the one it ended with.
func (q *Query) Path(dst []graph.Edge, top Rank) []graph.Edge {
	begin := len(dst)
	dst = append(dst, q.t.Edge[top])
	for v, u := range q.forward.down(q.t, top) {
		// Against the direction of travel; reversed below.
		dst = q.unpack(dst, u, v)
		dst = append(dst, q.t.Edge[u])
	}
	slices.Reverse(dst[begin:])
	for v, u := range q.backward.down(q.t, top) {
		at := len(dst)
		dst = q.unpack(dst, v, u)
		slices.Reverse(dst[at:])
		dst = append(dst, q.t.Edge[u])
	}
	return dst
}

// down yields the arcs of the path to a rank visited, from that one down to a source:
// the higher rank and the lower.
func (s *side) down(t *Topology, top Rank) iter.Seq2[Rank, Rank] {
	return func(yield func(v, u Rank) bool) {
		at, _ := s.find(top, int32(t.Depth[top]))
		for v := top; s.visits[at].parent != none; {
			at = s.visits[at].parent
			u := s.visits[at].rank
			if u >= v {
				panic(damaged)
			}
			if !yield(v, u) {
				return
			}
			v = u
		}
	}
}

// unpack appends the edges strictly between two ranks that an arc joins, the last
// one first. Both halves of a cheapest path are cheapest paths, so their arcs are
// in the metric.
func (q *Query) unpack(dst []graph.Edge, from, to Rank) []graph.Edge {
	var mid Rank
	if from < to {
		mid = q.m.forward.over(from, q.m.forward.find(from, q.t.Depth[to]))
	} else {
		mid = q.m.backward.over(to, q.m.backward.find(to, q.t.Depth[from]))
	}
	if mid == graph.None {
		return dst
	}
	// No cheapest path has an edge twice.
	if mid >= min(from, to) || len(dst) > len(q.t.Edge) {
		panic(damaged)
	}
	dst = q.unpack(dst, mid, to)
	dst = append(dst, q.t.Edge[mid])
	return q.unpack(dst, from, mid)
}
