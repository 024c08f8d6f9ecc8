// Package plane has the geometry of the basemap on the plane of Web Mercator: the
// projection to world coordinates, where the world is the square from 0 to 1 and y
// grows southwards, points for labels, rings that cross themselves, and lines of equal
// height on a grid.
package plane

import (
	"math"
	"sort"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/multipolygon"
)

// MaxLatitude is the edge of Web Mercator's square.
const MaxLatitude = 85.05112877980659

// Project converts a position to world coordinates.
func Project(p geo.Point) orb.Point {
	lat := math.Max(-MaxLatitude, math.Min(MaxLatitude, p.Lat)) * math.Pi / 180
	return orb.Point{p.Lon/360 + 0.5, 0.5 - math.Asinh(math.Tan(lat))/(2*math.Pi)}
}

// Unproject returns the inverse of project.
func Unproject(p orb.Point) geo.Point {
	return geo.Point{
		Lon: (p[0] - 0.5) * 360,
		Lat: math.Atan(math.Sinh((0.5-p[1])*2*math.Pi)) * 180 / math.Pi,
	}
}

// ProjectBounds converts a box to world coordinates, where north is the smaller y.
func ProjectBounds(b geo.Bounds) orb.Bound {
	nw := Project(geo.Point{Lon: b.Min.Lon, Lat: b.Max.Lat})
	se := Project(geo.Point{Lon: b.Max.Lon, Lat: b.Min.Lat})
	return orb.Bound{Min: nw, Max: se}
}

// Length returns the length of a line on the plane.
func Length(line []orb.Point) float64 {
	sum := 0.0
	for i := 1; i < len(line); i++ {
		sum += math.Hypot(line[i][0]-line[i-1][0], line[i][1]-line[i-1][1])
	}
	return sum
}

// LabelPoint returns a point well inside the largest polygon: the middle of its widest
// span along a few horizontal cuts, with a preference for those near the middle of its
// height.
func LabelPoint(areas orb.MultiPolygon) (orb.Point, bool) {
	best, size := -1, 0.0
	for i, p := range areas {
		if len(p) > 0 {
			if a := math.Abs(multipolygon.Shoelace(p[0])); a > size {
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

// Turn is positive if r lies to one side of the line pq, negative if it lies to the
// other.
func Turn(p, q, r orb.Point) float64 {
	v := (q[0]-p[0])*(r[1]-p[1]) - (q[1]-p[1])*(r[0]-p[0])
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}
