package tiles

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/golden"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/glyph"
	"github.com/waygate/waygate/index/tileset"
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
	m, err := New(fonts, Territory{ID: "ely", Name: "Isle of Ely", Tiles: r, Updated: updated})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTile(t *testing.T) {
	m := maps(t, time.Time{})
	there, err := m.Tile("ely", 3, 4, 2)
	if err != nil || !there.Gzip || !bytes.Equal(there.Data, pack(t, "tile")) || len(there.ETag) < 10 || there.ETag[0] != '"' {
		t.Errorf("%+v, %v", there, err)
	}
	same, err := m.Tile("ely", 0, 0, 0)
	if err != nil || same.ETag != there.ETag {
		t.Errorf("equal tiles have ETags %s and %s, %v", there.ETag, same.ETag, err)
	}
	absent, err := m.Tile("ely", 3, 0, 0)
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
		_, err := m.Tile(c.id, c.z, c.x, c.y)
		if !fault.Is(err, c.slug) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("tile %s/%d/%d/%d: %v; want %s with %q", c.id, c.z, c.x, c.y, err, c.slug, c.want)
		}
	}
}

func TestTileJSON(t *testing.T) {
	base := Base{URL: "https://maps.example.org/"}
	doc, err := maps(t, time.Date(2026, 7, 9, 23, 0, 0, 0, time.UTC)).TileJSON(base, "ely")
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden.Assert(t, string(b)+"\n", "tiles.json")
	unknown, err := maps(t, time.Time{}).TileJSON(Base{URL: base.URL, Key: "a&b"}, "ely")
	if err != nil || unknown.DataUpdated != nil || unknown.Tiles[0] != "https://maps.example.org/tiles/ely/{z}/{x}/{y}.mvt?api_key=a%26b" {
		t.Errorf("%+v, %v", unknown, err)
	}
	if b, err := json.Marshal(unknown); err != nil || !bytes.Contains(b, []byte(`"data_updated":null`)) {
		t.Errorf("%s, %v: an unknown day is null", b, err)
	}
	if _, err := maps(t, time.Time{}).TileJSON(base, "york"); !fault.Is(err, fault.NotFound) {
		t.Errorf("unknown territory: %v", err)
	}
}

// A style must hold together: known sources and layers, ids of their own, and
// colours and fonts that exist.
func TestStyleHoldsTogether(t *testing.T) {
	m := maps(t, time.Time{})
	schema := []string{"earth", "landuse", "water", "buildings", "roads", "boundaries", "pois", "places"}
	for _, look := range []Look{{}, {Theme: Dark, Language: "cy"}, {HidePOIs: true}} {
		s, err := m.Style(Base{URL: "https://maps.example.org", Key: "secret"}, "ely", look)
		if err != nil {
			t.Fatal(err)
		}
		ids := map[string]bool{}
		for _, l := range s.Layers {
			if ids[l.ID] {
				t.Errorf("layer %q occurs twice", l.ID)
			}
			ids[l.ID] = true
			if _, ok := s.Sources[l.Source]; l.Type != "background" && !ok {
				t.Errorf("layer %q has source %q", l.ID, l.Source)
			}
			if l.Type != "background" && !slices.Contains(schema, l.SourceLayer) {
				t.Errorf("layer %q draws %q, which is not in the tiles", l.ID, l.SourceLayer)
			}
			for k, v := range l.Paint {
				if c, ok := v.(string); strings.HasSuffix(k, "-color") && (!ok && v == nil || ok && !isColour(c)) {
					t.Errorf("layer %q: %s is %v", l.ID, k, v)
				}
			}
			if f, ok := l.Layout["text-font"].([]string); l.Type == "symbol" && (!ok || len(f) == 0) {
				t.Errorf("layer %q names no font", l.ID)
			} else if ok {
				if _, err := m.Glyphs(strings.Join(f, ","), "0-255"); err != nil {
					t.Errorf("layer %q: %v", l.ID, err)
				}
			}
		}
		if ids["pois"] == look.HidePOIs {
			t.Errorf("look %+v: pois drawn is %v", look, ids["pois"])
		}
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(b, []byte(`"name:cy"`)) != (look.Language == "cy") {
			t.Errorf("look %+v: Welsh names", look)
		}
		if strings.Contains(s.Glyphs, "secret") || !strings.Contains(s.Sources[sourceName].Tiles[0], "api_key=secret") {
			t.Error("the key belongs to tiles, not to glyphs")
		}
		again, err := m.Style(Base{URL: "https://maps.example.org", Key: "secret"}, "ely", look)
		if err != nil {
			t.Fatal(err)
		}
		if c, err := json.Marshal(again); err != nil || !bytes.Equal(b, c) {
			t.Errorf("a style asked for twice differs, %v", err)
		}
	}
	_, err := m.Style(Base{}, "ely", Look{Theme: "sepia"})
	var f *fault.Error
	if !errors.As(err, &f) || f.Slug != fault.BadRequest || f.Fields["errors"] == nil {
		t.Errorf("unknown theme: %v", err)
	}
}

func isColour(c string) bool {
	return len(c) == 7 && c[0] == '#' && strings.Trim(c[1:], "0123456789abcdef") == ""
}

func TestPalettesAreComplete(t *testing.T) {
	for name, p := range map[string]palette{"light": light(), "dark": dark()} {
		v := reflect.ValueOf(p)
		for i := range v.NumField() {
			if c := v.Field(i).String(); !isColour(c) {
				t.Errorf("theme %s: %s is %q", name, v.Type().Field(i).Name, c)
			}
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
