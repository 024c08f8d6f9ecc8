package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// nears asks for the roads near a place.
func nears(t *testing.T, eng engine.Nearester) {
	all := All()
	s := all[slices.IndexFunc(all, func(s Scenario) bool { return s.Name == "a one-way street" })]
	town := build(t, &s)
	l, err := location(town, "ab.25")
	if err != nil {
		t.Fatal(err)
	}
	on := l.Point
	l.Point = geo.Destination(on, 0, 20)
	for _, number := range []int{1, 5} {
		a, err := eng.Nearest(t.Context(), &engine.NearestRequest{Location: l, Costing: engine.Auto, Options: settings(t, engine.Auto), Number: number})
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Roads) == 0 || len(a.Roads) > number {
			t.Fatalf("%d roads of %d", len(a.Roads), number)
		}
		first := a.Roads[0]
		if geo.Distance(first.Point, on) > 1 || math.Abs(first.Metres-20) > 1 || first.WayID == 0 {
			t.Errorf("the nearest road is %+v", first)
		}
		if !slices.IsSortedFunc(a.Roads, func(x, y engine.NearRoad) int { return int(math.Round(10 * (x.Metres - y.Metres))) }) {
			t.Errorf("the roads are %+v", a.Roads)
		}
	}
	far := engine.Location{Point: west(town)}
	if _, err := eng.Nearest(t.Context(), &engine.NearestRequest{Location: far, Costing: engine.Auto, Options: settings(t, engine.Auto), Number: 1}); engine.Code(err) != engine.CodeNoSegment {
		t.Errorf("in the sea: %v, want a refusal with %d", err, engine.CodeNoSegment)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := eng.Nearest(gone, &engine.NearestRequest{Location: l, Costing: engine.Auto, Options: settings(t, engine.Auto), Number: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("for a caller who went away: %v", err)
	}
}

// draws asks for a match in the forms of OSRM's match service.
func draws(t *testing.T, m engine.Matcher, town *towntest.Town, trace *Trace) {
	for _, d := range []engine.Drawing{
		{Overview: "false", Geometries: "polyline"},
		{Overview: "simplified", Geometries: "polyline6", Steps: true, Voice: true, Banners: true},
		{Overview: "full", Geometries: "geojson", Steps: true, Annotations: engine.AnnotateDistance | engine.AnnotateDuration},
	} {
		r := trace.request(town)
		r.Face, r.Drawing = engine.Compatible, &d
		answer, err := m.TraceRoute(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		var a struct {
			Code      string
			Matchings []struct {
				CompatiblePath
				Confidence *float64
			}
			Tracepoints []*struct {
				Name     *string
				Location [2]float64
				Matching *int `json:"matchings_index"`
			}
		}
		if err := json.Unmarshal(answer.Body, &a); err != nil {
			t.Fatal(err)
		}
		if a.Code != "Ok" || len(a.Matchings) == 0 || len(a.Tracepoints) != len(r.Trace) {
			t.Fatalf("%+v: %.300s", d, answer.Body)
		}
		for _, p := range a.Tracepoints {
			if p != nil && (p.Name == nil || *p.Name != "" || p.Matching == nil) {
				t.Errorf("%+v: a tracepoint is %+v", d, p)
			}
		}
		one := &a.Matchings[0]
		if c := one.Confidence; c == nil || *c < 0 || *c > 1 {
			t.Errorf("%+v: the confidence is %v", d, c)
		}
		if (d.Overview == "false") != (one.Geometry == nil) || d.Steps != (len(one.Legs[0].Steps) > 0) || (d.Annotations != 0) != (one.Legs[0].Annotation != nil) {
			t.Errorf("%+v: %.600s", d, answer.Body)
		}
	}
}
