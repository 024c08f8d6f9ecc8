package embedded

import (
	"context"
	"slices"

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

// treeAtTime searches by the clock. Roads that are open to their destinations
// only, at times, are within reach as destinations and not for passing.
func (e *Engine) treeAtTime(ctx context.Context, who *planner, place []search.End, draft *outliner) error {
	s := e.timeDependent.Get().(*search.TimeDependent)
	defer e.timeDependent.giveBack(s)
	clock, w := who.clock.Clone(), who.weights.Weights
	ends := edgesOf(place)
	clock.SetEnds(ends...)
	reached, err := s.Around(ctx, w, clock, draft.reverse, place, draft.bound)
	if err != nil {
		return err
	}
	inside := slices.ContainsFunc(ends, clock.DestinationOnly)
	destinations := clock.Destinations()
	if inside || !s.Touches(destinations) {
		draft.add(reached)
		return nil
	}
	isDestination := func(x search.Reached) bool { return clock.DestinationOnly(e.g.Original(x.Edge)) }
	draft.add(slices.DeleteFunc(reached, isDestination))
	clock.SetEnds(append(ends, destinations[0])...)
	reached, err = s.Around(ctx, w, clock, draft.reverse, place, draft.bound)
	draft.add(slices.DeleteFunc(reached, func(x search.Reached) bool { return !isDestination(x) }))
	return err
}
