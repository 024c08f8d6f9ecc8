package geo

import (
	"cmp"
	"math"
	"slices"
)

// Polygon is an outer ring and then its holes, whichever way they run.
type Polygon []Ring

// Area is the union of some polygons, judged in the plane of longitude and
// latitude: where the outer rings round a place are more than the holes. Its sides
// lie in bands of latitude, so that a question looks at those of its own alone. It
// is immutable and safe for concurrent use.
type Area struct {
	polygons []Polygon
	bounds   Bounds
	low      float64 // latitude where the first band begins
	height   float64 // degrees of one
	rows     []int32 // first side of each band; one more than there are bands
	sides    []areaSide
}

// areaSide runs so that what it bounds lies on its left.
type areaSide struct {
	a, b    Point
	ring, i int32 // of all rings, and in its ring
}

// mostBands is into how many bands an area is cut at most. A side that touches
// several bands is in all, so that there are fewer where sides would multiply.
const mostBands = 4096

// NewArea makes an area of polygons, which it keeps. Rings of less than three
// corners have no part in it. A side longer than 180 degrees of longitude goes the
// other way round the globe, across the antimeridian.
func NewArea(polygons ...Polygon) *Area {
	a := &Area{polygons: polygons, bounds: NoBounds()}
	var sides []areaSide
	ring := int32(-1)
	for _, polygon := range polygons {
		for k, r := range polygon {
			ring++
			if len(r) < 3 {
				continue
			}
			for _, turn := range r.Turns() {
				eastward := turn.leftHanded() != (k == 0)
				for i := range turn {
					p := turn[i]
					p.Lon = min(max(p.Lon, -180), 180)
					a.bounds = a.bounds.Extend(p)
					s := areaSide{turn[i], turn[(i+1)%len(turn)], ring, int32(i)}
					if eastward {
						s.a, s.b = s.b, s.a
					}
					sides = append(sides, s)
				}
			}
		}
	}
	if len(sides) == 0 {
		return a
	}
	a.low = a.bounds.Min.Lat
	for bands := min(len(sides), mostBands); ; bands /= 2 {
		a.height = math.Max((a.bounds.Max.Lat-a.low)/float64(max(bands, 1)), 1e-7)
		total := 0
		for _, s := range sides {
			first, last := a.span(s.a, s.b)
			total += last - first + 1
		}
		if total <= 8*len(sides) || bands <= 1 {
			break
		}
	}
	a.rows = make([]int32, a.band(a.bounds.Max.Lat)+2)
	for _, s := range sides {
		for first, last := a.span(s.a, s.b); first <= last; first++ {
			a.rows[first+1]++
		}
	}
	for i := 1; i < len(a.rows); i++ {
		a.rows[i] += a.rows[i-1]
	}
	a.sides = make([]areaSide, a.rows[len(a.rows)-1])
	next := slices.Clone(a.rows)
	for _, s := range sides {
		for first, last := a.span(s.a, s.b); first <= last; first++ {
			a.sides[next[first]] = s
			next[first]++
		}
	}
	return a
}

// Turns returns the ring as it lies in the plane of longitude and latitude: once or, where it
// crosses the antimeridian, twice, on beyond 180 degrees and on beyond -180.
func (r Ring) Turns() []Ring {
	crosses := false
	for i := range r {
		crosses = crosses || math.Abs(r[i].Lon-r[(i+1)%len(r)].Lon) > 180
	}
	if !crosses {
		return []Ring{r}
	}
	one, other := slices.Clone(r), slices.Clone(r)
	east := false
	for i := 1; i < len(one); i++ {
		one[i].Lon -= 360 * math.Round((one[i].Lon-one[i-1].Lon)/360)
		east = east || one[i].Lon > 180
	}
	turn := 360.0
	if east {
		turn = -360
	}
	for i := range one {
		other[i].Lon = one[i].Lon + turn
	}
	return []Ring{one, other}
}

func (a *Area) band(lat float64) int { return int((lat - a.low) / a.height) }

func (a *Area) span(p, q Point) (first, last int) {
	return a.band(min(p.Lat, q.Lat)), a.band(max(p.Lat, q.Lat))
}

// Bounds returns those of the rings.
func (a *Area) Bounds() Bounds { return a.bounds }

// Polygons returns those the area is made of. They must not be written to.
func (a *Area) Polygons() []Polygon { return a.polygons }

// Contains reports whether a point lies in the area.
func (a *Area) Contains(p Point) bool {
	if !a.bounds.Contains(p) {
		return false
	}
	round, row := 0, a.band(p.Lat)
	for i := a.rows[row]; i < a.rows[row+1]; i++ {
		s := &a.sides[i]
		up := s.b.Lat > p.Lat
		if up == (s.a.Lat > p.Lat) || p.Lon >= s.a.Lon+(p.Lat-s.a.Lat)/(s.b.Lat-s.a.Lat)*(s.b.Lon-s.a.Lon) {
			continue
		}
		if up {
			round++
		} else {
			round--
		}
	}
	return round > 0
}

// leftHanded reports whether what a ring bounds lies on its left.
func (r Ring) leftHanded() bool {
	sum := 0.0
	for i := range r {
		a, b := r[i], r[(i+1)%len(r)]
		sum += (a.Lon-r[0].Lon)*(b.Lat-r[0].Lat) - (b.Lon-r[0].Lon)*(a.Lat-r[0].Lat)
	}
	return sum > 0
}

// Stretch is a part of a line between two places on it: the index of a point, and
// beyond the point the fraction of the way to the next one.
type Stretch struct{ From, To float64 }

// blockPoints is how many points of a line share their bounds in a Track.
const blockPoints = 64

// Track is a line made ready to be compared with many areas.
type Track struct {
	line   []Point
	blocks []Bounds // of the pieces that begin at each blockPoints points
	bounds Bounds
}

// NewTrack makes a line ready. It keeps the line.
func NewTrack(line []Point) *Track {
	t := &Track{line: line, bounds: NoBounds()}
	for i := 0; i+1 < len(line); i += blockPoints {
		b := NoBounds()
		for _, p := range line[i:min(i+blockPoints+1, len(line))] {
			b = b.Extend(p)
		}
		t.blocks = append(t.blocks, b)
		t.bounds = t.bounds.Union(b)
	}
	return t
}

// Bounds returns those of the line.
func (t *Track) Bounds() Bounds { return t.bounds }

// Within returns the stretches of a line that lie in the area, in order. A line
// that only touches it has none.
func (a *Area) Within(t *Track) (list []Stretch) {
	if !a.bounds.Intersects(t.bounds) {
		return nil
	}
	var places []float64
	inside, known := false, false
	take := func(from, to float64) {
		if n := len(list); n > 0 && list[n-1].To == from {
			list[n-1].To = to
			return
		}
		list = append(list, Stretch{from, to})
	}
	for b, box := range t.blocks {
		if !a.bounds.Intersects(box) {
			inside, known = false, true
			continue
		}
		for i := b * blockPoints; i < min((b+1)*blockPoints, len(t.line)-1); i++ {
			p, q := t.line[i], t.line[i+1]
			if math.Abs(p.Lon-q.Lon) > 180 { // across the antimeridian, where graphs have a piece of two metres
				if inside, known = a.Contains(p) && a.Contains(q), false; inside {
					take(float64(i), float64(i+1))
				}
				continue
			}
			if !a.near(p, q) {
				inside, known = false, true
				continue
			}
			places = a.crossings(places[:0], p, q)
			if len(places) == 0 {
				if !known {
					inside, known = a.Contains(p), true
				}
				if inside {
					take(float64(i), float64(i+1))
				}
				continue
			}
			slices.Sort(places)
			from := 0.0
			for _, to := range append(places, 1) {
				if to-from <= hair {
					continue
				}
				middle := (from + to) / 2
				inside, known = a.Contains(Point{p.Lon + (q.Lon-p.Lon)*middle, p.Lat + (q.Lat-p.Lat)*middle}), true
				if inside {
					take(float64(i)+from, float64(i)+to)
				}
				from = to
			}
		}
	}
	return list
}

// near reports whether the line between two points may come into the area.
func (a *Area) near(p, q Point) bool {
	return min(p.Lon, q.Lon) <= a.bounds.Max.Lon && max(p.Lon, q.Lon) >= a.bounds.Min.Lon &&
		min(p.Lat, q.Lat) <= a.bounds.Max.Lat && max(p.Lat, q.Lat) >= a.bounds.Min.Lat
}

// crossings appends where the line between two points meets the area's sides, 0
// to 1. Some places may come twice.
func (a *Area) crossings(places []float64, p, q Point) []float64 {
	first := a.band(max(min(p.Lat, q.Lat), a.low))
	last := a.band(min(max(p.Lat, q.Lat), a.bounds.Max.Lat))
	west, east := min(p.Lon, q.Lon), max(p.Lon, q.Lon)
	for _, s := range a.sides[a.rows[first]:a.rows[last+1]] {
		if s.a.Lon < west && s.b.Lon < west || s.a.Lon > east && s.b.Lon > east {
			continue
		}
		if from, to, meets := Crossing(p, q, s.a, s.b); meets {
			places = append(places, from, to)
		}
	}
	return places
}

// Corner is a corner of an area by its ring, of all rings of all polygons, and
// where in that it stands.
type Corner struct{ Ring, Index int }

// Crossings calls yield with each two sides of the area that cross, by the corners
// they begin at in their rings, and where, until it returns false. Sides that only
// touch, or lie along each other, do not cross. Some may come twice.
func (a *Area) Crossings(yield func(one, other Corner, at Point) bool) {
	var sides []areaSide
	for row := range len(a.rows) - 1 {
		sides = append(sides[:0], a.sides[a.rows[row]:a.rows[row+1]]...)
		slices.SortFunc(sides, func(s, t areaSide) int { return cmp.Compare(s.west(), t.west()) })
		for i, s := range sides {
			for _, t := range sides[i+1:] {
				if t.west() > s.east() {
					break
				}
				if at, ok := s.crosses(t); ok && !yield(s.corner(), t.corner(), at) {
					return
				}
			}
		}
	}
}

func (s areaSide) corner() Corner { return Corner{int(s.ring), int(s.i)} }

func (s areaSide) west() float64 { return min(s.a.Lon, s.b.Lon) }
func (s areaSide) east() float64 { return max(s.a.Lon, s.b.Lon) }

// crosses returns the place within both sides where they cross.
func (s areaSide) crosses(t areaSide) (at Point, ok bool) {
	from, to, meets := Crossing(s.a, s.b, t.a, t.b)
	other, _, _ := Crossing(t.a, t.b, s.a, s.b)
	const end = 1e-6 // parts of a side
	if !meets || from != to || from < end || from > 1-end || other < end || other > 1-end {
		return at, false
	}
	return Point{s.a.Lon + (s.b.Lon-s.a.Lon)*from, s.a.Lat + (s.b.Lat-s.a.Lat)*from}, true
}
