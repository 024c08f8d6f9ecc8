package tileset

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
)

func TestIDFollowsTheCurve(t *testing.T) {
	for _, c := range []struct {
		z, x, y int
		id      uint64
	}{
		{0, 0, 0, 0},
		{1, 0, 0, 1},
		{1, 0, 1, 2},
		{1, 1, 1, 3},
		{1, 1, 0, 4},
		{2, 0, 0, 5},
		{2, 1, 0, 6},
		{2, 1, 1, 7},
		{2, 0, 1, 8},
		{2, 0, 2, 9},
		{2, 3, 0, 20},
		{3, 0, 0, 21},
		{12, 3423, 1763, 19078479},
	} {
		id, err := ID(c.z, c.x, c.y)
		if err != nil || id != c.id {
			t.Errorf("ID(%d/%d/%d) = %d, %v; want %d", c.z, c.x, c.y, id, err, c.id)
		}
		z, x, y, err := Tile(c.id)
		if err != nil || z != c.z || x != c.x || y != c.y {
			t.Errorf("Tile(%d) = %d/%d/%d, %v; want %d/%d/%d", c.id, z, x, y, err, c.z, c.x, c.y)
		}
	}
}

// Neighbours on the curve are neighbours on the map, which with a bijection
// is what makes it a Hilbert curve.
func TestCurveIsContinuousAndComplete(t *testing.T) {
	for z := 1; z <= 6; z++ {
		seen := map[[2]int]bool{}
		var last [2]int
		for id := firstID(z); id < firstID(z+1); id++ {
			gz, x, y, err := Tile(id)
			if err != nil || gz != z {
				t.Fatalf("Tile(%d): zoom %d, %v; want %d", id, gz, err, z)
			}
			if back, err := ID(z, x, y); err != nil || back != id {
				t.Fatalf("ID(Tile(%d)) = %d, %v", id, back, err)
			}
			step := max(x-last[0], last[0]-x) + max(y-last[1], last[1]-y)
			if id > firstID(z) && step != 1 {
				t.Fatalf("zoom %d: step of %d at id %d", z, step, id)
			}
			last = [2]int{x, y}
			seen[last] = true
		}
		if len(seen) != 1<<(2*z) {
			t.Errorf("zoom %d: %d tiles seen", z, len(seen))
		}
	}
}

func TestIDRefusesWhatIsNoTile(t *testing.T) {
	for _, c := range [][3]int{{-1, 0, 0}, {MaxZoom + 1, 0, 0}, {3, 8, 0}, {3, 0, -1}, {0, 0, 1}} {
		if id, err := ID(c[0], c[1], c[2]); err == nil {
			t.Errorf("ID(%v) = %d, want an error", c, id)
		}
	}
	if _, _, _, err := Tile(firstID(MaxZoom + 1)); err == nil {
		t.Error("an id past the last zoom was taken")
	}
}

type tile struct {
	z, x, y int
	data    []byte
}

// randomTiles draws tiles of which many are equal, in id order, packed.
func randomTiles(t testing.TB, rng *rand.Rand, n int) []tile {
	t.Helper()
	ids := map[uint64]bool{}
	for len(ids) < n {
		id := rng.Uint64N(firstID(9))
		for run := rng.IntN(20); run >= 0; run-- {
			ids[id+uint64(run)] = true
		}
	}
	var out []tile
	for id := range ids {
		z, x, y, err := Tile(id)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, tile{z: z, x: x, y: y})
	}
	slices.SortFunc(out, func(a, b tile) int {
		ia, _ := ID(a.z, a.x, a.y)
		ib, _ := ID(b.z, b.x, b.y)
		return int(int64(ia) - int64(ib))
	})
	contents := make([][]byte, 60)
	for i := range contents {
		packed, err := pack(fmt.Append(nil, "town ", rng.Uint64()))
		if err != nil {
			t.Fatal(err)
		}
		contents[i] = packed
	}
	for i := range out {
		kind := rng.IntN(3) // sea, mostly
		if rng.IntN(3) == 0 {
			kind = rng.IntN(len(contents))
		}
		out[i].data = contents[kind]
	}
	return out
}

func write(t testing.TB, path string, tiles []tile) Summary {
	t.Helper()
	w, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, tl := range tiles {
		if err := w.Add(tl.z, tl.x, tl.y, tl.data); err != nil {
			t.Fatal(err)
		}
	}
	s, err := w.Finish(Info{
		Metadata:   Metadata{Name: "town", Attribution: "© the mapper", Type: "baselayer", VectorLayers: []VectorLayer{{ID: "roads", MaxZoom: 8, Fields: map[string]string{"kind": "String"}}}},
		Bounds:     geo.Bounds{Min: geo.Point{Lon: -3.1, Lat: 51.5}, Max: geo.Point{Lon: -2.9, Lat: 51.7}},
		Centre:     geo.Point{Lon: -3, Lat: 51.6},
		CentreZoom: 7,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	for _, n := range []int{1, 300, 20000} {
		rng := rand.New(rand.NewPCG(uint64(n), 1))
		tiles := randomTiles(t, rng, n)
		path := filepath.Join(t.TempDir(), "town.pmtiles")
		summary := write(t, path, tiles)
		if int(summary.Addressed) != len(tiles) || n > 1 && summary.Contents >= summary.Addressed {
			t.Errorf("summary %+v for %d tiles", summary, len(tiles))
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if uint64(len(data)) != summary.Bytes {
			t.Errorf("%d bytes written, the summary says %d", len(data), summary.Bytes)
		}
		fromFile, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := fromFile.Close(); err != nil {
				t.Error(err)
			}
		}()
		inMemory, err := FromBytes("town", data)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []*Reader{fromFile, inMemory} {
			h := r.Header()
			if h.RootOffset+h.RootLength > rootLimit || n == 20000 && h.LeavesLength == 0 {
				t.Errorf("root ends at %d, leaves take %d bytes", h.RootOffset+h.RootLength, h.LeavesLength)
			}
			if h.Bounds.Min.Lon != -3.1 || h.CentreZoom != 7 || r.Metadata().VectorLayers[0].Fields["kind"] != "String" {
				t.Errorf("header %+v, metadata %+v", h, r.Metadata())
			}
			if err := r.Verify(); err != nil {
				t.Error(err)
			}
			present := map[[3]int][]byte{}
			for _, tl := range tiles {
				present[[3]int{tl.z, tl.x, tl.y}] = tl.data
			}
			for z := range 9 {
				for range 500 {
					x, y := rng.IntN(1<<z), rng.IntN(1<<z)
					got, ok, err := r.Tile(z, x, y)
					if want := present[[3]int{z, x, y}]; err != nil || ok != (want != nil) || !bytes.Equal(got, want) {
						t.Fatalf("tile %d/%d/%d: %d bytes, %v, %v; want %d bytes", z, x, y, len(got), ok, err, len(want))
					}
				}
			}
			for _, tl := range tiles {
				if got, ok, err := r.Tile(tl.z, tl.x, tl.y); err != nil || !ok || !bytes.Equal(got, tl.data) {
					t.Fatalf("tile %d/%d/%d is lost: %v", tl.z, tl.x, tl.y, err)
				}
			}
		}
	}
}

func TestWritingIsDeterministicAndLeavesNothingElse(t *testing.T) {
	tiles := randomTiles(t, rand.New(rand.NewPCG(7, 7)), 2000)
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	write(t, a, tiles)
	write(t, b, tiles)
	first, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	second, err := os.ReadFile(b)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Error("two archives of the same tiles differ")
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 {
		t.Errorf("%d files in the folder, want 2", len(files))
	}
}

func TestWriterRefuses(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(filepath.Join(dir, "x"))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(3, 1, 1, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := w.Add(3, 1, 1, []byte("x")); err == nil {
		t.Error("the same tile was taken twice")
	}
	if err := w.Add(2, 1, 1, []byte("x")); err == nil {
		t.Error("a falling id was taken")
	}
	if err := w.Add(3, 7, 7, nil); err == nil {
		t.Error("an empty tile was taken")
	}
	if err := w.Abort(); err != nil {
		t.Error(err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 0 {
		t.Errorf("Abort left %d files, %v", len(files), err)
	}
	if _, err := Create(filepath.Join(t.TempDir(), "absent", "town.pmtiles")); err == nil {
		t.Error("an archive is begun in a folder that is not there")
	}
}

func TestOpenNamesWhatIsWrong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "town.pmtiles")
	write(t, path, randomTiles(t, rand.New(rand.NewPCG(1, 1)), 100))
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := func(at int, b ...byte) []byte {
		c := bytes.Clone(good)
		copy(c[at:], b)
		return c
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "cut short: 0 bytes"},
		{"half a header", good[:100], "cut short: 100 bytes"},
		{"cut", good[:len(good)-1], "tile data"},
		{"other file", []byte("GIF89a and so on and on"), "no PMTiles archive"},
		{"version 1", append([]byte{'P', 'M', 1, 0}, make([]byte, 600)...), "version 1"},
		{"version 2", append([]byte{'P', 'M', 2, 0}, make([]byte, 600)...), "version 2"},
		{"version 4", changed(7, 4), "version 4"},
		{"zstd inside", changed(97, 4), "zstd"},
		{"zooms", changed(100, 9, 3), "zooms 9 to 3"},
		{"root", changed(headerSize, 0, 0, 0), "root directory"},
		{"offset", changed(8, 255, 255, 255, 255, 255, 255, 255, 255), "root directory"},
	} {
		_, err := FromBytes("town.pmtiles", c.data)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "town.pmtiles") {
			t.Errorf("%s: %v; want %q and the name", c.name, err, c.want)
		}
	}
}

func TestVerifyFindsDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "town.pmtiles")
	write(t, path, randomTiles(t, rand.New(rand.NewPCG(2, 2)), 200))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-3] ^= 0xff
	r, err := FromBytes(path, data)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Verify(); err == nil {
		t.Error("a damaged tile went unnoticed")
	}
}

// TestVerifyFindsDisorder checks that the tiles of an archive that calls itself clustered
// lie in the order of their ids.
func TestVerifyFindsDisorder(t *testing.T) {
	one, two := directoryOf(t, entry{id: 9}), directoryOf(t, entry{id: 7777777})
	first := entry{id: 0, run: 1, length: uint32(len(one))}
	second := entry{id: 1, run: 1, offset: uint64(len(one)), length: uint32(len(two))}
	for _, c := range []struct {
		swapped, clustered, ok bool
	}{{false, false, true}, {false, true, true}, {true, false, true}, {true, true, false}} {
		a, b := first, second
		if c.swapped {
			a.offset, a.length, b.offset, b.length = b.offset, b.length, a.offset, a.length
		}
		data := crafted(t, directoryOf(t, a, b), nil, nil, append(append([]byte{}, one...), two...))
		r, err := FromBytes("crafted", data)
		if err != nil {
			t.Fatal(err)
		}
		r.header.Clustered = c.clustered
		r.header.Addressed, r.header.Entries, r.header.Contents = 2, 2, 2
		if err := r.Verify(); (err == nil) != c.ok {
			t.Errorf("swapped %v, clustered %v: %v", c.swapped, c.clustered, err)
		}
	}
}
