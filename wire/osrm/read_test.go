package osrm_test

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/osrm"
)

// TestReadMotorways reads from the classes of roads which steps are on a motorway.
func TestReadMotorways(t *testing.T) {
	const step = `{"maneuver":{"type":"depart","location":[1,51]},"geometry":{"type":"LineString","coordinates":[[1,51],[1.01,51]]},"intersections":[{}, {"classes":[%]}]}`
	doc := `{"code":"Ok","routes":[{"legs":[{"steps":[` + with(step, `"toll"`) + `,` + with(step, `"toll","motorway"`) + `]}]},{"legs":[{"steps":[` + with(step, ``) + `]}]}]}`
	routes, _, err := osrm.ReadRoutes([]byte(doc), &engine.Output{Geometries: "geojson"})
	if err != nil {
		t.Fatal(err)
	}
	m := routes[0].Legs[0].Manoeuvres
	if m[0].Highway || !m[1].Highway || !routes[0].Legs[0].Highway || !routes[0].Highway || routes[1].Highway {
		t.Errorf("%+v", routes)
	}
}

func with(step, classes string) string { return strings.Replace(step, "%", classes, 1) }
