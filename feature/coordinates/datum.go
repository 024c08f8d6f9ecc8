package coordinates

import (
	"fmt"

	"github.com/waygate/waygate/geo/proj"
)

// datum ties an ellipsoid to the Earth. Two systems of one datum share their
// longitudes and latitudes; between datums the way leads through WGS 84.
type datum struct {
	name      string
	ellipsoid proj.Ellipsoid
	toWGS84   proj.Helmert
	accuracy  string // the error of toWGS84, in words
}

const etrs89 = "zero-parameter datum shift (ETRS89 is taken as WGS 84): error below 1 m, as the two have drifted apart by about 2.5 cm a year since 1989"

// The parameters and accuracies are those of the EPSG dataset's operations
// 1149 (ETRS89), 1188 (NAD83), 1314 (OSGB36), 4833 (Amersfoort) and 15929
// (BD72), the ones PROJ prefers where no grid is installed. The last two are
// published in the coordinate-frame convention; their rotations are negated
// here, and Amersfoort's turned from microradians into seconds.
var (
	datumWGS84  = datum{name: "WGS 84", ellipsoid: proj.WGS84, accuracy: "no datum-shift error (WGS 84)"}
	datumETRS89 = datum{name: "ETRS89", ellipsoid: proj.GRS80, accuracy: etrs89}
	datumNAD83  = datum{
		name: "NAD83", ellipsoid: proj.GRS80,
		accuracy: "seven-parameter datum shift to WGS 84, all seven zero (EPSG:1188): metre-level error, 4 m by EPSG",
	}
	datumOSGB36 = datum{
		name: "OSGB36", ellipsoid: proj.Airy,
		toWGS84:  proj.OSGB36,
		accuracy: "seven-parameter datum shift to WGS 84 (EPSG:1314, no OSTN15 grid): metre-level error, 2 m by EPSG and up to 5 m in places; no datum shift between EPSG:27700 and EPSG:4277",
	}
	datumAmersfoort = datum{
		name: "Amersfoort", ellipsoid: proj.Bessel,
		toWGS84:  proj.Helmert{TX: 565.4171, TY: 50.3319, TZ: 465.5524, RX: -0.398957388243134, RY: 0.343987817378283, RZ: -1.87740163998045, Scale: 4.0725},
		accuracy: "seven-parameter datum shift to WGS 84 (EPSG:4833, no RDNAPTRANS grid): metre-level error, 1 m by EPSG",
	}
	datumBD72 = datum{
		name: "BD72", ellipsoid: proj.Intl,
		toWGS84:  proj.Helmert{TX: -106.8686, TY: 52.2978, TZ: -103.7239, RX: 0.3366, RY: -0.457, RZ: 1.8422, Scale: -1.2747},
		accuracy: "seven-parameter datum shift to WGS 84 (EPSG:15929, no grid): metre-level error, 1 m by EPSG",
	}
)

// proj4 returns the datum's part of a PROJ string.
func (d datum) proj4() string {
	if d.name == datumWGS84.name {
		return "+datum=WGS84"
	}
	h := d.toWGS84
	return fmt.Sprintf("+ellps=%s +towgs84=%s,%s,%s,%s,%s,%s,%s", d.ellipsoid.Name,
		decimal(h.TX), decimal(h.TY), decimal(h.TZ), decimal(h.RX), decimal(h.RY), decimal(h.RZ), decimal(h.Scale))
}

// shift takes a longitude and latitude in degrees from one datum to another.
// Between datums with the same shift to WGS 84 the angles stay as they are, as
// in PROJ, although GRS 80 and WGS 84 differ by a tenth of a millimetre.
func shift(from, to datum, lon, lat float64) (float64, float64) {
	if from.toWGS84 == to.toWGS84 {
		return lon, lat
	}
	v := from.toWGS84.Apply(from.ellipsoid.Geocentric(lon/degrees, lat/degrees))
	l, f := to.ellipsoid.Geodetic(to.toWGS84.Undo(v))
	return l * degrees, f * degrees
}

// pairAccuracy states the error between two datums.
func pairAccuracy(from, to datum) string {
	switch {
	case from.name == to.name:
		return "no datum shift is applied: both systems are on " + from.name
	case from.name == datumWGS84.name:
		return to.accuracy
	case to.name == datumWGS84.name:
		return from.accuracy
	}
	return fmt.Sprintf("by way of WGS 84; %s: %s; %s: %s", from.name, from.accuracy, to.name, to.accuracy)
}
