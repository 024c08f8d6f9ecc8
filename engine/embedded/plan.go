package embedded

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// planner makes the routes of one request.
type planner struct {
	e       *Engine
	s       *scratch
	r       *engine.RouteRequest
	options profile.Options
	costing *profile.Costing
	weights weights // of costing
}

// plan gives the routes, the best first. Each leg joins two locations; the
// locations that do not stop the journey are joined into one leg.
func (p *planner) plan(ctx context.Context) ([]route, error) {
	last := len(p.r.Locations) - 1
	from, err := p.locate(0, departing)
	if err != nil {
		return nil, err
	}
	if last == 1 && p.r.Alternates > 0 {
		return p.planWithAlternates(ctx, from)
	}
	best := route{modes: p.costing.Mode()}
	next := leg{from: from.waypoint}
	for i := 1; i <= last; i++ {
		to, err := p.locate(i, arriving)
		if err != nil {
			return nil, err
		}
		found, ok, err := p.shortest(ctx, from.ends, to.ends)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, p.noRoute(ctx, i, from, to)
		}
		next.path = append(next.path, p.steps(found)...)
		arrived := to.at(found.To)
		if stop := p.r.Locations[i].Stop; i < last && (stop == engine.Through || stop == engine.Via) {
			next.via = append(next.via, arrived)
		} else {
			next.to = arrived
			best.legs = append(best.legs, next)
			next = leg{from: arrived}
		}
		if i < last {
			if from, err = p.leave(i, found.To, arrived); err != nil {
				return nil, err
			}
		}
	}
	best.legs[0].from = from0(best.legs[0].from, p.e.g, best.legs[0].path)
	return []route{best}, nil
}

// shortest finds the cheapest path by the hierarchy where it has the
// traveller's metric.
func (p *planner) shortest(ctx context.Context, from, to []search.End) (search.Found, bool, error) {
	if p.weights.hierarchy == nil {
		return p.tree().Shortest(ctx, p.weights.Weights, from, to)
	}
	if ctx.Err() != nil {
		return search.Found{}, false, ctx.Err()
	}
	if p.s.router == nil {
		p.s.router = cch.NewRouter(p.e.topology)
	}
	found, ok := p.s.router.Shortest(p.costing, p.weights.hierarchy, from, to)
	return found, ok, nil
}

// tree is the search that needs no hierarchy.
func (p *planner) tree() *search.Query {
	if p.s.search == nil {
		p.s.search = search.NewQuery(p.e.g)
	}
	return p.s.search
}

// leave gives the ways to set out from a location after arriving there: on in
// the same direction where turning round is not allowed.
func (p *planner) leave(i int, arrival search.End, arrived waypoint) (snapped, error) {
	switch p.r.Locations[i].Stop {
	case engine.Through, engine.BreakThrough:
		return snapped{waypoint: arrived, ends: []search.End{{Edge: arrival.Edge, Along: arrival.Along}}}, nil
	}
	from, err := p.locate(i, departing)
	if err == nil && arrived.snapped.Valid() {
		from.waypoint.snapped = arrived.snapped
	}
	return from, err
}

func (p *planner) planWithAlternates(ctx context.Context, from snapped) ([]route, error) {
	to, err := p.locate(1, arriving)
	if err != nil {
		return nil, err
	}
	all, err := p.tree().Alternatives(ctx, p.weights.Weights, from.ends, to.ends, p.r.Alternates)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, p.noRoute(ctx, 1, from, to)
	}
	routes := make([]route, 0, len(all))
	for _, f := range all {
		path := p.steps(f)
		l := leg{from: from0(from.at(f.From), p.e.g, path), to: to.at(f.To), path: path}
		routes = append(routes, route{legs: []leg{l}, modes: p.costing.Mode()})
	}
	return routes, nil
}

// at gives the waypoint as reached at one of its ends.
func (s *snapped) at(end search.End) waypoint {
	w := s.waypoint
	for i, e := range s.ends {
		if e == end && i < len(s.places) {
			w.snapped = s.places[i].Point
		}
	}
	return w
}

// from0 puts a first waypoint where its path really begins.
func from0(w waypoint, g *graph.Graph, path graph.Path) waypoint {
	if len(path) > 0 {
		w.snapped = pointAlong(g, path[0].Edge, path[0].Begin)
	}
	return w
}

// pointAlong is the point at a part of an edge's length.
func pointAlong(g *graph.Graph, e uint32, part float64) geo.Point {
	line := g.AppendShape(nil, e)
	left := geo.Length(line) * part
	for i := 1; i < len(line); i++ {
		step := geo.Distance(line[i-1], line[i])
		if left <= step && step > 0 {
			t := left / step
			return geo.Point{Lon: line[i-1].Lon + (line[i].Lon-line[i-1].Lon)*t, Lat: line[i-1].Lat + (line[i].Lat-line[i-1].Lat)*t}
		}
		left -= step
	}
	return line[len(line)-1]
}

// steps puts times and costs on a found path.
func (p *planner) steps(f search.Found) graph.Path {
	path := make(graph.Path, 0, len(f.Edges))
	for i, e := range f.Edges {
		s := graph.Step{Edge: e, End: 1}
		if i == 0 {
			s.Begin = f.From.Along
		}
		if i == len(f.Edges)-1 {
			s.End = f.To.Along
		}
		share := s.End - s.Begin
		original := p.e.g.Original(e)
		s.Seconds = p.costing.Seconds(original) * share
		s.Cost = float64(p.costing.EdgeAtEnd(original)) / 1000 * share
		if i > 0 {
			d := p.costing.Turn(f.Edges[i-1], original)
			s.Turn = d.Seconds
			s.Cost += float64(d.Cost) / 1000
		}
		path = append(path, s)
	}
	return path
}

// relaxation is one thing that may stand in a route's way, and the options
// without it.
type relaxation struct {
	constraint string
	value      any
	lift       func(*profile.Options)
}

// relaxations lists what the request's options forbid, in the order in which
// they are tried.
func (p *planner) relaxations() []relaxation {
	o := &p.options
	var list []relaxation
	add := func(on bool, constraint string, value any, lift func(*profile.Options)) {
		if on {
			list = append(list, relaxation{constraint, value, lift})
		}
	}
	add(o.TunnelFrom != 0, "adr_tunnel_code", p.text("adr_tunnel_code"), func(o *profile.Options) { o.TunnelFrom = 0 })
	add(o.Hazmat, "hazmat", true, func(o *profile.Options) { o.Hazmat = false })
	large := o.Kind <= profile.Bus
	add(large && o.Height > 0, "height", o.Height, func(o *profile.Options) { o.Height = 0 })
	add(large && o.Width > 0, "width", o.Width, func(o *profile.Options) { o.Width = 0 })
	add(large && o.Length > 0, "length", o.Length, func(o *profile.Options) { o.Length = 0 })
	add(large && o.Weight > 0, "weight", o.Weight, func(o *profile.Options) { o.Weight = 0 })
	add(o.Kind == profile.Truck && o.AxleLoad > 0, "axle_load", o.AxleLoad, func(o *profile.Options) { o.AxleLoad = 0 })
	add(o.Kind == profile.Pedestrian, "max_hiking_difficulty", o.MaxHikingDifficulty, func(o *profile.Options) { o.MaxHikingDifficulty = 6 })
	add(o.ExcludeTolls, "exclude_tolls", true, func(o *profile.Options) { o.ExcludeTolls = false })
	add(o.ExcludeFerries, "exclude_ferries", true, func(o *profile.Options) { o.ExcludeFerries = false })
	add(o.ExcludeHighways, "exclude_highways", true, func(o *profile.Options) { o.ExcludeHighways = false })
	add(o.ExcludeBridges, "exclude_bridges", true, func(o *profile.Options) { o.ExcludeBridges = false })
	add(o.ExcludeTunnels, "exclude_tunnels", true, func(o *profile.Options) { o.ExcludeTunnels = false })
	add(o.ExcludeUnpaved, "exclude_unpaved", true, func(o *profile.Options) { o.ExcludeUnpaved = false })
	return list
}

func (p *planner) text(option string) string {
	if p.r.Options.Has(option) {
		return p.r.Options.Text(option)
	}
	return ""
}

// noRoute is the refusal of a pair of locations with no way between them. It
// lifts one constraint at a time to name the one that blocks.
func (p *planner) noRoute(ctx context.Context, to int, a, b snapped) error {
	err := engine.Refused(engine.CodeNoRoute, "no %s route leads from locations[%d] (%s) to locations[%d] (%s)", p.r.Costing, to-1, a.waypoint.location.Point, to, b.waypoint.location.Point).
		With("location_index", to)
	for _, x := range p.relaxations() {
		relaxed := p.options
		x.lift(&relaxed)
		c := profile.New(p.e.g, relaxed)
		found, ok, searchErr := p.tree().Shortest(ctx, search.Weights{Costing: c}, a.ends, b.ends)
		if searchErr != nil {
			return searchErr
		}
		if !ok {
			continue
		}
		blocked := map[string]any{"constraint": x.constraint, "value": x.value}
		if at, way, ok := p.firstBlocked(found); ok {
			blocked["location"], blocked["way_id"] = at, way
		}
		err.With("blocked_by", blocked)
		err.Detail += "; without " + x.constraint + " = " + fmt.Sprint(x.value) + " there is one"
		if x.constraint == "adr_tunnel_code" {
			err.Detail += p.tunnelReasons(found)
		}
		return err
	}
	err.Detail += "; they lie on parts of the network that do not meet for this way of travel"
	return err
}

// firstBlocked finds the first edge of a relaxed path that the request itself
// may not use.
func (p *planner) firstBlocked(f search.Found) (at geo.Point, way int64, ok bool) {
	g := p.e.g
	for _, e := range f.Edges {
		o := g.Original(e)
		if !p.costing.Allowed(o) || p.costing.Excluded(o) {
			return g.Position[g.Tail[o]].Point(), g.WayID[g.Segment(o)], true
		}
	}
	return geo.Point{}, 0, false
}

func (p *planner) tunnelReasons(f search.Found) string {
	g, code := p.e.g, p.text("adr_tunnel_code")
	seen := map[string]bool{}
	var reasons []string
	for _, e := range f.Edges {
		if c := g.Limits[g.Limit[e]].Tunnel; c != 0 && engine.TunnelForbids(code, string(rune(c))) && !seen[string(rune(c))] {
			seen[string(rune(c))] = true
			reasons = append(reasons, engine.TunnelReason(code, string(rune(c))))
		}
	}
	if len(reasons) == 0 {
		return ""
	}
	return ": " + strings.Join(reasons, "; ")
}

// tunnels lists the tunnels with an ADR category along a route, one for each
// run of edges of one way.
func tunnels(g *graph.Graph, r route) []engine.Tunnel {
	list := []engine.Tunnel{}
	for _, l := range r.legs {
		var last int64
		for _, s := range l.path {
			category := g.Limits[g.Limit[s.Edge]].Tunnel
			if category == 0 {
				last = 0
				continue
			}
			if way := g.WayID[g.Segment(s.Edge)]; way != last {
				list = append(list, engine.Tunnel{Category: string(rune(category)), Location: pointAlong(g, s.Edge, s.Begin), WayID: way})
				last = way
			}
		}
	}
	return list
}

func bounds(g *graph.Graph, r route) geo.Bounds {
	b := geo.NoBounds()
	for _, l := range r.legs {
		for _, s := range l.path {
			for _, p := range g.SegmentShape(g.Segment(s.Edge)) {
				b = b.Extend(p.Point())
			}
		}
	}
	return b
}

// distance words a distance for people.
func distance(metres float64) string {
	if metres < 1000 {
		return fmt.Sprintf("%.0f m", metres)
	}
	return fmt.Sprintf("%.1f km", math.Round(metres/100)/10)
}
