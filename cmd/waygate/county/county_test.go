package county

import (
	"math"
	"testing"

	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample"
	"github.com/waygate/waygate/sample/land"
)

// TestSampleHeights reads the county's tiles back where it has places.
func TestSampleHeights(t *testing.T) {
	if testing.Short() {
		t.Skip("writes the whole county and its heights")
	}
	dir := t.TempDir()
	w, err := Write(dir, dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := osm.ReadHeader(t.Context(), w.Extract); err != nil {
		t.Error(err)
	}
	tiles, err := height.Find(w.Heights)
	if err != nil {
		t.Fatal(err)
	}
	r := height.NewReader(tiles)
	highest := 0.0
	for _, p := range sample.Generate().Places {
		got, ok, err := r.Height(p.Point)
		if err != nil {
			t.Fatal(err)
		}
		// A tile has a point each 90 m; the ground between is not quite even.
		if want := land.Height(p.Point); !ok || math.Abs(got-want) > 12 {
			t.Errorf("%s lies at %v, %v, want %v", p.Name, got, ok, want)
		}
		highest = max(highest, got)
	}
	if highest < 100 {
		t.Errorf("the highest place lies at %v m", highest)
	}
}
