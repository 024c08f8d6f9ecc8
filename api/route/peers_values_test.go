package route_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/geo"
)

// familyAnswer has what answers of the services of the family say of ways and places.
type familyAnswer struct {
	Durations, Distances     [][]float64
	Routes, Trips, Matchings []familyWay
	Sources, Destinations    []familyPlace
	Waypoints                []familyPlace
	Tracepoints              []*familyPlace
	Fallback                 [][]int `json:"fallback_speed_cells"`
}

type familyWay struct {
	Distance, Duration float64
	Confidence         *float64
	Legs               []familyWay
}

type familyPlace struct {
	Location [2]float64
	Distance float64
	Trip     *int `json:"trips_index"`
	At       *int `json:"waypoint_index"`
	Matching *int `json:"matchings_index"`
}

func (p *familyPlace) point() geo.Point { return geo.Point{Lon: p.Location[0], Lat: p.Location[1]} }

// slower is how many times as long OSRM's car takes on average, and slowerWithin
// how far single ways are off that; see docs/compatibility.md.
const slower, slowerWithin = 1.19, 0.08

func closeTo(a, b, part, least float64) bool { return math.Abs(a-b) <= max(part*math.Abs(b), least) }

// longer is within what part the lengths of ways agree: another road is now and
// then the quicker one. Of alternatives only the best is compared.
const longer = 0.05

// agrees compares the values of an answer with the recorded ones: how far places
// are within a metre, lengths of ways, times where OSRM's car is slower by what it
// usually is, and the order of a trip alike.
func agrees(g *apitest.Gateway, t *testing.T, r *recording) {
	// Their word for what is excluded is not ours.
	a := g.Send("GET", strings.Replace(r.Path, "exclude=motorway", "exclude=highways", 1), "")
	var ours, theirs familyAnswer
	if err := json.Unmarshal(a.Body, &ours); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(r.answer, &theirs); err != nil {
		t.Fatal(err)
	}
	places(t, "source", ours.Sources, theirs.Sources)
	places(t, "destination", ours.Destinations, theirs.Destinations)
	if r.service() == "nearest" {
		// Beyond the nearest they list the pieces between nodes, and we roads.
		ours.Waypoints, theirs.Waypoints = ours.Waypoints[:min(1, len(ours.Waypoints))], theirs.Waypoints[:1]
	}
	places(t, "waypoint", ours.Waypoints, theirs.Waypoints)
	cells(t, "distance", ours.Distances, theirs.Distances, longer, 1, 1)
	cells(t, "duration", ours.Durations, theirs.Durations, slowerWithin, 2, slower)
	dropped := traced(t, ours.Tracepoints, theirs.Tracepoints)
	ways(t, "route", ours.Routes, theirs.Routes, 0)
	ways(t, "trip", ours.Trips, theirs.Trips, 0)
	ways(t, "matching", ours.Matchings, theirs.Matchings, dropped)
}

func places(t *testing.T, what string, ours, theirs []familyPlace) {
	t.Helper()
	if len(ours) != len(theirs) {
		t.Fatalf("%d %ss, theirs %d", len(ours), what, len(theirs))
	}
	for i := range ours {
		a, b := &ours[i], &theirs[i]
		if off := geo.Distance(a.point(), b.point()); !closeTo(a.Distance, b.Distance, 0, 1) || off > 5 {
			t.Errorf("%s %d is %.2f m away at %v, theirs %.2f m at %v", what, i, a.Distance, a.Location, b.Distance, b.Location)
		}
		if !alike(a.At, b.At) || !alike(a.Trip, b.Trip) {
			t.Errorf("%s %d stands at another place of the trip: %v, theirs %v", what, i, a.At, b.At)
		}
	}
}

func alike(a, b *int) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }

func cells(t *testing.T, what string, ours, theirs [][]float64, part, least, scale float64) {
	t.Helper()
	if len(ours) != len(theirs) {
		t.Fatalf("%d rows of %s, theirs %d", len(ours), what, len(theirs))
	}
	for i := range ours {
		for j, v := range ours[i] {
			if !closeTo(scale*v, theirs[i][j], part, least) {
				t.Errorf("%s[%d][%d] is %g, theirs %g", what, i, j, v, theirs[i][j])
			}
		}
	}
}

// ways compares the first of some ways; theirs may lack a leg for each position
// they dropped.
func ways(t *testing.T, what string, ours, theirs []familyWay, dropped int) {
	t.Helper()
	if len(theirs) == 0 && len(ours) == 0 {
		return
	}
	if len(theirs) == 0 || len(ours) == 0 {
		t.Fatalf("%d of %s, theirs %d", len(ours), what, len(theirs))
	}
	a, b := &ours[0], &theirs[0]
	if len(a.Legs) != len(b.Legs)+dropped || !closeTo(a.Distance, b.Distance, longer, 0) || !closeTo(a.Duration*slower, b.Duration, slowerWithin, 0) {
		t.Errorf("%s: %d legs, %g m and %g s, theirs %d legs, %g m and %g s", what, len(a.Legs), a.Distance, a.Duration, len(b.Legs), b.Distance, b.Duration)
	}
	for k := range a.Legs {
		if dropped == 0 && !closeTo(a.Legs[k].Distance, b.Legs[k].Distance, longer, 5) {
			t.Errorf("%s: leg %d is %g m, theirs %g m", what, k, a.Legs[k].Distance, b.Legs[k].Distance)
		}
	}
	if b.Confidence != nil && (a.Confidence == nil || *a.Confidence < 0.9) {
		t.Errorf("%s: confidence %v, theirs %g", what, a.Confidence, *b.Confidence)
	}
}

// traced compares the places of a trace, and counts those that they dropped and
// we did not.
func traced(t *testing.T, ours, theirs []*familyPlace) (dropped int) {
	t.Helper()
	if len(ours) != len(theirs) {
		t.Fatalf("%d tracepoints, theirs %d", len(ours), len(theirs))
	}
	for i, b := range theirs {
		a := ours[i]
		switch {
		case a == nil && b != nil:
			t.Errorf("position %d is not matched", i)
		case b == nil && a != nil:
			dropped++
		case a != nil:
			if off := geo.Distance(a.point(), b.point()); off > 5 || !alike(a.Matching, b.Matching) || (a.At == nil) != (b.At == nil) {
				t.Errorf("position %d is matched %.1f m from theirs: %+v, theirs %+v", i, off, *a, *b)
			}
		}
	}
	return dropped
}
