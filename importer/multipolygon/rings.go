// Package multipolygon assembles the rings of areas that are mapped as relations
// of ways.
package multipolygon

import (
	"cmp"
	"math"
	"slices"

	"github.com/paulmach/orb"
)

// segment is one side of a ring, between two nodes.
type segment struct {
	a, b  int64
	inner bool // from a way with the role inner
	used  bool
}

// Member is a way of a multipolygon; one without nodes is a way that the extract
// lacks.
type Member struct {
	Nodes []int64
	Inner bool // its role says that it goes round a hole
}

// Assemble builds the polygons of a multipolygon relation from its ways. The nesting of
// the rings counts, not the roles, which are often wrong. Sides shared by two ways
// cancel out, so rings that touch along a line merge; rings that touch in a point are
// separated. Ways that do not close are left out and counted in broken; then, or if
// ways are missing, rings made of inner ways only are no outer rings either, because
// their own outer ring may be missing. If nesting takes more than the effort, all rings
// are broken.
//
// turn is once round the globe in units of x; rings go the shorter way round it, beyond
// the antimeridian if need be. It is 0 for positions in a plane.
func Assemble(work *Effort, members []Member, at func(int64) (orb.Point, bool), turn float64) (_ orb.MultiPolygon, broken int) {
	segments := sides(members)
	if len(segments) == 0 {
		return nil, 0
	}
	byNode := map[int64][]int{}
	for i, s := range segments {
		byNode[s.a] = append(byNode[s.a], i)
		byNode[s.b] = append(byNode[s.b], i)
	}
	var rings []ring
	for i := range segments {
		if segments[i].used {
			continue
		}
		found, open := walk(segments, byNode, i)
		if open {
			broken++
		}
		for _, f := range found {
			r, ok := locate(f, at, turn)
			if !ok {
				broken++
				continue
			}
			rings = append(rings, r)
		}
	}
	if !slices.ContainsFunc(rings, func(r ring) bool { return r.beyond }) {
		turn = 0 // all are in the same one
	}
	areas, ok := nest(work, rings, turn, broken > 0 || slices.ContainsFunc(members, func(m Member) bool { return len(m.Nodes) == 0 }))
	if !ok {
		return nil, broken + len(rings)
	}
	return areas, broken
}

// sides lists the segments that occur an odd number of times.
func sides(members []Member) []segment {
	type key struct{ a, b int64 }
	index := map[key]int{}
	var all []segment
	for _, m := range members {
		for i := 1; i < len(m.Nodes); i++ {
			a, b := m.Nodes[i-1], m.Nodes[i]
			if a == b {
				continue
			}
			k := key{min(a, b), max(a, b)}
			if at, ok := index[k]; ok {
				all[at].used = !all[at].used
				continue
			}
			index[k] = len(all)
			all = append(all, segment{a: a, b: b, inner: m.Inner})
		}
	}
	return slices.DeleteFunc(all, func(s segment) bool { return s.used })
}

// loop is a closed walk without its last node repeated.
type loop struct {
	nodes []int64
	inner bool // all of it from inner ways
}

// walk follows unused segments from one of them and cuts off a loop each time it
// returns to a node of its path. It reports whether there was a dead end.
func walk(segments []segment, byNode map[int64][]int, start int) (loops []loop, open bool) {
	path := []int64{segments[start].a}
	inner := []bool{}
	on := map[int64]int{segments[start].a: 0}
	for {
		here := path[len(path)-1]
		next := -1
		left := byNode[here]
		for len(left) > 0 && segments[left[0]].used { // for good
			left = left[1:]
		}
		byNode[here] = left
		if len(left) > 0 {
			next = left[0]
		}
		if next < 0 {
			if len(path) == 1 {
				return loops, open
			}
			// A dead end: step back; the segment to it is lost.
			open = true
			delete(on, here)
			path, inner = path[:len(path)-1], inner[:len(inner)-1]
			continue
		}
		s := &segments[next]
		s.used = true
		to := s.b
		if to == here {
			to = s.a
		}
		inner = append(inner, s.inner)
		at, seen := on[to]
		if !seen {
			on[to] = len(path)
			path = append(path, to)
			continue
		}
		l := loop{nodes: slices.Clone(path[at:]), inner: !slices.Contains(inner[at:], false)}
		for _, n := range path[at+1:] {
			delete(on, n)
		}
		path, inner = path[:at+1], inner[:at]
		if len(l.nodes) >= 3 {
			loops = append(loops, l)
		}
	}
}

// ring is a closed ring with what nesting needs.
type ring struct {
	points orb.Ring
	bound  orb.Bound
	area   float64
	inner  bool
	beyond bool // goes on beyond where positions are counted anew
}

func locate(l loop, at func(int64) (orb.Point, bool), turn float64) (ring, bool) {
	beyond := false
	points := make(orb.Ring, 0, len(l.nodes)+1)
	for _, n := range l.nodes {
		p, ok := at(n)
		if !ok {
			return ring{}, false
		}
		if n := len(points); n > 0 && math.Abs(p[0]-points[n-1][0]) > turn/2 && turn > 0 {
			p[0] -= turn * math.Round((p[0]-points[n-1][0])/turn)
			beyond = true
		}
		points = append(points, p)
	}
	if turn > 0 && math.Abs(points[0][0]-points[len(points)-1][0]) > turn/2 {
		return ring{}, false // round a pole
	}
	points = append(points, points[0])
	r := ring{points: points, bound: points.Bound(), area: math.Abs(Shoelace(points)), inner: l.inner, beyond: beyond}
	return r, r.area > 0
}

// moved returns a ring with x changed.
func (r ring) moved(x float64) ring {
	r.points = slices.Clone(r.points)
	for i := range r.points {
		r.points[i][0] += x
	}
	r.bound = r.points.Bound()
	return r
}

// nest makes polygons of rings by how deep they lie in each other. With distrust,
// outermost rings of inner ways are left out. It is not ok if that takes more than the
// effort. Holes are moved into the turn of their outer ring.
func nest(work *Effort, rings []ring, turn float64, distrust bool) (out orb.MultiPolygon, ok bool) {
	slices.SortStableFunc(rings, func(a, b ring) int { return cmp.Compare(b.area, a.area) })
	depth := make([]int, len(rings))
	polygon := make([]int, len(rings)) // index into out, for outer rings
	turns := []float64{0}
	if turn > 0 {
		turns = []float64{0, turn, -turn}
	}
	for i := range rings {
		parent := -1
		for j := i - 1; j >= 0 && parent < 0; j-- {
			if !work.Spend(1) {
				return nil, false
			}
			for _, x := range turns {
				if b := rings[i].bound; !rings[j].bound.Contains(orb.Point{b.Min[0] + x, b.Min[1]}) || !rings[j].bound.Contains(orb.Point{b.Max[0] + x, b.Max[1]}) {
					continue
				}
				if !work.Spend(MostVotes * len(rings[j].points)) {
					return nil, false
				}
				r := rings[i]
				if x != 0 {
					r = r.moved(x)
				}
				if Inside(rings[j].points, r.points) {
					parent, rings[i] = j, r
					break
				}
			}
		}
		r := rings[i]
		if parent >= 0 {
			depth[i] = depth[parent] + 1
		}
		switch {
		case depth[i]%2 == 1:
			polygon[i] = polygon[parent]
			if p := polygon[parent]; p >= 0 {
				out[p] = append(out[p], r.points)
			}
		case distrust && r.inner:
			polygon[i] = -1
		default:
			polygon[i] = len(out)
			out = append(out, orb.Polygon{r.points})
		}
	}
	return out, true
}
