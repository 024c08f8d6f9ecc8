package shore

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/importer/basemap/plane"
)

// raster is a grid of positions over a box, of as many on each side.
type raster struct {
	box    orb.Bound
	side   int
	dx, dy float64
}

func newRaster(box orb.Bound, metre float64) raster {
	wide, high := box.Max[0]-box.Min[0], box.Max[1]-box.Min[1]
	gaps := max(32, min(mostGaps, int(math.Ceil(max(wide, high)/(leastGap*metre)))))
	return raster{box, gaps + 1, wide / float64(gaps), high / float64(gaps)}
}

// gap returns how far positions are apart, the wider way.
func (r *raster) gap() float64 { return max(r.dx, r.dy) }

// at returns a position; the outermost lie on the sides of the box.
func (r *raster) at(i int) orb.Point { return r.point(float64(i%r.side), float64(i/r.side)) }

// point returns the position of a column and row.
func (r *raster) point(x, y float64) orb.Point {
	p := orb.Point{r.box.Min[0] + x*r.dx, r.box.Min[1] + y*r.dy}
	for axis, v := range [2]float64{x, y} {
		if v == float64(r.side-1) {
			p[axis] = r.box.Max[axis]
		}
	}
	return p
}

// cell returns the column and row of the position north-west of a point.
func (r *raster) cell(p orb.Point) (x, y int) {
	return int(math.Floor((p[0] - r.box.Min[0]) / r.dx)), int(math.Floor((p[1] - r.box.Min[1]) / r.dy))
}

// steps returns in how many steps of at most half a gap a stretch is walked.
func (r *raster) steps(p, q orb.Point) int {
	return 1 + int(2*max(math.Abs(q[0]-p[0])/r.dx, math.Abs(q[1]-p[1])/r.dy))
}

// inside reports of each position whether it lies in areas.
func (r *raster) inside(areas orb.MultiPolygon) []bool {
	crossings := make([][]float64, r.side)
	for _, p := range areas {
		for _, ring := range p {
			for i := 1; i < len(ring); i++ {
				a, b := ring[i-1], ring[i]
				_, first := r.cell(orb.Point{0, min(a[1], b[1])})
				_, last := r.cell(orb.Point{0, max(a[1], b[1])})
				for y := max(0, first); y <= min(r.side-1, last+1); y++ {
					if row := r.inner(r.at(y * r.side))[1]; (a[1] > row) != (b[1] > row) {
						crossings[y] = append(crossings[y], a[0]+(b[0]-a[0])*(row-a[1])/(b[1]-a[1]))
					}
				}
			}
		}
	}
	out := make([]bool, r.side*r.side)
	for y, row := range crossings {
		slices.Sort(row)
		passed := 0
		for x := range r.side {
			i := y*r.side + x
			for at := r.inner(r.at(i))[0]; passed < len(row) && row[passed] <= at; {
				passed++
			}
			out[i] = passed%2 == 1
		}
	}
	return out
}

// inner moves a position on a side of the box a little inside it, as land ends on the side.
func (r *raster) inner(p orb.Point) orb.Point {
	const aside = 1e-3
	return orb.Point{
		max(r.box.Min[0]+aside*r.dx, min(r.box.Max[0]-aside*r.dx, p[0])),
		max(r.box.Min[1]+aside*r.dy, min(r.box.Max[1]-aside*r.dy, p[1])),
	}
}

// field has the stretch of some lines that is nearest to each position, and how far that is:
// exactly next to the lines, and further away of the stretches that are nearest to the neighbours.
type field struct {
	*raster
	stretches [][2]orb.Point
	nearest   []int32   // -1: there is none
	away      []float64 // very far without any
}

// toLines measures the distances to lines and to some positions.
func (r *raster) toLines(lines []orb.LineString, from ...int) field {
	f := field{raster: r, away: make([]float64, r.side*r.side), nearest: make([]int32, r.side*r.side)}
	for i := range f.away {
		f.away[i], f.nearest[i] = math.Hypot(r.box.Max[0]-r.box.Min[0], r.box.Max[1]-r.box.Min[1]), -1
	}
	for _, line := range lines {
		for i := 1; i < len(line); i++ {
			f.add(line[i-1], line[i])
		}
	}
	for _, i := range from {
		p := r.at(i)
		f.stretches = append(f.stretches, [2]orb.Point{p, p})
		f.try(i%r.side, i/r.side, int32(len(f.stretches)-1))
	}
	f.spread()
	return f
}

// add takes in a stretch at the positions round it.
func (f *field) add(p, q orb.Point) {
	f.stretches = append(f.stretches, [2]orb.Point{p, q})
	n := f.steps(p, q)
	for k := range n + 1 {
		x, y := f.cell(between(p, q, float64(k)/float64(n)))
		for corner := range 4 {
			f.try(x+corner%2, y+corner/2, int32(len(f.stretches)-1))
		}
	}
}

func (f *field) try(x, y int, stretch int32) {
	if stretch < 0 || x < 0 || y < 0 || x >= f.side || y >= f.side {
		return
	}
	i := y*f.side + x
	if f.nearest[i] == stretch {
		return
	}
	s := f.stretches[stretch]
	if d := toStretch(f.at(i), s[0], s[1]); d < f.away[i] {
		f.away[i], f.nearest[i] = d, stretch
	}
}

// spread hands the nearest stretches on to neighbours, down the grid and up again.
func (f *field) spread() {
	last := f.side*f.side - 1
	for k := range last + 1 {
		f.fromNeighbours(k, -1)
	}
	for k := range last + 1 {
		f.fromNeighbours(last-k, 1)
	}
}

// fromNeighbours tries the stretches of the four neighbours that came before in a direction,
// and hands the own one to the neighbour behind.
func (f *field) fromNeighbours(i, dir int) {
	x, y := i%f.side, i/f.side
	for _, d := range [][2]int{{dir, 0}, {-dir, dir}, {0, dir}, {dir, dir}} {
		if nx, ny := x+d[0], y+d[1]; nx >= 0 && ny >= 0 && nx < f.side && ny < f.side {
			f.try(x, y, f.nearest[ny*f.side+nx])
		}
	}
	f.try(x+dir, y, f.nearest[i])
}

func toStretch(at, p, q orb.Point) float64 { return distance(at, between(p, q, foot(at, p, q))) }

// foot returns where on a stretch a point is nearest, 0 to 1.
func foot(at, p, q orb.Point) float64 {
	dx, dy := q[0]-p[0], q[1]-p[1]
	if square := dx*dx + dy*dy; square > 0 {
		return unit(((at[0]-p[0])*dx + (at[1]-p[1])*dy) / square)
	}
	return 0
}

// coasts returns the lines between land and sea, land on their left.
func (r *raster) coasts(land *plane.Grid) (out []Coast) {
	closed, open := land.Isolines(0)
	line := func(path plane.Path) orb.LineString {
		points := make(orb.LineString, 0, len(path)+1)
		for _, at := range slices.Backward(path) {
			points = append(points, r.point(at[0], at[1]))
		}
		return points
	}
	for _, path := range closed {
		ring := line(path)
		out = append(out, named(append(ring, ring[0]), true))
	}
	for _, path := range open {
		out = append(out, named(line(path), false))
	}
	for i := range out {
		out[i].number(-1 - i)
	}
	return out
}
