package embedded_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/towntest"
)

// TestRoughTracksAreToldOf drives over tracks and looks for warning 910, that few
// would drive there.
func TestRoughTracksAreToldOf(t *testing.T) {
	const there, short = "ad", "b1" // 500 m of the way under test, and 100 m
	for _, c := range []struct {
		name, tags, from string
		by               costing.Costing
		want             bool
	}{
		{"a track", "track", there, costing.Auto, true},
		{"a lorry's", "track", there, costing.Truck, true},
		{"a motorcycle's", "track", there, costing.Motorcycle, true},
		{"a bicycle's", "track", there, costing.Bicycle, false},
		{"a walker's", "track", there, costing.Pedestrian, false},
		{"a short way over one", "track", short, costing.Auto, false},
		{"of gravel", "track surface=gravel tracktype=grade3", there, costing.Auto, true},
		{"of asphalt", "track surface=asphalt", there, costing.Auto, false},
		{"an unpaved road", "unclassified surface=gravel", there, costing.Auto, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			town := towntest.Draw(t, "a--b1-e--d--c", towntest.Ways{{"ab", "residential"}, {"b1ed", c.tags}, {"dc", "residential"}})
			extract := filepath.Join(t.TempDir(), "town.osm.pbf")
			if err := towntest.WriteFile(extract, town.Data()); err != nil {
				t.Fatal(err)
			}
			r := pair{from: town.Point(c.from[:1]), to: town.Point(c.from[1:])}.request(t, c.by)
			a, err := open(t, extract).Route(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.ContainsFunc(a.Warnings, func(w engine.Warning) bool { return w.Code == engine.WarnRough }); got != c.want {
				t.Errorf("warned: %v, want %v: %v", got, c.want, a.Warnings)
			}
		})
	}
}
