package answer

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide/sketch"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/wire/valhalla"
	"gotest.tools/v3/golden"
)

// county has a street, a roundabout, a motorway with an exit and a ferry.
func county() *sketch.Drawn {
	big := func(places, ref string) sketch.Way {
		return sketch.Way{Places: places, Ref: ref, Class: graph.Motorway, Large: true, Oneway: true}
	}
	exit := big("ks", "")
	exit.Use, exit.Flags = graph.Ramp, graph.Link
	exit.Sign = []string{"junction:ref", "24", "destination:ref", "A48", "destination", "Newport;Monmouth"}
	d := sketch.Sketch{
		Left: true, Cell: 20, Picture: `
          n
          .
          U              s..t.......f.............g
        T   V         .
a..b....      .h...j....k......m
        S   W
          R
          .
          z`,
		Ways: []sketch.Way{
			{Places: "RSTUVWR", Flags: graph.Roundabout | graph.Oneway, Oneway: true, Class: graph.Primary},
			{Places: "zR", Name: "South Road", Class: graph.Primary},
			{Places: "nU", Name: "North Road", Class: graph.Primary},
			{Places: "abT", Name: "Mill Lane", Flags: graph.Tunnel},
			{Places: "Vh", Ref: "A4042", Name: "East Road", Class: graph.Primary},
			{Places: "hj", Ref: "A4042", Name: "East Road", Class: graph.Primary, Oneway: true},
			big("jkm", "M4"), exit,
			{Places: "st", Ref: "A48", Class: graph.Trunk, Flags: graph.Toll},
			{Places: "tf", Name: "Pier Road"},
			{Places: "fg", Name: "Gosport Ferry", Use: graph.Ferry},
		},
	}.Draw()
	for s := range d.Graph.Country {
		d.Graph.Country[s] = packed("GB")
	}
	return d
}

const across = "abTUVhjkstfg"

// request and routes go from one drawn place to another.
func requestFrom(d *sketch.Drawn, format engine.Format, from, to rune) *engine.RouteRequest {
	return &engine.RouteRequest{
		Costing: costing.Auto, Output: engine.Output{Format: format, Steps: true, ID: "r1"},
		Locations: []engine.Location{
			{Point: geo.Destination(d.At(from), 180, 12), Name: "home"},
			{Point: geo.Destination(d.At(to), 0, 9), Stop: engine.Break},
		},
	}
}

func routeOf(r *engine.RouteRequest, path graph.Path, d *sketch.Drawn, from, to rune) plan.Route {
	return plan.Route{Costing: profile.New(d.Graph, costing.Default(costing.Auto)), Legs: []plan.Leg{{
		From: plan.Waypoint{Location: r.Locations[0], Snapped: d.At(from), Index: 0},
		To:   plan.Waypoint{Location: r.Locations[len(r.Locations)-1], Snapped: d.At(to), Index: len(r.Locations) - 1},
		Path: path,
	}}}
}

func write(t *testing.T, d *sketch.Drawn, r *engine.RouteRequest, routes ...plan.Route) []byte {
	t.Helper()
	body, err := valhalla.WriteRoute(r, &engine.RouteAnswer{Routes: Routes(d.Graph, r.Want, &r.Output, routes)})
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func indented(t *testing.T, file string, body []byte) {
	t.Helper()
	var got bytes.Buffer
	if err := json.Indent(&got, body, "", " "); err != nil {
		t.Fatal(err)
	}
	golden.Assert(t, got.String(), file)
}

func TestGoldenFormats(t *testing.T) {
	d := county()
	for name, format := range map[string]engine.Format{"native.json": engine.Native, "osrm.json": engine.OSRM} {
		r := requestFrom(d, format, 'a', 'g')
		indented(t, name, write(t, d, r, routeOf(r, d.Path(across), d, 'a', 'g')))
	}
}

func decode[T any](t *testing.T, body []byte) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return v
}

// Every amount in the manoeuvres and steps adds up to the whole, and every
// index points into the line.
func TestSums(t *testing.T) {
	d := county()
	path := sketch.Cut(d.Path(across), 0.25, 0.5)
	r := requestFrom(d, engine.Native, 'a', 'g')
	n := decode[nativeAnswer](t, write(t, d, r, routeOf(r, path, d, 'a', 'g')))
	line, err := geo.DecodePolyline(n.Trip.Legs[0].Shape.(string), 6)
	if err != nil {
		t.Fatal(err)
	}
	var seconds, length, cost float64
	at := 0
	for i, m := range n.Trip.Legs[0].Maneuvers {
		if m.BeginShapeIndex != at || m.EndShapeIndex >= len(line) {
			t.Errorf("manoeuvre %d has points %d to %d of %d, want a begin of %d", i, m.BeginShapeIndex, m.EndShapeIndex, len(line), at)
		}
		at = m.EndShapeIndex
		seconds, length, cost = seconds+m.Time, length+m.Length, cost+m.Cost
	}
	s := n.Trip.Summary
	for what, c := range map[string][2]float64{
		"time": {seconds, s.Time}, "length": {length, s.Length}, "cost": {cost, s.Cost}, "points": {float64(at), float64(len(line) - 1)},
		"path length": {path.Metres(d.Graph) / 1000, s.Length}, "path time": {path.Seconds(), s.Time},
	} {
		if math.Abs(c[0]-c[1]) > 0.01 {
			t.Errorf("native %s adds up to %g, the summary says %g", what, c[0], c[1])
		}
	}
	r.Format = engine.OSRM
	c := decode[osrmAnswer](t, write(t, d, r, routeOf(r, path, d, 'a', 'g')))
	metres := 0.0
	for i, s := range c.Routes[0].Legs[0].Steps {
		metres += s.Distance
		if len(s.Intersections) == 0 {
			t.Fatalf("step %d has no intersections", i)
		}
		if s.Intersections[0].Location != s.Maneuver.Location {
			t.Errorf("step %d begins at %v, its first intersection is at %v", i, s.Maneuver.Location, s.Intersections[0].Location)
		}
		for j, x := range s.Intersections {
			last := i == len(c.Routes[0].Legs[0].Steps)-1
			if len(x.Bearings) == 0 || len(x.Bearings) != len(x.Entry) || (x.Out == nil) != last || (x.In == nil) != (i == 0 && j == 0) {
				t.Errorf("step %d, intersection %d is %+v", i, j, x)
			}
			if x.Out != nil && !x.Entry[*x.Out] || !slices.IsSorted(x.Bearings) {
				t.Errorf("step %d, intersection %d is %+v", i, j, x)
			}
		}
	}
	if math.Abs(metres-c.Routes[0].Distance) > 1 {
		t.Errorf("steps add up to %g m, the route has %g", metres, c.Routes[0].Distance)
	}
}

func TestNativeAmounts(t *testing.T) {
	d := county()
	for _, c := range []struct {
		change     func(*engine.RouteRequest)
		want, lack string
	}{
		{func(r *engine.RouteRequest) { r.Directions = engine.NoDirections }, `"shape":"`, `"maneuvers"`},
		{func(r *engine.RouteRequest) { r.Directions = engine.Manoeuvres }, `"maneuvers":[{"type":2,`, `instruction`},
		{func(r *engine.RouteRequest) { r.ShapeFormat = "no_shape" }, `"maneuvers"`, `"shape":`},
		{func(r *engine.RouteRequest) { r.ShapeFormat = "geojson" }, `"shape":{"type":"LineString","coordinates":[[-3,`, `"shape":"`},
		{func(r *engine.RouteRequest) { r.Miles = true }, `"units":"miles"`, `kilometers`},
		{func(r *engine.RouteRequest) { r.Costing = costing.Truck }, `"travel_mode":"drive","travel_type":"truck"`, `"car"`},
		{func(r *engine.RouteRequest) { r.Costing = costing.Bicycle }, `"travel_mode":"bicycle","travel_type":"hybrid"`, `"car"`},
		{func(r *engine.RouteRequest) { r.Costing = costing.Pedestrian }, `"travel_mode":"pedestrian","travel_type":"foot"`, `"car"`},
		{func(r *engine.RouteRequest) { r.ID = "" }, `"language":"en-GB"`, `"id"`},
	} {
		r := requestFrom(d, engine.Native, 'a', 'g')
		c.change(r)
		body := string(write(t, d, r, routeOf(r, d.Path(across), d, 'a', 'g')))
		if !strings.Contains(body, c.want) || strings.Contains(body, c.lack) {
			t.Errorf("want %s and not %s in %s", c.want, c.lack, body)
		}
	}
	r := requestFrom(d, engine.Native, 'a', 'g')
	r.ShapeFormat = "polyline5"
	a := decode[nativeAnswer](t, write(t, d, r, routeOf(r, d.Path(across), d, 'a', 'g')))
	line, err := geo.DecodePolyline(a.Trip.Legs[0].Shape.(string), 5)
	if err != nil || geo.Distance(line[0], d.At('a')) > 1 {
		t.Errorf("precision 5 begins at %v: %v", line, err)
	}
}

func TestOSRMAmounts(t *testing.T) {
	d := county()
	for _, c := range []struct {
		change     func(*engine.RouteRequest)
		want, lack string
	}{
		{func(r *engine.RouteRequest) { r.Steps = false }, `"summary":"","steps":[]`, `maneuver`},
		{func(r *engine.RouteRequest) { r.Steps, r.Overview = false, "false" }, `"legs":`, `geometry`},
		{func(r *engine.RouteRequest) { r.Geometries = "geojson" }, `"geometry":{"type":"LineString","coordinates":[[-3,`, `"geometry":"`},
		{func(r *engine.RouteRequest) {}, `"weight_name":"routability"`, `hint`},
	} {
		r := requestFrom(d, engine.OSRM, 'a', 'g')
		c.change(r)
		body := string(write(t, d, r, routeOf(r, d.Path(across), d, 'a', 'g')))
		if !strings.Contains(body, c.want) || strings.Contains(body, c.lack) {
			t.Errorf("want %s and not %s in %s", c.want, c.lack, body)
		}
	}
	for digits, name := range map[int]string{5: "polyline", 6: "polyline6"} {
		r := requestFrom(d, engine.OSRM, 'a', 'g')
		r.Geometries, r.Overview = name, "full"
		a := decode[osrmAnswer](t, write(t, d, r, routeOf(r, d.Path(across), d, 'a', 'g')))
		full, err := geo.DecodePolyline(a.Routes[0].Geometry.(string), digits)
		if err != nil || geo.Distance(full[len(full)-1], d.At('g')) > 1 {
			t.Errorf("%s ends at %v: %v", name, full, err)
		}
		for i, s := range a.Routes[0].Legs[0].Steps {
			if line, err := geo.DecodePolyline(s.Geometry.(string), digits); err != nil || len(line) < 2 {
				t.Errorf("%s, step %d: %v, %v", name, i, line, err)
			}
		}
	}
}

// A location may be passed in mid-leg, and one may turn round at a stop.
func TestStopsOnTheWay(t *testing.T) {
	d := county()
	first := d.Path("ab")
	first = append(first, sketch.Cut(d.Path("bT"), 0, 0.4)...)
	rest := sketch.Cut(d.Path("bT"), 0.4, 1)
	rest = append(rest, d.Path("TUn")...)
	through := append(slices.Clone(first), rest...)
	mid := geo.Point{Lon: d.At('b').Lon*0.6 + d.At('T').Lon*0.4, Lat: d.At('b').Lat*0.6 + d.At('T').Lat*0.4}
	r := requestFrom(d, engine.Native, 'a', 'n')
	r.Locations = slices.Insert(r.Locations, 1, engine.Location{Point: mid, Stop: engine.Through})
	rt := routeOf(r, through, d, 'a', 'n')
	rt.Legs[0].Via = []plan.Waypoint{{Location: r.Locations[1], Snapped: mid, Index: 1}}
	n := decode[nativeAnswer](t, write(t, d, r, rt))
	var kinds []string
	for _, l := range n.Trip.Locations {
		kinds = append(kinds, string(l.Type))
	}
	if got := strings.Join(kinds, " "); got != "break through break" || len(n.Trip.Legs) != 1 {
		t.Errorf("locations are %s in %d legs", got, len(n.Trip.Legs))
	}
	r.Format = engine.OSRM
	c := decode[osrmAnswer](t, write(t, d, r, rt))
	if len(c.Waypoints) != 3 || len(c.Routes[0].Legs) != 1 {
		t.Errorf("%d waypoints, %d legs; want 3 and 1", len(c.Waypoints), len(c.Routes[0].Legs))
	}
	whole := routeOf(r, d.Path("abTUn"), d, 'a', 'n')
	u := decode[osrmAnswer](t, write(t, d, r, whole))
	if a, b := len(c.Routes[0].Legs[0].Steps), len(u.Routes[0].Legs[0].Steps); a != b {
		t.Errorf("passing a location makes %d steps of %d", a, b)
	}

	back := sketch.Cut(d.Path("Tb"), 0.6, 1)
	back = append(back, d.Path("ba")...)
	r.Locations[1].Stop = engine.Break
	two := plan.Route{Costing: profile.New(d.Graph, costing.Default(costing.Auto)), Legs: []plan.Leg{
		{From: plan.Waypoint{Location: r.Locations[0], Snapped: d.At('a')}, To: plan.Waypoint{Location: r.Locations[1], Snapped: mid, Index: 1}, Path: first},
		{From: plan.Waypoint{Location: r.Locations[1], Snapped: mid, Index: 1}, To: plan.Waypoint{Location: r.Locations[2], Snapped: d.At('a'), Index: 2}, Path: back},
	}}
	c = decode[osrmAnswer](t, write(t, d, r, two))
	if len(c.Waypoints) != 3 || len(c.Routes[0].Legs) != 2 {
		t.Fatalf("%d waypoints, %d legs; want 3 and 2", len(c.Waypoints), len(c.Routes[0].Legs))
	}
	one := plan.Leg{From: two.Legs[0].From, Via: []plan.Waypoint{two.Legs[0].To}, To: two.Legs[1].To, Path: append(slices.Clone(first), back...)}
	c = decode[osrmAnswer](t, write(t, d, r, plan.Route{Costing: profile.New(d.Graph, costing.Default(costing.Auto)), Legs: []plan.Leg{one}}))
	steps := c.Routes[0].Legs[0].Steps
	if len(steps) != 3 || steps[1].Maneuver.Modifier != "uturn" || steps[1].Maneuver.Type != "continue" || len(steps[1].Intersections[0].Bearings) != 2 {
		t.Errorf("turning round at a via location gives %+v", steps)
	}
}

// On random paths, each step says where it is and where it goes.
func TestEveryStepHasIntersections(t *testing.T) {
	d, rnd := county(), rand.New(rand.NewPCG(5, 6))
	g := d.Graph
	r := requestFrom(d, engine.OSRM, 'a', 'g')
	for range 300 {
		e := graph.Edge(rnd.IntN(g.Edges()))
		s := graph.Step{Edge: e, Begin: float64(rnd.IntN(3)) / 2, End: 1}
		var path graph.Path
		for range rnd.IntN(12) {
			if rnd.IntN(4) == 0 { // turns round on the edge, or at its very end
				s.End = s.Begin + (1-s.Begin)*float64(rnd.IntN(3))/2
				path = append(path, s)
				e = g.ByEdge[e].Opposite
				s = graph.Step{Edge: e, Begin: 1 - s.End, End: 1}
				continue
			}
			path = append(path, s)
			n := g.ByEdge[e].Head
			e = g.FirstOut[n] + graph.Edge(rnd.IntN(int(g.FirstOut[n+1]-g.FirstOut[n])))
			s = graph.Step{Edge: e, End: 1}
		}
		path = append(path, s)
		a := decode[osrmAnswer](t, write(t, d, r, routeOf(r, path, d, 'a', 'g')))
		steps := a.Routes[0].Legs[0].Steps
		for i, s := range steps {
			if s.Maneuver.Type == "" || len(s.Intersections) == 0 || s.Intersections[0].Location != s.Maneuver.Location {
				t.Fatalf("step %d of %v: %+v", i, path, s)
			}
			for _, x := range s.Intersections {
				ok := len(x.Bearings) > 0 && len(x.Bearings) == len(x.Entry) && slices.IsSorted(x.Bearings) && (x.Out != nil || i == len(steps)-1)
				for _, at := range []*int{x.In, x.Out} {
					ok = ok && (at == nil || *at < len(x.Bearings))
				}
				if !ok {
					t.Fatalf("step %d of %v: %+v", i, path, x)
				}
			}
		}
	}
}

// A route to the place one is at has a line of one point.
func TestNowhereToGo(t *testing.T) {
	d := county()
	for _, format := range []engine.Format{engine.Native, engine.OSRM} {
		for _, geometries := range []string{"polyline", "geojson"} {
			r := requestFrom(d, format, 'a', 'a')
			r.Geometries, r.ShapeFormat = geometries, geometries
			body := write(t, d, r, routeOf(r, sketch.Cut(d.Path("ab"), 0.5, 0.5), d, 'a', 'a'))
			if !json.Valid(body) {
				t.Errorf("invalid: %s", body)
			}
		}
	}
	for _, format := range []engine.Format{engine.Native, engine.OSRM} {
		if _, err := valhalla.WriteRoute(&engine.RouteRequest{Output: engine.Output{Format: format}}, &engine.RouteAnswer{}); err == nil {
			t.Error("no route was written as one")
		}
	}
}

func BenchmarkNative(b *testing.B) { benchmark(b, engine.Native) }
func BenchmarkOSRM(b *testing.B)   { benchmark(b, engine.OSRM) }

// benchmark makes the value of a route of about a hundred edges and writes it.
func benchmark(b *testing.B, format engine.Format) {
	d := county()
	var path graph.Path
	for len(path) < 100 {
		path = append(path, d.Path("RSTUVWR")...)
		path = append(path, d.Path("RSTbabT")...)
		path = append(path, d.Path("TUVWR")...)
	}
	r := requestFrom(d, format, 'R', 'R')
	rt := routeOf(r, path, d, 'R', 'R')
	b.ReportAllocs()
	for b.Loop() {
		if _, err := valhalla.WriteRoute(r, &engine.RouteAnswer{Routes: Routes(d.Graph, 0, &r.Output, []plan.Route{rt})}); err != nil {
			b.Fatal(err)
		}
	}
}
