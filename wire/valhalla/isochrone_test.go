package valhalla_test

import (
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/wire/valhalla"
)

// Warnings stand before those in an engine's own text.
func TestWarningsOfAnIsochrone(t *testing.T) {
	block := json.Block{Name: "warnings", Value: []engine.Warning{{Code: 901, Text: "foo"}}, Join: true, First: true}
	const warning = `{"code":901,"text":"foo"}`
	for body, want := range map[string]string{
		`{"type":"FeatureCollection"}`: `{"type":"FeatureCollection","warnings":[` + warning + `]}`,
		"{}\n":                         `{"warnings":[` + warning + "]}\n",
		`{"warnings":[{"code":3,"text":"a"}],"x":[]}`: `{"warnings":[` + warning + `,{"code":3,"text":"a"}],"x":[]}`,
		`{"x":"\"warnings\""}`:                        `{"x":"\"warnings\"","warnings":[` + warning + `]}`,
	} {
		got, err := valhalla.WriteIsochrone(&engine.IsochroneRequest{}, &engine.IsochroneAnswer{Raw: []byte(body)}, block)
		if err != nil || string(got) != want {
			t.Errorf("%s became %s (%v), want %s", body, got, err, want)
		}
	}
}

func TestWriteIsochrone(t *testing.T) {
	ring := func(lon float64) []geo.Point {
		return []geo.Point{{Lon: lon, Lat: 47}, {Lon: lon + 0.5, Lat: 47.25}, {Lon: lon, Lat: 47}}
	}
	a := &engine.IsochroneAnswer{On: geo.Point{Lon: 9.5, Lat: 47.1}, Outlines: []engine.Outline{
		{Contour: engine.Contour{Minutes: 10, Colour: "ff0000"}, Polygons: []engine.Polygon{{Outer: ring(9), Holes: [][]geo.Point{ring(9.1)}}, {Outer: ring(10)}}},
		{Contour: engine.Contour{Kilometres: 2.5}, Polygons: []engine.Polygon{{Outer: ring(8)}}},
		{Contour: engine.Contour{Minutes: 1}},
	}}
	const (
		one    = `[[9.0,47.0],[9.5,47.25],[9.0,47.0]]`
		hole   = `[[9.1,47.0],[9.6,47.25],[9.1,47.0]]`
		two    = `[[10.0,47.0],[10.5,47.25],[10.0,47.0]]`
		third  = `[[8.0,47.0],[8.5,47.25],[8.0,47.0]]`
		red    = `{"properties":{"fill-opacity":0.33,"fillColor":"#ff0000","opacity":0.33,"fill":"#ff0000","fillOpacity":0.33,"color":"#ff0000","contour":10.0,"metric":"time"},"geometry":{"coordinates":`
		green  = `{"properties":{"fill-opacity":0.33,"fillColor":"#bfaa40","opacity":0.33,"fill":"#bfaa40","fillOpacity":0.33,"color":"#bfaa40","contour":2.5,"metric":"distance"},"geometry":{"coordinates":`
		blue   = `{"properties":{"fill-opacity":0.33,"fillColor":"#6abf40","opacity":0.33,"fill":"#6abf40","fillOpacity":0.33,"color":"#6abf40","contour":1.0,"metric":"time"},"geometry":{"coordinates":`
		closed = `},"type":"Feature"}`
		line   = `,"type":"LineString"` + closed
	)
	for _, c := range []struct {
		r    engine.IsochroneRequest
		want string
	}{
		{engine.IsochroneRequest{Polygons: true}, red + `[[` + one + `,` + hole + `],[` + two + `]],"type":"MultiPolygon"` + closed + `,` +
			green + `[` + third + `],"type":"Polygon"` + closed + `,` + blue + `[],"type":"Polygon"` + closed + `],"type":"FeatureCollection"}`},
		{
			engine.IsochroneRequest{ShowLocations: true, ID: "a<b", Location: engine.Location{Point: geo.Point{Lon: 9.4, Lat: 47}}},
			red + one + line + `,` + red + hole + line + `,` + red + two + line + `,` + green + third + line +
				`,{"properties":{"location_index":0,"type":"snapped"},"geometry":{"coordinates":[[9.5,47.1]],"type":"MultiPoint"},"type":"Feature"}` +
				`,{"properties":{"location_index":0,"type":"input"},"geometry":{"coordinates":[9.4,47.0],"type":"Point"},"type":"Feature"}` +
				`],"type":"FeatureCollection","id":"a\u003cb"}`,
		},
	} {
		got, err := valhalla.WriteIsochrone(&c.r, a)
		if want := `{"features":[` + c.want; err != nil || string(got) != want {
			t.Errorf("%v\n got %s\nwant %s", err, got, want)
		}
	}
}
