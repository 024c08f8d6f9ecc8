package httpfile

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestNotModified(t *testing.T) {
	for _, c := range []struct{ list, tag, has string }{
		{`"a"`, `"a"`, `"a"`},
		{`W/"a"`, `"a"`, `"a"`},
		{`"a"`, `W/"a"`, `W/"a"`},
		{`"a-gzip"`, `"a"`, `"a-gzip"`},
		{`"x", W/"a-zstd"`, `W/"a"`, `W/"a-zstd"`},
		{`"x","a"`, `"a"`, `"a"`},
		{`*`, `"a"`, `"a"`},
		{``, `"a"`, ``},
		{`a`, `"a"`, ``},
		{`"a-gzip-gzip"`, `"a"`, ``},
		{`"b"`, `"a"`, ``},
		{`"A"`, `"a"`, ``},
		{`w/"a"`, `"a"`, ``},
	} {
		w := httptest.NewRecorder()
		got := NotModified(w, c.list, c.tag)
		want := c.has
		if want == "" {
			want = c.tag
		}
		if got != (c.has != "") || w.Header().Get("ETag") != want || got != (w.Code == http.StatusNotModified) {
			t.Errorf("%s against %s: %v, %d, ETag %s", c.tag, c.list, got, w.Code, w.Header().Get("ETag"))
		}
	}
}

func TestAcceptsGzip(t *testing.T) {
	for header, want := range map[string]bool{
		"": false, "gzip": true, "br, GZIP": true, "gzip;q=0": false, "gzip; q=0.0, br": false, "gzip;q=0.5": true,
		"*": true, "*;q=0": false, "gzip;q=0, *": false, "*;q=0, gzip": true, "x-gzip": true, "gzippy": false, "identity, zstd": false,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		if header != "" {
			r.Header.Set("Accept-Encoding", header)
		}
		if got := AcceptsGzip(r); got != want {
			t.Errorf("%q: %v", header, got)
		}
	}
}
