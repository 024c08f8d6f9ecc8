package link

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/openlr"
	"github.com/waygate/waygate/road/snap"
)

func open(tb testing.TB) (*graph.Graph, *snap.Tree) {
	tb.Helper()
	r := regiontest.Open(tb, importertest.County(tb))
	g, err := graph.Open(r)
	if err != nil {
		tb.Fatal(err)
	}
	tree, err := snap.Open(r)
	if err != nil {
		tb.Fatal(err)
	}
	return g, tree
}

func joinerOf(g *graph.Graph, tree *snap.Tree) *Joiner {
	return NewJoiner(g, tree, func(way int64) (list []graph.Edge) {
		for s, id := range g.WayID {
			if id == way {
				list = append(list, g.Forward[s], g.ByEdge[g.Forward[s]].Opposite)
			}
		}
		return list
	})
}

// drivable draws edges that cars may use both ends of.
func drivable(g *graph.Graph, n int) []graph.Edge {
	r := rand.New(rand.NewPCG(5, 6))
	var list []graph.Edge
	for len(list) < n {
		e := graph.Edge(r.IntN(int(g.Base)))
		if g.ByEdge[e].Access&graph.Auto != 0 && g.EdgeLength(e) > 40 && g.BySegment[g.Segment(e)].Use == graph.Road {
			list = append(list, e)
		}
	}
	return list
}

func holds(paths []graph.Path, e graph.Edge) bool {
	return slices.ContainsFunc(paths, func(p graph.Path) bool {
		return slices.ContainsFunc(p, func(s graph.Step) bool { return s.Edge == e })
	})
}

// TestFind checks that edges are found by every kind of reference, in their own direction
// alone where the reference has one.
func TestFind(t *testing.T) {
	g, tree := open(t)
	j, x := joinerOf(g, tree), openlr.NewEncoder(g)
	found := map[string]int{}
	edges := drivable(g, 200)
	for _, e := range edges {
		line := g.AppendShape(nil, e)
		ruler := geo.NewRuler(line)
		middle := ruler.At(ruler.Length() / 2)
		places := map[string]Place{
			"way":   {Way: g.WayID[g.Segment(e)], Dir: Both},
			"line":  {Line: shifted(line, 4)},
			"both":  {Line: shifted(line, 4), Dir: Both},
			"point": {Line: []geo.Point{middle.Point}, Heading: &middle.Bearing},
			"any":   {Line: []geo.Point{middle.Point}},
		}
		if l, err := x.Encode([]graph.Edge{e}); err == nil {
			code, err := l.AppendBinary(nil)
			if err != nil {
				t.Fatal(err)
			}
			places["OpenLR"] = Place{OpenLR: code}
		}
		for name, p := range places {
			paths, err := j.Find(t.Context(), &p)
			if err == nil && holds(paths, e) {
				found[name]++
			}
			directed := name == "line" || name == "point" || name == "OpenLR"
			if directed && g.ByEdge[e].Opposite != e && holds(paths, g.ByEdge[e].Opposite) && !holds(paths, e) {
				t.Errorf("%s of edge %d means only the other direction", name, e)
			}
		}
	}
	for name, n := range found {
		if n < len(edges)*95/100 {
			t.Errorf("%d of %d edges were found by %s", n, len(edges), name)
		}
	}
	if len(found) != 6 {
		t.Errorf("found by %v", found)
	}
}

// shifted returns a line so many metres beside another.
func shifted(line []geo.Point, metres float64) []geo.Point {
	out := make([]geo.Point, len(line))
	for i, p := range line {
		out[i] = geo.Destination(p, 77, metres)
	}
	return out
}

func TestFindNothing(t *testing.T) {
	g, tree := open(t)
	j := joinerOf(g, tree)
	for name, p := range map[string]Place{
		"nowhere": {}, "far": {Line: []geo.Point{{Lon: 100, Lat: 10}}}, "a line far off": {Line: []geo.Point{{Lon: 100, Lat: 10}, {Lon: 100.1, Lat: 10}}},
		"too long": {Line: []geo.Point{{Lon: -170, Lat: 10}, {Lon: 100.1, Lat: 10}}}, "no code": {OpenLR: []byte{1, 2, 3}}, "no way": {Way: 1},
	} {
		if paths, err := j.Find(t.Context(), &p); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v, %v", name, paths, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := drivable(g, 1)[0]
	if _, err := j.Find(ctx, &Place{Line: g.AppendShape(nil, e)}); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context ended: %v", err)
	}
}

// TestSegments compares the joined speeds with a walk over the edges.
func TestSegments(t *testing.T) {
	g, _ := open(t)
	r := rand.New(rand.NewPCG(7, 8))
	var list []Segment
	want := map[graph.Edge]Speed{}
	var nodes []int64
	for e := range g.Base {
		nodes = g.AppendNodes(nodes[:0], e)
		kmh := uint8(r.IntN(120))
		if r.IntN(3) > 0 || slices.Contains(nodes, 0) {
			continue
		}
		at := uint32(1000 + r.IntN(100))
		for i := 1; i < len(nodes); i++ {
			list = append(list, Segment{nodes[i-1], nodes[i], kmh, at})
		}
		want[e] = Speed{e, kmh, at}
	}
	r.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	got, err := Segments(t.Context(), g, list)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(got, func(a, b Speed) int { return cmp.Compare(a.Edge, b.Edge) })
	wrong := 0
	for _, s := range got {
		if w, ok := want[s.Edge]; !ok || w != s {
			wrong++ // of two edges between the same nodes
		}
	}
	if len(want) == 0 || wrong > len(want)/50 || len(got) < len(want)*98/100 {
		t.Errorf("%d speeds of %d, %d wrong", len(got), len(want), wrong)
	}
}

func TestSegmentsInPart(t *testing.T) {
	g, _ := open(t)
	var nodes []int64
	for e := range g.Base {
		if nodes = g.AppendNodes(nodes[:0], e); len(nodes) != 3 || nodes[1] == 0 || g.Backward(e) {
			continue
		}
		line := g.AppendShape(nil, e)
		longer := 0
		if geo.Distance(line[1], line[2]) > geo.Distance(line[0], line[1]) {
			longer = 1
		}
		count := func(i int, kmh uint8) int {
			got, err := Segments(t.Context(), g, []Segment{{From: nodes[i], To: nodes[i+1], Kmh: kmh}})
			if err != nil {
				t.Fatal(err)
			}
			return len(got)
		}
		if count(longer, 30) != 1 || count(1-longer, 30) != 0 || count(1-longer, 0) != 1 {
			t.Errorf("the longer part tells %d speeds, the shorter %d, closed %d", count(longer, 30), count(1-longer, 30), count(1-longer, 0))
		}
		lists, err := Nodes(t.Context(), g, [][]int64{{1, 2}, nodes})
		if err != nil || len(lists[0]) != 0 || !slices.Contains(lists[1], e) {
			t.Errorf("by nodes: %v, %v", lists, err)
		}
		return
	}
	t.Fatal("no edge of three nodes")
}
