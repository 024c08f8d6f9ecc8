package embedded_test

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/towntest"
)

// legBetween returns the only leg of the route between two places.
func legBetween(t *testing.T, e *embedded.Engine, from, to geo.Point, by costing.Costing) *engine.Leg {
	t.Helper()
	r := pair{from: from, to: to}.request(t, by)
	r.Want = engine.WantLine | engine.WantEdges | engine.WantManoeuvres
	a, err := e.Route(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return &a.Routes[0].Legs[0]
}

// way is a way of a town with its tags.
type way = [2]string

// TestSquares walks and rides across ground of many kinds, all in cells of 20 metres.
// From a to z there is a road round as well, of 1.3 km, by way of x and y.
func TestSquares(t *testing.T) {
	const (
		plain = `
		x......................................y
		.
		a---b------c---z
		....|..fg..|
		....|..hi..|....
		....d------e`
		angle = `
		x......................................y
		.
		a---b---f
		....|...|
		....|...|
		....|...c------e
		....d----------g---z`
		halves = `
		x......................................y
		.
		a---b---f--c---z
		....|...|..|
		....d---g--e`
		long = 1300
	)
	west, east := way{"ab", "footway"}, way{"cz", "footway"}
	for _, c := range []struct {
		name, drawing string
		by            costing.Costing // zero is on foot
		ways          []way           // besides the road round
		relations     towntest.Relations
		want          float64 // metres
	}{
		{name: "a square", ways: []way{west, east, {"bcedb", "pedestrian area=yes"}}, want: 300},
		{name: "from corner to corner", ways: []way{west, {"ez", "footway"}, {"bcedb", "pedestrian area=yes"}}, want: 332},
		{name: "ways that end inside", ways: []way{west, {"iz", "footway"}, {"bcedb", "pedestrian area=yes"}}, want: 80 + 89.4 + 146},
		{name: "stairs that end inside", ways: []way{west, {"iz", "steps layer=-1"}, {"bcedb", "pedestrian area=yes"}}, want: 80 + 89.4 + 146},
		{name: "a tunnel below", ways: []way{west, {"iz", "footway layer=-1 tunnel=yes"}, {"bcedb", "pedestrian area=yes"}}, want: long},
		{name: "a corridor of another floor", ways: []way{west, {"iz", "corridor level=1"}, {"bcedb", "indoor=area level=0"}}, want: long},
		{name: "nobody may walk there", ways: []way{west, east, {"bcedb", "pedestrian area=yes access=no"}}, want: long},
		{name: "the width of a road", ways: []way{west, east, {"bcedb", "residential area=yes"}}, want: long},
		{name: "a line round a block", ways: []way{west, {"ez", "footway"}, {"bcedb", "pedestrian area=no"}}, want: 80 + 200 + 100},
		{name: "a bicycle where it may", by: costing.Bicycle, ways: []way{{"ab", "cycleway"}, {"cz", "cycleway"}, {"bcedb", "pedestrian area=yes bicycle=yes"}}, want: 300},
		{name: "a bicycle where it may not", by: costing.Bicycle, ways: []way{{"ab", "cycleway"}, {"cz", "cycleway"}, {"bcedb", "pedestrian area=yes"}}, want: long},
		{name: "a car", by: costing.Auto, ways: []way{{"ab", "service"}, {"cz", "service"}, {"bcedb", "living_street area=yes"}}, want: long},
		{name: "one way for bicycles alone", ways: []way{west, {"ze", "footway"}, {"bcedb", "footway area=yes oneway=yes"}}, want: 332},
		{name: "a railway platform", ways: []way{west, {"ez", "footway"}, {"bcedb", "railway=platform"}}, want: 332},
		{name: "a bus platform", ways: []way{west, {"ez", "footway"}, {"bcedb", "public_transport=platform highway=bus_stop area=yes"}}, want: 332},
		{name: "a platform without area", ways: []way{west, {"ez", "footway"}, {"bcedb", "platform"}}, want: 332},
		{name: "a path that bicycles may not use", by: costing.Bicycle, ways: []way{{"ab", "cycleway"}, {"cz", "cycleway"}, {"bcedb", "path area=yes bicycle=no"}}, want: long},
		{name: "a platform that is a line", ways: []way{west, east, {"bc", "public_transport=platform"}}, want: 300},
		{name: "a bicycle on a platform", by: costing.Bicycle, ways: []way{{"ab", "cycleway"}, {"cz", "cycleway"}, {"bc", "railway=platform"}}, want: long},
		{name: "a pier", ways: []way{west, {"ez", "footway"}, {"bcedb", "man_made=pier"}}, want: 332},
		{name: "a hall", ways: []way{west, {"ez", "footway"}, {"bcedb", "indoor=corridor level=0"}}, want: 332},
		{name: "a room", ways: []way{west, east, {"bcedb", "indoor=room level=0"}}, want: long},
		{name: "a hall of another floor", ways: []way{{"ab", "footway level=0"}, {"cz", "footway level=0"}, {"bcedb", "indoor=area level=1"}}, want: long},
		{name: "a hall of several floors", ways: []way{{"ab", "footway level=0"}, {"cz", "footway level=0"}, {"bcedb", "indoor=area level=0-2"}}, want: 300},
		{
			name: "a square of several ways", ways: []way{west, {"ez", "footway"}, {"bce", "barrier=kerb"}, {"edb", "barrier=kerb"}},
			relations: towntest.Relations{{"type=multipolygon highway=pedestrian", "outer:bce outer:edb"}}, want: 332,
		},
		{
			name: "a hole in the way", ways: []way{west, {"ez", "footway"}, {"bcedb", "barrier=kerb"}, {"fgihf", "building=yes"}},
			relations: towntest.Relations{{"type=multipolygon highway=pedestrian", "outer:bcedb inner:fgihf"}}, want: 80 + 63.2 + 20 + 72.1 + 100,
		},
		{
			name: "a hole of an outline with the tags", ways: []way{west, {"ez", "footway"}, {"bcedb", "pedestrian area=yes"}, {"fgihf", "building=yes"}},
			relations: towntest.Relations{{"type=multipolygon", "outer:bcedb inner:fgihf"}}, want: 80 + 63.2 + 20 + 72.1 + 100,
		},
		{
			name: "a hole of a relation and an outline with tags", ways: []way{west, {"ez", "footway"}, {"bcedb", "pedestrian area=yes"}, {"fgihf", "building=yes"}},
			relations: towntest.Relations{{"type=multipolygon highway=pedestrian", "outer:bcedb inner:fgihf"}}, want: 80 + 63.2 + 20 + 72.1 + 100,
		},
		{
			name: "stairs at the edge of a hole", ways: []way{west, {"iz", "steps"}, {"bcedb", "barrier=kerb"}, {"fgihf", "barrier=wall"}},
			relations: towntest.Relations{{"type=multipolygon railway=platform", "outer:bcedb inner:fgihf"}}, want: 80 + 72.1 + 20 + 146,
		},
		{name: "a corner in the way", drawing: angle, ways: []way{west, {"gz", "footway"}, {"bfcegdb", "pedestrian area=yes"}}, want: 80 + 100 + 141.4 + 80},
		{name: "two squares with a common edge", drawing: halves, ways: []way{west, east, {"bfgdb", "pedestrian area=yes"}, {"fcegf", "footway area=yes"}}, want: 300},
		{name: "two squares that meet in a corner", drawing: halves, ways: []way{west, {"ez", "footway"}, {"bfgb", "pedestrian area=yes"}, {"gceg", "footway area=yes"}}, want: 80 + 89.4 + 60 + 89.4},
		{name: "two floors with a common edge", drawing: halves, ways: []way{west, east, {"bfgdb", "indoor=area level=0"}, {"fcegf", "indoor=area level=1"}}, want: long},
		{name: "an outline that crosses itself", ways: []way{west, east, {"becdb", "pedestrian area=yes"}}, want: 80 + 152.3 + 60 + 80},
		{name: "an outline with a spike", ways: []way{west, {"ez", "footway"}, {"bcefedb", "pedestrian area=yes"}}, want: 332},
	} {
		t.Run(c.name, func(t *testing.T) {
			drawing := cmp.Or(c.drawing, plain)
			ways := append(towntest.Ways{{"ax", "residential"}, {"xy", "residential"}, {"yz", "residential"}}, c.ways...)
			town := towntest.Draw(t, drawing, ways, c.relations, towntest.Cell(20))
			got := legBetween(t, kernel(t, town), town.Point("a"), town.Point("z"), cmp.Or(c.by, costing.Pedestrian)).Sums.Metres
			if c.want == long && got < long-100 || c.want != long && (got < c.want-4 || got > 1.05*c.want+4) {
				t.Errorf("%.0f m, want %.0f", got, c.want)
			}
		})
	}
}

// TestSquareWithManyEntrances counts the edges of a square that a hundred ways lead to,
// and walks across it.
func TestSquareWithManyEntrances(t *testing.T) {
	d := &osm.Data{}
	place := func(id int64, x, y float64) {
		at := towntest.England
		f := geo.Point{Lon: at.Lon + x/69_000, Lat: at.Lat + y/111_000}.Fix()
		d.Nodes = append(d.Nodes, osm.Node{ID: id, Lon: f.Lon, Lat: f.Lat, Version: 1})
	}
	const entrances = 100
	ring := osm.Way{ID: 1, Version: 1, Tags: osm.Tags{{Key: "highway", Value: "pedestrian"}, {Key: "area", Value: "yes"}}}
	for i := range int64(entrances) {
		a := 2 * math.Pi * float64(i) / entrances
		place(1000+i, 200*math.Cos(a), 200*math.Sin(a))
		place(2000+i, 230*math.Cos(a), 230*math.Sin(a))
		ring.Nodes = append(ring.Nodes, 1000+i)
		d.Ways = append(d.Ways, osm.Way{ID: 10 + i, Version: 1, Nodes: []int64{1000 + i, 2000 + i}, Tags: osm.Tags{{Key: "highway", Value: "footway"}}})
	}
	ring.Nodes = append(ring.Nodes, 1000)
	d.Ways = append([]osm.Way{ring}, d.Ways...)
	extract := filepath.Join(t.TempDir(), "town.osm.pbf")
	if err := towntest.WriteFile(extract, d); err != nil {
		t.Fatal(err)
	}
	e := open(t, extract)
	if edges := e.Edges(); edges > 2*entrances+2*entrances+2*24*8 {
		t.Errorf("%d edges", edges)
	}
	for i := range 10 {
		from, to := d.Nodes[14*i+1], d.Nodes[(14*i+90)%200|1]
		a, b := geo.Fixed{Lon: from.Lon, Lat: from.Lat}.Point(), geo.Fixed{Lon: to.Lon, Lat: to.Lat}.Point()
		if got, straight := legBetween(t, e, a, b, costing.Pedestrian).Sums.Metres, geo.Distance(a, b); got > 1.3*straight+30 {
			t.Errorf("from %v to %v it is %.0f m, %.0f straight", a, b, got, straight)
		}
	}
}

// TestSquareWithManyHoles walks from a hundred courtyards in holes of a square to a way
// that leads to its edge.
func TestSquareWithManyHoles(t *testing.T) {
	d := &osm.Data{}
	place := func(id int64, x, y float64) {
		at := towntest.England
		f := geo.Point{Lon: at.Lon + x/69_000, Lat: at.Lat + y/111_000}.Fix()
		d.Nodes = append(d.Nodes, osm.Node{ID: id, Lon: f.Lon, Lat: f.Lat, Version: 1})
	}
	way := func(id int64, tags osm.Tags, nodes ...int64) {
		d.Ways = append(d.Ways, osm.Way{ID: id, Version: 1, Nodes: nodes, Tags: tags})
	}
	footway := osm.Tags{{Key: "highway", Value: "footway"}}
	place(1, -10, -10)
	place(2, 410, -10)
	place(3, 410, 410)
	place(4, -10, 410)
	place(5, -60, -10)
	way(1, nil, 1, 2, 3, 4, 1)
	way(2, footway, 5, 1)
	square := osm.Relation{ID: 1, Version: 1, Tags: osm.Tags{{Key: "type", Value: "multipolygon"}, {Key: "highway", Value: "pedestrian"}}, Members: []osm.Member{{Kind: osm.KindWay, Ref: 1, Role: "outer"}}}
	for i := range int64(100) {
		x, y, n := float64(i%10*40+i*7%13), float64(i/10*40+i*5%11), 100+10*i
		place(n, x+10, y+10)
		place(n+1, x+30, y+10)
		place(n+2, x+30, y+30)
		place(n+3, x+10, y+30)
		place(n+4, x+20, y+20)
		way(n, nil, n, n+1, n+2, n+3, n)
		way(n+1, footway, n+4, n)
		square.Members = append(square.Members, osm.Member{Kind: osm.KindWay, Ref: n, Role: "inner"})
	}
	d.Relations = []osm.Relation{square}
	extract := filepath.Join(t.TempDir(), "town.osm.pbf")
	if err := towntest.WriteFile(extract, d); err != nil {
		t.Fatal(err)
	}
	e := open(t, extract)
	to := geo.Fixed{Lon: d.Nodes[4].Lon, Lat: d.Nodes[4].Lat}.Point()
	for i := range 100 {
		n := d.Nodes[5+5*i+4]
		from := geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point()
		leg, straight := legBetween(t, e, from, to, costing.Pedestrian), geo.Distance(from, to)
		if first, got := leg.Edges[0].Way, leg.Sums.Metres; first != int64(101+10*i) || got > 2*straight+60 {
			t.Errorf("from courtyard %d it is %.0f m, %.0f straight, and sets out on way %d", i, got, straight, first)
		}
	}
}

// TestSquareThatEndsWithTheExtract walks along what is there of a square's edge.
func TestSquareThatEndsWithTheExtract(t *testing.T) {
	town := towntest.Draw(t, `
		a---b------c---z
		....d------e`,
		towntest.Ways{{"ab", "footway"}, {"cz", "footway"}, {"bcedb", "pedestrian area=yes"}}, towntest.Cell(20))
	d := town.Data()
	lost := town.NodeID("d")
	d.Nodes = slices.DeleteFunc(slices.Clone(d.Nodes), func(n osm.Node) bool { return n.ID == lost })
	extract := filepath.Join(t.TempDir(), "town.osm.pbf")
	if err := towntest.WriteFile(extract, d); err != nil {
		t.Fatal(err)
	}
	if got := legBetween(t, open(t, extract), town.Point("a"), town.Point("z"), costing.Pedestrian).Sums.Metres; math.Abs(got-300) > 4 {
		t.Errorf("%.0f m, want 300", got)
	}
}

// TestSquareIsOneManoeuvre looks at the manoeuvres of a way across a square, the edges of
// which are those of the square, and of one that begins on it.
func TestSquareIsOneManoeuvre(t *testing.T) {
	town := towntest.Draw(t, `
		a---b------c
		....|..fg..|
		....|..hi..k---m
		....|......|
		....|......|
		....d------e---z`,
		towntest.Ways{
			{"ab", `footway name="West Lane"`},
			{"ez", `footway name="East Lane"`},
			{"km", `footway name="Mill Lane"`},
			{"bckedb", `barrier=kerb`},
			{"fgihf", `barrier=kerb`},
		}, towntest.Relations{{`type=multipolygon highway=pedestrian name="Market Square"`, "outer:bckedb inner:fgihf"}}, towntest.Cell(20))
	e := kernel(t, town)
	named := func(from, to geo.Point) (names []string) {
		for _, m := range legBetween(t, e, from, to, costing.Pedestrian).Manoeuvres {
			if m.Metres > 0 {
				for _, n := range m.Names {
					names = append(names, n.Text)
				}
			}
		}
		return names
	}
	if got, want := named(town.Point("a"), town.Point("z")), []string{"West Lane", "Market Square", "East Lane"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := named(town.Offset("d", 30, 30), town.Point("z")), []string{"Market Square", "East Lane"}; !slices.Equal(got, want) {
		t.Errorf("from the square got %q, want %q", got, want)
	}
	for _, x := range legBetween(t, e, town.Point("b"), town.Point("k"), costing.Pedestrian).Edges {
		if x.Way != town.WayID("bckedb") {
			t.Errorf("an edge across is of way %d, want the outer one", x.Way)
		}
	}
}

// TestSquareWithOneEntrance sets out from a platform that one way leads to.
func TestSquareWithOneEntrance(t *testing.T) {
	town := towntest.Draw(t, `
		a---b------c
		y...d------e
		x----------z`,
		towntest.Ways{{"ab", "footway"}, {"ay", "footway"}, {"yx", "residential"}, {"xz", "residential"}, {"bcedb", "railway=platform name=Platform"}}, towntest.Cell(20))
	got := legBetween(t, kernel(t, town), town.Offset("e", 2, 2), town.Point("x"), costing.Pedestrian)
	if first := got.Edges[0]; first.Way != town.WayID("bcedb") || got.Sums.Metres < 220 {
		t.Errorf("sets out on way %d and walks %.0f m", first.Way, got.Sums.Metres)
	}
}

// TestStreetBesideSquare keeps to the name of a street that has nodes in common with the
// edge of a square, for walkers and cyclists.
func TestStreetBesideSquare(t *testing.T) {
	town := towntest.Draw(t, `
		a---b-c-d-e---z
		....|.....|
		....f-----g`,
		towntest.Ways{{"abcdez", `residential name="High Street"`}, {"bcdegfb", `pedestrian area=yes bicycle=yes name="Market Square"`}}, towntest.Cell(20))
	e := kernel(t, town)
	for _, by := range []costing.Costing{costing.Pedestrian, costing.Bicycle, costing.Auto} {
		got := legBetween(t, e, town.Point("a"), town.Point("z"), by)
		if len(got.Manoeuvres) != 2 || got.Manoeuvres[0].Names[0].Text != "High Street" {
			t.Errorf("%s: got %v", by, got.Manoeuvres)
		}
	}
}
