package answer

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/guide/sketch"
)

// crossings is the part of an answer in OSRM's format about junctions.
type crossings struct {
	Routes []struct {
		Legs []struct {
			Admins []struct {
				Code   string `json:"iso_3166_1"`
				Alpha3 string `json:"iso_3166_1_alpha3"`
			}
			Steps []struct {
				Duration, Weight float64
				Maneuver         struct{ Type string }
				Intersections    []struct {
					Duration, Weight *float64
					TurnDuration     float64 `json:"turn_duration"`
					TurnWeight       float64 `json:"turn_weight"`
					Admin            *int    `json:"admin_index"`
				}
			}
		}
	}
}

// TestIntersectionsAddUp goes random ways at random speeds: what intersections
// tell adds up to what the steps tell.
func TestIntersectionsAddUp(t *testing.T) {
	d, rnd := county(), rand.New(rand.NewPCG(7, 8))
	g := d.Graph
	r := requestFrom(d, engine.OSRM, 'a', 'g')
	many := 0
	for range 500 {
		e := graph.Edge(rnd.IntN(g.Edges()))
		var path graph.Path
		step := func(begin, end float64, met bool) {
			s := graph.Step{Edge: e, Begin: begin, End: end, Seconds: rnd.Float64() * 100}
			if met {
				s.Turn, s.TurnCost = rnd.Float64()*5, rnd.Float64()*9
			}
			s.Cost = s.Seconds*1.2 + s.TurnCost
			path = append(path, s)
		}
		for k := range 1 + rnd.IntN(12) {
			if rnd.IntN(4) == 0 { // a location is passed within the edge
				step(0, 0.5, k > 0)
				step(0.5, 1, false)
			} else {
				step(0, 1, k > 0)
			}
			n := g.ByEdge[e].Head
			e = g.FirstOut[n] + graph.Edge(rnd.IntN(int(g.FirstOut[n+1]-g.FirstOut[n])))
		}
		a := decode[crossings](t, write(t, d, r, routeOf(r, path, d, 'a', 'g')))
		for i, s := range a.Routes[0].Legs[0].Steps {
			seconds, cost := 0.0, 0.0
			for _, x := range s.Intersections {
				if arrived := s.Maneuver.Type == "arrive"; arrived != (x.Duration == nil) || arrived != (x.Weight == nil) {
					t.Fatalf("step %d of %v: %+v", i, path, x)
				}
				if x.Duration == nil {
					continue
				}
				if x.TurnDuration > *x.Duration+0.001 || x.TurnWeight > *x.Weight+0.001 {
					t.Fatalf("a turn takes longer than all: %+v", x)
				}
				seconds, cost = seconds+*x.Duration, cost+*x.Weight
				many++
			}
			// Steps have one digit, intersections three.
			slack := 0.051 + 0.0005*float64(len(s.Intersections))
			if math.Abs(seconds-s.Duration) > slack || math.Abs(cost-s.Weight) > slack {
				t.Fatalf("step %d of %v takes %g and weighs %g, its intersections %g and %g", i, path, s.Duration, s.Weight, seconds, cost)
			}
		}
	}
	if many < 2000 {
		t.Errorf("only %d intersections", many)
	}
}

// signs returns a straight road over a node at which something stands.
func signs() (d *sketch.Drawn, path graph.Path, node graph.Node) {
	d = sketch.Sketch{
		Picture: `
    n
    .
a...x...b`,
		Ways: []sketch.Way{{Places: "axb", Name: "High Street"}, {Places: "nx", Name: "North Road"}},
	}.Draw()
	path = d.Path("axb")
	return d, path, d.Graph.ByEdge[path[1].Edge].Tail
}

func TestIntersectionsTellWhatStandsThere(t *testing.T) {
	for _, c := range []struct {
		node graph.NodeFlags
		edge graph.EdgeFlags // of the edge that leads there
		want string
	}{
		{graph.Signal, 0, `"traffic_signal":true`},
		{0, graph.HeadSignal, `"traffic_signal":true`},
		{graph.StopSign, 0, `"stop_sign":true`},
		{0, graph.HeadStop, `"stop_sign":true`},
		{graph.GiveWay, 0, `"yield_sign":true`},
		{0, graph.HeadGiveWay, `"yield_sign":true`},
		{graph.LevelCrossing, 0, `"railway_crossing":true`},
		{graph.TollBooth, 0, `"toll_collection":{"type":"toll_booth"}`},
		{graph.TollBooth | graph.TollGantry, 0, `"toll_collection":{"type":"toll_gantry"}`},
	} {
		for _, way := range []string{"axb", "bxa"} {
			d, path, node := signs()
			d.Graph.ByNode[node].Flags |= c.node
			if c.node&graph.TollBooth != 0 {
				d.Graph.Limits = append(d.Graph.Limits, graph.Limits{Toll: graph.AllModes})
				d.Graph.ByNode[node].Limit = uint16(len(d.Graph.Limits) - 1)
			}
			d.Graph.ByEdge[path[0].Edge].Flags |= c.edge
			r := requestFrom(d, engine.OSRM, 'a', 'b')
			body := string(write(t, d, r, routeOf(r, d.Path(way), d, rune(way[0]), rune(way[2]))))
			// A sign that faces those who come from a is none for the others.
			want := 1
			if c.edge != 0 && way == "bxa" {
				want = 0
			}
			if got := strings.Count(body, c.want); got != want {
				t.Errorf("%x, %x, along %s: %s stands %d times, want %d, in %s", c.node, c.edge, way, c.want, got, want, body)
			}
		}
	}
	d, path, _ := signs()
	r := requestFrom(d, engine.OSRM, 'a', 'b')
	plain := string(write(t, d, r, routeOf(r, path, d, 'a', 'b')))
	for _, member := range []string{"signal", "sign\"", "railway", "toll", "urban", "tunnel", "admin_index"} {
		if strings.Contains(plain, member) {
			t.Errorf("%s of a plain road is in %s", member, plain)
		}
	}
	r.Urban = true
	if body := string(write(t, d, r, routeOf(r, path, d, 'a', 'b'))); strings.Count(body, `"is_urban":false`) != 2 {
		t.Errorf("a road in the country: %s", body)
	}
	for s := range d.Graph.BySegment {
		d.Graph.BySegment[s].Flags = d.Graph.BySegment[s].Flags.WithDensity(graph.MaxRural + 1)
	}
	if body := string(write(t, d, r, routeOf(r, path, d, 'a', 'b'))); strings.Count(body, `"is_urban":true`) != 2 {
		t.Errorf("a road in town: %s", body)
	}
}

func packed(code string) uint16 { return uint16(code[0])<<8 | uint16(code[1]) }

// A leg goes from Liechtenstein over a bridge of nobody's into Switzerland, and
// back.
func TestAdmins(t *testing.T) {
	d := sketch.Sketch{
		Picture: `a...b...c...e...f`,
		Ways:    []sketch.Way{{Places: "ab", Name: "High Street"}, {Places: "bc", Name: "Bridge"}, {Places: "cef", Name: "Low Street"}},
	}.Draw()
	path := d.Path("abcef")
	for i, code := range []string{"LI", "", "CH", "LI"} {
		s := d.Graph.Segment(path[i].Edge)
		d.Graph.Country[s] = 0
		if code != "" {
			d.Graph.Country[s] = packed(code)
		}
	}
	r := requestFrom(d, engine.OSRM, 'a', 'f')
	leg := decode[crossings](t, write(t, d, r, routeOf(r, path, d, 'a', 'f'))).Routes[0].Legs[0]
	if got := fmt.Sprint(leg.Admins); got != "[{LI LIE} {CH CHE}]" {
		t.Errorf("the countries are %s", got)
	}
	var list []string
	for _, s := range leg.Steps {
		for _, x := range s.Intersections {
			if x.Admin == nil {
				list = append(list, "-")
			} else {
				list = append(list, fmt.Sprint(*x.Admin))
			}
		}
	}
	if got := strings.Join(list, " "); got != "0 - 1 0 0" {
		t.Errorf("the intersections lie in %s", got)
	}

	r.Format = engine.Native
	if body := string(write(t, d, r, routeOf(r, path, d, 'a', 'f'))); strings.Contains(body, "admin") {
		t.Errorf("countries were not asked for: %s", body)
	}
	r.Admins = true
	var native struct {
		Trip struct {
			Legs    []struct{ Summary nativeSummary }
			Summary nativeSummary
		}
	}
	if err := json.Unmarshal(write(t, d, r, routeOf(r, path, d, 'a', 'f')), &native); err != nil {
		t.Fatal(err)
	}
	line := guide.Shape(d.Graph, path)
	sum := &native.Trip.Legs[0].Summary
	if got := fmt.Sprint(sum.Admins); got != "[{LI Liechtenstein  } {CH Switzerland  }]" {
		t.Errorf("the countries are %s", got)
	}
	want := fmt.Sprint([]nativeCrossing{{0, 1, line.Step[0], line.Step[3]}, {1, 0, line.Step[2], line.Step[4]}})
	if got := fmt.Sprint(sum.Crossings); got != want {
		t.Errorf("the borders are crossed at %s, want %s", got, want)
	}
	if native.Trip.Summary.Admins != nil {
		t.Error("the whole trip's summary has countries, which Valhalla's has not")
	}
}

// Local times bear the zone of the country, where it has one only and is the
// same at both ends.
func TestZonesOfLocations(t *testing.T) {
	for _, c := range []struct {
		from, to string
		month    time.Month
		want     string
	}{
		{"GB", "GB", time.May, "2026-05-05T08:00 +01:00 Europe/London"},
		{"GB", "GB", time.January, "2026-01-05T08:00 +00:00 Europe/London"},
		{"GB", "FR", time.May, "2026-05-05T08:00  "},
		{"US", "US", time.May, "2026-05-05T08:00  "}, // has several
		{"", "GB", time.May, "2026-05-05T08:00  "},
	} {
		d := county()
		path := d.Path("abT")
		for i, code := range []string{c.from, c.to} {
			d.Graph.Country[d.Graph.Segment(path[i].Edge)] = 0
			if code != "" {
				d.Graph.Country[d.Graph.Segment(path[i].Edge)] = packed(code)
			}
		}
		r := requestFrom(d, engine.Native, 'a', 'T')
		rt := routeOf(r, path, d, 'a', 'T')
		rt.Legs[0].From.At = time.Date(2026, c.month, 5, 8, 0, 0, 0, time.UTC)
		l := decode[nativeAnswer](t, write(t, d, r, rt)).Trip.Locations
		if got := l[0].DateTime + " " + l[0].ZoneOffset + " " + l[0].ZoneName; got != c.want || l[1].ZoneName != "" {
			t.Errorf("from %s to %s: %q, want %q; the end has %q", c.from, c.to, got, c.want, l[1].ZoneName)
		}
	}
}

func TestHowLimitsArePosted(t *testing.T) {
	for code, want := range map[string]string{
		"GB": `"speedLimitSign":"vienna","speedLimitUnit":"mph"`,
		"DE": `"speedLimitSign":"vienna","speedLimitUnit":"km/h"`,
		"US": `"speedLimitSign":"mutcd","speedLimitUnit":"mph"`,
		"CA": `"speedLimitSign":"mutcd","speedLimitUnit":"km/h"`,
	} {
		d := county()
		for s := range d.Graph.Country {
			d.Graph.Country[s] = packed(code)
		}
		r := requestFrom(d, engine.OSRM, 'a', 'T')
		r.Annotations = engine.AnnotateLimit
		body := string(write(t, d, r, routeOf(r, d.Path("abT"), d, 'a', 'T')))
		if strings.Count(body, want) != strings.Count(body, `"maneuver":`) {
			t.Errorf("%s: want %s in every step of %s", code, want, body)
		}
		r.Annotations = engine.AnnotateDistance
		if body := string(write(t, d, r, routeOf(r, d.Path("abT"), d, 'a', 'T'))); strings.Contains(body, "speedLimit") {
			t.Errorf("limits were not asked for: %s", body)
		}
	}
}
