package coordinates

import "math"

// globe is every longitude and latitude.
var globe = Extent{-180, 180, -90, 90}

func onGlobe(p XY) bool { return math.Abs(p.X) <= 180 && math.Abs(p.Y) <= 90 }

// checkDegrees judges longitudes and latitudes.
func (v *Verdict) checkDegrees(d declaration, points []XY, e Extent) {
	switch {
	case e.inBox(globe):
		v.checkRadians(e)
		v.checkSwapped(d, points, e)
		v.checkSigns("x", points, func(p XY) float64 { return p.X })
		v.checkSigns("y", points, func(p XY) float64 { return p.Y })
	case e.inBox(Extent{-180, 360, -90, 90}):
		v.suspect("longitudes reach %g, beyond 180: they look counted from 0 to 360", e.MaxX)
		v.suggest("subtract 360 from longitudes above 180")
	case e.swapped().inBox(globe):
		v.impossible("y runs from %g to %g, beyond the 90 degrees of a latitude, while x stays within 90", e.MinY, e.MaxY)
		v.suggest("swap x and y: the coordinates look like latitude,longitude")
	default:
		v.checkOffGlobe(d, points, e)
	}
}

func (v *Verdict) checkOffGlobe(d declaration, points []XY, e Extent) {
	inside := count(points, onGlobe)
	v.impossible("%s outside longitude -180 to 180 and latitude -90 to 90", these(len(points)-inside, len(points)))
	if inside > 0 {
		v.suggest("check the coordinates out of range: the others could be degrees, so two systems may be mixed, a decimal point lost, or x and y swapped in some")
		return
	}
	v.suggestMetres(d, e)
	whole := count(points, func(p XY) bool { return p.X == math.Trunc(p.X) && p.Y == math.Trunc(p.Y) })
	if whole == len(points) && !e.inBox(globe.scaled(1e5)) && e.inBox(globe.scaled(1e7)) {
		v.suggest("divide by 1e7 or 1e6: whole numbers of this size can be scaled degrees")
	}
	if e.inBox(globe.scaled(3600)) {
		v.suggest("divide by 3600 if the values are seconds of arc")
	}
}

func (v *Verdict) checkRadians(e Extent) {
	if e.inBox(Extent{-math.Pi, math.Pi, -math.Pi / 2, math.Pi / 2}) {
		v.suspect("every value lies within π and π/2: as degrees that is open sea off West Africa, as radians it could be anywhere")
		v.suggest("multiply by 180/π if the values are radians")
	}
}

// mirrors are stretches of the Earth where hardly anyone has data and whose
// mirror image, with x and y swapped, is densely mapped.
var mirrors = []struct {
	where       Extent
	here, there string
}{
	{Extent{49.8, 61, -8.7, 2}, "in the Indian Ocean east of Africa", "in the British Isles"},
	{Extent{51.5, 61, 2, 11.9}, "in the Arabian Sea", "around the North Sea"},
	{Extent{24, 50, -83, -70}, "inland in Antarctica", "in eastern North America"},
	{Extent{8, 37, 83.7, 90}, "in the Arctic Ocean", "in South Asia"},
}

// seychelles are the islands within the first mirror: the inner ones and the
// Amirantes.
var seychelles = []Extent{{55.1, 56.4, -5, -3.6}, {52.6, 53.5, -7.3, -4.8}}

func (e Extent) holds(p XY) bool {
	return p.X >= e.MinX && p.X <= e.MaxX && p.Y >= e.MinY && p.Y <= e.MaxY
}

// checkSwapped looks for degrees in range that make more sense the other way
// round, and for places a continental datum is not made for.
func (v *Verdict) checkSwapped(d declaration, points []XY, e Extent) {
	area := find(d.code).area
	outside := count(points, func(p XY) bool { return !area.contains(p.X, p.Y) })
	swappedInside := count(points, func(p XY) bool { return math.Abs(p.X) <= 90 && area.contains(p.Y, p.X) })
	switch {
	case outside == len(points) && swappedInside == len(points):
		v.suspect("%s outside the area of EPSG:%d (%s), but inside with x and y swapped", these(outside, len(points)), d.code, area)
		v.suggest("swap x and y: the coordinates look like latitude,longitude")
		return
	case outside > 0:
		v.suspect("%s outside the area of EPSG:%d (%s)", these(outside, len(points)), d.code, area)
		v.suggest("EPSG:4326 if the coordinates are worldwide")
		return
	}
	islands := count(points, func(p XY) bool { return seychelles[0].holds(p) || seychelles[1].holds(p) })
	for _, m := range mirrors {
		if e.inBox(m.where) && islands < len(points) {
			v.suspect("as longitude,latitude every coordinate lies %s; with x and y swapped, %s", m.here, m.there)
			v.suggest("swap x and y if the coordinates are latitude,longitude")
			return
		}
	}
}

// checkSigns finds a few values whose sign was lost: their mirror image lies
// among the others, far from zero compared with the spread of all.
func (v *Verdict) checkSigns(axis string, points []XY, of func(XY) float64) {
	negative := count(points, func(p XY) bool { return of(p) < 0 })
	few := min(negative, len(points)-negative)
	if few == 0 || few*3 > len(points) {
		return
	}
	nearest, farthest := math.Inf(1), 0.0
	for _, p := range points {
		nearest, farthest = math.Min(nearest, math.Abs(of(p))), math.Max(farthest, math.Abs(of(p)))
	}
	// Around the antimeridian both signs of longitude are at home.
	if nearest > 2*(farthest-nearest) && nearest < 165 {
		sign := "a negative"
		if negative*2 > len(points) {
			sign = "a positive"
		}
		v.suspect("%d of %d values of %s have %s sign, against the rest, though all are between %g and %g without it", few, len(points), axis, sign, nearest, farthest)
		v.suggest("check the sign of %s: a lost or added minus moves a place to the other hemisphere", axis)
	}
}
