package embedded_test

import (
	"math"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/road/search"
)

// TestAlternatesHaveTheirVia asks for alternates, and for the way over the place
// that each names, in the direction in which it does: it is the same way.
func TestAlternatesHaveTheirVia(t *testing.T) {
	e, all := open(t, realdata.File(t, "osm/liechtenstein-bench.osm.pbf")), points(t)
	metres := func(r *engine.RouteRequest) []float64 {
		a, err := e.Route(t.Context(), r)
		if err != nil {
			return nil
		}
		var list []float64
		for i := range a.Routes {
			list = append(list, a.Routes[i].Metres)
		}
		return list
	}
	asked, alike := 0, 0
	for i := range 200 {
		ends := []engine.Location{all[i%len(all)], all[(7*i+13)%len(all)]}
		ask := &engine.RouteRequest{Costing: costing.Auto, Options: chosen(t, costing.Auto, ""), Locations: ends, Alternates: 2}
		a, err := e.Route(t.Context(), ask)
		if err != nil {
			continue
		}
		if a.Routes[0].Via != nil {
			t.Error("the best route has a via")
		}
		for j := range a.Routes[1:] {
			other := &a.Routes[j+1]
			if other.Via == nil {
				t.Fatalf("pair %d: alternate %d has no via", i, j)
			}
			off, bearing := nearest(other.Line(), *other.Via)
			if off > 2 {
				t.Errorf("pair %d: the via of alternate %d is %.0f m off its line", i, j, off)
			}
			over := *ask
			over.Alternates, over.Locations = 0, []engine.Location{ends[0], {Point: *other.Via, Stop: engine.Through, Heading: &bearing, HeadingTolerance: 30}, ends[1]}
			asked++
			if m := metres(&over); len(m) == 1 && math.Abs(m[0]-other.Metres) < 0.01*other.Metres {
				alike++
			}
		}
	}
	if asked < 20 || alike*50 < asked*49 { // of ways that cost the same another may be given
		t.Errorf("of %d alternates %d are the way over their via", asked, alike)
	}
}

// TestAlternatesOnBentRoads closes a place on the best way, and asks for others: none
// leads over it, and each costs at least what the best does then.
func TestAlternatesOnBentRoads(t *testing.T) {
	e, all := open(t, realdata.File(t, "osm/liechtenstein-bench.osm.pbf")), points(t)
	found := 0
	for i := range 60 {
		r := &engine.RouteRequest{Costing: costing.Auto, Options: chosen(t, costing.Auto, ""), Locations: []engine.Location{all[i%len(all)], all[(7*i+13)%len(all)]}, Alternates: 2}
		free, err := e.Route(t.Context(), r)
		if err != nil {
			continue
		}
		line := free.Routes[0].Line()
		closed := line[len(line)/2]
		r.ExcludeLocations = []engine.Location{{Point: closed}}
		bent, err := e.Route(t.Context(), r)
		if err != nil {
			continue
		}
		best := bent.Routes[0].Cost
		for j := range bent.Routes[1:] {
			other := &bent.Routes[j+1]
			found++
			if other.Cost < best || other.Cost > search.AlternativeStretch*best {
				t.Errorf("pair %d: alternate %d costs %g, the best %g", i, j, other.Cost, best)
			}
			if m, _ := nearest(other.Line(), closed); m < 0.1 {
				t.Errorf("pair %d: alternate %d leads over %s, which is excluded", i, j, closed)
			}
		}
	}
	if found < 10 {
		t.Errorf("%d alternates prove too little", found)
	}
}

// nearest returns how far a point is from a line, in metres, and the bearing of the line there.
func nearest(line []geo.Point, p geo.Point) (metres, bearing float64) {
	metres = math.Inf(1)
	for i := 1; i < len(line); i++ {
		foot, _, _ := geo.Nearest(p, line[i-1], line[i])
		if d := geo.Distance(p, foot); d < metres {
			metres, bearing = d, geo.Bearing(line[i-1], line[i])
		}
	}
	return metres, bearing
}
