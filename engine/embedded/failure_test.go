package embedded_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
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
		costing    costing.Costing
		options    string
		from, to   engine.Location
		code       int
		index      int
		constraint string
		near       int  // metres within which nearest_road_m must be; -1 for none named
		way        bool // blocked_by names the way
	}{
		{"a height on the way", costing.Truck, `{"height":4}`, engine.Location{Point: town.Point("a")}, engine.Location{Point: town.Point("d")}, 442, 1, "height", 1, true},
		{"a toll on the way", costing.Auto, `{"exclude_tolls":true}`, engine.Location{Point: town.Point("a")}, engine.Location{Point: town.Between("e", "f", 0.9)}, 442, 1, "exclude_tolls", 1, true},
		{"a height at the end", costing.Truck, `{"height":4}`, engine.Location{Point: town.Point("a")}, engine.Location{Point: town.Between("b", "c", 0.5), SearchCutoff: 20}, 171, 1, "height", 200, true},
		{"a footway", costing.Auto, `{}`, engine.Location{Point: town.Between("f", "g", 0.5), SearchCutoff: 20}, engine.Location{Point: town.Point("a")}, 171, 0, "costing", 300, true},
		{"a heading", costing.Auto, `{}`, engine.Location{Point: town.Between("b", "e", 0.5), SearchCutoff: 10, Heading: &east}, engine.Location{Point: town.Point("a")}, 171, 0, "heading", 300, true},
		{"a filter", costing.Auto, `{}`, engine.Location{Point: town.Between("e", "f", 0.5), SearchCutoff: 10, Filter: engine.SearchFilter{MinClass: "primary"}}, engine.Location{Point: town.Point("a")}, 171, 0, "search_filter", 400, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var raw map[string]json.RawMessage
			if err := json.Unmarshal([]byte(c.options), &raw); err != nil {
				t.Fatal(err)
			}
			settings, _, _ := costing.Parse(c.costing, raw, "")
			_, err := e.Route(t.Context(), &engine.RouteRequest{Costing: c.costing, Options: settings, Locations: []engine.Location{c.from, c.to}})
			var f *fault.Error
			if !errors.As(err, &f) || engine.Code(err) != c.code || f.Fields["location_index"] != c.index {
				t.Fatalf("%v, want %d of location %d", err, c.code, c.index)
			}
			blocked, _ := f.Fields["blocked_by"].(map[string]any)
			if blocked["constraint"] != c.constraint || blocked["value"] == nil || (blocked["way_id"] != nil) != c.way || !strings.Contains(f.Detail, c.constraint) {
				t.Errorf("blocked by %v: %s", blocked, f.Detail)
			}
			metres, named := f.Fields["nearest_road_m"].(float64)
			if named != (c.near >= 0) || named && (metres > float64(c.near) || f.Fields["nearest_way_id"] == nil || f.Fields["nearest_road"] == nil) {
				t.Errorf("the nearest road: %v", fmt.Sprint(f.Fields))
			}
			_, err = e.Route(t.Context(), &engine.RouteRequest{Costing: c.costing, Options: settings, Locations: []engine.Location{c.from, c.to}})
			var again *fault.Error
			if !errors.As(err, &again) || again.Detail != f.Detail || fmt.Sprint(again.Fields) != fmt.Sprint(f.Fields) {
				t.Errorf("the second time: %v", err)
			}
		})
	}
}

// Every option of the table that keeps off roads is named where it does.
func TestWhateverForbidsIsNamed(t *testing.T) {
	for _, c := range []struct {
		option, tags, value string
		costing             costing.Costing
	}{
		{"axle_count", "primary maxaxles=3", "4", costing.Truck},
		{"axle_load", "primary maxaxleload=3", "4", costing.Truck},
		{"hazmat", "primary hazmat=no", "true", costing.Truck},
		{"max_hiking_difficulty", "path sac_scale=alpine_hiking", "2", costing.Pedestrian},
		{"exclude_cash_only_tolls", "primary toll=yes payment:cash=only", "true", costing.Auto},
		{"exclude_tunnels", "primary tunnel=yes", "true", costing.Auto},
	} {
		t.Run(c.option, func(t *testing.T) {
			town := towntest.Draw(t, "a--b--c--d", towntest.Ways{{"ab", "primary"}, {"bc", c.tags}, {"cd", "primary"}})
			e, err := embedded.New(town.Region(t))
			if err != nil {
				t.Fatal(err)
			}
			settings, unknown, bad := costing.Parse(c.costing, map[string]json.RawMessage{c.option: json.RawMessage(c.value)}, "")
			if len(unknown)+len(bad) > 0 {
				t.Fatal(unknown, bad)
			}
			_, err = e.Route(t.Context(), &engine.RouteRequest{Costing: c.costing, Options: settings, Locations: []engine.Location{{Point: town.Point("a")}, {Point: town.Point("d")}}})
			var f *fault.Error
			if !errors.As(err, &f) || engine.Code(err) != engine.CodeNoRoute {
				t.Fatal(err)
			}
			if blocked, _ := f.Fields["blocked_by"].(map[string]any); blocked["constraint"] != c.option || fmt.Sprint(blocked["value"]) != c.value {
				t.Errorf("blocked by %v: %s", blocked, f.Detail)
			}
		})
	}
}

// Restrictions that block together are named together, the caller's declarations before those
// of the costing, and where a road never opens.
func TestWhatBlocksIsTold(t *testing.T) {
	town := towntest.Draw(t, `
		a-----b-----c-----d-----e--j
		      |           |
		      f-----------g        h--i`,
		towntest.Ways{
			{"ab", "primary"},
			{"bc", "primary maxheight=3 maxweight=10"},
			{"cd", "primary"},
			{"de", "residential maxwidth=2 maxlength=5 toll=yes"},
			{"bf", "residential"},
			{"fg", "residential maxheight=3 maxweight=10"},
			{"gd", "residential"},
			{"ej", "residential"},
			{"hi", "residential"},
		})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, options, from, to string
		code, index             int
		constraint, value, says string
	}{
		{"two together", `{"height":4,"weight":20}`, "a", "d", 442, 1, "height,weight", "map[height:4 weight:20]", "without height = 4 and weight = 20 there is one"},
		{"one of two", `{"height":2,"weight":20}`, "a", "d", 442, 1, "weight", "20", "without weight = 20 there is one"},
		{"the declared one", `{"height":4,"exclude_tolls":true}`, "c", "j", 442, 1, "exclude_tolls,length,width", "", "without exclude_tolls = true and"},
		{"nothing", `{}`, "h", "b", 442, 0, "", "", "locations[0] is on a road that is cut off from the others"},
		{"nothing to go to", `{}`, "c", "i", 442, 1, "", "", "locations[1] is on a road that is cut off from the others"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var raw map[string]json.RawMessage
			if err := json.Unmarshal([]byte(c.options), &raw); err != nil {
				t.Fatal(err)
			}
			settings, _, _ := costing.Parse(costing.Truck, raw, "")
			_, err := e.Route(t.Context(), &engine.RouteRequest{Costing: costing.Truck, Options: settings, Locations: []engine.Location{{Point: town.Point(c.from)}, {Point: town.Point(c.to)}}})
			var f *fault.Error
			if !errors.As(err, &f) || engine.Code(err) != c.code || f.Fields["location_index"] != c.index || !strings.Contains(f.Detail, c.says) {
				t.Fatalf("%v %v, want %d of location %d and %q", err, f.Fields, c.code, c.index, c.says)
			}
			blocked, _ := f.Fields["blocked_by"].(map[string]any)
			if c.constraint == "" {
				if blocked != nil {
					t.Errorf("blocked by %v", blocked)
				}
				return
			}
			if parts := strings.Split(fmt.Sprint(blocked["constraint"]), ","); !slices.Equal(slices.Sorted(slices.Values(parts)), strings.Split(c.constraint, ",")) ||
				c.value != "" && fmt.Sprint(blocked["value"]) != c.value || blocked["way_id"] == nil {
				t.Errorf("blocked by %v: %s", blocked, f.Detail)
			}
		})
	}
}

// A way that stays closed at the time of travel is named with the road.
func TestATimeThatBlocksIsTold(t *testing.T) {
	town := towntest.Draw(t, `a-----b-----c-----d`, towntest.Ways{
		{"ab", "primary"}, {"bc", `primary motor_vehicle:conditional="no @ (Mo-Su 00:00-24:00)"`}, {"cd", "primary"},
	})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)
	for _, when := range []engine.TimeType{engine.Depart, engine.Arrive, engine.Invariant} {
		settings, _, _ := costing.Parse(costing.Auto, nil, "")
		_, err := e.Route(t.Context(), &engine.RouteRequest{
			Costing: costing.Auto, Options: settings, Conditions: engine.Conditions{When: &engine.When{Type: when, Local: at}},
			Locations: []engine.Location{{Point: town.Point("a")}, {Point: town.Point("d")}},
		})
		var f *fault.Error
		if !errors.As(err, &f) {
			t.Fatalf("%v: %v", when, err)
		}
		blocked, _ := f.Fields["blocked_by"].(map[string]any)
		if blocked["constraint"] != "date_time" || blocked["location"] != town.Point("b").Fix().Point() || blocked["way_id"] == nil || !strings.Contains(f.Detail, "without date_time = 2026-09-01T08:00") {
			t.Errorf("%v: %v: %s", when, blocked, f.Detail)
		}
	}
}
