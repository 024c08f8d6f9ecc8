// Package regiontest makes regions, and opens them for as long as a test lasts.
package regiontest

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/waygate/waygate/region"
)

// Open opens the region in a folder.
func Open(tb testing.TB, dir string) *region.Region {
	tb.Helper()
	r, err := region.Open(dir)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := r.Close(); err != nil {
			tb.Error(err)
		}
	})
	return r
}

// Of seals and opens a region of one section, which write writes to a file.
func Of(tb testing.TB, section string, version int, write func(path string) error) *region.Region {
	tb.Helper()
	dir := tb.TempDir()
	path := filepath.Join(dir, "new")
	if err := write(path); err != nil {
		tb.Fatal(err)
	}
	info, err := region.Adopt(dir, path, section, version)
	if err != nil {
		tb.Fatal(err)
	}
	if err := region.Seal(dir, &region.Manifest{ID: "x", Sections: []region.SectionInfo{info}}); err != nil {
		tb.Fatal(err)
	}
	return Open(tb, dir)
}

// Sealed makes a folder of a region of texts that stand for its sections, each a name and a
// text, and seals it with the rest of a manifest. Nothing but the files' checksums is right
// about it.
func Sealed(tb testing.TB, m region.Manifest, sections ...[2]string) (dir string) {
	tb.Helper()
	dir = tb.TempDir()
	for _, s := range sections {
		path := filepath.Join(dir, s[0])
		if err := os.WriteFile(path, []byte(s[1]), 0o600); err != nil {
			tb.Fatal(err)
		}
		info, err := region.Adopt(dir, path, s[0], 1)
		if err != nil {
			tb.Fatal(err)
		}
		m.Sections = append(m.Sections, info)
	}
	if err := region.Seal(dir, &m); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// Patched is data with bytes changed, for fuzzing: each five bytes of patch are a
// place in it, taken modulo its length, and what is added to the byte there. It
// ends after so many bytes where cut is more than none.
func Patched(data, patch []byte, cut int) []byte {
	out := append(make([]byte, 0, len(data)), data...)
	for ; len(patch) >= 5; patch = patch[5:] {
		out[int(binary.LittleEndian.Uint32(patch))%len(out)] += patch[4]
	}
	if cut > 0 && cut < len(out) {
		out = out[:cut]
	}
	return out
}

// Written returns the section file that write writes.
func Written(tb testing.TB, write func(path string) error) []byte {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "section")
	if err := write(path); err != nil {
		tb.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// Patches are the seeds of a fuzz test of Patched: nothing, a byte of the
// header, of the list of arrays, of the data.
var Patches = [][]byte{nil, {8, 0, 0, 0, 1}, {58, 0, 0, 0, 1}, {64, 0, 0, 0, 255}, {0, 8, 0, 0, 1, 0, 16, 0, 0, 128}}
