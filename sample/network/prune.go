package network

import "github.com/waygate/waygate/sample/plane"

// Reachable leaves out roads that no driver could reach: those in no way joined to
// a main road.
func Reachable(roads []*Road) []*Road {
	parent := map[plane.Point]plane.Point{}
	var find func(p plane.Point) plane.Point
	find = func(p plane.Point) plane.Point {
		q, ok := parent[p]
		if !ok || q == p {
			return p
		}
		root := find(q)
		parent[p] = root
		return root
	}
	for _, r := range roads {
		if r.Rank == Rail {
			continue
		}
		for _, p := range r.Pts[1:] {
			parent[find(p)] = find(r.Pts[0])
		}
	}
	main := map[plane.Point]bool{}
	for _, r := range roads {
		if r.Pinned {
			main[find(r.Pts[0])] = true
		}
	}
	keep := roads[:0:0]
	for _, r := range roads {
		if r.Rank == Rail || main[find(r.Pts[0])] {
			keep = append(keep, r)
		}
	}
	return keep
}
