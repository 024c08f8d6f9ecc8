package geo

import "math"

// Bounds is an axis-aligned box in degrees. One that crosses the antimeridian has its west
// east of its east, as in GeoJSON (RFC 7946, 5.2): Min.Lon is 179 and Max.Lon -179. The zero
// value is empty only by convention of NoBounds.
type Bounds struct {
	Min, Max Point
}

// NoBounds returns the empty box: extending it by a point gives that point's box.
func NoBounds() Bounds {
	inf := math.Inf(1)
	return Bounds{Point{inf, inf}, Point{-inf, -inf}}
}

// Empty reports whether no point lies in b.
func (b Bounds) Empty() bool { return b.Min.Lat > b.Max.Lat }

// Crosses reports whether b crosses the antimeridian.
func (b Bounds) Crosses() bool { return b.Min.Lon > b.Max.Lon && !b.Empty() }

// Extend returns the smallest box that contains b and p, but one that does not cross the
// antimeridian does not come to cross it: see Extent for the smallest round many places.
func (b Bounds) Extend(p Point) Bounds {
	west, east := b.Min.Lon, b.Max.Lon
	crosses := b.Crosses()
	b.include(p)
	if !crosses {
		return b
	}
	if b.Min.Lon, b.Max.Lon = west, east; p.Lon > east && p.Lon < west { // in the gap
		if p.Lon-east < west-p.Lon {
			b.Max.Lon = p.Lon
		} else {
			b.Min.Lon = p.Lon
		}
	}
	return b
}

// include extends a box that does not cross the antimeridian, in place.
func (b *Bounds) include(p Point) {
	if p.Lon < b.Min.Lon {
		b.Min.Lon = p.Lon
	}
	if p.Lon > b.Max.Lon {
		b.Max.Lon = p.Lon
	}
	if p.Lat < b.Min.Lat {
		b.Min.Lat = p.Lat
	}
	if p.Lat > b.Max.Lat {
		b.Max.Lat = p.Lat
	}
}

// Union returns the smallest box that contains both. It crosses the antimeridian only where one
// of them does.
func (b Bounds) Union(o Bounds) Bounds {
	switch {
	case o.Empty():
		return b
	case b.Empty():
		return o
	case !b.Crosses() && !o.Crosses():
		return b.Extend(o.Min).Extend(o.Max)
	}
	south, north := min(b.Min.Lat, o.Min.Lat), max(b.Max.Lat, o.Max.Lat)
	best := Bounds{Point{-180, south}, Point{180, north}}
	for _, west := range [...]float64{b.Min.Lon, o.Min.Lon} {
		for _, east := range [...]float64{b.Max.Lon, o.Max.Lon} {
			c := Bounds{Point{west, south}, Point{east, north}}
			if c.holds(b) && c.holds(o) && c.Width() < best.Width() {
				best = c
			}
		}
	}
	return best
}

// holds reports whether all longitudes of o are of b, too, but for what rounding takes.
func (b Bounds) holds(o Bounds) bool {
	return degreesEast(o.Min.Lon-b.Min.Lon)+o.Width() <= b.Width()+1e-9
}

// degreesEast takes a difference of longitudes to 0 or more and below 360.
func degreesEast(degrees float64) float64 {
	if degrees = math.Mod(degrees, 360); degrees < 0 {
		degrees += 360
	}
	return degrees
}

// Width returns how many degrees of longitude lie between west and east, 0 to 360 of a box that
// is not empty.
func (b Bounds) Width() float64 {
	if b.Crosses() {
		return b.Max.Lon - b.Min.Lon + 360
	}
	return b.Max.Lon - b.Min.Lon
}

// Contains reports whether p lies in b or on its edge.
func (b Bounds) Contains(p Point) bool {
	if p.Lat < b.Min.Lat || p.Lat > b.Max.Lat {
		return false
	}
	if p.Lon >= b.Min.Lon && p.Lon <= b.Max.Lon {
		return true
	}
	return b.reaches() && degreesEast(p.Lon-b.Min.Lon) <= b.Width()
}

// reaches reports whether b lies at the antimeridian, where -180 and 180 are the same, or
// across it.
func (b Bounds) reaches() bool {
	return b.Min.Lon > b.Max.Lon || b.Min.Lon <= -180 || b.Max.Lon >= 180
}

// beyond reports whether b crosses the antimeridian, or is counted on beyond 180 degrees, as
// that round a place (Around) may be.
func (b Bounds) beyond() bool { return b.Min.Lon > b.Max.Lon || b.Min.Lon < -180 || b.Max.Lon > 180 }

// Intersects reports whether the boxes share a point.
func (b Bounds) Intersects(o Bounds) bool {
	if b.Min.Lat > o.Max.Lat || b.Max.Lat < o.Min.Lat {
		return false
	}
	if !b.reaches() && !o.reaches() {
		return b.Min.Lon <= o.Max.Lon && b.Max.Lon >= o.Min.Lon
	}
	return degreesEast(o.Min.Lon-b.Min.Lon) <= b.Width() || degreesEast(b.Min.Lon-o.Min.Lon) <= o.Width()
}

// Split returns the box as boxes within -180 to 180 degrees of longitude, of which none
// crosses the antimeridian: itself, or a part on either side of it.
func (b Bounds) Split() []Bounds {
	if b.Empty() || !b.beyond() {
		return []Bounds{b}
	}
	if b.Width() >= 360 {
		return []Bounds{{Point{-180, b.Min.Lat}, Point{180, b.Max.Lat}}}
	}
	west, east := b, b
	west.Min.Lon, east.Max.Lon = eastward(0, math.Mod(b.Min.Lon, 360)), eastward(0, math.Mod(b.Max.Lon, 360))
	west.Max.Lon, east.Min.Lon = 180, -180
	return []Bounds{west, east}
}

// Unwrapped returns the box with an east of at least its west: one that crosses the antimeridian
// is counted on beyond 180 degrees.
func (b Bounds) Unwrapped() Bounds {
	if b.Crosses() {
		b.Max.Lon += 360
	}
	return b
}

// Wrapped returns the contrary of Unwrapped: a box that is counted on beyond 180 degrees crosses
// the antimeridian, and one of 360 degrees or more is -180 to 180.
func (b Bounds) Wrapped() Bounds {
	switch {
	case b.Empty() || !b.beyond():
		return b
	case b.Width() >= 360:
		b.Min.Lon, b.Max.Lon = -180, 180
		return b
	}
	b.Min.Lon, b.Max.Lon = eastward(0, math.Mod(b.Min.Lon, 360)), eastward(0, math.Mod(b.Max.Lon, 360))
	if b.Min.Lon == 180 {
		b.Min.Lon = -180
	}
	if b.Max.Lon == -180 {
		b.Max.Lon = 180
	}
	return b
}

// Around returns the box that contains every point within metres of p. It may be counted on beyond
// 180 degrees.
func Around(p Point, metres float64) Bounds {
	dLat := metres / metresPerDegree
	// The circle is widest a little nearer the pole than p is.
	dLon := deg(math.Asin(math.Min(1, math.Sin(math.Min(math.Pi/2, rad(dLat)))/math.Max(0.01, math.Cos(rad(p.Lat))))))
	return Bounds{Point{p.Lon - dLon, p.Lat - dLat}, Point{p.Lon + dLon, p.Lat + dLat}}
}

// Centre returns the middle of the box.
func (b Bounds) Centre() Point {
	return Point{eastward(0, math.Mod((b.Unwrapped().Min.Lon+b.Unwrapped().Max.Lon)/2, 360)), (b.Min.Lat + b.Max.Lat) / 2}
}

// BoundsOf returns the smallest box round places, as Extent gives it.
func BoundsOf(places []Point) Bounds {
	b := NoBounds()
	for i := range places {
		b.include(places[i])
	}
	if b.Width() < leastGap { // there is no gap as wide, but outside
		return b
	}
	var e Extent
	for _, p := range places {
		e.Add(p)
	}
	return e.Bounds()
}

// Extent collects places and gives the smallest box round them, which may cross the
// antimeridian. The zero value is empty.
type Extent struct {
	south, north float64
	columns      [360]span // of each degree from -180 on
	any          bool
}

// span is the first and the last longitude of a column.
type span struct {
	west, east float64
	any        bool
}

// leastGap is how wide an empty stretch of longitudes is, in degrees, for a box to leave it
// out by crossing the antimeridian: data round most of the world stay between -180 and 180.
const leastGap = 90

// Add collects a place with longitudes from -180 to 180.
func (e *Extent) Add(p Point) {
	if !e.any {
		e.south, e.north, e.any = p.Lat, p.Lat, true
	}
	e.south, e.north = min(e.south, p.Lat), max(e.north, p.Lat)
	c := &e.columns[min(max(int(math.Floor(p.Lon+180)), 0), len(e.columns)-1)]
	if !c.any {
		*c = span{p.Lon, p.Lon, true}
	}
	c.west, c.east = min(c.west, p.Lon), max(c.east, p.Lon)
}

// Bounds returns the smallest box round all places: the widest stretch without any is left out.
func (e *Extent) Bounds() Bounds {
	if !e.any {
		return NoBounds()
	}
	first, last, gap := -1, -1, 0.0
	var crossing Bounds
	for i := range e.columns {
		c := &e.columns[i]
		if !c.any {
			continue
		}
		if first < 0 {
			first = i
		} else if wide := c.west - e.columns[last].east; wide > gap {
			gap, crossing.Min.Lon, crossing.Max.Lon = wide, c.west, e.columns[last].east
		}
		last = i
	}
	b := Bounds{Point{e.columns[first].west, e.south}, Point{e.columns[last].east, e.north}}
	if gap < leastGap || gap <= 360-b.Width() {
		return b
	}
	b.Min.Lon, b.Max.Lon = crossing.Min.Lon, crossing.Max.Lon
	if b.Min.Lon == 180 {
		b.Min.Lon = -180
	}
	if b.Max.Lon == -180 {
		b.Max.Lon = 180
	}
	return b
}
