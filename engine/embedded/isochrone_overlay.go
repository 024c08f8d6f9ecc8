package embedded

import (
	"context"
	"slices"

	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/search"
)

// mostChanged is how many edges may have changed for ways past them to be told from those
// as they were, some milliseconds of work: a clean-air zone has some thousands.
const mostChanged = 1 << 15

// treeWithOverlay hands the roads within reach to the outliner where something closes
// or slows them: by the hierarchy but for what is behind that.
func (e *Engine) treeWithOverlay(ctx context.Context, who *planner, place []search.End, draft *outliner) error {
	w := who.weights.Weights
	ends := w.Departures(place)
	if draft.reverse {
		ends = w.Arrivals(place)
	}
	if ok, err := e.treeBehind(ctx, who.weights, ends, draft); ok || err != nil {
		return err
	}
	s := e.trees.Get().(*search.Tree)
	defer e.trees.giveBack(s)
	find := s.From
	if draft.reverse {
		find = s.Back
	}
	reached, err := find(ctx, w.ApplyOverlay(), ends, draft.bound)
	draft.add(reached)
	return err
}

// treeBehind is treeWithOverlay by the hierarchy; ok is false where that does not tell.
func (e *Engine) treeBehind(ctx context.Context, w weights, place []search.End, draft *outliner) (ok bool, err error) {
	slowed := func(x search.End) bool { return w.Overlay.Affects(x.Edge, travelledPart(x, draft.reverse)) }
	if w.hierarchy == nil || slices.ContainsFunc(place, slowed) {
		return false, nil
	}
	x := e.metrics.measuresAtHand(w)
	changed, few := w.Overlay.Changed(mostChanged)
	if x == nil || !few {
		return false, nil
	}
	q := e.ranges.Get().(*cch.RangeQuery)
	defer e.ranges.giveBack(q)
	s := e.trees.Get().(*search.Tree)
	defer e.trees.giveBack(s)
	find, again := q.From, s.FromBehind
	if draft.reverse {
		find, again = q.Back, s.BackBehind
	}
	reached, err := find(ctx, cch.Costs{Costing: w.Costing, Metric: w.hierarchy, Measures: x}, place, cch.Within{Bound: draft.bound, Bands: draft.bands, Changed: changed})
	if err != nil {
		return false, err
	}
	behind, ok, err := again(ctx, w.ApplyOverlay(), place, draft.bound, search.Behind{Edges: q.Behind(), Known: q.Known})
	if !ok || err != nil {
		return false, err
	}
	draft.add(reached)
	draft.add(behind)
	for level := range draft.bands {
		draft.addBlocks(level, e.topology, q.Blocks(level), &e.patches)
	}
	return true, nil
}

// travelledPart is the part of a place's edge that a journey from there travels or, in
// reverse, one to there.
func travelledPart(x search.End, reverse bool) overlay.Span {
	if reverse {
		return overlay.Span{To: x.Along}
	}
	return overlay.Span{From: x.Along, To: 1}
}
