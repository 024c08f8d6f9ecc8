package cch

import (
	"iter"
	"slices"

	"github.com/waygate/waygate/road/cch/searchgraph"
	"github.com/waygate/waygate/road/graph"
)

// unpacker splits the arcs of a path into those of single turns. In a region that is larger
// than a processor's caches nearly every arc is read from memory, and its position is known
// only once the arc that it is a half of has been read. So the unpacker reads all known arcs
// in rounds, and the processor waits for many of them at once.
type unpacker struct {
	arcs   []pathArc // linked in the order of travel
	open   []split   // of those that may have halves
	halves []split   // of the arcs found in this round
	whole  []wholeArc
	steps  []step   // of the paths of the search, but for the first edge of each
	known  [2][]run // of the arcs by which the searches came to a place, for paths that have them in common
	costs  []uint32 // of all edges but the first of the path unpacked last, with the turn into each
	seen   uint32   // uses what is read ahead, so that the compiler does not leave the reads out
}

// pathArc is an arc of a path, by the rank that it leads to, and the place of the one
// that is travelled after it.
type pathArc struct {
	to   Rank
	next rankIndex
	cost uint32 // of a single turn
}

// split is a look at the arc at a place.
type split struct {
	at           rankIndex
	low, high    Rank // its ends
	down         bool // it is travelled from high to low
	first, depth uint32
}

// wholeArc is an arc of a path of the searches: that of the search from the start, which is
// number 0, or of the other, to a place.
type wholeArc struct {
	search int
	at     rankIndex
}

// run is where steps follow one another, empty if they are not unpacked yet.
type run struct{ begin, end uint32 }

// step is an edge of a path, and what it costs with the turn into it.
type step struct {
	edge graph.Edge
	cost uint32
}

// forget prepares for a new search, whose paths share nothing with those before.
func (u *unpacker) forget() {
	u.steps, u.known[0], u.known[1] = u.steps[:0], u.known[0][:0], u.known[1][:0]
}

// remember lets the paths of the last search share the arcs that were unpacked before.
func (q *Query) remember() {
	for i, s := range q.sides() {
		list := slices.Grow(q.unpacker.known[i][:0], len(s.visits))[:len(s.visits)]
		clear(list)
		q.unpacker.known[i] = list
	}
}

func (q *Query) sides() [2]*side { return [2]*side{&q.forward, &q.backward} }

// Path appends to dst the edges of the path that Run found over top, from the
// one it began with to the one it ended with.
func (q *Query) Path(dst []graph.Edge, top Rank) []graph.Edge {
	u, sides := &q.unpacker, q.sides()
	u.arcs, u.open, u.whole, u.costs = u.arcs[:0], u.open[:0], u.whole[:0], u.costs[:0]
	for i, s := range sides {
		for at := range s.down(q.t, top) {
			u.whole = append(u.whole, wholeArc{i, at})
		}
		if i == 0 { // that one went against the direction of travel
			slices.Reverse(u.whole)
		}
	}
	first := top
	for i, x := range u.whole {
		s := sides[x.search]
		high, low := s.visits[x.at].rank, s.visits[s.visits[x.at].parent].rank
		if i == 0 && x.search == 0 {
			first = low
		}
		if u.runOf(x).end > 0 {
			continue
		}
		look := split{at: rankIndex(len(u.arcs)), low: low, high: high, down: x.search == 1}
		to := high
		if look.down {
			to = low
		}
		u.open, u.arcs = append(u.open, look), append(u.arcs, pathArc{to: to, next: none})
	}
	u.split(q.t, q.m)
	dst = append(dst, q.t.Edge[first])
	begin := rankIndex(0)
	for _, x := range u.whole {
		r := u.runOf(x)
		if r.end == 0 {
			r.begin = uint32(len(u.steps))
			for at := begin; at != none; at = u.arcs[at].next {
				u.steps = append(u.steps, step{q.t.Edge[u.arcs[at].to], u.arcs[at].cost})
			}
			r.end = uint32(len(u.steps))
			begin++
			if list := u.known[x.search]; int(x.at) < len(list) {
				list[x.at] = r
			}
		}
		for _, s := range u.steps[r.begin:r.end] {
			dst, u.costs = append(dst, s.edge), append(u.costs, s.cost)
		}
	}
	return dst
}

// runOf returns the steps that an arc was unpacked to, if it was.
func (u *unpacker) runOf(x wholeArc) run {
	if list := u.known[x.search]; int(x.at) < len(list) {
		return list[x.at]
	}
	return run{}
}

// split replaces each open arc by its halves, and these in turn. Both halves of a cheapest
// path are cheapest paths, so their arcs are in the metric.
func (u *unpacker) split(t *Topology, m *Metric) {
	for len(u.open) > 0 {
		for i := range u.open {
			s := &u.open[i]
			s.depth = uint32(t.Depth[s.high])
			s.first, _ = s.in(m).Span(s.low)
		}
		for i := range u.open {
			s := &u.open[i]
			w := s.in(m)
			u.seen += uint32(w.Arcs[s.first]) + uint32(w.Via[s.first])
		}
		u.halves = u.halves[:0]
		for i := range u.open {
			s := &u.open[i]
			w := s.in(m)
			depth, cost := w.Open(w.Arcs[s.first])
			for depth != s.depth {
				s.first++
				depth, cost = w.Open(w.Arcs[s.first])
			}
			a := &u.arcs[s.at]
			mid := w.Middle(s.low, s.first)
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
			half := rankIndex(len(u.arcs))
			rest := pathArc{to: to, next: a.next}
			a.to, a.next = mid, half
			u.arcs = append(u.arcs, rest)
			u.halves = append(u.halves, split{at: s.at, low: mid, high: from, down: true}, split{at: half, low: mid, high: to})
		}
		u.open, u.halves = u.halves, u.open
	}
}

// in returns the part of a metric that an arc is in, by whether it is travelled up or down.
func (s *split) in(m *Metric) *searchgraph.Graph {
	if s.down {
		return &m.backward
	}
	return &m.forward
}

// down yields the places of the path to a rank visited, from that one down to the last
// before a source: those to which an arc leads.
func (s *side) down(t *Topology, top Rank) iter.Seq[rankIndex] {
	return func(yield func(at rankIndex) bool) {
		at, _ := s.find(top, int32(t.Depth[top]))
		for s.visits[at].parent != none {
			if !yield(at) {
				return
			}
			below := s.visits[at].parent
			if s.visits[below].rank >= s.visits[at].rank {
				panic(damaged)
			}
			at = below
		}
	}
}
