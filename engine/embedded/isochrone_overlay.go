package embedded

import (
	"context"

	"github.com/waygate/waygate/road/search"
)

// treeWithOverlay hands the roads within reach to the outliner where something closes
// or slows them.
func (e *Engine) treeWithOverlay(ctx context.Context, who *planner, place []search.End, draft *outliner) error {
	w := who.weights.Weights
	s := e.trees.Get().(*search.Tree)
	defer e.trees.giveBack(s)
	find, ends := s.From, w.Departures(place)
	if draft.reverse {
		find, ends = s.Back, w.Arrivals(place)
	}
	reached, err := find(ctx, w.ApplyOverlay(), ends, draft.bound)
	draft.add(reached)
	return err
}
