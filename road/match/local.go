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
// for each turn. Its tables have only the edges it touches, so that many short
// searches in a row stay in the processor's caches.
type localSearch struct {
	g       *graph.Graph
	c       *profile.Costing
	penalty [181]float64 // of a turn by whole degrees, in metres
	untimed bool         // no position has a time, so durations are not worked out

	omitExcluded bool // edges that the options exclude are not used at all

	// The edges that the searches of a trace have reached, for this traveller.
	numbers table // by edge its place in touched
	touched []touched
	arcs    []arc
	most    int // arcs above which all of it is dropped between searches

	labels []label
	heap   heap.Heap[float64, int32] // labels by key
	target target
	search uint32 // number of the search, counted anew for each trace
	step   uint32 // number of the layer that edges are aimed at for, counted likewise
}

// touched is an edge that a search has reached. Searches name it by its place in the list of
// these, so that they need not look it up.
type touched struct {
	edge        graph.Edge
	original    int32 // in touched
	first, last int32 // the arcs that leave it, last excluded; first is -1 until they are worked out
	ends        bool  // it may be used only as the last
	metres      float64
	seconds     float64 // that it takes
	head        geo.Fixed
	label       int32 // in labels, in the search of that number
	search      uint32
	state       int32 // that is on it, in the step of that number
	step        uint32
}

// arc is the turn from one edge into the next.
type arc struct {
	to   int32   // in touched
	turn float64 // metres
}

// label is the path to the beginning of an edge.
type label struct {
	edge    int32 // in touched
	parent  int32 // in labels; -1 where it follows the edge the search began on
	source  int32
	done    bool
	key     float64 // weight plus the initial cost of the source
	weight  float64
	metres  float64 // travelled to the edge's beginning
	seconds float64
}

// maxArcs is the usual number of arcs above which what was touched is dropped, on a long
// trace. A search goes no farther than Options.Breakage lets it.
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
	l.numbers.clear()
	l.touched, l.arcs = l.touched[:0], l.arcs[:0]
	l.search, l.step = 0, 0
}

// room drops what was touched if that is much, and with it the edges aimed at.
func (l *localSearch) room() {
	if len(l.arcs) > l.most {
		l.forget()
	}
}

// aim begins a step, whose searches look for the edges passed to aimAt.
func (l *localSearch) aim() {
	l.room()
	l.step++
}

// aimAt records that state j is on an edge.
func (l *localSearch) aimAt(e graph.Edge, j int32) {
	x := &l.touched[l.numberOf(e)]
	x.state, x.step = j, l.step
}

// targetState returns the state on an edge, or on the one it copies.
func (l *localSearch) targetState(number int32) (j int32, ok bool) {
	x := &l.touched[l.touched[number].original]
	return x.state, x.step == l.step
}

// numberOf returns the place of an edge in touched.
func (l *localSearch) numberOf(e graph.Edge) int32 {
	at, there := l.numbers.slot(e)
	if there {
		return l.numbers.value[at]
	}
	n, o := int32(len(l.touched)), l.g.Original(e)
	l.numbers.put(at, e, n)
	l.touched = append(l.touched, touched{
		edge: e, original: n, first: -1, ends: l.c.Excluded(o),
		metres: l.g.EdgeLength(o), seconds: l.pace(o), head: l.g.Position[l.g.ByEdge[e].Head],
	})
	if o != e {
		original := l.numberOf(o)
		l.touched[n].original = original
	}
	return n
}

func (l *localSearch) allowed(e graph.Edge) bool {
	return l.c.Allowed(e) && !(l.omitExcluded && l.c.Excluded(e))
}

// from returns the arcs that leave an edge, last excluded.
func (l *localSearch) from(number int32) (first, last int32) {
	if x := &l.touched[number]; x.first >= 0 {
		return x.first, x.last
	}
	g, c, e := l.g, l.c, l.touched[number].edge
	first = int32(len(l.arcs))
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
		a := arc{to: l.numberOf(to)}
		if branches || f == g.ByEdge[original].Opposite {
			off := g.TurnDegrees(original, f)
			a.turn = l.penalty[min(off, 360-off)]
		}
		l.arcs = append(l.arcs, a)
	}
	last = int32(len(l.arcs))
	l.touched[number].first, l.touched[number].last = first, last
	return first, last
}

// pace returns the time an edge takes in seconds, 0 with untimed.
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

// towards begins a search towards a target.
func (l *localSearch) towards(a target) {
	l.search++
	l.labels, l.heap, l.target = l.labels[:0], l.heap[:0], a
}

// seed adds a place on an edge that the search begins at, with an initial cost; it
// can leave the edge only at its head.
func (l *localSearch) seed(source int32, e graph.Edge, along, handicap, limit float64) {
	n := l.numberOf(e)
	x := &l.touched[n]
	rest, seconds := x.metres*(1-along), x.seconds*(1-along)
	if handicap+rest > limit {
		return
	}
	for k, last := l.from(n); k < last; k++ {
		a := l.arcs[k]
		l.improve(a.to, limit, -1, source, handicap+rest+a.turn, rest+a.turn, rest, seconds)
	}
}

// improve labels an edge with a path, whose key, weight and so on are as in a label,
// unless it has a label as good.
func (l *localSearch) improve(number int32, limit float64, parent, source int32, key, weight, metres, seconds float64) {
	if key > limit {
		return
	}
	x := &l.touched[number]
	if x.search != l.search {
		x.search, x.label = l.search, int32(len(l.labels))
		l.labels = append(l.labels, label{edge: number, parent: parent, source: source, key: key, weight: weight, metres: metres, seconds: seconds})
		l.heap.Push(key, x.label)
		return
	}
	if m := &l.labels[x.label]; !m.done && m.key > key {
		m.parent, m.source, m.key, m.weight, m.metres, m.seconds = parent, source, key, weight, metres, seconds
		l.heap.Push(key, x.label)
	}
}

// next settles the edge of least key; it returns nil if none is left.
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
	m := l.labels[i]
	x := &l.touched[m.edge]
	key, weight, metres, seconds := m.key+x.metres, m.weight+x.metres, m.metres+x.metres, m.seconds+x.seconds
	if x.ends || l.target.beyond(x.head, limit-key) {
		return
	}
	for k, last := l.from(m.edge); k < last; k++ {
		a := l.arcs[k]
		l.improve(a.to, limit, i, m.source, key+a.turn, weight+a.turn, metres, seconds)
	}
}

// edge returns the edge of a label.
func (l *localSearch) edge(m *label) graph.Edge { return l.touched[m.edge].edge }

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
