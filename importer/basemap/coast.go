package basemap

import (
	"cmp"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"

	"github.com/waygate/waygate/importer/multipolygon"
)

// coastLine is one natural=coastline way: land lies on its left.
type coastLine struct {
	first, last int64 // node ids
	points      orb.LineString
}

// shore is a box divided into land and sea.
type shore struct {
	land, sea orb.MultiPolygon
	loose     int // ends of chains inside the box: joined to one near by, or drawn on to the box's nearest side
}

// divide closes coastlines against a box. Chains are joined at their nodes,
// cut at the box, and the cut ends joined along its sides so that land stays
// on the left. Where no coastline comes into the box all of it is land: an
// extract at sea without any coast cannot be told from an inland one. Islands and
// lakes that take more than the effort to sort out are not cut out of what is
// round them. Land and sea then go on to the sides of a wider box.
func divide(work *multipolygon.Effort, lines []coastLine, box, wide orb.Bound) shore {
	var s shore
	var arcs []orb.LineString  // from side to side of the box
	var rings []orb.LineString // inside it
	chains, gaps := closeGaps(joinCoast(lines), box)
	s.loose = 2 * gaps
	for _, chain := range chains {
		closed := len(chain) > 3 && chain[0] == chain[len(chain)-1]
		if closed && holds(box, chain.Bound()) {
			rings = append(rings, chain)
			continue
		}
		if closed {
			chain = turnToOutside(chain, box)
		}
		for _, piece := range clip.LineString(box, chain) {
			if len(piece) < 2 {
				continue
			}
			piece, loose := reachSides(piece, box)
			s.loose += loose
			if len(piece) == 2 && piece[0] == piece[1] {
				continue
			}
			arcs = append(arcs, piece)
		}
	}
	s.land = joinRound(arcs, box)
	s.sea = joinRound(reversed(arcs), box)
	widen(s.land, box, wide)
	widen(s.sea, box, wide)
	var islands, lakes []orb.Ring
	for _, r := range rings {
		switch a := multipolygon.Shoelace(r); {
		case a < 0: // anticlockwise on the map: land inside
			islands = append(islands, orb.Ring(r))
		case a > 0:
			lakes = append(lakes, orb.Ring(r))
		}
	}
	if len(arcs) == 0 {
		whole := orb.Polygon{wide.ToRing()}
		// The outermost ring tells what surrounds it.
		if largest := largestRing(rings); largest != nil && multipolygon.Shoelace(largest) < 0 {
			s.sea = orb.MultiPolygon{whole}
		} else {
			s.land = orb.MultiPolygon{whole}
		}
	}
	for _, r := range islands {
		s.land = append(s.land, orb.Polygon{r})
	}
	for _, r := range lakes {
		s.sea = append(s.sea, orb.Polygon{r})
	}
	cut(work, s.sea, islands)
	cut(work, s.land, lakes)
	return s
}

// widen moves the points on the sides of a box to those of a wider one.
func widen(areas orb.MultiPolygon, box, wide orb.Bound) {
	for _, p := range areas {
		for i := range p[0] {
			p[0][i] = outwards(p[0][i], box, wide)
		}
	}
}

func outwards(p orb.Point, box, wide orb.Bound) orb.Point {
	for axis := range p {
		switch p[axis] {
		case box.Min[axis]:
			p[axis] = wide.Min[axis]
		case box.Max[axis]:
			p[axis] = wide.Max[axis]
		}
	}
	return p
}

// joinCoast joins ways end to start into chains as long as can be. Closed
// ways stay as they are.
func joinCoast(lines []coastLine) []orb.LineString {
	starts := map[int64][]int{}
	ends := map[int64]bool{}
	for i, l := range lines {
		if l.first != l.last {
			starts[l.first] = append(starts[l.first], i)
			ends[l.last] = true
		}
	}
	used := make([]bool, len(lines))
	var out []orb.LineString
	follow := func(i int) {
		chain := slices.Clone(lines[i].points)
		used[i] = true
		first, last := lines[i].first, lines[i].last
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
			chain = append(chain, lines[j].points[1:]...)
			last = lines[j].last
		}
		out = append(out, chain)
	}
	// Chains with a true start first, then what is left: circles.
	for i, l := range lines {
		if !used[i] && !ends[l.first] {
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

// maxOpenChains bounds the pairs that closeGaps looks at.
const maxOpenChains = 4096

// closeGaps joins ends inside the box to the starts nearest to them, where
// those are nearer than the box's sides: an extract cut out along a border
// ends the two banks of a river beside one another, and drawn on to a side
// each for itself they would cross.
//
// With more than maxOpenChains nothing is joined: no border cuts so many.
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
		return length([]orb.Point{p, nearestSide(p, box)})
	}
	for i, c := range chains {
		end := c[len(c)-1]
		if !open(c) || aside(end) == 0 {
			continue
		}
		for j, d := range chains {
			width := length([]orb.Point{end, d[0]})
			if open(d) && width < aside(end) && width < aside(d[0]) {
				all = append(all, gap{i, j, width})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b gap) int { return cmp.Compare(a.width, b.width) })
	lines := make([]coastLine, len(chains))
	for i, c := range chains {
		lines[i] = coastLine{first: int64(2 * i), last: int64(2*i + 1), points: c}
		if !open(c) {
			lines[i].last = lines[i].first
		}
	}
	led := map[int]bool{}
	for _, g := range all {
		from, to := &lines[g.from], chains[g.to]
		if taken := from.last != int64(2*g.from+1); taken || led[g.to] {
			continue
		}
		from.last, led[g.to] = int64(2*g.to), true
		from.points = append(from.points[:len(from.points):len(from.points)], to[0])
		gaps++
	}
	return joinCoast(lines), gaps
}

// holds reports whether inner lies in the box; it may touch its sides, as an
// island does where the box is that of the data.
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

// reachSides draws the ends of a piece on to the nearest side of the box
// where they lie inside it.
func reachSides(piece orb.LineString, box orb.Bound) (orb.LineString, int) {
	loose := 0
	if first := piece[0]; !onSide(first, box) {
		piece = append(orb.LineString{nearestSide(first, box)}, piece...)
		loose++
	}
	if last := piece[len(piece)-1]; !onSide(last, box) {
		piece = append(piece[:len(piece):len(piece)], nearestSide(last, box))
		loose++
	}
	return piece, loose
}

func onSide(p orb.Point, box orb.Bound) bool {
	return p[0] == box.Min[0] || p[0] == box.Max[0] || p[1] == box.Min[1] || p[1] == box.Max[1]
}

func nearestSide(p orb.Point, box orb.Bound) orb.Point {
	sides := []orb.Point{{box.Min[0], p[1]}, {box.Max[0], p[1]}, {p[0], box.Min[1]}, {p[0], box.Max[1]}}
	return slices.MinFunc(sides, func(a, b orb.Point) int {
		return cmp.Compare(length([]orb.Point{p, a}), length([]orb.Point{p, b}))
	})
}

// perimeter is where a point on a side lies along the way round the box,
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

// corner is the corner at an integral place of the perimeter.
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
	// next gives the first unused start at or after a place, or the arc the
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

// firstFree finds the first of some places that is not taken, at or after one.
type firstFree []int

func newFirstFree(n int) firstFree {
	f := make(firstFree, n+1)
	for i := range f {
		f[i] = i
	}
	return f
}

// from gives the first free place at or after i, the number of places where
// there is none.
func (f firstFree) from(i int) int {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

func (f firstFree) take(i int) { f[i] = f.from(i + 1) }

func reversed(arcs []orb.LineString) []orb.LineString {
	out := make([]orb.LineString, len(arcs))
	for i, a := range arcs {
		out[i] = slices.Clone(a)
		slices.Reverse(out[i])
	}
	return out
}

func largestRing(rings []orb.LineString) orb.LineString {
	var best orb.LineString
	size := 0.0
	for _, r := range rings {
		a := multipolygon.Shoelace(r)
		if a = max(a, -a); a > size {
			best, size = r, a
		}
	}
	return best
}

// cut makes each hole part of the smallest polygon that holds it.
func cut(work *multipolygon.Effort, polygons orb.MultiPolygon, holes []orb.Ring) {
	bounds := make([]orb.Bound, len(polygons))
	areas := make([]float64, len(polygons))
	for i, p := range polygons {
		bounds[i] = p[0].Bound()
		a := multipolygon.Shoelace(p[0])
		areas[i] = max(a, -a)
	}
	for _, h := range holes {
		b := h.Bound()
		best := -1
		if !work.Spend(len(polygons)) {
			return
		}
		for i, p := range polygons {
			if bounds[i].Contains(b.Min) && bounds[i].Contains(b.Max) && (best < 0 || areas[i] < areas[best]) && work.Spend(multipolygon.MostVotes*len(p[0])) && multipolygon.Inside(p[0], h) {
				best = i
			}
		}
		if best >= 0 {
			polygons[best] = append(polygons[best], h)
		}
	}
}
