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

// Region gives the folder of an extract's region without its basemap. Other
// tests read it too: nobody writes there.
func Region(tb testing.TB, extract string) string {
	tb.Helper()
	return Import(tb, importer.Options{Sources: []string{extract}, NoMap: true})
}

// County gives the folder of the sample county's region.
func County(tb testing.TB) string {
	tb.Helper()
	key := importerCode(tb) + realdata.Code(tb, "github.com/waygate/waygate/sample")
	return realdata.Kept(tb, "region-county", key, func(dir string) error {
		extract := filepath.Join(tb.TempDir(), "county.osm.pbf")
		f, err := os.Create(extract)
		if err != nil {
			return err
		}
		if err := errors.Join(osm.WritePBF(f, sample.County()), f.Close()); err != nil {
			return err
		}
		_, err = importer.Run(context.WithoutCancel(tb.Context()), importer.Options{Dir: dir, Sources: []string{extract}, NoMap: true})
		return err
	})
}

// Import gives the folder of the region that options make; their Dir is not
// looked at.
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
	return realdata.Kept(tb, "region-"+name, strings.Join(key, "\n"), func(dir string) error {
		o.Dir = dir
		_, err := importer.Run(context.WithoutCancel(tb.Context()), o)
		return err
	})
}
