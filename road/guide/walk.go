package guide

import (
	"math"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// builder makes the manoeuvres of one leg.
type builder struct {
	g      *graph.Graph
	path   graph.Path
	line   Line
	o      Options
	steps  []int32 // of the path, those that have a length
	names  []namesOfSet
	drafts []draft
	list   []Manoeuvre
}

// draft is a manoeuvre in the making: what is done where its stretch begins,
// and what is known of the stretch. Courses are whole degrees from north,
// turns those of a meeting.
type draft struct {
	begin, end int // of builder.steps, end excluded
	turned     int // the step that out is the course of: begin, or beyond what lies inside the junction
	kind       Type
	metres     float64

	in, out int // course arriving at the begin and leaving it
	last    int // course at the end
	turn    int
	heading heading

	names, beginNames []Name
	sign              uint32 // attribute set of what is signed at the begin, 0 without
	signed            Sign   // what it says
	exits             int
	innerLeft         int // turns on the pieces of road within a junction
	innerRight        int
	travel            Travel
	trail             trail
	vertical          vertical
	onLeft            bool // traffic keeps left
	ramp, channel     bool
	ferry, railFerry  bool
	roundabout        bool
	inner             bool // within a junction
	fork, tee         bool
	besideForward     bool // another way goes ahead where the path does not
	obvious           bool // holds a manoeuvre not worth a word
	highway           bool
	stays             bool
	forkInside        bool // a fork at the ramp's end is left out
	mergeInside       bool // the merging at the ramp's end is left out
	crossing          bool
	endOfRoad         bool
}

// trail is a way apart from the roads.
type trail uint8

const (
	noTrail trail = iota
	walkway
	cycleTrack
	mountainTrail
	named // a bit beside the others
)

// vertical is a way between levels.
type vertical uint8

const (
	level vertical = iota
	elevator
	insideSteps
	steps
	escalator
)

// leastSteps is the length in metres of the shortest stairs worth a word.
const leastSteps = 3

// walk cuts the path into drafts, from its end to its begin: a stretch is
// named by where it leads to.
func (b *builder) walk() {
	b.steps = make([]int32, 0, len(b.path))
	b.drafts = make([]draft, 0, 8+len(b.path)/8)
	b.names = make([]namesOfSet, 0, 16)
	for i := range b.path {
		if b.line.Step[i] < b.line.Step[i+1] {
			b.steps = append(b.steps, int32(i))
		}
	}
	if len(b.steps) == 0 {
		b.steps = append(b.steps, int32(len(b.path)-1))
	}
	last := len(b.steps) - 1
	d := b.start(last)
	d.end = last + 1
	for k := last; k > 0; k-- {
		if b.goesOn(&d, k) {
			b.include(&d, k-1)
			continue
		}
		b.settle(&d, k)
		b.drafts = append(b.drafts, d)
		d = b.start(k - 1)
		d.end = k
	}
	d.begin, d.out = 0, b.leaving(0)
	d.kind = Start + Type(b.startSide())
	d.beginNames = b.beginNames(&d)
	b.drafts = append(b.drafts, d)
	for i, j := 0, len(b.drafts)-1; i < j; i, j = i+1, j-1 {
		b.drafts[i], b.drafts[j] = b.drafts[j], b.drafts[i]
	}
}

func (b *builder) startSide() Side {
	// Valhalla numbers the right side before the left.
	switch b.o.From {
	case LeftSide:
		return RightSide
	case RightSide:
		return LeftSide
	}
	return NoSide
}

// edge is the edge of a step of b.steps.
func (b *builder) edge(k int) uint32 { return b.path[b.steps[k]].Edge }

func (b *builder) use(k int) graph.Use { return b.g.Use[b.g.Segment(b.edge(k))] }

// start makes the draft whose last step is k.
func (b *builder) start(k int) draft {
	g, e := b.g, b.edge(k)
	seg := g.Segment(e)
	use := g.Use[seg]
	d := draft{
		last: b.arriving(k), travel: b.travel(e), onLeft: g.SegFlags[seg]&graph.DriveOnLeft != 0,
		ramp: use == graph.Ramp, channel: use == graph.TurnChannel, ferry: use == graph.Ferry, railFerry: use == graph.RailFerry,
		roundabout: b.roundabout(e), inner: k > 0 && k+1 < len(b.steps) && b.inner(e), vertical: b.vertical(e),
	}
	if d.roundabout {
		d.exits = 1
	}
	names := b.namesOf(e)
	switch {
	case isFootway(use):
		d.trail = walkway
	case use == graph.MountainBike:
		d.trail = mountainTrail
	case use == graph.Cycleway:
		d.trail = cycleTrack
	}
	if d.trail != noTrail && len(names) > 0 {
		d.trail |= named
	}
	if d.vertical == steps && g.EdgeLength(e) < leastSteps {
		d.vertical = level
	}
	b.include(&d, k)
	return d
}

// include lets a draft begin one step earlier.
func (b *builder) include(d *draft, k int) {
	g, e := b.g, b.edge(k)
	s := &b.path[b.steps[k]]
	turn := 0
	if k > 0 {
		turn = between180(b.leaving(k) - b.arriving(k-1))
	}
	h := headingOf(turn)
	if len(d.names) == 0 && !d.inner || d.inner && (h == toLeft && !d.onLeft || h == toRight && d.onLeft) {
		d.names = b.namesOf(e)
	}
	switch h {
	case toLeft:
		d.innerLeft++
	case toRight:
		d.innerRight++
	}
	d.metres += g.EdgeLength(e) * (s.End - s.Begin)
	d.highway = d.highway || b.highway(e)
	if d.roundabout && k+1 < len(b.steps) && b.atNode(k) {
		m := b.meeting(k + 1)
		if d.onLeft {
			d.exits += m.leftOut
		} else {
			d.exits += m.rightOut
		}
	}
	if b.exitSigned(k) {
		d.sign = g.Sign[e]
	}
}

// settle closes a draft that begins with step k, the first not included, and
// judges what is to be done there.
func (b *builder) settle(d *draft, k int) {
	d.begin, d.turned = k, k
	d.in, d.out = b.arriving(k-1), b.leaving(k)
	m := b.meeting(k)
	d.turn = m.turn
	d.heading = b.headingAt(d, &m)
	d.beginNames = b.beginNames(d)
	d.crossing = b.use(k) == graph.Crossing && isFootway(b.use(k-1))
	d.endOfRoad = !m.forwardOut && abs(m.turn) > 44 && abs(m.turn) < 160 && (m.turn > 0 && m.leftOut > 0 || m.turn < 0 && m.rightOut > 0)
	b.setKind(d, true)
}

// beginNames are the names at a draft's begin where they are more than those
// along it.
func (b *builder) beginNames(d *draft) []Name {
	e := b.edge(d.begin)
	n := b.namesOf(e)
	if len(n) < 2 || b.highway(e) || b.innerAt(d.begin) || len(common(n, d.names)) == len(n) {
		return nil
	}
	return n
}

// headingAt is a draft's rough direction, with the side to keep to where
// another way leads ahead too.
func (b *builder) headingAt(d *draft, m *meeting) heading {
	h := headingOf(m.turn)
	kept := !m.pathStraightest(m.straightestOut) || d.channel && turnOf(m.turn) != Continue || d.fork
	switch {
	case h == toLeft && turnOf(m.turn) == SlightLeft && b.turnsOff(m, Left):
		return keepLeft
	case h == toRight && turnOf(m.turn) == SlightRight && b.turnsOff(m, Right):
		return keepRight
	case h != straightOn:
		return h
	case m.rightNearOut == 0 && m.leftNearOut > 0:
		return keepRight
	case m.rightNearOut > 0 && m.leftNearOut == 0:
		return keepLeft
	case m.leftNearOut == 0 && m.leftOut > 0 && m.rightOut == 0 && kept:
		return keepRight
	case m.rightNearOut == 0 && m.rightOut > 0 && m.leftOut == 0 && kept:
		return keepLeft
	}
	return h
}

// turnsOff reports whether another way that may be entered makes such a turn.
func (b *builder) turnsOff(m *meeting, t Type) (found bool) {
	b.each(m, func(_ uint32, turn int, out bool) bool {
		found = out && turnOf(turn) == t
		return !found
	})
	return found
}

// meeting is the node at which step k of b.steps begins.
func (b *builder) meeting(k int) meeting {
	if !b.atNode(k - 1) {
		turn := between180(b.leaving(k) - b.arriving(k-1))
		if b.g.Original(b.edge(k)) == b.g.Opposite[b.edge(k-1)] {
			turn = 180
		}
		return meeting{p: b.edge(k - 1), c: b.edge(k), arrival: b.arriving(k - 1), turn: turn, straightest: 180, straightestOut: 180}
	}
	return b.meet(b.edge(k-1), b.edge(k), b.arriving(k-1), b.leaving(k))
}

// atNode reports whether step k of b.steps ends at a node and the next goes on
// from there; it may lie within an edge instead, at a location passed.
func (b *builder) atNode(k int) bool {
	const whole = 1e-9
	p, c := &b.path[b.steps[k]], &b.path[b.steps[k+1]]
	return p.End >= 1-whole && c.Begin <= whole && b.g.Head[p.Edge] == b.g.Tail[c.Edge]
}

// leaving is the course at which step k begins, arriving that at which it ends.
func (b *builder) leaving(k int) int {
	i := b.steps[k]
	if b.path[i].Begin == 0 && b.path[i].End == 1 {
		return whole(b.g.Course(b.path[i].Edge))
	}
	line := b.stepLine(int(i))
	if len(line) < 2 {
		return whole(b.g.Course(b.path[i].Edge))
	}
	return whole(leaving(line, b.look(int(i))))
}

func (b *builder) arriving(k int) int {
	i := b.steps[k]
	if b.path[i].Begin == 0 && b.path[i].End == 1 {
		return whole(b.g.Arrival(b.path[i].Edge))
	}
	line := b.stepLine(int(i))
	if len(line) < 2 {
		return whole(b.g.Arrival(b.path[i].Edge))
	}
	return whole(arriving(line, b.look(int(i))))
}

func (b *builder) look(i int) float64 {
	s := b.g.Segment(b.path[i].Edge)
	return graph.CourseMetres(b.g.Class[s], b.g.Use[s])
}

func (b *builder) stepLine(i int) []geo.Point {
	return b.line.Points[b.line.Step[i] : b.line.Step[i+1]+1]
}

func (b *builder) onFoot() bool { return b.o.Modes&graph.Vehicles == 0 }

func (b *builder) driving() bool { return b.o.Modes&graph.Motor != 0 }

// roundabout reports whether an edge is part of a roundabout for the
// traveller; on foot one walks along its side like along any road's.
func (b *builder) roundabout(e uint32) bool {
	return b.g.SegFlags[b.g.Segment(e)]&graph.Roundabout != 0 && !b.onFoot()
}

func (b *builder) travel(e uint32) Travel {
	g := b.g
	switch {
	case b.onFoot():
		return Walking
	case b.o.Modes&graph.Bicycle == 0:
		return Driving
	case g.EdgeFlags[e]&graph.BikeDismount != 0 || isVertical(g.Use[g.Segment(e)]):
		return Pushing
	}
	return Cycling
}

func (b *builder) vertical(e uint32) vertical {
	s := b.g.Segment(e)
	switch b.g.Use[s] {
	case graph.Elevator:
		return elevator
	case graph.Escalator:
		return escalator
	case graph.Steps:
		if b.g.SegFlags[s]&graph.Indoor != 0 {
			return insideSteps
		}
		return steps
	}
	return level
}

// highway reports whether an edge is a motorway, its slip roads apart.
func (b *builder) highway(e uint32) bool {
	s := b.g.Segment(e)
	return b.g.Class[s] == graph.Motorway && !isSlip(b.g.Use[s])
}

func (b *builder) oneway(e uint32) bool {
	return b.g.Access[b.g.Opposite[e]]&b.o.Modes == 0
}

func degrees(course float64) int { return int(math.Round(course)) % 360 }
