// Package answer puts planned routes into the terms of the engine contract.
package answer

import (
	"strings"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/kernel"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
)

// routeBuilder puts planned routes into the contract's terms: as much of them as is
// wanted.
type routeBuilder struct {
	g    *graph.Graph
	want engine.Want
	out  *engine.Output

	// Of the route at hand.
	source *plan.Route

	// Of the leg at hand.
	path      graph.Path
	line      guide.Line
	countries []uint16 // of its admins
	arms      []arm    // of one intersection
}

// Routes returns the values of routes.
func Routes(g *graph.Graph, want engine.Want, out *engine.Output, routes []plan.Route) []engine.Route {
	t := &routeBuilder{g: g, want: want | out.Needs(), out: out}
	all := make([]engine.Route, len(routes))
	for i := range routes {
		all[i] = t.route(&routes[i])
	}
	return all
}

func (t *routeBuilder) wants(w engine.Want) bool { return t.want&w != 0 }

// drawn reports whether a leg has its line: always, unless it is written in a form
// that does without.
func (t *routeBuilder) drawn(l *plan.Leg) bool {
	return t.out.Format != engine.OSRM || t.want&^engine.WantAdmins != 0 || len(l.Via) > 0
}

func (t *routeBuilder) route(rt *plan.Route) engine.Route {
	t.source = rt
	r := engine.Route{Via: rt.Via, Legs: make([]engine.Leg, len(rt.Legs)), Waypoints: make([]engine.Waypoint, 0, len(rt.Legs)+1)}
	r.Bounds = geo.NoBounds()
	requested := rt.Legs[0].From.At
	if rt.Arrives {
		requested = rt.Legs[len(rt.Legs)-1].To.At
	}
	zone := zoneOf(t.g, rt.Legs)
	add := func(w *plan.Waypoint) *engine.Waypoint {
		p := engine.Waypoint{Location: w.Location, Index: w.Index, On: w.Snapped, At: w.At}
		if !w.At.IsZero() && zone != nil {
			p.At, p.ZoneKnown = onClock(requested, w.At, zone), true
		}
		r.Waypoints = append(r.Waypoints, p)
		return &r.Waypoints[len(r.Waypoints)-1]
	}
	for i := range rt.Legs {
		l := &rt.Legs[i]
		t.path, t.line = l.Path, guide.Line{}
		if t.drawn(l) {
			t.line = guide.Shape(t.g, l.Path)
		}
		from, to := sideOf(&l.From.Location, t.line.Points, true), sideOf(&l.To.Location, t.line.Points, false)
		if i == 0 {
			add(&l.From).Side = from
		}
		first := len(r.Waypoints) - 1
		for j := range l.Via {
			add(&l.Via[j])
		}
		add(&l.To).Side = to
		r.Legs[i] = t.leg(from, to)
		r.Legs[i].From, r.Legs[i].To = first, len(r.Waypoints)-1
		r.Add(&r.Legs[i].Sums)
	}
	if t.wants(engine.WantTunnels) {
		r.Tunnels = tunnels(t.g, rt)
	}
	return r
}

// leg returns what is wanted of the leg at hand, which sets out and arrives on
// sides of the street.
func (t *routeBuilder) leg(from, to guidance.Side) engine.Leg {
	l := engine.Leg{Line: t.line.Points}
	if t.wants(engine.WantManoeuvres) {
		l.Manoeuvres = guide.Manoeuvres(t.g, t.path, t.line, guide.Options{
			Modes: t.source.Costing.Mode(), Tolled: t.source.Costing.Tolled, From: from, To: to, Language: PrimaryLanguage(t.out.Language), Translated: t.out.TranslatedNames,
		})
		if t.out.JoinRoundabouts {
			l.Manoeuvres = guidance.JoinRoundabouts(l.Manoeuvres)
		}
	}
	l.Sums = t.sums(l.Manoeuvres)
	if t.wants(engine.WantAdmins) {
		t.admins(&l)
	}
	if t.wants(engine.WantIntersections) {
		l.Intersections = t.intersections(l.Manoeuvres)
	}
	if t.wants(engine.WantEdges) {
		l.Edges = t.edges()
	}
	if t.wants(engine.WantPieces) {
		l.Pieces = t.pieces()
	}
	if t.wants(engine.WantNodes) {
		l.Nodes = t.nodes()
	}
	if t.wants(engine.WantLevels) {
		l.Levels = guide.Levels(t.g, t.path, t.line)
	}
	return l
}

// sums adds up the leg at hand by its manoeuvres or, without any, by its path.
func (t *routeBuilder) sums(list []guidance.Manoeuvre) engine.Sums {
	f := guidance.Sum(list)
	if list == nil {
		f = guide.Total(t.g, t.path, guide.Options{Modes: t.source.Costing.Mode(), Tolled: t.source.Costing.Tolled})
	}
	s := engine.Sums{
		Metres: f.Metres, Seconds: f.Seconds, Cost: f.Cost,
		Toll: f.Toll, Highway: f.Highway, Ferry: f.Ferry, Timed: f.Timed, Bounds: geo.BoundsOf(t.line.Points),
	}
	return s
}

// edges returns the roads of the leg at hand.
func (t *routeBuilder) edges() []engine.Edge {
	g := t.g
	all := make([]engine.Edge, len(t.path))
	for i := range t.path {
		step := &t.path[i]
		all[i] = EdgeOf(g, t.source.Costing, step, g.Segment(step.Edge))
		all[i].FromPoint, all[i].ToPoint, all[i].Admin = t.line.Step[i], t.line.Step[i+1], t.admin(step.Edge)
	}
	return all
}

// tunnels lists the tunnels with an ADR category along a route, one for each
// run of edges of one way.
func tunnels(g *graph.Graph, r *plan.Route) []engine.Tunnel {
	list := []engine.Tunnel{}
	for _, l := range r.Legs {
		var last int64
		for _, s := range l.Path {
			category := g.Limits[g.ByEdge[s.Edge].Limit].Tunnel
			if category == 0 {
				last = 0
				continue
			}
			if way := g.WayID[g.Segment(s.Edge)]; way != last {
				list = append(list, engine.Tunnel{Category: string(rune(category)), Location: kernel.PointAlong(g, s.Edge, s.Begin), WayID: way})
				last = way
			}
		}
	}
	return list
}

// zoneOf returns the time zone of a journey that begins and ends in the same one; nil
// where that is not known.
func zoneOf(g *graph.Graph, legs []plan.Leg) *time.Location {
	if legs[0].From.At.IsZero() && legs[len(legs)-1].To.At.IsZero() {
		return nil
	}
	first, last := legs[0].Path, legs[len(legs)-1].Path
	if len(first) == 0 || len(last) == 0 {
		return nil
	}
	zone, known := conditional.Zone(g.Country[g.Segment(first[0].Edge)])
	other, same := conditional.Zone(g.Country[g.Segment(last[len(last)-1].Edge)])
	if !known || !same || zone.String() != other.String() {
		return nil
	}
	return zone
}

// onClock returns a moment in a zone, whose clocks may change between the time that was
// requested, which they show, and that.
func onClock(requested, at time.Time, zone *time.Location) time.Time {
	begin := time.Date(requested.Year(), requested.Month(), requested.Day(), requested.Hour(), requested.Minute(), requested.Second(), requested.Nanosecond(), zone)
	return begin.Add(at.Sub(requested))
}

// sideOf applies a location's own bounds on what counts as a side.
func sideOf(l *engine.Location, line []geo.Point, atStart bool) guidance.Side {
	least, most := plan.SideWindow(l)
	return guide.SideOf(line, atStart, l.Point, least, most)
}

// PrimaryLanguage returns the language of a BCP 47 tag without its region, as OSM
// writes it after "name:"; "" for no tag.
func PrimaryLanguage(tag string) string {
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		tag = tag[:i]
	}
	return strings.ToLower(tag)
}
