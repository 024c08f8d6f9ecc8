package guide

import (
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// builder makes the manoeuvres of one leg.
type builder struct {
	g          *graph.Graph
	path       graph.Path
	line       Line
	o          Options
	hops       []hop
	names      []parsedNames   // the first is of the empty set
	nameArena  []guidance.Name // memory for the names of all
	texts      strings.Builder
	store      []candidate  // memory of all candidates
	candidates []*candidate // in the order of the path; collapse removes some
	list       []guidance.Manoeuvre

	lonScale float64     // of a degree of longitude to one of latitude
	shape    []geo.Point // of the edge looked at

	countryAsked  uint16 // the country that spoken was asked of last
	countrySpeaks bool   // and its answer

	junctionAt int // the hop that current is the junction before
	current    junction
}

// candidate is a stretch of the path that may become a manoeuvre: what is to be
// done at its begin, and facts of the stretch. Courses are whole degrees
// clockwise from north, turns as in a junction.
type candidate struct {
	begin, end int // of builder.hops, end excluded
	turnHop    int // the hop that courseOut is of: begin, or one after the internal hops
	kind       guidance.Type
	metres     float64

	courseIn, courseOut int // course arriving at the begin and leaving it
	courseEnd           int // course at the end
	turn                int
	heading             heading

	names, beginNames []guidance.Name
	signSet           graph.Set     // with the signs at the begin, 0 without
	sign              guidance.Sign // read from signSet
	exits             int
	internalLeft      int // turns at internal hops
	internalRight     int
	travel            guidance.Travel
	pathKind          pathKind
	vertical          vertical
	changesLevel      bool // leads from one floor to another
	atDoor, byLift    bool // at the begin: see hopFlags
	driveOnLeft       bool // traffic keeps left
	ramp, channel     bool
	ferry, railFerry  bool
	roundabout        bool
	internal          bool // inside a junction
	fork, tee         bool
	forwardBeside     bool // at the begin another way leads ahead and the path turns, or less straight
	containsObvious   bool // a manoeuvre too obvious to mention was joined to it
	highway           bool
	toStayOn          bool
	droppedFork       bool // the fork at the end of a ramp was joined to it
	droppedMerge      bool // the merging at the end of a ramp was joined to it
	crossing          bool
	endOfRoad         bool
}

// pathKind is the kind of a path away from roads.
type pathKind uint8

const (
	noPath pathKind = iota
	walkway
	cycleTrack
	mountainTrail
	named // a bit besides: the path has a name
)

// vertical is how a way leads from one level to another.
type vertical uint8

const (
	level vertical = iota
	elevator
	indoorSteps
	steps
	escalator
)

// leastSteps is the length in metres of the shortest stairs that are a
// manoeuvre.
const leastSteps = 3

// split cuts the path into candidates, from its last hop to its first: which
// hops belong together depends on the names of the road that they lead to.
func (b *builder) split() {
	b.lonScale = lonScaleAt(b.line.Points[0])
	b.collectHops()
	b.store = slices.Grow(b.store, len(b.hops)) // pointers into it must stay valid
	b.names = append(b.names, parsedNames{})
	b.nameArena = make([]guidance.Name, 0, len(b.hops))
	b.texts.Grow(16 * len(b.hops))
	last := len(b.hops) - 1
	d := b.newCandidate(last)
	d.end = last + 1
	for k := last; k > 0; k-- {
		if b.belongs(d, k) {
			b.extendBack(d, k-1)
			continue
		}
		b.close(d, k)
		b.candidates = append(b.candidates, d)
		d = b.newCandidate(k - 1)
		d.end = k
	}
	d.begin, d.courseOut = 0, b.startCourse(0)
	d.kind = b.startKind(d)
	d.beginNames = b.beginNames(d)
	b.candidates = append(b.candidates, d)
	slices.Reverse(b.candidates)
}

// belongs reports whether hop k-1 belongs to the candidate that begins with hop
// k.
func (b *builder) belongs(d *candidate, k int) bool {
	p, c := &b.hops[k-1], &b.hops[k]
	if d.signSet == 0 && len(d.names) > 0 && b.alikeHops(p, c) && b.clearAhead(p, c) && b.namesContinue(d, b.hopNames(p), true) {
		return true // a shortcut for most hops; continues would say the same
	}
	return b.continues(d, k)
}

func (b *builder) startSide() guidance.Side {
	// Valhalla numbers the right side before the left.
	switch b.o.From {
	case guidance.LeftSide:
		return guidance.RightSide
	case guidance.RightSide:
		return guidance.LeftSide
	}
	return guidance.NoSide
}

// newCandidate makes the candidate whose last hop is k.
func (b *builder) newCandidate(k int) *candidate {
	h := &b.hops[k]
	b.store = append(b.store, candidate{
		courseEnd: b.endCourse(k), travel: h.travel, driveOnLeft: h.is(driveOnLeft), ramp: h.use == graph.Ramp, channel: h.use == graph.TurnChannel,
		ferry: h.use == graph.Ferry, railFerry: h.use == graph.RailFerry, roundabout: h.is(roundabout), internal: b.internalAt(k), vertical: h.vertical,
		changesLevel: h.is(changesLevel),
	})
	d := &b.store[len(b.store)-1]
	if d.roundabout {
		d.exits = 1
	}
	d.pathKind = pathKindOf(h.use)
	if d.pathKind != noPath && len(b.hopNames(h)) > 0 {
		d.pathKind |= named
	}
	if d.vertical == steps && !d.changesLevel && b.g.EdgeLength(h.edge) < leastSteps {
		d.vertical = level
	}
	b.extendBack(d, k)
	return d
}

// extendBack lets a candidate begin with hop k, one earlier than before.
func (b *builder) extendBack(d *candidate, k int) {
	h := &b.hops[k]
	d.metres += h.metres
	d.highway = d.highway || h.is(highway)
	if h.flags&ordinary != 0 && len(d.names) > 0 {
		return
	}
	to := noHeading
	if k > 0 && (d.internal || d.channel) {
		to = headingOf(normaliseTurn(b.startCourse(k) - b.endCourse(k-1)))
	}
	if len(d.names) == 0 && !d.internal || d.internal && (to == toLeft && !d.driveOnLeft || to == toRight && d.driveOnLeft) {
		d.names = b.hopNames(h)
	}
	switch to {
	case toLeft:
		d.internalLeft++
	case toRight:
		d.internalRight++
	}
	if d.roundabout && k+1 < len(b.hops) {
		d.exits += b.exitsPassed(k+1, d.driveOnLeft)
	}
	if b.exitSigned(k) {
		d.signSet = b.g.ByEdge[h.edge].Attributes
	}
}

// pathKindOf is the kind of path of a use.
func pathKindOf(u graph.Use) pathKind {
	switch {
	case isFootway(u):
		return walkway
	case u == graph.Cycleway:
		return cycleTrack
	case u == graph.MountainBike:
		return mountainTrail
	}
	return noPath
}

// close sets what a candidate that begins with hop k, not the first, asks for
// at its begin.
func (b *builder) close(d *candidate, k int) {
	d.begin, d.turnHop = k, k
	d.courseIn, d.courseOut = b.endCourse(k-1), b.startCourse(k)
	m := b.junction(k)
	d.turn = m.turn
	d.heading = b.headingAt(d, m)
	d.atDoor, d.byLift = b.hops[k].is(doorway), b.hops[k].is(byLift)
	d.beginNames = b.beginNames(d)
	d.crossing = b.use(k) == graph.Crossing && isFootway(b.use(k-1))
	d.endOfRoad = !m.forwardOut && abs(m.turn) > 44 && abs(m.turn) < 160 && (m.turn > 0 && m.leftOut > 0 || m.turn < 0 && m.rightOut > 0)
	b.setKind(d, true)
}

// beginNames are the names at a candidate's begin where they are more than
// those that hold all along it.
func (b *builder) beginNames(d *candidate) []guidance.Name {
	h := &b.hops[d.begin]
	n := b.hopNames(h)
	if len(n) < 2 || h.is(highway) || b.internalAt(d.begin) || len(common(n, d.names)) == len(n) {
		return nil
	}
	return n
}

// headingAt is a candidate's heading, with the side to keep to where another
// way leads ahead too.
func (b *builder) headingAt(d *candidate, m *junction) heading {
	h := headingOf(m.turn)
	kept := !m.pathStraightest(m.straightestOut) || d.channel && turnOf(m.turn) != guidance.Continue || d.fork
	switch {
	case h == toLeft && turnOf(m.turn) == guidance.SlightLeft && b.turnsOff(m, guidance.Left):
		return keepLeft
	case h == toRight && turnOf(m.turn) == guidance.SlightRight && b.turnsOff(m, guidance.Right):
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

// turnsOff reports whether another way that may be entered makes a turn of a
// type.
func (b *builder) turnsOff(m *junction, t guidance.Type) (found bool) {
	b.eachOther(m, func(_ graph.Edge, turn int, out bool) bool {
		found = out && turnOf(turn) == t
		return !found
	})
	return found
}
