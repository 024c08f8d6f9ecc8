package osrm_test

import (
	"reflect"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/osrm"
	"github.com/waygate/waygate/wire/schema/schematest"
)

// TestAnswersAreDescribed writes a route in which all is known: what its parts have is what
// the types beside the writers describe.
func TestAnswersAreDescribed(t *testing.T) {
	type leg struct {
		Distance   any             `json:"distance"`
		Duration   any             `json:"duration"`
		Weight     any             `json:"weight"`
		Summary    any             `json:"summary"`
		Steps      []osrm.Step     `json:"steps"`
		Annotation osrm.Annotation `json:"annotation"`
		Via        []osrm.Via      `json:"via_waypoints"`
		Admins     []osrm.Admin    `json:"admins"`
	}
	type route struct {
		Distance   any   `json:"distance"`
		Duration   any   `json:"duration"`
		Weight     any   `json:"weight"`
		WeightName any   `json:"weight_name"`
		Via        any   `json:"via"`
		Geometry   any   `json:"geometry"`
		Legs       []leg `json:"legs"`
		Locale     any   `json:"voiceLocale"`
	}
	type answer struct {
		Code      any             `json:"code"`
		Routes    []route         `json:"routes"`
		Waypoints []osrm.Waypoint `json:"waypoints"`
	}
	q := &engine.RouteRequest{Costing: costing.Auto}
	q.Options, _, _ = costing.Parse(costing.Auto, nil, "")
	q.Output = *schematest.Filled[engine.Output]()
	q.Format, q.Language, q.Geometries, q.Overview, q.SkipWaypoints = engine.OSRM, "en-GB", "geojson", "full", false
	q.Annotations = ^engine.Annotations(0)
	text, err := osrm.WriteRoute(q, schematest.Route())
	var m schematest.Members
	if err == nil {
		err = m.Add(text, reflect.TypeFor[answer]())
	}
	if err != nil {
		t.Fatal(err)
	}
	// A road without a limit, and a roundabout with a name, are not in this route.
	for _, wrong := range m.Wrong("osrm.Limit.unknown", "osrm.Step.rotary_name") {
		t.Error(wrong)
	}
}
