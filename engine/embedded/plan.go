package embedded

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/island"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// planner makes the routes of one request.
type planner struct {
	e       *Engine
	s       *scratch
	r       *engine.RouteRequest
	who     traveller
	ctx     context.Context // of the caller; nil where nobody can go
	places  int             // locations of the request; 0 is those in r
	checks  int             // how often cancelled was asked
	settled int             // edges, by the searches on the roads for the way looked for last
	costing *profile.Costing
	weights weights // of costing, with what bends the roads for the request
	// excludes is true where the request itself closes roads.
	excludes bool
	// omitExcluded is true where what the options exclude is no place to be either.
	omitExcluded bool
	moment       time.Time      // local: of the next hop's beginning, or of its end where that is told
	began        time.Time      // local: of the journey's beginning where that is now
	clock        *overlay.Clock // nil where nothing depends on the time
	arrives      bool           // closures count by the time of arrival there though the request told none
	warnings     []engine.Warning
	moves        int // warnings that a location was moved
	turned       turned
	aimed        aimed
	detoured     *atomic.Int64    // ways that a live closure keeps from being the cheapest; nil counts none
	mainland     *island.Mainland // what the region knows of that of mainlandOf
	mainlandOf   *profile.Costing
	// knowsMainland is true where what is not of mainland is on an island.
	knowsMainland bool
}

// cancelEvery is how many roads are looked at between two looks at the context: at some
// 10 µs for one whose surroundings are searched, about a millisecond of work.
const cancelEvery = 128

// cancelled reports whether the caller has gone, with a look at the context once in
// a while: for what is done for one road after another.
func (p *planner) cancelled() bool {
	p.checks++
	return p.ctx != nil && p.checks%cancelEvery == 0 && p.ctx.Err() != nil
}

// contextError is the context's error.
func (p *planner) contextError() error {
	if p.ctx == nil {
		return nil
	}
	return p.ctx.Err()
}

// hop is the way from one location to the next.
type hop struct {
	from, to snapped
	found    search.Found
	path     graph.Path
	others   []cch.Alternative // other ways, where they were looked for with the best
	sought   bool              // they were
	// begin and end are the local times at its ends; zero where there is no clock.
	begin, end time.Time
}

// plan gives the routes, the best first. Each leg joins two locations; the
// locations that do not stop the journey are joined into one leg.
func (p *planner) plan(ctx context.Context) ([]route, error) {
	hops := make([]hop, len(p.r.Locations)-1)
	travel := p.forwards
	if p.clock.Backwards() {
		travel = p.backwards
	}
	if err := travel(ctx, hops); err != nil {
		return nil, err
	}
	routes := []route{p.route(hops)}
	p.warnRough(&routes[0])
	p.warnPrivate(hops)
	p.warnShunned(&routes[0])
	if p.r.Alternates > 0 {
		others, err := p.others(ctx, hops)
		if err != nil {
			return nil, err
		}
		routes = append(routes, others...)
	}
	return routes, nil
}

// forwards finds the hops from the first on.
func (p *planner) forwards(ctx context.Context, hops []hop) error {
	from, err := p.locate(0, atDeparture)
	if err != nil {
		return err
	}
	p.warnPlace("locations", 0, from.remarks, &from.waypoint.location)
	for i := range hops {
		to, err := p.locate(i+1, atArrival)
		if err != nil {
			return err
		}
		p.warnPlace("locations", i+1, to.remarks, &to.waypoint.location)
		if hops[i], err = p.hop(ctx, i, from, to); err != nil {
			return err
		}
		if p.clock != nil && !p.clock.Frozen {
			p.clock.Set(hops[i].end)
		}
		p.moment = hops[i].end
		if i+1 < len(hops) {
			if from, err = p.departFrom(i+1, hops[i].found.To, to.at(hops[i].found.To)); err != nil {
				return err
			}
		}
	}
	return nil
}

// backwards finds the hops from the last on, for a journey with a time of
// arrival.
func (p *planner) backwards(ctx context.Context, hops []hop) error {
	to, err := p.locate(len(hops), atArrival)
	if err != nil {
		return err
	}
	p.warnPlace("locations", len(hops), to.remarks, &to.waypoint.location)
	for i := len(hops) - 1; i >= 0; i-- {
		from, err := p.locate(i, atDeparture)
		if err != nil {
			return err
		}
		p.warnPlace("locations", i, from.remarks, &from.waypoint.location)
		if hops[i], err = p.hop(ctx, i, from, to); err != nil {
			return err
		}
		p.clock.Set(hops[i].begin)
		p.moment = hops[i].begin
		if i == 0 {
			return nil
		}
		if to, err = p.arriveAt(i, hops[i].found.From, from.at(hops[i].found.From)); err != nil {
			return err
		}
	}
	return nil
}

// hop finds the way between two locations that are on the network.
func (p *planner) hop(ctx context.Context, i int, from, to snapped) (h hop, err error) {
	if samePlace(&p.r.Locations[i], &p.r.Locations[i+1]) {
		return p.stays(i, from, to), nil
	}
	if p.clock != nil {
		p.clock.SetEnds(edgesOf(from.ends, to.ends)...)
	}
	p.openWay(from.ends, to.ends)
	var others []cch.Alternative
	together := p.togetherWithOthers(i)
	if together {
		if others, err = p.alternatives(ctx, from.ends, to.ends); err != nil {
			return h, err
		}
	}
	if len(others) > 0 && others[0].Via == graph.None {
		h = p.timedHop(from, to, others[0].Found)
	} else { // the best is affected by what bends the roads, or there is none
		found, ok, err := p.shortest(ctx, from.ends, to.ends)
		if err != nil {
			return h, err
		}
		if !ok {
			return h, p.noRoute(ctx, i+1, from, to)
		}
		h = p.timedHop(from, to, found)
	}
	h.others, h.sought = others, together
	return h, nil
}

// samePlace reports whether two locations are at one point and do not want to head
// different ways there.
func samePlace(a, b *engine.Location) bool {
	return a.Point == b.Point && (a.Heading == nil || b.Heading == nil || *a.Heading == *b.Heading)
}

// stays is the hop between two locations at one place: of no length, where the journey is
// already.
func (p *planner) stays(i int, from, to snapped) hop {
	at := &from
	if p.clock.Backwards() {
		at = &to
	}
	end := at.ends[0]
	from, to = *at, *at
	from.waypoint.location, from.waypoint.index = p.r.Locations[i], i
	to.waypoint.location, to.waypoint.index = p.r.Locations[i+1], i+1
	return p.timedHop(from, to, search.Found{Edges: []graph.Edge{end.Edge}, From: end, To: end})
}

// timedHop puts times on a found path.
func (p *planner) timedHop(from, to snapped, found search.Found) hop {
	p.s.prefetched += p.e.g.Prefetch(found.Edges)
	t := p.times(found)
	h := hop{from: from, to: to, found: found, path: p.steps(found, t)}
	p.warnOfConditions(found, t)
	if p.clock == nil {
		return h
	}
	h.begin = p.moment.Add(time.Duration(t.begin) * time.Millisecond)
	took := time.Duration(h.path.Seconds() * float64(time.Second))
	if p.clock.Backwards() {
		// The clock is a little early at the end of a path, so set out earlier.
		h.begin = h.begin.Add(time.Duration(t.end-t.begin)*time.Millisecond - took)
	}
	if p.clock.Frozen {
		took = 0
	}
	h.end = h.begin.Add(took)
	return h
}

func edgesOf(lists ...[]search.End) []graph.Edge {
	var all []graph.Edge
	for _, list := range lists {
		for _, x := range list {
			all = append(all, x.Edge)
		}
	}
	return all
}

// route joins hops into legs.
func (p *planner) route(hops []hop) route {
	out := route{costing: p.costing}
	if p.r.Costing.Motorised() {
		out.live = p.weights.Overlay
	}
	next := leg{from: hops[0].from.at(hops[0].found.From)}
	told := p.r.When != nil
	out.arrives = told && p.r.When.Type == engine.Arrive
	if told {
		next.from.at = hops[0].begin
	}
	for i := range hops {
		h := &hops[i]
		if next.path == nil {
			next.path = slices.Clip(h.path) // shared with the hop until more is added
		} else {
			next.path = append(next.path, h.path...)
		}
		arrived := h.to.at(h.found.To)
		if told {
			arrived.at = h.end
		}
		if stop := p.r.Locations[i+1].Stop; i+1 < len(hops) && (stop == engine.Through || stop == engine.Via) {
			next.via = append(next.via, arrived)
			continue
		}
		next.to = arrived
		out.legs = append(out.legs, next)
		next = leg{from: arrived}
	}
	out.legs[0].from = from0(out.legs[0].from, p.e.g, out.legs[0].path)
	return out
}

// roughMetres is the length of rough tracks on a route from which a driver is
// told.
const roughMetres = 200

// warnRough tells a driver whose route leads over unpaved tracks, that few would
// drive.
func (p *planner) warnRough(rt *route) {
	g, metres := p.e.g, 0.0
	if p.costing.Mode()&graph.Motor == 0 {
		return
	}
	for i := range rt.legs {
		for _, step := range rt.legs[i].path {
			if s := g.Segment(step.Edge); g.BySegment[s].Use == graph.Track && g.BySegment[s].Surface >= graph.Compacted {
				metres += (step.End - step.Begin) * float64(g.BySegment[s].Length)
			}
		}
	}
	if metres >= roughMetres {
		p.warn(engine.WarnRough, "%.1f km of the route lead over unpaved tracks", metres/1000)
	}
}

// warnPrivate warns of private roads on which no location of the journey lies: all ways
// lead over one, or the others are half a day longer.
func (p *planner) warnPrivate(hops []hop) {
	g := p.e.g
	for i := range hops {
		edges := hops[i].found.Edges
		entered := graph.Edge(graph.None) // the private road that the journey is on, unless it began there
		for k := 1; k < len(edges); k++ {
			switch before, now := p.costing.Private(edges[k-1]), p.costing.Private(edges[k]); {
			case now && !before:
				entered = edges[k]
			case before && !now && entered != graph.None:
				p.warn(engine.WarnPrivate, "the route passes a private road at %s (way %d), which only those may use who have leave", g.Position[g.ByEdge[entered].Tail].Point(), g.WayID[g.Segment(entered)])
				return
			}
		}
	}
}

// bidirectional is the search that needs no hierarchy.
func (p *planner) bidirectional() *search.Query {
	if p.s.search == nil {
		p.s.search = search.NewQuery(p.e.g)
	}
	return p.s.search
}

// router is the search by the hierarchy.
func (p *planner) router() *cch.Router {
	if p.s.router == nil {
		p.s.router = cch.NewRouter(p.e.topology)
	}
	return p.s.router
}

// departFrom gives the ways to set out from a location after arriving there: from where
// the journey came to, on in the same direction where turning round is not allowed.
func (p *planner) departFrom(i int, arrival search.End, arrived waypoint) (snapped, error) {
	switch p.r.Locations[i].Stop {
	case engine.Through, engine.BreakThrough:
		return snapped{waypoint: arrived, ends: []search.End{{Edge: arrival.Edge, Along: arrival.Along}}}, nil
	}
	from, err := p.locate(i, atDeparture)
	if err == nil && arrived.snapped.Valid() {
		from.stay(arrived.snapped)
		from.waypoint.snapped = arrived.snapped
	}
	return from, err
}

// stay keeps those of several places on the roads where a journey is already, if there
// are such: it does not jump from road to road.
func (s *snapped) stay(at geo.Point) {
	const samePlace = 1 // metre
	s.keep(func(i int) bool { return geo.Distance(s.places[i].Point, at) < samePlace })
}

// arriveAt is departFrom for a journey that is planned from its end: the ways to arrive
// at a location before setting out from it.
func (p *planner) arriveAt(i int, departure search.End, departed waypoint) (snapped, error) {
	switch p.r.Locations[i].Stop {
	case engine.Through, engine.BreakThrough:
		return snapped{waypoint: departed, ends: []search.End{{Edge: departure.Edge, Along: departure.Along}}}, nil
	}
	to, err := p.locate(i, atArrival)
	if err == nil && departed.snapped.Valid() {
		to.stay(departed.snapped)
	}
	return to, err
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
func pointAlong(g *graph.Graph, e graph.Edge, part float64) geo.Point {
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

// steps puts times and costs on a found path; waiting is time lost at a node.
func (p *planner) steps(f search.Found, t timed) graph.Path {
	path := p.s.path(len(f.Edges))
	turns := p.turns(f)
	elapsed := 0.0
	for i, e := range f.Edges {
		s := graph.Step{Edge: e}
		s.Begin, s.End = travelled(f, i)
		share := s.End - s.Begin
		original := p.e.g.Original(e)
		s.Seconds = p.secondsAt(original, elapsed) * share
		s.Cost = p.weights.Cost(original) / 1000 * share
		if i > 0 {
			d := turns[i]
			s.Turn = d.Seconds
			s.TurnCost = float64(d.Cost) / 1000
			if t.waits != nil && t.waits[i] > 0 {
				wait := float64(t.waits[i]) / 1000
				s.Turn += wait
				s.TurnCost += wait * float64(p.clock.Wait) / 1024
			}
			s.Cost += s.TurnCost
		}
		elapsed += s.Seconds + s.Turn
		path = append(path, s)
	}
	return path
}

// tunnels lists the tunnels with an ADR category along a route, one for each
// run of edges of one way.
func tunnels(g *graph.Graph, r *route) []engine.Tunnel {
	list := []engine.Tunnel{}
	for _, l := range r.legs {
		var last int64
		for _, s := range l.path {
			category := g.Limits[g.ByEdge[s.Edge].Limit].Tunnel
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

// distance words a distance for people.
func distance(metres float64) string {
	if metres < 1000 {
		return fmt.Sprintf("%.0f m", metres)
	}
	return fmt.Sprintf("%.1f km", math.Round(metres/100)/10)
}
