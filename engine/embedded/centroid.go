package embedded

import (
	"context"
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/meet"
	"github.com/waygate/waygate/road/search"
)

// Centroid finds the meeting point exactly: no junction, and none of the
// locations themselves, costs all travellers together less. Of points that
// cost the same it takes the one whose dearest path is the cheapest. See
// engine.Engine.
func (e *Engine) Centroid(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	s := e.scratch.Get().(*scratch)
	defer e.scratch.Put(s)
	p := &planner{e: e, s: s, r: r, ctx: ctx}
	if r.When != nil {
		return nil, fault.New(fault.NotEnabled, "date_time is not enabled here: this routing engine does not look for meeting points by the clock").With("field", "date_time")
	}
	if err := p.prepare(); err != nil {
		return nil, err
	}
	w := e.metrics.at(p.who, true)
	w.Overlay = p.weights.Overlay
	p.weights, p.costing = w, w.Costing
	routes, at, err := p.convene(ctx)
	if err != nil {
		return nil, err
	}
	body, err := writeCentroid(e.g, r, routes, at)
	if err != nil {
		return nil, err
	}
	all := geo.NoBounds()
	for _, rt := range routes {
		all = all.Union(bounds(e.g, rt))
	}
	return &engine.RouteAnswer{Body: body, Bounds: all, Warnings: append(e.warnings(r), p.warnings...)}, nil
}

// gathering is what is known while a meeting point is looked for.
type gathering struct {
	from  []snapped
	ends  [][]search.End // of from
	costs meet.Bound
	paths []graph.Path
	at    geo.Point
}

// convene gives the route of each location to the meeting point, and the
// point.
func (p *planner) convene(ctx context.Context) ([]route, geo.Point, error) {
	g := gathering{costs: meet.Unbounded}
	for i := range p.r.Locations {
		from, err := p.locate(i, departing)
		if err != nil {
			return nil, geo.Point{}, err
		}
		g.from, g.ends = append(g.from, from), append(g.ends, from.ends)
	}
	for j := range p.r.Locations {
		if err := p.visit(ctx, &g, j); err != nil {
			return nil, geo.Point{}, err
		}
	}
	if p.s.meet == nil {
		p.s.meet = meet.NewQuery(p.e.g)
	}
	w := p.weights.Weights
	leaving := make([][]search.End, len(g.ends))
	for i := range g.ends {
		leaving[i] = w.Leaving(g.ends[i])
	}
	place, ok, err := p.s.meet.Find(ctx, w.Bent(), leaving, g.costs)
	if err != nil {
		return nil, geo.Point{}, err
	}
	if ok {
		g.at, g.paths = p.e.g.Position[place.Node].Point(), nil
		for _, f := range place.Paths {
			g.paths = append(g.paths, p.steps(f, timed{}))
		}
	}
	if g.paths == nil {
		return nil, geo.Point{}, engine.Refused(engine.CodeNoRoute, "no place can be reached by %s from all %d locations: they lie on parts of the network that do not meet for this way of travel", p.r.Costing, len(p.r.Locations))
	}
	routes := make([]route, len(g.paths))
	for i, path := range g.paths {
		to := waypoint{location: engine.Location{Point: g.at}, snapped: g.at, index: 1}
		from := from0(g.from[i].waypoint, p.e.g, path)
		from.index = 0 // each route has two locations: its own and the point
		routes[i] = route{legs: []leg{{from: from, to: to, path: path}}, modes: p.costing.Mode()}
	}
	return routes, g.at, nil
}

// visit tries one of the locations as the meeting point: all others go there.
func (p *planner) visit(ctx context.Context, g *gathering, j int) error {
	to, err := p.locate(j, arriving)
	if err != nil {
		return err
	}
	var costs meet.Bound
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

// writeCentroid writes the routes in the form of Valhalla's centroid. As
// there, the meeting point ends each trip with an original_index of 0, which
// means nothing.
func writeCentroid(g *graph.Graph, r *engine.RouteRequest, routes []route, at geo.Point) ([]byte, error) {
	a := nativeAnswer{ID: r.ID}
	for i := range routes {
		one := *r
		one.Locations = slices.Clone(r.Locations[i : i+1])
		one.Locations[0].Stop = engine.Break
		one.Locations = append(one.Locations, engine.Location{Point: at})
		trip := nativeTripOf(g, &one, &routes[i])
		trip.Locations[0].OriginalIndex, trip.Locations[1].OriginalIndex = i, 0
		if i == 0 {
			a.Trip = trip
			continue
		}
		a.Alternates = append(a.Alternates, nativeAlternate{trip})
	}
	return a.json()
}
