package coordinates

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/waygate/waygate/geo/proj"
)

// box is a range of longitudes and latitudes in degrees. West and east may
// lie beyond 180 where the box crosses the antimeridian.
type box struct{ west, south, east, north float64 }

// edge is the slack in degrees (a tenth of a millimetre) that rounding is
// allowed at the border of a box.
const edge = 1e-9

func (b box) contains(lon, lat float64) bool {
	half := (b.east - b.west) / 2
	return math.Abs(math.Remainder(lon-(b.west+half), 360)) <= half+edge && lat >= b.south-edge && lat <= b.north+edge
}

func (b box) grow(degrees float64) box {
	return box{b.west - degrees, math.Max(-90, b.south-degrees), b.east + degrees, math.Min(90, b.north+degrees)}
}

func (b box) String() string {
	return fmt.Sprintf("longitude %s to %s, latitude %s to %s", decimal(b.west), decimal(b.east), decimal(b.south), decimal(b.north))
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// unit is a unit of length; the zero value is the degree of geographic
// systems.
type unit struct {
	name   string
	proj4  string
	metres float64
}

var (
	degree = unit{name: "degree"}
	metre  = unit{"metre", "m", 1}
	// usFoot is 1200/3937 m by the Mendenhall order.
	usFoot = unit{"US survey foot", "us-ft", 1200. / 3937}
)

// system is one row of the table of coordinate reference systems.
type system struct {
	code       int
	name       string
	datum      datum
	area       box             // area of use in the EPSG dataset
	domain     box             // where a transformation is allowed
	projection proj.Projection // nil for geographic systems
	grid       grid
	proj4      string
	unit       unit
}

// grid places a projection on the map: central meridian in degrees, false
// origin in metres.
type grid struct{ lon0, x0, y0 float64 }

func (s *system) id() string { return "EPSG:" + strconv.Itoa(s.code) }

func (s *system) geographic() bool { return s.projection == nil }

// unproject gives longitude and latitude in degrees on the system's own datum.
// The error says what of the value is beyond the system.
func (s *system) unproject(p XY) (lon, lat float64, err error) {
	if s.geographic() {
		if !s.domain.contains(p.X, p.Y) || math.Abs(p.X) > 180+edge {
			return 0, 0, s.outside(p)
		}
		return p.X, p.Y, nil
	}
	// Nothing on Earth lies further from an origin than half its girth; the
	// bound keeps the series away from overflow.
	const reach = 2.1e7
	x, y := p.X*s.unit.metres-s.grid.x0, p.Y*s.unit.metres-s.grid.y0
	if math.Abs(x) > reach || math.Abs(y) > reach {
		return 0, 0, s.outside(p)
	}
	l, f := s.projection.Inverse(x, y)
	lon, lat = s.grid.lon0+l*degrees, f*degrees
	// An inverse answers for planes beyond the edge of the map too, with a point that belongs
	// elsewhere, which projecting it back shows.
	bx, by := s.projection.Forward(l, f)
	gap := math.Hypot(bx-x, by-y)
	if math.IsNaN(gap) || gap > 1e-3 || math.Abs(l)*degrees > 180+edge || !s.domain.contains(lon, lat) {
		return 0, 0, s.outside(p)
	}
	return wrap(lon), lat, nil
}

// project returns the inverse of unproject.
func (s *system) project(lon, lat float64) (XY, error) {
	if !s.domain.contains(lon, lat) {
		return XY{}, fmt.Errorf("lies at longitude %.6f, latitude %.6f, outside the usable domain of %s (%s)", lon, lat, s.id(), s.domain)
	}
	if s.geographic() {
		return XY{lon, lat}, nil
	}
	l := lon - s.grid.lon0
	if math.Abs(l) > 180 {
		l = math.Remainder(l, 360)
	}
	x, y := s.projection.Forward(l/degrees, lat/degrees)
	return XY{(x + s.grid.x0) / s.unit.metres, (y + s.grid.y0) / s.unit.metres}, nil
}

func (s *system) outside(p XY) error {
	hint := ""
	if s.geographic() && s.domain.contains(p.Y, p.X) && math.Abs(p.Y) <= 180 {
		hint = "; x is the longitude, y the latitude: are they swapped?"
	}
	return fmt.Errorf("is outside the usable domain of %s (%s)%s", s.id(), s.domain, hint)
}

// wrap brings a longitude into -180 to 180 and leaves those inside alone; one
// that rounding pushed over the edge stays on its side.
func wrap(lon float64) float64 {
	if math.Abs(lon) <= 180+edge {
		return math.Max(-180, math.Min(180, lon))
	}
	return math.Remainder(lon, 360)
}

const degrees = 180 / math.Pi

// cover returns the extent on the plane of the system's area of use, from points
// along its border; degrees for geographic systems.
func (s *system) cover() Extent {
	e := noExtent()
	const steps = 32
	for i := range steps + 1 {
		t := float64(i) / steps
		lon, lat := s.area.west+t*(s.area.east-s.area.west), s.area.south+t*(s.area.north-s.area.south)
		for _, g := range [][2]float64{{lon, s.area.south}, {lon, s.area.north}, {s.area.west, lat}, {s.area.east, lat}} {
			if p, err := s.project(g[0], g[1]); err == nil {
				e = e.extend(p)
			}
		}
	}
	return e
}

// describe returns the row as callers see it.
func (s *system) describe() CRS {
	c := CRS{
		Code: s.id(), Name: s.name, Kind: "projected", Unit: s.unit.name,
		Axes:     "x = easting, y = northing",
		Accuracy: s.datum.accuracy, Proj4: s.proj4,
	}
	if s.geographic() {
		c.Kind, c.Axes = "geographic", "x = longitude, y = latitude"
	}
	return c
}

func (s *system) matches(q string) bool {
	return strings.Contains(strings.ToLower(s.id()), q) || strings.Contains(strings.ToLower(s.name), q)
}
