// Package geo has the plain values of the map: points, bounds, distances, bearings, polylines
// and tile addresses. It depends on no file, no road and no request.
package geo

import (
	"fmt"
	"math"
)

// EarthRadius is the mean radius of the WGS 84 ellipsoid in metres
// (IUGG R1, 2a+b over 3).
const EarthRadius = 6371008.8

// Point is a WGS 84 position in degrees.
type Point struct {
	Lon float64 `json:"lon"`
	Lat float64 `json:"lat"`
}

// Valid reports whether both coordinates are finite and in range:
// lon -180 to 180, lat -90 to 90.
func (p Point) Valid() bool {
	return p.Lon >= -180 && p.Lon <= 180 && p.Lat >= -90 && p.Lat <= 90
}

func (p Point) String() string { return fmt.Sprintf("%.6f,%.6f", p.Lon, p.Lat) }

// Fixed is a position in units of 1e-7 degrees, the resolution OSM stores and
// the form in which regions keep coordinates.
type Fixed struct{ Lon, Lat int32 }

// Fix rounds p to the OSM grid. p must be Valid.
func (p Point) Fix() Fixed {
	return Fixed{int32(math.Round(p.Lon * 1e7)), int32(math.Round(p.Lat * 1e7))}
}

// Across reports whether the shorter way from a to b leads over the antimeridian.
func Across(a, b Fixed) bool {
	d := int64(a.Lon) - int64(b.Lon)
	return d > 180e7 || d < -180e7
}

const halfTurn = 180e7 // in units of Fixed

// AntimeridianLat returns the latitude at which the shorter way from a to b crosses the
// antimeridian, in units of Fixed. They must be Across.
func AntimeridianLat(a, b Fixed) int32 {
	toA, toB := halfTurn-math.Abs(float64(a.Lon)), halfTurn-math.Abs(float64(b.Lon))
	if toA+toB == 0 {
		return a.Lat
	}
	return int32(math.Round(float64(a.Lat) + (float64(b.Lat)-float64(a.Lat))*toA/(toA+toB)))
}

// CutAtAntimeridian returns a line in parts that do not cross the antimeridian, but end and
// begin there. One that does not cross it is its only part.
func CutAtAntimeridian(line []Fixed) [][]Fixed {
	var parts [][]Fixed
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		if !Across(a, b) {
			continue
		}
		edge := Fixed{halfTurn, AntimeridianLat(a, b)}
		if a.Lon < 0 {
			edge.Lon = -halfTurn
		}
		parts = append(parts, append(line[:i:i], edge))
		edge.Lon = -edge.Lon
		line, i = append([]Fixed{edge}, line[i:]...), 0
	}
	return append(parts, line)
}

// Point returns the position in degrees.
func (f Fixed) Point() Point { return Point{float64(f.Lon) / 1e7, float64(f.Lat) / 1e7} }

func rad(deg float64) float64 { return deg * math.Pi / 180 }
func deg(rad float64) float64 { return rad * 180 / math.Pi }

// Distance returns the great-circle distance in metres (haversine on EarthRadius).
func Distance(a, b Point) float64 {
	x, y := rad(b.Lat-a.Lat)/2, rad(b.Lon-a.Lon)/2
	if max(math.Abs(x), math.Abs(y)) < nearby {
		return distanceNear(a, b, x*x, y*y)
	}
	sinLat, sinLon := math.Sin(x), math.Sin(y)
	h := sinLat*sinLat + math.Cos(rad(a.Lat))*math.Cos(rad(b.Lat))*sinLon*sinLon
	return 2 * EarthRadius * math.Asin(min(1, math.Sqrt(h)))
}

// nearby is half the difference in radians up to which distanceNear leaves out terms
// below 1e-14 of the distance: some 60 km.
const nearby = 0.005

// distanceNear is Distance by the first terms of the series of sine and arcsine, given
// the squares of half the differences. The cosines of both latitudes multiply to
// that of the latitude half-way, squared, less the square of the sine of half the difference.
func distanceNear(a, b Point, x, y float64) float64 {
	sinLat, sinLon := x*(1-x*(1.0/3-x*(2.0/45))), y*(1-y*(1.0/3-y*(2.0/45)))
	cos := math.Cos(rad(a.Lat+b.Lat) / 2)
	h := sinLat + (cos*cos-sinLat)*sinLon
	return 2 * EarthRadius * math.Sqrt(h) * (1 + h*(1.0/6+h*(3.0/40)))
}

// Length returns the length of a line in metres.
func Length(line []Point) float64 {
	sum := 0.0
	for i := 1; i < len(line); i++ {
		sum += Distance(line[i-1], line[i])
	}
	return sum
}

// Bearing returns the initial bearing from a to b in degrees clockwise from north,
// 0 <= bearing < 360; 0 when a equals b.
func Bearing(a, b Point) float64 {
	sinLon, cosLon := math.Sincos(rad(b.Lon - a.Lon))
	sinA, cosA := math.Sincos(rad(a.Lat))
	sinB, cosB := math.Sincos(rad(b.Lat))
	y := sinLon * cosB
	x := cosA*sinB - sinA*cosB*cosLon
	d := deg(math.Atan2(y, x))
	if d < 0 {
		d += 360
	}
	if d >= 360 {
		d -= 360
	}
	return d
}

// Turn returns the change of bearing from one bearing to another in degrees
// clockwise, 0 <= turn < 360: 90 is a right turn, 270 a left one.
func Turn(from, to float64) float64 {
	d := math.Mod(to-from, 360)
	if d < 0 {
		d += 360
	}
	if d >= 360 { // less than nothing by so little that the sum rounds up
		d -= 360
	}
	return d
}

// Destination returns the point reached from p over metres along a bearing.
func Destination(p Point, bearing, metres float64) Point {
	d, b, lat := metres/EarthRadius, rad(bearing), rad(p.Lat)
	lat2 := math.Asin(math.Sin(lat)*math.Cos(d) + math.Cos(lat)*math.Sin(d)*math.Cos(b))
	lon2 := rad(p.Lon) + math.Atan2(math.Sin(b)*math.Sin(d)*math.Cos(lat), math.Cos(d)-math.Sin(lat)*math.Sin(lat2))
	lon := math.Mod(deg(lon2)+540, 360) - 180
	return Point{lon, deg(lat2)}
}

// eastward is by how many degrees b lies east of a, the shorter way round the globe.
func eastward(a, b float64) float64 {
	switch d := b - a; {
	case d > 180:
		return d - 360
	case d < -180:
		return d + 360
	default:
		return d
	}
}

// Between returns a place on the segment ab, the shorter way round the globe, t of 0 to 1
// along it.
func Between(a, b Point, t float64) Point {
	return Point{eastward(0, a.Lon+eastward(a.Lon, b.Lon)*t), a.Lat + (b.Lat-a.Lat)*t}
}

// Nearest projects p on the segment ab in a plane tangent at p and gives the
// foot, how far along ab it lies (0 to 1), and the squared distance in square
// metres. It is exact enough for segments of a few kilometres.
func Nearest(p, a, b Point) (foot Point, along, square float64) {
	along, square = nearest(p, math.Cos(rad(p.Lat)), a, b)
	return Between(a, b, along), along, square
}

// nearest is Nearest without the foot, by the length of a degree of longitude at p, as a
// share of that of a degree of latitude: to compare many pieces of a line with one place.
func nearest(p Point, scale float64, a, b Point) (along, square float64) {
	ax, ay := eastward(p.Lon, a.Lon)*scale, a.Lat-p.Lat
	bx, by := eastward(p.Lon, b.Lon)*scale, b.Lat-p.Lat
	dx, dy := bx-ax, by-ay
	if l := dx*dx + dy*dy; l > 0 {
		along = max(0, min(1, -(ax*dx+ay*dy)/l))
	}
	x, y := (ax+dx*along)*metresPerDegree, (ay+dy*along)*metresPerDegree
	return along, x*x + y*y
}

const metresPerDegree = EarthRadius * math.Pi / 180
