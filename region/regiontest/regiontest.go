// Package regiontest opens regions for as long as a test lasts.
package regiontest

import (
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
