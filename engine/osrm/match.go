package osrm

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/osrm"
)

// TraceRoute asks for a match. An answer in OSRM's format passes under the conditions of
// Route. EdgeWalk is refused with slug not-enabled: a server matches by nearness alone.
func (e *Engine) TraceRoute(ctx context.Context, r *engine.MatchRequest) (*engine.TraceAnswer, error) {
	if r.How == engine.EdgeWalk {
		return nil, fault.NotEnabled("shape_match", "shape_match edge_walk is not enabled on this deployment: its routing engine matches by nearness; use map_snap").With("field", "shape_match")
	}
	warnings, err := ignored(r.Costing, &r.Options, &engine.Conditions{}, nil)
	if err != nil {
		return nil, err
	}
	q := query{"generate_hints", "false", "gaps", "split"}
	q.trace(r)
	if r.OmitExcluded {
		q.exclude(&r.Options)
	}
	raw := passes(&r.Output, r.Want) && r.Overview != ""
	if raw {
		q.form(&r.Output)
	} else {
		q = append(q, asValues...)
	}
	trace := make([]geo.Point, len(r.Trace))
	for i := range r.Trace {
		trace[i] = r.Trace[i].Point
	}
	body, err := e.ask(ctx, r.Costing, "match", coordinates(trace), q)
	if err != nil {
		return nil, err
	}
	o := valueOutput
	if raw {
		o = r.Output
	}
	served, err := osrm.ReadServed(body, &o)
	if err != nil {
		return nil, err
	}
	if len(served.Routes) == 0 || len(served.Places) != len(r.Trace) {
		return nil, unlike("a match of the %d positions asked for", len(r.Trace))
	}
	if r.JoinRoundabouts {
		joinRoundabouts(served.Routes)
	}
	a := &engine.TraceAnswer{RouteAnswer: engine.RouteAnswer{Routes: served.Routes, Language: r.Language, Warnings: warnings}, Confidence: served.Confidence}
	if a.Points, err = matched(a.Routes, r.Trace, served.Places); err != nil {
		return nil, err
	}
	if raw {
		a.Routes = nil
		a.Raw = unnamed(body, "tracepoints")
	}
	return a, err
}

// trace adds times, headings, radii and stops of positions.
func (q *query) trace(r *engine.MatchRequest) {
	n := len(r.Trace)
	times, bearings, radiuses, stops := make([]string, n), make([]string, n), make([]string, n), []string(nil)
	timed, headed := true, false
	for i := range r.Trace {
		p := &r.Trace[i]
		if p.Time == nil {
			timed = false
		} else {
			times[i] = strconv.FormatInt(int64(math.Round(*p.Time)), 10)
		}
		if p.Heading != nil {
			bearings[i], headed = bearing(*p.Heading, p.HeadingTolerance), true
		}
		if a := r.Tuning.GPSAccuracy; a != nil {
			radiuses[i] = formatFloat(*a)
		}
		if i == 0 || i == n-1 || p.Stop == engine.Break || p.Stop == engine.BreakThrough {
			stops = append(stops, strconv.Itoa(i))
		}
	}
	if timed {
		q.add("timestamps", strings.Join(times, ";"))
	}
	if headed {
		q.add("bearings", strings.Join(bearings, ";"))
	}
	if r.Tuning.GPSAccuracy != nil {
		q.add("radiuses", strings.Join(radiuses, ";"))
	}
	if len(stops) < n {
		q.add("waypoints", strings.Join(stops, ";"))
	}
}

// matched says where positions lie, and gives each route its waypoints: the positions at
// which its legs begin and end.
func matched(routes []engine.Route, trace []engine.TracePoint, places []*osrm.Place) ([]engine.TracePlace, error) {
	list := make([]engine.TracePlace, len(places))
	for i, p := range places {
		list[i] = engine.TracePlace{Route: -1, Stop: -1}
		if p == nil {
			continue
		}
		if p.Route < 0 || p.Route >= len(routes) {
			return nil, unlike("a match whose positions are of its %d routes", len(routes))
		}
		list[i].On, list[i].Route = p.On, p.Route
		rt := &routes[p.Route]
		if p.Stop < 0 {
			continue
		}
		if p.Stop != len(rt.Waypoints) || p.Stop > len(rt.Legs) {
			return nil, unlike("a match whose legs join its waypoints in order")
		}
		list[i].Stop = p.Stop
		rt.Waypoints = append(rt.Waypoints, engine.Waypoint{Location: engine.Location{Point: trace[i].Point, Stop: trace[i].Stop}, Index: i, On: p.On})
	}
	for i := range routes {
		rt := &routes[i]
		if len(rt.Waypoints) != len(rt.Legs)+1 {
			return nil, unlike("a match of %d waypoints and %d legs", len(rt.Waypoints), len(rt.Legs))
		}
		for k := range rt.Legs {
			rt.Legs[k].From, rt.Legs[k].To = k, k+1
			drawn(&rt.Legs[k], rt.Waypoints[k].On)
		}
	}
	return list, nil
}
