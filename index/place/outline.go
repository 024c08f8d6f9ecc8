package place

import (
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place/tree"
)

// Outline returns the corners of an outline by its number.
func (x *Index) Outline(i uint32) []geo.Fixed {
	return x.Corners[x.OutlineFrom[i]:x.OutlineFrom[i+1]]
}

// HasOutline reports whether a record has an outline.
func (x *Index) HasOutline(record uint32) bool {
	_, has := slices.BinarySearch(x.OutlineOf, record)
	return has
}

// Distance returns how far a point is from an address, in metres: 0 within its building.
func (a *House) Distance(p geo.Point) float64 {
	if a.Shape == 0 {
		return geo.Distance(p, a.At.Point())
	}
	r := tree.RectangleOf(a.Shape)
	along, across := r.From(tree.Planar(a.At, p.Fix()))
	return math.Hypot(max(0, along-r.Long), max(0, across-r.Wide))
}

// Order is by which an address comes before others near a point: its distance, or a little more
// for a building. One that holds the point comes before those that do not, the small before the
// large, and of two that the map lays over each other the one whose middle is nearer.
func (a *House) Order(p geo.Point) float64 {
	if a.Shape == 0 {
		return geo.Distance(p, a.At.Point())
	}
	r := tree.RectangleOf(a.Shape)
	along, across := r.From(tree.Planar(a.At, p.Fix()))
	if along > r.Long || across > r.Wide {
		return tree.WallMost + math.Hypot(max(0, along-r.Long), max(0, across-r.Wide))
	}
	out := max(along/max(r.Long, 1e-3), across/max(r.Wide, 1e-3)) // 0 in the middle, 1 at a wall
	return min(tree.WallMost, tree.WallShare*2*math.Sqrt(r.Long*r.Wide)) * (0.5 + out) / 1.5
}

// Box returns that around an address's building.
func (a *House) Box() tree.Box {
	b := tree.BoxOf(a.At)
	if a.Shape == 0 {
		return b
	}
	r := tree.RectangleOf(a.Shape)
	east := math.Abs(r.East) + r.Long*math.Abs(r.Cos) + r.Wide*math.Abs(r.Sin)
	north := math.Abs(r.North) + r.Long*math.Abs(r.Sin) + r.Wide*math.Abs(r.Cos)
	up := int64(math.Ceil(north / tree.MetresPerDegree * 1e7))
	side := int64(math.Ceil(east / tree.MetresPerDegree * 1e7 / max(0.01, math.Cos(float64(a.At.Lat)/1e7*math.Pi/180))))
	const half = tree.Globe / 2
	b.West, b.East = int32(max(-half, int64(b.West)-side)), int32(min(half, int64(b.East)+side))
	b.South, b.North = int32(max(-half/2, int64(b.South)-up)), int32(min(half/2, int64(b.North)+up))
	return b
}
