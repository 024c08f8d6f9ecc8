package embedded_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/towntest"
)

// A failure names the location, the nearest road and what keeps the traveller
// off it, or off the way.
func TestFailuresAreLocated(t *testing.T) {
	town := towntest.Draw(t, `
		a-----b-----c-----d
		      |
		      e-----f-----g`,
		towntest.Ways{
			{"ab", `primary name="High Street"`},
			{"bc", "primary maxheight=3"},
			{"cd", "primary"},
			{"be", "residential toll=yes"},
			{"ef", "residential"},
			{"fg", "footway"},
		})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	east := 90.0
	for _, c := range []struct {
		name       string
		costing    engine.Costing
		options    string
		from, to   engine.Location
		code       int
		index      int
		constraint string
		near       int  // metres within which nearest_road_m must be; -1 for none told
		way        bool // blocked_by tells the way
	}{
		{"a height on the way", engine.Truck, `{"height":4}`, engine.Location{Point: town.Point("a")}, engine.Location{Point: town.Point("d")}, 442, 1, "height", 1, true},
		{"a toll on the way", engine.Auto, `{"exclude_tolls":true}`, engine.Location{Point: town.Point("a")}, engine.Location{Point: town.Between("e", "f", 0.9)}, 442, 1, "exclude_tolls", 1, true},
		{"a height at the end", engine.Truck, `{"height":4}`, engine.Location{Point: town.Point("a")}, engine.Location{Point: town.Between("b", "c", 0.5), SearchCutoff: 20}, 171, 1, "height", 200, true},
		{"a footway", engine.Auto, `{}`, engine.Location{Point: town.Between("f", "g", 0.5), SearchCutoff: 20}, engine.Location{Point: town.Point("a")}, 171, 0, "costing", 300, true},
		{"a heading", engine.Auto, `{}`, engine.Location{Point: town.Between("b", "e", 0.5), SearchCutoff: 10, Heading: &east}, engine.Location{Point: town.Point("a")}, 171, 0, "heading", 300, true},
		{"a filter", engine.Auto, `{}`, engine.Location{Point: town.Between("e", "f", 0.5), SearchCutoff: 10, Filter: engine.SearchFilter{MinClass: "primary"}}, engine.Location{Point: town.Point("a")}, 171, 0, "search_filter", 400, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var raw map[string]json.RawMessage
			if err := json.Unmarshal([]byte(c.options), &raw); err != nil {
				t.Fatal(err)
			}
			settings, _, _ := engine.ParseSettings(c.costing, raw, "")
			_, err := e.Route(t.Context(), &engine.RouteRequest{Costing: c.costing, Options: settings, Locations: []engine.Location{c.from, c.to}})
			var f *fault.Error
			if !errors.As(err, &f) || engine.Code(err) != c.code || f.Fields["location_index"] != c.index {
				t.Fatalf("%v, want %d of location %d", err, c.code, c.index)
			}
			blocked, _ := f.Fields["blocked_by"].(map[string]any)
			if blocked["constraint"] != c.constraint || blocked["value"] == nil || (blocked["way_id"] != nil) != c.way || !strings.Contains(f.Detail, c.constraint) {
				t.Errorf("blocked by %v: %s", blocked, f.Detail)
			}
			metres, told := f.Fields["nearest_road_m"].(float64)
			if told != (c.near >= 0) || told && (metres > float64(c.near) || f.Fields["nearest_way_id"] == nil || f.Fields["nearest_road"] == nil) {
				t.Errorf("the nearest road: %v", fmt.Sprint(f.Fields))
			}
		})
	}
}
