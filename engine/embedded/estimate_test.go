package embedded_test

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
)

// TestEstimates checks that every call is estimated, and that larger requests have larger
// estimates.
func TestEstimates(t *testing.T) {
	e, places := county(t)
	here := places(40)
	other := chosen(t, costing.Auto, `"use_highways": 0.35`)
	route := func(n, alternates int) *engine.RouteRequest {
		return &engine.RouteRequest{Costing: costing.Auto, Locations: here[:n], Alternates: alternates}
	}
	matrix := func(n int, o costing.Settings, when *engine.When) *engine.MatrixRequest {
		return &engine.MatrixRequest{Costing: costing.Auto, Sources: here[:n], Targets: here[:n], Options: o, Conditions: engine.Conditions{When: when}}
	}
	reach := func(minutes float64, when *engine.When) *engine.IsochroneRequest {
		return &engine.IsochroneRequest{Costing: costing.Auto, Location: here[0], Contours: []engine.Contour{{Minutes: minutes}}, Conditions: engine.Conditions{When: when}}
	}
	now := &engine.When{}
	for _, pair := range []struct {
		call       engine.Call
		less, more any
	}{
		{engine.CallRoute, route(2, 0), route(10, 0)},
		{engine.CallRoute, route(2, 0), route(2, 2)},
		{engine.CallCentroid, route(2, 0), route(10, 0)},
		{engine.CallMatrix, matrix(5, costing.Settings{}, nil), matrix(40, costing.Settings{}, nil)},
		{engine.CallMatrix, matrix(40, costing.Settings{}, nil), matrix(40, other, nil)},
		{engine.CallMatrix, matrix(40, costing.Settings{}, nil), matrix(40, costing.Settings{}, now)},
		{engine.CallIsochrone, reach(1, nil), reach(8, nil)},
		{engine.CallIsochrone, reach(8, nil), reach(8, now)},
		{engine.CallTraceRoute, &engine.MatchRequest{Trace: make([]engine.TracePoint, 2)}, &engine.MatchRequest{Trace: make([]engine.TracePoint, 50)}},
		{engine.CallLocate, &engine.LocateRequest{Locations: here[:1]}, &engine.LocateRequest{Locations: here}},
	} {
		less, more := e.Estimate(pair.call, pair.less), e.Estimate(pair.call, pair.more)
		if less.Kind == "" || less.Work <= 0 || less.Cores < 1 || less.Answer <= 0 || less.Bytes < less.Answer || more.Cheaper == "" {
			t.Errorf("%s: %+v", pair.call, less)
		}
		if more.Work <= less.Work {
			t.Errorf("%s: %s for less, %s for more (%s, %s)", pair.call, less.Work, more.Work, less.Kind, more.Kind)
		}
	}
	if x := e.Estimate(engine.CallNearest, &engine.NearestRequest{}); x.Work <= 0 || x.Kind == "" {
		t.Errorf("nearest: %+v", x)
	}
}

// TestFirstCallersAtOnce has many ask at once for a matrix with options that nobody had
// before: they share one metric, their answers are those of a kernel without
// one, and who leaves does not wait for it.
func TestFirstCallersAtOnce(t *testing.T) {
	e, places := county(t)
	here := places(30)
	request := &engine.MatrixRequest{Costing: costing.Auto, Sources: here, Targets: here[:6], Options: chosen(t, costing.Auto, `"use_highways": 0.15, "top_speed": 77`)}
	want, err := e.WithoutHierarchy().Matrix(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := e.Matrix(gone, request); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who left: %v", err)
	}
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			got, err := e.Matrix(engine.WithWorkers(t.Context(), 1), request)
			if err != nil || !reflect.DeepEqual(got.Cells, want.Cells) {
				t.Errorf("another matrix than by searching row by row: %v", err)
			}
		})
	}
	all.Wait()
	if _, own := settled(t, e); own != 1 {
		t.Errorf("%d metrics were made for one kind of traveller", own)
	}
	// Where nothing may be kept, the metric is the call's own.
	e.SetMetricMemory(0)
	got, err := e.Matrix(t.Context(), request)
	if err != nil || !reflect.DeepEqual(got.Cells, want.Cells) || e.Memory() != 0 {
		t.Errorf("nothing may be kept: %v, %d bytes", err, e.Memory())
	}
}
