package geocoded

import (
	"slices"
	"testing"

	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
)

// TestFeatures rounds what is measured and leaves out what is not known and, in brief,
// details.
func TestFeatures(t *testing.T) {
	metres := 12.345
	a := &geocode.Answer{Results: []geocode.Result{{
		Place: place.Place{
			Name: "Stannerford", At: geo.Point{Lon: -7.26747149, Lat: 49.32662251},
			Details: []place.Detail{{Key: "website", Value: "https://halvern.example.org"}},
		},
		Metres: &metres, Coordinates: true,
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
