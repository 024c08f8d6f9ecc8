package shore

import (
	"cmp"
	"slices"

	"github.com/paulmach/orb"
)

// Rim returns a ring round what lies inside a divided box: along its sides where there is
// land, and a little inside them, by a share of its size, at sea. What is drawn within it
// and under the sea has no side in common with that, where both would be blurred
// and one be seen through the other.
func (s *Shore) Rim(box orb.Bound, share float64) orb.Ring {
	type interval struct{ from, to float64 } // of the perimeter
	var land []interval
	for _, p := range s.Land {
		for i := 1; i < len(p[0]); i++ {
			a, b := p[0][i-1], p[0][i]
			if !along(a, b, box) {
				continue
			}
			from, to := perimeter(a, box), perimeter(b, box)
			if from > to {
				from, to = to, from
			}
			if to-from > 1 { // the last side ends at the first corner
				from, to = to, 4
			}
			land = append(land, interval{from, to})
		}
	}
	slices.SortFunc(land, func(a, b interval) int { return cmp.Compare(a.from, b.from) })
	middle := box.Center()
	inside := func(p orb.Point) orb.Point { return between(p, middle, 2*share) }
	var ring orb.Ring
	at := 0.0
	sea := func(to float64) {
		if to <= at {
			return
		}
		ring = append(ring, inside(sidePoint(at, box)))
		for c := int(at) + 1; float64(c) < to; c++ {
			ring = append(ring, inside(corner(c, box)))
		}
		ring = append(ring, inside(sidePoint(to, box)))
	}
	for _, l := range land {
		sea(l.from)
		at = max(at, l.to)
		ring = append(ring, sidePoint(l.from, box), sidePoint(l.to, box))
	}
	sea(4)
	return append(slices.Compact(ring), ring[0])
}

// sidePoint returns the inverse of perimeter.
func sidePoint(at float64, box orb.Bound) orb.Point {
	i := int(at)
	return between(corner(i, box), corner(i+1, box), at-float64(i))
}
