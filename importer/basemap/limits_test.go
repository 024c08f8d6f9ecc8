package basemap

import (
	"testing"

	"github.com/paulmach/orb"
)

// A feature in more tiles of a zoom than a map can have, or one that comes after
// too many others, is left out of that zoom; land, sea and what is small stay.
func TestWithinTiles(t *testing.T) {
	square := func(side float64) orb.MultiPolygon {
		return orb.MultiPolygon{{orb.Bound{Max: orb.Point{side, side}}.ToRing()}}
	}
	var all []*feature
	add := func(f feature) { all = append(all, &f) }
	base := areaFeature(earth, square(1))
	base.base = true
	add(base)
	add(areaFeature(landuse, square(1)))
	add(lineFeature(roads, orb.MultiLineString{{{0, 0}, {1, 1}}}))
	for range 20 {
		add(areaFeature(water, square(1.0/16)))
		add(areaFeature(water, square(1.0/1024)))
	}
	r := renderer{}
	kept := r.withinTiles(all, 14)
	// Of twenty areas of a million tiles three are drawn beside the road.
	if len(kept) != 1+1+3+20 || r.dropped != 1+17 || kept[0].layer != earth || kept[1].layer != roads {
		t.Errorf("%d features kept, %d dropped", len(kept), r.dropped)
	}
}

// More lines than any junction has are not joined with one another at a point.
func TestManyEnds(t *testing.T) {
	var lines orb.MultiLineString
	for i := range maxEndsHere + 1 {
		lines = append(lines, orb.LineString{{0, 0}, {1, float64(i)}})
	}
	if got := len(joinEnds(lines, false)); got != len(lines) {
		t.Errorf("%d lines of %d", got, len(lines))
	}
	if got := len(joinEnds(lines[:2], false)); got != 1 {
		t.Errorf("%d lines of two", got)
	}
}
