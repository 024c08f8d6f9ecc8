// Package trip finds the order in which to visit places.
package trip

import (
	"context"
	"math"
	"time"

	"github.com/waygate/waygate/engine"
)

// Ends is where a trip begins and ends.
type Ends struct {
	Round       bool // it comes back to where it began
	First, Last bool // the first or last place is where it begins or ends
}

// orderNanos is about what ordering takes, for each place to the third power.
const orderNanos = 500

// Effort is about what it takes to put so many places in order.
func Effort(places int) engine.Estimate {
	n := time.Duration(places)
	return engine.Estimate{Kind: "trip", Work: n * n * n * orderNanos, Bytes: 1 << 20, Cores: 1, Cheaper: "fewer coordinates"}
}

// Order returns the order of places that takes the least time, by the ways between
// them, or nearly so where there are many; nil where no order visits them all. The error
// is the context's, or that there was no processor for it in time.
func Order(ctx context.Context, m *engine.MatrixAnswer, e Ends) ([]int, error) {
	return engine.WorkFor(ctx, Effort(len(m.Cells)), func(ctx context.Context) ([]int, error) { return ordered(ctx, m, e), ctx.Err() })
}

func ordered(ctx context.Context, m *engine.MatrixAnswer, e Ends) []int {
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
	return visit(ctx, cost, e)
}
