package embedded_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/towntest"
)

// noded is a line with the node of each of its points, 0 where there is none.
type noded struct {
	line  []geo.Point
	nodes []int64
}

// nodesOf asks for a route's nodes in OSRM's format.
func nodesOf(t *testing.T, e *embedded.Engine, r engine.RouteRequest) noded {
	t.Helper()
	r.Format, r.Geometries, r.Overview, r.Annotations = engine.OSRM, "geojson", "full", engine.AnnotateNodes
	text, err := written(e, &r)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Routes []struct {
			Geometry struct{ Coordinates [][2]float64 }
			Legs     []struct{ Annotation struct{ Nodes []*int64 } }
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	var n noded
	for _, c := range got.Routes[0].Geometry.Coordinates {
		n.line = append(n.line, geo.Point{Lon: c[0], Lat: c[1]})
	}
	for _, id := range got.Routes[0].Legs[0].Annotation.Nodes {
		if id == nil {
			n.nodes = append(n.nodes, 0)
		} else {
			n.nodes = append(n.nodes, *id)
		}
	}
	if len(n.nodes) != len(n.line) {
		t.Fatalf("%d nodes for %d points: %s", len(n.nodes), len(n.line), text)
	}
	return n
}

// Every point of a line has its node, those of bends too; ends within a road
// have none.
func TestNodesOfARoute(t *testing.T) {
	town := towntest.Draw(t, `
		a--b     e--f
		    \   /
		     c-d
		       |
		       g`,
		towntest.Ways{{"abcdef", "primary"}, {"dg", "residential"}})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	at := func(from, to geo.Point) engine.RouteRequest {
		return engine.RouteRequest{Costing: costing.Auto, Locations: []engine.Location{{Point: from}, {Point: to}}}
	}
	for _, c := range []struct {
		what     string
		from, to geo.Point
		want     string // 0 for none
	}{
		{"from end to end", town.Point("a"), town.Point("f"), "abcdef"},
		{"and back", town.Point("f"), town.Point("a"), "fedcba"},
		{"ends within a road", town.Between("a", "b", 0.5), town.Between("e", "f", 0.5), "0bcde0"},
		{"and back", town.Between("e", "f", 0.5), town.Between("a", "b", 0.5), "0edcb0"},
		{"within one piece", town.Between("a", "b", 0.2), town.Between("a", "b", 0.8), "00"},
		{"over one bend", town.Between("a", "b", 0.2), town.Between("b", "c", 0.8), "0b0"},
		{"by another road", town.Point("a"), town.Point("g"), "abcdg"},
	} {
		var want []int64
		for _, name := range c.want {
			if name == '0' {
				want = append(want, 0)
			} else {
				want = append(want, town.NodeID(string(name)))
			}
		}
		if got := nodesOf(t, e, at(c.from, c.to)); !slices.Equal(got.nodes, want) {
			t.Errorf("%s: %v, want %v", c.what, got.nodes, want)
		}
	}
}

// TestNodesOfRealRoutes follows routes through the extract: where the line has
// a node it is there, and each leads to the next along some way.
func TestNodesOfRealRoutes(t *testing.T) {
	extract := realdata.File(t, "osm/liechtenstein-bench.osm.pbf")
	e := open(t, extract)
	at, next := map[int64]geo.Point{}, map[[2]int64]bool{}
	if _, err := osm.Scan(context.Background(), extract, osm.Options{SkipRelations: true}, func(b *osm.Block) error {
		for _, n := range b.Nodes {
			at[n.ID] = geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point()
		}
		for _, w := range b.Ways {
			for i := 1; i < len(w.Nodes); i++ {
				next[[2]int64{w.Nodes[i-1], w.Nodes[i]}], next[[2]int64{w.Nodes[i], w.Nodes[i-1]}] = true, true
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	points := 0
	for _, p := range pairs(t)[:300] {
		for _, by := range []costing.Costing{costing.Auto, costing.Pedestrian} {
			n := nodesOf(t, e, *p.request(t, by))
			for i, id := range n.nodes {
				switch last := len(n.nodes) - 1; {
				case id == 0 && i > 0 && i < last:
					t.Fatalf("%v to %v: point %d of %d has no node", p.from, p.to, i, last)
				case id == 0:
					continue
				case geo.Distance(at[id], n.line[i]) > 0.2:
					t.Fatalf("%v to %v: node %d is at %v, the line at %v", p.from, p.to, id, at[id], n.line[i])
				case i > 0 && n.nodes[i-1] != 0 && !next[[2]int64{n.nodes[i-1], id}]:
					t.Fatalf("%v to %v: no way leads from node %d to node %d", p.from, p.to, n.nodes[i-1], id)
				}
				points++
			}
		}
	}
	t.Logf("%d points", points)
}

// TestNodesAgainstOSRM compares with a recorded answer of the real engine,
// which begins a node or two before ours: its ends are nodes too.
func TestNodesAgainstOSRM(t *testing.T) {
	raw, err := os.ReadFile(realdata.Beside(t, "peers/osrm/examples/03_route_annotations.response.json"))
	if err != nil {
		t.Fatal(err)
	}
	var theirs struct {
		Routes []struct {
			Legs []struct{ Annotation struct{ Nodes []int64 } }
		}
	}
	if err := json.Unmarshal(raw, &theirs); err != nil {
		t.Fatal(err)
	}
	e := open(t, realdata.File(t, "osm/liechtenstein-bench.osm.pbf"))
	ours := nodesOf(t, e, engine.RouteRequest{Costing: costing.Auto, Locations: []engine.Location{{Point: geo.Point{Lon: 9.5209, Lat: 47.1410}}, {Point: geo.Point{Lon: 9.5087, Lat: 47.1650}}}})
	want := theirs.Routes[0].Legs[0].Annotation.Nodes
	got := ours.nodes[1 : len(ours.nodes)-1]
	if before := slices.Index(want, got[0]); before < 1 || before > 2 || !slices.Equal(got, want[before:len(want)-1]) {
		t.Errorf("nodes %v,\nOSRM's %v", got, want)
	}
}

// The nodes of a road near a place are those beside it.
func TestNodesBesideAPlace(t *testing.T) {
	town := towntest.Draw(t, `
		a--b     e--f
		    \   /
		     c-d

		x--y--z`,
		towntest.Ways{{"abcdef", "primary"}, {"xyz", "residential oneway=-1"}})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{"a", "b"}, {"b", "c"}, {"c", "d"}, {"d", "e"}, {"e", "f"}, {"z", "y"}, {"y", "x"}} {
		a, err := e.Nearest(context.Background(), &engine.NearestRequest{Location: engine.Location{Point: town.Between(c[0], c[1], 0.6)}, Costing: costing.Auto, Number: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := a.Roads[0].Nodes, [2]int64{town.NodeID(c[0]), town.NodeID(c[1])}; got != want {
			t.Errorf("between %s and %s: %v, want %v", c[0], c[1], got, want)
		}
	}
}

// TestNearestAgainstOSRM compares with a recorded answer of the real engine,
// which names the nodes of roads for both directions in either order, and lists
// pieces of one road, where we go on to the next.
func TestNearestAgainstOSRM(t *testing.T) {
	raw, err := os.ReadFile(realdata.Beside(t, "peers/osrm/examples/11_nearest.response.json"))
	if err != nil {
		t.Fatal(err)
	}
	var theirs struct {
		Waypoints []struct {
			Nodes    [2]int64
			Distance float64
		}
	}
	if err := json.Unmarshal(raw, &theirs); err != nil {
		t.Fatal(err)
	}
	e := open(t, realdata.File(t, "osm/liechtenstein-bench.osm.pbf"))
	a, err := e.Nearest(context.Background(), &engine.NearestRequest{Location: engine.Location{Point: geo.Point{Lon: 9.61, Lat: 47.102}}, Costing: costing.Auto, Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	got, want := a.Roads[0], theirs.Waypoints[0]
	slices.Sort(got.Nodes[:])
	slices.Sort(want.Nodes[:])
	if got.Nodes != want.Nodes || math.Abs(got.Metres-want.Distance) > 0.5 {
		t.Errorf("the nodes %v at %v m, OSRM's %v at %v m", got.Nodes, got.Metres, want.Nodes, want.Distance)
	}
}
