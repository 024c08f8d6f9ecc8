package basemap

import (
	"math"
	"slices"
)

// grid is a square of values, side by side, row by row.
type grid struct {
	side   int
	values []float64
}

func newGrid(side int) grid { return grid{side, make([]float64, side*side)} }

func (g *grid) at(x, y int) float64 { return g.values[y*g.side+x] }

// framed is the grid with one more row of -Inf on each side, so that what lies
// above a level is closed there.
func (g *grid) framed() grid {
	f := newGrid(g.side + 2)
	for i := range f.values {
		f.values[i] = math.Inf(-1)
	}
	for y := range g.side {
		copy(f.values[(y+1)*f.side+1:], g.values[y*g.side:(y+1)*g.side])
	}
	return f
}

// path is a line on a grid, in its cells.
type path [][2]float64

// isolines draws the lines of a level round what is at or above it, which lies
// on their right where y grows downwards (marching squares). closed are rings,
// without their first point repeated. Cells with a value that is not a number
// are left out.
func (g *grid) isolines(level float64) (closed, open []path) {
	// Every crossing of a side of a cell begins at most one stretch of a line: next
	// holds the side on which it ends. Sides are numbered by their first corner,
	// those across before those down.
	across := g.side * g.side
	next := map[int]int{}
	ends := map[int]bool{}
	var order []int
	for y := range g.side - 1 {
		for x := range g.side - 1 {
			corners := [4]float64{g.at(x, y), g.at(x+1, y), g.at(x+1, y+1), g.at(x, y+1)}
			if math.IsNaN(corners[0] + corners[1] + corners[2] + corners[3]) {
				continue
			}
			i := y*g.side + x
			sides := [4]int{i, across + i + 1, i + g.side, across + i}
			for k := range 4 {
				if corners[k] < level || corners[(k+1)%4] >= level {
					continue
				}
				// Here the way round the cell leaves what is above; the line goes to where
				// the way next comes back.
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
	follow := func(from int) path {
		line := path{g.crossing(from, level)}
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

// crossing is where the level lies on a side between two corners.
func (g *grid) crossing(side int, level float64) [2]float64 {
	across := g.side * g.side
	down := side >= across
	side %= across
	x, y := side%g.side, side/g.side
	a, b := g.at(x, y), 0.0
	if down {
		b = g.at(x, y+1)
	} else {
		b = g.at(x+1, y)
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

// blurred evens a grid out with its neighbours and leaves out its outermost row:
// the result is two smaller. What is not a number stays so.
func (g *grid) blurred() grid {
	out := newGrid(g.side - 2)
	for y := range out.side {
		for x := range out.side {
			sum := 0.0
			for dy := range 3 {
				for dx := range 3 {
					sum += g.at(x+dx, y+dy) * float64((2-max(dx-1, 1-dx))*(2-max(dy-1, 1-dy)))
				}
			}
			out.values[y*out.side+x] = sum / 16
		}
	}
	return out
}

// spread is the least and the greatest number of a grid; not ok without any.
func (g *grid) spread() (least, most float64, ok bool) {
	known := slices.DeleteFunc(slices.Clone(g.values), math.IsNaN)
	if len(known) == 0 {
		return 0, 0, false
	}
	return slices.Min(known), slices.Max(known), true
}
