package proj

import "math"

// LambertConic is the Lambert conformal conic projection with two standard
// parallels (EPSG method 9802; Snyder 1987, equations 15-1 to 15-11). Its
// domain ends at the pole the cone opens towards.
type LambertConic struct {
	ellipsoid Ellipsoid
	cone      float64 // n: the sine of the cone's latitude
	radius    float64 // a times F: the radius of the equator
	origin    float64 // radius of the parallel of origin
}

// NewLambertConic takes the latitude of the false origin and the two standard
// parallels in radians; the parallels must differ and lie on one hemisphere.
func NewLambertConic(e Ellipsoid, lat0, lat1, lat2 float64) *LambertConic {
	m := func(lat float64) float64 {
		s, c := math.Sincos(lat)
		return c / math.Sqrt(1-e.e2()*s*s)
	}
	psi1, psi2 := e.isometric(lat1), e.isometric(lat2)
	l := &LambertConic{ellipsoid: e}
	l.cone = math.Log(m(lat1)/m(lat2)) / (psi2 - psi1)
	l.radius = e.A * m(lat1) * math.Exp(l.cone*psi1) / l.cone
	l.origin = l.parallel(lat0)
	return l
}

// parallel returns the radius of a parallel on the plane.
func (l *LambertConic) parallel(lat float64) float64 {
	return l.radius * math.Exp(-l.cone*l.ellipsoid.isometric(lat))
}

// Forward is Snyder's 14-1, 14-2 and 14-4.
func (l *LambertConic) Forward(lon, lat float64) (x, y float64) {
	rho := l.parallel(lat)
	sin, cos := math.Sincos(l.cone * lon)
	return rho * sin, l.origin - rho*cos
}

// Inverse is Snyder's 14-9 to 14-11, with the latitude from the isometric one.
func (l *LambertConic) Inverse(x, y float64) (lon, lat float64) {
	sign := math.Copysign(1, l.cone)
	north := l.origin - y
	rho := sign * math.Hypot(x, north)
	theta := math.Atan2(sign*x, sign*north)
	return theta / l.cone, l.ellipsoid.fromIsometric(-math.Log(rho/l.radius) / l.cone)
}
