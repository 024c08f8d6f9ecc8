package towntest

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/region"
)

// Region imports the town once, all stages but the basemap, and gives the
// opened region. It lives as long as the file of PBF and is closed then.
func (t *Town) Region(tb testing.TB) *region.Region {
	tb.Helper()
	if t.built.region == nil {
		source := t.PBF(tb)
		dir := filepath.Join(filepath.Dir(source), "region")
		if _, err := importer.Run(context.Background(), importer.Options{
			Dir: dir, Sources: []string{source}, ID: "town", Name: "Town", NoMap: true,
		}); err != nil {
			tb.Fatal(err)
		}
		r, err := region.Open(dir)
		if err != nil {
			tb.Fatal(err)
		}
		t.built.region = r
		t.built.owner.Cleanup(func() {
			t.built.region = nil
			if err := r.Close(); err != nil {
				t.built.owner.Error(err)
			}
		})
	}
	return t.built.region
}
