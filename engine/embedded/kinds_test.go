package embedded_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/towntest"
)

// TestLoadsAndTrailers drives lorries past a road that is closed, or open to destinations
// only, to some of them.
func TestLoadsAndTrailers(t *testing.T) {
	t.Parallel()
	const straight, round = "abcd", "aefd"
	for _, c := range []struct {
		what    string
		bc      string
		options string
		clock   string
		to      string
		path    string
	}{
		{what: "dangerous goods for destinations, without", bc: "primary hazmat=destination", to: "d", path: straight},
		{what: "dangerous goods for destinations, with", bc: "primary hazmat=destination", options: `"hazmat": true`, to: "d", path: round},
		{what: "dangerous goods for destinations, to one", bc: "primary hazmat=destination", options: `"hazmat": true`, to: "m", path: "abm"},
		{what: "dangerous goods by day, at night", bc: `primary hazmat:conditional="no @ (07:00-19:00)"`, options: `"hazmat": true`, clock: "2026-09-01T23:00", to: "d", path: straight},
		{what: "dangerous goods by day, by day", bc: `primary hazmat:conditional="no @ (07:00-19:00)"`, options: `"hazmat": true`, clock: "2026-09-01T12:00", to: "d", path: round},
		{what: "dangerous goods by day, without", bc: `primary hazmat:conditional="no @ (07:00-19:00)"`, clock: "2026-09-01T12:00", to: "d", path: straight},
		{what: "trailers, one", bc: "primary trailer=no", options: `"length": 18`, to: "d", path: round},
		{what: "trailers, a rigid lorry", bc: "primary trailer=no", options: `"length": 10`, to: "d", path: straight},
		{what: "articulated lorries, one", bc: "primary hgv_articulated=no hgv=designated", options: `"length": 16`, to: "d", path: round},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			town := towntest.Draw(t, `
				a----b---m---c----d
				|                 |
				e-----------------f`, towntest.Ways{{"bmc", c.bc}, {"ab", "primary"}, {"cd", "primary"}, {"aefd", "tertiary"}})
			e, err := embedded.New(town.Region(t))
			if err != nil {
				t.Fatal(err)
			}
			r := &engine.RouteRequest{Costing: costing.Truck, Locations: stops(town, "a", c.to), Conditions: when(t, engine.Depart, c.clock)}
			_, a, err := ask(t, e, r, c.options)
			if err != nil {
				t.Fatal(err)
			}
			if path := a.Trip.passes(t, town); strings.ReplaceAll(path, "m", "") != strings.ReplaceAll(c.path, "m", "") {
				t.Errorf("it passes %s, want %s", path, c.path)
			}
		})
	}
}

// TestGatesWithHours walks past a gate that is closed at night.
func TestGatesWithHours(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what, gate, way string
		costing         costing.Costing
		clock           string
		round           bool
		warns           string
	}{
		{what: "no time given", gate: `barrier=gate opening_hours="06:00-22:00"`, warns: "opening_hours=06:00-22:00, on node"},
		{what: "open", gate: `barrier=gate opening_hours="06:00-22:00"`, clock: "2026-09-01T12:00"},
		{what: "closed", gate: `barrier=gate opening_hours="06:00-22:00"`, clock: "2026-09-01T23:00", round: true},
		{what: "always open", gate: `barrier=gate opening_hours="24/7"`, clock: "2026-09-01T23:00"},
		{what: "hours that nobody can read", gate: `barrier=gate opening_hours="by appointment"`, clock: "2026-09-01T23:00"},
		{what: "a way with hours, closed", way: `opening_hours="06:00-22:00"`, clock: "2026-09-01T23:00", round: true},
		{what: "a way with hours, open", way: `opening_hours="06:00-22:00"`, clock: "2026-09-01T12:00"},
		{what: "a way with hours, no time given", way: `opening_hours="06:00-22:00"`, warns: "opening_hours, on way"},
		{what: "by month", gate: `barrier=gate foot=yes foot:conditional="no @ (Jan 16:30-08:00; Feb 17:00-08:00; May-Sep 20:00-08:00)"`, clock: "2026-09-01T21:00", round: true},
		{what: "by month, in another", gate: `barrier=gate foot=yes foot:conditional="no @ (Jan 16:30-08:00; Feb 17:00-08:00; May-Sep 20:00-08:00)"`, clock: "2026-03-01T21:00"},
		{what: "closed at night", gate: `barrier=gate access:conditional="no @ (22:00-06:00)"`, clock: "2026-09-01T23:00", round: true},
		{what: "closed at night, by day", gate: `barrier=gate access:conditional="no @ (22:00-06:00)"`, clock: "2026-09-01T12:00"},
		{what: "closed to cars at night", gate: `barrier=gate motor_vehicle:conditional="no @ (22:00-06:00)"`, clock: "2026-09-01T23:00"},
		{what: "closed to cars at night, a car", gate: `barrier=gate motor_vehicle:conditional="no @ (22:00-06:00)"`, costing: costing.Auto, clock: "2026-09-01T23:00", round: true},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			town := towntest.Draw(t, `
				a----g----b
				|         |
				c---------d`, towntest.Ways{{"ag", "residential"}, {"gb", "residential " + c.way}, {"acdb", "residential"}}, towntest.Nodes{{"g", cmp.Or(c.gate, "barrier=entrance")}})
			e, err := embedded.New(town.Region(t))
			if err != nil {
				t.Fatal(err)
			}
			k := costing.Pedestrian
			if c.costing.Valid() {
				k = c.costing
			}
			r := &engine.RouteRequest{Costing: k, Locations: stops(town, "a", "b"), Conditions: when(t, engine.Depart, c.clock)}
			got, a, err := ask(t, e, r, "")
			if err != nil {
				t.Fatal(err)
			}
			if path := a.Trip.passes(t, town); strings.Contains(path, "d") != c.round {
				t.Errorf("it passes %s", path)
			}
			said := ""
			for _, w := range got.Warnings {
				said += w.Text
			}
			if c.warns == "" && said != "" || !strings.Contains(said, c.warns) {
				t.Errorf("it says %q", said)
			}
		})
	}
}

// TestRefusalOfAssumedCode checks that a refusal distinguishes a tunnel code that is assumed
// from one that the caller gave.
func TestRefusalOfAssumedCode(t *testing.T) {
	town := towntest.Draw(t, `a----b----c----d`, towntest.Ways{{"ab", "primary"}, {"bc", "primary tunnel=yes tunnel:category=C"}, {"cd", "primary"}})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, assumed := range []bool{false, true} {
		r := &engine.RouteRequest{Costing: costing.Truck, Locations: stops(town, "a", "d"), Options: chosen(t, costing.Truck, `"hazmat": true, "adr_tunnel_code": "B"`)}
		r.Options.CodeAssumed = assumed
		_, err := e.Route(t.Context(), r)
		if engine.Code(err) != engine.CodeNoRoute || strings.Count(err.Error(), "assumed") != map[bool]int{false: 0, true: 2}[assumed] {
			t.Errorf("assumed %v: %v", assumed, err)
		}
	}
}

// TestFerryHours takes the only ferry with and without a time, by which one is warned of its hours.
func TestFerryHours(t *testing.T) {
	town := towntest.Draw(t, `a----b----c----d`, towntest.Ways{{"ab", "primary"}, {"bc", `route=ferry motor_vehicle=yes opening_hours="06:00-22:00"`}, {"cd", "primary"}})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	for clock, warns := range map[string]bool{"": true, "2026-09-01T12:00": false} {
		r := &engine.RouteRequest{Costing: costing.Auto, Locations: stops(town, "a", "d"), Conditions: when(t, engine.Depart, clock)}
		got, _, err := ask(t, e, r, "")
		if err != nil {
			t.Fatal(err)
		}
		said := slices.ContainsFunc(got.Warnings, func(w engine.Warning) bool {
			return w.Code == engine.WarnIgnored && strings.Contains(w.Text, "opening_hours")
		})
		if said != warns {
			t.Errorf("at %q it warns %v", clock, got.Warnings)
		}
	}
}
