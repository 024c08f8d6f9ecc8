package embedded

import (
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/road/match"
	"github.com/waygate/waygate/towntest"
)

// TestPanicEndsARequest has calls panic at the roads that they look at first: none of
// them counts as under way after that, which work in the background would wait for.
func TestPanicEndsARequest(t *testing.T) {
	town := towntest.Draw(t, "a---b", towntest.Ways{{"ab", "primary"}})
	e, err := New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	e.base.Scratch.New = func() any { return &plan.Scratch{Match: &match.Query{}} } // which know no roads
	at := engine.Location{Point: town.Point("a")}
	trace := &engine.MatchRequest{Costing: costing.Auto, Trace: []engine.TracePoint{{Point: at.Point}, {Point: town.Point("b")}}}
	for name, call := range map[string]func() error{
		"route": func() error {
			_, err := e.Route(t.Context(), &engine.RouteRequest{Costing: costing.Auto, Locations: []engine.Location{at, at}})
			return err
		},
		"isochrone": func() error {
			_, err := e.Isochrone(t.Context(), &engine.IsochroneRequest{Costing: costing.Auto, Location: at, Contours: []engine.Contour{{Minutes: 1}}})
			return err
		},
		"trace": func() error {
			_, err := e.TraceRoute(t.Context(), trace)
			return err
		},
		"attributes": func() error {
			_, err := e.TraceAttributes(t.Context(), trace)
			return err
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: it does not panic", name)
				}
				if n := e.base.Scratch.Lent.Load(); n != 0 {
					t.Errorf("%s: %d requests are under way after a panic", name, n)
				}
				e.base.Scratch.Lent.Store(0)
			}()
			if err := call(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}()
	}
}
