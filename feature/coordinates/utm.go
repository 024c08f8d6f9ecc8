package coordinates

import "fmt"

// checkUTM judges eastings and northings of one zone.
func (v *Verdict) checkUTM(d declaration, points []XY, e Extent) {
	zone, prefixed := prefixedZone(e)
	switch {
	case likeDegrees(e):
		v.impossible("every value is small enough for degrees, while a UTM easting lies between 100000 and 900000 m")
		v.suggestDegrees(e)
	case e.MinX > 1e6 && e.swapped().inBox(utmRange) && zone != d.zone:
		v.impossible("eastings run from %s to %s, beyond the 900000 m of a UTM zone, while y would fit one", decimal(e.MinX), decimal(e.MaxX))
		v.suggest("swap x and y: the coordinates look like northing,easting")
	case prefixed:
		v.impossible("eastings run from %s to %s, far above the 900000 m of a UTM zone", decimal(e.MinX), decimal(e.MaxX))
		v.suggestPrefix(zone)
		if zone != d.zone {
			v.suggest("declare zone %d instead of zone %d", zone, d.zone)
		}
	case e.scaled(1000).inBox(utmRange):
		v.impossible("eastings run from %g to %g, below the 100000 m of a UTM zone", e.MinX, e.MaxX)
		v.suggest("multiply by 1000: the values look like kilometres")
	default:
		v.checkMixed(points)
		v.checkEastings(d, points, e)
		v.checkNorthings(d, points, e)
	}
}

func (v *Verdict) checkEastings(d declaration, points []XY, e Extent) {
	// Six degrees are at most 668 km wide; data of neighbouring zones is
	// often kept in one, but nobody goes as far as half a million from it.
	if n := count(points, func(p XY) bool { return p.X < 0 || p.X > 1e6 }); n > 0 {
		v.impossible("%s outside the eastings of a UTM zone, 100000 to 900000 m (x runs from %s to %s)", these(n, len(points)), decimal(e.MinX), decimal(e.MaxX))
		if n == len(points) {
			v.suggestMetres(d, e)
		}
		return
	}
	if n := count(points, func(p XY) bool { return p.X < 100000 || p.X > 900000 }); n > 0 {
		v.suspect("%s outside the usual eastings of a UTM zone, 100000 to 900000 m (x runs from %s to %s)", these(n, len(points)), decimal(e.MinX), decimal(e.MaxX))
		v.suggest("a neighbouring zone of %d, if the data lies there", d.zone)
		if e.inBox(britishRange) {
			v.suggestMetres(d, e)
		}
	}
}

// The northings of the poles and of the limits of UTM, 84° N and 80° S.
const (
	northPole, northLimit = 9997965, 9329006
	southPole, southLimit = 2035, 1116915
)

func (v *Verdict) checkNorthings(d declaration, points []XY, e Extent) {
	north, south := fmt.Sprintf("EPSG:%d", 32600+d.zone), fmt.Sprintf("EPSG:%d", 32700+d.zone)
	switch {
	case !d.south && (e.MaxY > northPole || e.MinY < -northPole), d.south && (e.MinY < southPole || e.MaxY > 1e7+northPole):
		v.impossible("northings run from %s to %s, beyond a pole", decimal(e.MinY), decimal(e.MaxY))
		if count(points, utmRange.holds) == 0 {
			v.suggestMetres(d, e)
		}
	case d.south && e.MaxY > 1e7:
		v.suspect("northings reach %s, beyond the 10000000 m of the equator in a southern zone", decimal(e.MaxY))
		v.suggest("%s with 10000000 subtracted from y, if the data lies north of the equator", north)
	case d.south && e.MinY < southLimit:
		v.suspect("northings start at %s: in a southern zone that is beyond 80° S", decimal(e.MinY))
		v.suggest("%s if the data lies just north of the equator", north)
		v.suggestMetres(d, e)
	case d.europe && e.MinY < 3.6e6:
		v.suspect("northings start at %s: ETRS89 is for Europe, where they begin at about 3600000 m", decimal(e.MinY))
		v.suggestMetres(d, e)
		v.suggest("%s if the data lies outside Europe", north)
	case e.MinY < 0:
		v.suspect("northings start at %s: below 0 they lie south of the equator", decimal(e.MinY))
		v.suggest("%s with 10000000 added to y", south)
	case !d.south && e.MaxY > northLimit:
		v.suspect("northings reach %s: in a northern zone that is beyond 84° N", decimal(e.MaxY))
		v.suggest("%s if the data lies in the southern hemisphere", south)
	case !d.south && d.zone >= 29 && d.zone <= 31 && e.MaxY < gulfOfGuinea && e.inBox(britishRange):
		v.suspect("in this zone northings below %d m are open sea in the Gulf of Guinea", gulfOfGuinea)
		v.suggestMetres(d, e)
	}
}

// gulfOfGuinea is a northing in metres south of all land in zones 29 to 31
// north: Cape Palmas, at 4.36° N, lies beyond.
const gulfOfGuinea = 470000
