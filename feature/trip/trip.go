// Package trip finds the order in which to visit places.
package trip

import (
	"math"

	"github.com/waygate/waygate/engine"
)

// Ends says where a trip begins and ends.
type Ends struct {
	Round       bool // it comes back to where it began
	First, Last bool // the first or last place is where it begins or ends
}

// Order gives the order of places that takes the least time, by the ways between
// them, or nearly so where there are many; nil where no order visits them all.
func Order(m *engine.MatrixAnswer, e Ends) []int {
	cost := make([][]float64, len(m.Cells))
	for i, row := range m.Cells {
		cost[i] = make([]float64, len(row))
		for j := range row {
			cost[i][j] = math.Inf(1)
			if row[j].Reached {
				cost[i][j] = row[j].Seconds
			}
		}
	}
	return visit(cost, e)
}
