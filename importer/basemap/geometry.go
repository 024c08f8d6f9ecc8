package basemap

import (
	"math"
	"sort"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/geo"
)

// maxLatitude is where Web Mercator's square ends.
const maxLatitude = 85.05112877980659

// project takes a position to world coordinates.
func project(p geo.Point) orb.Point {
	lat := math.Max(-maxLatitude, math.Min(maxLatitude, p.Lat)) * math.Pi / 180
	return orb.Point{p.Lon/360 + 0.5, 0.5 - math.Asinh(math.Tan(lat))/(2*math.Pi)}
}

// unproject is the inverse of project.
func unproject(p orb.Point) geo.Point {
	return geo.Point{
		Lon: (p[0] - 0.5) * 360,
		Lat: math.Atan(math.Sinh((0.5-p[1])*2*math.Pi)) * 180 / math.Pi,
	}
}

// projectBounds takes a box to world coordinates, where north is the smaller y.
func projectBounds(b geo.Bounds) orb.Bound {
	nw := project(geo.Point{Lon: b.Min.Lon, Lat: b.Max.Lat})
	se := project(geo.Point{Lon: b.Max.Lon, Lat: b.Min.Lat})
	return orb.Bound{Min: nw, Max: se}
}

// shoelace is the signed area of a ring: positive where it runs clockwise on
// the map (y grows southwards), as the outer rings of vector tiles do.
func shoelace(r []orb.Point) float64 {
	if len(r) < 3 {
		return 0
	}
	sum := 0.0
	o := r[0] // keeps the products small, and with them the rounding
	for i := 1; i+1 < len(r); i++ {
		sum += (r[i][0]-o[0])*(r[i+1][1]-o[1]) - (r[i+1][0]-o[0])*(r[i][1]-o[1])
	}
	return sum / 2
}

// worldArea is the area of polygons less their holes.
func worldArea(areas orb.MultiPolygon) float64 {
	sum := 0.0
	for _, p := range areas {
		for i, r := range p {
			if a := math.Abs(shoelace(r)); i == 0 {
				sum += a
			} else {
				sum -= a
			}
		}
	}
	return sum
}

func length(line []orb.Point) float64 {
	sum := 0.0
	for i := 1; i < len(line); i++ {
		sum += math.Hypot(line[i][0]-line[i-1][0], line[i][1]-line[i-1][1])
	}
	return sum
}

// inRing reports whether p lies inside a closed ring (even-odd rule). Points
// on the ring may fall to either side.
func inRing(r []orb.Point, p orb.Point) bool {
	in := false
	for i, j := 0, len(r)-1; i < len(r); j, i = i, i+1 {
		a, b := r[i], r[j]
		if (a[1] > p[1]) != (b[1] > p[1]) && p[0] < (b[0]-a[0])*(p[1]-a[1])/(b[1]-a[1])+a[0] {
			in = !in
		}
	}
	return in
}

// mostVotes is about how many sides inside asks.
const mostVotes = 16

// inside reports whether ring inner, which does not cross outer but may touch
// it, lies in outer: the middles of its sides vote, as a vertex may lie on
// both.
func inside(outer, inner []orb.Point) bool {
	votes := 0
	step := max(1, len(inner)/mostVotes)
	for i := 1; i < len(inner); i += step {
		a, b := inner[i-1], inner[i]
		if inRing(outer, orb.Point{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2}) {
			votes++
		} else {
			votes--
		}
	}
	return votes > 0
}

// labelPoint is a point well inside the largest polygon: the middle of its
// widest span along a handful of horizontal cuts, those near the middle of
// its height preferred.
func labelPoint(areas orb.MultiPolygon) (orb.Point, bool) {
	best, size := -1, 0.0
	for i, p := range areas {
		if len(p) > 0 {
			if a := math.Abs(shoelace(p[0])); a > size {
				best, size = i, a
			}
		}
	}
	if best < 0 {
		return orb.Point{}, false
	}
	poly := areas[best]
	box := poly[0].Bound()
	var at orb.Point
	widest := 0.0
	var cuts []float64
	for i := 1; i < 16; i++ {
		y := box.Min[1] + (box.Max[1]-box.Min[1])*float64(i)/16
		cuts = cuts[:0]
		for _, r := range poly {
			for j := 1; j < len(r); j++ {
				a, b := r[j-1], r[j]
				if (a[1] > y) != (b[1] > y) {
					cuts = append(cuts, (b[0]-a[0])*(y-a[1])/(b[1]-a[1])+a[0])
				}
			}
		}
		sort.Float64s(cuts)
		central := 1 - math.Abs(float64(i)-8)/16
		for j := 1; j < len(cuts); j += 2 {
			if w := (cuts[j] - cuts[j-1]) * central; w > widest {
				widest, at = w, orb.Point{(cuts[j] + cuts[j-1]) / 2, y}
			}
		}
	}
	return at, widest > 0
}
