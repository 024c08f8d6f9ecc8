package multipolygon

import (
	"cmp"
	"slices"
)

// mostEnds is how many loose ends are joined with one another at the most: all
// pairs are compared, and a relation with more is torn to pieces.
const mostEnds = 200

// Bridges closes short gaps between the loose ends of a relation's ways: it
// gives members of two nodes each that lead from one loose end to another, the
// shortest first, where away says that they are near enough. An end is joined
// once.
func Bridges(members []Member, away func(a, b int64) (metres float64, near bool)) []Member {
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
	var bridges []Member
	for _, g := range gaps {
		if !joined[g.a] && !joined[g.b] {
			joined[g.a], joined[g.b] = true, true
			bridges = append(bridges, Member{Nodes: []int64{g.a, g.b}})
		}
	}
	return bridges
}
