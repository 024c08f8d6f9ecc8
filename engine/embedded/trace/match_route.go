package trace

import (
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/match"
)

// routes returns a route for each stretch of the trace that was matched without
// a gap, with a leg from one break to the next.
func (m *matching) routes() []plan.Route {
	out := make([]plan.Route, 0, len(m.result.Matches))
	for i := range m.result.Matches {
		found := &m.result.Matches[i]
		rt := plan.Route{Costing: m.costing}
		stops := m.stops(i)
		for k := 1; k < len(stops); k++ {
			a, b := stops[k-1], stops[k]
			rt.Legs = append(rt.Legs, plan.Leg{
				From: m.waypoint(a), To: m.waypoint(b),
				Path: part(found.Path, &m.result.Places[a], &m.result.Places[b]),
			})
		}
		out = append(out, rt)
	}
	return out
}

// stops lists the positions where the legs of a match begin and end.
func (m *matching) stops(i int) []int {
	found := &m.result.Matches[i]
	stops := []int{found.First}
	for k := found.First + 1; k < found.Last; k++ {
		stop, place := m.r.Trace[k].Stop, &m.result.Places[k]
		if (stop == engine.Break || stop == engine.BreakThrough) && place.Kind != match.Unmatched && place.Match == i {
			stops = append(stops, k)
		}
	}
	return append(stops, found.Last)
}

func (m *matching) waypoint(point int) plan.Waypoint {
	stop := m.r.Trace[point].Stop
	if stop != engine.BreakThrough {
		stop = engine.Break
	}
	return plan.Waypoint{
		Location: engine.Location{Point: m.r.Trace[point].Point, Stop: stop},
		Snapped:  m.result.Places[point].At, Index: point,
	}
}

// part cuts out of a path what lies between two places on it.
func part(path graph.Path, a, b *match.Place) graph.Path {
	out := make(graph.Path, 0, b.Step-a.Step+1)
	for k := a.Step; k <= b.Step; k++ {
		s := path[k]
		whole := s.End - s.Begin
		if k == a.Step && a.Along > s.Begin {
			s.Begin, s.Turn = a.Along, 0
			s.Cost, s.TurnCost = s.Cost-s.TurnCost, 0
		}
		if k == b.Step {
			s.End = max(s.Begin, b.Along)
		}
		if whole > 0 {
			share := (s.End - s.Begin) / whole
			s.Seconds, s.Cost = s.Seconds*share, (s.Cost-s.TurnCost)*share+s.TurnCost
		}
		if s.End > s.Begin || len(out) == 0 && k == b.Step {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		s := path[b.Step]
		s = graph.Step{Edge: s.Edge, Begin: b.Along, End: b.Along}
		out = append(out, s)
	}
	return out
}

// points returns where the positions of the trace lie.
func (m *matching) points() []engine.TracePlace {
	all := make([]engine.TracePlace, len(m.result.Places))
	for i := range m.result.Places {
		p := &m.result.Places[i]
		all[i] = engine.TracePlace{On: p.At, Route: p.Match, Stop: -1}
		if p.Kind == match.Unmatched {
			all[i].Route = -1
		}
	}
	for i := range m.result.Matches {
		for k, point := range m.stops(i) {
			all[point].Stop = k
		}
	}
	return all
}

// confidence returns how far a match can be believed, 0 to 1: the part of its
// positions that have a place on it, times how alike the lengths of the trace,
// its noise evened out where it is dense, and of the way are. Noise makes a trace
// longer than its way, and a wrong turn a way longer than its trace.
func (m *matching) confidence(i int) float64 {
	found := &m.result.Matches[i]
	placed, trace := 0, 0.0
	last := m.r.Trace[found.First].Point
	for k := found.First; k <= found.Last; k++ {
		if p := &m.result.Places[k]; p.Kind == match.Unmatched || p.Match != i {
			continue
		}
		placed++
		trace += geo.Distance(last, m.r.Trace[k].Point)
		last = m.r.Trace[k].Point
	}
	share := float64(placed) / float64(found.Last-found.First+1)
	// Below this lengths are those of the noise.
	const least = 10.0
	way := max(found.Path.Metres(m.e.Graph), least)
	if found.Straight > 0 {
		trace = found.Straight
	}
	trace = max(trace, least)
	return share * min(way, trace) / max(way, trace)
}
