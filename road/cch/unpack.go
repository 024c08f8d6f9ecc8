package cch

import (
	"iter"

	"github.com/waygate/waygate/road/graph"
)

// unpacker splits the arcs of a path into those of single turns. In a region that is
// larger than a processor's caches nearly every arc has to come from memory, and one is
// not known before the one that it is a half of. So all arcs that are known are looked
// at together, each look at all of them before the next, and the processor waits for
// many at once.
type unpacker struct {
	arcs   []pathArc // linked in the order of travel
	open   []split   // of those that may have halves
	halves []split   // of the arcs found in this round
	costs  []uint32  // of all edges but the first of the path unpacked last, with the turn into each
	seen   uint32    // keeps the reads ahead from being left out as useless
}

// pathArc is an arc of a path, by the rank that it leads to, and the place of the one
// that is travelled after it.
type pathArc struct {
	to   Rank
	next place
	cost uint32 // of a single turn
}

// split is a look at the arc at a place.
type split struct {
	at           place
	low, high    Rank // its ends
	down         bool // it is travelled from high to low
	first, depth uint32
}

// Path appends to dst the edges of the path that Run found over top, from the
// one it began with to the one it ended with.
func (q *Query) Path(dst []graph.Edge, top Rank) []graph.Edge {
	u := &q.unpacker
	u.arcs, u.open = u.arcs[:0], u.open[:0]
	begin, last := place(none), place(none)
	from := top
	for high, low := range q.forward.down(q.t, top) { // against the direction of travel
		at := u.add(pathArc{to: high, next: begin}, split{low: low, high: high})
		if last == none {
			last = at
		}
		begin, from = at, low
	}
	for high, low := range q.backward.down(q.t, top) {
		at := u.add(pathArc{to: low, next: none}, split{low: low, high: high, down: true})
		if last == none {
			begin = at
		} else {
			u.arcs[last].next = at
		}
		last = at
	}
	u.split(q.t, q.m)
	dst, u.costs = append(dst, q.t.Edge[from]), u.costs[:0]
	for at := begin; at != none; at = u.arcs[at].next {
		dst, u.costs = append(dst, q.t.Edge[u.arcs[at].to]), append(u.costs, u.arcs[at].cost)
	}
	return dst
}

// add puts an arc into the path, to be looked at.
func (u *unpacker) add(a pathArc, look split) place {
	look.at = place(len(u.arcs))
	u.arcs = append(u.arcs, a)
	u.open = append(u.open, look)
	return look.at
}

// split puts in the place of each open arc its halves, and in theirs again. Both halves
// of a cheapest path are cheapest paths, so their arcs are in the metric.
func (u *unpacker) split(t *Topology, m *Metric) {
	for len(u.open) > 0 {
		for i := range u.open {
			s := &u.open[i]
			s.depth = t.Depth[s.high]
			s.first, _ = s.in(m).span(s.low)
		}
		for i := range u.open {
			s := &u.open[i]
			w := s.in(m)
			u.seen += uint32(w.arcs[s.first]) + uint32(w.via[s.first])
		}
		u.halves = u.halves[:0]
		for i := range u.open {
			s := &u.open[i]
			w := s.in(m)
			depth, cost := w.open(w.arcs[s.first])
			for depth != s.depth {
				s.first++
				depth, cost = w.open(w.arcs[s.first])
			}
			a := &u.arcs[s.at]
			mid := w.over(s.low, s.first)
			if mid == graph.None {
				a.cost = cost
				continue
			}
			// No cheapest path has an edge twice.
			if mid >= s.low || len(u.arcs) > len(t.Edge) {
				panic(damaged)
			}
			from, to := s.low, s.high
			if s.down {
				from, to = to, from
			}
			half := place(len(u.arcs))
			rest := pathArc{to: to, next: a.next}
			a.to, a.next = mid, half
			u.arcs = append(u.arcs, rest)
			u.halves = append(u.halves, split{at: s.at, low: mid, high: from, down: true}, split{at: half, low: mid, high: to})
		}
		u.open, u.halves = u.halves, u.open
	}
}

// in is the part of a metric that an arc is in, by whether it is travelled up or down.
func (s *split) in(m *Metric) *searchGraph {
	if s.down {
		return &m.backward
	}
	return &m.forward
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
