package search

import (
	"math"
	"slices"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/heap"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/sparse"
)

// labelSearch has the labels of a search from one end. With a clock an edge may
// have several, as arriving there later may be cheaper in the end.
type labelSearch struct {
	g      *graph.Graph
	w      Weights
	clock  *overlay.Clock
	back   bool // the search is from the end of paths, against the direction of travel
	labels []label
	first  sparse.Table[labelID] // by edge: the newest of its labels plus 1, 0 where it has none
	heap   heap.Heap[uint64, labelID]
	// shift is how many bits costs are shifted left: with a clock they are in
	// 1024ths of a millisecond, so that the cost of waiting needs no rounding.
	shift uint
}

const waitShift = 10

// label is a path from the start to the end of an edge or, where the search is
// from the end, a path from the start of an edge to the end.
type label struct {
	cost   uint64
	time   int64 // milliseconds on the clock: at the edge's end, or at its start
	edge   graph.Edge
	parent labelID // the label before; root plus i where the path begins at place i
	next   labelID // another label of the edge plus 1, 0 where there is none
	dead   bool    // dominated by a label found later
	waited bool    // somewhere on the path
}

const root = 1 << 31

// labelID is the number of a label in labelSearch.labels.
type labelID uint32

func newLabelSearch(g *graph.Graph) labelSearch {
	return labelSearch{g: g}
}

// begin starts a new search.
func (q *labelSearch) begin(w Weights, clock *overlay.Clock) {
	q.first.Reset()
	q.w, q.clock, q.back, q.shift = w, clock, clock.Backwards(), 0
	if clock != nil {
		q.shift = waitShift
	}
	q.labels, q.heap = q.labels[:0], q.heap[:0]
}

// insert adds a label unless another dominates it, and reports whether it did.
// rest is a lower bound on the cost from the label to the search's goal.
func (q *labelSearch) insert(l label, rest uint64) (ok bool) {
	first := q.first.At(uint32(l.edge))
	for at := first; *at != 0; {
		old := &q.labels[*at-1]
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
	l.next, *first = *first, labelID(len(q.labels)+1)
	q.heap.Push(l.cost+rest, labelID(len(q.labels)))
	q.labels = append(q.labels, l)
	return true
}

// dominates reports whether every way to go on from label b of an edge is as cheap
// from label a of the same edge: a is cheaper than b by at least the cost of
// waiting until b's time.
func (q *labelSearch) dominates(a, b *label) bool {
	wait := b.time - a.time
	if q.back {
		wait = -wait
	}
	if q.clock == nil || q.clock.Frozen {
		return a.cost < b.cost || a.cost == b.cost && wait >= 0
	}
	return wait >= 0 && a.cost+uint64(wait)*q.clock.Wait <= b.cost
}

// part returns the time of a part of an edge, with the cost as labels have it, for a traveller who
// comes to it at a time or, in a search against time, is at its end then.
func (q *labelSearch) part(e graph.Edge, share float64, at int64) Travel {
	if q.clock == nil {
		return Travel{Cost: q.w.part(e, share)}
	}
	return q.w.Travel(q.clock, e, share, at)
}

func millis(seconds float64) int64 { return int64(math.Round(seconds * 1000)) }

// transition is a turn from a label, waiting included.
type transition struct {
	edge   graph.Edge // turned into (a copy perhaps) or, in a search from the end, turned from
	cost   uint64     // of label, turn and waiting, as labels have it
	time   int64      // on the clock, after turn and waiting
	wait   int64      // milliseconds
	turn   float64    // seconds the turn takes, with a clock
	waited bool
}

// turnInto turns from a label into the original f; ok is false where turn or edge
// stay closed.
func (q *labelSearch) turnInto(l *label, f graph.Edge) (s transition, ok bool) {
	if q.clock == nil {
		next, turn, ok := q.w.turn(q.g, l.edge, f)
		return transition{edge: next, cost: l.cost + turn, time: l.time, waited: l.waited}, ok
	}
	next, ok := q.w.Costing.Follow(l.edge, f)
	if !ok {
		return s, false
	}
	when, open := q.clock.Enter(l.edge, f, l.time)
	if !open {
		return s, false
	}
	turn := q.w.Turn(l.edge, f)
	wait := when - l.time
	return transition{
		edge: next, cost: l.cost + uint64(turn.Cost)<<q.shift + uint64(wait)*q.clock.Wait, time: when + q.clock.TurnMillis(turn.Seconds, turn.Cost),
		wait: wait, turn: turn.Seconds, waited: l.waited || wait > 0,
	}, turn.Cost != profile.Forbidden
}

// turnFrom turns from edge e (a copy perhaps) into that of a label, in a search from
// the end.
func (q *labelSearch) turnFrom(e graph.Edge, l *label) (s transition, ok bool) {
	f := q.g.Original(l.edge)
	if q.clock == nil {
		next, turn, ok := q.w.turn(q.g, e, f)
		return transition{edge: e, cost: l.cost + turn, time: l.time, waited: l.waited}, ok && next == l.edge
	}
	if next, ok := q.w.Costing.Follow(e, f); !ok || next != l.edge {
		return s, false
	}
	turn := q.w.Turn(e, f)
	if turn.Cost == profile.Forbidden {
		return s, false
	}
	latest := l.time - q.clock.TurnMillis(turn.Seconds, turn.Cost)
	when, open := q.clock.Enter(e, f, latest)
	if !open {
		return s, false
	}
	wait := latest - when
	return transition{
		edge: e, cost: l.cost + uint64(turn.Cost)<<q.shift + uint64(wait)*q.clock.Wait, time: when,
		wait: wait, turn: turn.Seconds, waited: l.waited || wait > 0,
	}, true
}

// traverse returns the label after travelling the whole edge of a transition; ok is
// false where that is forbidden.
func (q *labelSearch) traverse(s transition, parent labelID) (l label, ok bool) {
	o := q.g.Original(s.edge)
	w := q.w.edge(o)
	if w == profile.Forbidden {
		return l, false
	}
	cost, took := uint64(w)<<q.shift, int64(0)
	switch {
	case q.clock.Limited(o):
		x := q.w.Travel(q.clock, o, 1, s.time)
		cost, took = x.Cost, x.Millis
	case q.clock != nil:
		took = millis(q.w.Seconds(o))
	}
	if q.back {
		took = -took
	}
	return label{edge: s.edge, cost: s.cost + cost, time: s.time + took, parent: parent, waited: s.waited}, true
}

// completion is the last piece of a path found: from a label to a place the search
// is for, or the whole path where that stays on one edge.
type completion struct {
	from, to End
	label    labelID    // graph.None where the path stays on one edge
	edge     graph.Edge // with that place, a copy perhaps
}

// path returns the path that a completion ends. hub are the places the search began
// at.
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
