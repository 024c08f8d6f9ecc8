package match_test

import (
	"math"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/guide/sketch"
	"github.com/waygate/waygate/road/match"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/snap"
)

// TestEachPositionHasItsOwnDistance matches a drive along a straight road whose
// positions lie at different distances from it, with a gap before which two are too
// near to another to take part: each gets its own distance from its place.
func TestEachPositionHasItsOwnDistance(t *testing.T) {
	d := sketch.Sketch{Picture: "a" + strings.Repeat(".", 100) + "b", Cell: 20, Ways: []sketch.Way{{Places: "ab"}}}.Draw()
	g := d.Graph
	begin := d.At('a')
	off := []float64{4, 9, 2, 7, 5, 1, 8, 3, 6} // metres north of the road, by position
	east := []float64{40, 120, 200, 280, 360, 362, 364, 1400, 1480}
	var trace []match.Point
	for i := range off {
		at := geo.Destination(geo.Destination(begin, 90, east[i]), 0, off[i])
		trace = append(trace, match.Point{At: at, Time: math.NaN()})
	}
	o := match.ForAccuracy(5)
	o.Interpolation, o.Breakage = 10, 500
	found, err := match.NewQuery(g, snap.Build(g)).Match(t.Context(), profile.New(g, costing.Default(costing.Auto)), trace, o)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[match.Kind]int{}
	for i, p := range found.Places {
		kinds[p.Kind]++
		if math.Abs(geo.Distance(trace[i].At, p.At)-p.Metres) > 0.2 || p.Kind == match.Matched && math.Abs(p.Metres-off[i]) > 0.2 {
			t.Errorf("position %d is given as %.2f m from the road, %.2f m from its place; it lies %g m off", i, p.Metres, geo.Distance(trace[i].At, p.At), off[i])
		}
	}
	if kinds[match.Matched] != 7 || kinds[match.Interpolated] != 2 {
		t.Errorf("the kinds are %v, want seven matched and two put on the path", kinds)
	}
}
