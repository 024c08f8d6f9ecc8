package basemap

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/waygate/waygate/importer/basemap/plane"
)

// joinLines joins line features that look the same at a zoom: streets mapped in pieces
// become one line, which draws faster, simplifies better and carries its name along all
// its length. The result depends on the order of in alone.
func joinLines(in []*feature, zoom int) []*feature {
	groups := map[string][]*feature{}
	var order []string
	var out []*feature
	var key []byte
	for _, f := range in {
		if len(f.lines) == 0 {
			out = append(out, f)
			continue
		}
		key = lookKey(key[:0], f, zoom)
		if _, ok := groups[string(key)]; !ok {
			order = append(order, string(key))
		}
		groups[string(key)] = append(groups[string(key)], f)
	}
	for _, k := range order {
		group := groups[k]
		if len(group) == 1 {
			out = append(out, group[0])
			continue
		}
		var lines orb.MultiLineString
		for _, f := range group {
			lines = append(lines, f.lines...)
		}
		for _, line := range joinEnds(lines, group[0].directed) {
			f := *group[0]
			f.lines = orb.MultiLineString{line}
			f.bound = line.Bound()
			f.size = plane.Length(line)
			f.order = levelOrder(group[0], zoom)
			out = append(out, &f)
		}
	}
	return out
}

// lookKey returns a key that is equal for line features drawn alike at a zoom.
func lookKey(key []byte, f *feature, zoom int) []byte {
	order := levelOrder(f, zoom)
	key = append(key, byte(f.layer), byte(order), byte(order>>8))
	if f.directed {
		key = append(key, 1)
	}
	for _, a := range f.attrs {
		if int(a.from) > zoom {
			continue
		}
		key = append(append(key, 0xff), a.key...)
		key = append(append(key, byte(a.value.kind)), a.value.text...)
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(a.value.number))
	}
	return key
}

// levelOrder returns a line's order at a zoom: bridges and tunnels are over and under
// the rest only where they are drawn differently, so that they do not cut roads in
// pieces on small maps.
func levelOrder(f *feature, zoom int) int32 {
	if zoom >= brunnelZoom {
		return f.order
	}
	switch {
	case f.order >= brunnelStep/2:
		return f.order - brunnelStep
	case f.order <= -brunnelStep/2:
		return f.order + brunnelStep
	}
	return f.order
}

// end is one end of a line: at is its point, ray the direction into the line.
type end struct {
	line   int
	back   bool // the last point rather than the first
	bear   float64
	paired int // the end it continues in, -1 where it stops
}

// maxEndsHere is the number of ends at one point beyond which lines are not joined,
// because all pairs are compared.
const maxEndsHere = 200

// maxJoinTurn is the largest change of direction at which lines that meet others are
// joined.
const maxJoinTurn = math.Pi / 3

// joinEnds joins lines at their ends: where two meet they are one, where more
// meet the straightest pairs are. Directed lines are joined end to start only.
func joinEnds(lines orb.MultiLineString, directed bool) orb.MultiLineString {
	ends := make([]end, 0, 2*len(lines))
	nodes := map[orb.Point][]int{}
	var order []orb.Point
	meet := func(p orb.Point, e end) {
		if _, ok := nodes[p]; !ok {
			order = append(order, p)
		}
		nodes[p] = append(nodes[p], len(ends))
		ends = append(ends, e)
	}
	for i, l := range lines {
		n := len(l)
		meet(l[0], end{i, false, bearing(l[0], l[1]), -1})
		meet(l[n-1], end{i, true, bearing(l[n-1], l[n-2]), -1})
	}
	for _, p := range order {
		pairEnds(ends, nodes[p], directed)
	}
	used := make([]bool, len(lines))
	var out orb.MultiLineString
	for i := range lines {
		if used[i] {
			continue
		}
		// Go back to where the chain starts, or round it once.
		at := 2 * i
		for ends[at].paired >= 0 {
			at = ends[at].paired ^ 1
			if at == 2*i {
				break
			}
		}
		var chain orb.LineString
		for {
			e := ends[at]
			used[e.line] = true
			chain = appendLine(chain, lines[e.line], e.back)
			next := ends[at^1].paired
			if next < 0 || used[ends[next].line] {
				break
			}
			at = next
		}
		out = append(out, chain)
	}
	return out
}

func bearing(from, to orb.Point) float64 { return math.Atan2(to[1]-from[1], to[0]-from[0]) }

func pairEnds(ends []end, here []int, directed bool) {
	if len(here) > maxEndsHere {
		return
	}
	type pair struct {
		a, b int
		bend float64
	}
	var pairs []pair
	for i, a := range here {
		for _, b := range here[i+1:] {
			if ends[a].line == ends[b].line || directed && ends[a].back == ends[b].back {
				continue
			}
			bend := math.Abs(math.Remainder(ends[a].bear-ends[b].bear-math.Pi, 2*math.Pi))
			if len(here) == 2 || bend < maxJoinTurn {
				pairs = append(pairs, pair{a, b, bend})
			}
		}
	}
	slices.SortStableFunc(pairs, func(x, y pair) int { return cmp.Compare(x.bend, y.bend) })
	for _, p := range pairs {
		if ends[p.a].paired < 0 && ends[p.b].paired < 0 {
			ends[p.a].paired, ends[p.b].paired = p.b, p.a
		}
	}
}

// appendLine appends a line (from its last point if back is set), leaving out the point
// that the chain ends with.
func appendLine(chain, line orb.LineString, back bool) orb.LineString {
	line = slices.Clone(line)
	if back {
		slices.Reverse(line)
	}
	if len(chain) > 0 {
		line = line[1:]
	}
	return append(chain, line...)
}
