package guide

import (
	"context"
	"runtime"
	"sync"

	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/road/graph"
)

// travelGroups are groups of modes for which roads continue alike, with the
// flag of each.
var travelGroups = [...]struct {
	goesOn graph.Continuation
	modes  []graph.Modes
}{
	{graph.ContinuesByMotor, []graph.Modes{graph.Auto, graph.Truck, graph.Bus, graph.MotorScooter, graph.Motorcycle}},
	{graph.ContinuesByBicycle, []graph.Modes{graph.Bicycle}},
	{graph.ContinuesOnFoot, []graph.Modes{graph.Pedestrian}},
}

// continuationFor returns the flag of edges whose road continues for a mode; 0 for a
// set of modes, for which none is worked out.
func continuationFor(modes graph.Modes) graph.Continuation {
	for _, t := range travelGroups {
		for _, m := range t.modes {
			if m == modes {
				return t.goesOn
			}
		}
	}
	return 0
}

// Continuations computes Graph.Continuations: for each original edge the facts of it, and
// the edge on which its road continues without a manoeuvre. It uses the same rules as
// Manoeuvres, so that the list does not depend on it. The only error is the context's.
func Continuations(ctx context.Context, g *graph.Graph) ([]graph.Continuation, error) {
	all := make([]graph.Continuation, g.Base)
	const share = 4096 // edges that a goroutine takes at a time; some are much more work than others
	var next int
	var mu sync.Mutex
	take := func() (from, to int) {
		mu.Lock()
		defer mu.Unlock()
		from = min(next, len(all))
		next = min(from+share, len(all))
		return from, next
	}
	var work parallel.Group
	for range runtime.GOMAXPROCS(0) {
		work.Go(func() {
			o := newContinuationFinder(g)
			for from, to := take(); from < to; from, to = take() {
				for e := from; e < to; e++ {
					if e%256 == 0 && ctx.Err() != nil {
						return
					}
					all[e] = o.find(graph.Edge(e))
				}
			}
		})
	}
	work.Wait()
	return all, ctx.Err()
}

// continuationFinder computes the continuations of edges, one after another.
type continuationFinder struct {
	leg      leg
	splitter splitter
	path     [2]graph.Step
}

func newContinuationFinder(g *graph.Graph) *continuationFinder {
	o := &continuationFinder{leg: leg{g: g, hops: make([]hop, 2)}}
	o.leg.names.begin(g, &o.leg.o, 2)
	o.splitter.leg = &o.leg
	return o
}

func (o *continuationFinder) find(e graph.Edge) graph.Continuation {
	g := o.leg.g
	found := factsOn(g, e)
	head := g.ByEdge[e].Head
	next, turn := graph.Edge(graph.None), 0
	for c := g.FirstOut[head]; c < g.FirstOut[head+1]; c++ {
		if c == g.ByEdge[e].Opposite || !alike(g, e, c) {
			continue
		}
		if t := abs(normaliseTurn(g.Bearing(c) - g.Arrival(e))); next == graph.None || t < turn {
			next, turn = c, t
		}
	}
	if next == graph.None || next-g.FirstOut[head] >= graph.NoNext {
		return found.WithNext(graph.NoNext)
	}
	for _, t := range travelGroups {
		if o.continuesFor(e, next, t.modes) {
			found |= t.goesOn
		}
	}
	return found.WithNext(int(next - g.FirstOut[head]))
}

// factsOn returns the flags of an edge's facts.
func factsOn(g *graph.Graph, e graph.Edge) (found graph.Continuation) {
	m := roadFlags(g, g.Segment(e))
	for _, x := range [...]struct {
		isSo bool
		mark graph.Continuation
	}{
		{m&toll != 0, graph.OnToll},
		{m&highway != 0, graph.OnHighway},
		{m&ferry != 0, graph.OnFerry},
		{m&unpaved != 0, graph.OnUnpaved},
		{g.ByNode[g.ByEdge[e].Tail].Flags&graph.Gate != 0, graph.GateAtTail},
		{g.ByEdge[e].Flags&graph.Conditional != 0, graph.TimedAccess},
		{timedTurns(g, e), graph.TimedTurns},
	} {
		if x.isSo {
			found |= x.mark
		}
	}
	return found
}

func timedTurns(g *graph.Graph, e graph.Edge) bool {
	for _, t := range g.TurnsFrom(e) {
		if t.When == graph.AtTimes {
			return true
		}
	}
	return false
}

// alike reports whether two edges may be part of one hop: all that a hop has
// of its edge is the same, and neither is special.
func alike(g *graph.Graph, e, c graph.Edge) bool {
	s, t := g.Segment(e), g.Segment(c)
	const relevant = graph.DriveOnLeft | graph.Roundabout | graph.Area
	const floors = graph.Indoor | graph.HasLevels
	if (g.BySegment[s].Flags|g.BySegment[t].Flags)&floors != 0 || g.ByNode[g.ByEdge[e].Head].Flags&graph.Lift != 0 {
		return false
	}
	return g.BySegment[s].Class == g.BySegment[t].Class && g.BySegment[s].Use == g.BySegment[t].Use && g.BySegment[s].Name == g.BySegment[t].Name &&
		(g.BySegment[s].Flags^g.BySegment[t].Flags)&relevant == 0 && g.BySegment[s].Flags&graph.Roundabout == 0 &&
		g.ByEdge[g.ByEdge[e].Opposite].Access == g.ByEdge[g.ByEdge[c].Opposite].Access && (g.ByEdge[e].Flags^g.ByEdge[c].Flags)&graph.BikeDismount == 0 && !isVertical(g.BySegment[s].Use) && !isFerry(g.BySegment[s].Use) &&
		(g.ByEdge[e].Flags|g.ByEdge[c].Flags)&graph.Internal == 0
}

// continuesFor reports whether there is no manoeuvre between two edges for any
// of some modes.
func (o *continuationFinder) continuesFor(e, c graph.Edge, modes []graph.Modes) bool {
	if !o.differsByMode(e, modes) {
		modes = modes[:1] // the junction looks the same to the others
	}
	for _, m := range modes {
		if !o.continuesForMode(e, c, m) {
			return false
		}
	}
	return true
}

// differsByMode reports whether some way at the head of an edge is open to a
// part of the modes only.
func (o *continuationFinder) differsByMode(e graph.Edge, modes []graph.Modes) bool {
	g := o.leg.g
	all := graph.Modes(0)
	for _, m := range modes {
		all |= m
	}
	some := func(e graph.Edge) bool { return g.ByEdge[e].Access&all != 0 && g.ByEdge[e].Access&all != all }
	head := g.ByEdge[e].Head
	for f := g.FirstOut[head]; f < g.FirstOut[head+1]; f++ {
		if some(f) || some(g.ByEdge[f].Opposite) {
			return true
		}
	}
	return false
}

// continuesForMode reports whether there is no manoeuvre between two edges for
// a mode.
func (o *continuationFinder) continuesForMode(e, c graph.Edge, mode graph.Modes) bool {
	l, s := &o.leg, &o.splitter
	o.path = [2]graph.Step{{Edge: e, End: 1}, {Edge: c, End: 1}}
	l.path, l.o.Modes, l.junctionAt = o.path[:], mode, 0
	l.names.restart()
	s.store = s.store[:0]
	for i := range l.hops {
		l.hops[i] = l.hopOf(i, l.onFoot(), l.cycling())
	}
	l.hops[1].flags |= contiguous
	return s.belongs(s.newCandidate(1), 1)
}

// joinContinuation adds to a hop, made of step i, the steps that follow along
// which the road plainly continues, and returns the last of them.
func (l *leg) joinContinuation(h *hop, i int, continues graph.Continuation) int {
	g, e := l.g, h.edge
	if e >= graph.Edge(len(g.Continuations)) || l.path[i].Begin != 0 || l.path[i].End != 1 {
		return i
	}
	o := g.Continuations[e]
	for o&continues != 0 && i+1 < len(l.path) {
		s := &l.path[i+1]
		if s.Edge != g.FirstOut[g.ByEdge[e].Head]+graph.Edge(o.Next()) || s.Begin != 0 || s.End != 1 || l.line.Step[i+1] == l.line.Step[i+2] {
			break
		}
		on := g.Continuations[s.Edge]
		h.flags |= l.o.tolls(hopFlags(on)&continuationFlags, s.Edge)
		if on&graph.TimedAccess != 0 && timedAccess(g, s.Edge, l.o.Modes) || o&graph.TimedTurns != 0 && timedTurn(g, e, s.Edge, l.o.Modes) {
			h.flags |= timed
		}
		h.metres += g.EdgeLength(s.Edge)
		h.add(s)
		e, o = s.Edge, on
		i++
	}
	if e != h.edge {
		h.last, h.lastStep = e, int32(i)
		_, h.endBearing = l.bearingsOf(i)
	}
	return i
}
