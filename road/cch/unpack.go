package cch

import (
	"slices"

	"github.com/waygate/waygate/road/graph"
)

// Path appends to dst the edges of the path that Run found over top, from the
// one it began with to the one it ended with.
func (q *Query) Path(dst []graph.Edge, top Rank) []graph.Edge {
	begin := len(dst)
	dst = append(dst, q.t.Edge[top])
	for v := top; q.forward.parent[v] != graph.None; v = q.forward.parent[v] {
		// Against the direction of travel; reversed below.
		u := q.below(v, q.forward.parent[v])
		dst = q.unpack(dst, u, v)
		dst = append(dst, q.t.Edge[u])
	}
	slices.Reverse(dst[begin:])
	for v := top; q.backward.parent[v] != graph.None; v = q.backward.parent[v] {
		u := q.below(v, q.backward.parent[v])
		at := len(dst)
		dst = q.unpack(dst, v, u)
		slices.Reverse(dst[at:])
		dst = append(dst, q.t.Edge[u])
	}
	return dst
}

// below is the rank u that a search up came to v from.
func (q *Query) below(v, u Rank) Rank {
	if u >= v {
		panic(damaged)
	}
	return u
}

// unpack appends the edges strictly between two ranks that an arc joins, the last
// one first. Both halves of a cheapest path are cheapest paths, so their arcs are
// in the metric.
func (q *Query) unpack(dst []graph.Edge, from, to Rank) []graph.Edge {
	var mid Rank
	if from < to {
		mid = q.m.forward.via[q.m.forward.find(from, to)]
	} else {
		mid = q.m.backward.via[q.m.backward.find(to, from)]
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
