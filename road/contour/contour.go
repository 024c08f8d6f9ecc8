// Package contour draws the outline of what can be reached along roads, the
// polygons of an isochrone. It knows nothing of the graph: it is given Strokes, the
// lines of roads with the time and length it takes to get to them, and Levels, the
// limits whose contours are wanted.
//
// For each level the strokes within the limit are rasterised on a grid, whose nodes
// get the distance to the nearest of them; the line at a fixed distance is traced
// through the grid's cells (marching squares: Lorensen and Cline's "Marching
// Cubes", 1987, in the plane); and the outlines are simplified (Douglas and
// Peucker, 1973) without letting lines cross.
//
// The outline encloses every place within that distance of a road that is reached
// with some of the limit to spare; where the limit runs out it tapers to a point.
// Rings are closed, outer ones run counter-clockwise and holes clockwise, and no
// two lines cross or touch.
package contour

import (
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"

	"github.com/waygate/waygate/parallel"
)

// Measure is what a contour bounds.
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
	Line       []geo.Fixed
	Metres     float64 // the line's length
	Begin, End float64 // the parts of the line's length between which it was reached, ascending
	AtBegin    Values
	AtEnd      Values
}

// Road is a line that was reached with plenty to spare: the outline of a level does
// not taper along it.
type Road struct {
	Line   []geo.Fixed
	Metres float64 // the line's length
}

// Reached is what is to be outlined.
type Reached struct {
	Strokes []Stroke
	// Whole are, by level, roads that belong to it and to those with a higher limit,
	// and to none with a lower one.
	Whole [][]Road
}

func (r *Reached) empty() bool {
	return len(r.Strokes) == 0 && !slices.ContainsFunc(r.Whole, func(list []Road) bool { return len(list) > 0 })
}

// Level is one contour that is wanted.
type Level struct {
	Measure Measure
	Limit   float64 // seconds or metres
	// Slope is the measure that a metre off the road takes: it sets how the
	// outline tapers where the limit runs out.
	Slope float64
}

// Options are the wishes for all contours.
type Options struct {
	// Denoise, 0 to 1, drops islands smaller than that share of the largest
	// island, and holes smaller than that share of a hundredth of it: 1 leaves
	// one island and the large holes, 0 everything.
	Denoise float64
	// Tolerance is how far in metres the outline may be moved to have fewer
	// points; below 0 a quarter of a cell of the grid.
	Tolerance float64
}

// Ring is a closed line: its last point is its first.
type Ring []geo.Point

// Polygon is an outer ring and the holes in it.
type Polygon struct {
	Outer Ring
	Holes []Ring
}

// The grid has cells of the longer side of what was reached by cellsAcross,
// but none smaller than leastCell metres. The outline keeps reachCells cells,
// and at least leastReach metres, away from the roads.
const (
	cellsAcross = 200
	leastCell   = 40.0
	reachCells  = 1.1
	leastReach  = 70.0
)

// Drawer draws contours. It is scratch, for one caller at a time.
type Drawer struct {
	grid     grid
	samples  []sample
	spots    []spot   // scratch
	wholes   [][]spot // by level
	canvases []canvas // by level
}

// canvas is the scratch of one level.
type canvas struct {
	grid       grid
	tracer     tracer
	simplifier simplifier
}

// spot is a place on a road, in cells from the grid's corner.
type spot struct{ x, y float32 }

// sample is a spot with what it takes to get there.
type sample struct {
	spot
	values Values
}

// MostReach is how far from the roads, in metres, the outline of what is so many
// metres wide and high at most can lie.
func MostReach(metres float64) float64 { return math.Max(leastReach, metres/cellsAcross*reachCells) }

// Draw gives the polygons of each level. Strokes that a level does not reach
// are left out of it. The error is the context's.
func (d *Drawer) Draw(ctx context.Context, r *Reached, levels []Level, o Options) ([][]Polygon, error) {
	out := make([][]Polygon, len(levels))
	if r.empty() || len(levels) == 0 {
		return out, nil
	}
	d.grid.cover(r)
	if err := d.sample(ctx, r); err != nil {
		return nil, err
	}
	if o.Tolerance < 0 {
		o.Tolerance = d.grid.cell / 4
	}
	for len(d.canvases) < len(levels) {
		d.canvases = append(d.canvases, canvas{})
	}
	// The first is drawn by this goroutine, so that a single level starts none.
	var others parallel.Group
	for i := 1; i < len(levels); i++ {
		others.Go(func() { out[i] = d.level(ctx, i, levels, o) })
	}
	out[0] = d.level(ctx, 0, levels, o)
	others.Wait()
	return out, ctx.Err()
}

// level draws one level; nil once the context is done.
func (d *Drawer) level(ctx context.Context, i int, levels []Level, o Options) []Polygon {
	c, l := &d.canvases[i], levels[i]
	square := c.grid.square
	c.grid = d.grid
	c.grid.square = square
	c.grid.reset()
	for part := range slices.Chunk(d.samples, checkEvery) {
		if ctx.Err() != nil {
			return nil
		}
		c.grid.rasterise(part, l)
	}
	for j, spots := range d.wholes {
		if levels[j].Measure != l.Measure || levels[j].Limit > l.Limit {
			continue
		}
		for part := range slices.Chunk(spots, checkEvery) {
			if ctx.Err() != nil {
				return nil
			}
			c.grid.stamp(part)
		}
	}
	rings := denoise(c.tracer.trace(&c.grid), o.Denoise)
	return c.grid.polygons(c.simplifier.simplify(rings, &c.grid, o.Tolerance))
}

// checkEvery is how many samples are rasterised between two checks of the context.
const checkEvery = 1 << 16

// sample places samples on what was reached.
func (d *Drawer) sample(ctx context.Context, r *Reached) error {
	d.samples = d.samples[:0]
	for part := range slices.Chunk(r.Strokes, checkEvery) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for i := range part {
			d.along(&part[i])
		}
	}
	for len(d.wholes) < len(r.Whole) {
		d.wholes = append(d.wholes, nil)
	}
	d.wholes = d.wholes[:len(r.Whole)]
	for i, roads := range r.Whole {
		d.wholes[i] = d.wholes[i][:0]
		for part := range slices.Chunk(roads, checkEvery) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			for _, road := range part {
				d.wholes[i] = d.grid.spots(d.wholes[i], road, 0, 1)
			}
		}
	}
	return nil
}

// along appends samples of the part of a stroke that was reached.
func (d *Drawer) along(s *Stroke) {
	d.spots = d.grid.spots(d.spots[:0], Road{s.Line, s.Metres}, s.Begin, s.End)
	step := float32(1 / float64(len(d.spots)))
	v, rise := s.AtBegin, s.AtEnd
	for m := range v {
		rise[m] = (rise[m] - v[m]) * step
		v[m] += rise[m] / 2
	}
	for _, at := range d.spots {
		d.samples = append(d.samples, sample{at, v})
		v[0], v[1] = v[0]+rise[0], v[1]+rise[1]
	}
}

// Margin is how far from the roads the outlines of the last Draw lie, and how
// wide a cell of its grid is, in metres.
func (d *Drawer) Margin() (reach, cell float64) { return d.grid.reach, d.grid.cell }

// side is the longer side of a box in metres.
func side(b geo.Bounds) float64 {
	mid := b.Centre()
	return math.Max(
		geo.Distance(geo.Point{Lon: b.Min.Lon, Lat: mid.Lat}, geo.Point{Lon: b.Max.Lon, Lat: mid.Lat}),
		geo.Distance(geo.Point{Lon: mid.Lon, Lat: b.Min.Lat}, geo.Point{Lon: mid.Lon, Lat: b.Max.Lat}),
	)
}
