package basemap

import (
	"math"
	"math/rand/v2"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/importer/multipolygon"
)

// star draws a ring round a point whose radius wanders between half of r and r.
// It runs anticlockwise on the map where y grows southwards.
func star(rng *rand.Rand, cx, cy, r float64) orb.Ring {
	n := 8 + rng.IntN(30)
	ring := make(orb.Ring, 0, n+1)
	for i := range n {
		a := -2 * math.Pi * float64(i) / float64(n)
		d := r * (0.5 + rng.Float64()/2)
		ring = append(ring, orb.Point{cx + d*math.Cos(a), cy + d*math.Sin(a)})
	}
	return append(ring, ring[0])
}

func inAreas(areas orb.MultiPolygon, p orb.Point) bool {
	for _, poly := range areas {
		in := multipolygon.InRing(poly[0], p)
		for _, hole := range poly[1:] {
			in = in && !multipolygon.InRing(hole, p)
		}
		if in {
			return true
		}
	}
	return false
}
