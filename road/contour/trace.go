package contour

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// outline is a closed line; its last point, equal to the first, is left out.
type outline struct {
	line   []vertex
	bends  []bool  // of each point whether the line turns there
	inside vertex  // the centre of a marked cell beside the line
	area   float64 // in square millionths of a degree, below 0 of a hole
}

// tracer follows the lines between what is marked in a bitmap and what is not. They
// pass half-way between the centres of cells; of cells that meet at a corner alone
// the marked ones are apart.
type tracer struct {
	begins bitmap   // marked cells whose left neighbour is not, which no line has passed
	points []vertex // of all outlines
	bends  []bool   // of all points
	found  []outline
}

// reset drops all outlines.
func (t *tracer) reset() { t.points, t.bends, t.found = t.points[:0], t.bends[:0], t.found[:0] }

// trace returns the outlines of what is marked, valid until reset. They have the points
// where the lines turn or, with every, all points between two cells.
func (t *tracer) trace(g *grid, on *bitmap, every bool) []outline {
	first := len(t.found)
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
			t.found = append(t.found, t.follow(g, *on, x, i/g.stride, every))
		}
	}
	return t.found[first:len(t.found):len(t.found)]
}

// follow traces one outline from the left side of a marked cell, with what is
// marked on its left.
func (t *tracer) follow(g *grid, on bitmap, x, y int, every bool) outline {
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
		if bends := toX-fromX != lastX || toY-fromY != lastY; bends || every {
			t.points, t.bends = append(t.points, g.vertex(fromX, fromY)), append(t.bends, bends)
			lastX, lastY = toX-fromX, toY-fromY
		}
		fromX, fromY = toX, toY
	}
	end := len(t.points)
	o := outline{line: t.points[begin:end:end], bends: t.bends[begin:end:end], inside: g.vertex(2*startX, 2*startY)}
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

// denoise drops what is small: see Options.Denoise. inner are the outlines that are left of
// the level before.
func denoise(all, inner []outline, share float64) []outline {
	largest := 0.0
	for _, o := range all {
		largest = math.Max(largest, o.area)
	}
	kept, small := make([]outline, 0, len(all)), []outline(nil)
	for _, o := range all {
		switch {
		case o.area > 0 && o.area >= share*largest || o.area < 0 && -o.area >= share*largest/100:
			kept = append(kept, o)
		case o.area > 0:
			small = append(small, o)
		}
	}
	if len(small) == 0 {
		return kept
	}
	// An island stays where one of the level before lies on it. Those in a hole that was
	// dropped do not.
	slices.SortStableFunc(small, func(a, b outline) int { return cmp.Compare(b.area, a.area) })
	needed := make([]bool, len(small))
	for i := range inner {
		if o := &inner[i]; o.area > 0 && !covers(kept, o.inside) {
			for k := len(small) - 1; k >= 0; k-- {
				if small[k].contains(o.inside) {
					needed[k] = true
					break
				}
			}
		}
	}
	for k, o := range small {
		if needed[k] && !covers(kept, o.inside) {
			kept = append(kept, o)
		}
	}
	return kept
}

// covers reports whether a point that is on no line is on an island and in no hole of it.
func covers(all []outline, p vertex) (covered bool) {
	for i := range all {
		if all[i].contains(p) {
			covered = !covered
		}
	}
	return covered
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

// turn is above 0 if c lies to the left of the line from a to b, and below 0 if it lies to
// the right.
func turn(a, b, c vertex) int64 {
	return int64(b.X-a.X)*int64(c.Y-a.Y) - int64(b.Y-a.Y)*int64(c.X-a.X)
}
