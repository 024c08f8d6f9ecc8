package tiles

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/glyph"
	"github.com/waygate/waygate/index/tileset"
)

// archive makes one whose tiles say what. The last one is too large for what is
// read at first.
func archive(t *testing.T, what string, change ...func(*tileset.Info)) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "some.pmtiles")
	w, err := tileset.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	noise := make([]byte, 40_000)
	for i := range noise {
		noise[i] = byte(i * i >> 3)
	}
	content := map[[2]int][]byte{{0, 2}: noise, {1, 2}: pack(t, what)}
	for x := range 4 {
		content[[2]int{x, 1}] = pack(t, what+strings.Repeat(string(rune('a'+x)), 100))
	}
	first, err := tileset.ID(2, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for id := first; id < first+16; id++ {
		z, x, y, err := tileset.Tile(id)
		if err != nil {
			t.Fatal(err)
		}
		if data := content[[2]int{x, y}]; data != nil {
			if err := w.Add(z, x, y, data); err != nil {
				t.Fatal(err)
			}
		}
	}
	info := tileset.Info{Metadata: tileset.Metadata{Name: what}, Bounds: geo.Bounds{Min: geo.Point{Lon: 1, Lat: 50}, Max: geo.Point{Lon: 2, Lat: 51}}}
	for _, c := range change {
		c(&info)
	}
	if _, err := w.Finish(info); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// shelf is a web server with one file, which may change, go, or be badly served.
type shelf struct {
	*httptest.Server
	mu     sync.Mutex
	data   []byte
	tag    string
	broken func(w http.ResponseWriter, r *http.Request) bool // answers in place of the file
	asked  atomic.Int64
}

func (s *shelf) put(data []byte, tag string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.data, s.tag = data, tag
}

func (s *shelf) breaks(how func(w http.ResponseWriter, r *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = how
}

func serves(t *testing.T, data []byte) *shelf {
	t.Helper()
	s := &shelf{data: data, tag: `"one"`}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		s.mu.Lock()
		data, tag, how := s.data, s.tag, s.broken
		s.mu.Unlock()
		if how != nil && how(w, r) {
			return
		}
		w.Header().Set("ETag", tag)
		http.ServeContent(w, r, "some.pmtiles", time.Time{}, bytes.NewReader(data))
	}))
	t.Cleanup(s.Close)
	return s
}

// watch is a clock.
type watch struct{ at atomic.Int64 }

func (c *watch) now() time.Time          { return time.Unix(c.at.Load(), 0) }
func (c *watch) advance(d time.Duration) { c.at.Add(int64(d / time.Second)) }

func hosts(t *testing.T, place string, cache int) (*Maps, *watch, error) {
	t.Helper()
	clock := &watch{}
	clock.advance(time.Hour)
	h, err := Host(t.Context(), HostedOptions{Place: place, Shown: "some.pmtiles", Cache: NewCache(cache), Log: slog.New(slog.DiscardHandler), Now: clock.now})
	if err != nil {
		return nil, nil, err
	}
	fonts, err := glyph.New()
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(fonts, Territory{ID: "some", Tiles: h})
	return m, clock, err
}

// says unpacks a tile.
func says(t *testing.T, m *Maps, z, x, y int) (string, error) {
	t.Helper()
	tile, err := m.Tile(t.Context(), "some", z, x, y)
	if err != nil || len(tile.Data) == 0 {
		return "", err
	}
	r := unpack(t, tile.Data)
	return r[:min(3, len(r))], nil
}

func unpack(t *testing.T, data []byte) string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestHostedArchive(t *testing.T) {
	s := serves(t, archive(t, "old"))
	m, clock, err := hosts(t, s.URL+"/some.pmtiles?token=secret", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := says(t, m, 2, 1, 1); got != "old" || err != nil {
		t.Fatal(got, err)
	}
	doc, err := m.TileJSON(t.Context(), Base{}, "some")
	if err != nil || doc.Name != "old" || doc.DataUpdated != nil || doc.MinZoom != 2 {
		t.Errorf("%+v, %v", doc, err)
	}
	// A directory that was read is not fetched again.
	if _, err := m.Tile(t.Context(), "some", 2, 0, 2); err != nil {
		t.Fatal(err)
	}
	before := s.asked.Load()
	if _, err := m.Tile(t.Context(), "some", 2, 0, 2); err != nil || s.asked.Load() != before {
		t.Errorf("%d more requests, %v", s.asked.Load()-before, err)
	}
	// Another archive in its place is seen at once where a part is read, within a
	// minute where none is.
	s.put(archive(t, "new"), `"two"`)
	if got, err := says(t, m, 2, 1, 1); got != "old" || err != nil {
		t.Errorf("within the minute: %q, %v", got, err)
	}
	clock.advance(lookEvery + time.Second)
	if got, err := says(t, m, 2, 1, 1); got != "new" || err != nil {
		t.Errorf("after it: %q, %v", got, err)
	}
	s.put(archive(t, "end"), `"three"`)
	if got, err := says(t, m, 2, 1, 2); got != "end" || err != nil {
		t.Errorf("where a part is read: %q, %v", got, err)
	}
}

func TestHostedArchiveGoesAway(t *testing.T) {
	s := serves(t, archive(t, "old"))
	m, clock, err := hosts(t, s.URL+"/some.pmtiles", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Tile(t.Context(), "some", 2, 0, 2); err != nil {
		t.Fatal(err)
	}
	s.breaks(func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(http.StatusBadGateway); return true })
	clock.advance(lookEvery + time.Second)
	if _, err := m.Tile(t.Context(), "some", 2, 0, 2); err != nil {
		t.Errorf("what is kept: %v", err)
	}
	if _, err := m.Tile(t.Context(), "some", 2, 1, 2); !fault.Is(err, fault.UpstreamUnavailable) {
		t.Errorf("what is not: %v", err)
	}
	if _, err := m.Tile(t.Context(), GlobeID, 0, 0, 0); err != nil {
		t.Errorf("the others: %v", err)
	}
	if _, err := m.Tile(t.Context(), "some", 31, 0, 0); !fault.Is(err, fault.BadRequest) {
		t.Errorf("a tile that cannot be: %v", err)
	}
	s.breaks(nil)
	if got, err := says(t, m, 2, 1, 2); got != "old" || err != nil {
		t.Errorf("back again: %q, %v", got, err)
	}
	// One that is away from the start is opened when it is there.
	s.breaks(func(w http.ResponseWriter, _ *http.Request) bool { panic(http.ErrAbortHandler) })
	m, clock, err = hosts(t, s.URL+"/some.pmtiles", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.TileJSON(t.Context(), Base{}, "some"); !fault.Is(err, fault.UpstreamUnavailable) {
		t.Errorf("away from the start: %v", err)
	}
	s.breaks(nil)
	asked := s.asked.Load()
	if _, err := says(t, m, 2, 1, 1); !fault.Is(err, fault.UpstreamUnavailable) || s.asked.Load() != asked {
		t.Errorf("asked again at once: %v", err)
	}
	clock.advance(lookAgain + time.Second)
	if got, err := says(t, m, 2, 1, 1); got != "old" || err != nil {
		t.Errorf("there at last: %q, %v", got, err)
	}
}

// TestArchivesThatAreNone are refused at the start, and when they take the place of
// a good one.
func TestArchivesThatAreNone(t *testing.T) {
	good := archive(t, "old")
	truncated := good[:len(good)/2]
	broken := bytes.Clone(good)
	copy(broken[130:], "garbage garbage")
	for name, c := range map[string]struct {
		data []byte
		says string
	}{
		"version 1":   {append([]byte("PM\x01\x00"), make([]byte, 600)...), "version 1"},
		"no archive":  {bytes.Repeat([]byte("<html>"), 100), "no PMTiles"},
		"cut short":   {truncated, "cut short"},
		"damaged":     {broken, "root directory"},
		"pictures":    {archive(t, "png", func(i *tileset.Info) { i.Pictures = tileset.TypePNG }), "no vector tiles"},
		"a few bytes": {[]byte("PMT"), "cut short"},
	} {
		s := serves(t, c.data)
		if _, _, err := hosts(t, s.URL+"/x", 1<<20); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
		path := filepath.Join(t.TempDir(), "x.pmtiles")
		if err := os.WriteFile(path, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := hosts(t, path, 1<<20); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s as a file: %v", name, err)
		}
		s.put(good, `"good"`)
		m, clock, err := hosts(t, s.URL+"/x", 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		s.put(c.data, `"bad"`)
		clock.advance(lookEvery + time.Second)
		for range 2 {
			if _, err := m.Tile(t.Context(), "some", 2, 1, 1); !fault.Is(err, fault.Upstream) {
				t.Errorf("%s in place of a good one: %v", name, err)
			}
		}
	}
	if _, _, err := hosts(t, filepath.Join(t.TempDir(), "absent.pmtiles"), 1<<20); err == nil {
		t.Error("a file that is not there is taken")
	}
	s := serves(t, good)
	s.breaks(func(w http.ResponseWriter, _ *http.Request) bool { _, _ = w.Write(good); return true })
	if _, _, err := hosts(t, s.URL+"/x", 1<<20); err == nil || !strings.Contains(err.Error(), "parts") {
		t.Errorf("a server without ranges: %v", err)
	}
}

// TestCacheIsBounded asks for more than a cache holds.
func TestCacheIsBounded(t *testing.T) {
	c := NewCache(10_000)
	for i := range 1000 {
		c.put(partKey{offset: int64(i % 300)}, make([]byte, i%400))
		if c.bytes > c.limit || len(c.all) != c.order.Len() {
			t.Fatalf("%d bytes in %d and %d parts", c.bytes, len(c.all), c.order.Len())
		}
	}
	c.put(partKey{offset: 5000}, make([]byte, 9000))
	if _, ok := c.get(partKey{offset: 5000}); ok {
		t.Error("one part takes most of the cache")
	}
}

// TestHostedLeaves has a caller leave while others wait for the same part.
func TestHostedLeaves(t *testing.T) {
	s := serves(t, archive(t, "old"))
	m, _, err := hosts(t, s.URL+"/x", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := m.Tile(gone, "some", 2, 0, 2); err != nil {
		t.Errorf("a part that others may wait for: %v", err)
	}
}

// TestTileBomb has one tile of an archive be 512 MiB of zeros, packed: it is answered
// packed as it is, and not unpacked for whoever does not take it so.
func TestTileBomb(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	if _, err := io.CopyN(z, zeros{}, 512<<20); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bomb.pmtiles")
	w, err := tileset.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(0, 0, 0, bomb.Bytes()); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Finish(tileset.Info{}); err != nil {
		t.Fatal(err)
	}
	m, _, err := hosts(t, path, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	tile, err := m.Tile(t.Context(), "some", 0, 0, 0)
	if err != nil || !tile.Gzip || len(tile.Data) != bomb.Len() {
		t.Fatalf("%d bytes, %v", len(tile.Data), err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	data, err := tile.Unpacked()
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; !fault.Is(err, fault.Upstream) || data != nil || used > 120<<20 {
		t.Errorf("%v, %d bytes, %d MiB are taken", err, len(data), used>>20)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
