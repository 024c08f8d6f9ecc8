// Package contour draws the outline of what can be reached along roads, the polygons of an
// isochrone. It does not use the graph: its input are Strokes, the lines of roads with the
// time and length it takes to get to them, and Levels, the limits of the contours.
//
// For each level the roads within the limit are marked in a bitmap, a bit for each
// cell of a grid that is fixed to the ground; what is within a fixed distance of
// them is marked by shifting its words (a dilation); the border between what is
// marked and what is not is followed; and the outlines are simplified (Douglas and
// Peucker, 1973) without letting lines cross.
//
// The outline encloses every place within that distance of a road that is reached
// with some of the limit to spare, give or take one and a half cells; where the limit
// runs out it tapers to a point. Rings are closed, outer ones run counter-clockwise
// and holes clockwise, and no two lines of a level cross or touch. All of a level is
// inside the next higher one of the same measure.
package contour

import (
	"cmp"
	"context"
	"slices"

	"github.com/waygate/waygate/geo"
)

// Measure is the measure that a contour bounds.
type Measure uint8

// The measures.
const (
	Seconds Measure = iota
	Metres
)

// Values are the time in seconds and the length in metres it takes to get to a
// point, by Measure.
type Values [2]float32

// Stroke is a stretch of road with what it takes to get to its ends; in between it
// is interpolated.
type Stroke struct {
	Line       Line
	Begin, End float64 // the parts of the line's length between which it was reached, ascending
	AtBegin    Values
	AtEnd      Values
}

// Line is the line of a road.
type Line []geo.Fixed

// Reached is the part of the roads to be outlined.
type Reached struct {
	Strokes []Stroke
	// Whole are, by level, roads that belong to it and to those with a higher limit of
	// the same measure, and to none with a lower one. They were reached with plenty to
	// spare: the outline does not taper along them.
	Whole [][]Line
	// Parts are more of these roads, by level.
	Parts [][]Part
}

// Level is one contour that is wanted.
type Level struct {
	Measure Measure
	Limit   float64 // seconds or metres
	// Slope is the measure that a metre off the road takes: it sets how the outline tapers
	// where the limit runs out.
	Slope float64
}

// Options are the options of all contours.
type Options struct {
	// Denoise, 0 to 1, drops islands smaller than that share of the largest
	// island, and holes smaller than that share of a hundredth of it: 1 leaves
	// one island and the large holes, 0 everything. An island on which one of a
	// lower level stays is not dropped.
	Denoise float64
	// Tolerance is how far in metres the outline may be moved to have fewer
	// points; below 0 three quarters of a cell of the grid. The points where outlines
	// of several levels meet or part stay.
	Tolerance float64
}

// Ring is a closed line: its last point is its first.
type Ring []geo.Point

// Polygon is an outer ring and the holes in it.
type Polygon struct {
	Outer Ring
	Holes []Ring
}

// The outline keeps away from the roads by the longer side of what was reached
// times reachShare, and by leastReach metres at least. The grid's cells are the
// largest of 40, 80, 160, ... metres of which leastCells make up that distance, so
// that simplified by default the outline still has the roads inside; and leastCell
// metres for what is no longer than mostFine, of which 40 would be a coarse picture.
const (
	reachShare = 0.0055
	leastReach = 70.0
	leastCells = 1.5
	leastCell  = 20.0
	mostFine   = 4000.0
)

// levelOf returns how often leastCell is doubled for an area so many metres wide or high.
func levelOf(metres float64) uint {
	if metres <= mostFine {
		return 0
	}
	level := uint(1)
	for metres*reachShare >= leastCells*leastCell*float64(int(2)<<level) {
		level++
	}
	return level
}

// MostReach returns how far from the roads, in metres, the outline can lie if what was
// reached is at most so many metres wide and high.
func MostReach(metres float64) float64 {
	return max(leastReach, metres*reachShare, leastCells*leastCell*float64(int(1)<<levelOf(metres)))
}

// Drawer draws contours. It is scratch, for one caller at a time.
type Drawer struct {
	plane      Plane
	grid       grid
	roads      bitmap      // the cells on whole roads
	near       bitmap      // those and the ones on strokes with enough to spare
	wide       bitmap      // all within reach
	left       []*Stroke   // of which not all is on roads
	spots      []gridPoint // scratch
	words      []patchWord // scratch
	tracer     tracer
	simplifier simplifier
}

// NewDrawer returns a Drawer on a plane.
func NewDrawer(p Plane) *Drawer { return &Drawer{plane: p} }

// Draw returns the polygons of each level, and leaves out the strokes that a level does not
// reach. The error is the context's.
func (d *Drawer) Draw(ctx context.Context, r *Reached, levels []Level, o Options) ([][]Polygon, error) {
	out := make([][]Polygon, len(levels))
	around := r.around()
	if around == empty || len(levels) == 0 {
		return out, nil
	}
	if around.crossing() {
		return d.halves(ctx, r, levels, o)
	}
	d.grid.cover(d.plane, around)
	if o.Tolerance < 0 {
		o.Tolerance = max(d.grid.cellX, d.grid.cellY) * 3 / 4
	}
	for _, m := range [...]Measure{Seconds, Metres} {
		order := ascending(levels, m)
		if len(order) == 0 {
			continue
		}
		d.roads.reset(&d.grid)
		d.wide.reset(&d.grid)
		d.tracer.reset()
		d.left = d.left[:0]
		for k := range r.Strokes {
			d.left = append(d.left, &r.Strokes[k])
		}
		outlines := make([][]outline, len(order))
		for k, i := range order {
			if err := d.paint(ctx, r, levels, i, order[k+1:]); err != nil {
				return nil, err
			}
			outlines[k] = denoise(d.tracer.trace(&d.grid, &d.wide, len(order) > 1), outlines[max(0, k-1)], o.Denoise)
		}
		d.simplifier.simplify(outlines, &d.grid, o.Tolerance)
		for k, i := range order {
			out[i] = polygons(outlines[k])
		}
	}
	return out, ctx.Err()
}

// ascending lists the levels of a measure, the lowest limit first: all that is
// within one is within the next.
func ascending(levels []Level, m Measure) []int {
	var list []int
	for i := range levels {
		if levels[i].Measure == m {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(levels[a].Limit, levels[b].Limit) })
	return list
}

// Margin returns how far from the roads the outlines of the last Draw lie, and how wide a
// cell of its grid is, in metres.
func (d *Drawer) Margin() (reach, cell float64) { return d.grid.reach, max(d.grid.cellX, d.grid.cellY) }
