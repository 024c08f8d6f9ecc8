// Package report sums up a route or a trace: by class of road, by administrative area and by
// surface, with its tolls, bridges and tunnels.
package report

import (
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// Request is a route or a trace. It is checked before it comes here: two stops
// or more, or a trace of two positions or more.
type Request struct {
	Stops      []geo.Point
	Trace      []geo.Point // in place of stops
	Costing    costing.Costing
	Options    costing.Settings
	Conditions engine.Conditions // of a route
}

// Report is the answer. Shares and sums are over the edges travelled, so that
// each list adds up to the whole.
type Report struct {
	Source      string   `json:"source" enum:"route,trace"`
	Distance    float64  `json:"distance_m" decimals:"1"`
	Duration    float64  `json:"duration_s" decimals:"1" doc:"at the engine's speeds, whenever the trace was recorded"`
	Input       float64  `json:"input_distance_m" decimals:"1" doc:"length of the route as the engine has it, or of the trace as it was sent"`
	Classes     []Class  `json:"road_classes" doc:"longest first"`
	Areas       []Area   `json:"admin_areas" doc:"longest first"`
	Surfaces    []Ground `json:"surfaces" doc:"longest first"`
	TollCount   int      `json:"toll_count" doc:"stretches of toll road"`
	TollM       float64  `json:"toll_m" decimals:"1"`
	BridgeCount int      `json:"bridge_count" doc:"stretches over bridges"`
	BridgeM     float64  `json:"bridge_m" decimals:"1"`
	TunnelCount int      `json:"tunnel_count" doc:"stretches through tunnels"`
	TunnelM     float64  `json:"tunnel_m" decimals:"1"`
	Caveats     []string `json:"caveats"`
}

// Part is a part of the way.
type Part struct {
	Distance float64 `json:"distance_m" decimals:"1"`
	Duration float64 `json:"duration_s" decimals:"1"`
	Share    float64 `json:"share" decimals:"4" minimum:"0" maximum:"1" doc:"of the distance"`
}

// Class is the part on roads of a class.
type Class struct {
	RoadClass string `json:"road_class" enum:"motorway,trunk,primary,secondary,tertiary,unclassified,residential,service_other"`
	Part
}

// Ground is the part on a surface.
type Ground struct {
	Surface string `json:"surface" doc:"paved_smooth, paved, paved_rough, compacted, dirt, gravel, path or impassable; unknown where the map does not say"`
	Part
}

// Area is the part in an administrative area. What the map lacks is
// null.
type Area struct {
	CountryCode *string `json:"country_code" doc:"ISO 3166-1"`
	Country     *string `json:"country"`
	StateCode   *string `json:"state_code"`
	State       *string `json:"state"`
	Part
}

// Service reports with one engine, which is required.
type Service struct {
	Engine engine.Engine
}

// Of makes the report: of a route by its own edges, of a trace by its match.
func (s *Service) Of(ctx context.Context, r *Request) (*Report, error) {
	var t tally
	out := &Report{Source: "trace"}
	if r.Trace != nil {
		if err := s.match(ctx, r, &t, r.Trace); err != nil {
			return nil, err
		}
		out.Input = geo.Length(r.Trace)
	} else {
		out.Source = "route"
		route, err := engine.Best(ctx, s.Engine, &engine.RouteRequest{
			Costing: r.Costing, Options: r.Options, Conditions: r.Conditions, Locations: engine.Stops(r.Stops), Want: engine.WantEdges | engine.WantAdmins,
		})
		if err != nil {
			return nil, err
		}
		for i := range route.Legs {
			if err := s.leg(ctx, r, &t, &route.Legs[i]); err != nil {
				return nil, err
			}
		}
		out.Input = route.Metres
	}
	t.write(out)
	out.Caveats = s.caveats(out)
	return out, nil
}

// leg adds up a leg of a route. Where the engine does not give its edges they are
// found by matching its line, leg by leg, for at a stop a route may turn round as
// no walk does.
func (s *Service) leg(ctx context.Context, r *Request, t *tally, l *engine.Leg) error {
	for i := range l.Edges {
		if e := &l.Edges[i]; e.ToPoint > e.FromPoint { // else the route begins or ends where it does
			t.add(e, l.Admins)
		}
	}
	if l.Edges != nil {
		return nil
	}
	line := slices.Compact(l.Line) // a point twice throws some matchers
	if len(line) < 2 {
		return nil
	}
	return s.match(ctx, r, t, line)
}

// wanted are the attributes of edges that a report adds up.
var wanted = []string{
	"edge.length", "edge.road_class", "edge.surface", "edge.toll", "edge.bridge", "edge.tunnel",
	"node.elapsed_time", "node.admin_index", "admin.country_code", "admin.country_text", "admin.state_code", "admin.state_text",
}

func (s *Service) match(ctx context.Context, r *Request, t *tally, line []geo.Point) error {
	q := &engine.MatchRequest{Costing: r.Costing, Options: r.Options, Filter: engine.AttributeFilter{Include: true, Names: wanted}}
	if s.tagged() {
		q.Filter.Names = append(append([]string{}, wanted...), engine.SurfaceTagged)
	}
	for _, p := range line {
		q.Trace = append(q.Trace, engine.TracePoint{Point: p})
	}
	// A walk within a single edge can come back empty from a remote engine.
	for _, how := range []engine.ShapeMatch{engine.WalkOrSnap, engine.MapSnap} {
		q.How = how
		a, err := s.Engine.TraceAttributes(ctx, q)
		if err != nil {
			return err
		}
		for i := range a.Edges {
			t.add(&a.Edges[i].Edge, a.Admins)
		}
		if len(a.Edges) > 0 {
			return nil
		}
	}
	return nil
}

// The shares of the length of a trace and of a route by which what was matched
// may differ from it before a caveat says so.
const (
	missedTrace = 0.1
	missedRoute = 0.02
)

// tagged reports whether the engine distinguishes tagged surfaces from assumed ones.
func (s *Service) tagged() bool { return s.Engine.Can().TaggedSurface }

func (s *Service) caveats(r *Report) []string {
	list := []string{}
	if !s.tagged() {
		list = append(list, "surfaces are the routing engine's: tagged on the map or, where they are not, what it takes for usual on such a road")
	}
	for _, a := range r.Areas {
		if a.CountryCode == nil {
			list = append(list, "part of the way lies in no administrative area that the map knows")
			break
		}
	}
	switch off := math.Abs(r.Distance - r.Input); {
	case r.Source == "trace" && off > missedTrace*r.Input:
		list = append(list, "the matched way differs in length from the trace: parts of it may have no match, or it is noisy")
	case r.Source == "route" && off > missedRoute*r.Input:
		list = append(list, "the edges that the engine returned differ in length from the route: the sums are not of the whole of it")
	}
	return list
}
