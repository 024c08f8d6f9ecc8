package contour

import "math"

// outline is a closed line; its last point, equal to the first, is left out.
type outline struct {
	line []vertex
	area float64 // in square millionths of a degree, below 0 of a hole
}

// tracer traces the lines between the nodes inside and those outside.
type tracer struct {
	// next is, by edge of the grid, the edge that the line crosses next, plus 1;
	// 0 where no line crosses. All of it is 0 between two calls, as following a
	// line resets it.
	next   []int32
	begins []int32
	points []vertex // of all outlines
	found  []outline
}

const none = -1

// sides are the edges of a cell by which a line enters or leaves it.
type sides uint8

const (
	bottom sides = iota
	right
	top
	left
)

// cellLines are the lines through a cell by its corners that are inside, 1 for
// bottom left, 2 bottom right, 4 top right, 8 top left: pairs of the sides it
// enters and leaves by, with the inside on its left. Cells 5 and 10 are ambiguous;
// these are the lines where the middle of the cell is outside.
var cellLines = [16][]sides{
	1: {bottom, left}, 2: {right, bottom}, 3: {right, left}, 4: {top, right},
	5: {bottom, left, top, right}, 6: {top, bottom}, 7: {top, left}, 8: {left, top},
	9: {bottom, top}, 10: {right, bottom, left, top}, 11: {right, top}, 12: {left, right},
	13: {bottom, right}, 14: {left, bottom},
}

// cellLinesInside are the lines of cells 5 and 10 where the middle is inside.
var cellLinesInside = [16][]sides{5: {bottom, right, top, left}, 10: {left, bottom, right, top}}

// trace gives the outlines of the grid, valid until the next call.
func (t *tracer) trace(g *grid) []outline {
	if n := 2 * g.w * g.h; len(t.next) < n {
		t.next = make([]int32, n)
	}
	t.begins, t.points, t.found = t.begins[:0], t.points[:0], t.found[:0]
	// Floats that are not negative compare as their bits do: the difference is
	// negative, with its first bit 1, where the node is inside.
	limit := math.Float32bits(g.radius * g.radius)
	for y := range g.h - 1 {
		low := g.square[y*g.w : (y+1)*g.w]
		high := g.square[(y+1)*g.w : (y+2)*g.w][:len(low)]
		corners := uint32(0)
		for x, v := range low {
			// The right corners of the last cell are the left ones of this.
			corners = corners>>1&1 | corners<<1&8 | (math.Float32bits(v)-limit)>>31<<1 | (math.Float32bits(high[x])-limit)>>31<<2
			// For x = 0 there is no cell yet, and its nodes are outside.
			if corners != 0 && corners != 15 {
				t.cross(g, x-1, y, corners)
			}
		}
	}
	for _, e := range t.begins {
		if t.next[e] != 0 {
			t.found = append(t.found, t.follow(g, e))
		}
	}
	return t.found
}

func (t *tracer) cross(g *grid, x, y int, corners uint32) {
	lines := cellLines[corners]
	if corners == 5 || corners == 10 {
		n := y*g.w + x
		middle := root(g.square[n]) + root(g.square[n+1]) + root(g.square[n+g.w]) + root(g.square[n+g.w+1])
		if middle < 4*float64(g.radius) {
			lines = cellLinesInside[corners]
		}
	}
	n := int32(y*g.w + x)
	edges := [...]int32{bottom: 2 * n, right: 2*(n+1) + 1, top: 2 * (n + int32(g.w)), left: 2*n + 1}
	for i := 0; i < len(lines); i += 2 {
		from := edges[lines[i]]
		t.next[from] = edges[lines[i+1]] + 1
		t.begins = append(t.begins, from)
	}
}

// follow traces one outline from an edge of the grid.
func (t *tracer) follow(g *grid, e int32) outline {
	begin := len(t.points)
	for t.next[e] != 0 {
		t.points = append(t.points, g.crossing(e))
		e, t.next[e] = t.next[e]-1, 0
	}
	o := outline{line: t.points[begin:len(t.points):len(t.points)]}
	o.measure()
	return o
}

func (o *outline) measure() {
	sum := 0.0
	a := o.line[len(o.line)-1]
	for _, b := range o.line {
		sum += float64(a.X-o.line[0].X)*float64(b.Y-o.line[0].Y) - float64(b.X-o.line[0].X)*float64(a.Y-o.line[0].Y)
		a = b
	}
	o.area = sum / 2
}

// crossing is where the outline crosses an edge of the grid, kept away from the
// nodes so that lines on both sides of one do not touch after rounding.
func (g *grid) crossing(e int32) vertex {
	n, w := uint32(e)/2, uint32(g.w)
	m := n + 1
	if e&1 == 1 {
		m = n + w
	}
	a, b := root(g.square[n]), root(g.square[m])
	along := max(0.02, min(0.98, (float64(g.radius)-a)/(b-a)))
	x, y := float64(n%w), float64(n/w)
	if e&1 == 1 {
		return g.vertex(x, y+along)
	}
	return g.vertex(x+along, y)
}

func root(square float32) float64 { return math.Sqrt(float64(square)) }

// denoise drops what is small: see Options.Denoise.
func denoise(all []outline, share float64) []outline {
	largest := 0.0
	for _, o := range all {
		largest = math.Max(largest, o.area)
	}
	kept := all[:0]
	for _, o := range all {
		if o.area > 0 && o.area >= share*largest || o.area < 0 && -o.area >= share*largest/100 {
			kept = append(kept, o)
		}
	}
	return kept
}

// polygons puts every hole into the smallest ring around it.
func (g *grid) polygons(all []outline) []Polygon {
	var out []Polygon
	var outer []outline
	for _, o := range all {
		if o.area > 0 {
			outer = append(outer, o)
			out = append(out, Polygon{Outer: o.ring()})
		}
	}
	for _, o := range all {
		if o.area > 0 {
			continue
		}
		in := none
		for i := range outer {
			if (in == none || outer[i].area < outer[in].area) && outer[i].area > -o.area && outer[i].contains(o.line[0]) {
				in = i
			}
		}
		if in != none { // else its island was dropped
			out[in].Holes = append(out[in].Holes, o.ring())
		}
	}
	return out
}

func (o *outline) ring() Ring {
	r := make(Ring, 0, len(o.line)+1)
	for _, v := range o.line {
		r = append(r, v.point())
	}
	return append(r, o.line[0].point())
}

// contains reports whether a point that is not on the line is inside of it.
func (o *outline) contains(p vertex) bool {
	inside := false
	a := o.line[len(o.line)-1]
	for _, b := range o.line {
		if (a.Y > p.Y) != (b.Y > p.Y) && (turn(a, b, p) > 0) == (b.Y > a.Y) {
			inside = !inside
		}
		a = b
	}
	return inside
}

// turn is above 0 where c lies to the left of the line from a to b, below
// where it lies to the right.
func turn(a, b, c vertex) int64 {
	return int64(b.X-a.X)*int64(c.Y-a.Y) - int64(b.Y-a.Y)*int64(c.X-a.X)
}
