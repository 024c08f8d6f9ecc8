package site

import (
	"io/fs"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/waygate/waygate/fault"
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

// TestDriverWorker checks that the worker of the driver's page is a script at the root that may
// only ask this server, and that the page's manifest has its media type.
func TestDriverWorker(t *testing.T) {
	s := website{files: fstest.MapFS{"driver-worker.js": {Data: []byte("worker")}, "assets/driver-1.webmanifest": {Data: []byte("{}")}}}
	w := httptest.NewRecorder()
	if err := s.driverWorker(w, httptest.NewRequest("GET", "/driver-worker.js", nil), nil); err != nil {
		t.Fatal(err)
	}
	if h := w.Header(); w.Body.String() != "worker" || h.Get("Content-Type") != "text/javascript; charset=utf-8" || h.Get("Content-Security-Policy") != "default-src 'none'; connect-src 'self'" {
		t.Errorf("%q, %v", w.Body, h)
	}
	for _, files := range []fs.FS{nil, fstest.MapFS{}} {
		err := website{files: files}.driverWorker(httptest.NewRecorder(), httptest.NewRequest("GET", "/driver-worker.js", nil), nil)
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("without a website: %v", err)
		}
	}
	w = httptest.NewRecorder()
	if err := s.assets(w, httptest.NewRequest("GET", "/assets/driver-1.webmanifest", nil), &assetIn{File: "driver-1.webmanifest"}); err != nil {
		t.Fatal(err)
	}
	if kind := w.Header().Get("Content-Type"); kind != "application/manifest+json" {
		t.Errorf("the manifest is %s", kind)
	}
}
