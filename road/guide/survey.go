package guide

import (
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// hop is a step of the path that has a length, or several along which the road
// goes on without a word, with what is asked of them again and again.
type hop struct {
	edge, last graph.Edge // the first edge and the last
	node       graph.Node // where the first begins
	name       graph.Set
	words      int32 // what it says, in builder.names; 0 while nobody asked
	at, until  int32 // first and last step of the path
	metres     float64
	spent
	leave, end int16 // courses in whole degrees from north, at its begin and its end
	use        graph.Use
	class      graph.Class
	travel     guidance.Travel
	vertical   vertical
	marks      marks
}

// spent is what steps take.
type spent struct{ seconds, cost float64 }

func (s *spent) add(step *graph.Step) {
	s.seconds += step.Seconds + step.Turn
	s.cost += step.Cost
}

// marks are what is true of a hop.
type marks uint16

const (
	toll       = marks(graph.OnToll)
	highway    = marks(graph.OnHighway)
	ferry      = marks(graph.OnFerry)
	rough      = marks(graph.OnRough)
	gated      = marks(graph.OnGate)
	timed      = marks(graph.OnTimes)
	joined     = marks(1) << iota // it begins at the node where the one before ended
	onLeft                        // traffic keeps left
	roundabout                    // for the traveller
	inner                         // within a junction
	oneway                        // for the traveller
	plain                         // a road like any, of which there is nothing more to ask
	indoors                       // within a building
	changing                      // it leads from one floor to another
	threshold                     // at its begin the path goes into a building or out of one
	lifted                        // at its begin the path takes a lift

	lie = toll | highway | ferry | rough | gated
)

// survey looks at every step once.
func (b *builder) survey() {
	g := b.g
	foot, bike := b.onFoot(), b.cycling()
	goesOn := onwardFor(b.o.Modes)
	var before spent // on steps before the first hop
	for i := 0; i < len(b.path); i++ {
		if b.line.Step[i] == b.line.Step[i+1] { // no length, no course: it belongs to what is around it
			to := &before
			if n := len(b.hops); n > 0 {
				to = &b.hops[n-1].spent
			}
			to.add(&b.path[i])
			continue
		}
		b.hops = append(b.hops, b.hopOf(i, foot, bike))
		i = b.extend(&b.hops[len(b.hops)-1], i, goesOn)
	}
	if len(b.hops) == 0 {
		b.hops = append(b.hops, b.hopOf(len(b.path)-1, foot, bike))
		b.hops[0].spent = spent{}
	}
	b.hops[0].seconds += before.seconds
	b.hops[0].cost += before.cost
	for k := 1; k < len(b.hops); k++ {
		h, p := &b.hops[k], &b.hops[k-1]
		if wholeAt(&b.path[p.until], &b.path[h.at]) && h.node == g.Head[p.last] {
			h.marks |= joined | marksBetween(g, p.last, h.edge, b.o.Modes)
		}
	}
	b.markIndoors()
}

func (b *builder) hopOf(i int, foot, bike bool) hop {
	g := b.g
	s := &b.path[i]
	e := s.Edge
	seg := g.Segment(e)
	h := hop{
		edge: e, last: e, node: g.Tail[e], name: g.Name[seg], at: int32(i), until: int32(i), use: g.Use[seg], class: g.Class[seg],
		metres: float64(g.Length[seg]) * (s.End - s.Begin),
		leave:  int16(degrees(g.Out[e])), end: int16(degrees(g.In[e])),
	}
	h.add(s)
	if s.Begin != 0 || s.End != 1 {
		if line := b.stepLine(i); len(line) > 1 {
			metres := graph.CourseMetres(h.class, h.use)
			h.leave, h.end = int16(whole(leaving(line, metres, b.narrow))), int16(whole(arriving(line, metres, b.narrow)))
		}
	}
	flags, own := g.SegFlags[seg], g.EdgeFlags[e]
	h.marks = marksOf(g, e, seg, b.o.Modes)
	if flags&graph.DriveOnLeft != 0 {
		h.marks |= onLeft
	}
	if flags&graph.Roundabout != 0 && !foot {
		h.marks |= roundabout
	}
	if flags&graph.Indoor != 0 {
		h.marks |= indoors
	}
	if flags&graph.Levelled != 0 && g.LevelsOf(seg).Changes {
		h.marks |= changing
	}
	if g.Access[g.Opposite[e]]&b.o.Modes == 0 {
		h.marks |= oneway
	}
	if g.Length[seg] <= innerMetres && b.innerEdge(e) {
		h.marks |= inner
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
			h.vertical = insideSteps
		}
	}
	if h.marks&(roundabout|inner|indoors|changing) == 0 && h.vertical == level && !special(h.use) && !isFootway(h.use) &&
		h.use != graph.Cycleway && h.use != graph.MountainBike {
		h.marks |= plain
	}
	return h
}

// marksOf are those marks of an edge that manoeuvres and summaries tell.
func marksOf(g *graph.Graph, e graph.Edge, seg graph.Segment, modes graph.Modes) marks {
	var m marks
	if e < graph.Edge(len(g.Onward)) {
		m = marks(g.Onward[e]) & lie &^ gated
	} else {
		m = roadMarks(g, seg)
	}
	if g.EdgeFlags[e]&graph.Conditional != 0 && timedAccess(g, e, modes) {
		m |= timed
	}
	return m
}

// roadMarks are those of a segment.
func roadMarks(g *graph.Graph, seg graph.Segment) (m marks) {
	flags, use := g.SegFlags[seg], g.Use[seg]
	if flags&graph.Toll != 0 {
		m |= toll
	}
	if g.Class[seg] == graph.Motorway && !isSlip(use) {
		m |= highway
	}
	if isFerry(use) {
		m |= ferry
	} else if g.Surface[seg] >= graph.Compacted || flags&graph.Unpaved != 0 {
		m |= rough
	}
	return m
}

// marksBetween are those of the node between two edges.
func marksBetween(g *graph.Graph, p, c graph.Edge, modes graph.Modes) (m marks) {
	if g.NodeFlags[g.Tail[c]]&graph.Gate != 0 {
		m |= gated
	}
	if g.EdgeFlags[p]&graph.Turning != 0 && timedTurn(g, p, g.Original(c), modes) {
		m |= timed
	}
	return m
}

func (h *hop) is(m marks) bool { return h.marks&m != 0 }

// sameWay reports whether two hops are so alike that only the junction between
// them could give cause for words.
func (b *builder) sameWay(p, c *hop) bool {
	return c.marks&p.marks&plain != 0 && c.marks&joined != 0 && (c.marks^p.marks)&onLeft == 0 && p.travel == c.travel && p.name == c.name
}

// clear reports whether a path that goes ahead from hop p to c meets no way
// that may be entered well ahead too: then nobody would think of going
// elsewhere.
func (b *builder) clear(p, c *hop) bool {
	g := b.g
	if abs(between180(int(c.leave)-int(p.end))) > 44 {
		return false
	}
	first, end := g.FirstOut[c.node], g.FirstOut[c.node+1]
	if end-first <= 2 {
		return true
	}
	back, on := g.Opposite[p.last], g.Original(c.edge)
	for e := first; e < end; e++ {
		if e == back || e == on {
			continue
		}
		if abs(between180(degrees(g.Out[e])-int(p.end))) <= wideAhead && g.Access[e]&b.o.Modes != 0 {
			return false
		}
	}
	return true
}

func (b *builder) use(k int) graph.Use { return b.hops[k].use }

// leaving is the course at which hop k begins, arriving that at which it ends.
func (b *builder) leaving(k int) int { return int(b.hops[k].leave) }

func (b *builder) arriving(k int) int { return int(b.hops[k].end) }

// innerAt reports whether hop k lies within a junction; the first and the last
// of a path do not count.
func (b *builder) innerAt(k int) bool {
	return k > 0 && k+1 < len(b.hops) && b.hops[k].is(inner)
}

// atNode reports whether hop k ends at a node and the next goes on from there;
// it may end within an edge instead, at a location passed.
func (b *builder) atNode(k int) bool { return b.hops[k+1].is(joined) }

func (b *builder) stepLine(i int) []geo.Point {
	return b.line.Points[b.line.Step[i] : b.line.Step[i+1]+1]
}

func (b *builder) onFoot() bool { return b.o.Modes&graph.Vehicles == 0 }

func (b *builder) cycling() bool {
	return b.o.Modes&graph.Bicycle != 0 && b.o.Modes&graph.Motor == 0
}

func (b *builder) driving() bool { return b.o.Modes&graph.Motor != 0 }

// highway reports whether an edge is a motorway, its slip roads apart.
func (b *builder) highway(e graph.Edge) bool {
	s := b.g.Segment(e)
	return b.g.Class[s] == graph.Motorway && !isSlip(b.g.Use[s])
}

// meeting is the node at which hop k begins. The answer holds until the next
// question.
func (b *builder) meeting(k int) *meeting {
	if b.met == k {
		return &b.last
	}
	b.met = k
	p, c := &b.hops[k-1], &b.hops[k]
	if c.is(joined) {
		b.meet(&b.last, p, c)
		return &b.last
	}
	turn := between180(int(c.leave) - int(p.end))
	if b.g.Original(c.edge) == b.g.Opposite[p.last] {
		turn = 180
	}
	b.last = meeting{p: p, c: c, turn: turn, straightest: 180, straightestOut: 180}
	return &b.last
}
