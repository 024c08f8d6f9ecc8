package valhalla_test

import (
	"reflect"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/schema/schematest"
	"github.com/waygate/waygate/wire/valhalla"
)

// TestAnswersAreDescribed writes answers in which all is known: what they have is what the
// types beside the writers describe.
func TestAnswersAreDescribed(t *testing.T) {
	var m schematest.Members
	add := func(text []byte, err error, of reflect.Type) {
		t.Helper()
		if err == nil {
			err = m.Add(text, of)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	attributes := schematest.Filled[engine.AttributesAnswer]()
	attributes.Edges[0].Source, attributes.Edges[0].Target = 0.25, 0.75
	more := attributes.Edges[0]
	attributes.Edges[0].Last = false
	attributes.Edges = append(attributes.Edges, more)
	for _, c := range costing.All {
		options, _, _ := costing.Parse(c, nil, "")
		for _, filter := range []engine.AttributeFilter{{}, {Include: true, Names: []string{engine.SurfaceTagged}}} {
			q := &engine.MatchRequest{Costing: c, Options: options, Filter: filter}
			q.ID = "id"
			text, err := valhalla.WriteAttributes(q, attributes)
			add(text, err, reflect.TypeFor[valhalla.TraceEdges]())
		}
	}
	places := &engine.LocateAnswer{Places: []engine.Located{*schematest.Filled[engine.Located](), {}}}
	few := &engine.LocateAnswer{Places: []engine.Located{{Edges: []engine.LocatedEdge{{Way: 7, Side: "left"}}, Nodes: make([]engine.LocatedNode, 1)}, {}}}
	for verbose, a := range map[bool]*engine.LocateAnswer{true: places, false: few} {
		q := &engine.LocateRequest{Locations: make([]engine.Location, 2), Verbose: verbose}
		text, err := valhalla.WriteLocate(q, a, []engine.Warning{{Code: 1, Text: "of all", Of: "verbose"}})
		add(text, err, reflect.TypeFor[[]valhalla.LocatedPlace]())
	}
	for _, wrong := range m.Wrong("valhalla.TraceEdges.warnings") {
		t.Error(wrong)
	}
}

// TestRoutesAreDescribed writes a route in which all is known.
func TestRoutesAreDescribed(t *testing.T) {
	type leg struct {
		Maneuvers []valhalla.Maneuver `json:"maneuvers"`
		Summary   valhalla.Summary    `json:"summary"`
		Shape     any                 `json:"shape"`
	}
	type trip struct {
		Status        any                     `json:"status"`
		StatusMessage any                     `json:"status_message"`
		Units         any                     `json:"units"`
		Language      any                     `json:"language"`
		Legs          []leg                   `json:"legs"`
		Summary       valhalla.Summary        `json:"summary"`
		Locations     []valhalla.TripLocation `json:"locations"`
	}
	type other struct {
		Trip trip                  `json:"trip"`
		Via  valhalla.AlternateVia `json:"via"`
	}
	type answer struct {
		Trip       trip    `json:"trip"`
		Alternates []other `json:"alternates"`
		ID         any     `json:"id"`
	}
	var m schematest.Members
	a := schematest.Route()
	a.Routes = append(a.Routes, a.Routes[0])
	q := &engine.RouteRequest{Costing: costing.Auto}
	q.Options, _, _ = costing.Parse(costing.Auto, nil, "")
	q.Output = *schematest.Filled[engine.Output]()
	q.Format, q.Language = engine.Native, "en-GB"
	text, err := valhalla.WriteRoute(q, a)
	if err == nil {
		err = m.Add(text, reflect.TypeFor[answer]())
	}
	if err != nil {
		t.Fatal(err)
	}
	// No lane leads on without being the one to be in, no manoeuvre follows at once, and no
	// time was asked for.
	for _, wrong := range m.Wrong("valhalla.Maneuver.verbal_multi_cue", "valhalla.ManeuverLane.valid", "valhalla.TripLocation.date_time", "valhalla.TripLocation.time_zone_name", "valhalla.TripLocation.time_zone_offset") {
		t.Error(wrong)
	}
}
