package contour

import (
	"math"
	"math/bits"
	"slices"
)

// outline is a closed line; its last point, equal to the first, is left out.
type outline struct {
	line []vertex
	area float64 // in square millionths of a degree, below 0 of a hole
}

// tracer follows the lines between what is marked in a bitmap and what is not. They
// pass half-way between the centres of cells; of cells that meet at a corner alone
// the marked ones are apart.
type tracer struct {
	begins bitmap   // marked cells whose left neighbour is not, which no line has passed
	points []vertex // of all outlines
	found  []outline
}

// trace gives the outlines of what is marked, valid until the next call.
func (t *tracer) trace(g *grid, on *bitmap) []outline {
	t.points, t.found = t.points[:0], t.found[:0]
	t.begins = slices.Grow(t.begins[:0], len(*on))[:len(*on)]
	before := uint64(0)
	for i, v := range *on {
		t.begins[i] = v &^ (v<<1 | before>>63)
		before = v
	}
	// Every line passes some of the beginnings.
	for i := range t.begins {
		for t.begins[i] != 0 {
			x := i%g.stride*64 + bits.TrailingZeros64(t.begins[i])
			t.found = append(t.found, t.follow(g, *on, x, i/g.stride))
		}
	}
	return t.found
}

// follow traces one outline from the left side of a marked cell, with what is
// marked on its left.
func (t *tracer) follow(g *grid, on bitmap, x, y int) outline {
	begin := len(t.points)
	isOn := func(x, y int) bool { return on[y*g.stride+x>>6]>>(uint(x)&63)&1 != 0 }
	dx, dy := 0, -1 // of the step ahead, which leaves (x, y) on the left
	startX, startY := x, y
	lastX, lastY := 0, 0 // where the line goes, as differences of halves of cells
	fromX, fromY := 2*x+dy, 2*y-dx
	for {
		if dy < 0 {
			if x == startX && y == startY && len(t.points) > begin {
				break
			}
			t.begins[y*g.stride+x>>6] &^= 1 << (uint(x) & 63)
		}
		switch aheadX, aheadY := x+dx, y+dy; {
		case !isOn(aheadX, aheadY):
			dx, dy = -dy, dx
		case isOn(aheadX+dy, aheadY-dx):
			x, y = aheadX+dy, aheadY-dx
			dx, dy = dy, -dx
		default:
			x, y = aheadX, aheadY
		}
		toX, toY := 2*x+dy, 2*y-dx
		if toX-fromX != lastX || toY-fromY != lastY {
			t.points = append(t.points, g.vertex(fromX, fromY))
			lastX, lastY = toX-fromX, toY-fromY
		}
		fromX, fromY = toX, toY
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
func polygons(all []outline) []Polygon {
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
		in := -1
		for i := range outer {
			if (in < 0 || outer[i].area < outer[in].area) && outer[i].area > -o.area && outer[i].contains(o.line[0]) {
				in = i
			}
		}
		if in >= 0 { // else its island was dropped
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
