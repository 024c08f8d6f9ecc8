package proj

import "math"

// WebMercator is the Mercator projection that treats geodetic latitudes as
// if they were on a sphere of the given radius in metres (EPSG method 1024).
// The poles have no image.
type WebMercator struct{ Radius float64 }

// Forward is EPSG GN 7-2, method 1024.
func (w WebMercator) Forward(lon, lat float64) (x, y float64) {
	return w.Radius * lon, w.Radius * math.Asinh(math.Tan(lat))
}

// Inverse is EPSG GN 7-2, method 1024.
func (w WebMercator) Inverse(x, y float64) (lon, lat float64) {
	return x / w.Radius, math.Atan(math.Sinh(y / w.Radius))
}
