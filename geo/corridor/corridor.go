// Package corridor finds what lies along a route: points, lines and areas, with
// where on the route each is, on which side, and in which direction of travel.
// It is exact where a route turns back on itself or crosses itself: every time a
// route passes a place is a pass of its own.
//
// Records are kept in an Index, made once; a route is compared with it stretch
// by stretch, so that neither the length of the route times the number of records
// counts, but what is near.
package corridor

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"github.com/waygate/waygate/geo"
)

// A stretch has one box around it.
const (
	stretchPieces = 16
	stretchMetres = 500 // unless one piece is longer
)

// Corridor is a route, ready to be compared. It is immutable.
type Corridor struct {
	line      []geo.Point
	arc       []float64 // metres from the start, by point
	stretches []stretch
}

// stretch is a run of pieces: from point first to point last.
type stretch struct {
	first, last int
	box         geo.Bounds
}

// New makes a corridor of a line of at least one point.
func New(line []geo.Point) *Corridor {
	c := &Corridor{line: line, arc: make([]float64, len(line))}
	s := stretch{box: geo.NoBounds().Extend(line[0])}
	scale := newScale(line[0].Lat)
	for i := 1; i < len(line); i++ {
		length := scale.metres(line[i-1], line[i])
		if i > s.first+1 && (i-s.first > stretchPieces || c.arc[i-1]-c.arc[s.first]+length > stretchMetres) {
			s.last = i - 1
			c.stretches = append(c.stretches, s)
			s = stretch{first: i - 1, box: geo.NoBounds().Extend(line[i-1])}
			scale = newScale(line[i-1].Lat)
		}
		c.arc[i] = c.arc[i-1] + length
		s.box = s.box.Extend(line[i])
	}
	s.last = len(line) - 1
	c.stretches = append(c.stretches, s)
	return c
}

// metresPerDegree is of latitude.
const metresPerDegree = geo.EarthRadius * math.Pi / 180

// scale reckons short distances near a latitude without a sine for each.
type scale struct{ lat, cos, sin float64 }

func newScale(lat float64) scale {
	sin, cos := math.Sincos(lat * math.Pi / 180)
	return scale{lat, cos, sin}
}

// far is how many degrees from its latitude a scale holds.
const far = 0.05

func (s *scale) metres(a, b geo.Point) float64 {
	dLat, dLon := b.Lat-a.Lat, b.Lon-a.Lon
	mid := (a.Lat+b.Lat)/2 - s.lat
	if math.Abs(mid) > far || math.Abs(dLat) > far || math.Abs(dLon) > far {
		return geo.Distance(a, b)
	}
	mid *= math.Pi / 180
	x := dLon * (s.cos - s.sin*mid - s.cos*mid*mid/2)
	return math.Sqrt(x*x+dLat*dLat) * metresPerDegree
}

// Length returns the route's length in metres.
func (c *Corridor) Length() float64 { return c.arc[len(c.arc)-1] }

// Line returns the route.
func (c *Corridor) Line() []geo.Point { return c.line }

// Arc returns how many metres from the start a point of the line lies, by its index.
func (c *Corridor) Arc(i int) float64 { return c.arc[i] }

// At returns the place so many metres from the start, within the route, and the
// bearing of the route there in degrees.
func (c *Corridor) At(arc float64) (p geo.Point, bearing float64) {
	i := sort.SearchFloat64s(c.arc, arc) // the first point at or past it
	switch {
	case i <= 0:
		return c.line[0], c.bearing(0)
	case i >= len(c.line):
		return c.line[len(c.line)-1], c.bearing(len(c.line) - 2)
	}
	a, b := c.line[i-1], c.line[i]
	t := (arc - c.arc[i-1]) / (c.arc[i] - c.arc[i-1])
	return geo.Between(a, b, t), c.bearing(i - 1)
}

// bearing returns that of the piece from a point on, or of the next with a length, or
// of the last before it.
func (c *Corridor) bearing(i int) float64 {
	for j := max(i, 0); j+1 < len(c.line); j++ {
		if c.line[j] != c.line[j+1] {
			return geo.Bearing(c.line[j], c.line[j+1])
		}
	}
	for j := min(i, len(c.line)-1); j > 0; j-- {
		if c.line[j] != c.line[j-1] {
			return geo.Bearing(c.line[j-1], c.line[j])
		}
	}
	return 0
}

// Bounds returns the box around the route.
func (c *Corridor) Bounds() geo.Bounds {
	b := geo.NoBounds()
	for i := range c.stretches {
		b = b.Union(c.stretches[i].box)
	}
	return b
}

// Part is a run of the route's stretches, from one up to another.
type Part struct{ first, end int32 }

// whole is all of the route.
func (c *Corridor) whole() []Part { return []Part{{0, int32(len(c.stretches))}} }

// Near calls each for every record of an index whose box comes within so many
// metres of the route, in ascending order, with the parts of the route that come
// near it. The parts are good until each returns, which ends the search by false. The
// error is the context's, at which it looks every few records and stretches.
func (c *Corridor) Near(ctx context.Context, x *Index, metres float64, each func(record int, near []Part) bool) error {
	// A record above the stretch that it is near.
	var hits []uint64
	for i := range c.stretches {
		if i%heedEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x.Search(grown(c.stretches[i].box, metres), func(record int) bool {
			hits = append(hits, uint64(record)<<32|uint64(i))
			return len(hits) < mostHits
		})
		if len(hits) == mostHits {
			return c.nearOneByOne(ctx, x, metres, each)
		}
	}
	slices.Sort(hits)
	var parts []Part
	for i, n := 0, 0; i < len(hits); n++ {
		if n%heedEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		record := hits[i] >> 32
		parts = parts[:0]
		for ; i < len(hits) && hits[i]>>32 == record; i++ {
			s := int32(hits[i] & math.MaxUint32)
			if n := len(parts); n > 0 && parts[n-1].end == s {
				parts[n-1].end = s + 1
			} else {
				parts = append(parts, Part{s, s + 1})
			}
		}
		if !each(int(record), parts) {
			break
		}
	}
	return ctx.Err()
}

const (
	// heedEvery is how many stretches or records are looked at between two looks at the
	// context.
	heedEvery = 16
	// mostHits is how many pairs of a record and a stretch are gathered, of 8 bytes each,
	// before records are compared with the route one by one.
	mostHits = 1 << 19
)

// nearOneByOne is Near for a route of which many stretches come near many records, such as
// one that crosses a town again and again: it gathers no pairs.
func (c *Corridor) nearOneByOne(ctx context.Context, x *Index, metres float64, each func(record int, near []Part) bool) error {
	type leaf struct {
		record int32
		at     int
	}
	leaves, boxes := make([]leaf, len(x.records)), make([]geo.Bounds, len(c.stretches))
	for i, r := range x.records {
		leaves[i] = leaf{r, i}
	}
	slices.SortFunc(leaves, func(a, b leaf) int { return cmp.Compare(a.record, b.record) })
	for i := range boxes {
		boxes[i] = grown(c.stretches[i].box, metres)
	}
	var parts []Part
	for n, l := range leaves {
		if n%heedEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		parts = parts[:0]
		for i := range boxes {
			if !boxes[i].Intersects(x.levels[0][l.at]) {
				continue
			}
			if k := len(parts); k > 0 && int(parts[k-1].end) == i {
				parts[k-1].end++
			} else {
				parts = append(parts, Part{int32(i), int32(i) + 1})
			}
		}
		if len(parts) > 0 && !each(int(l.record), parts) {
			break
		}
	}
	return ctx.Err()
}

// Pairs is about how many pieces of the route are compared with records of an index that
// come within so many metres, were the records spread evenly over their bounds.
func (c *Corridor) Pairs(x *Index, metres float64) (pairs float64) {
	if x == nil || len(x.levels) == 0 {
		return 0
	}
	all := geo.NoBounds()
	for _, b := range x.levels[len(x.levels)-1] {
		all = all.Union(b)
	}
	side := func(low, high, from, to float64) float64 { // the share of low to high that from to to covers
		if high <= low {
			return 1
		}
		return max(0, min(high, to)-max(low, from)) / (high - low)
	}
	for i := range c.stretches {
		s := &c.stretches[i]
		box := grown(s.box, metres)
		share := side(all.Min.Lon, all.Max.Lon, box.Min.Lon, box.Max.Lon) * side(all.Min.Lat, all.Max.Lat, box.Min.Lat, box.Max.Lat)
		pairs += share * float64(x.Len()) * float64(s.last-s.first+1)
	}
	return pairs
}

// grown returns a box with so many metres around it, a little more rather than less.
func grown(b geo.Bounds, metres float64) geo.Bounds {
	dLat := metres * 1.001 / metresPerDegree
	lat := min(89, max(math.Abs(b.Min.Lat), math.Abs(b.Max.Lat))+dLat)
	dLon := dLat / math.Cos(lat*math.Pi/180)
	return geo.Bounds{Min: geo.Point{Lon: b.Min.Lon - dLon, Lat: b.Min.Lat - dLat}, Max: geo.Point{Lon: b.Max.Lon + dLon, Lat: b.Max.Lat + dLat}}
}
