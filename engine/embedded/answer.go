package embedded

import (
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
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
	source *route

	// Of the leg at hand.
	path      graph.Path
	line      guide.Line
	countries []uint16 // of its admins
	arms      []arm    // of one intersection
}

// routesOf gives the values of routes.
func routesOf(g *graph.Graph, want engine.Want, out *engine.Output, routes []route) []engine.Route {
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
func (t *routeBuilder) drawn(l *leg) bool {
	return t.out.Format != engine.OSRM || t.want&^engine.WantAdmins != 0 || len(l.via) > 0
}

func (t *routeBuilder) route(rt *route) engine.Route {
	t.source = rt
	r := engine.Route{Via: rt.via, Legs: make([]engine.Leg, len(rt.legs)), Waypoints: make([]engine.Waypoint, 0, len(rt.legs)+1)}
	r.Bounds = geo.NoBounds()
	told := rt.legs[0].from.at
	if rt.arrives {
		told = rt.legs[len(rt.legs)-1].to.at
	}
	zone := zoneOf(t.g, rt.legs)
	add := func(w *waypoint) *engine.Waypoint {
		p := engine.Waypoint{Location: w.location, Index: w.index, On: w.snapped, At: w.at}
		if !w.at.IsZero() && zone != nil {
			p.At, p.ZoneKnown = onClock(told, w.at, zone), true
		}
		r.Waypoints = append(r.Waypoints, p)
		return &r.Waypoints[len(r.Waypoints)-1]
	}
	for i := range rt.legs {
		l := &rt.legs[i]
		t.path, t.line = l.path, guide.Line{}
		if t.drawn(l) {
			t.line = guide.Shape(t.g, l.path)
		}
		from, to := sideOf(&l.from.location, t.line.Points, true), sideOf(&l.to.location, t.line.Points, false)
		if i == 0 {
			add(&l.from).Side = from
		}
		first := len(r.Waypoints) - 1
		for j := range l.via {
			add(&l.via[j])
		}
		add(&l.to).Side = to
		r.Legs[i] = t.leg(from, to)
		r.Legs[i].From, r.Legs[i].To = first, len(r.Waypoints)-1
		r.Add(&r.Legs[i].Sums)
	}
	if t.wants(engine.WantTunnels) {
		r.Tunnels = tunnels(t.g, rt)
	}
	return r
}

// leg gives what is wanted of the leg at hand, which sets out and arrives on
// sides of the street.
func (t *routeBuilder) leg(from, to guidance.Side) engine.Leg {
	l := engine.Leg{Line: t.line.Points}
	if t.wants(engine.WantManoeuvres) {
		l.Manoeuvres = guide.Manoeuvres(t.g, t.path, t.line, guide.Options{
			Modes: t.source.costing.Mode(), Tolled: t.source.costing.Tolled, From: from, To: to, Language: primaryLanguage(t.out.Language), Translated: t.out.TranslatedNames,
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
		f = guide.Total(t.g, t.path, guide.Options{Modes: t.source.costing.Mode(), Tolled: t.source.costing.Tolled})
	}
	s := engine.Sums{
		Metres: f.Metres, Seconds: f.Seconds, Cost: f.Cost,
		Toll: f.Toll, Highway: f.Highway, Ferry: f.Ferry, Timed: f.Timed, Bounds: geo.NoBounds(),
	}
	for _, p := range t.line.Points {
		s.Bounds = s.Bounds.Extend(p)
	}
	return s
}

// edges gives the roads of the leg at hand.
func (t *routeBuilder) edges() []engine.Edge {
	g := t.g
	all := make([]engine.Edge, len(t.path))
	for i := range t.path {
		step := &t.path[i]
		all[i] = edgeOf(g, t.source.costing, step, g.Segment(step.Edge))
		all[i].FromPoint, all[i].ToPoint, all[i].Admin = t.line.Step[i], t.line.Step[i+1], t.admin(step.Edge)
	}
	return all
}
