package counted_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/counted"
	"github.com/waygate/waygate/fault"
)

// TestEveryCall asks everything of an engine that can nothing: each call is
// heard of once, by its name and with its failure, which names it too.
func TestEveryCall(t *testing.T) {
	var heard []engine.Call
	e := counted.New(engine.Unimplemented{}, func(_ context.Context, _ string, call engine.Call, took time.Duration, err error) {
		if heard = append(heard, call); took < 0 {
			t.Errorf("%s took %s", call, took)
		}
		if call != engine.CallStatus && !fault.IsNotEnabled(err) {
			t.Errorf("%s failed with %v", call, err)
		}
	})
	ctx := t.Context()
	_, status := e.Status(ctx)
	_, route := e.Route(ctx, &engine.RouteRequest{})
	_, traceRoute := e.TraceRoute(ctx, &engine.MatchRequest{})
	_, attributes := e.TraceAttributes(ctx, &engine.MatchRequest{})
	_, matrix := e.Matrix(ctx, &engine.MatrixRequest{})
	_, isochrone := e.Isochrone(ctx, &engine.IsochroneRequest{})
	_, locate := e.Locate(ctx, &engine.LocateRequest{})
	_, nearest := e.Nearest(ctx, &engine.NearestRequest{})
	_, centroid := e.Centroid(ctx, &engine.RouteRequest{})
	if want := append([]engine.Call{engine.CallStatus}, engine.Calls()...); !slices.Equal(heard, want) || status != nil {
		t.Errorf("heard of %v, want %v", heard, want)
	}
	for i, err := range []error{route, traceRoute, attributes, matrix, isochrone, locate, nearest, centroid} {
		if got := engine.NotEnabled(string(engine.Calls()[i])); err == nil || err.Error() != got.Error() {
			t.Errorf("%v, want %v", err, got)
		}
	}
}
