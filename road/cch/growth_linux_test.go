package cch

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"syscall"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/road/cch/order"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
)

// BenchmarkGrowth measures the hierarchy on networks of growing size: real
// ones, and squares of copies of one state that roads join from copy to copy.
// Times are those of one costing, cars with turns, and of the processors: a
// clock on the wall would measure who else is at work.
func BenchmarkGrowth(b *testing.B) {
	for _, name := range []string{"liechtenstein-bench", "newport-wales-20230613", "andorra-20211028", "malta-20180827", "delaware", "all-35-places"} {
		b.Run(name, func(b *testing.B) {
			extract := ""
			if name == "delaware" {
				extract = realdata.Delaware(b)
			} else {
				extract = realdata.File(b, "osm/"+name+".osm.pbf")
			}
			turnsOf(built(b, extract)).measure(b)
		})
	}
	var delaware *expanded
	for _, side := range []int{2, 3, 4} {
		b.Run(fmt.Sprintf("delaware %d x %d", side, side), func(b *testing.B) {
			if delaware == nil {
				delaware = turnsOf(built(b, realdata.Delaware(b)))
			}
			delaware.tiled(side).measure(b)
		})
	}
}

// expanded is a turn-expanded network without the roads' attributes: the edges
// of every segment, and the turns of every edge with their costs.
type expanded struct {
	net   order.Network
	edges [][]graph.Edge // by segment
	first []uint32       // by edge
	to    []graph.Edge   // by turn
	cost  []uint32       // by turn, Never where it is not allowed
}

// turnsOf takes the network that cars have out of a graph.
func turnsOf(g *graph.Graph) *expanded {
	x := &expanded{net: Network(g), edges: make([][]graph.Edge, g.Segments()), first: []uint32{0}}
	for s := range x.edges {
		e := g.Forward[s]
		x.edges[s] = []graph.Edge{e, g.ByEdge[e].Opposite}
	}
	for i, e := range g.CopyOf {
		s := g.Segment(e)
		x.edges[s] = append(x.edges[s], g.Base+graph.Edge(i))
	}
	c := profile.New(g, costing.Default(costing.Auto))
	m := c.Metric(profile.NewTurnIndex(g))
	for e := range graph.Edge(g.Edges()) {
		n, from := g.ByEdge[e].Head, g.Original(e)
		for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
			cost := uint32(Never)
			edge, turn := m.Edge(f), m.Turn(from, f)
			if _, ok := c.Follow(e, f); ok && m.Edge(from) != profile.Forbidden && edge != profile.Forbidden && turn != profile.Forbidden {
				cost = plus(edge, turn)
			}
			x.to, x.cost = append(x.to, g.Follow(e, f)), append(x.cost, cost)
		}
		x.first = append(x.first, uint32(len(x.to)))
	}
	return x
}

// bridges is how many roads join two copies that lie side by side.
const bridges = 24

// tiled returns a square of copies.
func (x *expanded) tiled(side int) *expanded {
	nodes, segments, edges := graph.Node(len(x.net.X)), graph.Segment(len(x.edges)), graph.Edge(len(x.first)-1)
	west, east := extent(x.net.X)
	south, north := extent(x.net.Y)
	out := &expanded{first: []uint32{0}}
	extra := map[graph.Edge][]graph.Edge{} // turns of an edge onto a bridge
	type bridge struct{ from, to graph.Segment }
	var joins []bridge
	for k := range side * side {
		dx, dy := int32(k)%int32(side)*(east-west), int32(k)/int32(side)*(north-south)
		for i := range x.net.X {
			out.net.X, out.net.Y = append(out.net.X, x.net.X[i]+dx), append(out.net.Y, x.net.Y[i]+dy)
		}
		for s, r := range x.net.Roads {
			out.net.Roads = append(out.net.Roads, [2]graph.Node{r[0] + graph.Node(k)*nodes, r[1] + graph.Node(k)*nodes})
			list := make([]graph.Edge, len(x.edges[s]))
			for i, e := range x.edges[s] {
				list[i] = e + graph.Edge(k)*edges
			}
			out.edges = append(out.edges, list)
		}
	}
	// A bridge leads from the far end of a segment to that of another.
	join := func(a, b graph.Segment, k, l int) {
		joins = append(joins, bridge{a + graph.Segment(k)*segments, b + graph.Segment(l)*segments})
	}
	eastern, western := x.rim(x.net.X, x.net.Y, false), x.rim(x.net.X, x.net.Y, true)
	northern, southern := x.rim(x.net.Y, x.net.X, false), x.rim(x.net.Y, x.net.X, true)
	for k := range side * side {
		for i := range bridges {
			if k%side+1 < side {
				join(eastern[i], western[i], k, k+1)
			}
			if k/side+1 < side {
				join(northern[i], southern[i], k, k+side)
			}
		}
	}
	// Each bridge has two edges: edges lead onto the one from segment a and off
	// it to segment b, and back over the other.
	next := edges * graph.Edge(side*side)
	after := map[graph.Edge][]graph.Edge{}
	for _, j := range joins {
		a, b := out.edges[j.from], out.edges[j.to]
		out.net.Roads = append(out.net.Roads, [2]graph.Node{out.net.Roads[j.from][1], out.net.Roads[j.to][1]})
		out.edges = append(out.edges, []graph.Edge{next, next + 1})
		extra[a[0]], after[next] = append(extra[a[0]], next), []graph.Edge{b[1]}
		extra[b[0]], after[next+1] = append(extra[b[0]], next+1), []graph.Edge{a[1]}
		next += 2
	}
	for k := range graph.Edge(side * side) {
		for e := range edges {
			for i := x.first[e]; i < x.first[e+1]; i++ {
				out.to, out.cost = append(out.to, x.to[i]+k*edges), append(out.cost, x.cost[i])
			}
			for _, f := range extra[e+k*edges] {
				out.to, out.cost = append(out.to, f), append(out.cost, 60_000)
			}
			out.first = append(out.first, uint32(len(out.to)))
		}
	}
	for e := edges * graph.Edge(side*side); e < next; e++ {
		for _, f := range after[e] {
			out.to, out.cost = append(out.to, f), append(out.cost, 20_000)
		}
		out.first = append(out.first, uint32(len(out.to)))
	}
	return out
}

func extent(values []int32) (least, most int32) {
	least, most = values[0], values[0]
	for _, v := range values {
		least, most = min(least, v), max(most, v)
	}
	return least, most
}

// rim returns the segments, open to cars in both directions, that reach furthest
// to one side in bands across.
func (x *expanded) rim(reach, across []int32, least bool) [bridges]graph.Segment {
	from, to := extent(across)
	var best [bridges]graph.Segment
	var found [bridges]bool
	for s, r := range x.net.Roads {
		if !x.open(x.edges[s][0]) || !x.open(x.edges[s][1]) {
			continue
		}
		band := int(int64(across[r[1]]-from) * bridges / (int64(to-from) + 1))
		v, old := reach[r[1]], reach[x.net.Roads[best[band]][1]]
		if !found[band] || (v < old) == least && v != old {
			best[band], found[band] = graph.Segment(s), true
		}
	}
	for i := range best {
		if !found[i] && i > 0 {
			best[i] = best[i-1]
		}
	}
	return best
}

// open reports whether cars may go on from an edge.
func (x *expanded) open(e graph.Edge) bool {
	for i := x.first[e]; i < x.first[e+1]; i++ {
		if x.cost[i] != Never {
			return true
		}
	}
	return false
}

// measure reports what the hierarchy of a network takes.
func (x *expanded) measure(b *testing.B) {
	for range b.N {
		x.measureOnce(b)
	}
}

func (x *expanded) measureOnce(b *testing.B) {
	edges := float64(len(x.first) - 1)
	b.ReportMetric(edges, "edges")
	var d *order.Dissection
	took, peak := watch(func() { d = Dissected(x.net) })
	b.ReportMetric(took.Seconds(), "s/order")
	b.ReportMetric(peak/edges, "B/edge-order")
	widest := 0
	for _, l := range d.Levels {
		widest = max(widest, l.Cut)
	}
	b.ReportMetric(float64(widest), "widest-cut")
	var t *Topology
	took, peak = watch(func() { t = x.contracted(d.Roads) })
	b.ReportMetric(took.Seconds(), "s/topology")
	b.ReportMetric(peak/edges, "B/edge-topology-peak")
	size := 4*(len(t.Edge)+len(t.Rank)+len(t.Tree)+len(t.First)+len(t.TurnAt)) + 2*(len(t.Depth)+len(t.Above)) + len(t.TurnArc)
	b.ReportMetric(float64(size)/edges, "B/edge-topology")
	b.ReportMetric(float64(len(t.Above))/edges, "arcs/edge")
	b.ReportMetric(float64(t.Height()), "height")
	var m *Metric
	took, _ = watch(func() { m = t.customised(turnList{t, x.first, x.to, x.cost}) })
	b.ReportMetric(took.Seconds(), "s/customise")
	size = int(m.Bytes())
	b.ReportMetric(float64(size)/edges, "B/edge-metric")
	q, r := NewQuery(t), rand.New(rand.NewPCG(1, 2))
	const asked = 5000
	found := 0
	var path []graph.Edge
	draw := func() graph.Edge {
		for {
			if e := graph.Edge(r.IntN(len(x.first) - 1)); x.open(e) {
				return e
			}
		}
	}
	pairs := make([][2]graph.Edge, asked)
	for i := range pairs {
		pairs[i] = [2]graph.Edge{draw(), draw()}
	}
	run := func(pair [2]graph.Edge) (top Rank) {
		q.Begin(m)
		q.From(pair[0], 0)
		q.To(pair[1], 0)
		_, top = q.Run(Unreached)
		return top
	}
	search, _ := watch(func() {
		for _, pair := range pairs {
			run(pair)
		}
	})
	all, _ := watch(func() {
		for _, pair := range pairs {
			if top := run(pair); top != graph.None {
				path = q.Path(path[:0], top)
				found++
			}
		}
	})
	b.ReportMetric(float64(search.Microseconds())/asked, "us/query")
	b.ReportMetric(float64(all.Microseconds())/asked, "us/path")
	b.ReportMetric(100*float64(found)/asked, "%found")
}

// contracted returns the topology.
func (x *expanded) contracted(segments []graph.Segment) *Topology {
	t := &Topology{Rank: make([]Rank, len(x.first)-1)}
	for _, s := range segments {
		t.Edge = append(t.Edge, x.edges[s]...)
	}
	for r, e := range t.Edge {
		t.Rank[e] = Rank(r)
	}
	return t.of(func(yield func(from, to graph.Edge)) {
		for e := range graph.Edge(len(x.first) - 1) {
			for _, f := range x.to[x.first[e]:x.first[e+1]] {
				yield(e, f)
			}
		}
	})
}

// watch runs something and gives the time of the processors and how far the
// heap grew meanwhile, garbage included.
func watch(run func()) (took time.Duration, grown float64) {
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	read := func() float64 {
		metrics.Read(heap)
		return float64(heap[0].Value.Uint64())
	}
	runtime.GC()
	before := read()
	most, stop, done := before, make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for tick := time.NewTicker(5 * time.Millisecond); ; {
			select {
			case <-stop:
				tick.Stop()
				return
			case <-tick.C:
				most = max(most, read())
			}
		}
	}()
	start := processors()
	run()
	took = processors() - start
	close(stop)
	<-done
	return took, max(most, read()) - before
}

func processors() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
