package territory

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/blob"
	"github.com/waygate/waygate/index/landmark"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
)

// shelf is a store of territories with a server of it.
type shelf struct {
	testing.TB
	blob.Store
	dir    string
	key    ed25519.PrivateKey
	server *httptest.Server
	heard  func(r *http.Request) // of each request, before it is answered; nil for nobody
}

var layerPath = regexp.MustCompile(`^/territories/[a-z]+/[0-9]+/layers/([0-9a-f]+)/`)

func newShelf(t *testing.T) *shelf {
	t.Helper()
	s := &shelf{TB: t, dir: t.TempDir()}
	s.Store = blob.NewFolder(s.dir)
	s.key = s.anotherKey()
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.heard != nil {
			s.heard(r)
		}
		name := strings.TrimPrefix(r.URL.Path, "/territories/")
		if m := layerPath.FindStringSubmatch(r.URL.Path); m != nil {
			w.Header().Set("ETag", strconv.Quote(m[1]))
			name = LayerName(m[1])
		} else if r.URL.Path == "/territories" {
			name = IndexName
		} else if name == "index.sig" {
			name = SignatureName(IndexName)
		} else {
			name = strings.Replace(name, "/manifest", "/manifest.json", 1)
		}
		http.ServeFile(w, r, filepath.Join(s.dir, name))
	}))
	t.Cleanup(s.server.Close)
	return s
}

func (s *shelf) anotherKey() ed25519.PrivateKey {
	s.Helper()
	key, err := LoadKey(filepath.Join(s.TempDir(), "key"))
	if err != nil {
		s.Fatal(err)
	}
	return key
}

// town makes the region of a town and gives its folder. Its roads differ by content.
func town(t testing.TB, content string) string {
	t.Helper()
	m := region.Manifest{ID: "town", Name: "Town", Built: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}
	return regiontest.Sealed(t, m, [2]string{"graph", strings.Repeat(content, 1000)}, [2]string{"basemap", strings.Repeat("basemap", 1000)}, [2]string{"places", strings.Repeat("places", 1000)})
}

func (s *shelf) publication(dir string) Publication {
	return Publication{Region: dir, Key: s.key, Builder: "test"}
}

// publish publishes a region as the next version.
func (s *shelf) publish(dir string) *Manifest {
	s.Helper()
	m, _, err := Publish(s.Context(), s.Store, s.publication(dir))
	if err != nil {
		s.Fatal(err)
	}
	return m
}

// announce signs a manifest and lists it, whatever it says.
func (s *shelf) announce(m *Manifest) {
	s.Helper()
	p := s.publication("")
	x, err := p.index(s.Context(), s.Store)
	if err == nil {
		err = p.announce(s.Context(), s.Store, x, m)
	}
	if err != nil {
		s.Fatal(err)
	}
}

// add adds a layer to a manifest, and to the store.
func (s *shelf) add(m *Manifest, kind, name string, data []byte) {
	s.Helper()
	m.Layers = append(m.Layers, Layer{kind, name, Sum(data), int64(len(data))})
	s.put(LayerName(Sum(data)), data)
}

func (s *shelf) read(name string) []byte {
	s.Helper()
	data, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		s.Fatal(err)
	}
	return data
}

func (s *shelf) put(name string, data []byte) {
	s.Helper()
	if err := s.Write(s.Context(), name, bytes.NewReader(data), int64(len(data))); err != nil {
		s.Fatal(err)
	}
}

// replace puts a signed document in the place of another.
func (s *shelf) replace(from, to string) {
	s.Helper()
	s.put(to, s.read(from))
	s.put(SignatureName(to), s.read(SignatureName(from)))
}

func (s *shelf) pull(dir string) *Pull {
	return &Pull{Server: &Server{URL: s.server.URL, Public: s.key.Public().(ed25519.PublicKey)}, ID: "town", Dir: dir}
}

// serves returns which of the regions a folder has, and fails the test where it is none of
// them, or not whole.
func serves(t testing.TB, dir string, regions ...string) int {
	t.Helper()
	got, err := region.ReadManifest(dir)
	if err == nil {
		err = region.Verify(t.Context(), dir)
	}
	if err != nil {
		t.Fatalf("The folder is no region: %v", err)
	}
	for i, of := range regions {
		want, err := region.ReadManifest(of)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Equal(got.Sections, want.Sections) {
			return i
		}
	}
	t.Fatalf("The folder is none of %d regions", len(regions))
	return -1
}

// TestPullRefusesWhatIsWrong checks for every fault in what the server sends that a pull says
// so, leaves the folder as it was, and goes through when it is put right.
func TestPullRefusesWhatIsWrong(t *testing.T) {
	old, next := town(t, "old"), town(t, "new")
	flip := func(s *shelf, name string) {
		data := s.read(name)
		data[len(data)/2] ^= 1
		s.put(name, data)
	}
	before := func(s *shelf, _ *Manifest) { s.replace(ManifestName("town", 1), ManifestName("town", 2)) }
	elsewhere := func(s *shelf, m *Manifest) {
		m.ID = "city"
		s.announce(m)
		s.replace(ManifestName("city", 2), ManifestName("town", 2))
	}
	for name, c := range map[string]struct {
		spoil   func(s *shelf, m *Manifest) // of the manifest of version 2, which the index lists
		want    error                       // nil is any
		version int64                       // that is requested; 0 is the newest
	}{
		"a changed index":            {func(s *shelf, _ *Manifest) { flip(s, IndexName) }, ErrSignature, 0},
		"an index without signature": {func(s *shelf, _ *Manifest) { s.put(SignatureName(IndexName), []byte("\n")) }, ErrSignature, 0},
		"an index by another key":    {func(s *shelf, _ *Manifest) { s.put(SignatureName(IndexName), Sign(s.anotherKey(), s.read(IndexName))) }, ErrSignature, 0},
		"an index that is too long": {func(s *shelf, _ *Manifest) {
			data := append(s.read(IndexName), bytes.Repeat([]byte(" "), MaxDocument)...)[:MaxDocument+1]
			s.put(IndexName, data)
			s.put(SignatureName(IndexName), Sign(s.key, data))
		}, nil, 0},
		"a changed manifest": {func(s *shelf, _ *Manifest) { flip(s, ManifestName("town", 2)) }, ErrSignature, 0},
		"a manifest by another key": {func(s *shelf, _ *Manifest) {
			name := ManifestName("town", 2)
			s.put(SignatureName(name), Sign(s.anotherKey(), s.read(name)))
		}, ErrSignature, 0},
		"the manifest before":                        {before, nil, 0},
		"the manifest before, by its number":         {before, nil, 2},
		"a manifest of another place":                {elsewhere, nil, 0},
		"a manifest of another place, by its number": {elsewhere, nil, 2},
		"a manifest that is not listed": {func(s *shelf, m *Manifest) {
			index, signature := s.read(IndexName), s.read(SignatureName(IndexName))
			m.Builder = "another"
			s.announce(m)
			s.put(IndexName, index)
			s.put(SignatureName(IndexName), signature)
		}, nil, 0},
		"a layer with another hash": {func(s *shelf, m *Manifest) { flip(s, LayerName(m.Layers[0].Addr)) }, ErrTampered, 0},
		"a layer that is longer":    {func(s *shelf, m *Manifest) { n := LayerName(m.Layers[0].Addr); s.put(n, append(s.read(n), 'x')) }, ErrTampered, 0},
		"a layer that is shorter":   {func(s *shelf, m *Manifest) { n := LayerName(m.Layers[0].Addr); s.put(n, s.read(n)[:100]) }, ErrTampered, 0},
		"a layer that is not there": {func(s *shelf, m *Manifest) { _ = os.Remove(filepath.Join(s.dir, LayerName(m.Layers[0].Addr))) }, nil, 0},
		"a layer out of the folder": {func(s *shelf, m *Manifest) { s.add(m, KindGraph, "../stray.section", []byte("stray")); s.announce(m) }, nil, 0},
		"a layer of another size":   {func(s *shelf, m *Manifest) { m.Layers[0].Bytes--; s.announce(m) }, ErrTampered, 0},
		"a region of another place": {func(s *shelf, m *Manifest) { s.replaceRegion(m, func(r *region.Manifest) { r.ID = "city" }) }, nil, 0},
		"a section of another hash": {func(s *shelf, m *Manifest) {
			s.replaceRegion(m, func(r *region.Manifest) { r.Sections[0].SHA256 = sum })
		}, nil, 0},
		"a section of another size": {func(s *shelf, m *Manifest) { s.replaceRegion(m, func(r *region.Manifest) { r.Sections[0].Size++ }) }, nil, 0},
		"a section of another kind": {func(s *shelf, m *Manifest) {
			s.replaceRegion(m, func(r *region.Manifest) { r.Sections[0].Name = landmark.SectionName })
		}, nil, 0},
		"a section without a layer": {func(s *shelf, m *Manifest) { m.Layers = m.Layers[1:]; s.announce(m) }, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s, dir := newShelf(t), filepath.Join(t.TempDir(), "pulled")
			s.publish(old)
			if _, err := s.pull(dir).Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			before, err := os.ReadFile(filepath.Join(dir, pulledName))
			if err != nil {
				t.Fatal(err)
			}
			c.spoil(s, s.publish(next))
			pull := s.pull(dir)
			pull.Version = c.version
			if _, err := pull.Run(t.Context()); err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("The pull ends with %v and not with %v", err, c.want)
			}
			after, err := os.ReadFile(filepath.Join(dir, pulledName))
			if serves(t, dir, old, next) != 0 || err != nil || !bytes.Equal(before, after) {
				t.Errorf("The folder is not as it was: %s, %v", after, err)
			}
			if strays, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), "*.section")); len(strays) > 0 {
				t.Errorf("The pull wrote beside its folder: %v", strays)
			}
			if err := os.RemoveAll(s.dir); err != nil {
				t.Fatal(err)
			}
			s.publish(old)
			s.publish(next)
			if _, err := s.pull(dir).Run(t.Context()); err != nil || serves(t, dir, old, next) != 1 {
				t.Errorf("What was put right is not pulled: %v", err)
			}
		})
	}
}

// replaceRegion announces a version with another manifest of its region.
func (s *shelf) replaceRegion(m *Manifest, change func(r *region.Manifest)) {
	s.Helper()
	last := len(m.Layers) - 1 // the region's, where there are no letters
	var r region.Manifest
	if err := json.Unmarshal(s.read(LayerName(m.Layers[last].Addr)), &r); err != nil {
		s.Fatal(err)
	}
	change(&r)
	data, err := json.Marshal(r)
	if err != nil {
		s.Fatal(err)
	}
	m.Layers = m.Layers[:last]
	s.add(m, KindRegion, region.ManifestName, data)
	s.announce(m)
}

// A signed index does not age: a server that goes back to an index of before is refused, and
// the error says so; a pull that names the version has it.
func TestPullGoesBackOnlyWhenAsked(t *testing.T) {
	old, next := town(t, "old"), town(t, "new")
	s, dir := newShelf(t), t.TempDir()
	s.publish(old)
	index, signature := s.read(IndexName), s.read(SignatureName(IndexName))
	s.publish(next)
	if _, err := s.pull(dir).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.put(IndexName, index)
	s.put(SignatureName(IndexName), signature)
	if _, err := s.pull(dir).Run(t.Context()); err == nil || serves(t, dir, old, next) != 1 {
		t.Errorf("The version before took the place of the newest: %v", err)
	}
	back := s.pull(dir)
	back.Version = 1
	if _, err := back.Run(t.Context()); err != nil || serves(t, dir, old, next) != 0 {
		t.Errorf("The version that was named is not there: %v", err)
	}
}

// Another territory of the same server is not taken for the one that was asked for.
func TestPullIsOfThePlaceAskedFor(t *testing.T) {
	s := newShelf(t)
	m := s.publish(town(t, "old"))
	m.ID = "city"
	s.replaceRegion(m, func(r *region.Manifest) { r.ID = "city" })
	city := s.pull(t.TempDir())
	city.ID = "city"
	if _, err := city.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.replace(ManifestName("city", 1), ManifestName("town", 1))
	p := s.pull(t.TempDir())
	p.Version = 1
	if _, err := p.Run(t.Context()); err == nil {
		t.Error("A city was pulled for the town")
	}
}

// A pull leaves alone what is not its own.
func TestPullNeedsAFolderOfItsOwn(t *testing.T) {
	s, own := newShelf(t), town(t, "own")
	s.publish(town(t, "old"))
	if _, err := s.pull(own).Run(t.Context()); err == nil {
		t.Error("A region that was not pulled was replaced")
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, pulledName), bytes.ReplaceAll(s.read(ManifestName("town", 1)), []byte(`"id": "town"`), []byte(`"id": "city"`)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.pull(other).Run(t.Context()); err == nil {
		t.Error("Another territory was replaced")
	}
}

// A pull that was cut off at any request leaves a whole region, and the next one goes
// through; what lies in the way of a layer is not taken for it.
func TestPullThatWasCutOff(t *testing.T) {
	old, next := town(t, "old"), town(t, "new")
	s := newShelf(t)
	s.publish(old)
	for cut, whole := 1, false; !whole; cut++ {
		dir := t.TempDir()
		first := s.pull(dir)
		first.Version = 1
		if _, err := first.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if cut == 1 {
			s.publish(next)
		}
		ctx, stop := context.WithCancel(t.Context())
		asked := 0
		s.heard = func(r *http.Request) {
			if asked++; asked == cut {
				stop()
				<-r.Context().Done()
				panic(http.ErrAbortHandler)
			}
		}
		_, err := s.pull(dir).Run(ctx)
		stop()
		s.heard = nil
		if whole = asked < cut; whole != (err == nil) {
			t.Fatalf("The pull that was cut off at request %d of %d ends with %v", cut, asked, err)
		}
		if !whole && serves(t, dir, old, next) != 0 {
			t.Errorf("The pull that was cut off at request %d has replaced the region", cut)
		}
		if _, err := s.pull(dir).Run(t.Context()); err != nil || serves(t, dir, old, next) != 1 {
			t.Errorf("The pull after the one that was cut off at request %d ends with %v", cut, err)
		}
	}
}

// A part of a layer is gone on with, and one that is not of it is not taken for it.
func TestPullGoesOnWithAPart(t *testing.T) {
	s, of := newShelf(t), town(t, "old")
	l := s.publish(of).Layers[0]
	content := s.read(LayerName(l.Addr))
	for name, c := range map[string]struct {
		part   []byte
		wanted string // range of the layer that is requested; "" for none
		bad    bool   // the first pull fails
		whole  bool   // the server sends no ranges
	}{
		"half":                  {content[:1000], "bytes=1000-", false, false},
		"half, to be had whole": {content[:1000], "bytes=1000-", false, true},
		"all":                   {content, "", false, false},
		"half of another":       {bytes.Repeat([]byte("x"), 1000), "bytes=1000-", true, false},
		"all of another":        {bytes.Repeat([]byte("x"), len(content)), "", true, false},
		"longer than it is":     {append(bytes.Clone(content), 'x'), "bytes=0-", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir, wanted := t.TempDir(), ""
			if err := os.Mkdir(filepath.Join(dir, workFolder), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, workFolder, l.Addr+partSuffix), c.part, 0o600); err != nil {
				t.Fatal(err)
			}
			s.heard = func(r *http.Request) {
				if strings.Contains(r.URL.Path, l.Addr) {
					wanted += r.Header.Get("Range")
				}
				if c.whole {
					r.Header.Del("Range")
				}
			}
			if _, err := s.pull(dir).Run(t.Context()); (err != nil) != c.bad || c.bad && !errors.Is(err, ErrTampered) {
				t.Errorf("The pull ends with %v", err)
			}
			if wanted != c.wanted {
				t.Errorf("The pull asks for %q, want %q", wanted, c.wanted)
			}
			s.heard = nil
			if _, err := s.pull(dir).Run(t.Context()); err != nil || serves(t, dir, of) != 0 {
				t.Errorf("The next pull ends with %v", err)
			}
		})
	}
}

// A reader that has the manifest of the pull open reads it whole.
func TestPullReplacesItsManifestWhole(t *testing.T) {
	s, dir := newShelf(t), t.TempDir()
	s.publish(town(t, "old"))
	if _, err := s.pull(dir).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	reader, err := os.Open(filepath.Join(dir, pulledName))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Close() }()
	s.publish(town(t, "new"))
	if _, err := s.pull(dir).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(reader); err != nil || !bytes.Equal(got, s.read(ManifestName("town", 1))) {
		t.Errorf("The manifest was written over: %s, %v", got, err)
	}
}

// ending is a store of a process that ends before so many writes are done.
type ending struct {
	blob.Store
	left int
}

var errEnded = errors.New("the process has ended")

func (e *ending) Write(ctx context.Context, name string, content io.Reader, size int64) error {
	if e.left--; e.left < 0 {
		return errEnded
	}
	return e.Store.Write(ctx, name, content, size)
}

// A publication that ended after any of its writes is never pulled by halves, and the
// next one goes through, be it the first of the store or not.
func TestPublishThatWasCutOff(t *testing.T) {
	old, next := town(t, "old"), town(t, "new")
	for _, version := range []int64{1, 2} {
		for writes, whole := 0, false; !whole; writes++ {
			s, dir := newShelf(t), t.TempDir()
			if version == 2 {
				s.publish(old)
				if _, err := s.pull(dir).Run(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			_, _, err := Publish(t.Context(), &ending{s.Store, writes}, s.publication(next))
			if whole = err == nil; !whole && !errors.Is(err, errEnded) {
				t.Fatal(err)
			}
			if _, err := s.pull(dir).Run(t.Context()); err != nil && version == 2 {
				if serves(t, dir, old, next) != 0 || !errors.Is(err, ErrSignature) {
					t.Errorf("The pull after %d writes of version %d ends with %v", writes, version, err)
				}
			} else if whole != (err == nil && serves(t, dir, old, next) == 1) {
				t.Errorf("The pull after %d writes of version %d is of another, or of a half: %v", writes, version, err)
			}
			m, _, err := Publish(t.Context(), s.Store, s.publication(next))
			if err != nil || m.Version != version {
				t.Errorf("The publication after one of %d writes of version %d ends with %v: %+v", writes, version, err, m)
				continue
			}
			if _, err := s.pull(dir).Run(t.Context()); err != nil || serves(t, dir, old, next) != 1 {
				t.Errorf("The pull after the publication after one of %d writes ends with %v", writes, err)
			}
		}
	}
}

// layersWritten counts the layers that are written to a store.
type layersWritten struct {
	blob.Store
	names []string
}

func (w *layersWritten) Write(ctx context.Context, name string, content io.Reader, size int64) error {
	if strings.Contains(name, "layers/") {
		w.names = append(w.names, name)
	}
	return w.Store.Write(ctx, name, content, size)
}

// A layer that the store has is not written again, and one that it has a part of is.
func TestPublishWritesWhatIsNotThere(t *testing.T) {
	s := newShelf(t)
	m := s.publish(town(t, "old"))
	var kept Layer
	for _, l := range m.Layers {
		if strings.HasPrefix(l.File, "basemap") {
			kept = l
		}
	}
	for _, half := range []bool{false, true} {
		if half {
			s.put(LayerName(kept.Addr), s.read(LayerName(kept.Addr))[:kept.Bytes/2])
		}
		w := &layersWritten{Store: s.Store}
		if _, _, err := Publish(t.Context(), w, s.publication(town(t, fmt.Sprint("new, half ", half)))); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(w.names, LayerName(kept.Addr)) != half || len(w.names) == 0 {
			t.Errorf("of %s the store has a half: %v; written are %q", kept.File, half, w.names)
		}
		if got := s.read(LayerName(kept.Addr)); Sum(got) != kept.Addr {
			t.Errorf("the store has %d bytes of %s, want %d", len(got), kept.File, kept.Bytes)
		}
	}
}

// A store is added to by the key alone that signs it.
func TestPublishKeepsToItsKey(t *testing.T) {
	s := newShelf(t)
	m := s.publish(town(t, "old"))
	index := s.read(IndexName)
	other := s.publication(town(t, "new"))
	other.Key = s.anotherKey()
	if _, _, err := Publish(t.Context(), s.Store, other); !errors.Is(err, ErrSignature) {
		t.Errorf("Another key publishes: %v", err)
	}
	name := ManifestName(m.ID, m.Version)
	own := s.read(SignatureName(name))
	s.put(SignatureName(name), Sign(other.Key, s.read(name)))
	if _, _, err := Publish(t.Context(), s.Store, s.publication(other.Region)); !errors.Is(err, ErrSignature) {
		t.Errorf("A version is put after one that another key signed: %v", err)
	}
	if !bytes.Equal(s.read(IndexName), index) {
		t.Error("The index has changed")
	}
	s.put(SignatureName(name), own)
	s.put(IndexName, bytes.Replace(index, []byte("Town"), []byte("City"), 1))
	if _, _, err := Publish(t.Context(), s.Store, s.publication(other.Region)); !errors.Is(err, ErrSignature) {
		t.Errorf("An index that was changed is added to: %v", err)
	}
}

// A damaged file is not published, and a layer of which the store has a half is written anew.
func TestPublishChecksFiles(t *testing.T) {
	s := newShelf(t)
	damaged := s.publication(town(t, "new"))
	of, err := region.ReadManifest(damaged.Region)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(damaged.Region, of.Sections[0].File), make([]byte, of.Sections[0].Size), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Publish(t.Context(), s.Store, damaged); err == nil {
		t.Error("A damaged region was published")
	}
	whole, dir := town(t, "new"), t.TempDir()
	s.put(LayerName(of.Sections[0].SHA256), []byte("half"))
	s.publish(whole)
	if _, err := s.pull(dir).Run(t.Context()); err != nil || serves(t, dir, whole) != 0 {
		t.Errorf("What was published over a half is not pulled: %v", err)
	}
}
