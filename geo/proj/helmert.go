package proj

import "math"

// Vector is an Earth-centred, Earth-fixed position in metres.
type Vector struct{ X, Y, Z float64 }

// Geocentric returns the position of a point on the ellipsoid (EPSG GN 7-2,
// method 9602, at height zero); angles in radians.
func (e Ellipsoid) Geocentric(lon, lat float64) Vector {
	e2 := e.e2()
	sin, cos := math.Sincos(lat)
	sinLon, cosLon := math.Sincos(lon)
	nu := e.A / math.Sqrt(1-e2*sin*sin)
	return Vector{nu * cos * cosLon, nu * cos * sinLon, nu * (1 - e2) * sin}
}

// Geodetic returns the longitude and latitude in radians of a position within
// some hundred kilometres of the surface; the height is dropped. Bowring's
// formula (EPSG GN 7-2, method 9602) is applied until the parametric latitude
// settles.
func (e Ellipsoid) Geodetic(v Vector) (lon, lat float64) {
	f, e2 := e.flattening(), e.e2()
	p := math.Hypot(v.X, v.Y)
	b, second := e.A*(1-f), e2/(1-e2)
	sin, cos := normalise(v.Z, p*(1-f)) // of the parametric latitude
	var tanY, tanX float64
	for range 3 {
		tanY = v.Z + second*b*sin*sin*sin
		tanX = p - e2*e.A*cos*cos*cos
		sin, cos = normalise((1-f)*tanY, tanX)
	}
	return math.Atan2(v.Y, v.X), math.Atan2(tanY, tanX)
}

func normalise(y, x float64) (sin, cos float64) {
	h := math.Hypot(y, x)
	return y / h, x / h
}

// Helmert is a seven-parameter shift in the position-vector convention with
// small angles (EPSG method 9606): translations in metres, rotations in
// seconds of arc, scale difference in parts per million. The zero value
// shifts nothing.
type Helmert struct {
	TX, TY, TZ float64
	RX, RY, RZ float64
	Scale      float64
}

const arcSecond = math.Pi / 180 / 3600

// Apply shifts v.
func (h Helmert) Apply(v Vector) Vector {
	m := 1 + h.Scale*1e-6
	rx, ry, rz := h.RX*arcSecond, h.RY*arcSecond, h.RZ*arcSecond
	return Vector{
		m*(v.X-rz*v.Y+ry*v.Z) + h.TX,
		m*(rz*v.X+v.Y-rx*v.Z) + h.TY,
		m*(-ry*v.X+rx*v.Y+v.Z) + h.TZ,
	}
}

// Undo takes the shift back with the transposed rotation, as PROJ does; the
// second-order remainder is below a quarter of a millimetre for the shifts of
// national datums.
func (h Helmert) Undo(v Vector) Vector {
	m := 1 + h.Scale*1e-6
	rx, ry, rz := h.RX*arcSecond, h.RY*arcSecond, h.RZ*arcSecond
	x, y, z := (v.X-h.TX)/m, (v.Y-h.TY)/m, (v.Z-h.TZ)/m
	return Vector{
		x + rz*y - ry*z,
		-rz*x + y + rx*z,
		ry*x - rx*y + z,
	}
}
