package plane

import "math"

// Segment is a stretch of a line in an index; of identifies the line.
type Segment struct {
	A, B Point
	Of   int
}

// Dir returns the vector from the start of the segment to its end.
func (s Segment) Dir() Point { return s.B.Sub(s.A) }

// Index finds segments by place, on a grid of cells.
type Index struct {
	cell  float64
	nx    int
	ny    int
	cells [][]int32
	Segs  []Segment
}

// NewIndex returns an empty index with square cells of a side in metres.
func NewIndex(cell float64) *Index {
	nx, ny := int(Breadth/cell)+3, int(Depth/cell)+3
	return &Index{cell: cell, nx: nx, ny: ny, cells: make([][]int32, nx*ny)}
}

func (ix *Index) col(x float64) int { return max(0, min(ix.nx-1, int(x/ix.cell)+1)) }
func (ix *Index) row(y float64) int { return max(0, min(ix.ny-1, int(y/ix.cell)+1)) }

// Add puts in the segment from a to b of the line numbered of.
func (ix *Index) Add(a, b Point, of int) {
	id := int32(len(ix.Segs))
	ix.Segs = append(ix.Segs, Segment{a, b, of})
	for r := ix.row(math.Min(a.Y, b.Y)); r <= ix.row(math.Max(a.Y, b.Y)); r++ {
		for c := ix.col(math.Min(a.X, b.X)); c <= ix.col(math.Max(a.X, b.X)); c++ {
			ix.cells[r*ix.nx+c] = append(ix.cells[r*ix.nx+c], id)
		}
	}
}

// AddLine puts in each segment of a line.
func (ix *Index) AddLine(line []Point, of int) {
	for i := 1; i < len(line); i++ {
		ix.Add(line[i-1], line[i], of)
	}
}

// Around calls f with each segment whose cells touch the box of half-width r
// about p, some more than once, until f gives false.
func (ix *Index) Around(p Point, r float64, f func(id int, s Segment) bool) {
	for row := ix.row(p.Y - r); row <= ix.row(p.Y+r); row++ {
		for c := ix.col(p.X - r); c <= ix.col(p.X+r); c++ {
			for _, id := range ix.cells[row*ix.nx+c] {
				if !f(int(id), ix.Segs[id]) {
					return
				}
			}
		}
	}
}

// Nearest returns the segment nearest p within r.
func (ix *Index) Nearest(p Point, r float64) (best Segment, at Point, d float64, ok bool) {
	d = r
	ix.Around(p, r, func(_ int, s Segment) bool {
		if q, e := Foot(p, s.A, s.B); e < d {
			best, at, d, ok = s, q, e, true
		}
		return true
	})
	return best, at, d, ok
}

// Near reports whether a segment lies within r of p.
func (ix *Index) Near(p Point, r float64) bool {
	found := false
	ix.Around(p, r, func(_ int, s Segment) bool {
		_, d := Foot(p, s.A, s.B)
		found = d < r
		return !found
	})
	return found
}

// parallel reports whether a segment within r of p, of a line other than but,
// runs within about 40 degrees of dir.
func (ix *Index) parallel(p, dir Point, r float64, but int) bool {
	found := false
	ix.Around(p, r, func(_ int, s Segment) bool {
		if s.Of == but {
			return true
		}
		if _, d := Foot(p, s.A, s.B); d < r && SineBetween(s.Dir(), dir) < 0.64 {
			found = true
		}
		return !found
	})
	return found
}

// Hit returns the first segment that ab crosses, and where.
func (ix *Index) Hit(a, b Point) (best Segment, at Point, ok bool) {
	mid, first := a.Lerp(b, 0.5), 2.0
	ix.Around(mid, a.Dist(b)/2+1, func(_ int, s Segment) bool {
		if t, _, cut := Crossing(a, b, s.A, s.B); cut && t > 1e-9 && t < first {
			best, at, first, ok = s, a.Lerp(b, t), t, true
		}
		return true
	})
	return best, at, ok
}
