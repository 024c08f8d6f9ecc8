package osrm

import (
	"cmp"
	"math"
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// grid is places n by n over a box, the southern row first, with what it takes to get to
// each: infinity where there is no way.
type grid struct {
	box              geo.Bounds
	n                int
	seconds, lengths []float64
}

func gridAround(box geo.Bounds, n int) *grid {
	g := &grid{box: box}
	g.resize(n)
	return g
}

// resize makes it a grid of n by n places without values.
func (g *grid) resize(n int) {
	g.n = n
	g.seconds = slices.Repeat([]float64{math.Inf(1)}, n*n)
	g.lengths = slices.Clone(g.seconds)
}

func (g *grid) set(i int, seconds, metres float64) { g.seconds[i], g.lengths[i] = seconds, metres }

// reach has the places around a location reached at once, and in no more metres than they lie
// apart from it: a one-way street may lead to none of them, and yet the location is within.
func (g *grid) reach(location geo.Point) {
	x := (location.Lon - g.box.Min.Lon) / (g.box.Max.Lon - g.box.Min.Lon) * float64(g.n-1)
	y := (location.Lat - g.box.Min.Lat) / (g.box.Max.Lat - g.box.Min.Lat) * float64(g.n-1)
	column, row := min(max(0, int(x)), g.n-2), min(max(0, int(y)), g.n-2)
	for _, i := range [...]int{row*g.n + column, row*g.n + column + 1, (row+1)*g.n + column, (row+1)*g.n + column + 1} {
		g.set(i, 0, min(g.lengths[i], geo.Distance(location, g.at(float64(i%g.n), float64(i/g.n)))))
	}
}

// at returns the place of a column and a row, which may be fractions.
func (g *grid) at(x, y float64) geo.Point {
	f := 1 / float64(g.n-1)
	return geo.Point{Lon: g.box.Min.Lon + x*f*(g.box.Max.Lon-g.box.Min.Lon), Lat: g.box.Min.Lat + y*f*(g.box.Max.Lat-g.box.Min.Lat)}
}

func (g *grid) places() []geo.Point {
	list := make([]geo.Point, 0, g.n*g.n)
	for i := range g.n * g.n {
		list = append(list, g.at(float64(i%g.n), float64(i/g.n)))
	}
	return list
}

// metres returns how far neighbours lie apart.
func (g *grid) metres() float64 {
	return max(geo.Distance(g.at(0, 0), g.at(0, 1)), geo.Distance(g.at(0, 0), g.at(1, 0)))
}

// contourBox returns the box of what the largest contours reach, with the neighbours of its places,
// and reports whether that is less than half as wide as the grid.
func (g *grid) contourBox(contours []engine.Contour) (box geo.Bounds, small bool) {
	middle := (g.n - 1) / 2
	left, right, low, high := middle, middle, middle, middle
	for i := range g.n * g.n {
		for _, c := range contours {
			if c.Minutes > 0 && g.seconds[i] <= c.Minutes*60 || c.Kilometres > 0 && g.lengths[i] <= c.Kilometres*1000 {
				x, y := i%g.n, i/g.n
				left, right, low, high = min(left, x), max(right, x), min(low, y), max(high, y)
			}
		}
	}
	small = max(right-left, high-low) < g.n/2
	left, right, low, high = max(0, left-1), min(g.n-1, right+1), max(0, low-1), min(g.n-1, high+1)
	return geo.Bounds{Min: g.at(float64(left), float64(low)), Max: g.at(float64(right), float64(high))}, small
}

// side is an edge between two places of a grid that is one wider on each side, the one
// within the limit first.
type side struct{ in, out int }

// outline returns the polygons within a limit. Each square of the grid is cut into two
// triangles; in a triangle the border is the line on which the value, interpolated, is the
// limit, and half-way to a place without a value (marching triangles). The larger come
// first.
func (g *grid) outline(values []float64, limit float64) []engine.Polygon {
	wide := g.n + 2
	value := func(i int) float64 {
		x, y := i%wide-1, i/wide-1
		if x < 0 || y < 0 || x >= g.n || y >= g.n {
			return math.Inf(1)
		}
		return values[y*g.n+x]
	}
	next := map[side]side{}
	for y := range wide - 1 {
		for x := range wide - 1 {
			a := y*wide + x
			b, c, d := a+1, a+1+wide, a+wide
			for _, t := range [2][3]int{{a, b, c}, {a, c, d}} {
				if from, to, crossed := border(t, value, limit); crossed {
					next[from] = to
				}
			}
		}
	}
	var rings []geo.Ring
	for i := range wide * wide { // in a fixed order
		for _, step := range [...]int{1, wide, wide + 1} {
			for _, s := range [...]side{{i, i + step}, {i + step, i}} {
				var ring geo.Ring
				for to, ok := next[s]; ok; to, ok = next[s] {
					delete(next, s)
					ring = append(ring, g.crossing(s, wide, value, limit))
					s = to
				}
				if len(ring) > 2 {
					rings = append(rings, ring)
				}
			}
		}
	}
	return nested(rings)
}

// border returns the line through a triangle, whose corners run counter-clockwise, from side
// to side with what is within on its left.
func border(t [3]int, value func(int) float64, limit float64) (from, to side, crossed bool) {
	var in [3]bool
	count := 0
	for k, i := range t {
		if in[k] = value(i) <= limit; in[k] {
			count++
		}
	}
	for k := range t {
		a, b, c := t[k], t[(k+1)%3], t[(k+2)%3]
		switch {
		case count == 1 && in[k]:
			return side{a, b}, side{a, c}, true
		case count == 2 && !in[k]:
			return side{c, a}, side{b, a}, true
		}
	}
	return side{}, side{}, false
}

// least keeps the lines of an outline from touching where a place's value is the limit.
const least = 0.001

// crossing returns where the limit lies on a side. The grid is half a place wider where what is
// within reaches its border.
func (g *grid) crossing(s side, wide int, value func(int) float64, limit float64) geo.Point {
	part := 0.5
	if inside, outside := value(s.in), value(s.out); !math.IsInf(outside, 1) {
		part = min(max((limit-inside)/(outside-inside), least), 1-least)
	}
	x, y := float64(s.in%wide-1), float64(s.in/wide-1)
	return g.at(x+part*(float64(s.out%wide-1)-x), y+part*(float64(s.out/wide-1)-y))
}

// nested puts holes, whose rings run clockwise, into the smallest ring around them.
func nested(rings []geo.Ring) []engine.Polygon {
	slices.SortStableFunc(rings, func(a, b geo.Ring) int { return cmp.Compare(math.Abs(area(b)), math.Abs(area(a))) })
	var list []engine.Polygon
	var outers []geo.Ring
	for _, r := range rings {
		if area(r) > 0 {
			outers = append(outers, r)
			list = append(list, engine.Polygon{Outer: closed(r)})
		}
	}
	for _, r := range rings {
		for i := len(outers) - 1; area(r) < 0 && i >= 0; i-- {
			if outers[i].Contains(r[0]) {
				list[i].Holes = append(list[i].Holes, closed(r))
				break
			}
		}
	}
	return list
}

func closed(r geo.Ring) []geo.Point { return append(slices.Clip([]geo.Point(r)), r[0]) }

// area returns that of a ring in square degrees, above 0 where it runs counter-clockwise.
func area(r geo.Ring) float64 {
	sum := 0.0
	for i, p := range r {
		q := r[(i+1)%len(r)]
		sum += (p.Lon-r[0].Lon)*(q.Lat-r[0].Lat) - (q.Lon-r[0].Lon)*(p.Lat-r[0].Lat)
	}
	return sum / 2
}

// denoised leaves out islands smaller than a share of the largest, and holes smaller than
// a hundredth of that.
func denoised(list []engine.Polygon, share float64) []engine.Polygon {
	if len(list) == 0 {
		return nil
	}
	smallest := share * area(list[0].Outer)
	for i := range list {
		list[i].Holes = slices.DeleteFunc(list[i].Holes, func(h []geo.Point) bool { return -area(h) < smallest/100 })
	}
	return slices.DeleteFunc(list, func(p engine.Polygon) bool { return area(p.Outer) < smallest })
}
