package proj

import "math"

// ObliqueStereographic is the double stereographic projection (EPSG method
// 9809): the ellipsoid goes conformally to Gauss's sphere, the sphere by the
// stereographic projection to the plane.
type ObliqueStereographic struct {
	ellipsoid      Ellipsoid
	diameter       float64 // of the sphere, times the scale
	ratio          float64 // n: longitude on the sphere per longitude
	shift          float64 // of the isometric latitude on the sphere
	sinLat, cosLat float64 // of the origin on the sphere
}

// NewObliqueStereographic takes the latitude of origin in radians and the
// scale there.
func NewObliqueStereographic(e Ellipsoid, lat0, scale float64) *ObliqueStereographic {
	e2 := e.e2()
	sin, cos := math.Sincos(lat0)
	o := &ObliqueStereographic{ellipsoid: e}
	o.ratio = math.Sqrt(1 + e2*math.Pow(cos, 4)/(1-e2))
	// The mean radius of curvature at the origin is sqrt(rho nu).
	o.diameter = 2 * scale * e.A * math.Sqrt(1-e2) / (1 - e2*sin*sin)
	// GN 7-2 gives the sphere's latitude through products of powers (w, S1,
	// S2, c); in isometric latitudes the same is a straight line.
	o.sinLat = sin / o.ratio
	o.cosLat = math.Sqrt(1 - o.sinLat*o.sinLat)
	o.shift = math.Atanh(o.sinLat) - o.ratio*e.isometric(lat0)
	return o
}

// Forward is EPSG GN 7-2, method 9809.
func (o *ObliqueStereographic) Forward(lon, lat float64) (x, y float64) {
	psi := o.ratio*o.ellipsoid.isometric(lat) + o.shift
	sin, cos := math.Tanh(psi), 1/math.Cosh(psi)
	sinLon, cosLon := math.Sincos(o.ratio * lon)
	b := 1 + sin*o.sinLat + cos*o.cosLat*cosLon
	return o.diameter * cos * sinLon / b, o.diameter * (sin*o.cosLat - cos*o.sinLat*cosLon) / b
}

// Inverse undoes the stereographic projection of the sphere (Snyder 1987,
// equations 20-14, 20-15 and 21-15), then the step from the ellipsoid.
func (o *ObliqueStereographic) Inverse(x, y float64) (lon, lat float64) {
	rho := math.Hypot(x, y)
	sinC, cosC := math.Sincos(2 * math.Atan(rho/o.diameter))
	sin := cosC * o.sinLat
	if rho > 0 {
		sin += y * sinC * o.cosLat / rho
		lon = math.Atan2(x*sinC, rho*o.cosLat*cosC-y*o.sinLat*sinC) / o.ratio
	}
	return lon, o.ellipsoid.fromIsometric((math.Atanh(sin) - o.shift) / o.ratio)
}
