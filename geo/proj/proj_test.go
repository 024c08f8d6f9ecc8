package proj

import (
	"math"
	"math/rand/v2"
	"testing"
)

func dms(d, m, s float64) float64 { return (d + m/60 + s/3600) * math.Pi / 180 }

// TestWorkedExamples checks the examples printed in EPSG GN 7-2 and in the
// Ordnance Survey's "A guide to coordinate systems in Great Britain".
func TestWorkedExamples(t *testing.T) {
	const foot = 1200. / 3937
	clarke := Ellipsoid{"clrk66", 20925832.16 * foot, 294.9786982}
	tests := []struct {
		name     string
		p        Projection
		lon, lat float64 // lon relative to the central meridian
		x, y     float64 // less the false origin
		within   float64
	}{
		{
			"transverse Mercator, British grid", NewTransverseMercator(Airy, dms(49, 0, 0), 0.9996012717),
			dms(2, 30, 0), dms(50, 30, 0), 577274.99 - 400000, 69740.50 + 100000, 0.011,
		},
		{
			"transverse Mercator, Caister water tower", NewTransverseMercator(Airy, dms(49, 0, 0), 0.9996012717),
			dms(3, 43, 4.5177), dms(52, 39, 27.2531), 651409.903 - 400000, 313177.270 + 100000, 0.001,
		},
		{
			"Lambert conic, Texas South Central", NewLambertConic(clarke, dms(27, 50, 0), dms(28, 23, 0), dms(30, 17, 0)),
			dms(3, 0, 0), dms(28, 30, 0), (2963503.91 - 2000000) * foot, 254759.80 * foot, 0.004,
		},
		{
			"Lambert azimuthal, Europe", NewLambertAzimuthal(GRS80, dms(52, 0, 0)),
			dms(-5, 0, 0), dms(50, 0, 0), 3962799.45 - 4321000, 2999718.85 - 3210000, 0.006,
		},
		{
			"oblique stereographic, Netherlands", NewObliqueStereographic(Bessel, dms(52, 9, 22.178), 0.9999079),
			dms(6, 0, 0) - dms(5, 23, 15.5), dms(53, 0, 0), 196105.283 - 155000, 557057.739 - 463000, 0.001,
		},
		{
			"Web Mercator",
			WebMercator{6378137},
			-dms(100, 20, 0), dms(24, 22, 54.433), -11169055.58, 2800000.00, 0.01,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x, y := tt.p.Forward(tt.lon, tt.lat)
			if math.Hypot(x-tt.x, y-tt.y) > tt.within {
				t.Errorf("Forward gives %.4f %.4f, want %.4f %.4f", x, y, tt.x, tt.y)
			}
			lon, lat := tt.p.Inverse(tt.x, tt.y)
			if math.Hypot(lon-tt.lon, lat-tt.lat)*6.4e6 > tt.within*1.7 {
				t.Errorf("Inverse gives %.12f %.12f, want %.12f %.12f", lon, lat, tt.lon, tt.lat)
			}
		})
	}
}

// TestShiftExample checks the position-vector example of EPSG GN 7-2, from
// WGS 72 to WGS 84.
func TestShiftExample(t *testing.T) {
	h := Helmert{TZ: 4.5, RZ: 0.554, Scale: 0.219}
	from, want := Vector{3657660.66, 255768.55, 5201382.11}, Vector{3657660.78, 255778.43, 5201387.75}
	if got := h.Apply(from); distance(got, want) > 0.01 {
		t.Errorf("Apply gives %v, want %v", got, want)
	}
	if got := h.Undo(want); distance(got, from) > 0.01 {
		t.Errorf("Undo gives %v, want %v", got, from)
	}
}

func distance(a, b Vector) float64 {
	return math.Sqrt((a.X-b.X)*(a.X-b.X) + (a.Y-b.Y)*(a.Y-b.Y) + (a.Z-b.Z)*(a.Z-b.Z))
}

func TestGeocentricRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, e := range []Ellipsoid{WGS84, GRS80, Airy, Bessel, Intl} {
		for range 500 {
			lon, lat := (r.Float64()*2-1)*math.Pi, (r.Float64()*2-1)*math.Pi/2
			l, f := e.Geodetic(e.Geocentric(lon, lat))
			if math.Abs(l-lon) > 1e-14 || math.Abs(f-lat) > 1e-14 {
				t.Fatalf("%s: %.16f %.16f comes back as %.16f %.16f", e.Name, lon, lat, l, f)
			}
		}
	}
	for _, lat := range []float64{-math.Pi / 2, 0, math.Pi / 2} {
		if _, f := WGS84.Geodetic(WGS84.Geocentric(0.3, lat)); math.Abs(f-lat) > 1e-14 {
			t.Errorf("latitude %v comes back as %v", lat, f)
		}
	}
}

// TestDefiningProperty checks each projection's defining property by finite
// differences: equal scale along meridian and parallel, or equal areas.
func TestDefiningProperty(t *testing.T) {
	tests := []struct {
		name      string
		p         Projection
		e         Ellipsoid
		equalArea bool
	}{
		{"tmerc", NewTransverseMercator(GRS80, 0, 0.9996), GRS80, false},
		{"lcc", NewLambertConic(GRS80, 0.81, 0.85, 0.77), GRS80, false},
		{"sterea", NewObliqueStereographic(Bessel, 0.91, 0.9999), Bessel, false},
		{"laea", NewLambertAzimuthal(GRS80, 0.9), GRS80, true},
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, tt := range tests {
		for range 200 {
			lon, lat := (r.Float64()*2-1)*0.3, 0.6+r.Float64()*0.5
			const h = 1e-5
			x1, y1 := tt.p.Forward(lon+h, lat)
			x0, y0 := tt.p.Forward(lon-h, lat)
			x3, y3 := tt.p.Forward(lon, lat+h)
			x2, y2 := tt.p.Forward(lon, lat-h)
			s, c := math.Sincos(lat)
			w := 1 - tt.e.e2()*s*s
			nu, rho := tt.e.A/math.Sqrt(w), tt.e.A*(1-tt.e.e2())/(w*math.Sqrt(w))
			ex, ey := (x1-x0)/(2*h*nu*c), (y1-y0)/(2*h*nu*c) // image of a metre east
			nx, ny := (x3-x2)/(2*h*rho), (y3-y2)/(2*h*rho)   // and north
			if tt.equalArea {
				if area := ex*ny - ey*nx; math.Abs(area-1) > 1e-7 {
					t.Fatalf("%s: area scale %.10f at %f %f", tt.name, area, lon, lat)
				}
			} else if math.Hypot(ex-ny, ey+nx) > 1e-7 {
				t.Fatalf("%s: not conformal at %f %f: east %f,%f north %f,%f", tt.name, lon, lat, ex, ey, nx, ny)
			}
		}
	}
}
