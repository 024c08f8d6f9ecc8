package coordinates

import (
	"fmt"
	"strconv"
)

// Plane is a projected system with lengths in metres, such as surveys use.
type Plane struct{ system *system }

// PlaneOf returns the projected system with an EPSG code. The error says that the table
// has no such system, or that its axes are not in metres.
func PlaneOf(code int) (*Plane, error) {
	s := find(code)
	switch {
	case s == nil:
		return nil, fmt.Errorf("EPSG:%d is not a supported system (GET /coordinates/crs lists them)", code)
	case s.geographic():
		return nil, fmt.Errorf("EPSG:%d (%s) has degrees; lengths need a projected system in metres", code, s.name)
	case s.unit != metre:
		return nil, fmt.Errorf("EPSG:%d (%s) has the unit %s; it must be the metre", code, s.name, s.unit.name)
	case code == 3857:
		return nil, fmt.Errorf("EPSG:3857 (%s) does not keep lengths: a metre of it is up to eleven times too long", s.name)
	}
	return &Plane{s}, nil
}

// Project returns the position in metres of a place in degrees of WGS 84. The error says
// that it is outside the system's domain.
func (p *Plane) Project(lat, lon float64) (x, y float64, err error) {
	lon, lat = shift(datumWGS84, p.system.datum, lon, lat)
	xy, err := p.system.project(lon, lat)
	return xy.X, xy.Y, err
}

// Unproject returns the place in degrees of WGS 84 of a position in metres.
func (p *Plane) Unproject(x, y float64) (lat, lon float64, err error) {
	xy := XY{x, y}
	if !xy.finite() {
		return 0, 0, fmt.Errorf("%s is not a pair of finite numbers", xy)
	}
	lon, lat, err = p.system.unproject(xy)
	if err != nil {
		return 0, 0, fmt.Errorf("%s %w", xy, err)
	}
	lon, lat = shift(p.system.datum, datumWGS84, lon, lat)
	return lat, lon, nil
}

// Name returns the code and the name of the system.
func (p *Plane) Name() string {
	return "EPSG:" + strconv.Itoa(p.system.code) + " (" + p.system.name + ")"
}

// Accuracy returns how far in metres a place may be from its projection, because of the
// shift between the datums.
func (p *Plane) Accuracy() float64 { return p.system.datum.metres() }

// metres returns the error of a datum's shift to WGS 84, as its text says.
func (d datum) metres() float64 {
	switch d.name {
	case datumWGS84.name:
		return 0
	case datumOSGB36.name:
		return 5
	case datumNAD83.name:
		return 4
	}
	return 1
}
