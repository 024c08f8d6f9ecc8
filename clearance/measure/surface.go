package measure

import (
	"cmp"
	"math"
	"slices"
)

const (
	// PatchCells is how many cells the edge of a patch has.
	PatchCells = 4
	patchCells = PatchCells
	support    = 3    // returns that make a height believable
	patchRange = 0.10 // of the heights of these in a patch
	rise       = 0.30 // between neighbouring patches of a road
	nearRoad   = 0.12 // of returns on the road from the plane of their patches
	leastPiece = 20   // patches of a piece of road
)

// patches are squares of cells.
type patches struct {
	w, h   int
	height []float64 // NaN where there is none
	piece  []int32   // number of the piece of road from 1; 0 for none
}

func (w *road) patchOf(cell int) int {
	return cell/w.W/patchCells*w.patch.w + cell%w.W/patchCells
}

// findPatches finds the lowest height of each patch that several returns have.
func (w *road) findPatches() {
	p := &w.patch
	p.w, p.h = (w.W+patchCells-1)/patchCells, (w.H+patchCells-1)/patchCells
	if p.height = w.Surface; p.height != nil {
		return
	}
	p.height = make([]float64, p.w*p.h)
	noise := w.doubtedHeights()
	var z []float32
	for i := range p.height {
		z = z[:0]
		w.inPatch(i, func(cell int) {
			for _, q := range w.of(cell) {
				z = append(z, q.Z)
			}
		})
		slices.Sort(z)
		p.height[i] = lowest(z)
		// The survey may call an underside noise, and not its image.
		if more := noise[i]; len(more) > 0 {
			z = append(z, more...)
			slices.Sort(z)
		}
		if mirrored(z, p.height[i]) {
			p.height[i] = math.NaN()
		}
	}
}

// doubtedHeights returns the heights of the doubted points by patch.
func (w *road) doubtedHeights() map[int][]float32 {
	heights := map[int][]float32{}
	for _, q := range w.doubted() {
		size := float32(w.o.Cell)
		patch := w.patchOf(int(math.Floor(float64(q.Y/size)))*w.W + int(math.Floor(float64(q.X/size))))
		heights[patch] = append(heights[patch], q.Z)
	}
	return heights
}

const (
	mirrorDeep = 2.0 // metres from which on below the road an image counts
	mirrorNear = 0.3 // in height, of what an image is of, on an uneven or sloping road
	// mirrorPart is how many returns an image may have for each of what it is of. That is nearer
	// to the scanner; what hangs twice as high as something else is farther away than the road.
	mirrorPart = 3
)

// mirrored reports whether the lowest height of sorted ones is of an underside that a wet road
// reflects: there are returns half as high, which the road has, and twice as high as these, which
// the underside has.
func mirrored(z []float32, low float64) bool {
	if math.IsNaN(low) {
		return false
	}
	between := func(from, to float64) int {
		a, _ := slices.BinarySearch(z, float32(from))
		b, _ := slices.BinarySearch(z, float32(to))
		return b - a
	}
	image := between(low-patchRange, low+patchRange)
	at, _ := slices.BinarySearch(z, float32(low+mirrorDeep))
	for at+support <= len(z) {
		road := float64(z[at])
		if z[at+support-1]-z[at] > patchRange {
			at++
			continue
		}
		if of := 2*road - low; mirrorPart*between(of-mirrorNear, of+mirrorNear) >= image {
			return true
		}
		if 2*road-low-mirrorNear > float64(z[len(z)-1]) {
			return false
		}
		at += between(road, road+patchRange)
	}
	return false
}

// lowest returns the lowest of sorted heights that enough others are near to.
func lowest(z []float32) float64 {
	need := max(support, len(z)/40)
	for i := 0; i+need <= len(z); i++ {
		if z[i+need-1]-z[i] <= patchRange {
			return float64(z[i+need/2])
		}
	}
	return math.NaN()
}

// Height is a height that several returns of a patch have.
type Height struct {
	Z      float64
	Passes [4]uint64 // that have the returns, by bits
}

// Surfaces returns for each patch of a part, in rows from the south, the heights that several
// returns have, from the lowest: one for each that is higher than the one before by more than
// neighbouring patches of a road differ.
func Surfaces(p *Part, cell float64) [][]Height {
	w, h := (p.W+patchCells-1)/patchCells, (p.H+patchCells-1)/patchCells
	r := road{cloud: cloud{Part: p, o: &Options{Cell: cell}}}
	r.sort()
	r.patch.w, r.patch.h = w, h
	all := make([][]Height, w*h)
	var returns []Point
	var z []float32
	for i := range all {
		returns, z = returns[:0], z[:0]
		r.inPatch(i, func(cell int) { returns = append(returns, r.of(cell)...) })
		slices.SortFunc(returns, func(a, b Point) int { return cmp.Compare(a.Z, b.Z) })
		for _, q := range returns {
			z = append(z, q.Z)
		}
		for from := 0; from < len(z); {
			at := lowest(z[from:])
			if math.IsNaN(at) {
				break
			}
			next, _ := slices.BinarySearch(z, float32(at+rise))
			one := Height{Z: at}
			for _, q := range returns[from:next] {
				if math.Abs(float64(q.Z)-at) <= patchRange {
					one.Passes[q.Pass/64] |= 1 << (q.Pass % 64)
				}
			}
			all[i] = append(all[i], one)
			from = next
		}
	}
	return all
}

func (w *road) inPatch(patch int, visit func(cell int)) {
	x, y := patch%w.patch.w*patchCells, patch/w.patch.w*patchCells
	for j := y; j < min(y+patchCells, w.H); j++ {
		for i := x; i < min(x+patchCells, w.W); i++ {
			visit(j*w.W + i)
		}
	}
}

// beside calls a function with the patches within a distance of one.
func (p *patches) beside(patch, reach int, visit func(other, dx, dy int)) {
	x, y := patch%p.w, patch/p.w
	for j := max(0, y-reach); j <= min(p.h-1, y+reach); j++ {
		for i := max(0, x-reach); i <= min(p.w-1, x+reach); i++ {
			if i != x || j != y {
				visit(j*p.w+i, i-x, j-y)
			}
		}
	}
}

// joinPatches joins patches to pieces and drops the pieces that are no road.
func (w *road) joinPatches() {
	p := &w.patch
	p.piece = make([]int32, len(p.height))
	var sizes []int
	var todo []int
	for first := range p.height {
		if p.piece[first] != 0 || math.IsNaN(p.height[first]) {
			continue
		}
		sizes = append(sizes, 0)
		number := int32(len(sizes))
		p.piece[first] = number
		for todo = append(todo[:0], first); len(todo) > 0; {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			sizes[number-1]++
			p.beside(at, 1, func(other, _, _ int) {
				if p.piece[other] == 0 && math.Abs(p.height[other]-p.height[at]) <= rise {
					p.piece[other] = number
					todo = append(todo, other)
				}
			})
		}
	}
	if w.Surface != nil {
		return
	}
	// A piece is dropped if more of its border is above other pieces than below.
	votes := make([]int, len(sizes))
	for i, piece := range p.piece {
		if piece == 0 {
			continue
		}
		p.beside(i, 2, func(other, _, _ int) {
			if o := p.piece[other]; o != 0 && o != piece && sizes[o-1] >= leastPiece {
				switch d := p.height[i] - p.height[other]; {
				case d > rise:
					votes[piece-1]++
				case d < -rise:
					votes[piece-1]--
				}
			}
		})
	}
	for i, piece := range p.piece {
		if piece != 0 && (sizes[piece-1] < leastPiece || votes[piece-1] > 0) {
			p.piece[i] = 0
		}
	}
}

// groundCell sums up the returns of a cell on the road.
type groundCell struct {
	n       int32
	mean    float64
	squares float64 // of the distances from the mean
}

// findGround takes the returns of each cell that are near the plane of its patch and the
// patches around it.
func (w *road) findGround() {
	w.ground = make([]groundCell, w.W*w.H)
	size := w.o.Cell
	for i := range w.patch.height {
		pl, ok := w.patchPlane(i)
		if !ok {
			continue
		}
		w.inPatch(i, func(cell int) {
			g := &w.ground[cell]
			for _, q := range w.of(cell) {
				d := float64(q.Z) - pl.at(float64(q.X)/size, float64(q.Y)/size)
				if math.Abs(d) > nearRoad {
					continue
				}
				g.n++
				z := float64(q.Z)
				delta := z - g.mean
				g.mean += delta / float64(g.n)
				g.squares += delta * (z - g.mean)
			}
		})
	}
}

// plane is z = c + a (x-x0) + b (y-y0), with x and y in cells.
type plane struct {
	x0, y0, a, b, c float64
	rms             float64
	ok              bool
}

func (p *plane) at(x, y float64) float64 { return p.c + p.a*(x-p.x0) + p.b*(y-p.y0) }

// patchPlane fits a plane to a patch of a road and those around it.
func (w *road) patchPlane(i int) (plane, bool) {
	p := &w.patch
	piece := p.piece[i]
	if piece == 0 {
		return plane{}, false
	}
	centre := func(i int) float64 { return (float64(i) + 0.5) * patchCells }
	var s sums
	s.add(0, 0, p.height[i], 1)
	p.beside(i, 1, func(other, dx, dy int) {
		if p.piece[other] == piece {
			s.add(float64(dx*patchCells), float64(dy*patchCells), p.height[other], 1)
		}
	})
	pl := s.plane()
	if !pl.ok {
		pl = plane{c: p.height[i], ok: true}
	}
	pl.x0, pl.y0 = centre(i%p.w), centre(i/p.w)
	return pl, true
}

// sums are for a plane by least squares.
type sums struct{ n, x, y, xx, xy, yy, z, xz, yz float64 }

func (s *sums) add(x, y, z, weight float64) {
	s.n += weight
	s.x += weight * x
	s.y += weight * y
	s.xx += weight * x * x
	s.xy += weight * x * y
	s.yy += weight * y * y
	s.z += weight * z
	s.xz += weight * x * z
	s.yz += weight * y * z
}

// plane returns the plane; ok is false if the places are too few, or on a line.
func (s *sums) plane() (p plane) {
	if s.n < 3 {
		return p
	}
	mx, my, mz := s.x/s.n, s.y/s.n, s.z/s.n
	xx, xy, yy := s.xx/s.n-mx*mx, s.xy/s.n-mx*my, s.yy/s.n-my*my
	det := xx*yy - xy*xy
	if !(xx > 0 && yy > 0) || det < 0.02*(xx+yy)*(xx+yy) {
		return p
	}
	xz, yz := s.xz/s.n-mx*mz, s.yz/s.n-my*mz
	p.a, p.b = (xz*yy-yz*xy)/det, (yz*xx-xz*xy)/det
	p.c = mz - p.a*mx - p.b*my
	p.ok = true
	return p
}

const (
	planeReach = 5   // cells
	planeCells = 12  // with returns that a plane needs at least
	mostSteep  = 0.4 // rise for a metre; a plane that is steeper is no road's
	fillReach  = 8   // cells to which a plane is continued for returns beside the road
)

// fitPlanes fits a plane to the road around each cell that is near a road.
func (w *road) fitPlanes() {
	w.planes = make([]plane, w.W*w.H)
	for i := range w.planes {
		if w.Lane[i] >= 0 && w.patch.piece[w.patchOf(i)] != 0 {
			w.planes[i] = w.fit(i)
		}
	}
	w.continuePlanes()
}

func (w *road) fit(i int) plane {
	var first, second sums
	own := w.ground[i]
	w.around(i, planeReach, func(c, dx, dy int) {
		if g := &w.ground[c]; g.n > 0 {
			first.add(float64(dx), float64(dy), g.mean, 1)
		}
	})
	p := first.plane()
	if !p.ok || first.n < planeCells {
		return plane{}
	}
	limit := 0.03
	if own.n > 0 {
		// At a kerb the plane is that of the side on which the cell is.
		limit = max(limit, math.Abs(own.mean-p.c))
	}
	squares := 0.0
	w.around(i, planeReach, func(c, dx, dy int) {
		if g := &w.ground[c]; g.n > 0 {
			if d := g.mean - p.at(float64(dx), float64(dy)); math.Abs(d) <= limit {
				second.add(float64(dx), float64(dy), g.mean, 1)
				squares += d * d
			}
		}
	})
	if q := second.plane(); q.ok && second.n >= planeCells {
		p = q
		p.rms = math.Sqrt(squares / second.n)
	} else {
		p.rms = limit
	}
	if math.Hypot(p.a, p.b) > mostSteep*w.o.Cell {
		return plane{}
	}
	p.x0, p.y0 = float64(i%w.W)+0.5, float64(i/w.W)+0.5
	w.counts.Squares += p.rms * p.rms
	w.counts.Planes++
	return p
}

// continuePlanes gives cells without a plane the one of a cell near them. They are not
// surveyed by that; it measures the heights of returns above them.
func (w *road) continuePlanes() {
	var edge []int
	for i := range w.planes {
		if w.planes[i].ok {
			edge = append(edge, i)
		}
	}
	for range fillReach {
		var next []int
		for _, i := range edge {
			w.around(i, 1, func(c, _, _ int) {
				if !w.planes[c].ok && w.planes[c].c == 0 {
					w.planes[c] = w.planes[i]
					w.planes[c].ok = false
					if w.planes[c].c == 0 {
						w.planes[c].c = 1e-9
					}
					next = append(next, c)
				}
			})
		}
		edge = next
	}
}

// surveyed reports whether a cell has a plane and returns of the road near it.
func (w *road) surveyed(i int) bool {
	if !w.planes[i].ok {
		return false
	}
	if w.ground[i].n >= support {
		return true
	}
	n := 0
	w.around(i, 1, func(c, _, _ int) { n += int(w.ground[c].n) })
	return n >= support
}
