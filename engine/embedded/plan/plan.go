package plan

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/kernel"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search"
)

// Planner makes the routes of one request.
type Planner struct{ *Searcher }

// Planner returns what plans the routes of the request on some scratch.
func (p *Request) Planner(s *Scratch) Planner { return Planner{p.Searcher(s)} }

// hop is the way from one location to the next.
type hop struct {
	from, to Snapped
	found    search.Found
	path     graph.Path
	others   []cch.Alternative // other ways, where they were looked for with the best
	sought   bool              // they were
	// begin and end are the local times at its ends; zero where there is no clock.
	begin, end time.Time
}

// Plan returns the routes, the best first. Each leg joins two locations; the
// locations that do not stop the journey are joined into one leg.
func (p *Planner) Plan(ctx context.Context) ([]Route, error) {
	hops := make([]hop, len(p.Query.Locations)-1)
	travel := p.forwards
	if p.Clock.Backwards() {
		travel = p.backwards
	}
	if err := travel(ctx, hops); err != nil {
		return nil, err
	}
	routes := []Route{p.route(hops)}
	p.warnRough(&routes[0])
	p.warnPrivate(hops)
	p.warnShunned(&routes[0])
	if p.Query.Alternates > 0 {
		others, err := p.others(ctx, hops)
		if err != nil {
			return nil, err
		}
		routes = append(routes, others...)
	}
	return routes, nil
}

// forwards finds the hops from the first on.
func (p *Planner) forwards(ctx context.Context, hops []hop) error {
	from, err := p.Locate(0, AtDeparture)
	if err != nil {
		return err
	}
	p.WarnPlace("locations", 0, from.SnapWarnings, &from.Waypoint.Location)
	for i := range hops {
		to, err := p.Locate(i+1, AtArrival)
		if err != nil {
			return err
		}
		p.WarnPlace("locations", i+1, to.SnapWarnings, &to.Waypoint.Location)
		if hops[i], err = p.hop(ctx, i, from, to); err != nil {
			return err
		}
		if p.Clock != nil && !p.Clock.Frozen {
			p.Clock.Set(hops[i].end)
		}
		p.LocalTime = hops[i].end
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
func (p *Planner) backwards(ctx context.Context, hops []hop) error {
	to, err := p.Locate(len(hops), AtArrival)
	if err != nil {
		return err
	}
	p.WarnPlace("locations", len(hops), to.SnapWarnings, &to.Waypoint.Location)
	for i := len(hops) - 1; i >= 0; i-- {
		from, err := p.Locate(i, AtDeparture)
		if err != nil {
			return err
		}
		p.WarnPlace("locations", i, from.SnapWarnings, &from.Waypoint.Location)
		if hops[i], err = p.hop(ctx, i, from, to); err != nil {
			return err
		}
		p.Clock.Set(hops[i].begin)
		p.LocalTime = hops[i].begin
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
func (p *Planner) hop(ctx context.Context, i int, from, to Snapped) (h hop, err error) {
	if SamePlace(&p.Query.Locations[i], &p.Query.Locations[i+1]) {
		return p.stays(i, from, to), nil
	}
	if p.Clock != nil {
		p.Clock.SetEnds(EdgesOf(from.Ends, to.Ends)...)
	}
	p.openWay(from.Ends, to.Ends)
	var others []cch.Alternative
	together := p.togetherWithOthers(i)
	if together {
		if others, err = p.alternatives(ctx, from.Ends, to.Ends); err != nil {
			return h, err
		}
	}
	if len(others) > 0 && others[0].Via == graph.None {
		h = p.timedHop(from, to, others[0].Found)
	} else { // the best is affected by what bends the roads, or there is none
		found, ok, err := p.Shortest(ctx, from.Ends, to.Ends)
		if err != nil {
			return h, err
		}
		if !ok {
			return h, &NoPathError{i + 1, from, to}
		}
		h = p.timedHop(from, to, found)
	}
	h.others, h.sought = others, together
	return h, nil
}

// NoPathError is the error where no way leads to a location from the one before.
type NoPathError struct {
	To         int // the location's index
	Begin, End Snapped
}

func (x *NoPathError) Error() string { return fmt.Sprintf("no way leads to locations[%d]", x.To) }

// SamePlace reports whether two locations are at one point and do not want to head
// different ways there.
func SamePlace(a, b *engine.Location) bool {
	return a.Point == b.Point && (a.Heading == nil || b.Heading == nil || *a.Heading == *b.Heading)
}

// stays returns the hop between two locations at one place: of no length, where the journey is
// already.
func (p *Planner) stays(i int, from, to Snapped) hop {
	at := &from
	if p.Clock.Backwards() {
		at = &to
	}
	end := at.Ends[0]
	from, to = *at, *at
	from.Waypoint.Location, from.Waypoint.Index = p.Query.Locations[i], i
	to.Waypoint.Location, to.Waypoint.Index = p.Query.Locations[i+1], i+1
	return p.timedHop(from, to, search.Found{Edges: []graph.Edge{end.Edge}, From: end, To: end})
}

// timedHop puts times on a found path.
func (p *Planner) timedHop(from, to Snapped, found search.Found) hop {
	p.Scratch.prefetched += p.Base.Graph.Prefetch(found.Edges)
	t := p.Times(found)
	h := hop{from: from, to: to, found: found, path: p.Steps(found, t)}
	p.warnOfConditions(found, t)
	if p.Clock == nil {
		return h
	}
	h.begin = p.LocalTime.Add(time.Duration(t.begin) * time.Millisecond)
	took := time.Duration(h.path.Seconds() * float64(time.Second))
	if p.Clock.Backwards() {
		// The clock is a little early at the end of a path, so set out earlier.
		h.begin = h.begin.Add(time.Duration(t.end-t.begin)*time.Millisecond - took)
	}
	if p.Clock.Frozen {
		took = 0
	}
	h.end = h.begin.Add(took)
	return h
}

// EdgesOf returns the edges of lists of ends.
func EdgesOf(lists ...[]search.End) []graph.Edge {
	var all []graph.Edge
	for _, list := range lists {
		for _, x := range list {
			all = append(all, x.Edge)
		}
	}
	return all
}

// route joins hops into legs.
func (p *Planner) route(hops []hop) Route {
	out := Route{Costing: p.Costing}
	if p.Query.Costing.Motorised() {
		out.Live = p.Weights.Overlay
	}
	next := Leg{From: hops[0].from.at(hops[0].found.From)}
	timed := p.Query.When != nil
	out.Arrives = timed && p.Query.When.Type == engine.Arrive
	if timed {
		next.From.At = hops[0].begin
	}
	for i := range hops {
		h := &hops[i]
		if next.Path == nil {
			next.Path = slices.Clip(h.path) // shared with the hop until more is added
		} else {
			next.Path = append(next.Path, h.path...)
		}
		arrived := h.to.at(h.found.To)
		if timed {
			arrived.At = h.end
		}
		if stop := p.Query.Locations[i+1].Stop; i+1 < len(hops) && (stop == engine.Through || stop == engine.Via) {
			next.Via = append(next.Via, arrived)
			continue
		}
		next.To = arrived
		out.Legs = append(out.Legs, next)
		next = Leg{From: arrived}
	}
	out.Legs[0].From = BeginAt(out.Legs[0].From, p.Base.Graph, out.Legs[0].Path)
	return out
}

// roughMetres is the length of rough tracks on a route from which the answer has a
// warning.
const roughMetres = 200

// warnRough warns a driver whose route leads over unpaved tracks, which few would
// drive.
func (p *Planner) warnRough(rt *Route) {
	g, metres := p.Base.Graph, 0.0
	if p.Costing.Mode()&graph.Motor == 0 {
		return
	}
	for i := range rt.Legs {
		for k := range rt.Legs[i].Path {
			step := &rt.Legs[i].Path[k]
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
func (p *Planner) warnPrivate(hops []hop) {
	g := p.Base.Graph
	for i := range hops {
		edges := hops[i].found.Edges
		entered := graph.Edge(graph.None) // the private road that the journey is on, unless it began there
		before := len(edges) > 0 && p.Costing.Private(edges[0])
		for k := 1; k < len(edges); k++ {
			now := p.Costing.Private(edges[k])
			switch {
			case now && !before:
				entered = edges[k]
			case before && !now && entered != graph.None:
				p.warn(engine.WarnPrivate, "the route passes a private road at %s (way %d), which only those may use who have leave", g.Position[g.ByEdge[entered].Tail].Point(), g.WayID[g.Segment(entered)])
				return
			}
			before = now
		}
	}
}

// departFrom returns the ways to set out from a location after arriving there: from where
// the journey came to, on in the same direction where turning round is not allowed.
func (p *Planner) departFrom(i int, arrival search.End, arrived Waypoint) (Snapped, error) {
	switch p.Query.Locations[i].Stop {
	case engine.Through, engine.BreakThrough:
		return Snapped{Waypoint: arrived, Ends: []search.End{{Edge: arrival.Edge, Along: arrival.Along}}}, nil
	}
	from, err := p.Locate(i, AtDeparture)
	if err == nil && arrived.Snapped.Valid() {
		from.stay(arrived.Snapped)
		from.Waypoint.Snapped = arrived.Snapped
	}
	return from, err
}

// stay keeps those of several places on the roads where a journey is already, if there
// are such: it does not jump from road to road.
func (s *Snapped) stay(at geo.Point) {
	const samePlace = 1 // metre
	s.filter(func(i int) bool { return geo.Distance(s.Places[i].Point, at) < samePlace })
}

// arriveAt is departFrom for a journey that is planned from its end: the ways to arrive
// at a location before setting out from it.
func (p *Planner) arriveAt(i int, departure search.End, departed Waypoint) (Snapped, error) {
	switch p.Query.Locations[i].Stop {
	case engine.Through, engine.BreakThrough:
		return Snapped{Waypoint: departed, Ends: []search.End{{Edge: departure.Edge, Along: departure.Along}}}, nil
	}
	to, err := p.Locate(i, AtArrival)
	if err == nil && departed.Snapped.Valid() {
		to.stay(departed.Snapped)
	}
	return to, err
}

// at returns the waypoint as reached at one of its ends.
func (s *Snapped) at(end search.End) Waypoint {
	w := s.Waypoint
	for i, e := range s.Ends {
		if e == end && i < len(s.Places) {
			w.Snapped = s.Places[i].Point
		}
	}
	return w
}

// BeginAt puts a first waypoint where its path really begins.
func BeginAt(w Waypoint, g *graph.Graph, path graph.Path) Waypoint {
	if len(path) > 0 {
		w.Snapped = kernel.PointAlong(g, path[0].Edge, path[0].Begin)
	}
	return w
}

// Steps puts times and costs on a found path; waiting is time lost at a node.
func (p *pathTimer) Steps(f search.Found, t Timed) graph.Path {
	path := p.s.path(len(f.Edges))
	turns := p.turns(f)
	elapsed := 0.0
	for i, e := range f.Edges {
		s := graph.Step{Edge: e}
		s.Begin, s.End = Travelled(f, i)
		share := s.End - s.Begin
		original := p.Base.Graph.Original(e)
		if x, limited := t.Limited[i]; limited {
			s.Seconds, s.Cost, s.Limits = x.Seconds, float64(x.Cost)/1024/1000, x.Limits
		} else {
			s.Seconds, s.Cost = p.SecondsAt(original, elapsed)*share, p.Weights.Cost(original)/1000*share
		}
		if i > 0 {
			d := turns[i]
			s.Turn = d.Seconds
			s.TurnCost = float64(d.Cost) / 1000
			if t.Waits != nil && t.Waits[i] > 0 {
				wait := float64(t.Waits[i]) / 1000
				s.Turn += wait
				s.TurnCost += wait * float64(p.Clock.Wait) / 1024
			}
			s.Cost += s.TurnCost
		}
		elapsed += s.Seconds + s.Turn
		path = append(path, s)
	}
	return path
}

// InWords words a distance for people.
func InWords(metres float64) string {
	if metres < 1000 {
		return fmt.Sprintf("%.0f m", metres)
	}
	return fmt.Sprintf("%.1f km", math.Round(metres/100)/10)
}
