package route_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/osrm"
	"github.com/waygate/waygate/geo"
)

// TestOSRMEngine puts the engine for OSRM servers before our own endpoints in OSRM's form,
// and compares its values with those of the engine behind them: nothing is lost on the way
// there and back.
func TestOSRMEngine(t *testing.T) {
	li := ground(t)
	g, own := apitest.Start(t, func(o *api.Options) { o.Acquire = apitest.Serves(t, li) }), li.Engine
	far := osrm.New(map[costing.Costing]string{costing.Auto: g.URL, costing.Pedestrian: g.URL}, g.Client())
	ctx := t.Context()
	random := rand.New(rand.NewPCG(3, 4))
	place := func() engine.Location {
		return engine.Location{Point: geo.Point{Lon: 9.49 + 0.05*random.Float64(), Lat: 47.06 + 0.15*random.Float64()}}
	}
	same := func(a, b float64) bool { return math.Abs(a-b) <= 0.06+1e-4*b }

	compared, turns, alike := 0, 0, 0
	for k := range 40 {
		by := []costing.Costing{costing.Auto, costing.Pedestrian}[k%2]
		r := &engine.RouteRequest{Costing: by, Locations: []engine.Location{place(), place(), place()}, Want: engine.WantLine | engine.WantManoeuvres}
		r.Locations[1].Stop = []engine.Stop{engine.Break, engine.Via}[k/2%2]
		want, wantErr := own.Route(ctx, r)
		got, err := far.Route(ctx, r)
		if (wantErr == nil) != (err == nil) || engine.Code(err) != engine.Code(wantErr) {
			t.Errorf("%v: %v, want %v", r.Locations, err, wantErr)
		}
		if err != nil || wantErr != nil {
			continue
		}
		compared++
		x, y := &got.Routes[0], &want.Routes[0]
		if !same(x.Metres, y.Metres) || !same(x.Seconds, y.Seconds) || len(x.Legs) != len(y.Legs) {
			t.Fatalf("%v: %.1f m, %.1f s, %d legs, want %.1f, %.1f, %d", r.Locations, x.Metres, x.Seconds, len(x.Legs), y.Metres, y.Seconds, len(y.Legs))
		}
		for i := range x.Legs {
			a, b := &x.Legs[i], &y.Legs[i]
			if d := math.Abs(length(a.Line) - length(b.Line)); d > 5 {
				t.Errorf("%v: the line of leg %d is %.0f m longer or shorter", r.Locations, i, d)
			}
			for n := range min(len(a.Manoeuvres), len(b.Manoeuvres)) {
				if turns++; a.Manoeuvres[n].Type == b.Manoeuvres[n].Type {
					alike++
				}
			}
			if len(a.Manoeuvres) != len(b.Manoeuvres) || len(a.Instructions) > 0 {
				t.Errorf("%v: leg %d has %d manoeuvres, want %d", r.Locations, i, len(a.Manoeuvres), len(b.Manoeuvres))
			}
		}
	}
	if compared < 20 || float64(alike) < 0.97*float64(turns) {
		t.Errorf("of %d routes %d of %d manoeuvres are of the same kind", compared, alike, turns)
	}

	m := &engine.MatrixRequest{Costing: costing.Auto}
	for range 7 {
		m.Sources, m.Targets = append(m.Sources, place()), append(m.Targets, place())
	}
	want, err := own.Matrix(ctx, m)
	if err != nil {
		t.Fatal(err)
	}
	got, err := far.Matrix(ctx, m)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want.Cells {
		for j, c := range want.Cells[i] {
			if d := got.Cells[i][j]; d.Reached != c.Reached || !same(d.Seconds, c.Seconds) || !same(d.Metres, c.Metres) {
				t.Errorf("%d to %d: %+v, want %+v", i, j, d, c)
			}
		}
	}

	roads := &engine.NearestRequest{Costing: costing.Auto, Location: m.Sources[0], Number: 3}
	known, err := own.Nearest(ctx, roads)
	if err != nil {
		t.Fatal(err)
	}
	near, err := far.Nearest(ctx, roads)
	if err != nil || len(near.Roads) != len(known.Roads) || geo.Distance(near.Roads[0].Point, known.Roads[0].Point) > 1 || near.Roads[0].Nodes != known.Roads[0].Nodes {
		t.Errorf("the nearest roads are %+v (%v), want %+v", near, err, known)
	}
	followed(t, own, far, m)

	reach := &engine.IsochroneRequest{Costing: costing.Auto, Location: m.Sources[0], Contours: []engine.Contour{{Minutes: 4}, {Minutes: 8}}}
	outlined, err := far.Isochrone(ctx, reach)
	if err != nil || len(outlined.Outlines) != 2 || len(outlined.Outlines[0].Polygons) != 1 {
		t.Fatalf("%+v (%v)", outlined, err)
	}
	judged, right := 0, 0
	for range 6 {
		m.Targets = m.Targets[:0]
		for range 50 {
			m.Targets = append(m.Targets, place())
		}
		m.Sources = m.Sources[:1]
		if want, err = own.Matrix(ctx, m); err != nil {
			t.Fatal(err)
		}
		for j, c := range want.Cells[0] {
			// Cells within a quarter of the limit or far from a road are not compared.
			if p := m.Targets[j].Point; c.Reached && math.Abs(c.Seconds-480) > 120 && geo.Distance(p, want.Targets[j].Point) < 50 {
				if judged++; geo.Ring(outlined.Outlines[0].Polygons[0].Outer).Contains(p) == (c.Seconds < 480) {
					right++
				}
			}
		}
	}
	if judged < 30 || float64(right) < 0.95*float64(judged) {
		t.Errorf("of %d places %d are on the right side of the outline", judged, right)
	}
}

func length(line []geo.Point) float64 {
	sum := 0.0
	for i := 1; i < len(line); i++ {
		sum += geo.Distance(line[i-1], line[i])
	}
	return sum
}

// followed compares a match of positions along a route.
func followed(t *testing.T, own, far engine.Engine, m *engine.MatrixRequest) {
	t.Helper()
	for i := range m.Sources {
		a, err := own.Route(t.Context(), &engine.RouteRequest{Costing: costing.Auto, Locations: []engine.Location{m.Sources[i], m.Targets[i]}, Want: engine.WantLine})
		if err != nil {
			continue
		}
		trace := &engine.MatchRequest{Costing: costing.Auto, How: engine.MapSnap, Want: engine.WantLine | engine.WantManoeuvres}
		for at, n := a.Routes[0].Line(), 0; n < len(at) && len(trace.Trace) < 80; n++ {
			trace.Trace = append(trace.Trace, engine.TracePoint{Point: at[n]})
		}
		want, wantErr := own.TraceRoute(t.Context(), trace)
		got, err := far.TraceRoute(t.Context(), trace)
		if wantErr != nil || err != nil {
			t.Errorf("trace %d: %v, want %v", i, err, wantErr)
			continue
		}
		if len(got.Routes) != len(want.Routes) || len(got.Points) != len(trace.Trace) || math.Abs(got.Routes[0].Metres-want.Routes[0].Metres) > 1+0.01*want.Routes[0].Metres {
			t.Errorf("trace %d: %d routes, the first of %.0f m, want %d and %.0f", i, len(got.Routes), got.Routes[0].Metres, len(want.Routes), want.Routes[0].Metres)
		}
	}
}
