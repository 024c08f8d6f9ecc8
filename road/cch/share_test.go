package cch

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/cch/searchgraph"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search"
)

// shareArc is an arc as it is put, with its measure.
type shareArc struct {
	depth, cost uint32
	via         Rank
	search.Measure
}

// TestArcsAsShared reads the arcs of several kinds out of the lists that they share:
// each other kind's are those of the first, some of them changed in one thing.
func TestArcsAsShared(t *testing.T) {
	shared, long, farthest := 0, 0, 0
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
		above := 0
		if seed%5 == 0 {
			above = 70_000
		}
		first := drawArcs(rng, above)
		kinds := [][][]shareArc{first, changed(rng, first), changed(rng, first), first, first}
		var s sharing
		var all []regionMetric
		end := [2]measured{{&searchgraph.Graph{}, &measures{}}, {&searchgraph.Graph{}, &measures{}}}
		sum := 0
		for k, arcs := range kinds {
			x, as := asMade(t, arcs), costing.Auto
			if k == 4 {
				as = costing.Bicycle // travels at other speeds
			}
			if err := s.add(as, x, k == 4); err != nil {
				t.Fatal(err)
			}
			for i, w := range x.directions() {
				e := end[i]
				e.Arcs, e.Via, e.Wide = append(e.Arcs, w.Arcs...), append(e.Via, w.Via...), append(e.Wide, w.Wide...)
				e.FarAt, e.Far, e.Farthest = append(e.FarAt, w.FarAt...), append(e.Far, w.Far...), append(e.Farthest, w.Farthest...)
				e.of.join(*w.of)
				sum += int(w.Alone[0].Arcs)
				long += len(w.LongBlocks)
				farthest += len(w.Farthest)
			}
			all = append(all, x)
		}
		shared += sum - len(end[0].Arcs) - len(end[1].Arcs)
		for k, x := range all {
			want := asMade(t, kinds[k]).directions()
			for i, w := range x.directions() {
				w.Arcs, w.Via, w.Wide = end[i].Arcs, end[i].Via, end[i].Wide
				w.FarAt, w.Far, w.Farthest = end[i].FarAt, end[i].Far, end[i].Farthest
				w.of = end[i].of
				for v := range Rank(len(first)) {
					if !w.sameArcs(v, want[i]) {
						t.Fatalf("seed %d: kind %d has other arcs%s of rank %d than were put", seed, k, directionNames[i], v)
					}
				}
			}
			if k == 3 && len(x.metric.forward.Blocks) > 0 && !slices.Equal(x.metric.forward.LongBlocks, all[0].metric.forward.LongBlocks) {
				t.Errorf("seed %d: the long blocks of the same arcs are others", seed)
			}
		}
	}
	if shared < 10000 || long == 0 || farthest < 100 {
		t.Errorf("%d arcs were shared, %d blocks were long, %d paths led over ranks far below", shared, long, farthest)
	}
}

// drawArcs draws arcs by rank, with none up to a rank.
func drawArcs(rng *rand.Rand, above int) [][]shareArc {
	costs := []uint32{0, 1, searchgraph.MostWeight, searchgraph.MostWeight + 1, 1 << 30, Never - 1}
	all := make([][]shareArc, above+1+rng.IntN(1500))
	for v := above; v < len(all); v++ {
		n := rng.IntN(6)
		if v/100%3 == 1 { // some of whose blocks have more than a byte counts
			n = rng.IntN(80)
		}
		for _, depth := range rng.Perm(searchgraph.MostHeight)[:n] {
			a := shareArc{uint32(depth), costs[rng.IntN(len(costs))], graph.None, search.Measure{Millis: rng.Uint32() >> rng.IntN(32), Decimetres: rng.Uint32() >> rng.IntN(32)}}
			if below := rng.IntN(v + 1); below > 0 {
				a.via = Rank(v - below)
			}
			all[v] = append(all[v], a)
		}
	}
	return all
}

// changed are arcs of which one in some hundred has another depth, cost, way or measure,
// or is gone.
func changed(rng *rand.Rand, all [][]shareArc) [][]shareArc {
	all = slices.Clone(all)
	for v := range all {
		all[v] = slices.Clone(all[v])
		for i := range all[v] {
			if rng.IntN(200) > 0 {
				continue
			}
			a := &all[v][i]
			switch rng.IntN(6) {
			case 0:
				a.depth ^= 1
			case 1:
				a.cost = (a.cost + 1) % Never
			case 2:
				a.via = Rank(rng.IntN(v + 1))
				if a.via == Rank(v) {
					a.via = graph.None
				}
			case 3:
				a.Millis ^= 1
			case 4:
				a.Decimetres ^= 1
			default:
				all[v] = slices.Delete(all[v], i, i+1)
			}
			break
		}
	}
	return all
}

// asMade puts arcs into both directions.
func asMade(t *testing.T, all [][]shareArc) regionMetric {
	t.Helper()
	arcs := slices.Concat(all...)
	m := &Metric{searchgraph.New(len(all), len(arcs)), searchgraph.New(len(all), len(arcs))}
	for _, w := range m.directions() {
		n := 0
		for v, of := range all {
			for _, a := range of {
				n += w.SetArc(n, Rank(v), a.depth, a.cost, a.via)
			}
			w.End(Rank(v), n)
		}
		if err := w.Trim(); err != nil {
			t.Fatal(err)
		}
	}
	list := func(n int) measures {
		p := packing{all: n}
		for i := range n {
			p.add(arcs[i].Measure)
		}
		return p.end()
	}
	x := &Measures{up: list(len(arcs)), down: list(len(arcs)), own: paged{measures: list(0)}}
	return regionMetric{m, x}
}
