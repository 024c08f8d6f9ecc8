package shore

import (
	"cmp"
	"slices"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/importer/basemap/plane"
)

// joinCoast joins ways end to start into chains as long as possible. Closed ways stay
// as they are.
func joinCoast(lines []Coast) []orb.LineString {
	starts := map[int64][]int{}
	ends := map[int64]bool{}
	for i, l := range lines {
		if l.First != l.Last {
			starts[l.First] = append(starts[l.First], i)
			ends[l.Last] = true
		}
	}
	used := make([]bool, len(lines))
	var out []orb.LineString
	follow := func(i int) {
		chain := slices.Clone(lines[i].Points)
		used[i] = true
		first, last := lines[i].First, lines[i].Last
		for last != first {
			next := starts[last]
			for len(next) > 0 && used[next[0]] { // for good
				next = next[1:]
			}
			if starts[last] = next; len(next) == 0 {
				break
			}
			j := next[0]
			used[j] = true
			chain = appendBeside(chain, lines[j].Points)
			last = lines[j].Last
		}
		out = append(out, chain)
	}
	// Chains with a true start come first; the rest are circles.
	for i, l := range lines {
		if !used[i] && !ends[l.First] {
			follow(i)
		}
	}
	for i := range lines {
		if !used[i] {
			follow(i)
		}
	}
	return out
}

// appendBeside appends points, of which the first is the last of the chain, in the
// chain's turn of the globe.
func appendBeside(chain, points orb.LineString) orb.LineString {
	turns := points[0][0] - chain[len(chain)-1][0]
	for _, p := range points[1:] {
		chain = append(chain, orb.Point{p[0] - turns, p[1]})
	}
	return chain
}

// maxOpenChains limits the chains that closeGaps compares in pairs.
const maxOpenChains = 4096

// leastOpen is how wide the gap of a chain is, compared with its length, that is no ring.
const leastOpen = 1.0 / 3

// closeGaps joins ends inside the box to the nearest starts, if those are nearer than
// the box's sides: an extract cut along a border ends the two banks of a river beside
// one another, and extended to the sides separately they would cross.
//
// A chain is joined to itself where little of a ring is missing.
//
// More than maxOpenChains chains are not joined: no border cuts so many.
func closeGaps(chains []orb.LineString, box orb.Bound) (joined []orb.LineString, gaps int) {
	type gap struct {
		from, to int // chains: the end of one, the start of the other
		width    float64
	}
	var all []gap
	open := func(c orb.LineString) bool { return len(c) > 1 && c[0] != c[len(c)-1] }
	count := 0
	for _, c := range chains {
		if open(c) {
			count++
		}
	}
	if count > maxOpenChains {
		return chains, 0
	}
	aside := func(p orb.Point) float64 { // from the nearest side; 0 outside
		if !box.Contains(p) {
			return 0
		}
		return distance(p, nearestSide(p, box))
	}
	for i, c := range chains {
		end := c[len(c)-1]
		if !open(c) || aside(end) == 0 {
			continue
		}
		for j, d := range chains {
			width := distance(end, d[0])
			if i == j && width > leastOpen*plane.Length(c) {
				continue // a stretch of coast, not an island
			}
			if open(d) && width < aside(end) && width < aside(d[0]) {
				all = append(all, gap{i, j, width})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b gap) int { return cmp.Compare(a.width, b.width) })
	lines := make([]Coast, len(chains))
	for i, c := range chains {
		lines[i] = Coast{First: int64(2 * i), Last: int64(2*i + 1), Points: c}
		if !open(c) {
			lines[i].Last = lines[i].First
		}
	}
	led := map[int]bool{}
	for _, g := range all {
		from, to := &lines[g.from], chains[g.to]
		if taken := from.Last != int64(2*g.from+1); taken || led[g.to] {
			continue
		}
		from.Last, led[g.to] = int64(2*g.to), true
		from.Points = append(from.Points[:len(from.Points):len(from.Points)], to[0])
		gaps++
	}
	return joinCoast(lines), gaps
}
