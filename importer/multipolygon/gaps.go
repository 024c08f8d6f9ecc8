package multipolygon

import (
	"cmp"
	"context"
	"slices"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/geo"
)

// longestGap is how far apart, in metres, two loose ends of a border may be to be joined.
const longestGap = 100.0

// AssembleClosing is Assemble for borders with gaps: loose ends within 100 m of each
// other are joined, and joined counts these. Positions are longitudes and latitudes in
// degrees.
func AssembleClosing(ctx context.Context, members []Member, at func(int64) (orb.Point, bool), turn float64) (_ orb.MultiPolygon, broken, joined int) {
	polygons, broken := Assemble(NewEffort(ctx), members, at, turn)
	if broken == 0 {
		return polygons, 0, 0
	}
	closing := bridges(members, func(a, b int64) (metres float64, near bool) {
		p, known := at(a)
		q, also := at(b)
		if !known || !also {
			return 0, false
		}
		metres = geo.Distance(geo.Point{Lon: p[0], Lat: p[1]}, geo.Point{Lon: q[0], Lat: q[1]})
		return metres, metres <= longestGap
	})
	if len(closing) > 0 {
		polygons, broken = Assemble(NewEffort(ctx), append(members, closing...), at, turn)
	}
	return polygons, broken, len(closing)
}

// mostEnds is the most loose ends that are joined: all pairs are compared, and a
// relation with more is too damaged.
const mostEnds = 200

// bridges closes short gaps between the loose ends of a relation's ways: it returns
// members of two nodes each that lead from one loose end to another, the shortest
// first, if away reports them as near. An end is joined once.
func bridges(members []Member, away func(a, b int64) (metres float64, near bool)) []Member {
	degree := map[int64]int{}
	for _, s := range sides(members) {
		degree[s.a]++
		degree[s.b]++
	}
	var ends []int64
	for node, n := range degree {
		if n%2 == 1 {
			ends = append(ends, node)
		}
	}
	if len(ends) > mostEnds {
		return nil
	}
	slices.Sort(ends)
	type gap struct {
		a, b   int64
		metres float64
	}
	var gaps []gap
	for i, a := range ends {
		for _, b := range ends[i+1:] {
			if metres, near := away(a, b); near {
				gaps = append(gaps, gap{a, b, metres})
			}
		}
	}
	slices.SortStableFunc(gaps, func(x, y gap) int { return cmp.Compare(x.metres, y.metres) })
	joined := map[int64]bool{}
	var closing []Member
	for _, g := range gaps {
		if !joined[g.a] && !joined[g.b] {
			joined[g.a], joined[g.b] = true, true
			closing = append(closing, Member{Nodes: []int64{g.a, g.b}})
		}
	}
	return closing
}
