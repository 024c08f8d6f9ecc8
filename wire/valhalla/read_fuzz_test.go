package valhalla_test

import (
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/osrm"
	"github.com/waygate/waygate/wire/valhalla"
)

// FuzzReadRoutes reads answers of remote engines in both formats: each gives
// routes whose manoeuvres have their words and lie on their line, or an error.
func FuzzReadRoutes(f *testing.F) {
	f.Add([]byte(nativeText), "polyline6", false)
	f.Add([]byte(osrmText), "geojson", true)
	f.Add([]byte(`{"trip":{"legs":[{"maneuvers":[{"begin_shape_index":-1},{"begin_shape_index":9223372036854775807}],"shape":"?"}]}}`), "", false)
	f.Add([]byte(`{"routes":[{"legs":[{"steps":[{"maneuver":{"location":[]}}]}]}]}`), "", true)
	f.Fuzz(func(t *testing.T, doc []byte, geometries string, inOSRM bool) {
		o := &engine.Output{Format: engine.Native, Geometries: geometries}
		read := valhalla.ReadRoutes
		if inOSRM {
			o.Format, read = engine.OSRM, osrm.ReadRoutes
		}
		routes, _, err := read(doc, o)
		if err != nil {
			return
		}
		if len(routes) > len(doc) {
			t.Errorf("%d routes of %d bytes", len(routes), len(doc))
		}
		for i := range routes {
			for j := range routes[i].Legs {
				l := &routes[i].Legs[j]
				if len(l.Manoeuvres) > len(doc) || len(l.Line) > len(doc) {
					t.Errorf("%d manoeuvres and %d points of %d bytes", len(l.Manoeuvres), len(l.Line), len(doc))
				}
				if len(l.Instructions) != len(l.Manoeuvres) {
					t.Errorf("%d manoeuvres with %d instructions", len(l.Manoeuvres), len(l.Instructions))
				}
				for k := range l.Manoeuvres {
					if at := l.Manoeuvres[k].BeginShape; at < 0 || at >= len(l.Line) {
						t.Errorf("a manoeuvre at point %d of %d", at, len(l.Line))
					}
				}
			}
		}
	})
}

// FuzzReadAttributes reads a remote engine's answer to trace_attributes.
func FuzzReadAttributes(f *testing.F) {
	f.Add([]byte(`{"edges":[{"way_id":1,"length":0.5,"road_class":"primary","use":"road","begin_shape_index":0,"end_shape_index":1,"end_node":{"elapsed_time":3,"admin_index":0}}],"admins":[{"country_code":"GB"}],"units":"kilometers"}`), true)
	f.Add([]byte(`{"edges":[{"end_node":{"admin_index":-1}},{"end_node":{"admin_index":9}}]}`), false)
	f.Fuzz(func(t *testing.T, doc []byte, miles bool) {
		a, err := valhalla.ReadAttributes(doc, &engine.Output{Miles: miles})
		if (a == nil) == (err == nil) {
			t.Errorf("attributes %v, error %v", a, err)
		}
	})
}
