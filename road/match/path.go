package match

import (
	"context"
	"math"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// close ends the sequence: its most likely states become a match. A sequence of a
// single position gives no path, and the position stays unmatched.
func (q *Query) close(ctx context.Context) error {
	defer func() { q.layers, q.states = q.layers[:0], q.states[:0] }()
	if len(q.layers) < 2 {
		return nil
	}
	t := pathTracer{q: q, match: len(q.result.Matches)}
	end := q.layers[len(q.layers)-1]
	best := int32(end.first)
	for i := end.first; i < end.last; i++ {
		if q.states[i].cost < q.states[best].cost {
			best = int32(i)
		}
	}
	// Collect the states from the last to the first, then lay the path forwards.
	q.chosen = q.chosen[:0]
	for i := best; i >= 0; i = q.states[i].parent {
		q.chosen = append(q.chosen, i)
		if q.states[i].turnedRound {
			i = q.states[i].reverse
			q.chosen = append(q.chosen, i)
		}
	}
	score := q.states[best].cost
	for k, at := len(q.chosen)-1, 0; k >= 0; k-- {
		if k%checkPositions == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		i := q.chosen[k]
		if k < len(q.chosen)-1 && q.states[i].reverse == q.chosen[k+1] && q.states[i].turnedRound {
			t.turnRound(i)
			continue
		}
		t.arrive(i)
		t.spots = append(t.spots, pathPlace{layer: at, state: i, step: len(t.path) - 1, along: t.path[len(t.path)-1].End})
		at++
	}
	t.dropEmptySteps()
	t.setPlaces()
	q.result.Matches = append(q.result.Matches, Match{
		Path: t.path, First: q.layers[0].point, Last: end.point, Score: score,
	})
	return nil
}

// pathTracer lays the path through the chosen states.
type pathTracer struct {
	q     *Query
	match int
	path  graph.Path
	spots []pathPlace
	prev  int32
}

// pathPlace is where on the path a position is, of a layer one of its states.
type pathPlace struct {
	layer int
	state int32
	step  int
	along float64
}

// arrive lays the path from the last state to state i.
func (t *pathTracer) arrive(i int32) {
	q := t.q
	s := &q.states[i]
	if len(t.path) == 0 {
		t.path = append(t.path, graph.Step{Edge: s.edge, Begin: s.along, End: s.along})
		t.prev = i
		return
	}
	p := &q.states[t.prev]
	t.prev = i
	here := &t.path[len(t.path)-1]
	if p.edge == s.edge && (s.along-p.along)*q.g.EdgeLength(s.edge) >= -backwardSigmas*q.o.Sigma {
		here.End = max(here.End, s.along)
		return
	}
	next := &q.layers[t.spots[len(t.spots)-1].layer+1]
	limit := q.limit(next.straight)
	l := &q.local
	l.room()
	l.towards(targetAt(q.trace[next.point].At, s.metres))
	l.seed(0, p.edge, p.along, 0, limit)
	for {
		m, k := l.next()
		if m == nil {
			break // cannot happen: step found the same path
		}
		if q.g.Original(l.edge(m)) != s.edge {
			l.expand(k, limit)
			continue
		}
		here.End = 1
		q.edges = l.path(q.edges[:0], k)
		for _, e := range q.edges {
			t.path = append(t.path, graph.Step{Edge: e, End: 1})
		}
		t.path = append(t.path, graph.Step{Edge: l.edge(m), End: s.along})
		return
	}
}

// turnRound lays a turn on the spot into the edge of state i.
func (t *pathTracer) turnRound(i int32) {
	along := 1 - t.path[len(t.path)-1].End
	t.path = append(t.path, graph.Step{Edge: t.q.states[i].edge, Begin: along, End: along})
	t.prev = i
	t.spots[len(t.spots)-1].step++
	t.spots[len(t.spots)-1].along = along
}

// samePlace is the difference of two shares of an edge up to which they are one
// place.
const samePlace = 1e-9

// dropEmptySteps removes steps of no length, which noise leaves where a position
// lies at a node or a traveller seems to turn twice.
func (t *pathTracer) dropEmptySteps() {
	kept := t.path[:0]
	moved := make([]pathPlace, len(t.path)) // by old step: the new one; along is -1 where the old one was dropped
	for i, s := range t.path {
		n := len(kept)
		switch {
		case s.Begin < s.End && n > 0 && kept[n-1].Edge == s.Edge && math.Abs(kept[n-1].End-s.Begin) < samePlace:
			kept[n-1].End = s.End
		case s.Begin < s.End:
			kept = append(kept, s)
		}
		moved[i] = pathPlace{step: len(kept) - 1, along: -1}
		if s.Begin < s.End {
			moved[i].along = 0
		}
	}
	if len(kept) == 0 { // the traveller never moved
		kept = append(kept, t.path[0])
		for k := range t.spots {
			t.spots[k].step, t.spots[k].along = 0, kept[0].Begin
		}
		t.path = kept
		return
	}
	for k := range t.spots {
		s := &t.spots[k]
		to := moved[s.step]
		switch {
		case to.step < 0: // before the first step that moves
			s.step, s.along = 0, kept[0].Begin
		case to.along < 0: // where the step before it ends
			s.step, s.along = to.step, kept[to.step].End
		default:
			s.step = to.step
		}
	}
	t.path = kept
}

// setPlaces sets the Place of every position of the match.
func (t *pathTracer) setPlaces() {
	q := t.q
	for k, s := range t.spots {
		i := q.layers[s.layer].point
		q.result.Places[i] = t.placed(Matched, i, s)
		if k+1 == len(t.spots) {
			t.placeTrailing(i, s)
			break
		}
		// Positions in between lie on the path, none before its predecessor.
		from, to := s, t.spots[k+1]
		for j := i + 1; j < q.layers[to.layer].point; j++ {
			if best, metres := t.nearest(from, to, q.trace[j].At); metres <= q.o.Radius {
				from = best
				q.result.Places[j] = t.placed(Interpolated, j, best)
			}
		}
	}
}

// placeTrailing sets the Place of positions too near to the last one of a match.
func (t *pathTracer) placeTrailing(last int, s pathPlace) {
	q := t.q
	for j := last + 1; j < len(q.trace) && geo.Distance(q.trace[last].At, q.trace[j].At) < q.o.Interpolation; j++ {
		q.result.Places[j] = t.placed(Interpolated, j, s)
	}
}

func (t *pathTracer) placed(k Kind, i int, s pathPlace) Place {
	g := t.q.g
	p := Place{Kind: k, Match: t.match, Step: s.step, Along: s.along}
	if x := &t.q.states[s.state]; k == Matched && x.along == s.along && x.edge == g.Original(t.path[s.step].Edge) {
		p.At, p.Metres = x.at, x.metres
		return p
	}
	p.At = pointOn(g, t.path[s.step].Edge, s.along)
	p.Metres = geo.Distance(t.q.trace[i].At, p.At)
	return p
}

// nearest finds the place on the path between two others that is nearest to a
// point, and its distance.
func (t *pathTracer) nearest(from, to pathPlace, p geo.Point) (best pathPlace, metres float64) {
	least := math.Inf(1)
	for i := from.step; i <= to.step; i++ {
		begin, end := t.path[i].Begin, t.path[i].End
		if i == from.step {
			begin = from.along
		}
		if i == to.step {
			end = to.along
		}
		if along, off := nearestOn(t.q.g, t.path[i].Edge, begin, end, p); off < least {
			best, least = pathPlace{step: i, along: along}, off
		}
	}
	return best, least
}

// walk calls yield for each piece of an edge's line in the direction of travel:
// from a to b, at the shares from and to of its length.
func walk(g *graph.Graph, e graph.Edge, yield func(a, b geo.Point, from, to float64) bool) {
	line := g.SegmentShape(g.Segment(e))
	m := plane{at: line[0].Point(), scale: math.Cos(float64(line[0].Lat) / 1e7 * math.Pi / 180)}
	length := func(a, b geo.Fixed) float64 {
		ax, ay := m.to(a)
		bx, by := m.to(b)
		return math.Sqrt((bx-ax)*(bx-ax) + (by-ay)*(by-ay))
	}
	total := 1e-9
	for i := 1; i < len(line); i++ {
		total += length(line[i-1], line[i])
	}
	n, done := len(line)-1, 0.0
	for i := range n {
		a, b := i, i+1
		if g.Backward(e) {
			a, b = n-i, n-i-1
		}
		next := done + length(line[a], line[b])
		if !yield(line[a].Point(), line[b].Point(), done/total, next/total) {
			return
		}
		done = next
	}
}

// pointOn returns the point at a share of an edge's length.
func pointOn(g *graph.Graph, e graph.Edge, along float64) geo.Point {
	var at geo.Point
	walk(g, e, func(a, b geo.Point, from, to float64) bool {
		share := 1.0
		if to > from {
			share = max(0, min(1, (along-from)/(to-from)))
		}
		at = geo.Point{Lon: a.Lon + (b.Lon-a.Lon)*share, Lat: a.Lat + (b.Lat-a.Lat)*share}
		return along > to
	})
	return at
}

// nearestOn finds the place between two shares of an edge's length that is nearest
// to a point, and its distance.
func nearestOn(g *graph.Graph, e graph.Edge, begin, end float64, p geo.Point) (along, metres float64) {
	best := math.Inf(1)
	walk(g, e, func(a, b geo.Point, from, to float64) bool {
		if to < begin {
			return true
		}
		_, share, _ := geo.Nearest(p, a, b)
		at := max(begin, min(end, from+share*(to-from)))
		share = 0
		if to > from {
			share = (at - from) / (to - from)
		}
		foot := geo.Point{Lon: a.Lon + (b.Lon-a.Lon)*share, Lat: a.Lat + (b.Lat-a.Lat)*share}
		if off := geo.Distance(p, foot); off < best {
			along, best = at, off
		}
		return to < end
	})
	return along, best
}
