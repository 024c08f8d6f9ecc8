package plane

import (
	"math"
	"slices"
)

// Grid is a square of values, side by side, row by row.
type Grid struct {
	Side   int
	Values []float64
}

// NewGrid returns a grid of zeros with so many values on each side.
func NewGrid(side int) Grid { return Grid{side, make([]float64, side*side)} }

// At returns the value of column x and row y.
func (g *Grid) At(x, y int) float64 { return g.Values[y*g.Side+x] }

// Padded returns the grid with one more row of -Inf on each side, so that areas above a
// level are closed there.
func (g *Grid) Padded() Grid {
	f := NewGrid(g.Side + 2)
	for i := range f.Values {
		f.Values[i] = math.Inf(-1)
	}
	for y := range g.Side {
		copy(f.Values[(y+1)*f.Side+1:], g.Values[y*g.Side:(y+1)*g.Side])
	}
	return f
}

// Path is a line on a grid, in its cells.
type Path [][2]float64

// Isolines draws the lines of a level, with what is at or above it on their right where
// y grows downwards (marching squares). closed are rings, without their first point
// repeated. Cells with a NaN are left out.
func (g *Grid) Isolines(level float64) (closed, open []Path) {
	// Every crossing of a side of a cell begins at most one stretch of a line: next
	// holds the side on which it ends. Sides are numbered by their first corner,
	// those across before those down.
	across := g.Side * g.Side
	next := map[int]int{}
	ends := map[int]bool{}
	var order []int
	for y := range g.Side - 1 {
		for x := range g.Side - 1 {
			corners := [4]float64{g.At(x, y), g.At(x+1, y), g.At(x+1, y+1), g.At(x, y+1)}
			if math.IsNaN(corners[0] + corners[1] + corners[2] + corners[3]) {
				continue
			}
			i := y*g.Side + x
			sides := [4]int{i, across + i + 1, i + g.Side, across + i}
			for k := range 4 {
				if corners[k] < level || corners[(k+1)%4] >= level {
					continue
				}
				// Here the way round the cell leaves the area above; the line goes
				// to where the way next comes back.
				to := k + 1
				for corners[to%4] >= level || corners[(to+1)%4] < level {
					to++
				}
				next[sides[k]] = sides[to%4]
				ends[sides[to%4]] = true
				order = append(order, sides[k])
			}
		}
	}
	follow := func(from int) Path {
		line := Path{g.crossing(from, level)}
		at := from
		for {
			to, ok := next[at]
			if !ok {
				return line
			}
			delete(next, at)
			if to == from {
				return line
			}
			line = append(line, g.crossing(to, level))
			at = to
		}
	}
	for _, from := range order {
		if _, ok := next[from]; ok && !ends[from] {
			open = append(open, follow(from))
		}
	}
	for _, from := range order {
		if _, ok := next[from]; ok {
			closed = append(closed, follow(from))
		}
	}
	return closed, open
}

// crossing returns where the level lies on a side between two corners.
func (g *Grid) crossing(side int, level float64) [2]float64 {
	across := g.Side * g.Side
	down := side >= across
	side %= across
	x, y := side%g.Side, side/g.Side
	a, b := g.At(x, y), 0.0
	if down {
		b = g.At(x, y+1)
	} else {
		b = g.At(x+1, y)
	}
	share := 0.5
	switch {
	case math.IsInf(a, -1):
		share = 1
	case math.IsInf(b, -1):
		share = 0
	case a != b:
		share = (level - a) / (b - a)
	}
	if down {
		return [2]float64{float64(x), float64(y) + share}
	}
	return [2]float64{float64(x) + share, float64(y)}
}

// Smoothed averages a grid with its neighbours and drops its outermost row: the result
// is smaller by two. NaN stays NaN.
func (g *Grid) Smoothed() Grid {
	out := NewGrid(g.Side - 2)
	for y := range out.Side {
		for x := range out.Side {
			sum := 0.0
			for dy := range 3 {
				for dx := range 3 {
					sum += g.At(x+dx, y+dy) * float64((2-max(dx-1, 1-dx))*(2-max(dy-1, 1-dy)))
				}
			}
			out.Values[y*out.Side+x] = sum / 16
		}
	}
	return out
}

// Spread returns the least and the greatest number of a grid; not ok without any.
func (g *Grid) Spread() (least, most float64, ok bool) {
	known := slices.DeleteFunc(slices.Clone(g.Values), math.IsNaN)
	if len(known) == 0 {
		return 0, 0, false
	}
	return slices.Min(known), slices.Max(known), true
}
