package tree

import (
	"math"

	"github.com/waygate/waygate/geo"
)

// nearUnits is by how much boxes of lines that meet may be apart, in units of geo.Fixed.
const nearUnits = 5000

// Nearly reports whether two boxes have a place in common or are near each other. One that
// crosses the antimeridian is near all.
func (b Box) Nearly(o Box) bool {
	if b.West > b.East || o.West > o.East {
		return true
	}
	return b.West-nearUnits <= o.East && o.West-nearUnits <= b.East && b.South-nearUnits <= o.North && o.South-nearUnits <= b.North
}

// Contains reports whether a point is in a box.
func (b Box) Contains(p geo.Fixed) bool {
	return b.spans(p.Lon) && p.Lat >= b.South && p.Lat <= b.North
}

// Size returns the area of a box in square units of geo.Fixed.
func (b Box) Size() float64 {
	return (float64(b.East) - float64(b.West)) * (float64(b.North) - float64(b.South))
}

// Box is an area in units of geo.Fixed.
type Box struct{ West, South, East, North int32 }

// BoxOf returns the box of one point.
func BoxOf(p geo.Fixed) Box { return Box{p.Lon, p.Lat, p.Lon, p.Lat} }

// With returns the box around two boxes.
func (b Box) With(o Box) Box {
	return Box{min(b.West, o.West), min(b.South, o.South), max(b.East, o.East), max(b.North, o.North)}
}

// spans reports whether a longitude is one of the box, which crosses the antimeridian where its
// west is east of its east.
func (b Box) spans(lon int32) bool {
	if b.West > b.East {
		return lon >= b.West || lon <= b.East
	}
	return lon >= b.West && lon <= b.East
}

// Taking returns the box with a point, grown to the side that is nearer to it.
func (b Box) Taking(p geo.Fixed) Box {
	b.South, b.North = min(b.South, p.Lat), max(b.North, p.Lat)
	if b.spans(p.Lon) {
		return b
	}
	ahead := func(from, to int32) int64 { return (int64(to) - int64(from) + Globe) % Globe }
	if ahead(b.East, p.Lon) <= ahead(p.Lon, b.West) {
		b.East = p.Lon
	} else {
		b.West = p.Lon
	}
	return b
}

// Bounds returns a box in degrees.
func (b Box) Bounds() geo.Bounds {
	return geo.Bounds{Min: geo.Fixed{Lon: b.West, Lat: b.South}.Point(), Max: geo.Fixed{Lon: b.East, Lat: b.North}.Point()}
}

// Distance returns the least distance in metres from p to a point of b on the sphere.
func (b Box) Distance(p geo.Point) float64 {
	west, east := float64(b.West)/1e7, float64(b.East)/1e7
	south, north := float64(b.South)/1e7, float64(b.North)/1e7
	if p.Lon >= west && p.Lon <= east || west > east && (p.Lon >= west || p.Lon <= east) {
		return math.Abs(p.Lat-max(south, min(north, p.Lat))) * math.Pi / 180 * geo.EarthRadius
	}
	turn := func(lon float64) float64 { return math.Abs(math.Remainder(lon-p.Lon, 360)) }
	lon, across := west, turn(west)
	if t := turn(east); t < across {
		lon, across = east, t
	}
	if across >= 90 {
		return 0 // on the other side of the globe: near a pole anything may be near
	}
	// The nearest point of a meridian lies nearer the pole than p does.
	lat := math.Atan(math.Tan(p.Lat*math.Pi/180)/math.Cos(across*math.Pi/180)) * 180 / math.Pi
	return geo.Distance(p, geo.Point{Lon: lon, Lat: max(south, min(north, lat))})
}

// BoxAround returns the box around one point or more.
func BoxAround(points []geo.Fixed) Box {
	b := BoxOf(points[0])
	for _, p := range points[1:] {
		b = b.With(BoxOf(p))
	}
	return b
}
