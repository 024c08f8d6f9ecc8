package tileset

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"runtime"
	"strings"
	"testing"
)

// taken returns how many bytes a call allocates in all.
func taken(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// zeros is so many of them packed with gzip.
func zeros(t *testing.T, size int64) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.CopyN(z, nothing{}, size); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

type nothing struct{}

func (nothing) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestTileOfZeros(t *testing.T) {
	tile := zeros(t, 512<<20)
	var err error
	used := taken(func() { _, err = Unpacked(tile) })
	if err == nil || !strings.Contains(err.Error(), "unpacks to more than 16777216 bytes") || used > 120<<20 {
		t.Errorf("%v, %d MiB", err, used>>20)
	}
	if got, err := Unpacked(zeros(t, TileLimit)); err != nil || len(got) != TileLimit {
		t.Errorf("a tile as large as it may be: %d bytes, %v", len(got), err)
	}
}

// crafted returns an archive whose directories are as they are given.
func crafted(t *testing.T, root, leaves, metadata, tiles []byte) []byte {
	t.Helper()
	h := Header{RootOffset: headerSize, RootLength: uint64(len(root)), InternalCompression: CompressionGzip, TileCompression: CompressionGzip, TileType: TypeMVT, MaxZoom: 14}
	h.MetadataOffset, h.MetadataLength = h.RootOffset+h.RootLength, uint64(len(metadata))
	h.LeavesOffset, h.LeavesLength = h.MetadataOffset+h.MetadataLength, uint64(len(leaves))
	h.TilesOffset, h.TilesLength = h.LeavesOffset+h.LeavesLength, uint64(len(tiles))
	return bytes.Join([][]byte{appendHeader(nil, h), root, metadata, leaves, tiles}, nil)
}

func directoryOf(t *testing.T, entries ...entry) []byte {
	t.Helper()
	b, err := pack(appendDirectory(nil, entries))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestCrafted reads archives that readers of the format have fallen for. None takes
// much memory or time, and each says what is wrong.
func TestCrafted(t *testing.T) {
	packedRaw := func(raw []byte) []byte {
		b, err := pack(raw)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	loop := func(entries ...entry) (leaf []byte) {
		// The length of a leaf that holds its own length: packed, it settles at once.
		for length := range uint32(200) {
			for i := range entries {
				entries[i].length = length + 1
			}
			if leaf = directoryOf(t, entries...); len(leaf) == int(length)+1 {
				return leaf
			}
		}
		t.Fatal("no leaf of the length that it says")
		return nil
	}
	itself := loop(entry{id: 0})
	wide := loop(entry{id: 0}, entry{id: 100}, entry{id: 200})
	tile := []byte("x")
	many := binary.AppendUvarint(nil, 1<<40)
	const entries = 1<<21 - 1
	heavy := appendDirectory(nil, func() []entry {
		list := make([]entry, entries)
		for i := range list {
			list[i] = entry{id: uint64(i), length: 1, run: 1}
		}
		return list
	}())
	for name, c := range map[string]struct {
		data  []byte
		z     int
		opens string // why it does not open; "" where it does
		says  string // of a tile; "" for none there
	}{
		"a leaf that leads to itself":         {crafted(t, directoryOf(t, entry{length: uint32(len(itself))}), itself, nil, tile), 14, "", "nested deeper than 4"},
		"a leaf that leads thrice to itself":  {crafted(t, directoryOf(t, entry{length: uint32(len(wide))}), wide, nil, tile), 14, "", "nested deeper than 4"},
		"a leaf beyond the leaves":            {crafted(t, directoryOf(t, entry{length: 10, offset: 1 << 62}), itself, nil, tile), 0, "", "ends past the leaves"},
		"a tile beyond the tiles":             {crafted(t, directoryOf(t, entry{length: 10, run: 1, offset: 1 << 62}), nil, nil, tile), 0, "", "end past the tile data"},
		"a tile of 4 GiB":                     {crafted(t, directoryOf(t, entry{length: 1<<32 - 1, run: 1}), nil, nil, tile), 0, "", "the limit is 16777216"},
		"a run beyond the last tile":          {crafted(t, packedRaw([]byte{1, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1, 1}), nil, nil, tile), 0, "its run of 18446744073709551615", ""},
		"runs that overlap":                   {crafted(t, directoryOf(t, entry{id: 0, run: 10, length: 1}, entry{id: 5, run: 1, length: 1}), nil, nil, tile), 0, "meets the next entry", ""},
		"ids that overflow":                   {crafted(t, packedRaw([]byte{2, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1, 1, 1, 1, 1, 1}), nil, nil, tile), 0, "does not rise or is beyond", ""},
		"more entries than bytes":             {crafted(t, packedRaw(many), nil, nil, tile), 0, "claims 1099511627776 entries", ""},
		"no entry":                            {crafted(t, packedRaw([]byte{0}), nil, nil, tile), 0, "claims 0 entries", ""},
		"a root of zeros":                     {crafted(t, zeros(t, 256<<20), nil, nil, tile), 0, "root directory: unpacks to more than 8388608", ""},
		"metadata of zeros":                   {crafted(t, directoryOf(t, entry{run: 1, length: 1}), nil, zeros(t, 256<<20), tile), 0, "metadata: unpacks to more than 16777216", ""},
		"metadata of lists in lists":          {crafted(t, directoryOf(t, entry{run: 1, length: 1}), nil, packedRaw([]byte(`{"view":`+strings.Repeat("[", 1<<20))), tile), 0, "exceeded max depth", ""},
		"a directory of more than its memory": {crafted(t, packedRaw(heavy), nil, nil, tile), 0, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			used := taken(func() {
				r, err := NewReader("crafted", bytes.NewReader(c.data), int64(len(c.data)))
				if c.opens != "" {
					if err == nil || !strings.Contains(err.Error(), c.opens) {
						t.Errorf("it opens: %v, want %q", err, c.opens)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				_, _, err = r.Tile(c.z, 0, 0)
				if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
					t.Errorf("%v, want %q", err, c.says)
				}
				if err := r.Verify(); err == nil && c.says != "" {
					t.Error("it is verified")
				}
			})
			if used > 200<<20 {
				t.Errorf("%d MiB are taken", used>>20)
			}
		})
	}
}

// TestLeavesKept has many leaves decoded, each of which takes much more memory than it
// has bytes.
func TestLeavesKept(t *testing.T) {
	const each = 200_000
	var leaves []byte
	var top []entry
	for n := range 20 {
		list := make([]entry, each)
		for i := range list {
			list[i] = entry{id: uint64(n*each + i), length: 1, run: 1}
		}
		leaf := directoryOf(t, list...)
		top = append(top, entry{id: uint64(n * each), offset: uint64(len(leaves)), length: uint32(len(leaf))})
		leaves = append(leaves, leaf...)
	}
	data := crafted(t, directoryOf(t, top...), leaves, nil, make([]byte, 1))
	r, err := NewReader("leaves", bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for n := range 20 {
		z, x, y, err := Tile(uint64(n * each))
		if err != nil {
			t.Fatal(err)
		}
		if _, ok, err := r.Tile(z, x, y); !ok || err != nil {
			t.Fatalf("%d: %v", n, err)
		}
		kept := 0
		for _, list := range r.leaves {
			kept += len(list)
		}
		if kept > entriesKept || kept != r.kept || len(r.leaves) != len(r.order) || len(r.leaves) == 0 {
			t.Fatalf("after %d leaves %d entries are kept, %d are counted, of %d and %d leaves", n+1, kept, r.kept, len(r.leaves), len(r.order))
		}
	}
}
