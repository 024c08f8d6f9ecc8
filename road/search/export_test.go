package search

import (
	"context"

	"github.com/waygate/waygate/road/overlay"
)

// AroundByTheClock is Around without a look at what stands still.
func (s *TimeDependent) AroundByTheClock(ctx context.Context, w Weights, clock *overlay.Clock, back bool, hub []End, bound Measure) ([]Reached, error) {
	return s.around(ctx, w, clock, back, hub, bound)
}

// IsStill reports whether nothing that the last Around came to changed in time.
func (s *TimeDependent) IsStill() bool { return s.clock.Frozen }

// Reached returns how many edges the search has reached so far.
func (s *Tree) Reached() int { return len(s.reached) }

// The most edges between two looks at the context.
const (
	CheckEvery = checkEvery
	ScanEvery  = scanEvery
)
