package embedded_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/road/search/searchtest"
)

// callersGo asks in several ways, and goes at one look of the kernel at its
// context after another: it ends at that look, or at the next on the way out.
func callersGo(t *testing.T, e *embedded.Engine, places func(n int) []engine.Location) {
	two := places(2)
	never := func(r *engine.RouteRequest) {
		r.Locations[0].Filter.MinClass, r.Locations[0].Filter.MaxClass = "motorway", "service_other" // no road is both
		r.Locations[0].SearchCutoff = 35_000
	}
	for _, x := range []struct {
		name   string
		looks  int // at the least, by one who stays
		change func(r *engine.RouteRequest)
	}{
		{"usual", 1, func(*engine.RouteRequest) {}},
		{"without a metric", 1, func(r *engine.RouteRequest) { r.Options = chosen(t, costing.Auto, `"shortest": true`) }},
		{"a time", 1, func(r *engine.RouteRequest) {
			r.When = &engine.When{Type: engine.Depart, Local: time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)}
		}},
		{"alternates", 3, func(r *engine.RouteRequest) { r.Alternates = 2 }},
		{"no road far and wide", 10, never},
	} {
		ask := func(ctx context.Context) error {
			r := &engine.RouteRequest{Costing: costing.Auto, Options: chosen(t, costing.Auto, ""), Locations: append([]engine.Location(nil), two...)}
			x.change(r)
			_, err := e.Route(ctx, r)
			return err
		}
		whole := &searchtest.CancelledContext{Context: t.Context()}
		if err := ask(whole); err != nil && engine.Code(err) != engine.CodeNoSegment || whole.Checks < x.looks {
			t.Errorf("%s: %d looks, want %d at the least: %v", x.name, whole.Checks, x.looks, err)
		}
		for _, after := range []int{1, whole.Checks/2 + 1, whole.Checks} {
			gone := &searchtest.CancelledContext{Context: t.Context(), After: after}
			if err := ask(gone); !errors.Is(err, context.Canceled) || gone.Checks > after+2 {
				t.Errorf("%s: gone at look %d of %d, it ends after %d with %v", x.name, after, whole.Checks, gone.Checks, err)
			}
		}
	}
}
