package embedded_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/towntest"
)

// TestLimitsOfNodes drives past a bar of 2.1 m that stands on a road: it binds
// those who pass it, not those who turn off before.
func TestLimitsOfNodes(t *testing.T) {
	town := towntest.Draw(t, `
	  a---b---c
	  |       |
	  d-------e`,
		towntest.Ways{{"abc", "primary"}, {"adec", "residential"}},
		towntest.Nodes{{"b", "barrier=height_restrictor maxheight=2.1"}})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	length := func(by costing.Costing, options string, from, to string) float64 {
		t.Helper()
		var raw map[string]json.RawMessage
		if err := json.Unmarshal([]byte(options), &raw); err != nil {
			t.Fatal(err)
		}
		s, unknown, bad := costing.Parse(by, raw, "")
		if len(unknown)+len(bad) > 0 {
			t.Fatal(unknown, bad)
		}
		a, err := e.Route(context.Background(), &engine.RouteRequest{Costing: by, Options: s, Locations: []engine.Location{{Point: town.Point(from)}, {Point: town.Point(to)}}})
		if err != nil {
			t.Fatal(err)
		}
		return a.Routes[0].Metres / 1000
	}
	straight := length(costing.Auto, `{}`, "a", "c")
	if round := length(costing.Truck, `{}`, "a", "c"); round < 1.3*straight {
		t.Errorf("a lorry goes %.3f km, under the bar; a car goes %.3f km", round, straight)
	}
	if tall := length(costing.Auto, `{"height": 2.11}`, "a", "c"); tall < 1.3*straight {
		t.Errorf("a car of 2.11 m goes %.3f km, under a bar of 2.1 m", tall)
	}
	if fits := length(costing.Auto, `{"height": 2.1}`, "a", "c"); fits != straight {
		t.Errorf("a car of 2.1 m goes %.3f km round a bar of 2.1 m", fits)
	}
}
