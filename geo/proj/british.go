package proj

import "math"

// The British National Grid (EPSG:27700) on its datum, OSGB36.
const (
	BritishLat0  = 49
	BritishLon0  = -2
	BritishScale = 0.9996012717
	BritishX0    = 400000
	BritishY0    = -100000
)

// OSGB36 leads from the datum of the British grid to WGS 84, within a few metres
// (EPSG:1314).
var OSGB36 = Helmert{TX: 446.448, TY: -125.157, TZ: 542.06, RX: 0.15, RY: 0.247, RZ: 0.842, Scale: -20.489}

// British turns eastings and northings of the British grid into longitudes and
// latitudes of WGS 84.
type British struct{ projection *TransverseMercator }

// NewBritish gives it.
func NewBritish() *British {
	return &British{NewTransverseMercator(Airy, BritishLat0*math.Pi/180, BritishScale)}
}

// WGS84 returns the longitude and latitude in degrees of a place on the grid; ok is
// false beyond 700 by 1,300 km from its corner.
func (b *British) WGS84(easting, northing float64) (lon, lat float64, ok bool) {
	if !(easting >= 0 && easting <= 700_000 && northing >= 0 && northing <= 1_300_000) {
		return 0, 0, false
	}
	l, f := b.projection.Inverse(easting-BritishX0, northing-BritishY0)
	l, f = WGS84.Geodetic(OSGB36.Apply(Airy.Geocentric(l+BritishLon0*math.Pi/180, f)))
	return l * 180 / math.Pi, f * 180 / math.Pi, true
}
