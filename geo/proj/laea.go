package proj

import "math"

// LambertAzimuthal is the oblique Lambert azimuthal equal-area projection of
// the ellipsoid (EPSG method 9820; Snyder 1987, equations 24-1 to 24-28). The
// latitude of its centre lies between the poles; the point opposite the
// centre has no image.
type LambertAzimuthal struct {
	ellipsoid      Ellipsoid
	pole           float64 // q of the pole
	radius         float64 // of the authalic sphere
	stretch        float64 // D: keeps the scale true at the centre
	sinLat, cosLat float64 // of the centre's authalic latitude
}

// NewLambertAzimuthal takes the latitude of the centre in radians.
func NewLambertAzimuthal(e Ellipsoid, lat0 float64) *LambertAzimuthal {
	l := &LambertAzimuthal{ellipsoid: e, pole: e.authalic(1)}
	l.radius = e.A * math.Sqrt(l.pole/2)
	sin, cos := math.Sincos(lat0)
	l.sinLat = e.authalic(sin) / l.pole
	l.cosLat = math.Sqrt(1 - l.sinLat*l.sinLat)
	l.stretch = e.A * cos / math.Sqrt(1-e.e2()*sin*sin) / (l.radius * l.cosLat)
	return l
}

// authalic is Snyder's q (3-12) of the sine of a latitude.
func (e Ellipsoid) authalic(sin float64) float64 {
	ecc, e2 := e.eccentricity(), e.e2()
	return (1 - e2) * (sin/(1-e2*sin*sin) + math.Atanh(ecc*sin)/ecc)
}

// sine returns the sine of the latitude whose q is given. Newton's method in
// the sine, unlike Snyder's 3-16 in the angle, stays regular at the poles.
func (e Ellipsoid) sine(q float64) float64 {
	e2 := e.e2()
	sin := q / 2
	for range 8 {
		w := 1 - e2*sin*sin
		step := (q - e.authalic(sin)) * w * w / (2 * (1 - e2))
		sin = math.Max(-1, math.Min(1, sin+step))
		if math.Abs(step) < 1e-16 {
			break
		}
	}
	return sin
}

// Forward is EPSG GN 7-2, method 9820.
func (l *LambertAzimuthal) Forward(lon, lat float64) (x, y float64) {
	sin := l.ellipsoid.authalic(math.Sin(lat)) / l.pole
	cos := math.Sqrt(math.Max(0, 1-sin*sin))
	sinLon, cosLon := math.Sincos(lon)
	b := l.radius * math.Sqrt(2/(1+l.sinLat*sin+l.cosLat*cos*cosLon))
	return b * l.stretch * cos * sinLon, b / l.stretch * (l.cosLat*sin - l.sinLat*cos*cosLon)
}

// Inverse is EPSG GN 7-2, method 9820; NaN outside the disc that is the image
// of the globe.
func (l *LambertAzimuthal) Inverse(x, y float64) (lon, lat float64) {
	x, y = x/l.stretch, y*l.stretch
	rho := math.Hypot(x, y)
	sinC, cosC := math.Sincos(2 * math.Asin(rho/(2*l.radius)))
	sin := cosC * l.sinLat
	if rho > 0 {
		sin += y * sinC * l.cosLat / rho
		lon = math.Atan2(x*sinC, rho*l.cosLat*cosC-y*l.sinLat*sinC)
	}
	return lon, math.Asin(l.ellipsoid.sine(l.pole * sin))
}
