package geocoded

import (
	"slices"
	"testing"

	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/geo"
)

// TestFeatures rounds what is measured and leaves out what is not known and, in brief,
// details.
func TestFeatures(t *testing.T) {
	metres := 12.345
	a := &geocode.Answer{Results: []geocode.Result{{
		Name: "Stannerford", At: geo.Point{Lon: -7.26747149, Lat: 49.32662251}, Metres: &metres, Coordinates: true,
		Details: []geocode.Detail{{Key: "website", Value: "https://halvern.example.org"}},
	}}}
	for _, brief := range []bool{false, true} {
		all := Features(a, brief)
		if len(all) != 1 {
			t.Fatalf("%d features", len(all))
		}
		f := all[0]
		p := f.Properties
		if f.Type != "Feature" || !slices.Equal(f.Geometry.Coordinates, []float64{-7.267471, 49.326623}) || p.Name != "Stannerford" || p.Type != "coordinate" {
			t.Errorf("%+v", f)
		}
		if p.Distance == nil || *p.Distance != 12.3 || p.Score != nil || p.Match != nil || p.Extent != nil || (len(p.Details) == 1) == brief {
			t.Errorf("brief %t: %+v", brief, p)
		}
	}
}
