package match

import (
	"math"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/heap"
	"github.com/waygate/waygate/road/profile"
)

// localSearch searches the neighbourhood of an edge: Dijkstra's algorithm over
// edges, for the paths of least weight, which is length in metres with a penalty
// for each turn. Its tables hold only the edges it touches, so that many short
// searches in a row stay in the processor's caches.
type localSearch struct {
	g       *graph.Graph
	c       *profile.Costing
	penalty [181]float64 // of a turn by whole degrees, in metres
	untimed bool         // no position has a time, so durations are not worked out

	omitExcluded bool // edges that the options exclude are not used at all

	// Cache of the arcs that leave the edges touched for this traveller.
	arcsOf table // by edge its place in spans
	spans  []span
	arcs   []arc

	labelOf table // by edge its label in labels
	labels  []label
	heap    heap.Heap[float64, int32] // labels by key
	target  target
}

type span struct{ first, last int32 }

// arc is the turn from one edge into the next, and what that one is like.
type arc struct {
	to      graph.Edge
	ends    bool    // that edge may be used only as the last
	turn    float64 // metres
	metres  float64 // of that edge
	seconds float64 // of that edge
	head    geo.Fixed
}

// label is the path to the beginning of an edge.
type label struct {
	arc     int32 // in arcs, that it comes by
	parent  int32 // in labels; -1 where it follows the edge the search began on
	source  int32
	done    bool
	key     float64 // weight plus the initial cost of the source
	weight  float64
	metres  float64 // travelled to the edge's beginning
	seconds float64
}

// maxArcs is the number of arcs above which the cache is dropped before the next
// search, on a long trace.
const maxArcs = 1 << 19

func (l *localSearch) begin(c *profile.Costing, o Options) {
	l.c, l.omitExcluded = c, o.OmitExcluded
	l.forget()
	straight := math.Exp(-180.0 / 45)
	for i := range l.penalty {
		l.penalty[i] = o.Turn * (math.Exp(-float64(180-i)/45) - straight)
	}
}

func (l *localSearch) forget() {
	l.arcsOf.clear()
	l.spans, l.arcs = l.spans[:0], l.arcs[:0]
}

func (l *localSearch) allowed(e graph.Edge) bool {
	return l.c.Allowed(e) && !(l.omitExcluded && l.c.Excluded(e))
}

// from gives the arcs that leave an edge.
func (l *localSearch) from(e graph.Edge) span {
	at, there := l.arcsOf.slot(e)
	if there {
		return l.spans[l.arcsOf.value[at]]
	}
	g, c := l.g, l.c
	first := len(l.arcs)
	n := g.ByEdge[e].Head
	original := g.Original(e)
	branches := g.FirstOut[n+1]-g.FirstOut[n] > 2
	for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
		if !l.allowed(f) || !c.MayTurn(e, f) {
			continue
		}
		to, ok := c.Follow(e, f)
		if !ok {
			continue
		}
		a := arc{to: to, metres: g.EdgeLength(f), seconds: l.pace(f), ends: c.Excluded(f), head: g.Position[g.ByEdge[to].Head]}
		if branches || f == g.ByEdge[original].Opposite {
			off := g.TurnDegrees(original, f)
			a.turn = l.penalty[min(off, 360-off)]
		}
		l.arcs = append(l.arcs, a)
	}
	l.arcsOf.put(at, e, int32(len(l.spans)))
	s := span{int32(first), int32(len(l.arcs))}
	l.spans = append(l.spans, s)
	return s
}

// pace is the time an edge takes in seconds, 0 with untimed.
func (l *localSearch) pace(e graph.Edge) float64 {
	if l.untimed {
		return 0
	}
	return l.c.Seconds(e)
}

// target is where a search leads: places within reach metres of a point.
type target struct {
	at    geo.Point
	x, y  float64 // metres a degree, one per cent too few: distances on the globe may be less than in the plane
	reach float64
}

func targetAt(at geo.Point, reach float64) target {
	return target{at, 0.99 * perDegree * math.Cos(at.Lat*math.Pi/180), 0.99 * perDegree, reach}
}

// beyond reports whether every path from a node to the target is longer than so
// many metres.
func (a *target) beyond(f geo.Fixed, metres float64) bool {
	if metres < 0 {
		return true
	}
	x, y := (float64(f.Lon)*1e-7-a.at.Lon)*a.x, (float64(f.Lat)*1e-7-a.at.Lat)*a.y
	metres += a.reach
	return x*x+y*y > metres*metres
}

// search begins a search towards a target.
func (l *localSearch) search(a target) {
	if len(l.arcs) > maxArcs {
		l.forget()
	}
	l.labelOf.clear()
	l.labels, l.heap, l.target = l.labels[:0], l.heap[:0], a
}

// seed adds a place on an edge that the search begins at, with an initial cost; it
// can leave the edge only at its head.
func (l *localSearch) seed(source int32, e graph.Edge, along, handicap, limit float64) {
	rest := l.g.EdgeLength(e) * (1 - along)
	if handicap+rest > limit {
		return
	}
	seconds := l.pace(e) * (1 - along)
	arcs := l.from(e)
	for k := arcs.first; k < arcs.last; k++ {
		turn := l.arcs[k].turn
		l.improve(k, limit, -1, source, handicap+rest+turn, rest+turn, rest, seconds)
	}
}

// improve labels the edge that arc k leads to with a path, whose key, weight and
// so on are as in a label, unless it has a label as good.
func (l *localSearch) improve(k int32, limit float64, parent, source int32, key, weight, metres, seconds float64) {
	if key > limit {
		return
	}
	to := l.arcs[k].to
	at, there := l.labelOf.slot(to)
	if !there {
		i := int32(len(l.labels))
		l.labelOf.put(at, to, i)
		l.labels = append(l.labels, label{arc: k, parent: parent, source: source, key: key, weight: weight, metres: metres, seconds: seconds})
		l.heap.Push(key, i)
		return
	}
	i := l.labelOf.value[at]
	if m := &l.labels[i]; !m.done && m.key > key {
		m.arc, m.parent, m.source, m.key, m.weight, m.metres, m.seconds = k, parent, source, key, weight, metres, seconds
		l.heap.Push(key, i)
	}
}

// next settles the edge of least key; nil where none is left.
func (l *localSearch) next() (*label, int32) {
	for len(l.heap) > 0 {
		i := l.heap.Pop().Value
		m := &l.labels[i]
		if m.done {
			continue
		}
		m.done = true
		return m, i
	}
	return nil, -1
}

// expand relaxes the arcs from a settled edge.
func (l *localSearch) expand(i int32, limit float64) {
	m := &l.labels[i]
	e := &l.arcs[m.arc]
	source, key, weight, metres, seconds := m.source, m.key+e.metres, m.weight+e.metres, m.metres+e.metres, m.seconds+e.seconds
	if e.ends || l.target.beyond(e.head, limit-key) {
		return
	}
	arcs := l.from(e.to)
	for k := arcs.first; k < arcs.last; k++ {
		turn := l.arcs[k].turn
		l.improve(k, limit, i, source, key+turn, weight+turn, metres, seconds)
	}
}

// edge is the edge that a label is at.
func (l *localSearch) edge(m *label) graph.Edge { return l.arcs[m.arc].to }

// path appends the edges on the path to label i, its own edge excluded.
func (l *localSearch) path(dst []graph.Edge, i int32) []graph.Edge {
	from := len(dst)
	for i = l.labels[i].parent; i >= 0; i = l.labels[i].parent {
		dst = append(dst, l.edge(&l.labels[i]))
	}
	for a, b := from, len(dst)-1; a < b; a, b = a+1, b-1 {
		dst[a], dst[b] = dst[b], dst[a]
	}
	return dst
}
