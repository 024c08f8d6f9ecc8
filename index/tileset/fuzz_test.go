package tileset

import (
	"bytes"
	"testing"
)

func FuzzHeader(f *testing.F) {
	f.Add(appendHeader(nil, Header{RootOffset: headerSize, RootLength: 10, InternalCompression: CompressionGzip, MaxZoom: 14}), uint64(200))
	f.Add([]byte("PM\x01\x00"), uint64(4))
	f.Fuzz(func(t *testing.T, b []byte, size uint64) {
		h, err := parseHeader(b, size)
		if err != nil {
			return
		}
		again, err := parseHeader(appendHeader(nil, h), size)
		if err != nil || again != h {
			t.Errorf("header %+v became %+v, %v", h, again, err)
		}
	})
}

func FuzzDirectory(f *testing.F) {
	f.Add(appendDirectory(nil, []entry{{0, 0, 10, 1}, {1, 10, 5, 3}, {9, 0, 10, 1}}))
	f.Add(appendDirectory(nil, []entry{{5, 0, 100, 0}, {800, 100, 90, 0}}))
	f.Add([]byte{0})
	f.Fuzz(func(t *testing.T, b []byte) {
		entries, err := decodeDirectory(b)
		if err != nil {
			return
		}
		again, err := decodeDirectory(appendDirectory(nil, entries))
		if err != nil || len(again) != len(entries) {
			t.Fatalf("%d entries became %d, %v", len(entries), len(again), err)
		}
		for i, e := range entries {
			if again[i] != e {
				t.Fatalf("entry %d: %+v became %+v", i, e, again[i])
			}
			if got, ok := find(entries, e.id); !ok || got != e {
				t.Fatalf("entry %d is not found by its id", i)
			}
		}
	})
}

// FuzzArchive opens whatever it is given and looks around in it; nothing may
// panic or read outside.
func FuzzArchive(f *testing.F) {
	root, _, err := directories([]entry{{0, 0, 4, 5}})
	if err != nil {
		f.Fatal(err)
	}
	h := Header{
		RootOffset: headerSize, RootLength: uint64(len(root)), TilesOffset: headerSize + uint64(len(root)), TilesLength: 4,
		InternalCompression: CompressionGzip, TileCompression: CompressionGzip, MaxZoom: 1,
	}
	f.Add(append(append(appendHeader(nil, h), root...), "tile"...))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := FromBytes("fuzz", b)
		if err != nil {
			return
		}
		byReader, err := NewReader("fuzz", bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatalf("in memory it opens, from a reader not: %v", err)
		}
		for _, id := range []uint64{0, 1, 4, 5, 20, 1 << 20} {
			z, x, y, err := Tile(id)
			if err != nil {
				t.Fatal(err)
			}
			got, ok, err := r.Tile(z, x, y)
			got2, ok2, err2 := byReader.Tile(z, x, y)
			if ok != ok2 || !bytes.Equal(got, got2) || (err == nil) != (err2 == nil) {
				t.Fatalf("tile %d/%d/%d differs by source", z, x, y)
			}
		}
		_ = r.Verify() // damage is its business; panics are ours
	})
}
