package territories

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/territory"
)

// published is a store into which a territory of one section was published.
type published struct {
	*Service
	dir string
	key ed25519.PrivateKey
	of  *territory.Manifest
	log bytes.Buffer
}

func publish(t *testing.T) *published {
	t.Helper()
	p := &published{dir: t.TempDir()}
	p.Service = &Service{Files: blob.NewFolder(p.dir), Log: slog.New(slog.NewTextHandler(&p.log, nil))}
	from := regiontest.Sealed(t, region.Manifest{ID: "town", Name: "Town"}, [2]string{"graph", "the roads of the town"})
	var err error
	if p.key, err = territory.LoadKey(filepath.Join(t.TempDir(), "key")); err != nil {
		t.Fatal(err)
	}
	if p.of, _, err = territory.Publish(t.Context(), p.Files.(blob.Store), territory.Publication{Region: from, Key: p.key}); err != nil {
		t.Fatal(err)
	}
	return p
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// is checks that an error is of a kind.
func is(t *testing.T, what string, err error, slug fault.Slug) {
	t.Helper()
	if !fault.Is(err, slug) {
		t.Errorf("%s fails with %v, want %s", what, err, slug)
	}
}

// TestDocuments checks that index and manifest are given as they were signed, under a tag that
// is their content's.
func TestDocuments(t *testing.T) {
	p := publish(t)
	public := p.key.Public().(ed25519.PublicKey)
	tags := map[string]bool{}
	for what, give := range map[string]func(signature bool) (*Document, error){
		"the index":    func(signature bool) (*Document, error) { return p.Index(t.Context(), signature) },
		"the manifest": func(signature bool) (*Document, error) { return p.Manifest(t.Context(), "town", 1, signature) },
	} {
		document, err := give(false)
		if err != nil {
			t.Fatal(what, err)
		}
		signature, err := give(true)
		if err != nil {
			t.Fatal(what, err)
		}
		if err := territory.Verify(public, document.Data, signature.Data); err != nil {
			t.Errorf("%s is not what was signed: %v", what, err)
		}
		for _, d := range []*Document{document, signature} {
			if tags[d.ETag] || !strings.HasPrefix(d.ETag, `"`) || !strings.HasSuffix(d.ETag, `"`) {
				t.Errorf("%s has the tag %s, which is another's or has no quotes", what, d.ETag)
			}
			tags[d.ETag] = true
		}
		again, err := give(false)
		if err != nil || again.ETag != document.ETag {
			t.Errorf("%s has the tag %s, then %s, %v", what, document.ETag, again.ETag, err)
		}
	}
	if got := p.PublicKey(t.Context()); got != territory.PublicText(public) {
		t.Errorf("the key is %q, want %q", got, territory.PublicText(public))
	}
}

// TestLayer reads a layer in parts.
func TestLayer(t *testing.T) {
	p := publish(t)
	for _, l := range p.of.Layers {
		layer, err := p.Layer(t.Context(), "town", 1, l.Addr, l.File)
		if err != nil || layer.Layer != l || layer.ETag() != `"`+l.Addr+`"` {
			t.Fatalf("%s is %+v, %v", l.File, layer, err)
		}
		var whole []byte
		for at := int64(0); at < l.Bytes; at += 7 {
			r, err := layer.Open(t.Context(), at, min(7, l.Bytes-at))
			if err != nil {
				t.Fatal(err)
			}
			part, err := io.ReadAll(r)
			if err := errors.Join(err, r.Close()); err != nil {
				t.Fatal(err)
			}
			whole = append(whole, part...)
		}
		if territory.Sum(whole) != l.Addr {
			t.Errorf("the parts of %s are %q", l.File, whole)
		}
	}
	// A manifest never changes: it is read once.
	if err := os.Remove(filepath.Join(p.dir, territory.ManifestName("town", 1))); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Layer(t.Context(), "town", 1, p.of.Layers[0].Addr, p.of.Layers[0].File); err != nil {
		t.Errorf("the manifest was read a second time: %v", err)
	}
}

// TestWhatIsNotPublished asks for what a store does not have: it is refused as that, and not as a
// failure of the store.
func TestWhatIsNotPublished(t *testing.T) {
	p := publish(t)
	l := p.of.Layers[0]
	write(t, filepath.Join(p.dir, territory.ManifestName("town", 0)), "of a version that cannot be")
	for what, err := range map[string]error{
		"a version after the last":           second(p.Manifest(t.Context(), "town", 2, false)),
		"its signature":                      second(p.Manifest(t.Context(), "town", 2, true)),
		"version 0":                          second(p.Manifest(t.Context(), "town", 0, false)),
		"a version below 0":                  second(p.Manifest(t.Context(), "town", -1, false)),
		"another territory":                  second(p.Manifest(t.Context(), "city", 1, false)),
		"an id that leads out of the store":  second(p.Manifest(t.Context(), "../town", 1, false)),
		"no id":                              second(p.Manifest(t.Context(), "", 1, false)),
		"a very long id":                     second(p.Manifest(t.Context(), strings.Repeat("a", 1<<20), 1, false)),
		"a layer of a version there is not":  second(p.Layer(t.Context(), "town", 2, l.Addr, l.File)),
		"a layer of another territory":       second(p.Layer(t.Context(), "city", 1, l.Addr, l.File)),
		"a layer by another name":            second(p.Layer(t.Context(), "town", 1, l.Addr, "other.section")),
		"a layer by another's address":       second(p.Layer(t.Context(), "town", 1, p.of.Layers[1].Addr, l.File)),
		"a file of the store by its path":    second(p.Layer(t.Context(), "town", 1, "../public.pem", "public.pem")),
		"a layer by an address without name": second(p.Layer(t.Context(), "town", 1, l.Addr, "")),
	} {
		is(t, what, err, fault.NotFound)
		if err != nil && len(err.Error()) > 500 {
			t.Errorf("%s has a message of %d bytes", what, len(err.Error()))
		}
	}
}

// TestNothingIsPublished checks that a deployment without territories says so.
func TestNothingIsPublished(t *testing.T) {
	for what, s := range map[string]*Service{
		"no service":                   nil,
		"no store":                     {},
		"an empty store":               {Files: blob.NewFolder(t.TempDir())},
		"a store that is not made yet": {Files: blob.NewFolder(filepath.Join(t.TempDir(), "none"))},
	} {
		for _, signature := range []bool{false, true} {
			if _, err := s.Index(t.Context(), signature); !fault.IsNotEnabled(err) {
				t.Errorf("%s: the index fails with %v", what, err)
			}
		}
		if key := s.PublicKey(t.Context()); key != "" {
			t.Errorf("%s has the key %q", what, key)
		}
	}
}

// TestStoreFails checks that a store that cannot be read, or has another file than its manifest
// says, is refused as out of reach for now, and never as empty.
func TestStoreFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "x")
	var log bytes.Buffer
	broken := &Service{Files: blob.NewFolder(file), Log: slog.New(slog.NewTextHandler(&log, nil))}
	is(t, "the index", second(broken.Index(t.Context(), false)), fault.UpstreamUnavailable)
	is(t, "a manifest", second(broken.Manifest(t.Context(), "town", 1, false)), fault.UpstreamUnavailable)
	is(t, "a layer", second(broken.Layer(t.Context(), "town", 1, "a", "b")), fault.UpstreamUnavailable)
	if key := broken.PublicKey(t.Context()); key != "" || log.Len() == 0 {
		t.Errorf("the key of a store that cannot be read is %q, and the log has %q", key, log.String())
	}

	p := publish(t)
	l := p.of.Layers[0]
	path := filepath.Join(p.dir, territory.LayerName(l.Addr))
	opened, err := p.Layer(t.Context(), "town", 1, l.Addr, l.File)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, "shorter")
	is(t, "a layer of another size", second(p.Layer(t.Context(), "town", 1, l.Addr, l.File)), fault.UpstreamUnavailable)
	is(t, "a layer that has changed since it was found", second(opened.Open(t.Context(), 0, 1)), fault.UpstreamUnavailable)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	is(t, "a layer that is gone", second(p.Layer(t.Context(), "town", 1, l.Addr, l.File)), fault.UpstreamUnavailable)
	is(t, "a layer that is gone since it was found", second(opened.Open(t.Context(), 0, 1)), fault.UpstreamUnavailable)
	write(t, filepath.Join(p.dir, territory.IndexName), strings.Repeat(" ", territory.MaxDocument+1))
	is(t, "an index above the limit", second(p.Index(t.Context(), false)), fault.UpstreamUnavailable)
	write(t, filepath.Join(p.dir, territory.ManifestName("town", 2)), `{"format":99}`)
	if _, err := p.Layer(t.Context(), "town", 2, l.Addr, l.File); err == nil {
		t.Error("a layer is found in a manifest that cannot be read")
	}
}

// TestManifestsKept checks that the manifests in memory are bounded however many versions are
// requested.
func TestManifestsKept(t *testing.T) {
	p := publish(t)
	l := p.of.Layers[0]
	for version := int64(1); version <= 2*manifestsKept+1; version++ {
		p.version(t, version)
		if _, err := p.Layer(t.Context(), "town", version, l.Addr, l.File); err != nil {
			t.Fatal(err)
		}
		if n := len(p.manifests); n == 0 || n > manifestsKept {
			t.Fatalf("%d manifests are kept after %d versions, want 1 to %d", n, version, manifestsKept)
		}
	}
}

// TestLayerAtOnce has four callers ask for layers of more versions than are kept.
func TestLayerAtOnce(t *testing.T) {
	p := publish(t)
	l := p.of.Layers[0]
	const versions = manifestsKept + 8
	for version := int64(1); version <= versions; version++ {
		p.version(t, version)
	}
	var all sync.WaitGroup
	for k := range int64(4) {
		all.Go(func() {
			for n := range int64(versions) {
				if got, err := p.Layer(t.Context(), "town", 1+(n*(2*k+1)+k)%versions, l.Addr, l.File); err != nil || got.Layer != l {
					t.Errorf("the layer is %+v, %v", got, err)
				}
			}
		})
	}
	all.Wait()
}

// version puts a version more of the same layers into the store.
func (p *published) version(t *testing.T, version int64) {
	t.Helper()
	m := *p.of
	m.Version = version
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(p.dir, territory.ManifestName("town", version)), string(data))
}

// TestBroke checks that a store that broke is logged, and a caller who left is not.
func TestBroke(t *testing.T) {
	p := publish(t)
	layer, err := p.Layer(t.Context(), "town", 1, p.of.Layers[0].Addr, p.of.Layers[0].File)
	if err != nil {
		t.Fatal(err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	p.LogFailure(gone, layer, context.Canceled)
	if p.log.Len() > 0 {
		t.Errorf("of a caller who left the operator hears %s", p.log.String())
	}
	p.LogFailure(t.Context(), layer, io.ErrUnexpectedEOF)
	if !strings.Contains(p.log.String(), layer.Addr) {
		t.Errorf("of a layer that broke the operator hears %q", p.log.String())
	}
	(&Service{}).LogFailure(t.Context(), layer, io.ErrUnexpectedEOF) // who has no log hears nothing
}

// second is the error of a call.
func second[V any](_ V, err error) error { return err }
