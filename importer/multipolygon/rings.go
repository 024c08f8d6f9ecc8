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

// Assemble builds the polygons of a multipolygon relation from its ways. What
// counts is how the rings lie in each other, not the roles: roles are often
// wrong. Sides shared by two ways cancel out, so rings that touch along a line
// merge; rings that touch in a point come apart. Ways that do not close are
// left out and counted in broken; then, and where ways are missing, rings that
// only inner ways made are no outer rings either, for theirs may be what is
// missing. Rings that take more
// than the effort to sort out are broken, all of them.
func Assemble(work *Effort, members []Member, at func(int64) (orb.Point, bool)) (_ orb.MultiPolygon, broken int) {
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
			r, ok := locate(f, at)
			if !ok {
				broken++
				continue
			}
			rings = append(rings, r)
		}
	}
	areas, ok := nest(work, rings, broken > 0 || slices.ContainsFunc(members, func(m Member) bool { return len(m.Nodes) == 0 }))
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

// walk follows unused segments from one of them and cuts off a loop each time
// it comes back to a node of its path. It reports whether a dead end was left.
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
			// A dead end: step back, the segment to it is lost.
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
}

func locate(l loop, at func(int64) (orb.Point, bool)) (ring, bool) {
	points := make(orb.Ring, 0, len(l.nodes)+1)
	for _, n := range l.nodes {
		p, ok := at(n)
		if !ok {
			return ring{}, false
		}
		points = append(points, p)
	}
	points = append(points, points[0])
	r := ring{points: points, bound: points.Bound(), area: math.Abs(Shoelace(points)), inner: l.inner}
	return r, r.area > 0
}

// nest makes polygons of rings by how deep they lie in each other. With
// distrust, outermost rings of inner ways are left out. It is not ok where that
// takes more than the effort.
func nest(work *Effort, rings []ring, distrust bool) (out orb.MultiPolygon, ok bool) {
	slices.SortStableFunc(rings, func(a, b ring) int { return cmp.Compare(b.area, a.area) })
	depth := make([]int, len(rings))
	polygon := make([]int, len(rings)) // index into out, for outer rings
	for i, r := range rings {
		parent := -1
		for j := i - 1; j >= 0; j-- {
			if !work.Spend(1) {
				return nil, false
			}
			if !rings[j].bound.Contains(r.bound.Min) || !rings[j].bound.Contains(r.bound.Max) {
				continue
			}
			if !work.Spend(MostVotes * len(rings[j].points)) {
				return nil, false
			}
			if Inside(rings[j].points, r.points) {
				parent = j
				break
			}
		}
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
