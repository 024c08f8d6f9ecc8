package height

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/realdata"
)

// level returns a tile of one height, below 256 m.
func level(metres float64) []byte {
	return bytes.Repeat([]byte{0, byte(metres)}, ThreeArcSeconds*ThreeArcSeconds)
}

func zipped(t testing.TB, names ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i, name := range names {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(level(float64(i + 1))); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(data)
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func write(t testing.TB, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOpenReadsEveryForm(t *testing.T) {
	dir := t.TempDir()
	at := Corner{51, -3}
	for name, c := range map[string]struct {
		data []byte
		want float64
	}{
		"N51W003.hgt":              {level(7), 7},
		"N51W003.hgt.gz":           {gzipped(t, level(8)), 8},
		"N51W003.hgt.zip":          {zipped(t, "N51W003.hgt"), 1},
		"N51W003.SRTMGL1.hgt.zip":  {zipped(t, "readme.txt", "folder/n51w003.hgt"), 2},
		"two/N51W003.hgt.zip":      {zipped(t, "N51W004.hgt", "N51W003.hgt"), 2},
		"unnamed/N51W003.hgt.zip":  {zipped(t, "heights.hgt"), 1},
		"CAPITALS/N51W003.HGT.ZIP": {zipped(t, "N51W003.HGT"), 1},
	} {
		tile, err := Open(write(t, dir, name, c.data), at)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if h, ok := tile.Height(geo.Point{Lon: -2.5, Lat: 51.5}); !ok || h != c.want {
			t.Errorf("%s: height %v, %v, want %v", name, h, ok, c.want)
		}
	}
}

func TestOpenNamesWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	whole := gzipped(t, level(1))
	archive := zipped(t, "N51W003.hgt")
	endless := gzipped(t, make([]byte, 2*ArcSecond*ArcSecond+100))
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"N51W003.hgt":             {level(1)[:1000], "1000 bytes"},
		"N51W003.hgt.gz":          {whole[:len(whole)/2], "gzip"},
		"torn/N51W003.hgt.gz":     {[]byte("not at all"), "gzip"},
		"short/N51W003.hgt.gz":    {gzipped(t, []byte("short")), "5 bytes"},
		"endless/N51W003.hgt.gz":  {endless, "25934403 bytes"},
		"N51W003.hgt.zip":         {archive[:len(archive)/2], "zip"},
		"damaged/N51W003.hgt.zip": {damaged(archive), "not readable"},
		"other/N51W003.hgt.zip":   {zipped(t, "N52W003.hgt"), "no N51W003.hgt"},
		"several/N51W003.hgt.zip": {zipped(t, "a.hgt", "b.hgt"), "no N51W003.hgt"},
		"nothing/N51W003.hgt.zip": {zipped(t), "no N51W003.hgt"},
		"N51W003.tif":             {nil, "want an .hgt"},
		"empty/N51W003.hgt":       {nil, "0 bytes"},
	} {
		path := write(t, dir, name, c.data)
		_, err := Open(path, Corner{51, -3})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v, want it to name the file and %q", name, err, c.want)
		}
	}
	sparse := write(t, dir, "sparse/N51W003.hgt", nil)
	if err := os.Truncate(sparse, 1<<40); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(sparse, Corner{51, -3}); err == nil || !strings.Contains(err.Error(), "1099511627776 bytes, a tile has") {
		t.Errorf("a file of a terabyte: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "N00E000.hgt"), Corner{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// damaged changes bytes in the middle, which the checksum detects.
func damaged(archive []byte) []byte {
	out := bytes.Clone(archive)
	for i := len(out) / 3; i < len(out)/3+20; i++ {
		out[i] ^= 0x55
	}
	return out
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	packed := write(t, dir, "a/N51W003.hgt.zip", zipped(t, "N51W003.hgt"))
	plain := write(t, dir, "a/deep/N51W003.hgt", level(1))
	other := write(t, dir, "b/N51W003.hgt", level(2))
	east := write(t, dir, "b/N51E000.hgt.gz", gzipped(t, level(3)))
	write(t, dir, "b/notes.txt", nil)
	for _, c := range []struct {
		places []string
		want   map[Corner]string
	}{
		{[]string{filepath.Join(dir, "a")}, map[Corner]string{{51, -3}: plain, {51, 0}: ""}},
		{[]string{filepath.Join(dir, "a"), filepath.Join(dir, "b")}, map[Corner]string{{51, -3}: plain, {51, 0}: east}},
		{[]string{filepath.Join(dir, "b"), filepath.Join(dir, "a")}, map[Corner]string{{51, -3}: other}},
		{[]string{packed, dir}, map[Corner]string{{51, -3}: packed, {51, 0}: east}},
	} {
		s, err := Find(c.places...)
		if err != nil {
			t.Fatal(err)
		}
		for corner, want := range c.want {
			got := ""
			if files := s.Files(corner); len(files) > 0 {
				got = files[0]
			}
			if got != want {
				t.Errorf("%v: tile %s is %q, want %q", c.places, corner, got, want)
			}
		}
	}
	empty := t.TempDir()
	for place, want := range map[string]string{
		filepath.Join(dir, "none"):        "no such file",
		filepath.Join(dir, "b/notes.txt"): "N51W003.hgt",
		empty:                             "no tile in folder",
	} {
		if _, err := Find(place); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), place) {
			t.Errorf("%s: error %v, want it to name the place and %q", place, err, want)
		}
	}
}

// TestReaderKeepsFew walks over more tiles than it keeps, there and back.
func TestReaderKeepsFew(t *testing.T) {
	dir := t.TempDir()
	const tiles = cacheSize + 3
	for lon := range tiles {
		if lon != 2 {
			write(t, dir, Corner{10, lon}.String()+".hgt", level(float64(lon)))
		}
	}
	s, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	r := NewReader(s)
	visit := func(lon int) {
		t.Helper()
		h, ok, err := r.Height(geo.Point{Lon: float64(lon) + 0.5, Lat: 10.5})
		if err != nil || ok != (lon != 2) || ok && h != float64(lon) {
			t.Fatalf("tile %d: %v, %v, %v", lon, h, ok, err)
		}
		if len(r.cursor.shared.tiles) > cacheSize {
			t.Fatalf("%d tiles are kept, want %d at the most", len(r.cursor.shared.tiles), cacheSize)
		}
	}
	for lon := range tiles {
		visit(lon)
		visit(max(0, lon-1)) // the one before is still there
	}
	if r.cursor.shared.opens != tiles-1 {
		t.Errorf("%d tiles were opened, want each once", r.cursor.shared.opens)
	}
	for lon := tiles - 1; lon >= 0; lon-- {
		visit(lon)
	}
	if r.cursor.shared.opens <= tiles-1 || r.cursor.shared.opens > 2*tiles {
		t.Errorf("%d tiles were opened on the way there and back", r.cursor.shared.opens)
	}
	write(t, dir, "N10E100.hgt", nil)
	if s, err = Find(dir); err != nil {
		t.Fatal(err)
	}
	if _, _, err := NewReader(s).Height(geo.Point{Lon: 100.5, Lat: 10.5}); err == nil || !strings.Contains(err.Error(), "N10E100.hgt") {
		t.Errorf("an empty tile: %v", err)
	}
}

// TestRealTile asks for known places in Andorra.
func TestRealTile(t *testing.T) {
	tile, err := Open(realdata.File(t, "elevation/N42E001.hgt.zip"), Corner{42, 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		at         geo.Point
		want, near float64
	}{
		"Andorra la Vella": {geo.Point{Lon: 1.5218, Lat: 42.5063}, 1023, 40},
		"Coma Pedrosa":     {geo.Point{Lon: 1.4442, Lat: 42.5919}, 2942, 60},
		"Pas de la Casa":   {geo.Point{Lon: 1.7333, Lat: 42.5425}, 2080, 60},
	} {
		if h, ok := tile.Height(c.at); !ok || math.Abs(h-c.want) > c.near {
			t.Errorf("%s lies at %v, %v, want about %v", name, h, ok, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte{0, 1, 0x80, 0}, uint16(3), 0.5, 0.5, true)
	f.Add([]byte{0x7f, 0xff}, uint16(0), 0.0, 1.0, false)
	f.Add([]byte{}, uint16(1), 1.0, 0.0, false)
	f.Fuzz(func(t *testing.T, pattern []byte, cut uint16, x, y float64, large bool) {
		side := ThreeArcSeconds
		if large {
			side = ArcSecond
		}
		data := make([]byte, max(0, bytesOf(side)-int(cut)))
		if len(pattern) > 0 {
			for i := 0; i < len(data); i += max(len(pattern), len(data)/64) {
				copy(data[i:], pattern)
			}
		}
		tile, err := Parse(Corner{51, -3}, data)
		if (err == nil) != (cut == 0) {
			t.Fatalf("%d bytes: %v", len(data), err)
		}
		if err != nil {
			return
		}
		if h, ok := tile.Height(geo.Point{Lon: -3 + x, Lat: 51 + y}); ok && !(h >= lowest && h <= highest) {
			t.Errorf("height %v", h)
		}
	})
}

// FuzzUnzip takes any bytes for a packed tile, zip or gzip.
func FuzzUnzip(f *testing.F) {
	f.Add([]byte("PK\x03\x04"))
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if w, err := z.Create("N51W003.hgt"); err == nil {
		_, _ = w.Write([]byte{0, 1}) // to memory
	}
	if err := z.Close(); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, packed []byte) {
		for _, unpack := range []func([]byte) ([]byte, error){gunzip, func(p []byte) ([]byte, error) { return unzip(p, Corner{51, -3}) }} {
			if data, err := unpack(packed); err == nil && len(data) > bytesOf(ArcSecond)+1 {
				t.Errorf("%d bytes of heights", len(data))
			}
		}
	})
}
