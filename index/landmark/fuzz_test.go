package landmark_test

import (
	"fmt"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/landmark"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
)

// FuzzRead damages a section: reading it gives an error, or places that can be
// looked up anywhere.
func FuzzRead(f *testing.F) {
	var places []landmark.Place
	for i := range 40 {
		places = append(places, landmark.Place{At: geo.Point{Lon: 9.5 + float64(i)*1e-4, Lat: 47 + float64(i%7)*1e-3}, Name: fmt.Sprint("Inn ", i), Category: "amenity=pub"})
	}
	whole := regiontest.Written(f, landmark.Build(places).Write)
	for _, p := range regiontest.Patches {
		f.Add(p, 0)
	}
	f.Add([]byte(nil), 700)
	f.Fuzz(func(t *testing.T, patch []byte, cut int) {
		s, err := region.ReadSection(landmark.SectionName, regiontest.Patched(whole, patch, cut))
		if err != nil {
			return
		}
		x, err := landmark.Read(s)
		if err != nil {
			return
		}
		for _, p := range []geo.Point{{Lon: 9.5, Lat: 47}, {Lon: 9.503, Lat: 47.003}, {Lon: -180, Lat: -90}, {Lon: 180, Lat: 90}} {
			found := 0
			x.Near(p, 2000, func(landmark.Place, float64) { found++ })
			if found > x.Len() {
				t.Errorf("%d places of %d are near %v", found, x.Len(), p)
			}
		}
	})
}
