package cch

import (
	"slices"

	"github.com/waygate/waygate/road/graph"
)

// Path appends to dst the edges of the path that Run found over top, from the
// one it began with to the one it ended with.
func (q *Query) Path(dst []uint32, top uint32) []uint32 {
	begin := len(dst)
	dst = append(dst, q.t.Edge[top])
	for v := top; q.forward.parent[v] != graph.None; v = q.forward.parent[v] {
		// Backwards in travel, so turned round below.
		u := q.forward.parent[v]
		dst = q.unpack(dst, u, v)
		dst = append(dst, q.t.Edge[u])
	}
	slices.Reverse(dst[begin:])
	for v := top; q.backward.parent[v] != graph.None; v = q.backward.parent[v] {
		u := q.backward.parent[v]
		at := len(dst)
		dst = q.unpack(dst, v, u)
		slices.Reverse(dst[at:])
		dst = append(dst, q.t.Edge[u])
	}
	return dst
}

// unpack appends the edges strictly between two ranks that an arc joins, last
// first.
func (q *Query) unpack(dst []uint32, from, to uint32) []uint32 {
	mid, ok := q.t.between(q.m, from, to)
	if !ok {
		return dst
	}
	dst = q.unpack(dst, mid, to)
	dst = append(dst, q.t.Edge[mid])
	return q.unpack(dst, from, mid)
}

// between finds the rank below both over which an arc is cheapest; not ok for
// a turn.
func (t *Topology) between(m *Metric, from, to uint32) (mid uint32, ok bool) {
	v, w := min(from, to), max(from, to)
	a := t.Arc(v, w)
	cost := m.Up[a]
	if from > to {
		cost = m.Down[a]
	}
	i, j := t.BelowAt[v], t.BelowAt[w]
	for i < t.BelowAt[v+1] && j < t.BelowAt[w+1] {
		switch {
		case t.Below[i] < t.Below[j]:
			i++
		case t.Below[i] > t.Below[j]:
			j++
		default:
			uv, uw := t.BelowArc[i], t.BelowArc[j]
			if from > to {
				uv, uw = uw, uv
			}
			if plus(m.Down[uv], m.Up[uw]) == cost {
				return t.Below[i], true
			}
			i++
			j++
		}
	}
	return 0, false
}
