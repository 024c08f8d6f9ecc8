package towntest_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/towntest"
)

func TestTheDrawingIsAGrid(t *testing.T) {
	town := towntest.Draw(t, `
		a--b
		   |  1
		   c`,
		towntest.Ways{{"abc", "primary"}})
	if got := town.Point("a"); got != towntest.England {
		t.Errorf("a lies at %v, want the origin %v", got, towntest.England)
	}
	for _, c := range []struct {
		from, to        string
		metres, bearing float64
	}{{"a", "b", 300, 90}, {"b", "c", 200, 180}, {"b", "1", 316.2, 108.4}} {
		p, q := town.Point(c.from), town.Point(c.to)
		if d := geo.Distance(p, q); math.Abs(d-c.metres) > 0.1 {
			t.Errorf("%s to %s is %.2f m, want %g", c.from, c.to, d, c.metres)
		}
		if b := geo.Bearing(p, q); math.Abs(b-c.bearing) > 0.1 {
			t.Errorf("%s to %s has the bearing %.2f, want %g", c.from, c.to, b, c.bearing)
		}
	}
	if d := geo.Distance(town.Between("a", "b", 0.25), town.Point("a")); math.Abs(d-75) > 0.1 {
		t.Errorf("a quarter of a to b is %.2f m, want 75", d)
	}
	if d := geo.Distance(town.Offset("a", 30, -40), town.Point("a")); math.Abs(d-50) > 0.1 {
		t.Errorf("30 m east and 40 m south are %.2f m away, want 50", d)
	}
	if n := len(town.Data().Nodes); n != 3 {
		t.Errorf("%d nodes, want 3: the 1 is only a place to start from", n)
	}
}

func TestCellAndOrigin(t *testing.T) {
	town := towntest.Draw(t, `ab`, towntest.Ways{{"ab", "primary"}},
		towntest.At(towntest.Germany), towntest.Cell(20), towntest.FirstID(500))
	if town.Point("a") != towntest.Germany {
		t.Errorf("a lies at %v", town.Point("a"))
	}
	if d := geo.Distance(town.Point("a"), town.Point("b")); math.Abs(d-20) > 0.1 {
		t.Errorf("a cell is %.2f m, want 20", d)
	}
	if town.NodeID("a") != 500 || town.NodeID("b") != 501 || town.WayID("ba") != 500 {
		t.Errorf("identifiers %d %d %d, want 500, 501, 500", town.NodeID("a"), town.NodeID("b"), town.WayID("ba"))
	}
}

func TestTags(t *testing.T) {
	town := towntest.Draw(t, `a b c d e f g h`,
		towntest.Ways{
			{"ab", `primary name="High Street" oneway=yes`},
			{"bc", `residential`},
			{"cd", `service name=""`},
			{"de", `route=ferry duration=00:20`},
			{"ef", `railway=rail`},
			{"fgh", `highway=tertiary maxspeed="30 mph"`},
		},
		towntest.Nodes{{"b", "traffic_signals"}, {"g", "barrier=gate access=private"}})
	want := []osm.Tags{
		{{Key: "highway", Value: "primary"}, {Key: "name", Value: "High Street"}, {Key: "oneway", Value: "yes"}},
		{{Key: "highway", Value: "residential"}, {Key: "name", Value: "bc"}},
		{{Key: "highway", Value: "service"}},
		{{Key: "route", Value: "ferry"}, {Key: "duration", Value: "00:20"}, {Key: "name", Value: "de"}},
		{{Key: "railway", Value: "rail"}},
		{{Key: "highway", Value: "tertiary"}, {Key: "maxspeed", Value: "30 mph"}, {Key: "name", Value: "fgh"}},
	}
	for i, w := range town.Data().Ways {
		if !equal(w.Tags, want[i]) {
			t.Errorf("way %d has %v, want %v", i, w.Tags, want[i])
		}
	}
	if tags := town.Data().Nodes[1].Tags; !equal(tags, osm.Tags{{Key: "highway", Value: "traffic_signals"}}) {
		t.Errorf("b has %v", tags)
	}
	if tags := town.Data().Nodes[6].Tags; tags.Get("barrier") != "gate" || tags.Get("access") != "private" {
		t.Errorf("g has %v", tags)
	}
}

func equal(a, b osm.Tags) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestTurnsAndRelations(t *testing.T) {
	town := towntest.Draw(t, `
		a-b-c
		  |
		  d-e`,
		towntest.Ways{{"ab", "primary"}, {"bc", "primary"}, {"bd", "service"}, {"de", "service"}, {"bceb", "landuse=grass"}},
		towntest.Turns{
			{"ab", "b", "bd", "no_right_turn except=bicycle"},
			{"ba", "bd", "ed", "restriction:hgv=no_left_turn"},
			{"ab", "bd de", "bc", "no_u_turn"},
		},
		towntest.Relations{{"type=multipolygon landuse=forest", "outer:bceb label:a bd"}})
	relations := town.Data().Relations
	if len(relations) != 4 {
		t.Fatalf("%d relations, want 4", len(relations))
	}
	way, node := town.WayID, town.NodeID
	for i, want := range [][]osm.Member{
		{{Kind: osm.KindWay, Ref: way("ab"), Role: "from"}, {Ref: node("b"), Role: "via"}, {Kind: osm.KindWay, Ref: way("bd"), Role: "to"}},
		{{Kind: osm.KindWay, Ref: way("ab"), Role: "from"}, {Kind: osm.KindWay, Ref: way("bd"), Role: "via"}, {Kind: osm.KindWay, Ref: way("de"), Role: "to"}},
		{{Kind: osm.KindWay, Ref: way("ab"), Role: "from"}, {Kind: osm.KindWay, Ref: way("bd"), Role: "via"}, {Kind: osm.KindWay, Ref: way("de"), Role: "via"}, {Kind: osm.KindWay, Ref: way("bc"), Role: "to"}},
		{{Kind: osm.KindWay, Ref: way("bceb"), Role: "outer"}, {Ref: node("a"), Role: "label"}, {Kind: osm.KindWay, Ref: way("bd")}},
	} {
		if len(relations[i].Members) != len(want) {
			t.Errorf("relation %d has %v, want %v", i, relations[i].Members, want)
			continue
		}
		for j, m := range relations[i].Members {
			if m != want[j] {
				t.Errorf("relation %d member %d is %v, want %v", i, j, m, want[j])
			}
		}
	}
	if tags := relations[0].Tags; tags.Get("type") != "restriction" || tags.Get("restriction") != "no_right_turn" || tags.Get("except") != "bicycle" {
		t.Errorf("the first turn has %v", tags)
	}
	if tags := relations[1].Tags; tags.Get("restriction:hgv") != "no_left_turn" || tags.Has("restriction") {
		t.Errorf("the second turn has %v", tags)
	}
}

func TestMistakesAreNamed(t *testing.T) {
	for _, c := range []struct {
		plan towntest.Plan
		want string
	}{
		{towntest.Plan{Drawing: "a-a"}, `'a' twice`},
		{towntest.Plan{Drawing: "a_b"}, `'_' in line 1, column 2`},
		{towntest.Plan{Drawing: "a\tb"}, `'\t' in line 1`},
		{towntest.Plan{Drawing: "\n--\n"}, `no letter`},
		{towntest.Plan{Drawing: "ab", Ways: towntest.Ways{{"ac", "primary"}}}, `'c', which the drawing does not have`},
		{towntest.Plan{Drawing: "ab", Ways: towntest.Ways{{"a", "primary"}}}, `two places or more`},
		{towntest.Plan{Drawing: "ab", Ways: towntest.Ways{{"ab", `primary name="x`}}}, `open quotation mark`},
		{towntest.Plan{Drawing: "ab", Ways: towntest.Ways{{"ab", `primary highway=x`}}}, `highway twice`},
		{towntest.Plan{Drawing: "ab", Nodes: towntest.Nodes{{"ab", `stop`}}}, `one letter`},
		{towntest.Plan{Drawing: "ab", Ways: towntest.Ways{{"ab", ""}}, Turns: towntest.Turns{{"ab", "c", "ab", "no_u_turn"}}}, `"c" is no node`},
		{towntest.Plan{Drawing: "abc", Ways: towntest.Ways{{"ab", ""}}, Turns: towntest.Turns{{"bc", "b", "ab", "no_u_turn"}}}, `no way runs through "bc"`},
		{towntest.Plan{Drawing: "abc", Ways: towntest.Ways{{"abc", ""}, {"cba", ""}}, Turns: towntest.Turns{{"ab", "b", "ab", "no_u_turn"}}}, `2 ways run through "ab"`},
		{towntest.Plan{Drawing: "ab", Ways: towntest.Ways{{"ab", ""}}, Relations: towntest.Relations{{"multipolygon", "ab"}}}, `without a key`},
	} {
		_, err := c.plan.Build()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q %q: error %v, want one with %q", c.plan.Drawing, c.plan.Ways, err, c.want)
		}
	}
}

func TestMergeKeepsIdentifiersApart(t *testing.T) {
	draw := func(first int64) *towntest.Town {
		return towntest.Draw(t, "a-b", towntest.Ways{{"ab", "primary"}}, towntest.FirstID(first))
	}
	data, err := towntest.Merge(draw(1000), draw(1))
	if err != nil {
		t.Fatal(err)
	}
	if len(data.Nodes) != 4 || data.Nodes[0].ID != 1 || data.Nodes[3].ID != 1001 || data.Ways[1].ID != 1000 {
		t.Errorf("merged nodes %v, ways %v", data.Nodes, data.Ways)
	}
	if _, err := towntest.Merge(draw(1), draw(2)); err == nil || !strings.Contains(err.Error(), "node 2") {
		t.Errorf("towns with the same nodes merged: %v", err)
	}
}

func TestTheExtractHoldsTheTown(t *testing.T) {
	town := towntest.Draw(t, `
		a--b
		   c`,
		towntest.Ways{{"abc", `primary name="High Street"`}},
		towntest.Turns{{"ab", "b", "bc", "no_u_turn"}})
	path := town.PBF(t)
	if again := town.PBF(t); again != path {
		t.Errorf("a second extract %s, the first is %s", again, path)
	}
	var got osm.Data
	_, err := osm.Scan(t.Context(), path, osm.Options{}, func(b *osm.Block) error {
		for _, w := range b.Ways {
			got.Ways = append(got.Ways, osm.Way{ID: w.ID, Nodes: slices.Clone(w.Nodes), Tags: slices.Clone(w.Tags)})
		}
		for _, n := range b.Nodes {
			p := geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point()
			if name := string("abc"[len(got.Nodes)]); p != town.Point(name) {
				t.Errorf("%s lies at %v in the file, the town says %v", name, p, town.Point(name))
			}
			got.Nodes = append(got.Nodes, osm.Node{ID: n.ID})
		}
		got.Relations = append(got.Relations, b.Relations...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Nodes) != 3 || len(got.Relations) != 1 {
		t.Fatalf("the file has %d nodes and %d relations, want 3 and 1", len(got.Nodes), len(got.Relations))
	}
	if w := got.Ways[0]; !slices.Equal(w.Nodes, []int64{1, 2, 3}) || w.Tags.Get("name") != "High Street" {
		t.Errorf("the way is %v", w)
	}
}

func TestTheRegionIsTheTown(t *testing.T) {
	town := towntest.Draw(t, `
		a--b
		   c`,
		towntest.Ways{{"abc", "primary"}})
	r := town.Region(t)
	if again := town.Region(t); again != r {
		t.Error("a second call imported again")
	}
	if r.Manifest.ID != "town" || !r.Manifest.Bounds.Contains(town.Point("b")) {
		t.Errorf("the region %s has the bounds %v without b at %v", r.Manifest.ID, r.Manifest.Bounds, town.Point("b"))
	}
}
