package plane

import (
	"cmp"
	"slices"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/importer/multipolygon"
)

// mostTangled is the most crossings of its own that a ring is split at. One with more
// is drawn as it is.
const mostTangled = 64

// Untangled splits a ring where its sides cross, as in a building whose corners are in
// the wrong order: each part is an area. Renderers do not agree on the inside of a ring
// that crosses itself, and one with two equal wings has no area at all.
func Untangled(ring orb.Ring) orb.MultiPolygon {
	crossings := ownCrossings(ring)
	if len(crossings) == 0 {
		if multipolygon.Shoelace(ring) == 0 {
			return nil
		}
		return orb.MultiPolygon{{ring}}
	}
	slices.SortFunc(crossings, func(a, b crossing) int {
		return cmp.Or(cmp.Compare(a.side, b.side), cmp.Compare(a.along, b.along))
	})
	var out orb.MultiPolygon
	var path orb.Ring
	step := func(p orb.Point) {
		if i := slices.Index(path, p); i >= 0 {
			part := append(slices.Clone(path[i:]), p)
			if path = path[:i]; len(part) > 3 && multipolygon.Shoelace(part) != 0 {
				out = append(out, orb.Polygon{part})
			}
		}
		path = append(path, p)
	}
	for i, p := range ring {
		step(p)
		for len(crossings) > 0 && crossings[0].side == i {
			step(crossings[0].at)
			crossings = crossings[1:]
		}
	}
	return out
}

// crossing is a point where a side of a ring crosses another one.
type crossing struct {
	side  int
	along float64 // of the side, 0 to 1
	at    orb.Point
}

// ownCrossings finds the crossings of a ring's sides, each for both sides; none if
// there are too many.
func ownCrossings(ring orb.Ring) (found []crossing) {
	type side struct {
		i          int
		west, east float64
	}
	sides := make([]side, len(ring)-1)
	for i := range sides {
		sides[i] = side{i, min(ring[i][0], ring[i+1][0]), max(ring[i][0], ring[i+1][0])}
	}
	slices.SortFunc(sides, func(a, b side) int { return cmp.Compare(a.west, b.west) })
	for k, s := range sides {
		for _, o := range sides[k+1:] {
			if o.west > s.east {
				break
			}
			a, b, c, d := ring[s.i], ring[s.i+1], ring[o.i], ring[o.i+1]
			if Turn(a, b, c)*Turn(a, b, d) >= 0 || Turn(c, d, a)*Turn(c, d, b) >= 0 {
				continue // beside, or only touching
			}
			abx, aby, cdx, cdy := b[0]-a[0], b[1]-a[1], d[0]-c[0], d[1]-c[1]
			across := abx*cdy - aby*cdx
			t := ((c[0]-a[0])*cdy - (c[1]-a[1])*cdx) / across
			u := ((c[0]-a[0])*aby - (c[1]-a[1])*abx) / across
			at := orb.Point{a[0] + t*abx, a[1] + t*aby}
			found = append(found, crossing{s.i, t, at}, crossing{o.i, u, at})
			if len(found) > 2*mostTangled {
				return nil
			}
		}
	}
	return found
}
