package sample

import "math"

// seg is a stretch of a line in an index; of tells whose.
type seg struct {
	a, b pt
	of   int
}

func (s seg) dir() pt { return s.b.sub(s.a) }

// segIndex finds segments by place, on a grid of cells.
type segIndex struct {
	cell  float64
	nx    int
	ny    int
	cells [][]int32
	segs  []seg
}

func newSegIndex(cell float64) *segIndex {
	nx, ny := int(breadth/cell)+3, int(depth/cell)+3
	return &segIndex{cell: cell, nx: nx, ny: ny, cells: make([][]int32, nx*ny)}
}

func (ix *segIndex) col(x float64) int { return max(0, min(ix.nx-1, int(x/ix.cell)+1)) }
func (ix *segIndex) row(y float64) int { return max(0, min(ix.ny-1, int(y/ix.cell)+1)) }

func (ix *segIndex) add(a, b pt, of int) {
	id := int32(len(ix.segs))
	ix.segs = append(ix.segs, seg{a, b, of})
	for r := ix.row(math.Min(a.y, b.y)); r <= ix.row(math.Max(a.y, b.y)); r++ {
		for c := ix.col(math.Min(a.x, b.x)); c <= ix.col(math.Max(a.x, b.x)); c++ {
			ix.cells[r*ix.nx+c] = append(ix.cells[r*ix.nx+c], id)
		}
	}
}

func (ix *segIndex) addLine(line []pt, of int) {
	for i := 1; i < len(line); i++ {
		ix.add(line[i-1], line[i], of)
	}
}

// around calls f with each segment whose cells touch the box of half-width r
// about p, some more than once, until f gives false.
func (ix *segIndex) around(p pt, r float64, f func(id int, s seg) bool) {
	for row := ix.row(p.y - r); row <= ix.row(p.y+r); row++ {
		for c := ix.col(p.x - r); c <= ix.col(p.x+r); c++ {
			for _, id := range ix.cells[row*ix.nx+c] {
				if !f(int(id), ix.segs[id]) {
					return
				}
			}
		}
	}
}

// nearest gives the segment nearest p within r.
func (ix *segIndex) nearest(p pt, r float64) (best seg, at pt, d float64, ok bool) {
	d = r
	ix.around(p, r, func(_ int, s seg) bool {
		if q, e := foot(p, s.a, s.b); e < d {
			best, at, d, ok = s, q, e, true
		}
		return true
	})
	return best, at, d, ok
}

// near reports whether a segment lies within r of p.
func (ix *segIndex) near(p pt, r float64) bool {
	found := false
	ix.around(p, r, func(_ int, s seg) bool {
		_, d := foot(p, s.a, s.b)
		found = d < r
		return !found
	})
	return found
}

// parallel reports whether a segment within r of p, of a line other than but,
// runs within about 40 degrees of dir.
func (ix *segIndex) parallel(p, dir pt, r float64, but int) bool {
	found := false
	ix.around(p, r, func(_ int, s seg) bool {
		if s.of == but {
			return true
		}
		if _, d := foot(p, s.a, s.b); d < r && sineBetween(s.dir(), dir) < 0.64 {
			found = true
		}
		return !found
	})
	return found
}

// hit gives the first segment that ab crosses, and where.
func (ix *segIndex) hit(a, b pt) (best seg, at pt, ok bool) {
	mid, first := a.lerp(b, 0.5), 2.0
	ix.around(mid, a.dist(b)/2+1, func(_ int, s seg) bool {
		if t, _, cut := crossing(a, b, s.a, s.b); cut && t > 1e-9 && t < first {
			best, at, first, ok = s, a.lerp(b, t), t, true
		}
		return true
	})
	return best, at, ok
}
