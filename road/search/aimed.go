package search

import (
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
)

// Bound tells what a path must still cost, at the least, once an edge (a copy
// perhaps) has been travelled; for a search from the end, what it must have
// cost before the edge is. Unreachable means that no path exists.
type Bound func(edge uint32) uint64

// Unreachable is the bound of an edge that no path is over.
const Unreachable = math.MaxUint64

// Aimed finds cheapest paths from one end alone, led by a bound on what is
// still to come (A*; with the potentials of a hierarchy, Strasser and Zeitz,
// "A Fast and Tight Heuristic for A* in Road Networks", 2021). The tighter the
// bound, the less it looks at; it is exact with any. With a clock, edges and
// turns are open at times only, and the traveller waits before what is closed.
// For one goroutine at a time, to be used again and again on the same graph.
type Aimed struct {
	g      *graph.Graph
	w      Weights
	clock  *overlay.Clock
	bound  Bound
	back   bool // the search is from the end
	labels []label
	first  []uint32 // by edge: the newest of its labels, where the stamp is the round's
	stamp  []uint32
	round  uint32
	heap   heap
	// With a clock costs are in 1024ths of a millisecond, so that what waiting
	// costs needs no rounding.
	shift uint
	ends  struct{ from, to []End }

	best    uint64
	meeting join
	Settled int // labels settled by the last search, for measuring
}

const waitShift = 10

// label is a way to have travelled an edge: from the start to its end or, where
// the search is from the end, from its start on.
type label struct {
	cost   uint64
	time   int64 // milliseconds on the clock: at the edge's end, or at its start
	edge   uint32
	parent uint32 // from root upwards the place it begins at, by number
	next   uint32 // another label of the edge
	dead   bool   // one that is as good in all was found
}

const root = 1 << 31

// NewAimed gives a search over a graph.
func NewAimed(g *graph.Graph) *Aimed {
	return &Aimed{g: g, first: make([]uint32, g.Edges()), stamp: make([]uint32, g.Edges())}
}

// Journey is what a search is asked for.
type Journey struct {
	Weights  Weights
	Clock    *overlay.Clock // nil where no time was told: all that is closed at times is open
	Bound    Bound          // nil is no bound
	From, To []End
}

// Shortest finds the cheapest path from any of the places from to any of the
// places to; ok is false where there is none. Waiting costs what the clock says.
// The error is the context's.
func (q *Aimed) Shortest(ctx context.Context, j Journey) (f Found, ok bool, err error) {
	if ctx.Err() != nil {
		return Found{}, false, ctx.Err()
	}
	q.begin(j)
	for n := 1; len(q.heap.items) > 0; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return Found{}, false, ctx.Err()
		}
		top := q.heap.pop()
		if top.cost >= q.best {
			break
		}
		if q.labels[top.edge].dead {
			continue
		}
		q.Settled++
		if q.back {
			q.settleBack(top.edge, j.From)
		} else {
			q.settle(top.edge, j.To)
		}
	}
	if q.best == unreached {
		return Found{}, false, nil
	}
	return q.found(), true, nil
}

func (q *Aimed) begin(j Journey) {
	if q.round++; q.round == 0 { // the stamps have come round
		clear(q.stamp)
		q.round = 1
	}
	q.w, q.clock, q.bound, q.best, q.Settled = j.Weights, j.Clock, j.Bound, unreached, 0
	q.back, q.shift = q.clock.Backwards(), 0
	if q.clock != nil {
		q.shift = waitShift
	}
	q.labels, q.heap.items = q.labels[:0], q.heap.items[:0]
	q.ends.from, q.ends.to = j.From, j.To
	for i, s := range j.From {
		for _, t := range j.To {
			if q.w.joins(s, t) {
				q.meet((q.w.part(s.Edge, t.Along-s.Along)+uint64(s.Extra)+uint64(t.Extra))<<q.shift, join{from: s, to: t, label: graph.None})
			}
		}
		if !q.back && q.w.leaves(s) {
			q.add(label{edge: s.Edge, cost: (q.w.part(s.Edge, 1-s.Along) + uint64(s.Extra)) << q.shift, time: q.millis(s.Edge, 1-s.Along), parent: root + uint32(i)}, 0)
		}
	}
	if !q.back {
		return
	}
	for i, t := range j.To {
		if !q.w.arrives(t) {
			continue
		}
		l := label{edge: t.Edge, cost: (q.w.part(t.Edge, t.Along) + uint64(t.Extra)) << q.shift, time: -q.millis(t.Edge, t.Along), parent: root + uint32(i)}
		q.add(l, 0)
		n := q.g.Head[t.Edge]
		for _, x := range q.g.Copies[q.g.CopyAt[n]:q.g.CopyAt[n+1]] {
			if q.g.Original(x) == t.Edge {
				l.edge = x
				q.add(l, 0)
			}
		}
	}
}

// join is where a path is whole: at a place on an edge after or before a label,
// or on one edge that holds both ends.
type join struct {
	from, to End
	label    uint32 // graph.None where the path has no more than one edge
	edge     uint32 // of the end the search is for, a copy perhaps
}

func (q *Aimed) meet(cost uint64, m join) {
	if cost < q.best {
		q.best, q.meeting = cost, m
	}
}

// add makes a label, unless there is one as good, with a bound on the rest.
func (q *Aimed) add(l label, rest uint64) {
	if rest == Unreachable {
		return
	}
	rest <<= q.shift
	if l.cost+rest >= q.best {
		return
	}
	l.next = graph.None
	if q.stamp[l.edge] == q.round {
		at := &q.first[l.edge]
		for *at != graph.None {
			old := &q.labels[*at]
			if q.beats(old, &l) {
				return
			}
			if q.beats(&l, old) {
				old.dead = true
				*at = old.next
				continue
			}
			at = &old.next
		}
		l.next = q.first[l.edge]
	}
	q.stamp[l.edge], q.first[l.edge] = q.round, uint32(len(q.labels))
	q.heap.push(l.cost+rest, uint32(len(q.labels)))
	q.labels = append(q.labels, l)
}

// beats reports whether going on from one label of an edge is never dearer than
// from another: it is cheaper by the time one would have to wait to be where
// the other is.
func (q *Aimed) beats(a, b *label) bool {
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
func (q *Aimed) millis(e uint32, share float64) int64 {
	if q.clock == nil {
		return 0
	}
	return millis(q.w.Seconds(e) * share)
}

func millis(seconds float64) int64 { return int64(math.Round(seconds * 1000)) }

// turning is the time that a turn takes on the clock.
func (q *Aimed) turning(e, f uint32, cost uint64) int64 {
	return q.clock.Turning(q.w.Costing.Turn(e, f).Seconds, uint32(cost))
}

func (q *Aimed) rest(e uint32) uint64 {
	if q.bound == nil {
		return 0
	}
	return q.bound(e)
}

// settle goes on from a label.
func (q *Aimed) settle(at uint32, to []End) {
	g, l := q.g, q.labels[at]
	n := g.Head[l.edge]
	for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
		next, turn, ok := q.w.turn(g, l.edge, f)
		if !ok {
			continue
		}
		cost, time := l.cost+turn<<q.shift, l.time
		if q.clock != nil {
			when, open := q.clock.Enter(l.edge, f, l.time)
			if !open {
				continue
			}
			cost += uint64(when-l.time) * q.clock.Wait
			time = when + q.turning(l.edge, f, turn)
		}
		for _, t := range to {
			if t.Edge == f && q.w.arrives(t) {
				q.meet(cost+(q.w.part(f, t.Along)+uint64(t.Extra))<<q.shift, join{to: t, label: at, edge: next})
			}
		}
		if w := q.w.edge(f); w != profile.Forbidden {
			q.add(label{edge: next, cost: cost + uint64(w)<<q.shift, time: time + q.millis(f, 1), parent: at}, q.rest(next))
		}
	}
}

// settleBack goes on from a label against the direction of travel.
func (q *Aimed) settleBack(at uint32, from []End) {
	g, n := q.g, q.g.Tail[q.labels[at].edge]
	for out := g.FirstOut[n]; out < g.FirstOut[n+1]; out++ {
		q.before(g.Opposite[out], at, from)
	}
	for _, e := range g.Copies[g.CopyAt[n]:g.CopyAt[n+1]] {
		q.before(e, at, from)
	}
}

// before goes on from a label to an edge (a copy perhaps) that leads to its
// own.
func (q *Aimed) before(e, at uint32, from []End) {
	l := q.labels[at]
	f := q.g.Original(l.edge)
	next, turn, ok := q.w.turn(q.g, e, f)
	if !ok || next != l.edge {
		return
	}
	cost, time := l.cost+turn<<q.shift, l.time
	if q.clock != nil {
		latest := l.time - q.turning(e, f, turn)
		when, open := q.clock.Enter(e, f, latest)
		if !open {
			return
		}
		cost += uint64(latest-when) * q.clock.Wait
		time = when
	}
	for _, s := range from {
		if s.Edge == e && q.w.leaves(s) {
			q.meet(cost+(q.w.part(e, 1-s.Along)+uint64(s.Extra))<<q.shift, join{from: s, label: at})
		}
	}
	if w := q.w.edge(q.g.Original(e)); w != profile.Forbidden {
		o := q.g.Original(e)
		q.add(label{edge: e, cost: cost + uint64(w)<<q.shift, time: time - q.millis(o, 1), parent: at}, q.rest(e))
	}
}

// found is the path over the meeting.
func (q *Aimed) found() Found {
	m := q.meeting
	f := Found{From: m.from, To: m.to, Cost: q.best >> q.shift}
	if m.label == graph.None {
		f.Edges = []uint32{m.from.Edge}
		return f
	}
	at := m.label
	for ; at < root; at = q.labels[at].parent {
		f.Edges = append(f.Edges, q.labels[at].edge)
	}
	if q.back {
		f.Edges = slices.Insert(f.Edges, 0, m.from.Edge)
		f.To = q.ends.to[at-root]
		return f
	}
	slices.Reverse(f.Edges)
	f.Edges = append(f.Edges, m.edge)
	f.From = q.ends.from[at-root]
	return f
}
