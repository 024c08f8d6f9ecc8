package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// nears asks for the roads near a place.
func nears(t *testing.T, eng engine.Engine) {
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
		a, err := eng.Nearest(t.Context(), &engine.NearestRequest{Location: l, Costing: costing.Auto, Options: settings(t, costing.Auto), Number: number})
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Roads) == 0 || len(a.Roads) > number {
			t.Fatalf("%d roads of %d", len(a.Roads), number)
		}
		first := a.Roads[0]
		if geo.Distance(first.Point, on) > 1 || math.Abs(first.Metres-20) > 1 || first.WayID == 0 && first.Nodes == [2]int64{} {
			t.Errorf("the nearest road is %+v", first)
		}
		if !slices.IsSortedFunc(a.Roads, func(x, y engine.NearRoad) int { return int(math.Round(10 * (x.Metres - y.Metres))) }) {
			t.Errorf("the roads are %+v", a.Roads)
		}
	}
	far := engine.Location{Point: west(town)}
	if _, err := eng.Nearest(t.Context(), &engine.NearestRequest{Location: far, Costing: costing.Auto, Options: settings(t, costing.Auto), Number: 1}); engine.Code(err) != engine.CodeNoSegment {
		t.Errorf("in the sea: %v, want a refusal with %d", err, engine.CodeNoSegment)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := eng.Nearest(gone, &engine.NearestRequest{Location: l, Costing: costing.Auto, Options: settings(t, costing.Auto), Number: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("for a caller who went away: %v", err)
	}
}

// shortcuts through towns that an option excludes: the kind of road, the option.
var excludable = [][2]string{
	{"a toll road", "exclude_tolls"},
	{"a bridge to exclude", "exclude_bridges"},
	{"a tunnel to exclude", "exclude_tunnels"},
	{"a motorway to exclude", "exclude_highways"},
}

// excluded asks for what is near and for a match beside a road that the options
// exclude: the road nearest is another one, and a match goes along another one
// or is refused where the engine cannot see to it.
func excluded(t *testing.T, eng engine.Engine) {
	can := eng.Can()
	all := All()
	for _, x := range excludable {
		s := all[slices.IndexFunc(all, func(s Scenario) bool { return s.Name == x[0] })]
		town := build(t, &s)
		options, unknown, bad := costing.Parse(costing.Auto, map[string]json.RawMessage{x[1]: json.RawMessage("true")}, "")
		if len(unknown)+len(bad) > 0 {
			t.Fatal(unknown, bad)
		}
		l, err := location(town, "bc.40")
		if err != nil {
			t.Fatal(err)
		}
		if can.Does(engine.CallNearest) {
			nearest := func(o costing.Settings) engine.NearRoad {
				a, err := eng.Nearest(t.Context(), &engine.NearestRequest{Location: l, Costing: costing.Auto, Options: o, Number: 1})
				if err != nil {
					t.Fatalf("%s: %v", x[0], err)
				}
				return a.Roads[0]
			}
			if _, err := eng.Nearest(t.Context(), &engine.NearestRequest{Location: l, Costing: costing.Auto, Options: options, Number: 1}); fault.IsNotEnabled(err) && !exactly(eng) {
				continue
			}
			plain, without := nearest(settings(t, costing.Auto)), nearest(options)
			bc, b, c := town.WayID("bc"), town.NodeID("b"), town.NodeID("c")
			on := func(r engine.NearRoad) bool { // an engine may know no ways
				return r.WayID == bc || r.WayID == 0 && r.Metres < 1 && (slices.Contains(r.Nodes[:], b) || slices.Contains(r.Nodes[:], c))
			}
			if !on(plain) || plain.Metres > 1 || on(without) {
				t.Errorf("%s: the nearest road is %+v, with %s %+v", x[0], plain, x[1], without)
			}
		}
		if !can.Does(engine.CallTraceRoute) {
			continue
		}
		trace := Trace{Along: "abce", How: engine.MapSnap}
		r := trace.request(town)
		r.Options, r.OmitExcluded, r.Output = options, true, engine.Output{Format: engine.OSRM, Overview: "false"}
		answer, err := eng.TraceRoute(t.Context(), r)
		var e *fault.Error
		if errors.As(err, &e) && e.Slug == fault.BadRequest && strings.Contains(e.Detail, x[1]) {
			continue
		}
		if !exactly(eng) && (fault.IsNotEnabled(err) || engine.Code(err) == engine.CodeNoMatch) {
			continue // OSRM matches no trace that ends on such a road
		}
		var a struct {
			Tracepoints []*struct{ Location [2]float64 }
		}
		if err == nil {
			err = json.Unmarshal(traced(t, r, answer), &a)
		}
		if err != nil {
			t.Errorf("%s: %v", x[0], err)
			continue
		}
		b, c := town.Point("b"), town.Point("c")
		for i, p := range a.Tracepoints {
			if p != nil && p.Location[0] > b.Lon+1e-5 && p.Location[0] < c.Lon-1e-5 && math.Abs(p.Location[1]-c.Lat) < 1e-5 {
				t.Errorf("%s: position %d is matched to it at %v", x[0], i, p.Location)
			}
		}
	}
}

// headed asks for a match of positions that head where no road leads: none has a
// place, or the request is refused where the engine cannot see to headings.
func headed(t *testing.T, m engine.Engine, town *towntest.Town, trace *Trace) {
	r := trace.request(town)
	for i := range r.Trace {
		across := 22.0
		r.Trace[i].Heading, r.Trace[i].HeadingTolerance = &across, 5
	}
	r.How = engine.MapSnap
	answer, err := m.TraceRoute(t.Context(), r)
	var e *fault.Error
	if refused := errors.As(err, &e) && e.Slug == fault.BadRequest; !refused && engine.Code(err) != engine.CodeNoSegment {
		t.Errorf("%v, %t", err, answer != nil)
	}
}

// draws asks for a match in the forms of OSRM's match service.
func draws(t *testing.T, m engine.Engine, town *towntest.Town, trace *Trace) {
	for _, d := range []engine.Output{
		{Format: engine.OSRM, Overview: "false", Geometries: "polyline"},
		{Format: engine.OSRM, Overview: "simplified", Geometries: "polyline6", Steps: true, Voice: true, Banners: true},
		{Format: engine.OSRM, Overview: "full", Geometries: "geojson", Steps: true, Annotations: engine.AnnotateDistance | engine.AnnotateDuration},
	} {
		r := trace.request(town)
		r.Output = d
		answer, err := m.TraceRoute(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		var a struct {
			Code      string
			Matchings []struct {
				OSRMPath
				Confidence *float64
			}
			Tracepoints []*struct {
				Name     *string
				Location [2]float64
				Matching *int `json:"matchings_index"`
			}
		}
		text := traced(t, r, answer)
		if err := json.Unmarshal(text, &a); err != nil {
			t.Fatal(err)
		}
		if a.Code != "Ok" || len(a.Matchings) == 0 || len(a.Tracepoints) != len(r.Trace) {
			t.Fatalf("%+v: %.300s", d, text)
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
			t.Errorf("%+v: %.600s", d, text)
		}
	}
}
