package many

import (
	"context"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/answer"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/centroid"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search"
)

// Centroid finds the meeting point exactly: no junction, and none of the
// locations themselves, costs all travellers together less. Of points that
// cost the same it takes the one whose dearest path is the cheapest. See
// engine.Engine.
func (e *Service) Centroid(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	s := e.Scratch.Get().(*plan.Scratch)
	defer e.Scratch.GiveBack(s)
	q := &plan.Request{Base: e.Base, Query: r, Ctx: ctx}
	p := &meeting{Searcher: q.Searcher(s), costs: centroid.Unbounded}
	if r.When != nil {
		return nil, fault.NotEnabled("date_time", "date_time is not enabled here: this routing engine does not look for meeting points by the clock").With("field", "date_time")
	}
	if err := p.Prepare(); err != nil {
		return nil, err
	}
	w := e.Metrics.Get(p.Who, true)
	w.Overlay = p.Weights.Overlay
	p.Weights, p.Costing = w, w.Costing
	routes, err := p.routes(ctx)
	if err != nil {
		return nil, e.refusals.Explained(ctx, p.Searcher, err)
	}
	return &engine.RouteAnswer{Routes: answer.Routes(e.Graph, r.Want, &r.Output, routes), Warnings: append(answer.Warnings(e.Graph, r.Costing, &r.Options, &r.Output), p.Warnings...)}, nil
}

// meeting is the search for a meeting point.
type meeting struct {
	*plan.Searcher
	from  []plan.Snapped
	ends  [][]search.End // of from
	costs centroid.Bound
	paths []graph.Path
	at    geo.Point
}

// routes returns the route of each location to the meeting point.
func (p *meeting) routes(ctx context.Context) ([]plan.Route, error) {
	for i := range p.Query.Locations {
		from, err := p.Locate(i, plan.AtDeparture)
		if err != nil {
			return nil, err
		}
		p.WarnPlace("locations", i, from.SnapWarnings, &from.Waypoint.Location)
		p.from, p.ends = append(p.from, from), append(p.ends, from.Ends)
	}
	for j := range p.Query.Locations {
		if err := p.tryPlace(ctx, j); err != nil {
			return nil, err
		}
	}
	if p.Scratch.Centroid == nil {
		p.Scratch.Centroid = centroid.NewQuery(p.Base.Graph)
	}
	w := p.Weights.Weights
	leaving := make([][]search.End, len(p.ends))
	for i := range p.ends {
		leaving[i] = w.Departures(p.ends[i])
	}
	place, ok, err := p.Scratch.Centroid.Find(ctx, w.ApplyOverlay(), leaving, p.costs)
	if err != nil {
		return nil, err
	}
	if ok {
		p.at, p.paths = p.Base.Graph.Position[place.Node].Point(), nil
		for _, f := range place.Paths {
			p.paths = append(p.paths, p.Steps(f, plan.Timed{}))
		}
	}
	if p.paths == nil {
		return nil, engine.Refused(engine.CodeNoRoute, "no place can be reached by %s from all %d locations: they lie on parts of the network that do not meet for this way of travel", p.Query.Costing, len(p.Query.Locations))
	}
	routes := make([]plan.Route, len(p.paths))
	for i, path := range p.paths {
		to := plan.Waypoint{Location: engine.Location{Point: p.at}, Snapped: p.at}
		from := plan.BeginAt(p.from[i].Waypoint, p.Base.Graph, path)
		from.Location.Stop = engine.Break
		routes[i] = plan.Route{Legs: []plan.Leg{{From: from, To: to, Path: path}}, Costing: p.Costing}
	}
	return routes, nil
}

// tryPlace tries one of the locations as the meeting point: all others go there.
func (p *meeting) tryPlace(ctx context.Context, j int) error {
	to, err := p.Locate(j, plan.AtArrival)
	if err != nil {
		return err
	}
	var costs centroid.Bound
	paths := make([]graph.Path, len(p.from))
	for i := range p.from {
		if i == j {
			stay := p.ends[j][0]
			paths[i] = graph.Path{{Edge: stay.Edge, Begin: stay.Along, End: stay.Along}}
			continue
		}
		found, ok, err := p.Shortest(ctx, p.ends[i], to.Ends)
		if err != nil || !ok {
			return err
		}
		paths[i] = p.Steps(found, plan.Timed{})
		costs.Total += found.Cost
		costs.Longest = max(costs.Longest, found.Cost)
	}
	if costs.Total < p.costs.Total || costs.Total == p.costs.Total && costs.Longest < p.costs.Longest {
		p.costs, p.paths, p.at = costs, paths, to.Waypoint.Snapped
	}
	return nil
}
