package importer

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/graph"
)

// hill writes a tile that rises to the east, so many metres a degree, from the same meridian for all.
func hill(t testing.TB, dir string, corner height.Corner, rise float64) string {
	t.Helper()
	path := filepath.Join(dir, corner.String()+".hgt")
	data := height.Draw(corner, height.ThreeArcSeconds, func(p geo.Point) (float64, bool) {
		return 100 + rise*(p.Lon-9), true
	})
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// border returns a road from tile N47E009 into N47E010, with a street on each side.
func border() *osm.Data {
	d := &osm.Data{}
	for i := range int64(9) {
		d.Nodes = append(d.Nodes, osm.Node{ID: i + 1, Lon: 99_800_000 + int32(i)*50_000, Lat: 475_000_000})
	}
	for i := range int64(8) {
		d.Ways = append(d.Ways, osm.Way{ID: 100 + i, Nodes: []int64{i + 1, i + 2}, Tags: osm.Tags{{Key: "highway", Value: "residential"}}})
	}
	return d
}

func slopesOf(t testing.TB, dir string) (*graph.Graph, func()) {
	t.Helper()
	r, err := region.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Verify(); err != nil {
		t.Fatal(err)
	}
	return g, func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// An archive of terrain tiles stands for the squares it covers, and is summed up
// once.
func TestHeightsOfTerrainTiles(t *testing.T) {
	source, tiles := extract(t, "border.osm.pbf", border()), filepath.Join(t.TempDir(), "terrarium.pmtiles")
	const side = 256
	picture := image.NewNRGBA(image.Rect(0, 0, side, side))
	for i := range side * side {
		h := 500 + 8*float64(i%side) // eastwards, by 8 m for each pixel of some 400 m
		v := int(math.Round((h + 32768) * 256))
		picture.SetNRGBA(i%side, i/side, color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255})
	}
	var data bytes.Buffer
	if err := png.Encode(&data, picture); err != nil {
		t.Fatal(err)
	}
	w, err := tileset.Create(tiles)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(8, 135, 89, data.Bytes()); err != nil { // from 9.8 to 11.2 degrees
		t.Fatal(err)
	}
	if _, err := w.Finish(tileset.Info{Pictures: tileset.TypePNG, Bounds: geo.Bounds{Min: geo.Point{Lon: 9.85, Lat: 47}, Max: geo.Point{Lon: 11.24, Lat: 47.9}}}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s, _ := run(t, Options{Dir: dir, Sources: []string{source}, Heights: []string{tiles}})
	m := s.Manifest
	if m.Counts["elevation_tiles"] != 2 || m.Counts["elevation_missing_tiles"] != 0 || m.Counts["elevation_segments"] != 8 {
		t.Errorf("counts are %v", m.Counts)
	}
	g, done := slopesOf(t, dir)
	defer done()
	for s := range graph.Segment(g.Segments()) {
		if up, down, mean := g.Grades.Up[s], g.Grades.Down[s], g.Grades.Mean[s]; up != 2 || down != 0 || mean < 600 || mean > 800 {
			t.Errorf("segment %d: %d per cent up, %d down, at %d m", s, up, down, mean)
		}
	}
}

func TestHeightsAreAStageOfTheirOwn(t *testing.T) {
	source, tiles, dir := extract(t, "border.osm.pbf", border()), t.TempDir(), t.TempDir()
	west, east := height.Corner{Lat: 47, Lon: 9}, height.Corner{Lat: 47, Lon: 10}
	hill(t, tiles, west, 4000) // some 5 per cent
	hill(t, tiles, east, 4000)
	hill(t, tiles, height.Corner{Lat: 10, Lon: 10}, 0) // of no use
	opt := Options{Dir: dir, Sources: []string{source}, Heights: []string{tiles}}

	s, l := run(t, opt)
	if !slices.Contains(l.ran, "heights") {
		t.Fatalf("ran %v", l.ran)
	}
	m := s.Manifest
	if m.Counts["elevation_tiles"] != 2 || m.Counts["elevation_missing_tiles"] != 0 || m.Counts["elevation_segments"] != 8 || m.Counts["elevation_unknown_segments"] != 0 {
		t.Errorf("counts are %v", m.Counts)
	}
	if m.Facts[region.ElevationFact] != srtm || !slices.Contains(m.Attribution, "Heights: "+srtm) {
		t.Errorf("facts %v, attribution %v", m.Facts, m.Attribution)
	}
	g, done := slopesOf(t, dir)
	for e := range g.Base {
		want := uint8(9) // 5.3 per cent up
		if g.Backward(e) {
			want = 3
		}
		if got := g.Grade(e); got != want {
			t.Errorf("edge %d has grade %d, want %d", e, got, want)
		}
	}
	done()

	// The same again does nothing, another folder with the same tiles neither.
	if _, l = run(t, opt); len(l.ran) != 0 {
		t.Errorf("the same heights again: ran %v", l.ran)
	}
	other := t.TempDir()
	hill(t, other, west, 4000)
	hill(t, other, east, 4000)
	opt.Heights = []string{other}
	if _, l = run(t, opt); len(l.ran) != 0 {
		t.Errorf("the same tiles elsewhere: ran %v", l.ran)
	}

	// Other heights change the slopes and what costs rest on them, not the roads.
	hill(t, other, east, 6000)
	if _, l = run(t, opt); !slices.Equal(l.ran, []string{"heights", "metrics", "bounds", "seal"}) {
		t.Errorf("another tile: ran %v", l.ran)
	}
	// A tile that no road lies on is not read.
	if err := os.WriteFile(filepath.Join(other, "N10E010.hgt"), []byte("broken"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, l = run(t, opt); len(l.ran) != 0 {
		t.Errorf("a tile far off: ran %v", l.ran)
	}
	// Without them the region is as it would have been.
	opt.Heights = nil
	s, l = run(t, opt)
	if !slices.Equal(l.ran, []string{"metrics", "bounds", "seal"}) {
		t.Errorf("no heights: ran %v", l.ran)
	}
	fresh := t.TempDir()
	f, _ := run(t, Options{Dir: fresh, Sources: []string{source}})
	if !slices.Equal(s.Manifest.Sections, f.Manifest.Sections) || s.Manifest.Facts[region.ElevationFact] != "" {
		t.Errorf("sections %v, fresh ones %v", s.Manifest.Sections, f.Manifest.Sections)
	}
}

func TestMissingTilesAreLevelAndTold(t *testing.T) {
	source, tiles, dir := extract(t, "border.osm.pbf", border()), t.TempDir(), t.TempDir()
	hill(t, tiles, height.Corner{Lat: 47, Lon: 9}, 4000)
	s, _ := run(t, Options{Dir: dir, Sources: []string{source}, Heights: []string{tiles}, Terrain: "a survey"})
	m := s.Manifest
	if m.Facts[MissingFact] != "N47E010" || m.Facts[region.ElevationFact] != "a survey" || m.Counts["elevation_missing_tiles"] != 1 {
		t.Errorf("facts %v, counts %v", m.Facts, m.Counts)
	}
	g, done := slopesOf(t, dir)
	defer done()
	known := 0
	for s := range graph.Segment(g.Segments()) {
		slope, ok := g.SlopeOf(g.Forward[s])
		shape := g.SegmentShape(s)
		switch high := shape[len(shape)-1].Lon; {
		case shape[0].Lon >= 100_000_000:
			if ok || g.Grade(g.Forward[s]) != graph.FlatGrade {
				t.Errorf("a road on the missing tile has slope %+v", slope)
			}
		case high < 100_000_000:
			if known++; !ok || slope.Grade != 9 || slope.Mean < 4000 {
				t.Errorf("a road on the tile has slope %+v, %v", slope, ok)
			}
		}
	}
	if want := m.Counts["elevation_segments"]; known == 0 || int64(known) > want || want+m.Counts["elevation_unknown_segments"] != int64(g.Segments()) {
		t.Errorf("%d roads on the tile, counts %v", known, m.Counts)
	}
}

func TestBadHeightsAreNamed(t *testing.T) {
	source := extract(t, "border.osm.pbf", border())
	packed := &bytes.Buffer{}
	z := gzip.NewWriter(packed)
	_, err := z.Write(make([]byte, 5000))
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"N47E009.hgt", make([]byte, 100), "100 bytes of heights, want 2884802"},
		{"N47E009.hgt.gz", packed.Bytes(), "5000 bytes"},
		{"N47E009.hgt.gz", packed.Bytes()[:20], "not readable as gzip"},
		{"N47E009.hgt.zip", []byte("PK"), "not readable as zip"},
		{"N10E010.hgt", nil, "lie on N47E009, N47E010"},
	} {
		tiles, dir := t.TempDir(), t.TempDir()
		if err := os.WriteFile(filepath.Join(tiles, c.name), c.data, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := Run(context.Background(), Options{Dir: dir, Sources: []string{source}, NoMap: true, Heights: []string{tiles}})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), tiles) {
			t.Errorf("%s: error %v, want it to name the place and %q", c.name, err, c.want)
		}
		if _, err := region.Open(dir); !errors.Is(err, region.ErrNotSealed) {
			t.Errorf("%s: the region: %v", c.name, err)
		}
	}
}
