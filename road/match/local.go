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

type span struct{ first, last uint32 }

// arc is the turn from one edge into the next.
type arc struct {
	to      graph.Edge
	turn    float64 // metres
	metres  float64 // of the edge it leads to
	seconds float64 // of the edge it leads to
	ends    bool    // the edge it leads to may be used only as the last
}

// label is the path to the beginning of an edge.
type label struct {
	edge    graph.Edge
	parent  int32 // in labels; -1 where it follows the edge the search began on
	source  int32
	done    bool
	ends    bool
	key     float64 // weight plus the initial cost of the source
	weight  float64
	metres  float64 // travelled to the edge's beginning
	seconds float64
	length  float64 // of the edge
	pace    float64 // seconds it takes
}

// maxArcs is the number of arcs above which the cache is dropped, on a long trace.
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
func (l *localSearch) from(e graph.Edge) []arc {
	at, there := l.arcsOf.slot(e)
	if there {
		s := l.spans[l.arcsOf.value[at]]
		return l.arcs[s.first:s.last]
	}
	if len(l.arcs) > maxArcs {
		l.forget()
		at, _ = l.arcsOf.slot(e)
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
		a := arc{to: to, metres: g.EdgeLength(f), seconds: l.pace(f), ends: c.Excluded(f)}
		if branches || f == g.ByEdge[original].Opposite {
			off := g.TurnDegrees(original, f)
			a.turn = l.penalty[min(off, 360-off)]
		}
		l.arcs = append(l.arcs, a)
	}
	l.arcsOf.put(at, e, int32(len(l.spans)))
	l.spans = append(l.spans, span{uint32(first), uint32(len(l.arcs))})
	return l.arcs[first:]
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
	for i := range arcs {
		a := &arcs[i]
		l.improve(a, limit, -1, source, handicap+rest+a.turn, rest+a.turn, rest, seconds)
	}
}

// improve labels the edge that an arc leads to with a path, whose key, weight and
// so on are as in a label, unless it has a label as good.
func (l *localSearch) improve(a *arc, limit float64, parent, source int32, key, weight, metres, seconds float64) {
	if key > limit {
		return
	}
	at, there := l.labelOf.slot(a.to)
	if !there {
		i := int32(len(l.labels))
		l.labelOf.put(at, a.to, i)
		l.labels = append(l.labels, label{
			edge: a.to, parent: parent, source: source, ends: a.ends,
			key: key, weight: weight, metres: metres, seconds: seconds, length: a.metres, pace: a.seconds,
		})
		l.heap.Push(key, i)
		return
	}
	i := l.labelOf.value[at]
	if m := &l.labels[i]; !m.done && m.key > key {
		m.parent, m.source, m.key, m.weight, m.metres, m.seconds = parent, source, key, weight, metres, seconds
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
	edge, source, length := m.edge, m.source, m.length
	key, weight, metres, seconds := m.key+length, m.weight+length, m.metres+length, m.seconds+m.pace
	if m.ends || l.target.beyond(l.g.Position[l.g.ByEdge[edge].Head], limit-key) {
		return
	}
	arcs := l.from(edge)
	for k := range arcs {
		a := &arcs[k]
		l.improve(a, limit, i, source, key+a.turn, weight+a.turn, metres, seconds)
	}
}

// path appends the edges on the path to label i, its own edge excluded.
func (l *localSearch) path(dst []graph.Edge, i int32) []graph.Edge {
	from := len(dst)
	for i = l.labels[i].parent; i >= 0; i = l.labels[i].parent {
		dst = append(dst, l.labels[i].edge)
	}
	for a, b := from, len(dst)-1; a < b; a, b = a+1, b-1 {
		dst[a], dst[b] = dst[b], dst[a]
	}
	return dst
}
