package towntest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/region"
)

// build keeps what a town was made into, for the life of the test that drew it.
type build struct {
	owner  testing.TB // nil for a town that no test drew
	pbf    string
	region *region.Region
}

// PBF writes the town as an extract once and gives the file's path. The file
// lives as long as the test that drew the town (or, for a plan built without
// a test, the first test that asked).
func (t *Town) PBF(tb testing.TB) string {
	tb.Helper()
	if t.built.pbf == "" {
		if t.built.owner == nil {
			t.built.owner = tb
		}
		path := filepath.Join(t.built.owner.TempDir(), "town.osm.pbf")
		if err := WriteFile(path, &t.data); err != nil {
			tb.Fatal(err)
		}
		t.built.pbf = path
	}
	return t.built.pbf
}

// WriteFile writes a data set as an .osm.pbf extract.
func WriteFile(path string, data *osm.Data) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(osm.WritePBF(f, data), f.Close())
}
