// Package measure finds roads and what is above them.
//
// It takes a part of a point cloud, a rectangle of cells.
//
// The road. The lowest height of each square metre that several returns have is a candidate.
// Neighbouring candidates that differ by less than a road can rise are joined; a small piece,
// or one that stands above the pieces around it, as the roof of a vehicle or the top of a
// deck does, is no road. Nor is the image of an underside that a wet road reflects. A plane is fitted to the returns on the road within 1.25 m of each
// cell, twice, the second time without what is off it. Where no survey saw the road, as below
// a parked lorry, there is none, and the cell is not surveyed.
//
// Passes. Where the passes of a scanner see the same road at different heights, by more than
// their registration, the difference is taken off what is safe; where they differ by more than
// 0.2 m, or are of different surveys that have no road in common, what they show overhead is not
// believed.
//
// What is overhead. Heights are taken at right angles to the plane. Returns from 0.25 m to
// Options.Least are of something on the road: the cells are obstructed, and what is above it
// is neither believed nor passed, so a lorry in the lane does not become a bridge. If another
// pass of the scanner saw the same cells free, the returns of the pass with the lorry are
// dropped. A pass near something on the carriageway that is as high as a scanner and stands off
// the road shows nothing free: it may have seen the road below a lorry that hid what is above. Returns between Least and Ceiling are overhead. One with fewer than two others
// within 3 m, at a height that a wire may have there, is noise and is counted; a wire is never that thin, by
// the rule of density below. A thing of less than 0.75 m in all directions that nothing holds
// is unexplained: a bird, perhaps, so there is neither a headroom nor a pass. So is what the
// survey calls noise: classifiers have taken wires for it. The lowest
// return that at least two others support decides; it is taken over the cell and the eight
// around it, so that a step between two returns does not matter. A thing decided by returns
// of surveys from above only is a deck whose underside nobody saw, whatever its class says and
// however narrow it is.
//
// The density. The returns of the road stand for how closely the sky above it was looked at, but
// for those of scanners that may not look up. A cell is dense if each strip of the width of the thinnest object and 3 m of
// length through the square metre around it has at least three returns of the road: in eight
// directions, and in those along the scan lines, between which a wire would be missed most
// easily. The strip is narrower than Options.LeastObject and Options.Footprint together by
// the factor Stretch: a scanner on a vehicle is nearer to the road than to what is overhead,
// so its rays are farther apart there by at most (Ceiling - s) / s for a scanner at the
// height s. A straight object across such a cell and below the ceiling has then at least
// three returns within 1.5 m, and is not taken for noise. Two returns of thin things that
// are less than 3 m apart are joined by a wire with the most curvature that wires have, and
// it goes on for 1.5 m beyond them, so that no cell between returns is free.
//
// The sampling gap. If returns are spread at random with n a square metre, a circle of the
// radius r is empty with the probability exp(-n pi r^2). The radius for a probability of
// 1e-6 is r = sqrt(ln(1e6) / (pi n)) (the void probability of a Poisson process; Chiu,
// Stoyan, Kendall and Mecke, "Stochastic Geometry and its Applications", section 2.3). A
// point of the underside is therefore within r of a return. An underside with the slope g
// is at most r g lower there; g is what neighbouring cells show, and at least MinSlope. A
// larger r than a cell is not bounded, as the eight cells around would not cover it. Returns
// of a wire are a line: 3 / (returns a metre) takes the place of r, and WireSlope that of g.
package measure

import (
	"context"
	"math"

	"github.com/waygate/waygate/clearance/artefact"
)

// Options describe the limits of a survey. Lengths are metres.
type Options struct {
	Cell    float64 // edge of a cell
	Ceiling float64 // returns higher above the road are left out
	Least   float64 // lower returns are of something on the road
	// LeastObject is the diameter of the thinnest straight object that must not be missed,
	// and Footprint what the beam of the scanner adds to it.
	LeastObject float64
	Footprint   float64
	Stretch     float64 // by how much lines are farther apart overhead than on the road
	Noise       float64 // standard deviation of a distance, at least
	// Registration is the standard deviation between passes.
	Registration float64
}

// Defaults returns the options for a scanner on a vehicle.
func Defaults() Options {
	return Options{Cell: 0.25, Ceiling: 6, Least: 2, LeastObject: 0.008, Footprint: 0.006, Stretch: 1.75, Noise: 0.005, Registration: 0.005}
}

const (
	// Margin is half of what surveys from vehicles were found to measure too high: 20 to 30
	// mm at 20 viaducts and 50 gantries (a thesis of TU Delft on mobile laser scanning).
	Margin = 0.015
	// MinSlope is the least slope that an underside is taken to have.
	MinSlope = 0.05
	// WireSlope is the most that a wire rises for a metre: 1 m of sag in 30 m.
	WireSlope = 0.15
	// onRoad is the height up to which returns are of the road and its dirt.
	onRoad = 0.25
	// Below is the bit of points of a survey from the road.
	Below = 1
	// Multi is the bit of points of pulses with several returns.
	Multi = 2
	// Down is the bit of points of a pass that may not have looked up, as of a scanner of
	// pavements. They show the road, and nothing of what is not above it.
	Down = 4
	// Doubted is the bit of points that the survey calls noise or withholds, which a wire may be
	// to a classifier. They show no road. What they show overhead is unexplained.
	Doubted = 8
)

// Point is a return. X, Y and Z are metres from the south-west corner of the part and from
// its base height.
type Point struct {
	X, Y, Z      float32
	Class, Bits  uint8
	Source, Pass uint8
}

// Part is a rectangle of cells with its points.
type Part struct {
	W, H int // columns and rows
	// Lane is by cell, in rows from the south: -1 where no road is near, 0 beside the
	// carriageway, and from 1 the lane.
	Lane []int16
	// Overlooked is whether a scanner may have been on another carriageway than that of the part:
	// from farther away it sees more of the road below what stands there.
	Overlooked bool
	// Surface has the height of the road by patches, squares of PatchCells, in rows from the
	// south; NaN where there is none. It is nil for the lowest road that the points show.
	Surface []float64
	Base    float64 // height of Z = 0
	Points  []Point // are sorted, those that are Doubted last
	// Survey has the number of the survey by Point.Pass: heights of one survey are taken to be
	// of one datum. Passes that it does not have are of survey 0.
	Survey []int
}

// Counts are figures of quality.
type Counts struct {
	Isolated int64
	// Squares of the distances of cells from their planes, and their number.
	Squares float64
	Planes  int64
}

// cloud is a part with its points by cell.
type cloud struct {
	*Part
	o      *Options
	at     []int32 // by cell, and one more: where its points are
	counts Counts
}

// road is the road as it was found.
type road struct {
	cloud
	ground []groundCell
	planes []plane
	patch  patches
	dense  []bool // by patch
	epochs map[square]*epoch
}

// above is the lowest thing that was found above the road.
type above struct {
	road
	over     []return3
	overAt   []int32
	things   []thing
	wires    map[int32]wire   // by cell
	obstacle []obstacle       // by cell
	blocked  []bool           // by cell
	gone     map[int32]uint64 // passes, by cell, whose obstacles were dropped with what is above them
	shade    shade
}

// judge says what is known about cells.
type judge struct{ above }

// Measure returns the cells of a part; those where no road is near are not set.
func Measure(ctx context.Context, o *Options, p *Part) ([]artefact.Cell, Counts, error) {
	w := &judge{}
	w.Part, w.o = p, o
	for _, step := range []func(){w.sort, w.findPatches, w.joinPatches, w.findGround, w.fitPlanes, w.findEpochs, w.findAbove, w.findDense, w.sortAbove, w.dropIsolated, w.findThings, w.findThin} {
		if err := ctx.Err(); err != nil {
			return nil, w.counts, err
		}
		step()
	}
	cells := make([]artefact.Cell, p.W*p.H)
	var near neighbourhood
	for i := range cells {
		if i%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, w.counts, err
			}
		}
		if p.Lane[i] >= 0 {
			cells[i] = w.cell(i, &near)
		}
	}
	return cells, w.counts, nil
}

// sort puts points in the order of their cells, and those that are doubted behind all others.
func (w *cloud) sort() {
	n := w.W * w.H
	w.at = make([]int32, n+1)
	size := float32(w.o.Cell)
	index := make([]int32, 0, len(w.Points))
	kept, doubted := w.Points[:0], []Point(nil)
	for _, p := range w.Points {
		x, y := int(math.Floor(float64(p.X/size))), int(math.Floor(float64(p.Y/size)))
		if x < 0 || y < 0 || x >= w.W || y >= w.H {
			continue
		}
		if p.Bits&Doubted != 0 {
			doubted = append(doubted, p)
			continue
		}
		c := int32(y*w.W + x)
		kept, index = append(kept, p), append(index, c)
		w.at[c+1]++
	}
	for i := range n {
		w.at[i+1] += w.at[i]
	}
	sorted := make([]Point, len(kept), len(kept)+len(doubted))
	next := make([]int32, n)
	copy(next, w.at)
	for i, c := range index {
		sorted[next[c]] = kept[i]
		next[c]++
	}
	sorted = append(sorted, doubted...)
	w.Points = sorted
}

// of returns the points of a cell that are not doubted.
func (w *cloud) of(cell int) []Point { return w.Points[w.at[cell]:w.at[cell+1]] }

// doubted returns the doubted points of all cells.
func (w *cloud) doubted() []Point { return w.Points[w.at[w.W*w.H]:] }

// around calls a function with the cells within a distance of one, in cells.
func (w *cloud) around(cell, reach int, visit func(cell, dx, dy int)) {
	x, y := cell%w.W, cell/w.W
	for j := max(0, y-reach); j <= min(w.H-1, y+reach); j++ {
		for i := max(0, x-reach); i <= min(w.W-1, x+reach); i++ {
			visit(j*w.W+i, i-x, j-y)
		}
	}
}
