// Package proj has map projections and datum shifts as plain mathematics:
// angles in radians, lengths in metres, longitudes relative to the central
// meridian, no false origin, no units and no errors. Who calls it keeps
// within the domain of each projection and adds the rest.
//
// Sources, named at each formula: IOGP Guidance Note 373-7-2 (EPSG GN 7-2),
// Karney, "Transverse Mercator with an accuracy of a few nanometers"
// (J. Geodesy 85, 2011), and Snyder, "Map Projections: A Working Manual"
// (USGS Professional Paper 1395, 1987).
package proj

import "math"

// Projection maps an ellipsoid to a plane and back. lon is relative to the
// central meridian, -π to π; lat is geodetic, -π/2 to π/2; x is east and y
// north in metres from the projection's own origin.
type Projection interface {
	Forward(lon, lat float64) (x, y float64)
	Inverse(x, y float64) (lon, lat float64)
}

// Ellipsoid is a figure of the Earth: semi-major axis in metres and inverse
// flattening, with the name PROJ gives it.
type Ellipsoid struct {
	Name              string
	A                 float64
	InverseFlattening float64
}

// The ellipsoids of the supported datums (EPSG 7030, 7019, 7001, 7004, 7022).
var (
	WGS84  = Ellipsoid{"WGS84", 6378137, 298.257223563}
	GRS80  = Ellipsoid{"GRS80", 6378137, 298.257222101}
	Airy   = Ellipsoid{"airy", 6377563.396, 299.3249646}
	Bessel = Ellipsoid{"bessel", 6377397.155, 299.1528128}
	Intl   = Ellipsoid{"intl", 6378388, 297}
)

func (e Ellipsoid) flattening() float64 { return 1 / e.InverseFlattening }

// e2 returns the first eccentricity squared.
func (e Ellipsoid) e2() float64 {
	f := e.flattening()
	return f * (2 - f)
}

func (e Ellipsoid) eccentricity() float64 { return math.Sqrt(e.e2()) }

// conformal returns the tangent of the conformal latitude from the tangent of
// the geodetic one (Karney 2011, equations 7 to 9).
func (e Ellipsoid) conformal(tau float64) float64 {
	ecc, sec := e.eccentricity(), math.Hypot(1, tau)
	sigma := math.Sinh(ecc * math.Atanh(ecc*tau/sec))
	return tau*math.Hypot(1, sigma) - sigma*sec
}

// geodetic returns the inverse of conformal by Newton's method (Karney 2011,
// equations 19 to 21); it settles in three or four steps on the Earth.
func (e Ellipsoid) geodetic(conformal float64) float64 {
	e2 := e.e2()
	tau := conformal / (1 - e2)
	if math.Abs(tau) > 1e12 { // within a micrometre of a pole
		return tau
	}
	for range 8 {
		at := e.conformal(tau)
		step := (conformal - at) / math.Hypot(1, at) * (1 + (1-e2)*tau*tau) / ((1 - e2) * math.Hypot(1, tau))
		tau += step
		if math.Abs(step) < 1e-15*math.Max(1, math.Abs(tau)) {
			break
		}
	}
	return tau
}

// isometric returns the isometric latitude: Mercator's y on a unit ellipsoid.
func (e Ellipsoid) isometric(lat float64) float64 {
	return math.Asinh(e.conformal(math.Tan(lat)))
}

// fromIsometric returns the geodetic latitude of an isometric one.
func (e Ellipsoid) fromIsometric(psi float64) float64 {
	return math.Atan(e.geodetic(math.Sinh(psi)))
}
