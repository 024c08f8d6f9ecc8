package directions

import (
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/index/coverage"
)

// Coverage is how densely restrictions for lorries are tagged where a route leads.
type Coverage struct {
	GridVersion string `json:"grid_version" doc:"the method of grading, and the grid's content"`
	Cells       int    `json:"cells_traversed" minimum:"1" doc:"cells of 0.1 degrees, each once"`
	Grades      Grades `json:"by_grade" doc:"cells of each grade; together cells_traversed"`
	Caveat      string `json:"caveat"`
}

// Grades counts cells by how densely they are tagged.
type Grades struct {
	WellTagged int `json:"well_tagged"`
	Partial    int `json:"partial"`
	Sparse     int `json:"sparse"`
	None       int `json:"none" doc:"no restriction is tagged there, or there is no road for lorries"`
}

const coverageCaveat = "a receipt about how densely the map is tagged, never a clearance: a low bridge may be untagged in a well tagged cell, and signs on the road decide"

// covered returns the receipt of the first of some routes; nil where there is no grid,
// and for vehicles other than lorries.
func covered(g *coverage.Grid, who costing.Costing, routes []engine.Route) *Coverage {
	if g == nil || who != costing.Truck || len(routes) == 0 {
		return nil
	}
	cells := map[coverage.Cell]bool{}
	for i := range routes[0].Legs {
		for c := range coverage.Traversed(routes[0].Legs[i].Line) {
			cells[c] = true
		}
	}
	out := &Coverage{GridVersion: g.GridVersion(), Cells: len(cells), Caveat: coverageCaveat}
	count := map[coverage.Grade]*int{
		coverage.WellTagged: &out.Grades.WellTagged, coverage.Partial: &out.Grades.Partial, coverage.Sparse: &out.Grades.Sparse, coverage.None: &out.Grades.None,
	}
	for c := range cells {
		tally := g.At(c)
		*count[tally.Grade()]++
	}
	return out
}
