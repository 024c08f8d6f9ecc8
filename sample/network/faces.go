package network

import (
	"cmp"
	"math"
	"slices"

	"github.com/waygate/waygate/sample/plane"
)

// Faces returns the parcels that noded lines enclose, anticlockwise and not
// closed. Lines that lead nowhere bound none.
func Faces(lines []*Road) [][]plane.Point {
	next := map[plane.Point][]plane.Point{}
	link := func(a, b plane.Point) {
		if !slices.Contains(next[a], b) {
			next[a] = append(next[a], b)
		}
	}
	var order []plane.Point
	for _, l := range lines {
		for i := 1; i < len(l.Pts); i++ {
			a, b := l.Pts[i-1], l.Pts[i]
			if _, ok := next[a]; !ok {
				order = append(order, a)
			}
			link(a, b)
			if _, ok := next[b]; !ok {
				order = append(order, b)
			}
			link(b, a)
		}
	}
	// Prune loose ends.
	var loose []plane.Point
	for _, p := range order {
		if len(next[p]) == 1 {
			loose = append(loose, p)
		}
	}
	for len(loose) > 0 {
		p := loose[len(loose)-1]
		loose = loose[:len(loose)-1]
		if len(next[p]) != 1 {
			continue
		}
		q := next[p][0]
		next[p] = nil
		if i := slices.Index(next[q], p); i >= 0 {
			next[q] = slices.Delete(next[q], i, i+1)
		}
		if len(next[q]) == 1 {
			loose = append(loose, q)
		}
	}
	for _, p := range order {
		slices.SortFunc(next[p], func(a, b plane.Point) int { return cmp.Compare(bearing(p, a), bearing(p, b)) })
	}
	seen := map[[2]plane.Point]bool{}
	var out [][]plane.Point
	for _, p := range order {
		for _, q := range next[p] {
			if seen[[2]plane.Point{p, q}] {
				continue
			}
			var ring []plane.Point
			a, b := p, q
			for !seen[[2]plane.Point{a, b}] {
				seen[[2]plane.Point{a, b}] = true
				ring = append(ring, a)
				// Leave b by the neighbour clockwise before a: the face stays
				// on the left.
				n := next[b]
				i := slices.Index(n, a)
				a, b = b, n[(i+len(n)-1)%len(n)]
			}
			if plane.Area(ring) > 0 {
				out = append(out, ring)
			}
		}
	}
	return out
}

// bearing orders directions anticlockwise. It is no angle, but grows as one.
func bearing(p, q plane.Point) float64 {
	d := q.Sub(p)
	s := math.Abs(d.X) + math.Abs(d.Y)
	t := d.Y / s
	if d.X < 0 {
		return 2 - t
	}
	if d.Y < 0 {
		return 4 + t
	}
	return t
}
