package embedded

import (
	"context"

	"github.com/waygate/waygate/engine"
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
func (e *Engine) Centroid(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	s := e.scratch.Get().(*scratch)
	defer e.scratch.giveBack(s)
	p := &planner{e: e, s: s, r: r, ctx: ctx}
	if r.When != nil {
		return nil, fault.NotEnabled("date_time", "date_time is not enabled here: this routing engine does not look for meeting points by the clock").With("field", "date_time")
	}
	if err := p.prepare(); err != nil {
		return nil, err
	}
	w := e.metrics.get(p.who, true)
	w.Overlay = p.weights.Overlay
	p.weights, p.costing = w, w.Costing
	routes, err := p.centroid(ctx)
	if err != nil {
		return nil, err
	}
	return &engine.RouteAnswer{Routes: routesOf(e.g, r.Want, &r.Output, routes), Warnings: append(e.warnings(r.Costing, &r.Options, &r.Output), p.warnings...)}, nil
}

// centroidSearch is what is known while a meeting point is looked for.
type centroidSearch struct {
	from  []snapped
	ends  [][]search.End // of from
	costs centroid.Bound
	paths []graph.Path
	at    geo.Point
}

// centroid gives the route of each location to the meeting point.
func (p *planner) centroid(ctx context.Context) ([]route, error) {
	g := centroidSearch{costs: centroid.Unbounded}
	for i := range p.r.Locations {
		from, err := p.locate(i, atDeparture)
		if err != nil {
			return nil, err
		}
		p.warnPlace("locations", i, from.remarks, &from.waypoint.location)
		g.from, g.ends = append(g.from, from), append(g.ends, from.ends)
	}
	for j := range p.r.Locations {
		if err := p.tryPlace(ctx, &g, j); err != nil {
			return nil, err
		}
	}
	if p.s.centroid == nil {
		p.s.centroid = centroid.NewQuery(p.e.g)
	}
	w := p.weights.Weights
	leaving := make([][]search.End, len(g.ends))
	for i := range g.ends {
		leaving[i] = w.Departures(g.ends[i])
	}
	place, ok, err := p.s.centroid.Find(ctx, w.ApplyOverlay(), leaving, g.costs)
	if err != nil {
		return nil, err
	}
	if ok {
		g.at, g.paths = p.e.g.Position[place.Node].Point(), nil
		for _, f := range place.Paths {
			g.paths = append(g.paths, p.steps(f, timed{}))
		}
	}
	if g.paths == nil {
		return nil, engine.Refused(engine.CodeNoRoute, "no place can be reached by %s from all %d locations: they lie on parts of the network that do not meet for this way of travel", p.r.Costing, len(p.r.Locations))
	}
	routes := make([]route, len(g.paths))
	for i, path := range g.paths {
		to := waypoint{location: engine.Location{Point: g.at}, snapped: g.at}
		from := from0(g.from[i].waypoint, p.e.g, path)
		from.location.Stop = engine.Break
		routes[i] = route{legs: []leg{{from: from, to: to, path: path}}, costing: p.costing}
	}
	return routes, nil
}

// tryPlace tries one of the locations as the meeting point: all others go there.
func (p *planner) tryPlace(ctx context.Context, g *centroidSearch, j int) error {
	to, err := p.locate(j, atArrival)
	if err != nil {
		return err
	}
	var costs centroid.Bound
	paths := make([]graph.Path, len(g.from))
	for i := range g.from {
		if i == j {
			stay := g.ends[j][0]
			paths[i] = graph.Path{{Edge: stay.Edge, Begin: stay.Along, End: stay.Along}}
			continue
		}
		found, ok, err := p.shortest(ctx, g.ends[i], to.ends)
		if err != nil || !ok {
			return err
		}
		paths[i] = p.steps(found, timed{})
		costs.Total += found.Cost
		costs.Longest = max(costs.Longest, found.Cost)
	}
	if costs.Total < g.costs.Total || costs.Total == g.costs.Total && costs.Longest < g.costs.Longest {
		g.costs, g.paths, g.at = costs, paths, to.waypoint.snapped
	}
	return nil
}
