package shore

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/importer/multipolygon"
)

// holds reports whether inner lies in the box; it may touch its sides, as an island
// does if the box is that of the data.
func holds(box, inner orb.Bound) bool {
	return inner.Min[0] >= box.Min[0] && inner.Min[1] >= box.Min[1] && inner.Max[0] <= box.Max[0] && inner.Max[1] <= box.Max[1]
}

// turnToOutside starts a closed chain at a point outside the box, so that
// cutting it does not leave an end inside.
func turnToOutside(chain orb.LineString, box orb.Bound) orb.LineString {
	for i, p := range chain[:len(chain)-1] {
		if !box.Contains(p) {
			out := append(orb.LineString{}, chain[i:len(chain)-1]...)
			return append(append(out, chain[:i]...), p)
		}
	}
	return chain
}

// reachSides extends the ends of a piece that lie inside the box to the nearest side, and
// returns the piece and what was added, each from the end to the side.
func reachSides(piece orb.LineString, box orb.Bound) (_ orb.LineString, guessed []orb.LineString) {
	if first := piece[0]; !onSide(first, box) {
		side := nearestSide(first, box)
		piece = append(orb.LineString{side}, piece...)
		guessed = append(guessed, orb.LineString{first, side})
	}
	if last := piece[len(piece)-1]; !onSide(last, box) {
		side := nearestSide(last, box)
		piece = append(piece[:len(piece):len(piece)], side)
		guessed = append(guessed, orb.LineString{last, side})
	}
	return piece, guessed
}

func onSide(p orb.Point, box orb.Bound) bool {
	return p[0] == box.Min[0] || p[0] == box.Max[0] || p[1] == box.Min[1] || p[1] == box.Max[1]
}

func nearestSide(p orb.Point, box orb.Bound) orb.Point {
	sides := []orb.Point{{box.Min[0], p[1]}, {box.Max[0], p[1]}, {p[0], box.Min[1]}, {p[0], box.Max[1]}}
	return slices.MinFunc(sides, func(a, b orb.Point) int {
		return cmp.Compare(distance(p, a), distance(p, b))
	})
}

// perimeter returns the position of a point on a side along the way round the box,
// anticlockwise on the map from the north-west corner: 0 to 4.
func perimeter(p orb.Point, box orb.Bound) float64 {
	w, h := box.Max[0]-box.Min[0], box.Max[1]-box.Min[1]
	switch {
	case p[0] == box.Min[0] && p[1] < box.Max[1]:
		return (p[1] - box.Min[1]) / h
	case p[1] == box.Max[1] && p[0] < box.Max[0]:
		return 1 + (p[0]-box.Min[0])/w
	case p[0] == box.Max[0] && p[1] > box.Min[1]:
		return 2 + (box.Max[1]-p[1])/h
	default:
		return 3 + (box.Max[0]-p[0])/w
	}
}

// corner returns the corner at an integral position of the perimeter.
func corner(i int, box orb.Bound) orb.Point {
	switch i % 4 {
	case 0:
		return box.Min
	case 1:
		return orb.Point{box.Min[0], box.Max[1]}
	case 2:
		return box.Max
	default:
		return orb.Point{box.Max[0], box.Min[1]}
	}
}

// joinRound joins arcs through the box into rings that have their left side
// inside: from the end of an arc anticlockwise along the box to the next start.
func joinRound(arcs []orb.LineString, box orb.Bound) orb.MultiPolygon {
	type start struct {
		at  float64
		arc int
	}
	starts := make([]start, len(arcs))
	for i, a := range arcs {
		starts[i] = start{perimeter(a[0], box), i}
	}
	slices.SortStableFunc(starts, func(a, b start) int { return cmp.Compare(a.at, b.at) })
	place := make([]int, len(arcs)) // of each arc's start
	for i, s := range starts {
		place[s.arc] = i
	}
	used := make([]bool, len(arcs))
	free := newFirstFree(len(starts))
	// next returns the first unused start at or after a place, or the arc the
	// ring began with where that is no further.
	next := func(at float64, first int) (arc int, to float64) {
		i, _ := slices.BinarySearchFunc(starts, at, func(s start, v float64) int { return cmp.Compare(s.at, v) })
		k := place[first]
		if k < i {
			k += len(starts)
		}
		n := free.from(i)
		if n == len(starts) {
			n += free.from(0)
		}
		n = min(n, k)
		to = starts[n%len(starts)].at
		if n >= len(starts) {
			to += 4
		}
		return starts[n%len(starts)].arc, to
	}
	var out orb.MultiPolygon
	for i := range arcs {
		if used[i] {
			continue
		}
		var ring orb.Ring
		for arc := i; ; {
			used[arc] = true
			free.take(place[arc])
			ring = append(ring, arcs[arc]...)
			at := perimeter(arcs[arc][len(arcs[arc])-1], box)
			following, to := next(at, i)
			for c := int(at) + 1; float64(c) <= to; c++ {
				ring = append(ring, corner(c, box))
			}
			if following == i {
				break
			}
			arc = following
		}
		ring = append(ring, ring[0])
		if multipolygon.Shoelace(ring) != 0 {
			out = append(out, orb.Polygon{ring})
		}
	}
	return out
}

// firstFree finds the first position at or after another that is not taken.
type firstFree []int

func newFirstFree(n int) firstFree {
	f := make(firstFree, n+1)
	for i := range f {
		f[i] = i
	}
	return f
}

// from returns the first free place at or after i, the number of places where
// there is none.
func (f firstFree) from(i int) int {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

func (f firstFree) take(i int) { f[i] = f.from(i + 1) }

func distance(a, b orb.Point) float64 { return math.Hypot(b[0]-a[0], b[1]-a[1]) }
