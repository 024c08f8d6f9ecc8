package osrm

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	wirejson "github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/wire/osrm"
)

// asValues are the parameters of an answer that is read into values: every form of answer is
// then written as for an engine of our own.
var asValues = query{"overview", "full", "geometries", "polyline6", "steps", "true", "annotations", "distance,duration,weight,nodes"}

// valueOutput is the output of asValues.
var valueOutput = engine.Output{Format: engine.OSRM, Geometries: "polyline6"}

// Route asks for a route. An answer in OSRM's format passes as the server wrote it, but for
// names of waypoints, unless it is to have what an OSRM does not write: instructions that
// are spoken or shown, limits, roundabouts in one step, and where it is in town. Any other answer is read into
// values. There are no edges, no tunnels and no countries in it, and times of day are not
// heeded.
//
// The request is refused with slug not-enabled where it excludes areas, places, or roads
// that stock profiles have no class for.
func (e *Engine) Route(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	a, err := e.route(ctx, r)
	if err == nil {
		e.canary.Add(r)
	}
	return a, err
}

func (e *Engine) route(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	warnings, err := ignored(r.Costing, &r.Options, &r.Conditions, r.Locations)
	if err == nil {
		err = unexcluded(&r.Conditions)
	}
	if err != nil {
		return nil, err
	}
	q := query{"generate_hints", "false"}
	q.locate(r.Locations)
	q.exclude(&r.Options)
	q.stops(r.Locations)
	if r.Alternates > 0 {
		q.add("alternatives", strconv.Itoa(r.Alternates))
	}
	raw := passes(&r.Output, r.Want)
	if raw {
		q.form(&r.Output)
	} else {
		q = append(q, asValues...)
	}
	body, err := e.ask(ctx, r.Costing, "route", coordinates(points(r.Locations)), q)
	if err != nil {
		return nil, err
	}
	if raw {
		if err := checkRoutes(body, r); err != nil {
			return nil, err
		}
		return &engine.RouteAnswer{Raw: unnamed(body, "waypoints"), Language: r.Language, Warnings: warnings}, nil
	}
	if err := checkLegs(body, r.Locations); err != nil {
		return nil, err
	}
	served, err := osrm.ReadServed(body, &valueOutput)
	if err != nil {
		return nil, err
	}
	if len(served.Routes) == 0 || len(served.Places) != len(r.Locations) || slices.Contains(served.Places, nil) {
		return nil, unlike("a route through the %d places asked for", len(r.Locations))
	}
	for i := range r.Locations {
		if err := checkPlace(i, &r.Locations[i], served.Places[i].On, served.Places[i].Metres); err != nil {
			return nil, err
		}
	}
	if r.JoinRoundabouts {
		joinRoundabouts(served.Routes)
	}
	a := &engine.RouteAnswer{Routes: served.Routes, Language: r.Language, Warnings: warnings}
	for i := range a.Routes {
		if err := through(&a.Routes[i], r.Locations, served.Places); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// passes reports whether an answer may pass as the server writes it.
func passes(o *engine.Output, want engine.Want) bool {
	return o.Format == engine.OSRM && want == 0 && !o.Voice && !o.Banners && !o.Urban && !o.JoinRoundabouts && o.Annotations&engine.AnnotateLimit == 0
}

// form adds the form of an answer that passes as it comes.
func (q *query) form(o *engine.Output) {
	q.add("steps", strconv.FormatBool(o.Steps))
	for _, x := range [...][2]string{{"overview", o.Overview}, {"geometries", o.Geometries}, {"annotations", annotated(o.Annotations)}} {
		if x[1] != "" {
			q.add(x[0], x[1])
		}
	}
}

func annotated(a engine.Annotations) string {
	var names []string
	for _, x := range []struct {
		set  engine.Annotations
		name string
	}{
		{engine.AnnotateDistance, "distance"},
		{engine.AnnotateDuration, "duration"},
		{engine.AnnotateSpeed, "speed"},
		{engine.AnnotateWeight, "weight"},
		{engine.AnnotateNodes, "nodes"},
		{engine.AnnotateSources, "datasources"},
	} {
		if a&x.set != 0 {
			names = append(names, x.name)
		}
	}
	return strings.Join(names, ",")
}

// stops adds where legs begin and end, and whether one goes straight on there.
func (q *query) stops(list []engine.Location) {
	var breaks []string
	straight := false
	for i := range list {
		if engine.StopsAt(list, i) {
			breaks = append(breaks, strconv.Itoa(i))
		}
		straight = straight || list[i].Stop == engine.BreakThrough || list[i].Stop == engine.Through
	}
	// Profiles differ in whether one turns round at a place where nothing is said of it. Where legs
	// lead through places, a server that may turn round leaves out the way there and back.
	switch {
	case straight:
		q.add("continue_straight", "true")
	case len(list) > 2 && len(breaks) == len(list):
		q.add("continue_straight", "false")
	}
	if len(breaks) < len(list) {
		q.add("waypoints", strings.Join(breaks, ";"))
	}
}

// through gives a route its waypoints, and its legs the ones that they join.
func through(r *engine.Route, list []engine.Location, places []*osrm.Place) error {
	var breaks []int
	for i := range list {
		r.Waypoints = append(r.Waypoints, engine.Waypoint{Location: list[i], Index: i, On: places[i].On})
		if engine.StopsAt(list, i) {
			breaks = append(breaks, i)
		}
	}
	if len(r.Legs) != len(breaks)-1 {
		return unlike("a route of %d legs", len(breaks)-1)
	}
	for i := range r.Legs {
		r.Legs[i].From, r.Legs[i].To = breaks[i], breaks[i+1]
		drawn(&r.Legs[i], places[breaks[i]].On)
	}
	return nil
}

// drawn gives a leg that leads nowhere from a place a line of two points.
func drawn(l *engine.Leg, at geo.Point) {
	if len(l.Line) >= 2 {
		return
	}
	if len(l.Line) == 1 {
		at = l.Line[0]
	}
	l.Line, l.Pieces, l.Nodes = []geo.Point{at, at}, nil, nil
	if n := len(l.Manoeuvres); n > 1 {
		l.Manoeuvres[n-2].EndShape, l.Manoeuvres[n-1].BeginShape, l.Manoeuvres[n-1].EndShape = 1, 1, 1
	}
}

// joinRoundabouts makes one manoeuvre of entering a roundabout and of leaving it, with the
// junctions of both.
func joinRoundabouts(routes []engine.Route) {
	for i := range routes {
		for k := range routes[i].Legs {
			l := &routes[i].Legs[k]
			joined := l.Intersections[:0:0]
			for n := range l.Manoeuvres {
				if n > 0 && l.Manoeuvres[n].Type == guidance.RoundaboutExit && l.Manoeuvres[n-1].Type == guidance.RoundaboutEnter {
					last := &joined[len(joined)-1]
					*last = slices.Concat(*last, l.Intersections[n])
				} else {
					joined = append(joined, l.Intersections[n])
				}
			}
			l.Manoeuvres, l.Intersections = guidance.JoinRoundabouts(l.Manoeuvres), joined
		}
	}
}

func unlike(format string, args ...any) error {
	return fault.New(fault.Upstream, "the routing engine's answer is not "+format, args...).With("upstream_status", http.StatusOK)
}

// unnamed empties the names of a list of an answer, as the contract promises, and leaves
// all else as it stands.
func unnamed(body []byte, list string) []byte {
	var edits []wirejson.Edit
	wirejson.Each(body, []string{list + ".*.name"}, func(at wirejson.Place) {
		edits = append(edits, wirejson.Edit{From: at.Begin, To: at.End, Text: []byte(`""`)})
	})
	return wirejson.Splice(body, edits)
}
