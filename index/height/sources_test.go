package height

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/realdata"
)

// tiff returns a plain GeoTIFF of floats in one strip for each row: its first pixel's
// corner, the pixels to a side and to a degree.
func tiff(west, north float64, side int, perDegree float64, height func(p geo.Point) float64) []byte {
	le := binary.LittleEndian
	file := le.AppendUint32(append([]byte("II"), 42, 0), 0)
	var offsets, sizes []byte
	for row := range side {
		offsets, sizes = le.AppendUint32(offsets, uint32(len(file))), le.AppendUint32(sizes, uint32(4*side))
		for col := range side {
			p := geo.Point{Lon: west + (float64(col)+0.5)/perDegree, Lat: north - (float64(row)+0.5)/perDegree}
			file = le.AppendUint32(file, math.Float32bits(float32(height(p))))
		}
	}
	put := func(b []byte) uint32 {
		file = append(file, b...)
		return uint32(len(file) - len(b))
	}
	doubles := func(v ...float64) (b []byte) {
		for _, x := range v {
			b = le.AppendUint64(b, math.Float64bits(x))
		}
		return b
	}
	places, lengths := put(offsets), put(sizes)
	scale, tie := put(doubles(1/perDegree, 1/perDegree, 0)), put(doubles(0, 0, 0, west, north, 0))
	nodata := put([]byte("-9999\x00"))
	image := len(file)
	fields := [][4]uint32{
		{256, 4, 1, uint32(side)},
		{257, 4, 1, uint32(side)},
		{258, 3, 1, 32},
		{259, 3, 1, 1},
		{273, 4, uint32(side), places},
		{277, 3, 1, 1},
		{278, 4, 1, 1},
		{279, 4, uint32(side), lengths},
		{339, 3, 1, 3},
		{33550, 12, 3, scale},
		{33922, 12, 6, tie},
		{42113, 2, 6, nodata},
	}
	file = le.AppendUint16(file, uint16(len(fields)))
	for _, f := range fields {
		file = le.AppendUint16(le.AppendUint16(file, uint16(f[0])), uint16(f[1]))
		file = le.AppendUint32(le.AppendUint32(file, f[2]), f[3])
	}
	file = le.AppendUint32(file, uint32(image)) // a chain that leads back
	le.PutUint32(file[4:], uint32(image))
	return file
}

// hill returns a slope, which any interpolation gives exactly.
func hill(p geo.Point) float64 { return 300 + 1000*(p.Lon-8) + 500*(p.Lat-46) }

func ask(t testing.TB, s *Shared, places ...geo.Point) []float64 {
	t.Helper()
	metres, damaged, err := s.Heights(t.Context(), places)
	if err != nil || len(damaged) > 0 {
		t.Fatal(err, damaged)
	}
	return metres
}

func shared(t testing.TB, places ...string) *Shared {
	t.Helper()
	set, err := Find(places...)
	if err != nil {
		t.Fatal(err)
	}
	return NewShared(set)
}

// Two files side by side have no seam, and at the outer edges their outermost
// pixels count.
func TestMosaic(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "west.tif", tiff(7, 47, 100, 100, hill))
	write(t, dir, "sub/east.TIFF", tiff(8, 47, 100, 100, func(p geo.Point) float64 {
		if p.Lon > 8.5 && p.Lat < 46.5 {
			return -9999
		}
		return hill(p)
	}))
	s := shared(t, dir)
	for lon := 7.01; lon < 8.99; lon += 0.00371 {
		p := geo.Point{Lon: lon, Lat: 46.7031}
		if got := ask(t, s, p)[0]; math.Abs(got-hill(p)) > 0.01 {
			t.Fatalf("at %v: %v, want %v", p, got, hill(p))
		}
	}
	got := ask(t, s, geo.Point{Lon: 7, Lat: 47}, geo.Point{Lon: 6.99, Lat: 46.5}, geo.Point{Lon: 8.7, Lat: 46.2}, geo.Point{Lon: 8.4999, Lat: 46.2}, geo.Point{Lon: 8, Lat: 46})
	if math.Abs(got[0]-hill(geo.Point{Lon: 7.005, Lat: 46.995})) > 0.01 || !math.IsNaN(got[1]) || !math.IsNaN(got[2]) || math.Abs(got[3]-hill(geo.Point{Lon: 8.495, Lat: 46.2})) > 0.1 || math.IsNaN(got[4]) {
		t.Errorf("%v", got)
	}
	set := s.set
	if files := set.Files(Corner{46, 8}); len(files) == 0 || !strings.HasSuffix(files[len(files)-1], "east.TIFF") || len(set.Files(Corner{46, 7})) != 1 || len(set.Files(Corner{50, 8})) != 0 {
		t.Errorf("%v", files)
	}
	r := NewReader(set)
	if h, ok, err := r.Height(geo.Point{Lon: 7.5, Lat: 46.5}); err != nil || !ok || math.Abs(h-hill(geo.Point{Lon: 7.5, Lat: 46.5})) > 0.01 {
		t.Error(h, ok, err)
	}
}

// Where the first source has a void the next one counts, and a damaged file is
// reported.
func TestSourcesInOrder(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	write(t, first, "N46E008.hgt", Draw(Corner{46, 8}, ThreeArcSeconds, func(p geo.Point) (float64, bool) { return 5, p.Lat > 46.5 }))
	write(t, second, "all.tif", tiff(8, 47, 100, 100, func(geo.Point) float64 { return 9 }))
	s := shared(t, first, second)
	if got := ask(t, s, geo.Point{Lon: 8.5, Lat: 46.9}, geo.Point{Lon: 8.5, Lat: 46.1}); got[0] != 5 || got[1] != 9 {
		t.Errorf("%v", got)
	}
	file := tiff(8, 47, 100, 100, hill)
	bad := t.TempDir()
	path := write(t, bad, "cut.tif", file)
	s = shared(t, bad)
	if err := os.Truncate(path, 1000); err != nil {
		t.Fatal(err)
	}
	metres, damaged, err := s.Heights(t.Context(), []geo.Point{{Lon: 8.5, Lat: 46.5}, {Lon: 8.6, Lat: 46.5}})
	if err != nil || len(damaged) != 1 || !strings.Contains(damaged[0].Error(), path) || !math.IsNaN(metres[0]) || !math.IsNaN(metres[1]) {
		t.Error(metres, damaged, err)
	}
	if _, err := Find(bad); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a file that is cut short: %v", err)
	}
}

// picture returns a tile of heights as PNG.
func picture(t testing.TB, side int, pixels encoding, height func(x, y int) float64) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			h := height(x, y)
			if math.IsNaN(h) {
				continue // transparent
			}
			v := int(math.Round((h + 10000) * 10))
			c := color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
			if pixels == terrarium {
				v = int(math.Round((h + 32768) * 256))
				c = color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
			}
			img.SetNRGBA(x, y, c)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// tile is one of an archive.
type tile struct {
	z, x, y int
	data    []byte
}

func pmtiles(t testing.TB, path string, info tileset.Info, tiles ...tile) {
	t.Helper()
	w, err := tileset.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range tiles {
		if err := w.Add(at.z, at.x, at.y, at.data); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Finish(info); err != nil {
		t.Fatal(err)
	}
}

// A slope over four tiles has no seams, whichever way it is encoded; where the
// deepest zoom has no tile the one above counts.
func TestTerrain(t *testing.T) {
	box := geo.Bounds{Min: geo.Point{Lon: 0, Lat: -85}, Max: geo.Point{Lon: 180, Lat: 85}}
	// The height is the place in the Mercator square, so that it is a slope there.
	slope := func(z, x, y, side int) func(px, py int) float64 {
		n := float64(side << z)
		return func(px, py int) float64 {
			return 1000*(float64(x*side+px)+0.5)/n + 500*(float64(y*side+py)+0.5)/n
		}
	}
	for name, pixels := range map[string]encoding{"a-terrarium.pmtiles": terrarium, "terrain-rgb.pmtiles": mapbox} {
		for _, side := range []int{256, 512} {
			path := filepath.Join(t.TempDir(), name)
			// Of the eastern half: the whole at zoom 1, and the north-west of it at zoom 2.
			pmtiles(t, path, tileset.Info{Pictures: tileset.TypePNG, Bounds: box}, inOrder(t, []tile{
				{1, 1, 1, picture(t, side, pixels, slope(1, 1, 1, side))},
				{1, 1, 0, picture(t, side, pixels, slope(1, 1, 0, side))},
				{2, 2, 0, picture(t, side, pixels, slope(2, 2, 0, side))},
				{2, 2, 1, picture(t, side, pixels, slope(2, 2, 1, side))},
			})...)
			s := shared(t, path)
			for lat := -80.0; lat < 80; lat += 3.3 {
				for lon := 2.0; lon < 178; lon += 7.7 {
					p := geo.Point{Lon: lon, Lat: lat}
					x, y := mercator(p)
					want := 1000*x + 500*y
					if got := ask(t, s, p)[0]; !(math.Abs(got-want) < 1.2) {
						t.Fatalf("%s of %d: at %v %v, want %v", name, side, p, got, want)
					}
				}
			}
			if got := ask(t, s, geo.Point{Lon: -20, Lat: 10}, geo.Point{Lon: 20, Lat: 86}); !math.IsNaN(got[0]) || !math.IsNaN(got[1]) {
				t.Errorf("beyond the archive: %v", got)
			}
		}
	}
}

func TestTerrainVoids(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.pmtiles")
	box := geo.Bounds{Min: geo.Point{Lon: -180, Lat: -85}, Max: geo.Point{Lon: 180, Lat: 85}}
	pmtiles(t, path, tileset.Info{Pictures: tileset.TypePNG, Bounds: box, Metadata: tileset.Metadata{Encoding: "mapbox"}}, tile{0, 0, 0, picture(t, 256, mapbox, func(x, y int) float64 {
		switch {
		case x < 64:
			return math.NaN() // transparent
		case x < 128:
			return -10000 // black
		}
		return 77
	})})
	got := ask(t, shared(t, path), geo.Point{Lon: -170, Lat: 5}, geo.Point{Lon: -60, Lat: 5}, geo.Point{Lon: 60, Lat: 5}, geo.Point{Lon: -0.2, Lat: 5}, geo.Point{Lon: 179.99, Lat: 5})
	if !math.IsNaN(got[0]) || !math.IsNaN(got[1]) {
		t.Errorf("%v", got)
	}
	for _, h := range got[2:] {
		if !(math.Abs(h-77) < 1e-6) {
			t.Errorf("%v", got)
		}
	}
}

func TestArchivesRefused(t *testing.T) {
	dir := t.TempDir()
	box := geo.Bounds{Min: geo.Point{Lon: -180, Lat: -85}, Max: geo.Point{Lon: 180, Lat: 85}}
	good := tile{0, 0, 0, picture(t, 256, terrarium, func(int, int) float64 { return 1 })}
	unsaid, vector, cut := filepath.Join(dir, "unsaid.pmtiles"), filepath.Join(dir, "map.pmtiles"), filepath.Join(dir, "cut.pmtiles")
	pmtiles(t, unsaid, tileset.Info{Pictures: tileset.TypePNG, Bounds: box}, good)
	pmtiles(t, vector, tileset.Info{Bounds: box}, good)
	data, err := os.ReadFile(unsaid)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "cut.pmtiles", data[:100])
	for path, says := range map[string]string{unsaid: "terrarium", vector: "no pictures", cut: "cut"} {
		if _, err := Find(path); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	// A map beside tiles of heights is passed over.
	both := t.TempDir()
	pmtiles(t, filepath.Join(both, "map.pmtiles"), tileset.Info{Bounds: box}, good)
	if _, err := Find(both); err == nil || !strings.Contains(err.Error(), "no tile in folder") {
		t.Error(err)
	}
	write(t, both, "N46E008.hgt", level(3))
	if got := ask(t, shared(t, both), geo.Point{Lon: 8.5, Lat: 46.5}); got[0] != 3 {
		t.Errorf("%v", got)
	}
	// Pictures that are none.
	for name, data := range map[string][]byte{
		"nothing": nil, "noise": []byte("RIFF not at all"), "cut short": good.data[:len(good.data)/2], "too large": picture(t, 2048, terrarium, func(int, int) float64 { return 1 }),
		"no power of two": picture(t, 100, terrarium, func(int, int) float64 { return 1 }),
	} {
		if _, err := decodeTerrain(data, terrarium); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// Tiles of Mapterhorn, made of swissALTI3D, hold the heights of swissALTI3D.
func TestRealTerrain(t *testing.T) {
	dir := realdata.File(t, "elevation/mapterhorn-terrarium")
	files, err := filepath.Glob(filepath.Join(dir, "*.webp"))
	if err != nil || len(files) != 9 {
		t.Fatal(files, err)
	}
	var tiles []tile
	for _, f := range files {
		parts := strings.Split(strings.TrimSuffix(filepath.Base(f), ".webp"), "_")
		var at [3]int
		for i := range at {
			if at[i], err = strconv.Atoi(parts[i]); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		tiles = append(tiles, tile{at[0], at[1], at[2], data})
	}
	path := filepath.Join(t.TempDir(), "heights.pmtiles")
	pmtiles(t, path, tileset.Info{Pictures: tileset.TypeWebP, Metadata: tileset.Metadata{Encoding: "terrarium"}, Bounds: geo.Bounds{Min: geo.Point{Lon: 7, Lat: 46}, Max: geo.Point{Lon: 10, Lat: 56}}}, inOrder(t, tiles)...)
	s := shared(t, path)
	for _, name := range []string{"swissalti3d_beggingen.csv", "swissalti3d_wilderswil.csv"} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(f).ReadAll()
		if err = errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		sum, worst, n := 0.0, 0.0, 0
		for _, row := range rows {
			var v [3]float64
			for i := range v {
				if v[i], err = strconv.ParseFloat(row[i], 64); err != nil {
					t.Fatal(err)
				}
			}
			h := ask(t, s, geo.Point{Lon: v[0], Lat: v[1]})[0]
			if math.IsNaN(h) {
				t.Errorf("%s: nothing at %v", name, v)
				continue
			}
			off := math.Abs(h - v[2])
			sum, worst, n = sum+off, max(worst, off), n+1
		}
		t.Logf("%s: %d places, %.2f m off on average, %.2f m at worst", name, n, sum/float64(n), worst)
		if n < 80 || sum/float64(n) > 1.5 || worst > 12 {
			t.Errorf("%s: %d places are %.2f m off on average, %.2f m at worst", name, n, sum/float64(n), worst)
		}
	}
}

// inOrder sorts tiles as an archive wants them.
func inOrder(t testing.TB, tiles []tile) []tile {
	t.Helper()
	for i := range tiles {
		for j := i; j > 0; j-- {
			a, err := tileset.ID(tiles[j-1].z, tiles[j-1].x, tiles[j-1].y)
			if err != nil {
				t.Fatal(err)
			}
			b, err := tileset.ID(tiles[j].z, tiles[j].x, tiles[j].y)
			if err != nil {
				t.Fatal(err)
			}
			if b < a {
				tiles[j-1], tiles[j] = tiles[j], tiles[j-1]
			}
		}
	}
	return tiles
}

// FuzzTerrain takes any bytes for a picture of heights.
func FuzzTerrain(f *testing.F) {
	f.Add(picture(f, 16, terrarium, func(x, y int) float64 { return float64(x * y) }), true)
	f.Add([]byte("RIFF\x00\x00\x00\x00WEBPVP8L"), false)
	f.Fuzz(func(t *testing.T, data []byte, first bool) {
		pixels := mapbox
		if first {
			pixels = terrarium
		}
		tile, err := decodeTerrain(data, pixels)
		if err != nil {
			return
		}
		if len(tile.metres) != tile.side*tile.side || tile.side > mostSide {
			t.Errorf("%d heights of %d", len(tile.metres), tile.side)
		}
		for _, h := range tile.metres {
			if h < lowest || h > highest {
				t.Errorf("height %v", h)
			}
		}
	})
}

// BenchmarkSources asks for 500 heights along a line of 20 km.
func BenchmarkSources(b *testing.B) {
	dir := b.TempDir()
	write(b, dir, "N46E008.hgt", Draw(Corner{46, 8}, ArcSecond, func(p geo.Point) (float64, bool) { return hill(p), true }))
	grids := b.TempDir()
	write(b, grids, "a.tif", tiff(8, 47, 3600, 3600, hill))
	tiles := filepath.Join(b.TempDir(), "terrarium.pmtiles")
	var all []tile
	for x := 66; x < 68; x++ {
		for y := 44; y < 46; y++ {
			all = append(all, tile{7, x, y, picture(b, 512, terrarium, func(x, y int) float64 { return float64(x + y) })})
		}
	}
	pmtiles(b, tiles, tileset.Info{Pictures: tileset.TypePNG, Bounds: geo.Bounds{Min: geo.Point{Lon: 0, Lat: 40}, Max: geo.Point{Lon: 20, Lat: 60}}}, inOrder(b, all)...)
	var places []geo.Point
	for i := range 500 {
		places = append(places, geo.Point{Lon: 8.2 + 0.26*float64(i)/500, Lat: 46.3 + 0.1*float64(i%50)/50})
	}
	for name, place := range map[string]string{"hgt": dir, "tif": grids, "pmtiles": tiles} {
		b.Run(name, func(b *testing.B) {
			s := shared(b, place)
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := s.Heights(b.Context(), places); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
