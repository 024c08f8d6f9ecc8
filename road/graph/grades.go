package graph

import (
	"fmt"
	"math"

	"github.com/waygate/waygate/region"
)

// GradesSection and GradesVersion name the section of a region that says how
// steep its roads are. Only regions built with heights have it.
const (
	GradesSection = "grades"
	GradesVersion = 1
)

// FlatGrade is the weighted grade of level ground, and of ground that nothing
// is known of; SteepestGrade is the highest there is.
const (
	FlatGrade     = 6
	SteepestGrade = 15
)

// NoHeight is the mean height of a segment that nothing is known of.
const NoHeight = math.MinInt16

// Grades is how steep the roads are. Weighted grades are Valhalla's: 0 is a
// descent of 10 per cent or more, 15 an ascent of 15 or more, each step some
// 1.7 per cent.
type Grades struct {
	Weighted []uint8 // by Graph.SegmentDir: of each direction
	Up, Down []uint8 // by segment: steepest ascent and descent going forwards, per cent
	Mean     []int16 // by segment: metres above the sea, NoHeight where not known
}

// NewGrades gives grades for so many segments whose heights are not known: all
// level.
func NewGrades(segments int) *Grades {
	s := &Grades{Weighted: make([]uint8, 2*segments), Up: make([]uint8, segments), Down: make([]uint8, segments), Mean: make([]int16, segments)}
	for i := range s.Weighted {
		s.Weighted[i] = FlatGrade
	}
	for i := range s.Mean {
		s.Mean[i] = NoHeight
	}
	return s
}

// Grade returns the weighted grade of an edge, 0 to 15.
func (g *Graph) Grade(e Edge) uint8 {
	if g.Grades == nil {
		return FlatGrade
	}
	return g.Grades.Weighted[g.SegmentDir[e]]
}

// Slope is the slope of an edge.
type Slope struct {
	Grade    uint8 // 0 to 15
	Up, Down int   // steepest ascent and descent on the way along it, per cent, not negative
	Mean     int   // metres above the sea
}

// SlopeOf returns the slope of an edge; not ok where its heights are not known.
func (g *Graph) SlopeOf(e Edge) (Slope, bool) {
	s := g.Segment(e)
	if g.Grades == nil || g.Grades.Mean[s] == NoHeight {
		return Slope{}, false
	}
	slope := Slope{g.Grade(e), int(g.Grades.Up[s]), int(g.Grades.Down[s]), int(g.Grades.Mean[s])}
	if g.Backward(e) {
		slope.Up, slope.Down = slope.Down, slope.Up
	}
	return slope, true
}

func (s *Grades) fields() []region.Field {
	return []region.Field{
		region.FieldOf("edge.grade", &s.Weighted),
		region.FieldOf("segment.up", &s.Up),
		region.FieldOf("segment.down", &s.Down),
		region.FieldOf("segment.height", &s.Mean),
	}
}

// Write writes the section file.
func (s *Grades) Write(path string) error {
	a := &region.Arrays{}
	for _, f := range s.fields() {
		f.Put(a)
	}
	return a.WriteFile(path)
}

// ReadGrades returns the grades in a section, which must be those of a graph.
func ReadGrades(section *region.Section, g *Graph) (*Grades, error) {
	s := &Grades{}
	for _, f := range s.fields() {
		if err := f.Get(section); err != nil {
			return nil, err
		}
	}
	return s, s.fit(g)
}

func (s *Grades) fit(g *Graph) error {
	for _, c := range []struct {
		what      string
		got, want int
	}{
		{"edge.grade", len(s.Weighted), 2 * g.Segments()},
		{"segment.up", len(s.Up), g.Segments()},
		{"segment.down", len(s.Down), g.Segments()},
		{"segment.height", len(s.Mean), g.Segments()},
	} {
		if c.got != c.want {
			return fmt.Errorf("section %s: array %s has %d elements, want %d", GradesSection, c.what, c.got, c.want)
		}
	}
	return nil
}

func (g *Graph) verifyGrades() error {
	if g.Grades == nil {
		return nil
	}
	if err := g.Grades.fit(g); err != nil {
		return err
	}
	for i, grade := range g.Grades.Weighted {
		if grade > SteepestGrade {
			return fmt.Errorf("section %s: edge.grade[%d]: is %d, over %d", GradesSection, i, grade, SteepestGrade)
		}
	}
	return nil
}
