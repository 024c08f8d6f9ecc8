// Package coverage grades how densely restrictions for lorries are tagged on the map,
// in cells of a tenth of a degree. It describes the data, not the roads.
package coverage

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/region"
)

// The section of a region.
const (
	SectionName = "coverage"
	Version     = 1
)

// Method is the version of the grading. It is raised whenever the same counts get
// another grade.
const Method = 1

// Grade is how densely a cell is tagged.
type Grade uint8

// The grades, from the thinnest.
const (
	None Grade = iota
	Sparse
	Partial
	WellTagged
)

// String returns the contract's word for the grade.
func (g Grade) String() string { return [...]string{"none", "sparse", "partial", "well_tagged"}[g&3] }

// Cell is a cell by its south-western corner, in tenths of degrees.
type Cell struct{ Row, Column int16 }

// CellOf returns the cell of a place.
func CellOf(p geo.Point) Cell {
	return Cell{tenth(p.Lat), tenth(p.Lon)}
}

func tenth(degrees float64) int16 { return int16(math.Floor(degrees * 10)) }

// Tally counts what could be tagged in a cell, and what of it is. Lengths are metres.
type Tally struct {
	Under, UnderTagged     uint32 // roads under bridges and in tunnels; with a height
	Bridges, BridgesTagged uint32 // roads on bridges; with a weight
	Minor, MinorTagged     uint32 // metres of minor roads; with a width, a weight, lanes or what holds for lorries
	Main, MainTagged       uint32 // metres of main roads; with what holds for lorries
}

// The weight of each kind of tagging, in a cell with something to be tagged.
const (
	heightWeight = 0.5
	bridgeWeight = 0.2
	minorWeight  = 0.2
	mainWeight   = 0.1
)

// The shares from which a cell has the grade.
const (
	wellTagged = 0.5
	partial    = 0.2
)

// Share returns how much of what could be tagged is, 0 to 1; ok is false if there is
// nothing to be tagged.
func (t *Tally) Share() (share float64, ok bool) {
	sum, weights := 0.0, 0.0
	for _, kind := range []struct {
		tagged, all uint32
		weight      float64
	}{
		{t.UnderTagged, t.Under, heightWeight},
		{t.BridgesTagged, t.Bridges, bridgeWeight},
		{t.MinorTagged, t.Minor, minorWeight},
		{t.MainTagged, t.Main, mainWeight},
	} {
		if kind.all > 0 {
			sum += kind.weight * min(1, float64(kind.tagged)/float64(kind.all))
			weights += kind.weight
		}
	}
	if weights == 0 {
		return 0, false
	}
	return sum / weights, true
}

// Grade returns the grade of the tally.
func (t *Tally) Grade() Grade {
	share, ok := t.Share()
	switch {
	case !ok || share == 0:
		return None
	case share >= wellTagged:
		return WellTagged
	case share >= partial:
		return Partial
	}
	return Sparse
}

// Grid has the cells of a region. It is read-only and safe for concurrent use, and
// valid as long as the region that it came from.
type Grid struct {
	cells   []Cell // by row, then column
	tallies []Tally
	version string
}

// Write writes the section.
func Write(path string, cells map[Cell]*Tally) error {
	g := Grid{}
	for c := range cells {
		g.cells = append(g.cells, c)
	}
	slices.SortFunc(g.cells, Cell.compare)
	for _, c := range g.cells {
		g.tallies = append(g.tallies, *cells[c])
	}
	var a region.Arrays
	region.Put(&a, "cells", g.cells)
	region.Put(&a, "tallies", g.tallies)
	return a.WriteFile(path)
}

func (c Cell) compare(o Cell) int {
	return cmp.Or(cmp.Compare(c.Row, o.Row), cmp.Compare(c.Column, o.Column))
}

// Open opens the grid of a region; nil if it was built without.
func Open(r *region.Region) (*Grid, error) {
	s, err := r.Optional(SectionName, Version, Version)
	if s == nil {
		return nil, err
	}
	g, err := Read(s)
	if err != nil {
		return nil, err
	}
	info, _ := r.Manifest.Section(SectionName)
	g.version = fmt.Sprintf("%d-%.12s", Method, info.SHA256)
	return g, nil
}

// Read returns the grid in a section. It refuses cells out of order and tallies with
// more tagged than there is.
func Read(s *region.Section) (*Grid, error) {
	g := &Grid{}
	var err error
	if g.cells, err = region.Array[Cell](s, "cells"); err != nil {
		return nil, err
	}
	if g.tallies, err = region.Array[Tally](s, "tallies"); err != nil {
		return nil, err
	}
	if len(g.cells) != len(g.tallies) {
		return nil, fmt.Errorf("section %s: %d cells have %d tallies", SectionName, len(g.cells), len(g.tallies))
	}
	for i := range g.cells {
		if i > 0 && g.cells[i-1].compare(g.cells[i]) >= 0 {
			return nil, fmt.Errorf("section %s: cell %d is out of order", SectionName, i)
		}
		if t := &g.tallies[i]; t.UnderTagged > t.Under || t.BridgesTagged > t.Bridges || t.MinorTagged > t.Minor || t.MainTagged > t.Main {
			return nil, fmt.Errorf("section %s: cell %d has more tagged than there is", SectionName, i)
		}
	}
	return g, nil
}

// Len returns the number of cells that have roads.
func (g *Grid) Len() int { return len(g.cells) }

// GridVersion identifies the grid by its method and content.
func (g *Grid) GridVersion() string { return g.version }

// At returns the tally of a cell; a zero one for a cell without roads.
func (g *Grid) At(c Cell) Tally {
	i, ok := slices.BinarySearchFunc(g.cells, c, Cell.compare)
	if !ok {
		return Tally{}
	}
	return g.tallies[i]
}

// All calls yield for each cell with its tally.
func (g *Grid) All(yield func(Cell, Tally) bool) {
	for i, c := range g.cells {
		if !yield(c, g.tallies[i]) {
			return
		}
	}
}

// Traversed returns the cells that a line runs through, each once.
func Traversed(line []geo.Point) map[Cell]bool {
	cells := map[Cell]bool{}
	for i, p := range line {
		cells[CellOf(p)] = true
		if i == 0 {
			continue
		}
		q := line[i-1]
		if CellOf(q) == CellOf(p) {
			continue
		}
		// A piece between two neighbouring borders of cells lies in one cell.
		places := []float64{0, 1}
		for _, axis := range [][2]float64{{q.Lat, p.Lat}, {q.Lon, p.Lon}} {
			low, high := min(axis[0], axis[1])*10, max(axis[0], axis[1])*10
			for border := math.Ceil(low); border <= high; border++ {
				if axis[0] != axis[1] {
					places = append(places, (border/10-axis[0])/(axis[1]-axis[0]))
				}
			}
		}
		slices.Sort(places)
		for j := 1; j < len(places); j++ {
			if from, to := max(places[j-1], 0), min(places[j], 1); from < to {
				middle := (from + to) / 2
				cells[CellOf(geo.Point{Lon: q.Lon + (p.Lon-q.Lon)*middle, Lat: q.Lat + (p.Lat-q.Lat)*middle})] = true
			}
		}
	}
	return cells
}
