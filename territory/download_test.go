package territory

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestDownload checks that a layer stands in its place only where it is the file of the
// manifest, and that nothing else is left to go on from.
func TestDownload(t *testing.T) {
	layer := bytes.Repeat([]byte("layer "), 1000)
	for name, c := range map[string]struct {
		part, sent []byte
		want       error
	}{
		"whole":              {nil, layer, nil},
		"the rest":           {layer[:1000], layer, nil},
		"there":              {layer, nil, nil},
		"a part too long":    {append(layer[:6000:6000], 'x'), layer, nil},
		"another byte":       {nil, append(layer[:5999:5999], 'x'), ErrTampered},
		"a byte more":        {nil, append(layer[:6000:6000], 'x'), ErrTampered},
		"another part":       {bytes.Repeat([]byte{'x'}, 1000), layer, ErrTampered},
		"all of another one": {bytes.Repeat([]byte{'x'}, 6000), layer, ErrTampered},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/territories/a/1/layers/"+Sum(layer)+"/a.section" {
				t.Errorf("%s: %s is asked for", name, r.URL.Path)
			}
			w.Header().Set("Etag", `"`+Sum(layer)+`"`)
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(c.sent))
		}))
		dir := t.TempDir()
		reported := int64(-1)
		d := &download{
			server: &Server{URL: s.URL}, manifest: &Manifest{ID: "a", Version: 1}, layer: Layer{File: "a.section", Addr: Sum(layer), Bytes: int64(len(layer))},
			part: filepath.Join(dir, "part"), path: filepath.Join(dir, "layer"), report: func(done int64) { reported = done },
		}
		if c.part != nil {
			if err := os.WriteFile(d.part, c.part, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.run(t.Context()); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		s.Close()
		if got, err := os.ReadFile(d.path); (err == nil) != (c.want == nil) || err == nil && !bytes.Equal(got, layer) {
			t.Errorf("%s: %d bytes stand in the place of the layer (%v)", name, len(got), err)
		}
		if _, err := os.Stat(d.part); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: a part is left: %v", name, err)
		}
		// A layer that is there is not fetched again.
		if reported = -1; c.want == nil && (d.run(t.Context()) != nil || reported != int64(len(layer))) {
			t.Errorf("%s: %d bytes are reported of a layer that is there", name, reported)
		}
	}
}

// TestRefused checks that one request is sent to a server that refuses, and that its message
// is reported.
func TestRefused(t *testing.T) {
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte(`{"detail":"the key has no scope for territories"}`))
	}))
	defer s.Close()
	d := &download{server: &Server{URL: s.URL}, manifest: &Manifest{ID: "a", Version: 1}, layer: Layer{File: "a", Bytes: 1}, part: filepath.Join(t.TempDir(), "part"), report: func(int64) {}}
	refused := (*refusal)(nil)
	if err := d.run(t.Context()); !errors.As(err, &refused) || refused.status != http.StatusForbidden || refused.detail != "the key has no scope for territories" || asked != 1 {
		t.Errorf("%v after %d questions", err, asked)
	}
}
