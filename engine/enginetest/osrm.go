package enginetest

import (
	"encoding/json"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// OSRMRoute is an answer in OSRM's format.
type OSRMRoute struct {
	Code      string
	Routes    []OSRMPath
	Waypoints []struct {
		Name     *string
		Location [2]float64
	}

	Line []geo.Point // of the first route
}

// OSRMPath is one route of it.
type OSRMPath struct {
	Distance, Duration, Weight float64
	WeightName                 string `json:"weight_name"`
	Geometry                   json.RawMessage
	Legs                       []struct {
		Distance, Duration, Weight float64
		Summary                    string
		Steps                      []Step
		Admins                     []struct {
			Code   string `json:"iso_3166_1"`
			Alpha3 string `json:"iso_3166_1_alpha3"`
		}
		Annotation *struct{ Distance, Duration, Speed []float64 }
	}
}

// Step is one step of a leg in OSRM's format.
type Step struct {
	Distance, Duration float64
	Name, Mode         string
	DrivingSide        string `json:"driving_side"`
	Geometry           json.RawMessage
	Maneuver           struct {
		Type, Modifier string
		Exit           int
		Location       [2]float64
	}
	Intersections []struct {
		Location [2]float64
		Bearings []int
		Entry    []bool
		Lanes    []struct {
			Valid, Active bool
			Indications   []string
		}

		Duration     float64
		TurnDuration float64 `json:"turn_duration"`
		Admin        *int    `json:"admin_index"`
	}
	Voice []struct {
		At                 float64 `json:"distanceAlongGeometry"`
		Announcement, SSML string
	} `json:"voiceInstructions"`
	Banners []struct {
		At      float64 `json:"distanceAlongGeometry"`
		Primary struct{ Text, Type string }
	} `json:"bannerInstructions"`
}

// readOSRM reads an answer and checks what holds of every one.
func readOSRM(t *testing.T, r *engine.RouteRequest, answer *engine.RouteAnswer) *OSRMRoute {
	t.Helper()
	a := &OSRMRoute{}
	decode(t, Text(t, r, answer), a)
	if a.Code != "Ok" || len(a.Routes) == 0 {
		t.Fatalf("the answer has the code %q and %d routes, want Ok and one or more", a.Code, len(a.Routes))
	}
	if len(a.Waypoints) != len(r.Locations) {
		t.Errorf("the answer has %d waypoints, want %d", len(a.Waypoints), len(r.Locations))
	}
	for i, w := range a.Waypoints {
		if w.Name == nil || *w.Name != "" {
			t.Errorf("waypoint %d has the name %v, want an empty one", i, w.Name)
		}
		if p := (geo.Point{Lon: w.Location[0], Lat: w.Location[1]}); geo.Distance(p, r.Locations[i].Point) > 100 {
			t.Errorf("waypoint %d lies at %v, far from %v", i, p, r.Locations[i].Point)
		}
	}
	for i := range a.Routes {
		line := checkPath(t, &a.Routes[i], r)
		if i == 0 {
			a.Line = line
		}
	}
	return a
}

func checkPath(t *testing.T, p *OSRMPath, r *engine.RouteRequest) []geo.Point {
	t.Helper()
	if len(p.Legs) != legs(r) {
		t.Errorf("the route has %d legs, want %d", len(p.Legs), legs(r))
	}
	var line []geo.Point
	if r.Overview == "false" {
		if p.Geometry != nil {
			t.Errorf("the route has a geometry, though the overview is off")
		}
	} else if line = readGeometry(t, p.Geometry, r.Geometries); r.Overview == "full" {
		checkLength(t, "the route's distance", p.Distance, line)
	}
	if p.Distance > 0 && p.Duration <= 0 {
		t.Errorf("the route takes %g s for %g m", p.Duration, p.Distance)
	}
	var metres, seconds float64
	for i := range p.Legs {
		leg := &p.Legs[i]
		if a := leg.Annotation; r.Annotations != 0 && (a == nil || len(a.Distance) == 0 || len(a.Duration) != len(a.Distance) || len(a.Speed) != len(a.Distance)) {
			t.Errorf("leg %d is annotated with %+v", i, a)
		}
		metres, seconds = metres+leg.Distance, seconds+leg.Duration
		if !r.Steps {
			if len(leg.Steps) != 0 {
				t.Errorf("leg %d has %d steps, though none were asked for", i, len(leg.Steps))
			}
			continue
		}
		checkSteps(t, leg.Steps, leg.Distance, r)
	}
	if !near(metres, p.Distance, 2) || !near(seconds, p.Duration, 1) {
		t.Errorf("the route has %g m and %g s, its legs together %g and %g", p.Distance, p.Duration, metres, seconds)
	}
	return line
}

func checkSteps(t *testing.T, steps []Step, distance float64, r *engine.RouteRequest) {
	t.Helper()
	n := len(steps)
	if n < 2 || steps[0].Maneuver.Type != "depart" || steps[n-1].Maneuver.Type != "arrive" {
		t.Errorf("%d steps, want them to begin with depart and end with arrive", n)
		return
	}
	var metres float64
	for i, s := range steps {
		metres += s.Distance
		if len(s.Intersections) == 0 {
			t.Errorf("step %d has no intersections", i)
		}
		seconds := 0.0
		for j, x := range s.Intersections {
			seconds += x.Duration
			if x.Duration > 0 && x.TurnDuration > x.Duration+0.01 {
				t.Errorf("the turn at intersection %d of step %d takes %g s of %g", j, i, x.TurnDuration, x.Duration)
			}
			if len(x.Bearings) == 0 || len(x.Bearings) != len(x.Entry) {
				t.Errorf("intersection %d of step %d has %d bearings and %d entries", j, i, len(x.Bearings), len(x.Entry))
			}
		}
		if seconds > s.Duration+0.1 {
			t.Errorf("the intersections of step %d take %g s, the step %g", i, seconds, s.Duration)
		}
		if r.Voice {
			checkGuided(t, i == n-1, &steps[i])
		}
		line := readGeometry(t, s.Geometry, r.Geometries)
		at := geo.Point{Lon: s.Maneuver.Location[0], Lat: s.Maneuver.Location[1]}
		if d := geo.Distance(line[0], at); d > 2 {
			t.Errorf("step %d begins %.1f m from its manoeuvre", i, d)
		}
	}
	if !near(metres, distance, 2) {
		t.Errorf("the steps are %g m long together, the leg %g m", metres, distance)
	}
}

// checkGuided checks what is said and shown in a step: something in every one
// but the last, and within it.
func checkGuided(t *testing.T, last bool, s *Step) {
	t.Helper()
	if last {
		if len(s.Voice)+len(s.Banners) > 0 {
			t.Errorf("the last step says %v and shows %v", s.Voice, s.Banners)
		}
		return
	}
	if len(s.Voice) == 0 || len(s.Banners) == 0 {
		t.Errorf("a step of %g m says %v and shows %v", s.Distance, s.Voice, s.Banners)
	}
	before := s.Distance + 0.2
	for _, v := range s.Voice {
		if v.At > before || v.Announcement == "" {
			t.Errorf("a step of %g m says %v", s.Distance, s.Voice)
		}
		before = v.At
	}
	for _, b := range s.Banners {
		if b.At > s.Distance+0.2 || b.Primary.Text == "" || b.Primary.Type == "" {
			t.Errorf("a step of %g m shows %v", s.Distance, s.Banners)
		}
	}
}

func readGeometry(t *testing.T, raw json.RawMessage, geometries string) []geo.Point {
	t.Helper()
	if geometries == "geojson" {
		var object struct {
			Type        string
			Coordinates [][2]float64
		}
		if err := json.Unmarshal(raw, &object); err != nil || object.Type != "LineString" {
			t.Fatalf("the geometry %.200s is not a GeoJSON line: %v", raw, err)
		}
		var line []geo.Point
		for _, c := range object.Coordinates {
			line = append(line, geo.Point{Lon: c[0], Lat: c[1]})
		}
		return line
	}
	var encoded string
	if err := json.Unmarshal(raw, &encoded); err != nil {
		t.Fatalf("the geometry %.200s is not a polyline: %v", raw, err)
	}
	format := "polyline5"
	if geometries == "polyline6" {
		format = "polyline6"
	}
	return readShape(t, encoded, format)
}
