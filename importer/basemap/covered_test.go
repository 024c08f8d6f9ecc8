package basemap

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/basemap/plane"
)

// The box of an extract is filled by roads on its western side alone: the rest is marked as not
// mapped, and the motorway that leads there is in two parts.
func TestWhatIsNotMapped(t *testing.T) {
	s := newSketch()
	for i := range 60 { // streets some 300 m apart, in units of 1e-4 degrees
		var north, east []int
		for at := 0; at <= 1770; at += 30 {
			north, east = append(north, i*30, at), append(east, at, i*30)
		}
		s.way(tags("highway=residential"), north...)
		s.way(tags("highway=residential"), east...)
	}
	motorway := []int{900, 900}
	for x := 1000; x <= 6000; x += 50 {
		motorway = append(motorway, x, 900)
	}
	s.way(tags("highway=motorway"), motorway...)
	r, _ := build(t, &s.data, Options{})

	layers := zoomLayers(t, r, unmappedZoom) // all is in one tile
	inTile := func(lon, lat float64) orb.Point {
		p := plane.Project(geo.Point{Lon: lon, Lat: lat})
		part := func(v float64) float64 { return extent * (v*64 - math.Floor(v*64)) }
		return orb.Point{part(p[0]), part(p[1])}
	}
	within := func(lon, lat float64) bool { return lies(layers["earth"], "unmapped", inTile(lon, lat)) }
	for _, at := range []struct {
		lon, lat float64
		unmapped bool
	}{{1.09, 51.05, false}, {1.02, 51.15, false}, {1.40, 51.15, true}, {1.45, 51.02, true}} {
		if got := within(at.lon, at.lat); got != at.unmapped {
			t.Errorf("%v, %v is not mapped: %v", at.lon, at.lat, got)
		}
	}
	var edge orb.Bound
	for _, f := range find(layers, "earth", "unmapped") {
		if _, is := f.Geometry.(orb.LineString); is {
			edge = f.Geometry.Bound()
		}
	}
	if edge.Max[0] < inTile(1.15, 51)[0] || edge.Max[0] > inTile(1.25, 51)[0] {
		t.Errorf("the map ends in %v, want about %v", edge, inTile(1.2, 51)[0])
	}
	parts := map[bool]int{}
	var beyond *geojson.Feature
	for _, f := range find(layers, "roads", "highway") {
		_, out := f.Properties["beyond"]
		parts[out]++
		if out {
			beyond = f
		}
	}
	if parts[true] == 0 || parts[false] == 0 {
		t.Fatalf("parts of the motorway beyond the map and not: %v", parts)
	}
	if west := beyond.Geometry.Bound().Min[0]; west < inTile(1.15, 51)[0] || west > inTile(1.25, 51)[0] {
		t.Errorf("the motorway is beyond the map from %v on, want about %v", west, inTile(1.2, 51)[0])
	}
}

// A wood that goes on where no roads are, beyond the box of the map, is drawn within the box alone,
// under areas that lie within one another.
func TestLandCoverFades(t *testing.T) {
	s := newSketch()
	for i := range 60 {
		var north, east []int
		for at := 0; at <= 1770; at += 30 {
			north, east = append(north, i*30, at), append(east, at, i*30)
		}
		s.way(tags("highway=residential"), north...)
		s.way(tags("highway=residential"), east...)
	}
	s.way(tags("highway=motorway"), 900, 900, 3000, 900, 4000, 900, 6000, 900)
	s.box(tags("natural=wood"), 1000, 300, 9000, 1500)
	r, summary := build(t, &s.data, Options{})
	layers := layersOf(t, r, 9)
	before := 0
	for lon := 1.09; lon < 1.6; lon += 0.01 {
		over := 0
		for step := 1; step <= stepsOut; step++ {
			var of []*geojson.Feature
			for _, f := range find(layers, "earth", "beyond") {
				if f.Properties["beyond"] == float64(step) {
					of = append(of, f)
				}
			}
			if lies(of, "beyond", orb.Point{lon, 51.05}) {
				over++
			}
		}
		if over < before || over > before+1 {
			t.Errorf("%d areas lie over %.2f, %d west of it", over, lon, before)
		}
		before = over
	}
	if before != stepsOut {
		t.Errorf("%d areas lie over the end of the wood, want %d", before, stepsOut)
	}
	for _, f := range find(layers, "landuse", "wood") {
		if east := f.Geometry.Bound().Max[0]; east > summary.Bounds.Max.Lon+0.001 {
			t.Errorf("the wood ends at %v, the box at %v", east, summary.Bounds.Max.Lon)
		}
	}
}

// The edge of what an island's map covers is at sea, where nothing is missing.
func TestTheSeaIsNotMissing(t *testing.T) {
	sea := orb.MultiPolygon{{{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}}}}
	island := orb.MultiPolygon{{{{4, 4}, {6, 4}, {6, 6}, {4, 6}, {4, 4}}}}
	c := covered{box: orb.Bound{Max: orb.Point{10, 10}}, rings: [stepsOut][]orb.Ring{{{{3, 3}, {7, 3}, {7, 7}, {3, 7}, {3, 3}}}}}
	for _, land := range []orb.MultiPolygon{sea, island, nil} {
		if f := c.edge(land); len(f.lines) > 0 {
			t.Errorf("an edge at sea: %v", f.lines)
		}
	}
	half := orb.MultiPolygon{{{{0, 0}, {10, 0}, {10, 5}, {0, 5}, {0, 0}}}}
	if f := c.edge(half); len(f.lines) != 1 || len(f.lines[0]) != 2 {
		t.Errorf("the edge on the northern half: %v", f.lines)
	}
}

// A village is all of its map.
func TestVillageIsMapped(t *testing.T) {
	s := newSketch()
	s.way(tags("highway=residential"), 0, 0, 200, 200)
	r, _ := build(t, &s.data, Options{})
	if found := find(zoomLayers(t, r, 12), "earth", "unmapped"); len(found) > 0 {
		t.Errorf("%d areas without a map", len(found))
	}
}

// A road that leads out of the map is drawn in parts, each a step further out.
func TestRoadsEndStepByStep(t *testing.T) {
	c := newCovered(orb.Bound{Min: orb.Point{0.5, 0.5}, Max: orb.Point{0.501, 0.501}})
	for x := range c.grid.Side / 2 {
		for y := range c.grid.Side {
			c.grid.Values[y*c.grid.Side+x] = 1
		}
	}
	if !c.outline() {
		t.Fatal("nothing is covered")
	}
	var road orb.LineString
	for k := range 200 {
		road = append(road, orb.Point{0.5 + 1e-3*float64(k)/199, 0.5005})
	}
	parts := c.parted(orb.MultiLineString{road})
	from := road[0][0]
	for out, part := range parts {
		if len(part) != 1 || part[0][0][0] != from {
			t.Fatalf("step %d is %v, want it to begin at %v", out, part, from)
		}
		from = part[0][len(part[0])-1][0]
	}
	if from != road[len(road)-1][0] {
		t.Errorf("the road ends at %v", from)
	}
}
