package proj

import "math"

// TransverseMercator is the ellipsoidal transverse Mercator projection by
// Krüger's series in the third flattening n to order six, the form that Poder
// and Engsager gave it. Its truncation error is below 5 nm within 3900 km of
// the central meridian (Karney 2011, section 5).
type TransverseMercator struct {
	ellipsoid   Ellipsoid
	radius      float64 // scale times the rectifying radius
	origin      float64 // rectifying latitude of the origin
	alpha, beta [6]float64
}

// NewTransverseMercator takes the latitude of origin in radians and the scale
// on the central meridian.
func NewTransverseMercator(e Ellipsoid, lat0, scale float64) *TransverseMercator {
	f := e.flattening()
	n := f / (2 - f)
	// Karney 2011, equations 14 (radius), 35 (alpha) and 36 (beta).
	t := &TransverseMercator{
		ellipsoid: e,
		radius:    scale * e.A / (1 + n) * series(n*n, 1, 1./4, 1./64, 1./256),
		alpha: [6]float64{
			n * series(n, 1./2, -2./3, 5./16, 41./180, -127./288, 7891./37800),
			n * n * series(n, 13./48, -3./5, 557./1440, 281./630, -1983433./1935360),
			math.Pow(n, 3) * series(n, 61./240, -103./140, 15061./26880, 167603./181440),
			math.Pow(n, 4) * series(n, 49561./161280, -179./168, 6601661./7257600),
			math.Pow(n, 5) * series(n, 34729./80640, -3418889./1995840),
			math.Pow(n, 6) * 212378941. / 319334400,
		},
		beta: [6]float64{
			n * series(n, 1./2, -2./3, 37./96, -1./360, -81./512, 96199./604800),
			n * n * series(n, 1./48, 1./15, -437./1440, 46./105, -1118711./3870720),
			math.Pow(n, 3) * series(n, 17./480, -37./840, -209./4480, 5569./90720),
			math.Pow(n, 4) * series(n, 4397./161280, -11./504, -830251./7257600),
			math.Pow(n, 5) * series(n, 4583./161280, -108847./3991680),
			math.Pow(n, 6) * 20648693. / 638668800,
		},
	}
	_, y := t.Forward(0, lat0)
	t.origin = y / t.radius
	return t
}

// series returns a polynomial, lowest power first.
func series(x float64, terms ...float64) float64 {
	sum := 0.0
	for i := len(terms) - 1; i >= 0; i-- {
		sum = sum*x + terms[i]
	}
	return sum
}

// Forward follows Karney 2011, equations 10 and 11.
func (t *TransverseMercator) Forward(lon, lat float64) (x, y float64) {
	tau := t.ellipsoid.conformal(math.Tan(lat))
	sin, cos := math.Sincos(lon)
	xi0, eta0 := math.Atan2(tau, cos), math.Asinh(sin/math.Hypot(tau, cos))
	xi, eta := xi0, eta0
	for i, a := range t.alpha {
		k := 2 * float64(i+1)
		s, c := math.Sincos(k * xi0)
		xi += a * s * math.Cosh(k*eta0)
		eta += a * c * math.Sinh(k*eta0)
	}
	return t.radius * eta, t.radius * (xi - t.origin)
}

// Inverse follows Karney 2011, equations 15 and 18.
func (t *TransverseMercator) Inverse(x, y float64) (lon, lat float64) {
	xi0, eta0 := y/t.radius+t.origin, x/t.radius
	xi, eta := xi0, eta0
	for i, b := range t.beta {
		k := 2 * float64(i+1)
		s, c := math.Sincos(k * xi0)
		xi -= b * s * math.Cosh(k*eta0)
		eta -= b * c * math.Sinh(k*eta0)
	}
	sin, cos := math.Sincos(xi)
	sinh := math.Sinh(eta)
	tau := sin / math.Hypot(sinh, cos)
	return math.Atan2(sinh, cos), math.Atan(t.ellipsoid.geodetic(tau))
}
