package contour

import (
	"testing"

	"github.com/waygate/waygate/geo"
)

// TestHalves checks that ground reached on both sides of the antimeridian is drawn on both,
// each kind of road where it lies.
func TestHalves(t *testing.T) {
	d := NewDrawer(NewPlane(-17))
	line := func(lon float64) Line {
		at := geo.Point{Lon: lon, Lat: -17}
		return Line{at.Fix(), geo.Destination(at, 0, 300).Fix()}
	}
	part := func(lon float64) Part { return Part{d.Patch([]Road{{line(lon), 1}}), 1} }
	for what, r := range map[string]*Reached{
		"roads": {Whole: [][]Line{{line(179.99), line(-179.98)}}},
		"all kinds": {
			Strokes: []Stroke{{Line: line(179.99), End: 1}, {Line: line(-179.98), End: 1}},
			Whole:   [][]Line{{line(179.99), line(-179.98)}},
			Parts:   [][]Part{{part(179.99), part(-179.98)}},
		},
	} {
		all, err := d.Draw(t.Context(), r, []Level{{Limit: 600, Slope: 0.1}}, Options{Tolerance: -1})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []geo.Point{{Lon: 179.99, Lat: -16.999}, {Lon: -179.98, Lat: -16.999}} {
			if !contains(all[0], p) {
				t.Errorf("%s: the outlines lack longitude %g", what, p.Lon)
			}
		}
		if len(all[0]) != 2 {
			t.Errorf("%s: %d outlines, want one on either side", what, len(all[0]))
		}
	}
}
