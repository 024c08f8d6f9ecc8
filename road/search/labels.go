package search

import (
	"math"
	"slices"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/heap"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
)

// labelSearch are the labels of a search from one end alone. With a clock an edge may
// have several, for to be there later may be cheaper. Nothing need be cleared
// between searches.
type labelSearch struct {
	g      *graph.Graph
	w      Weights
	clock  *overlay.Clock
	back   bool // the search is from the end
	labels []label
	first  []labelID // by edge: the newest of its labels, where the stamp is the round's
	stamp  []uint32
	round  uint32
	heap   heap.Heap[uint64, labelID]
	// With a clock costs are in 1024ths of a millisecond, so that what waiting
	// costs needs no rounding.
	shift uint
}

const waitShift = 10

// label is a way to have travelled an edge: from the start to its end or, where
// the search is from the end, from its start on.
type label struct {
	cost   uint64
	time   int64 // milliseconds on the clock: at the edge's end, or at its start
	edge   graph.Edge
	parent labelID // from root upwards the place it begins at, by number
	next   labelID // another label of the edge
	dead   bool    // one that is as good in all was found
	waited bool    // somewhere on the way
}

const root = 1 << 31

// labelID is the number of a label in tags.labels.
type labelID uint32

func newLabelSearch(g *graph.Graph) labelSearch {
	return labelSearch{g: g, first: make([]labelID, g.Edges()), stamp: make([]uint32, g.Edges())}
}

// begin forgets the last search.
func (q *labelSearch) begin(w Weights, clock *overlay.Clock) {
	if q.round++; q.round == 0 { // the stamps have come round
		clear(q.stamp)
		q.round = 1
	}
	q.w, q.clock, q.back, q.shift = w, clock, clock.Backwards(), 0
	if clock != nil {
		q.shift = waitShift
	}
	q.labels, q.heap = q.labels[:0], q.heap[:0]
}

// insert takes a label whose path costs rest more at the least, unless there is
// one as good; ok is whether it was taken.
func (q *labelSearch) insert(l label, rest uint64) (ok bool) {
	l.next = graph.None
	if q.stamp[l.edge] == q.round {
		at := &q.first[l.edge]
		for *at != graph.None {
			old := &q.labels[*at]
			if q.dominates(old, &l) {
				return false
			}
			if q.dominates(&l, old) {
				old.dead = true
				*at = old.next
				continue
			}
			at = &old.next
		}
		l.next = q.first[l.edge]
	}
	q.stamp[l.edge], q.first[l.edge] = q.round, labelID(len(q.labels))
	q.heap.Push(l.cost+rest, labelID(len(q.labels)))
	q.labels = append(q.labels, l)
	return true
}

// dominates reports whether going on from one label of an edge is never dearer than
// from another: it is cheaper by the time one would have to wait to be where
// the other is.
func (q *labelSearch) dominates(a, b *label) bool {
	if q.clock == nil || q.clock.Frozen {
		return a.cost <= b.cost
	}
	wait := b.time - a.time
	if q.back {
		wait = -wait
	}
	return wait >= 0 && a.cost+uint64(wait)*q.clock.Wait <= b.cost
}

// millis is the time that a part of an edge takes.
func (q *labelSearch) millis(e graph.Edge, share float64) int64 {
	if q.clock == nil {
		return 0
	}
	return millis(q.w.Seconds(e) * share)
}

func millis(seconds float64) int64 { return int64(math.Round(seconds * 1000)) }

// transition is the way over a turn.
type transition struct {
	edge   graph.Edge // turned into, a copy perhaps; of a search from the end, turned from
	cost   uint64     // of label, turn and waiting, as labels have it
	time   int64      // on the clock, after it
	wait   int64      // milliseconds
	turn   float64    // seconds the turn takes, with a clock
	waited bool
}

// turnInto turns from a label into the original f; ok is false where that is
// closed.
func (q *labelSearch) turnInto(l *label, f graph.Edge) (s transition, ok bool) {
	next, turn, ok := q.w.turn(q.g, l.edge, f)
	if !ok {
		return s, false
	}
	s = transition{edge: next, cost: l.cost + turn<<q.shift, time: l.time, waited: l.waited}
	if q.clock == nil {
		return s, true
	}
	when, open := q.clock.Enter(l.edge, f, l.time)
	if !open {
		return s, false
	}
	s.wait = when - l.time
	s.cost += uint64(s.wait) * q.clock.Wait
	s.turn = q.w.Costing.Turn(l.edge, f).Seconds
	s.time, s.waited = when+q.clock.Turning(s.turn, uint32(turn)), l.waited || s.wait > 0
	return s, true
}

// turnFrom turns from the edge e (a copy perhaps) into a label's.
func (q *labelSearch) turnFrom(e graph.Edge, l *label) (s transition, ok bool) {
	f := q.g.Original(l.edge)
	next, turn, ok := q.w.turn(q.g, e, f)
	if !ok || next != l.edge {
		return s, false
	}
	s = transition{edge: e, cost: l.cost + turn<<q.shift, time: l.time, waited: l.waited}
	if q.clock == nil {
		return s, true
	}
	s.turn = q.w.Costing.Turn(e, f).Seconds
	latest := l.time - q.clock.Turning(s.turn, uint32(turn))
	when, open := q.clock.Enter(e, f, latest)
	if !open {
		return s, false
	}
	s.wait = latest - when
	s.cost += uint64(s.wait) * q.clock.Wait
	s.time, s.waited = when, l.waited || s.wait > 0
	return s, true
}

// traverse is the label of an edge that a step leads along from end to end; ok is
// false where it may not be travelled.
func (q *labelSearch) traverse(s transition, parent labelID) (l label, ok bool) {
	o := q.g.Original(s.edge)
	w := q.w.edge(o)
	if w == profile.Forbidden {
		return l, false
	}
	took := q.millis(o, 1)
	if q.back {
		took = -took
	}
	return label{edge: s.edge, cost: s.cost + uint64(w)<<q.shift, time: s.time + took, parent: parent, waited: s.waited}, true
}

// completion is where a path is whole: at a place on an edge after or before a label,
// or on one edge that holds both ends.
type completion struct {
	from, to End
	label    labelID    // graph.None where the path has no more than one edge
	edge     graph.Edge // of the end the search is for, a copy perhaps
}

// path is the path over a join, whose first or, of a search from the end, last
// place is one of those given.
func (q *labelSearch) path(m completion, cost uint64, hub []End) Found {
	f := Found{From: m.from, To: m.to, Cost: cost >> q.shift}
	if m.label == graph.None {
		f.Edges = []graph.Edge{m.from.Edge}
		return f
	}
	at := m.label
	for ; at < root; at = q.labels[at].parent {
		f.Edges = append(f.Edges, q.labels[at].edge)
	}
	if q.back {
		f.Edges = slices.Insert(f.Edges, 0, m.from.Edge)
		f.To = hub[at-root]
		return f
	}
	slices.Reverse(f.Edges)
	f.Edges = append(f.Edges, m.edge)
	f.From = hub[at-root]
	return f
}
