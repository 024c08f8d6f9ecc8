package reach

import (
	"context"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/contour"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search"
)

// ReachAtTime is for tests: it gives the edges that an isochrone of a request with a time reaches: by
// the clock and, where ok is true, by the hierarchy.
func (e *Service) ReachAtTime(ctx context.Context, r *engine.IsochroneRequest) (byClock, byHierarchy map[graph.Edge]search.Reached, ok bool, err error) {
	who, err := e.PlanOf(ctx, &engine.RouteRequest{Costing: r.Costing, Options: r.Options, Conditions: r.Conditions, Locations: []engine.Location{r.Location}})
	if err != nil {
		return nil, nil, false, err
	}
	s := e.Scratch.Get().(*plan.Scratch)
	defer e.Scratch.GiveBack(s)
	d := plan.AtDeparture
	if r.Reverse {
		d = plan.AtArrival
	}
	place, err := who.With(s, []engine.Location{r.Location}).Locate(0, d)
	if err != nil {
		return nil, nil, false, err
	}
	who.Clock.Arrive = r.Reverse
	who.Clock.SetEnds(plan.EdgesOf(place.Ends)...)
	into := func(all map[graph.Edge]search.Reached) *reachAtTime {
		add := func(list []search.Reached) {
			for _, x := range list {
				all[x.Edge] = x
			}
		}
		return &reachAtTime{who, place.Ends, r.Reverse, bound(r.Contours), add, add}
	}
	byClock, byHierarchy = map[graph.Edge]search.Reached{}, map[graph.Edge]search.Reached{}
	if err := e.treeByClock(ctx, into(byClock)); err != nil {
		return nil, nil, false, err
	}
	ok, err = e.treeOfNoTime(ctx, into(byHierarchy))
	return byClock, byHierarchy, ok, err
}

// StrokeByStroke is for tests: it is Isochrone with every road searched and drawn by itself.
func (e *Service) StrokeByStroke(ctx context.Context, r *engine.IsochroneRequest) (*engine.IsochroneAnswer, error) {
	return e.isochrone(ctx, r, func([]contour.Level, costing.Costing) []cch.Band { return nil })
}
