package valhalla_test

import (
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/valhalla"
)

// TestWriteOne takes a route out of an answer that another engine wrote, byte for byte.
func TestWriteOne(t *testing.T) {
	const native = `{"trip":{"a":1}, "alternates":[{"trip":{"b" : 2}},{"via":{"trip":9},"trip":{"c":3}}],"id":"x"}`
	const osrm = `{"code":"Ok","routes":[{"a":1}, {"b" : [2,{"routes":[5]}]} ],"waypoints":[{"name":""}]}`
	for _, c := range []struct {
		format engine.Format
		raw    string
		index  int
		want   string
	}{
		{engine.Native, native, 0, `{"trip":{"a":1}}`},
		{engine.Native, native, 1, `{"trip":{"b" : 2}}`},
		{engine.Native, native, 2, `{"trip":{"c":3}}`},
		{engine.OSRM, osrm, 0, `{"code":"Ok","routes":[{"a":1}],"waypoints":[{"name":""}]}`},
		{engine.OSRM, osrm, 1, `{"code":"Ok","routes":[{"b" : [2,{"routes":[5]}]}],"waypoints":[{"name":""}]}`},
	} {
		r := &engine.RouteRequest{Output: engine.Output{Format: c.format}}
		got, err := valhalla.WriteOne(r, &engine.RouteAnswer{Raw: []byte(c.raw), Routes: make([]engine.Route, 3)}, c.index)
		if err != nil || string(got) != c.want {
			t.Errorf("%s %v, want %s", got, err, c.want)
		}
	}
}
