package tiles

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/golden"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/glyph"
	"github.com/waygate/waygate/index/sprite"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/style"
)

func pack(t *testing.T, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// maps serves one territory, ely, with tiles 0/0/0 and 3/4/2.
func maps(t *testing.T, updated time.Time) *Maps {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ely.pmtiles")
	w, err := tileset.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range [][3]int{{0, 0, 0}, {3, 4, 2}} {
		if err := w.Add(at[0], at[1], at[2], pack(t, "tile")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Finish(tileset.Info{
		Metadata: tileset.Metadata{Attribution: "© OpenStreetMap contributors", VectorLayers: []tileset.VectorLayer{{ID: "roads", MaxZoom: 3, Fields: map[string]string{"kind": "String"}}}},
		Bounds:   geo.Bounds{Min: geo.Point{Lon: 0.1, Lat: 52.3}, Max: geo.Point{Lon: 0.4, Lat: 52.5}},
		Centre:   geo.Point{Lon: 0.25, Lat: 52.4}, CentreZoom: 2,
	}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tileset.FromBytes(path, data)
	if err != nil {
		t.Fatal(err)
	}
	fonts, err := glyph.New()
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(fonts, Territory{ID: "ely", Name: "Isle of Ely", Tiles: Fixed{r}, Updated: updated})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTile(t *testing.T) {
	m := maps(t, time.Time{})
	there, err := m.Tile(t.Context(), "ely", 3, 4, 2)
	if err != nil || !there.Gzip || !bytes.Equal(there.Data, pack(t, "tile")) || len(there.ETag) < 10 || there.ETag[0] != '"' {
		t.Errorf("%+v, %v", there, err)
	}
	same, err := m.Tile(t.Context(), "ely", 0, 0, 0)
	if err != nil || same.ETag != there.ETag {
		t.Errorf("equal tiles have ETags %s and %s, %v", there.ETag, same.ETag, err)
	}
	absent, err := m.Tile(t.Context(), "ely", 3, 0, 0)
	if err != nil || len(absent.Data) != 0 || absent.ETag == there.ETag {
		t.Errorf("an absent tile: %+v, %v", absent, err)
	}
	for _, c := range []struct {
		id      string
		z, x, y int
		slug    fault.Slug
		want    string
	}{
		{"york", 0, 0, 0, fault.NotFound, `"york"`},
		{"ely", 4, 0, 0, fault.BadRequest, "zoom 4 is outside 0 to 3"},
		{"ely", -1, 0, 0, fault.BadRequest, "zoom -1"},
		{"ely", 3, 8, 0, fault.BadRequest, "column 8 is outside 0 to 7"},
		{"ely", 3, 0, -1, fault.BadRequest, "row -1 is outside 0 to 7"},
	} {
		_, err := m.Tile(t.Context(), c.id, c.z, c.x, c.y)
		if !fault.Is(err, c.slug) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("tile %s/%d/%d/%d: %v; want %s with %q", c.id, c.z, c.x, c.y, err, c.slug, c.want)
		}
	}
}

func TestTileJSON(t *testing.T) {
	base := Base{URL: "https://maps.example.org/"}
	doc, err := maps(t, time.Date(2026, 7, 9, 23, 0, 0, 0, time.UTC)).TileJSON(t.Context(), base, "ely")
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden.Assert(t, string(b)+"\n", "tiles.json")
	unknown, err := maps(t, time.Time{}).TileJSON(t.Context(), Base{URL: base.URL, Key: "a&b"}, "ely")
	if err != nil || unknown.DataUpdated != nil || unknown.Tiles[0] != "https://maps.example.org/tiles/ely/{z}/{x}/{y}.mvt?api_key=a%26b" {
		t.Errorf("%+v, %v", unknown, err)
	}
	sign := func(path string) string { return "/signed/for" + path[:len(path)-1] }
	signed, err := maps(t, time.Time{}).TileJSON(t.Context(), Base{URL: base.URL, Sign: sign}, "ely")
	if err != nil || signed.Tiles[0] != "https://maps.example.org/signed/for/tiles/ely/tiles/ely/{z}/{x}/{y}.mvt" {
		t.Errorf("%+v, %v", signed, err)
	}
	if b, err := json.Marshal(unknown); err != nil || !bytes.Contains(b, []byte(`"data_updated":null`)) {
		t.Errorf("%s, %v: an unknown day is null", b, err)
	}
	if _, err := maps(t, time.Time{}).TileJSON(t.Context(), base, "york"); !fault.Is(err, fault.NotFound) {
		t.Errorf("unknown territory: %v", err)
	}
}

// A style names the territory's tiles, with the caller's key, and the letters,
// without it.
func TestStyle(t *testing.T) {
	m := maps(t, time.Time{})
	theme, _ := style.Builtin("dark")
	look, problems := style.Resolve(theme, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	look.Language = "cy"
	base := Base{URL: "https://maps.example.org", Key: "secret"}
	var first []byte
	for range 2 {
		s, err := m.Style(t.Context(), base, "ely", look)
		if err != nil {
			t.Fatal(err)
		}
		source := s.Sources[style.SourceName]
		if strings.Contains(s.Glyphs, "secret") || !strings.Contains(source.Tiles[0], "api_key=secret") {
			t.Error("the key belongs to tiles, not to glyphs")
		}
		if s.Name != "Isle of Ely (Dark)" || source.MaxZoom != 3 || source.Bounds != [4]float64{0.1, 52.3, 0.4, 52.5} {
			t.Errorf("%s, %+v", s.Name, source)
		}
		b, err := json.Marshal(s)
		if err != nil || !bytes.Contains(b, []byte(`"name:cy"`)) {
			t.Errorf("no Welsh names, %v", err)
		}
		if first != nil && !bytes.Equal(b, first) {
			t.Error("a style asked for twice differs")
		}
		first = b
	}
	if _, err := m.Style(t.Context(), base, "york", look); !fault.Is(err, fault.NotFound) {
		t.Errorf("unknown territory: %v", err)
	}
}

// Under every region lies the world, which is served like one.
func TestGlobe(t *testing.T) {
	m := maps(t, time.Time{})
	tile, err := m.Tile(t.Context(), GlobeID, 0, 0, 0)
	if err != nil || !tile.Gzip || len(tile.Data) < 1000 {
		t.Errorf("%d bytes, %v", len(tile.Data), err)
	}
	if _, err := m.Tile(t.Context(), GlobeID, 7, 0, 0); !fault.Is(err, fault.BadRequest) {
		t.Errorf("a zoom that the world has not: %v", err)
	}
	doc, err := m.TileJSON(t.Context(), Base{URL: "https://maps.example.org"}, GlobeID)
	if err != nil || doc.MaxZoom != 6 || doc.DataUpdated != nil || doc.Attribution == "" {
		t.Errorf("%+v, %v", doc, err)
	}
	if ids := m.IDs(); len(ids) != 1 || ids[0] != "ely" {
		t.Errorf("territories %v: the world is none to choose", ids)
	}
	theme, _ := style.Builtin(style.Default)
	look, _ := style.Resolve(theme, nil)
	base := Base{URL: "https://maps.example.org", Key: "secret"}
	s, err := m.Style(t.Context(), base, "ely", look)
	if err != nil || s.Sources[style.GlobeName].Tiles[0] != "https://maps.example.org/tiles/world/{z}/{x}/{y}.mvt?api_key=secret" {
		t.Errorf("%+v, %v", s.Sources, err)
	}
	if s, err = m.Style(t.Context(), base, GlobeID, look); err != nil || len(s.Sources) != 1 {
		t.Errorf("the world lies on the world: %+v, %v", s.Sources, err)
	}
	own := m.territories["ely"]
	own.ID = GlobeID
	m, err = New(nil, own)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = m.Style(t.Context(), base, GlobeID, look); err != nil || len(s.Sources) != 1 || s.Name != "Isle of Ely ("+look.Name()+")" {
		t.Errorf("a region called world: %s with %d sources, %v", s.Name, len(s.Sources), err)
	}
}

func TestSprite(t *testing.T) {
	version := sprite.Version()
	for name, want := range map[string]SpriteFile{
		"sprite.json": {Media: "application/json"}, "sprite@2x.png": {Media: "image/png"}, "sprite-00000000.png": {Media: "image/png"},
		"sprite-" + version + "@2x.json": {Media: "application/json", Pinned: true}, "sprite-" + version + ".png": {Media: "image/png", Pinned: true},
	} {
		if got, err := Sprite(name); err != nil || got.Media != want.Media || got.Pinned != want.Pinned || len(got.Data) < 1000 {
			t.Errorf("%s: %d bytes of %s, pinned %v, %v", name, len(got.Data), got.Media, got.Pinned, err)
		}
	}
	for _, name := range []string{"", "other.png", "../sprite.png", "sprite@2x", "sprite-" + version, "sprite-123.png"} {
		if _, err := Sprite(name); !fault.Is(err, fault.NotFound) || !strings.Contains(err.Error(), "sprite@2x.json") {
			t.Errorf("%q: %v, want not-found with the files there are", name, err)
		}
	}
}

func TestGlyphs(t *testing.T) {
	m := maps(t, time.Time{})
	a, err := m.Glyphs("Go Bold,Go Regular", "0-255.pbf")
	if err != nil || len(a) < 1000 {
		t.Errorf("%d bytes, %v", len(a), err)
	}
	for _, c := range [][2]string{{"Go Bold", "0-256"}, {"Go Bold", "1-256"}, {"Go Bold", "x"}, {"Go Bold", "0-255x"}, {"Go Bold", "-256--1"}, {"Go Bold", "65536-65791"}, {"Comic Sans", "0-255"}, {"Go Bold", "00-255"}} {
		if _, err := m.Glyphs(c[0], c[1]); !fault.Is(err, fault.NotFound) {
			t.Errorf("%v: %v, want not-found", c, err)
		}
	}
}

func TestNewRefusesDoubles(t *testing.T) {
	one := maps(t, time.Time{}).territories["ely"]
	if _, err := New(nil, one, one); err == nil {
		t.Error("the same territory was taken twice")
	}
	if _, err := New(nil, Territory{ID: "x"}); err == nil {
		t.Error("a territory without tiles was taken")
	}
}
