package coordinates

import (
	"fmt"
	"math"
)

// The ranges of systems in metres.
var (
	mercatorSquare = Extent{-20037508.35, 20037508.35, -20048966.11, 20048966.11} // 180 and 85.06 degrees
	britishRange   = Extent{0, 700000, 0, 1300000}
	utmRange       = Extent{100000, 900000, 0, 1e7}
)

// girth is the length of the equator in metres, rounded up.
const girth = 40075017

// likeDegrees reports whether all values are small enough for degrees in
// either order.
func likeDegrees(e Extent) bool { return e.inBox(globe) || e.swapped().inBox(globe) }

func (v *Verdict) suggestDegrees(e Extent) {
	if e.inBox(globe) {
		v.suggest("EPSG:4326 (degrees, x = longitude, y = latitude)")
		return
	}
	v.suggest("EPSG:4326 with x and y swapped: the coordinates look like latitude,longitude")
}

// suggestMetres lists the systems in metres, other than the declared one,
// whose range holds the coordinates.
func (v *Verdict) suggestMetres(d declaration, e Extent) {
	if d.code != 27700 && e.inBox(britishRange) {
		v.suggest("EPSG:27700 (British National Grid): the values fit its range")
	}
	if d.family != utmFamily && e.inBox(utmRange) {
		v.suggest("a UTM zone (EPSG:326zz north, EPSG:327zz south of the equator, EPSG:258zz in Europe): the values fit its range")
	}
	if zone, ok := prefixedZone(e); ok {
		v.suggestPrefix(zone)
	}
	if d.family != webMercatorFamily && e.inBox(mercatorSquare) {
		v.suggest("EPSG:3857 (Web Mercator): the values fit its range")
	}
}

// prefixedZone recognises eastings with a zone number in front, such as
// 32,500,000.
func prefixedZone(e Extent) (int, bool) {
	zone := math.Floor(e.MinX / 1e6)
	ok := zone >= 1 && zone <= 60 && Extent{e.MinX - zone*1e6, e.MaxX - zone*1e6, e.MinY, e.MaxY}.inBox(utmRange)
	return int(zone), ok
}

func (v *Verdict) suggestPrefix(zone int) {
	// The two ETRS89 zones whose prefixed form has a code of its own.
	own := map[int]string{32: "EPSG:4647, or ", 33: "EPSG:5650, or "}[zone]
	v.suggest("%szone %d with %d,000,000 subtracted from x: the eastings look prefixed with their zone", own, zone, zone)
}

// checkMixed finds degrees among metres.
func (v *Verdict) checkMixed(points []XY) {
	small := count(points, onGlobe)
	large := count(points, func(p XY) bool { return math.Abs(p.X) > 1000 && math.Abs(p.Y) > 1000 })
	if small > 0 && large > 0 {
		v.suspect("%s small enough for degrees, the others are not: two systems may be mixed", these(small, len(points)))
		v.suggest("transform all coordinates to one system first")
	}
}

func (v *Verdict) checkWebMercator(points []XY, e Extent) {
	switch {
	case likeDegrees(e):
		v.suspect("every value is small enough for degrees: as metres all coordinates lie within 180 m of 0,0, in the sea off West Africa")
		v.suggestDegrees(e)
	case !e.inBox(mercatorSquare):
		outside := count(points, func(p XY) bool { return !mercatorSquare.holds(p) })
		v.impossible("%s outside the Web Mercator square (x within 20037508.34, y within 20048966.10)", these(outside, len(points)))
		if zone, ok := prefixedZone(e); ok {
			v.suggestPrefix(zone)
		}
	default:
		v.checkMixed(points)
	}
}

// checkGeneric judges a projected system of which only the unit is assumed.
// For the systems this package transforms, the area of use bounds what is
// likely.
func (v *Verdict) checkGeneric(d declaration, points []XY, e Extent) {
	// Eastings may carry a zone number, up to 120 for zones of three degrees.
	const farthest = 1.3e8
	switch {
	case likeDegrees(e):
		v.suspect("every value is small enough for degrees: as metres all coordinates lie within 180 m of the origin of EPSG:%d", d.code)
		v.suggestDegrees(e)
		if d.code >= 4000 && d.code <= 4999 {
			v.suggest("nothing to change if EPSG:%d is a geographic system: this check knows only 4326, 4258 and 4269 as degrees", d.code)
		}
		return
	case !e.inBox(Extent{-farthest, farthest, -farthest, farthest}):
		v.impossible("values reach %s m, farther from the origin than any system in metres", decimal(math.Max(math.Max(-e.MinX, e.MaxX), math.Max(-e.MinY, e.MaxY))))
		return
	case e.MaxX-e.MinX > girth || e.MaxY-e.MinY > girth:
		v.impossible("the coordinates span %.0f by %.0f m, more than the %d m around the Earth", e.MaxX-e.MinX, e.MaxY-e.MinY, girth)
		return
	}
	v.checkMixed(points)
	if s := find(d.code); s != nil && !s.geographic() {
		v.checkCover(d, s, points, e)
	}
}

// checkCover compares coordinates with the extent of a system's area of use
// and a quarter around it.
func (v *Verdict) checkCover(d declaration, s *system, points []XY, e Extent) {
	cover := s.cover()
	dx, dy := (cover.MaxX-cover.MinX)/4, (cover.MaxY-cover.MinY)/4
	cover = Extent{cover.MinX - dx, cover.MaxX + dx, cover.MinY - dy, cover.MaxY + dy}
	outside := count(points, func(p XY) bool { return !cover.holds(p) })
	if outside == 0 {
		return
	}
	v.suspect("%s far outside the area of EPSG:%d, where x runs from about %s to %s and y from %s to %s %s", these(outside, len(points)), d.code,
		rough(cover.MinX+dx), rough(cover.MaxX-dx), rough(cover.MinY+dy), rough(cover.MaxY-dy), plural(s.unit))
	if e.swapped().inBox(cover) {
		v.suggest("swap x and y: then the coordinates fit EPSG:%d", d.code)
	}
	if s.unit != metre && e.scaled(1/s.unit.metres).inBox(cover) {
		v.suggest("EPSG:%d counts in %s: the values look like metres", d.code, plural(s.unit))
	}
	if outside == len(points) {
		v.suggestMetres(d, e)
	}
}

func rough(n float64) string { return fmt.Sprintf("%.0f", math.Round(n/1000)*1000) }

func plural(u unit) string {
	if u == usFoot {
		return "US survey feet"
	}
	return u.name + "s"
}
