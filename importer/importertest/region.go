// Package importertest imports extracts for tests, each once on a machine.
package importertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/sample"
	"github.com/waygate/waygate/sample/feeds"
)

// code is the hash of the importer's sources, worked out once in a process.
var code struct {
	once sync.Once
	hash string
}

func importerCode(tb testing.TB) string {
	tb.Helper()
	code.once.Do(func() { code.hash = realdata.Code(tb, "github.com/waygate/waygate/importer") })
	return code.hash
}

// Region returns the folder of an extract's region without its basemap. Other tests
// read it too, so it must not be changed.
func Region(tb testing.TB, extract string) string {
	tb.Helper()
	return Import(tb, importer.Options{Sources: []string{extract}, NoMap: true})
}

// County returns the folder of the sample county's region, with its timetable.
func County(tb testing.TB) string {
	tb.Helper()
	key := importerCode(tb) + realdata.Code(tb, "github.com/waygate/waygate/sample/feeds") + " timetable"
	return realdata.Cached(tb, "region-county", key, func(dir string) error {
		extract := filepath.Join(tb.TempDir(), "county.osm.pbf")
		f, err := os.Create(extract)
		if err != nil {
			return err
		}
		county := sample.Generate()
		if err := errors.Join(osm.WritePBF(f, county.Data), f.Close()); err != nil {
			return err
		}
		buses := tb.TempDir()
		for name, text := range feeds.Timetable(county) {
			if err := os.WriteFile(filepath.Join(buses, name), []byte(text), 0o600); err != nil {
				return err
			}
		}
		_, err = importer.Run(context.WithoutCancel(tb.Context()), importer.Options{Dir: dir, Sources: []string{extract}, Timetables: []string{buses}, NoMap: true})
		return err
	})
}

// Import returns the folder of the region that options make; their Dir is ignored.
func Import(tb testing.TB, o importer.Options) string {
	tb.Helper()
	key := []string{importerCode(tb), fmt.Sprintf("%q %q %q %v %q", o.ID, o.Name, o.Country, o.NoMap, o.Terrain)}
	for _, path := range o.Sources {
		key = append(key, filepath.Base(path), realdata.Sum(tb, path))
	}
	for _, path := range o.Heights {
		key = append(key, realdata.Sum(tb, path))
	}
	name, _, _ := strings.Cut(filepath.Base(o.Sources[0]), ".")
	return realdata.Cached(tb, "region-"+name, strings.Join(key, "\n"), func(dir string) error {
		o.Dir = dir
		_, err := importer.Run(context.WithoutCancel(tb.Context()), o)
		return err
	})
}
