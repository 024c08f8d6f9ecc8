package reach

import (
	"context"
	"slices"

	"github.com/waygate/waygate/engine/embedded/metric"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/search"
)

// treeWithOverlay hands the roads within reach to the outliner where something closes
// or slows them: by the hierarchy but for what is behind that.
func (e *Service) treeWithOverlay(ctx context.Context, who *plan.Request, place []search.End, draft *outliner) error {
	if ok, err := e.treeBehind(ctx, who.Weights, open(who, place, draft.reverse), draft); ok || err != nil {
		return err
	}
	return e.treeOfRoads(ctx, who, place, draft)
}

// open leaves those of some places from which, or in reverse to which, the overlay leaves a way.
func open(who *plan.Request, place []search.End, reverse bool) []search.End {
	if who.Weights.Overlay.Empty() {
		return place
	}
	if reverse {
		return who.Weights.Arrivals(place)
	}
	return who.Weights.Departures(place)
}

// treeOfRoads hands the roads within reach to the outliner, by a search on the roads
// themselves.
func (e *Service) treeOfRoads(ctx context.Context, who *plan.Request, place []search.End, draft *outliner) error {
	s := e.Trees.Get().(*search.Tree)
	defer e.Trees.GiveBack(s)
	find := s.From
	if draft.reverse {
		find = s.Back
	}
	w := who.Weights.Weights
	if !w.Overlay.Empty() {
		w = w.ApplyOverlay()
	}
	reached, err := find(ctx, w, open(who, place, draft.reverse), draft.bound)
	draft.add(reached)
	return err
}

// treeBehind is treeWithOverlay by the hierarchy; ok is false where that finds no answer.
func (e *Service) treeBehind(ctx context.Context, w metric.Weights, place []search.End, draft *outliner) (ok bool, err error) {
	slowed := func(x search.End) bool { return w.Overlay.Affects(x.Edge, travelledPart(x, draft.reverse)) }
	if w.Hierarchy == nil || slices.ContainsFunc(place, slowed) {
		return false, nil
	}
	x := e.Metrics.CachedMeasures(w)
	changed, few := w.Overlay.Changed(metric.MostChanged)
	if x == nil || !few {
		return false, nil
	}
	q := e.ranges.Get().(*cch.RangeQuery)
	defer e.ranges.GiveBack(q)
	s := e.Trees.Get().(*search.Tree)
	defer e.Trees.GiveBack(s)
	find, again := q.From, s.FromBeyondClosure
	if draft.reverse {
		find, again = q.Back, s.BackBeyondClosure
	}
	reached, err := find(ctx, cch.Costs{Costing: w.Costing, Metric: w.Hierarchy, Measures: x}, place, cch.RangeLimits{Bound: draft.bound, Bands: draft.bands, Changed: changed})
	if err != nil {
		return false, err
	}
	beyond, ok, err := again(ctx, w.ApplyOverlay(), place, draft.bound, search.BeyondClosure{Edges: q.BeyondClosure(), PathTo: q.PathTo})
	if !ok || err != nil {
		return false, err
	}
	draft.add(reached)
	draft.add(beyond)
	for level := range draft.bands {
		draft.addBlocks(level, e.Topology, q.Blocks(level), &e.patches)
	}
	return true, nil
}

// travelledPart returns the part of a place's edge that a journey from there travels or, in
// reverse, one to there.
func travelledPart(x search.End, reverse bool) overlay.Span {
	if reverse {
		return overlay.Span{To: x.Along}
	}
	return overlay.Span{From: x.Along, To: 1}
}
