package guide

import (
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// hop is a step of the path that has a length, or several along which the road
// plainly continues, with the facts that are needed again and again.
type hop struct {
	edge, last          graph.Edge // the first edge and the last
	node                graph.Node // at which the first edge begins
	name                graph.Set
	namesIndex          int32 // of its names in builder.names; 0 while not looked up
	firstStep, lastStep int32 // first and last step of the path
	metres              float64
	totals
	startBearing, endBearing int16 // in whole degrees clockwise from north
	use                      graph.Use
	class                    graph.Class
	travel                   guidance.Travel
	vertical                 vertical
	flags                    hopFlags
}

// totals are the sums over some steps.
type totals struct{ seconds, cost float64 }

func (s *totals) add(step *graph.Step) {
	s.seconds += step.Seconds + step.Turn
	s.cost += step.Cost
}

// hopFlags are facts of a hop. Those up to timed have the values of
// graph.Continuation.
type hopFlags uint32

const (
	toll         = hopFlags(graph.OnToll)
	highway      = hopFlags(graph.OnHighway)
	ferry        = hopFlags(graph.OnFerry)
	unpaved      = hopFlags(graph.OnUnpaved)
	gate         = hopFlags(graph.GateAtTail)
	timed        = hopFlags(graph.TimedAccess)
	contiguous   = hopFlags(1) << iota // begins at the node at which the hop before ends
	driveOnLeft                        // traffic keeps left
	roundabout                         // for the traveller
	internal                           // inside a junction
	oneway                             // for the traveller
	ordinary                           // a road with nothing special about it
	indoors                            // within a building
	changesLevel                       // leads from one floor to another
	doorway                            // at its begin the path enters or leaves a building
	byLift                             // at its begin the path takes a lift
	square                             // on ground that is walked all over

	continuationFlags = toll | highway | ferry | unpaved | gate
)

// collectHops makes the hops, looking at every step of the path once.
func (l *leg) collectHops() {
	g := l.g
	foot, bike := l.onFoot(), l.cycling()
	continues := continuationFor(l.o.Modes)
	var before totals // of steps before the first hop
	for i := 0; i < len(l.path); i++ {
		if l.line.Step[i] == l.line.Step[i+1] { // a step of no length has no bearing: add it to the hop before
			to := &before
			if n := len(l.hops); n > 0 {
				to = &l.hops[n-1].totals
			}
			to.add(&l.path[i])
			continue
		}
		l.hops = append(l.hops, l.hopOf(i, foot, bike))
		i = l.joinContinuation(&l.hops[len(l.hops)-1], i, continues)
	}
	if len(l.hops) == 0 {
		l.hops = append(l.hops, l.hopOf(len(l.path)-1, foot, bike))
		l.hops[0].totals = totals{}
	}
	l.hops[0].seconds += before.seconds
	l.hops[0].cost += before.cost
	for k := 1; k < len(l.hops); k++ {
		h, p := &l.hops[k], &l.hops[k-1]
		if continuous(&l.path[p.lastStep], &l.path[h.firstStep]) && h.node == g.ByEdge[p.last].Head {
			h.flags |= contiguous | flagsBetween(g, p.last, h.edge, l.o.Modes)
		}
	}
	l.markIndoors()
}

// hopOf makes the hop of step i alone.
func (l *leg) hopOf(i int, foot, bike bool) hop {
	g := l.g
	s := &l.path[i]
	e := s.Edge
	seg := g.Segment(e)
	h := hop{
		edge: e, last: e, node: g.ByEdge[e].Tail, name: g.BySegment[seg].Name, firstStep: int32(i), lastStep: int32(i), use: g.BySegment[seg].Use, class: g.BySegment[seg].Class,
		metres: float64(g.BySegment[seg].Length) * (s.End - s.Begin),
	}
	h.add(s)
	h.startBearing, h.endBearing = l.bearingsOf(i)
	flags, own := g.BySegment[seg].Flags, g.ByEdge[e].Flags
	h.flags = flagsOf(g, e, seg, &l.o)
	if flags&graph.DriveOnLeft != 0 {
		h.flags |= driveOnLeft
	}
	if flags&graph.Roundabout != 0 && !foot {
		h.flags |= roundabout
	}
	if flags&graph.Indoor != 0 {
		h.flags |= indoors
	}
	if flags&graph.Area != 0 {
		h.flags |= square
	}
	if flags&graph.HasLevels != 0 && g.LevelsOf(seg).Changes {
		h.flags |= changesLevel
	}
	if g.ByEdge[g.ByEdge[e].Opposite].Access&l.o.Modes == 0 {
		h.flags |= oneway
	}
	if g.ByEdge[e].Flags&graph.Internal != 0 {
		h.flags |= internal
	}
	switch {
	case foot:
		h.travel = guidance.Walking
	case bike && (own&graph.BikeDismount != 0 || isVertical(h.use)):
		h.travel = guidance.Pushing
	case bike:
		h.travel = guidance.Cycling
	}
	switch h.use {
	case graph.Elevator:
		h.vertical = elevator
	case graph.Escalator:
		h.vertical = escalator
	case graph.Steps:
		h.vertical = steps
		if h.is(indoors) {
			h.vertical = indoorSteps
		}
	}
	if h.flags&(roundabout|internal|indoors|changesLevel) == 0 && h.vertical == level && !special(h.use) && !isFootway(h.use) &&
		h.use != graph.Cycleway && h.use != graph.MountainBike {
		h.flags |= ordinary
	}
	return h
}

// flagsOf returns those flags of an edge that manoeuvres and summaries report.
func flagsOf(g *graph.Graph, e graph.Edge, seg graph.Segment, o *Options) hopFlags {
	var m hopFlags
	if e < graph.Edge(len(g.Continuations)) {
		m = hopFlags(g.Continuations[e]) & continuationFlags &^ gate
	} else {
		m = roadFlags(g, seg)
	}
	if g.ByEdge[e].Flags&graph.Conditional != 0 && timedAccess(g, e, o.Modes) {
		m |= timed
	}
	return o.tolls(m, e)
}

// roadFlags returns those flags of a segment that do not depend on the traveller.
func roadFlags(g *graph.Graph, seg graph.Segment) (m hopFlags) {
	flags, use := g.BySegment[seg].Flags, g.BySegment[seg].Use
	if flags&graph.Toll != 0 {
		m |= toll
	}
	if g.BySegment[seg].Class == graph.Motorway && !isSlip(use) {
		m |= highway
	}
	if isFerry(use) {
		m |= ferry
	} else if g.BySegment[seg].Surface >= graph.Compacted || flags&graph.Unpaved != 0 {
		m |= unpaved
	}
	return m
}

// flagsBetween returns the flags of the node between two edges.
func flagsBetween(g *graph.Graph, p, c graph.Edge, modes graph.Modes) (m hopFlags) {
	if g.ByNode[g.ByEdge[c].Tail].Flags&graph.Gate != 0 {
		m |= gate
	}
	if g.ByEdge[p].Flags&graph.Turning != 0 && timedTurn(g, p, g.Original(c), modes) {
		m |= timed
	}
	return m
}

// bearingsOf returns the bearings at which step i begins and ends. Those of the path are
// exact, and only those of the ways aside are kept in steps, as in Valhalla: at a
// narrow fork that decides which arm is the left one.
func (l *leg) bearingsOf(i int) (begin, end int16) {
	e := l.path[i].Edge
	s := l.g.Segment(e)
	var line []geo.Point
	if len(l.line.Step) > 0 {
		line = l.stepLine(i)
	} else { // of a graph that is being built
		l.shape = l.g.AppendShape(l.shape[:0], e)
		line = l.shape
	}
	if len(line) < 2 {
		return int16(l.g.Bearing(e)), int16(l.g.Arrival(e))
	}
	metres, narrow := graph.BearingMetres(l.g.BySegment[s].Class, l.g.BySegment[s].Use), lonScaleAt(line[0])
	return int16(roundDegrees(lineStartBearing(line, metres, narrow))), int16(roundDegrees(lineEndBearing(line, metres, narrow)))
}

func (h *hop) is(m hopFlags) bool { return h.flags&m != 0 }

// alikeHops reports whether two hops differ in nothing, so that only the
// junction between them could need a manoeuvre.
func alikeHops(p, c *hop) bool {
	return c.flags&p.flags&ordinary != 0 && c.flags&contiguous != 0 && (c.flags^p.flags)&driveOnLeft == 0 && p.travel == c.travel && p.name == c.name
}

// clearAhead reports whether the path goes ahead from hop p to c and no other
// way that may be entered leads ahead too, so that nobody could mistake it.
func (l *leg) clearAhead(p, c *hop) bool {
	g := l.g
	if abs(normaliseTurn(int(c.startBearing)-int(p.endBearing))) > 44 {
		return false
	}
	first, end := g.FirstOut[c.node], g.FirstOut[c.node+1]
	if end-first <= 2 {
		return true
	}
	back, on := g.ByEdge[p.last].Opposite, g.Original(c.edge)
	for e := first; e < end; e++ {
		if e == back || e == on {
			continue
		}
		if abs(normaliseTurn(g.Bearing(e)-int(p.endBearing))) <= wideAhead && g.ByEdge[e].Access&l.o.Modes != 0 {
			return false
		}
	}
	return true
}
