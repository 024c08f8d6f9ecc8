package rationale_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/rationale"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// limits returns a town with two ways west to east: a short one under limits and a
// long one without.
func limits(t *testing.T, tags string) (*embedded.Engine, *towntest.Town) {
	t.Helper()
	town := towntest.Draw(t, `
		a--b----------c--d
		   |          |
		   |          |
		   e----------f`,
		towntest.Ways{
			{"ab", "primary"},
			{"bc", "primary " + tags},
			{"cd", "primary"},
			{"befc", "primary"},
		})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	return e, town
}

// flaky fails where a request has none of an option.
type flaky struct {
	engine.Engine
	without string
}

func (f flaky) Route(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	options := r.Options.Of(r.Costing)
	if o := costing.Find(f.without); f.without != "" && (!r.Options.Given(o) || o.Row().Get(&options) == 0) {
		return nil, fault.New(fault.UpstreamUnavailable, "gone")
	}
	return f.Engine.Route(ctx, r)
}

func TestExplain(t *testing.T) {
	const both = "maxheight=3 maxweight=10"
	for _, c := range []struct {
		name, tags string
		costing    costing.Costing
		options    string
		without    string // an option without which the engine fails
		kinds      string
		computed   int
		most       int64
		note       bool
	}{
		{name: "nothing declared", tags: both, costing: costing.Truck, computed: 1, most: 20},
		{name: "one that binds", tags: "maxheight=3", costing: costing.Truck, options: `{"height":4}`, kinds: "max_height", computed: 2, most: 40},
		{name: "one of two", tags: "maxheight=3", costing: costing.Truck, options: `{"height":4,"weight":20}`, kinds: "max_height", computed: 4, most: 80},
		{name: "only together", tags: both, costing: costing.Truck, options: `{"height":4,"weight":20}`, kinds: "combined", computed: 4, most: 80},
		{
			name: "all six", tags: "maxwidth=2.2", costing: costing.Truck, kinds: "max_width", computed: 8, most: 160,
			options: `{"height":4,"weight":20,"width":2.5,"length":12,"hazmat":true,"adr_tunnel_code":"B"}`,
		},
		{name: "hazmat", tags: "hazmat=no", costing: costing.Truck, options: `{"hazmat":true}`, kinds: "hazmat", computed: 2, most: 40},
		{name: "a tunnel", tags: "tunnel=yes hazmat:adr_tunnel_cat=E", costing: costing.Truck, options: `{"adr_tunnel_code":"E"}`, kinds: "adr_tunnel", computed: 2, most: 40},
		{name: "tolls", tags: "toll=yes", costing: costing.Auto, options: `{"exclude_tolls":true}`, kinds: "toll_avoided", computed: 2, most: 2},
		{name: "no tolls there", costing: costing.Auto, options: `{"use_tolls":0,"use_ferry":0}`, computed: 2, most: 4},
		{name: "a liking is no aversion", tags: "toll=yes", costing: costing.Auto, options: `{"use_tolls":1}`, computed: 1, most: 1},
		{name: "a profile", tags: "wheelchair=no", costing: costing.Pedestrian, options: `{"type":"wheelchair"}`, kinds: "access_profile", computed: 2, most: 2},
		{name: "a probe fails", tags: "maxheight=3", costing: costing.Truck, options: `{"height":4}`, without: "height", computed: 1, most: 40, note: true},
		{name: "one probe of two fails", tags: "maxheight=3", costing: costing.Truck, options: `{"height":4,"weight":20}`, without: "weight", computed: 1, most: 80, note: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, town := limits(t, c.tags)
			var raw map[string]json.RawMessage
			if c.options != "" {
				if err := json.Unmarshal([]byte(c.options), &raw); err != nil {
					t.Fatal(err)
				}
			}
			settings, unknown, bad := costing.Parse(c.costing, raw, "")
			if len(unknown)+len(bad) > 0 {
				t.Fatal(unknown, bad)
			}
			r := &engine.RouteRequest{Costing: c.costing, Options: settings, Locations: []engine.Location{{Point: town.Point("a")}, {Point: town.Point("d")}}}
			answer, err := e.Route(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			units := int64(1)
			if c.costing == costing.Truck {
				units = 20
			}
			if most := int64(rationale.Most(r)); most*units != c.most {
				t.Errorf("at most %d computations of %d units, want %d", most, units, c.most)
			}
			got, err := rationale.Explain(t.Context(), flaky{e, c.without}, r, &answer.Routes[0], rationale.Price{Units: units})
			if err != nil {
				t.Fatal(err)
			}
			var kinds []string
			for _, a := range got.Avoided {
				kinds = append(kinds, a.Kind)
				start, end := pointOf(a.Divergence.Start), pointOf(a.Divergence.End)
				if geo.Distance(start, town.Point("b")) > 15 || geo.Distance(end, town.Point("c")) > 15 {
					t.Errorf("%s: the ways part at %v and meet at %v", a.Kind, start, end)
				}
				if want := geo.Distance(town.Point("b"), town.Point("c")); math.Abs(a.Divergence.Length-want) > 25 {
					t.Errorf("%s: the other way is %g m long, want about %.0f", a.Kind, a.Divergence.Length, want)
				}
				if a.TimeSaved <= 0 || a.Saved <= 0 || a.Reason == "" || a.Basis != "route_divergence" || a.Baseline == "" {
					t.Errorf("%+v", a)
				}
			}
			m := got.Metering
			if s := strings.Join(kinds, " "); s != c.kinds || m.Engine != c.computed || m.Route+m.Probe != m.Engine || (got.Note != "") != c.note {
				t.Errorf("%q in %d computations, note %q; want %q in %d", s, m.Engine, got.Note, c.kinds, c.computed)
			}
			if m.Billed != units*int64(c.computed) || m.Most != c.most {
				t.Errorf("billed %d of %d", m.Billed, m.Most)
			}
		})
	}
}

func pointOf(p [2]float64) geo.Point { return geo.Point{Lon: p[0], Lat: p[1]} }

// What is both disliked and ruled out is listed as ruled out, and taken back as
// both.
func TestExplainHardBeforeSoft(t *testing.T) {
	e, town := limits(t, "toll=yes")
	settings, _, _ := costing.Parse(costing.Auto, map[string]json.RawMessage{"exclude_tolls": json.RawMessage("true"), "use_tolls": json.RawMessage("0")}, "")
	r := &engine.RouteRequest{Costing: costing.Auto, Options: settings, Locations: []engine.Location{{Point: town.Point("a")}, {Point: town.Point("d")}}}
	answer, err := e.Route(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	got, err := rationale.Explain(t.Context(), e, r, &answer.Routes[0], rationale.Price{Units: 1})
	if err != nil || len(got.Avoided) != 1 || got.Avoided[0].Constraint != "exclude_tolls" || got.Avoided[0].Value != true || got.Metering.Engine != 2 {
		t.Errorf("%+v %v", got, err)
	}
}

// A route in other units and shapes is compared all the same.
func TestExplainInAnyForm(t *testing.T) {
	e, town := limits(t, "toll=yes")
	settings, _, _ := costing.Parse(costing.Auto, map[string]json.RawMessage{"exclude_tolls": json.RawMessage("true")}, "")
	for _, form := range []engine.Output{
		{},
		{Format: engine.Native},
		{Format: engine.Native, Miles: true, ShapeFormat: "polyline5"},
		{Format: engine.Native, Miles: true, ShapeFormat: "polyline6"},
		{Format: engine.Native, Miles: true, ShapeFormat: "geojson"},
		{Format: engine.OSRM, Overview: "full", Steps: true, Voice: true, Geometries: "polyline"},
		{Format: engine.OSRM, Overview: "full", Steps: true, Geometries: "polyline6"},
		{Format: engine.OSRM, Overview: "full", Geometries: "geojson"},
	} {
		r := &engine.RouteRequest{Costing: costing.Auto, Options: settings, Output: form, Locations: []engine.Location{{Point: town.Point("a")}, {Point: town.Point("d")}}}
		answer, err := e.Route(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := rationale.Explain(t.Context(), e, r, &answer.Routes[0], rationale.Price{Units: 1, Ceiling: true})
		if err != nil || len(got.Avoided) != 1 || math.Abs(got.Avoided[0].Saved-600) > 5 || math.Abs(got.Avoided[0].Divergence.Length-1100) > 5 {
			t.Errorf("%+v: %+v %v", form, got, err)
		}
	}
}
