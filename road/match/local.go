package match

import (
	"math"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
)

// local is a search of the neighbourhood of an edge: Dijkstra over edges with
// turns, for the ways of least weight, which is length with a penalty for each
// turn. Its tables hold only what it touches, so that many short searches in a
// row stay in the processor's caches.
type local struct {
	g       *graph.Graph
	c       *profile.Costing
	penalty [129]float64 // of a turn by 256ths of a circle, in metres

	// The arcs of the edges touched so far for this traveller.
	known table // edge to its place in spans
	spans []span
	arcs  []arc

	labels table // edge to its label in reached
	marks  []label
	heap   []entry
	aim    aim
}

type span struct{ first, last uint32 }

// arc is the way on from one edge into the next.
type arc struct {
	to      uint32
	turn    float64 // metres
	metres  float64 // of the edge it leads to
	seconds float64 // of the edge it leads to
	ends    bool    // the edge it leads to may be used only as the last
}

// label is what is known of an edge: how its beginning is reached.
type label struct {
	edge    uint32
	parent  int32 // in marks; -1 where it follows the edge the search began on
	source  int32
	done    bool
	ends    bool
	key     float64 // weight and the source's handicap
	weight  float64
	metres  float64 // travelled to the edge's beginning
	seconds float64
	length  float64 // of the edge
	pace    float64 // seconds it takes
}

type entry struct {
	key   float64
	label int32
}

// mostArcs bounds what is remembered of the roads along a long trace.
const mostArcs = 1 << 19

func (l *local) begin(c *profile.Costing, turn float64) {
	l.c = c
	l.forget()
	straight := math.Exp(-180.0 / 45)
	for i := range l.penalty {
		off := float64(i) * 360 / 256
		l.penalty[i] = turn * (math.Exp(-(180-off)/45) - straight)
	}
}

func (l *local) forget() {
	l.known.clear()
	l.spans, l.arcs = l.spans[:0], l.arcs[:0]
}

func (l *local) allowed(e uint32) bool { return l.c.Allowed(e) }

// from gives the arcs that leave an edge.
func (l *local) from(e uint32) []arc {
	at, there := l.known.slot(e)
	if there {
		s := l.spans[l.known.value[at]]
		return l.arcs[s.first:s.last]
	}
	if len(l.arcs) > mostArcs {
		l.forget()
		at, _ = l.known.slot(e)
	}
	g, c := l.g, l.c
	first := len(l.arcs)
	n := g.Head[e]
	original := g.Original(e)
	bends := g.FirstOut[n+1]-g.FirstOut[n] > 2
	for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
		if !c.Allowed(f) || !c.MayTurn(e, f) {
			continue
		}
		to, ok := c.Follow(e, f)
		if !ok {
			continue
		}
		a := arc{to: to, metres: g.EdgeLength(f), seconds: c.Seconds(f), ends: c.Excluded(f)}
		if bends || f == g.Opposite[original] {
			off := g.Out[f] - g.In[original]
			a.turn = l.penalty[min(int(off), 256-int(off))]
		}
		l.arcs = append(l.arcs, a)
	}
	l.known.put(at, e, int32(len(l.spans)))
	l.spans = append(l.spans, span{uint32(first), uint32(len(l.arcs))})
	return l.arcs[first:]
}

// aim bounds a search: it is for places within reach metres of a point.
type aim struct {
	at    geo.Point
	scale float64 // of a degree of longitude against one of latitude
	reach float64
}

func aimAt(at geo.Point, reach float64) aim {
	return aim{at, math.Cos(at.Lat * math.Pi / 180), reach}
}

// least bounds from below how far it is from a node to where a search is for.
func (a *aim) least(f geo.Fixed) float64 {
	x, y := (float64(f.Lon)/1e7-a.at.Lon)*a.scale, float64(f.Lat)/1e7-a.at.Lat
	return max(0, 0.99*perDegree*math.Sqrt(x*x+y*y)-a.reach) // the plane is not the globe
}

// search begins a search for places that an aim holds.
func (l *local) search(a aim) {
	l.labels.clear()
	l.marks, l.heap, l.aim = l.marks[:0], l.heap[:0], a
}

// seed lets the search begin at a place on an edge, which can be left only at
// its head. Many may begin together, each with a handicap.
func (l *local) seed(source int32, e uint32, along, handicap, limit float64) {
	rest, seconds := l.g.EdgeLength(e)*(1-along), l.c.Seconds(e)*(1-along)
	if handicap+rest > limit {
		return
	}
	for _, a := range l.from(e) {
		l.improve(a, limit, label{parent: -1, source: source, key: handicap + rest + a.turn, weight: rest + a.turn, metres: rest, seconds: seconds})
	}
}

func (l *local) improve(a arc, limit float64, to label) {
	if to.key > limit {
		return
	}
	to.edge, to.ends, to.length, to.pace = a.to, a.ends, a.metres, a.seconds
	at, there := l.labels.slot(a.to)
	if !there {
		i := int32(len(l.marks))
		l.labels.put(at, a.to, i)
		l.marks = append(l.marks, to)
		l.push(to.key, i)
		return
	}
	i := l.labels.value[at]
	if m := &l.marks[i]; !m.done && m.key > to.key {
		*m = to
		l.push(to.key, i)
	}
}

// next settles the edge of least key; nil where none is left.
func (l *local) next() (*label, int32) {
	for len(l.heap) > 0 {
		e := l.pop()
		m := &l.marks[e.label]
		if m.done {
			continue
		}
		m.done = true
		return m, e.label
	}
	return nil, -1
}

// expand goes on from a settled edge.
func (l *local) expand(i int32, limit float64) {
	m := l.marks[i]
	if m.ends || m.key+m.length+l.aim.least(l.g.Position[l.g.Head[m.edge]]) > limit {
		return
	}
	for _, a := range l.from(m.edge) {
		w := m.length + a.turn
		l.improve(a, limit, label{parent: i, source: m.source, key: m.key + w, weight: m.weight + w, metres: m.metres + m.length, seconds: m.seconds + m.pace})
	}
}

// path appends the edges that lead to a label's, that one excluded.
func (l *local) path(dst []uint32, i int32) []uint32 {
	from := len(dst)
	for i = l.marks[i].parent; i >= 0; i = l.marks[i].parent {
		dst = append(dst, l.marks[i].edge)
	}
	for a, b := from, len(dst)-1; a < b; a, b = a+1, b-1 {
		dst[a], dst[b] = dst[b], dst[a]
	}
	return dst
}

func (l *local) push(key float64, label int32) {
	l.heap = append(l.heap, entry{key, label})
	h, i := l.heap, len(l.heap)-1
	for i > 0 {
		parent := (i - 1) / 4
		if h[parent].key <= key {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = entry{key, label}
}

func (l *local) pop() entry {
	h := l.heap
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	l.heap = h
	n, i := len(h), 0
	if n == 0 {
		return top
	}
	for {
		child := 4*i + 1
		if child >= n {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, n); c++ {
			if h[c].key < h[least].key {
				least = c
			}
		}
		if h[least].key >= last.key {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = last
	return top
}
