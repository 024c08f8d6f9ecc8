package cch

import (
	"cmp"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/importer/network"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/cch/order"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
)

// plain is a graph as other programs have it: arcs between nodes, and turns
// that cost nothing. Its nodes stand where a road graph's hierarchy has edges,
// so their numbers have that type.
type plain struct {
	x, y   []int32 // by node
	first  []uint32
	head   []graph.Edge
	weight []uint32
}

// plainCar returns the part of a road graph that cars may use, one arc for parallel
// edges.
func plainCar(g *graph.Graph) *plain {
	c := profile.New(g, costing.Default(costing.Auto))
	net := Network(g)
	index := make([]graph.Edge, g.Nodes())
	for i := range index {
		index[i] = graph.None
	}
	p := &plain{}
	rankIndex := func(n graph.Node) graph.Edge {
		if index[n] == graph.None {
			index[n] = graph.Edge(len(p.x))
			p.x, p.y = append(p.x, net.X[n]), append(p.y, net.Y[n])
		}
		return index[n]
	}
	type arc struct {
		tail, head graph.Edge
		weight     uint32
	}
	var arcs []arc
	for e := range g.Base {
		if w := c.Edge(e); w != profile.Forbidden && g.ByEdge[e].Tail != g.ByEdge[e].Head {
			arcs = append(arcs, arc{rankIndex(g.ByEdge[e].Tail), rankIndex(g.ByEdge[e].Head), w})
		}
	}
	slices.SortFunc(arcs, func(a, b arc) int {
		return cmp.Or(cmp.Compare(a.tail, b.tail), cmp.Compare(a.head, b.head), cmp.Compare(a.weight, b.weight))
	})
	arcs = slices.CompactFunc(arcs, func(a, b arc) bool { return a.tail == b.tail && a.head == b.head })
	p.first = make([]uint32, len(p.x)+1)
	for _, a := range arcs {
		p.first[a.tail+1]++
		p.head, p.weight = append(p.head, a.head), append(p.weight, a.weight)
	}
	for i := range p.x {
		p.first[i+1] += p.first[i]
	}
	return p
}

// network returns the network to be dissected: every pair of neighbours once.
func (p *plain) network() order.Network {
	n := order.Network{X: p.x, Y: p.y}
	for v := range graph.Edge(len(p.x)) {
		for _, w := range p.head[p.first[v]:p.first[v+1]] {
			if _, both := slices.BinarySearch(p.head[p.first[w]:p.first[w+1]], v); v < w || !both {
				n.Roads = append(n.Roads, [2]graph.Node{graph.Node(v), graph.Node(w)})
			}
		}
	}
	return n
}

// nodes turns an order of roads into one of nodes: one end of each road of a
// cut parts the sides as well, the one that has more roads to cover.
func nodes(n order.Network, roads []graph.Segment) []graph.Edge {
	open := make([]int, len(n.X))
	ends := func(r graph.Segment) (a, b graph.Node) { return n.Roads[r][0], n.Roads[r][1] }
	at := make([]uint32, len(n.X)+1)
	for _, r := range n.Roads {
		at[r[0]+1]++
		at[r[1]+1]++
	}
	for i := range n.X {
		open[i] = int(at[i+1])
		at[i+1] += at[i]
	}
	list, next := make([]graph.Node, at[len(n.X)]), slices.Clone(at)
	for _, r := range n.Roads {
		list[next[r[0]]], list[next[r[1]]] = r[1], r[0]
		next[r[0]]++
		next[r[1]]++
	}
	placed := make([]bool, len(n.X))
	out := make([]graph.Edge, 0, len(n.X))
	for _, r := range slices.Backward(roads) {
		a, b := ends(r)
		if placed[a] || placed[b] {
			continue
		}
		if open[b] > open[a] {
			a = b
		}
		placed[a] = true
		out = append(out, graph.Edge(a))
		for _, w := range list[at[a]:at[a+1]] {
			open[w]--
		}
	}
	for v := range graph.Edge(len(n.X)) {
		if !placed[v] {
			out = append(out, v)
		}
	}
	slices.Reverse(out)
	return out
}

// contracted returns the topology of a plain graph, its nodes where a road graph's
// has edges.
func (p *plain) contracted(nodes []graph.Edge) *Topology {
	t := &Topology{Edge: nodes, Rank: make([]Rank, len(nodes))}
	for r, v := range nodes {
		t.Rank[v] = Rank(r)
	}
	return t.of(func(yield func(from, to graph.Edge)) {
		for v := range graph.Edge(len(nodes)) {
			for _, w := range p.head[p.first[v]:p.first[v+1]] {
				yield(v, w)
			}
		}
	})
}

// BenchmarkTurnFree measures the kernel on Delaware's roads for cars without
// turns, on one core: what RoutingKit's figures are for.
func BenchmarkTurnFree(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	p := plainCar(built(b, realdata.Delaware(b)))
	b.Logf("%d nodes, %d arcs", len(p.x), len(p.head))
	p.bench(b)
}

// cores runs a benchmark that reports the time of the processors as well: on a
// busy machine the clock on the wall measures who else is at work.
func cores(b *testing.B, name string, run func(i int)) {
	b.Run(name, func(b *testing.B) {
		start := processors()
		for i := 0; b.Loop(); i++ {
			run(i)
		}
		b.ReportMetric(float64((processors()-start).Nanoseconds())/float64(b.N), "cpu-ns/op")
	})
}

func (p *plain) bench(b *testing.B) {
	n := p.network()
	ranked := nodes(n, Dissected(n).Roads)
	cores(b, "order", func(int) {
		n := p.network()
		nodes(n, Dissected(n).Roads)
	})
	t := p.contracted(ranked)
	cores(b, "topology", func(int) { p.contracted(ranked) })
	b.Logf("%d arcs, %d high", len(t.Above), t.Height())
	weights := turnList{t, p.first, p.head, p.weight}
	cores(b, "customise", func(int) { t.basic(weights) })
	cores(b, "customise perfectly", func(int) { t.customised(weights) })
	m := t.customised(weights)
	rng := rand.New(rand.NewPCG(1, 2))
	pairs := make([][2]graph.Edge, 10_000)
	for i := range pairs {
		pairs[i] = [2]graph.Edge{graph.Edge(rng.IntN(len(p.x))), graph.Edge(rng.IntN(len(p.x)))}
	}
	q := NewQuery(t)
	ask := func(i int) (top Rank) {
		q.Begin(m)
		q.From(pairs[i%len(pairs)][0], 0)
		q.To(pairs[i%len(pairs)][1], 0)
		_, top = q.Run(Unreached)
		return top
	}
	cores(b, "query", func(i int) { ask(i) })
	var path []graph.Edge
	cores(b, "path", func(i int) {
		if top := ask(i); top != graph.None {
			path = q.Path(path[:0], top)
		}
	})
	lazy := NewPotential(t)
	cores(b, "one to 1000", func(i int) {
		lazy.begin(nil, Bound{Metric: m}, true)
		lazy.terms[0].targets.addSource(t.Rank[pairs[i%len(pairs)][0]], 0)
		lazy.terms[0].targets.searchUp(t, &m.forward, Unreached, nil)
		for _, pair := range pairs[:1000] {
			lazy.exact(t.Rank[pair[1]])
		}
	})
}

// built returns the road graph of an extract.
func built(tb testing.TB, extract string) *graph.Graph {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "graph")
	if _, _, err := network.Build(tb.Context(), network.Options{Sources: []string{extract}, Out: path}); err != nil {
		tb.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	s, err := region.ReadSection(graph.SectionName, data)
	if err != nil {
		tb.Fatal(err)
	}
	g, err := graph.Read(s)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}
