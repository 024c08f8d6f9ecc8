package geo

import (
	"math"
	"sort"
)

// Ruler measures along a line. It is immutable and of good use where many
// places are measured along one line.
type Ruler struct {
	line []Point
	arc  []float64 // metres from the start, by point
}

// Mark is a place on a line.
type Mark struct {
	Point   Point
	Arc     float64 // metres from the line's start
	Metres  float64 // from the given place
	Index   int     // of the line's point at or before it
	Bearing float64 // of the line there, in degrees
}

// NewRuler returns a ruler along a line of at least one point.
func NewRuler(line []Point) *Ruler {
	r := &Ruler{line: line, arc: make([]float64, len(line))}
	for i := 1; i < len(line); i++ {
		r.arc[i] = r.arc[i-1] + Distance(line[i-1], line[i])
	}
	return r
}

// Length returns the line's length in metres.
func (r *Ruler) Length() float64 { return r.arc[len(r.arc)-1] }

// At returns the place so many metres from the start; its ends where the line is
// shorter or arc below zero.
func (r *Ruler) At(arc float64) Mark {
	i := sort.SearchFloat64s(r.arc, arc) // the first point at or past it
	switch {
	case i == 0 || len(r.line) == 1:
		return Mark{Point: r.line[0], Bearing: r.bearing(0)}
	case i == len(r.line):
		return Mark{Point: r.line[i-1], Arc: r.Length(), Index: i - 1, Bearing: r.bearing(i - 1)}
	}
	a, b := r.line[i-1], r.line[i]
	t := (arc - r.arc[i-1]) / (r.arc[i] - r.arc[i-1])
	m := Mark{Point: Between(a, b, t), Arc: arc, Index: i - 1, Bearing: Bearing(a, b)}
	if t >= 1 {
		m.Index = i
	}
	return m
}

// bearing returns the bearing of the line after a point, before it at the end.
func (r *Ruler) bearing(i int) float64 {
	for j := i + 1; j < len(r.line); j++ {
		if r.line[j] != r.line[i] {
			return Bearing(r.line[i], r.line[j])
		}
	}
	for j := i - 1; j >= 0; j-- {
		if r.line[j] != r.line[i] {
			return Bearing(r.line[j], r.line[i])
		}
	}
	return 0
}

// Nearest returns the place of the line nearest to p, the first of several,
// among the pieces that accept takes by the bearing and the metres from the
// start of their nearest place; nil takes all. ok is false where it takes
// none.
func (r *Ruler) Nearest(p Point, accept func(bearing, arc float64) bool) (best Mark, ok bool) {
	least, piece := 0.0, -1
	scale := math.Cos(rad(p.Lat))
	for i := 1; i < len(r.line); i++ {
		a, b := r.line[i-1], r.line[i]
		along, square := nearest(p, scale, a, b)
		if ok && square >= least {
			continue
		}
		m := Mark{Point: Between(a, b, along), Arc: r.arc[i-1] + along*(r.arc[i]-r.arc[i-1]), Index: i - 1}
		if accept != nil && !accept(r.bearing(i-1), m.Arc) {
			continue
		}
		piece = i - 1
		if along >= 1 {
			m.Index = i
		}
		best, least, ok = m, square, true
	}
	if len(r.line) == 1 && (accept == nil || accept(0, 0)) {
		best, ok = Mark{Point: r.line[0]}, true
	}
	if piece >= 0 {
		best.Bearing = r.bearing(piece)
	}
	best.Metres = Distance(p, best.Point)
	return best, ok
}
