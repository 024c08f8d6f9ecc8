// Package walkable finds lines on which people cross ground that is mapped as an area:
// squares, platforms, halls. A map has only the outlines of such ground, and the places
// where ways reach it.
package walkable

import (
	"math"

	"github.com/waygate/waygate/geo"
)

// Area is ground inside an outline and outside its holes. All indexes are into Points.
type Area struct {
	// Points are those of the rings, and any others inside the area. They must be
	// within a few degrees of each other.
	Points []geo.Fixed
	// Rings are the outline and the holes, each without its first point repeated. They
	// must not cross themselves or each other, but may touch.
	Rings [][]int
}

// Way is an existing way between two of the ends that Cross is given.
type Way struct {
	A, B   int // in ends
	Metres float64
}

const (
	// MostEnds is the number of ends of lines that one area may have.
	MostEnds = 24
	// stretch is how many times as long as the shortest way over the area the way
	// between two ends may be.
	stretch = 1.15
	// mostWork is about the most comparisons of a line with a side of a ring, for one
	// area: some ten milliseconds.
	mostWork = 4 << 20
	// mostCorners is the most points besides the ends at which lines may bend.
	mostCorners = 48
)

// Cross returns lines that lead across the area, each as the points from one of ends to
// another: together with the existing ways they join all ends that lines can join, also
// by way of each other, on at most 15 % more than the shortest way. There may be at
// most MostEnds ends; more are left out. An area whose outline has too many points has
// no lines.
func (a *Area) Cross(ends []int, ways []Way) [][]int {
	ends = ends[:min(len(ends), MostEnds)]
	sides := 0
	for _, r := range a.Rings {
		sides += len(r)
	}
	if len(ends) < 2 || sides == 0 || len(ends)*len(ends)/2*sides > mostWork {
		return nil
	}
	c := crossing{area: a, plane: planeAt(a.Points[ends[0]]), at: append([]int(nil), ends...)}
	corners := min(mostCorners, int(math.Sqrt(float64(2*mostWork/sides)))-len(ends))
	c.at = append(c.at, c.spread(ends, c.bends(), corners, 0)...)
	c.link()
	return c.lines(len(ends), ways)
}

// Spread returns up to count of some candidates, each as far as possible from the
// chosen ones and those before it, and at least metres from all of them. If none is
// chosen yet, the first candidate comes first.
func (a *Area) Spread(chosen, candidates []int, count int, metres float64) []int {
	if len(candidates) == 0 {
		return nil
	}
	c := crossing{area: a, plane: planeAt(a.Points[candidates[0]])}
	return c.spread(chosen, candidates, count, metres)
}

// mostLooks is the most points that are tested for one that another sees.
const mostLooks = 16

// Nearest returns the nearest of several points which another one sees: not ok if none
// of the nearest few does.
func (a *Area) Nearest(from int, to []int) (found int, ok bool) {
	c := crossing{area: a, plane: planeAt(a.Points[from])}
	away := make([]float64, len(to))
	for i, k := range to {
		away[i] = c.metres(from, k)
	}
	for range min(mostLooks, len(to)) {
		best := 0
		for i := range away {
			if away[i] < away[best] {
				best = i
			}
		}
		if c.sees(from, to[best]) {
			return to[best], true
		}
		away[best] = math.Inf(1)
	}
	return 0, false
}

// crossing is the computation for one area.
type crossing struct {
	area  *Area
	plane plane
	at    []int       // points that lines may lead over: the ends first
	away  [][]float64 // metres between two of them where one sees the other or a ring leads there
	along [][][]int   // points between them, of a ring
}

// plane is a position in metres.
type plane struct{ x, y float64 }

func planeAt(p geo.Fixed) plane {
	const metres = geo.EarthRadius * math.Pi / 180 / 1e7
	return plane{metres * math.Cos(p.Point().Lat*math.Pi/180), metres}
}

func (p plane) metres(a, b geo.Fixed) float64 {
	return math.Hypot(float64(int64(b.Lon)-int64(a.Lon))*p.x, float64(int64(b.Lat)-int64(a.Lat))*p.y)
}

func (c *crossing) metres(i, j int) float64 {
	return c.plane.metres(c.area.Points[i], c.area.Points[j])
}

func (c *crossing) spread(chosen, candidates []int, count int, metres float64) (added []int) {
	away := make([]float64, len(candidates))
	for i, k := range candidates {
		away[i] = math.Inf(1)
		for _, other := range chosen {
			away[i] = min(away[i], c.metres(k, other))
		}
	}
	for len(added) < count {
		best := 0
		for i := range away {
			if away[i] > away[best] {
				best = i
			}
		}
		if len(away) == 0 || away[best] <= metres {
			break
		}
		k := candidates[best]
		added = append(added, k)
		for i := range away {
			away[i] = min(away[i], c.metres(candidates[i], k))
		}
	}
	return added
}

// bends returns the points of the rings round which a shortest way may lead: where the
// area has more than a half turn inside.
func (c *crossing) bends() (list []int) {
	for k, ring := range c.area.Rings {
		clockwise := c.doubleArea(ring) < 0
		for i, at := range ring {
			before, after := ring[(i+len(ring)-1)%len(ring)], ring[(i+1)%len(ring)]
			turn := side(c.area.Points[before], c.area.Points[at], c.area.Points[after])
			if clockwise {
				turn = -turn
			}
			if (k == 0) == (turn < 0) && turn != 0 {
				list = append(list, at)
			}
		}
	}
	return list
}

func (c *crossing) doubleArea(ring []int) int64 {
	sum := int64(0)
	for i := 1; i+1 < len(ring); i++ {
		sum += side(c.area.Points[ring[0]], c.area.Points[ring[i]], c.area.Points[ring[i+1]])
	}
	return sum
}

// side returns a number above zero if c lies to the left of the line from a to b, and
// zero if it lies on it.
func side(a, b, c geo.Fixed) int64 {
	return (int64(b.Lon)-int64(a.Lon))*(int64(c.Lat)-int64(a.Lat)) - (int64(b.Lat)-int64(a.Lat))*(int64(c.Lon)-int64(a.Lon))
}

// link measures between all points: straight if one sees the other, and along the rings
// from each to the next.
func (c *crossing) link() {
	n := len(c.at)
	c.away, c.along = make([][]float64, n), make([][][]int, n)
	for i := range n {
		c.away[i], c.along[i] = make([]float64, n), make([][]int, n)
		for j := range n {
			c.away[i][j] = math.Inf(1)
		}
		for j := range i {
			if c.sees(c.at[i], c.at[j]) {
				d := c.metres(c.at[i], c.at[j])
				c.away[i][j], c.away[j][i] = d, d
			}
		}
	}
	pointAt := map[int]int{}
	for i, k := range c.at {
		pointAt[k] = i
	}
	for _, ring := range c.area.Rings {
		c.follow(ring, pointAt)
	}
}

// follow links the points along a ring.
func (c *crossing) follow(ring []int, pointAt map[int]int) {
	first := 0
	for first < len(ring) {
		if _, ok := pointAt[ring[first]]; ok {
			break
		}
		first++
	}
	if first == len(ring) {
		return
	}
	from, metres := pointAt[ring[first]], 0.0
	var between []int
	for k := 1; k <= len(ring); k++ {
		at := ring[(first+k)%len(ring)]
		metres += c.metres(ring[(first+k-1)%len(ring)], at)
		to, ok := pointAt[at]
		if !ok {
			between = append(between, at)
			continue
		}
		if to != from && metres < c.away[from][to] {
			c.away[from][to], c.away[to][from] = metres, metres
			c.along[from][to], c.along[to][from] = between, reversed(between)
		}
		from, metres, between = to, 0, nil
	}
}

func reversed(list []int) []int {
	out := make([]int, len(list))
	for i, k := range list {
		out[len(list)-1-i] = k
	}
	return out
}

// sees reports whether the line between two points lies in the area.
func (c *crossing) sees(i, j int) bool {
	a, b := c.area.Points[i], c.area.Points[j]
	if a == b {
		return true
	}
	// Coordinates of the middle, doubled.
	mx, my := int64(a.Lon)+int64(b.Lon), int64(a.Lat)+int64(b.Lat)
	inside := false
	for _, ring := range c.area.Rings {
		from := ring[len(ring)-1]
		for _, to := range ring {
			if from == i && to == j || from == j && to == i {
				return true
			}
			p, q := c.area.Points[from], c.area.Points[to]
			if blocks(a, b, p, q) {
				return false
			}
			px, py, qx, qy := 2*int64(p.Lon), 2*int64(p.Lat), 2*int64(q.Lon), 2*int64(q.Lat)
			if (py > my) != (qy > my) {
				left := (qx-px)*(my-py) - (mx-px)*(qy-py)
				if (left > 0) == (qy > py) {
					inside = !inside
				}
			}
			from = to
		}
	}
	return inside
}

// blocks reports whether the side from p to q of a ring crosses the line from a to b,
// or p lies between a and b.
func blocks(a, b, p, q geo.Fixed) bool {
	sp, sq := side(a, b, p), side(a, b, q)
	if sp == 0 && p != a && p != b {
		return between(a.Lon, p.Lon, b.Lon) && between(a.Lat, p.Lat, b.Lat)
	}
	if sp == 0 || sq == 0 || (sp > 0) == (sq > 0) {
		return false
	}
	sa, sb := side(p, q, a), side(p, q, b)
	return sa != 0 && sb != 0 && (sa > 0) != (sb > 0)
}

func between(a, x, b int32) bool { return min(a, b) <= x && x <= max(a, b) }

// pair is two ends and the shortest way between them over the area.
type pair struct {
	a, b   int // in crossing.at
	metres float64
	over   []int // points, those of a and b included
}

// lines selects the shortest ways between ends that are much shorter than the existing
// ways and shorter lines.
func (c *crossing) lines(ends int, ways []Way) [][]int {
	known := make([][]float64, ends)
	for i := range known {
		known[i] = make([]float64, ends)
		for j := range known[i] {
			if i != j {
				known[i][j] = math.Inf(1)
			}
		}
	}
	for _, w := range ways {
		improve(known, w.A, w.B, w.Metres)
	}
	var found [][]int
	for _, p := range c.pairs(ends) {
		if known[p.a][p.b] > p.metres*stretch {
			improve(known, p.a, p.b, p.metres)
			found = append(found, p.over)
		}
	}
	return found
}

// improve updates a table of distances with one more way.
func improve(known [][]float64, a, b int, metres float64) {
	if a == b || known[a][b] <= metres {
		return
	}
	for i := range known {
		for j := range known {
			known[i][j] = min(known[i][j], known[i][a]+metres+known[b][j], known[i][b]+metres+known[a][j])
		}
	}
}
