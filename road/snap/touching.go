package snap

import (
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// Around returns a box that contains everything within so many metres of a point.
func Around(p geo.Point, metres float64) Box {
	lat := metres/degree*1e7 + 1
	lon := math.Min(lat/math.Max(math.Cos(p.Lat*math.Pi/180), 0.01), 180e7)
	return boxAround(p.Fix(), lon, lat)
}

// boxAround returns the box that goes so far to all sides of a place.
func boxAround(at geo.Fixed, lon, lat float64) Box {
	return Box{MinLon: below(at.Lon, lon), MinLat: below(at.Lat, lat), MaxLon: -below(-at.Lon, lon), MaxLat: -below(-at.Lat, lat)}
}

func below(at int32, by float64) int32 { return int32(math.Max(-math.MaxInt32, float64(at)-by)) }

// Touches reports whether two boxes have a place in common, without a branch for each
// side, since for boxes about a point a processor cannot predict which.
func (b *Box) Touches(o *Box) bool { return b.overlap(*o) >= 0 }

// overlap is below 0 where two boxes have no place in common.
func (b *Box) overlap(o Box) int64 {
	west, east := int64(o.MaxLon)-int64(b.MinLon), int64(b.MaxLon)-int64(o.MinLon)
	south, north := int64(o.MaxLat)-int64(b.MinLat), int64(b.MaxLat)-int64(o.MinLat)
	return west | east | south | north
}

// Touching appends the segments whose boxes touch a box, of long ones those of their
// parts, in no order.
func (t *Tree) Touching(dst []graph.Segment, b Box) []graph.Segment {
	if len(t.Boxes) == 0 {
		return dst
	}
	before := len(dst)
	dst = t.touching(dst, &b, uint32(len(t.Boxes)-1), len(t.Level)-2)
	if len(t.Part) == 0 {
		return dst
	}
	slices.Sort(dst[before:])
	return dst[:before+len(slices.Compact(dst[before:]))]
}

func (t *Tree) touching(dst []graph.Segment, b *Box, node uint32, level int) []graph.Segment {
	if !t.Boxes[node].Touches(b) {
		return dst
	}
	if level == 0 {
		return append(dst, t.segment(node))
	}
	first := t.Level[level-1] + (node-t.Level[level])*fanout
	for child := first; child < min(first+fanout, t.Level[level]); child++ {
		dst = t.touching(dst, b, child, level-1)
	}
	return dst
}

// Side returns the longer side in metres of the box around all segments.
func (t *Tree) Side() float64 {
	if len(t.Boxes) == 0 {
		return 0
	}
	b := t.Boxes[len(t.Boxes)-1]
	lat := max(float64(b.MinLat), -float64(b.MaxLat), 0) // nearest to the equator, where a degree is widest
	wide := float64(b.MaxLon) - float64(b.MinLon)
	return degree * 1e-7 * max(wide*math.Cos(lat*1e-7*math.Pi/180), float64(b.MaxLat)-float64(b.MinLat))
}
