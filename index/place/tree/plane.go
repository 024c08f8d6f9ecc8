package tree

import (
	"math"

	"github.com/waygate/waygate/geo"
)

// Planar returns a difference of positions in metres, good for a few kilometres.
func Planar(a, b geo.Fixed) (dx, dy float64) {
	lon := float64(UnwrapNear(b, a)-int64(a.Lon)) / 1e7
	scale := math.Cos(float64(a.Lat) / 1e7 * math.Pi / 180)
	return lon * scale * MetresPerDegree, float64(int64(b.Lat)-int64(a.Lat)) / 1e7 * MetresPerDegree
}

// Globe is once round it, in units of geo.Fixed.
const Globe = 360e7

// UnwrapNear returns the longitude of p in the turn round the globe that brings it nearest to o.
func UnwrapNear(p, o geo.Fixed) int64 {
	switch lon := int64(p.Lon); {
	case lon-int64(o.Lon) > Globe/2:
		return lon - Globe
	case lon-int64(o.Lon) < -Globe/2:
		return lon + Globe
	default:
		return lon
	}
}

// WrapLongitude returns a longitude of a neighbouring turn round the globe in the one from -180 to
// 180 degrees.
func WrapLongitude(lon int64) int32 {
	switch {
	case lon > Globe/2:
		lon -= Globe
	case lon < -Globe/2:
		lon += Globe
	}
	return int32(lon)
}

// MetresPerDegree is the length of a degree of latitude.
const MetresPerDegree = geo.EarthRadius * math.Pi / 180

// DistanceBetween returns how far two points are from each other, in metres.
func DistanceBetween(a, b geo.Fixed) float64 {
	dx, dy := Planar(a, b)
	return math.Hypot(dx, dy)
}

// LineSlack is by how much the plane in which distances from lines are measured
// may shorten them.
const LineSlack = 0.98
