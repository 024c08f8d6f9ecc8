package site

import (
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/waygate/waygate/geo"
)

func TestFitting(t *testing.T) {
	for _, c := range []struct {
		west, south, east, north, want float64
	}{
		{-180, -85, 180, 85, 1},
		{9, 47, 10, 48, 8.5},
		{9.5, 47.1, 9.5, 47.1, 15},
	} {
		b := geo.NoBounds().Extend(geo.Point{Lon: c.west, Lat: c.south}).Extend(geo.Point{Lon: c.east, Lat: c.north})
		if got := fitting(b); got != c.want {
			t.Errorf("%v: zoom %g, want %g", c, got, c.want)
		}
	}
}

func TestAssetsArePackedWithBrotli(t *testing.T) {
	s := website{files: fstest.MapFS{
		"assets/a.js":    {Data: []byte("plain")},
		"assets/a.js.br": {Data: []byte("packed")},
		"assets/b.js":    {Data: []byte("alone")},
	}}
	for _, c := range []struct{ file, accepts, body, encoding string }{
		{"a.js", "gzip, deflate, br, zstd", "packed", "br"},
		{"a.js", "gzip, br;q=0", "plain", ""},
		{"a.js", "", "plain", ""},
		{"b.js", "br", "alone", ""},
	} {
		r := httptest.NewRequest("GET", "/assets/"+c.file, nil)
		r.Header.Set("Accept-Encoding", c.accepts)
		w := httptest.NewRecorder()
		if err := s.assets(w, r, &assetIn{File: c.file}); err != nil {
			t.Fatal(err)
		}
		kind := w.Header().Get("Content-Type")
		if w.Body.String() != c.body || w.Header().Get("Content-Encoding") != c.encoding || kind != "text/javascript; charset=utf-8" {
			t.Errorf("%s with %q: %q, %v", c.file, c.accepts, w.Body, w.Header())
		}
	}
}
