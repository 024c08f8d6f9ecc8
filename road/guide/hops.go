package guide

import (
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// hop is a step of the path that has a length, or several along which the road
// plainly continues, with the facts that are asked for again and again.
type hop struct {
	edge, last          graph.Edge // the first edge and the last
	node                graph.Node // at which the first edge begins
	name                graph.Set
	namesIndex          int32 // of its names in builder.names; 0 while not looked up
	firstStep, lastStep int32 // first and last step of the path
	metres              float64
	totals
	startCourse, endCourse int16 // in whole degrees clockwise from north
	use                    graph.Use
	class                  graph.Class
	travel                 guidance.Travel
	vertical               vertical
	flags                  hopFlags
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
func (b *builder) collectHops() {
	g := b.g
	foot, bike := b.onFoot(), b.cycling()
	continues := continuationFor(b.o.Modes)
	var before totals // of steps before the first hop
	for i := 0; i < len(b.path); i++ {
		if b.line.Step[i] == b.line.Step[i+1] { // a step of no length has no course: add it to the hop before
			to := &before
			if n := len(b.hops); n > 0 {
				to = &b.hops[n-1].totals
			}
			to.add(&b.path[i])
			continue
		}
		b.hops = append(b.hops, b.hopOf(i, foot, bike))
		i = b.joinContinuation(&b.hops[len(b.hops)-1], i, continues)
	}
	if len(b.hops) == 0 {
		b.hops = append(b.hops, b.hopOf(len(b.path)-1, foot, bike))
		b.hops[0].totals = totals{}
	}
	b.hops[0].seconds += before.seconds
	b.hops[0].cost += before.cost
	for k := 1; k < len(b.hops); k++ {
		h, p := &b.hops[k], &b.hops[k-1]
		if continuous(&b.path[p.lastStep], &b.path[h.firstStep]) && h.node == g.ByEdge[p.last].Head {
			h.flags |= contiguous | flagsBetween(g, p.last, h.edge, b.o.Modes)
		}
	}
	b.markIndoors()
}

// hopOf is the hop of step i alone.
func (b *builder) hopOf(i int, foot, bike bool) hop {
	g := b.g
	s := &b.path[i]
	e := s.Edge
	seg := g.Segment(e)
	h := hop{
		edge: e, last: e, node: g.ByEdge[e].Tail, name: g.BySegment[seg].Name, firstStep: int32(i), lastStep: int32(i), use: g.BySegment[seg].Use, class: g.BySegment[seg].Class,
		metres: float64(g.BySegment[seg].Length) * (s.End - s.Begin),
	}
	h.add(s)
	h.startCourse, h.endCourse = b.coursesOf(i)
	flags, own := g.BySegment[seg].Flags, g.ByEdge[e].Flags
	h.flags = flagsOf(g, e, seg, &b.o)
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
	if g.ByEdge[g.ByEdge[e].Opposite].Access&b.o.Modes == 0 {
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

// flagsOf are those flags of an edge that manoeuvres and summaries report.
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

// roadFlags are those flags of a segment that do not depend on the traveller.
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

// flagsBetween are the flags of the node between two edges.
func flagsBetween(g *graph.Graph, p, c graph.Edge, modes graph.Modes) (m hopFlags) {
	if g.ByNode[g.ByEdge[c].Tail].Flags&graph.Gate != 0 {
		m |= gate
	}
	if g.ByEdge[p].Flags&graph.Turning != 0 && timedTurn(g, p, g.Original(c), modes) {
		m |= timed
	}
	return m
}

// coursesOf gives the courses at which step i begins and ends. Those of the path are
// exact, and only those of the ways aside are kept in steps, as in Valhalla: at a
// narrow fork that decides which arm is the left one.
func (b *builder) coursesOf(i int) (begin, end int16) {
	e := b.path[i].Edge
	s := b.g.Segment(e)
	var line []geo.Point
	if len(b.line.Step) > 0 {
		line = b.stepLine(i)
	} else { // of a graph that is being built
		b.shape = b.g.AppendShape(b.shape[:0], e)
		line = b.shape
	}
	if len(line) < 2 {
		return int16(b.g.Course(e)), int16(b.g.Arrival(e))
	}
	metres, narrow := graph.CourseMetres(b.g.BySegment[s].Class, b.g.BySegment[s].Use), lonScaleAt(line[0])
	return int16(roundDegrees(lineStartCourse(line, metres, narrow))), int16(roundDegrees(lineEndCourse(line, metres, narrow)))
}

func (h *hop) is(m hopFlags) bool { return h.flags&m != 0 }

// alikeHops reports whether two hops differ in nothing, so that only the
// junction between them could ask for a manoeuvre.
func (b *builder) alikeHops(p, c *hop) bool {
	return c.flags&p.flags&ordinary != 0 && c.flags&contiguous != 0 && (c.flags^p.flags)&driveOnLeft == 0 && p.travel == c.travel && p.name == c.name
}

// clearAhead reports whether the path goes ahead from hop p to c and no other
// way that may be entered leads ahead too, so that nobody could mistake it.
func (b *builder) clearAhead(p, c *hop) bool {
	g := b.g
	if abs(normaliseTurn(int(c.startCourse)-int(p.endCourse))) > 44 {
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
		if abs(normaliseTurn(g.Course(e)-int(p.endCourse))) <= wideAhead && g.ByEdge[e].Access&b.o.Modes != 0 {
			return false
		}
	}
	return true
}

func (b *builder) use(k int) graph.Use { return b.hops[k].use }

// startCourse is the course at which hop k begins, endCourse that at which it
// ends.
func (b *builder) startCourse(k int) int { return int(b.hops[k].startCourse) }

func (b *builder) endCourse(k int) int { return int(b.hops[k].endCourse) }

// internalAt reports whether hop k lies within a junction; the first and the
// last hop of a path never do.
func (b *builder) internalAt(k int) bool {
	return k > 0 && k+1 < len(b.hops) && b.hops[k].is(internal)
}

// atNode reports whether hop k ends at a node from which the next goes on; at a
// place passed on the way it ends within its edge.
func (b *builder) atNode(k int) bool { return b.hops[k+1].is(contiguous) }

func (b *builder) stepLine(i int) []geo.Point {
	return b.line.Points[b.line.Step[i] : b.line.Step[i+1]+1]
}

func (b *builder) onFoot() bool { return b.o.Modes&graph.Vehicles == 0 }

func (b *builder) cycling() bool {
	return b.o.Modes&graph.Bicycle != 0 && b.o.Modes&graph.Motor == 0
}

func (b *builder) driving() bool { return b.o.Modes&graph.Motor != 0 }

// highway reports whether an edge is a motorway and no slip road of one.
func (b *builder) highway(e graph.Edge) bool {
	s := b.g.Segment(e)
	return b.g.BySegment[s].Class == graph.Motorway && !isSlip(b.g.BySegment[s].Use)
}

// junction is the junction at which hop k begins, valid until the next call.
func (b *builder) junction(k int) *junction {
	if b.junctionAt == k {
		return &b.current
	}
	b.junctionAt = k
	p, c := &b.hops[k-1], &b.hops[k]
	if c.is(contiguous) {
		b.examine(&b.current, p, c)
		return &b.current
	}
	turn := normaliseTurn(int(c.startCourse) - int(p.endCourse))
	if b.g.Original(c.edge) == b.g.ByEdge[p.last].Opposite {
		turn = 180
	}
	b.current = junction{from: p, to: c, turn: turn, straightest: 180, straightestOut: 180}
	return &b.current
}
