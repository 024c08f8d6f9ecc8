package guide

import (
	"slices"
	"strings"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// builder makes the manoeuvres of one leg.
type builder struct {
	g      *graph.Graph
	path   graph.Path
	line   Line
	o      Options
	hops   []hop
	names  []namesOfSet    // the first says nothing
	arena  []guidance.Name // theirs
	texts  strings.Builder
	made   []draft  // all that were started, and
	drafts []*draft // those that are left of them
	list   []guidance.Manoeuvre

	narrow float64 // of degrees of longitude

	met  int // the hop that last is the meeting of
	last meeting
}

// draft is a manoeuvre in the making: what is done where its stretch begins,
// and what is known of the stretch. Courses are whole degrees from north,
// turns those of a meeting.
type draft struct {
	begin, end int // of builder.hops, end excluded
	turned     int // the hop that out is the course of: begin, or beyond what lies inside the junction
	kind       guidance.Type
	metres     float64

	in, out int // course arriving at the begin and leaving it
	last    int // course at the end
	turn    int
	heading heading

	names, beginNames []guidance.Name
	sign              graph.Set     // what is signed at the begin, 0 without
	signed            guidance.Sign // what it says
	exits             int
	innerLeft         int // turns on the pieces of road within a junction
	innerRight        int
	travel            guidance.Travel
	trail             trail
	vertical          vertical
	changing          bool // leads from one floor to another
	threshold, lifted bool // at the begin, as of a hop
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
	b.narrow = narrowing(b.line.Points[0])
	b.survey()
	b.made = slices.Grow(b.made, len(b.hops)) // they must not move
	b.names = append(b.names, namesOfSet{})
	b.arena = make([]guidance.Name, 0, len(b.hops))
	b.texts.Grow(16 * len(b.hops))
	last := len(b.hops) - 1
	d := b.start(last)
	d.end = last + 1
	for k := last; k > 0; k-- {
		if b.passes(d, k) {
			b.include(d, k-1)
			continue
		}
		b.settle(d, k)
		b.drafts = append(b.drafts, d)
		d = b.start(k - 1)
		d.end = k
	}
	d.begin, d.out = 0, b.leaving(0)
	d.kind = b.startKind(d)
	d.beginNames = b.beginNames(d)
	b.drafts = append(b.drafts, d)
	slices.Reverse(b.drafts)
}

// passes reports whether step k-1 belongs to the stretch that begins with step
// k.
func (b *builder) passes(d *draft, k int) bool {
	p, c := &b.hops[k-1], &b.hops[k]
	if d.sign == 0 && len(d.names) > 0 && b.sameWay(p, c) && b.clear(p, c) && b.namesGoOn(d, b.namesAt(p), true) {
		return true // most steps, and the answer that goesOn would give
	}
	return b.goesOn(d, k)
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

// start makes the draft whose last step is k.
func (b *builder) start(k int) *draft {
	h := &b.hops[k]
	b.made = append(b.made, draft{
		last: b.arriving(k), travel: h.travel, onLeft: h.is(onLeft), ramp: h.use == graph.Ramp, channel: h.use == graph.TurnChannel,
		ferry: h.use == graph.Ferry, railFerry: h.use == graph.RailFerry, roundabout: h.is(roundabout), inner: b.innerAt(k), vertical: h.vertical,
		changing: h.is(changing),
	})
	d := &b.made[len(b.made)-1]
	if d.roundabout {
		d.exits = 1
	}
	d.trail = trailOf(h.use)
	if d.trail != noTrail && len(b.namesAt(h)) > 0 {
		d.trail |= named
	}
	if d.vertical == steps && !d.changing && b.g.EdgeLength(h.edge) < leastSteps {
		d.vertical = level
	}
	b.include(d, k)
	return d
}

// include lets a draft begin one hop earlier.
func (b *builder) include(d *draft, k int) {
	h := &b.hops[k]
	d.metres += h.metres
	d.highway = d.highway || h.is(highway)
	if h.marks&plain != 0 && len(d.names) > 0 {
		return
	}
	to := noHeading
	if k > 0 && (d.inner || d.channel) {
		to = headingOf(between180(b.leaving(k) - b.arriving(k-1)))
	}
	if len(d.names) == 0 && !d.inner || d.inner && (to == toLeft && !d.onLeft || to == toRight && d.onLeft) {
		d.names = b.namesAt(h)
	}
	switch to {
	case toLeft:
		d.innerLeft++
	case toRight:
		d.innerRight++
	}
	if d.roundabout && k+1 < len(b.hops) && b.atNode(k) {
		m := b.meeting(k + 1)
		if d.onLeft {
			d.exits += m.leftOut
		} else {
			d.exits += m.rightOut
		}
	}
	if b.exitSigned(k) {
		d.sign = b.g.Sign[h.edge]
	}
}

// trailOf is the kind of path that a use makes.
func trailOf(u graph.Use) trail {
	switch {
	case isFootway(u):
		return walkway
	case u == graph.Cycleway:
		return cycleTrack
	case u == graph.MountainBike:
		return mountainTrail
	}
	return noTrail
}

// settle closes a draft that begins with step k, the first not included, and
// judges what is to be done there.
func (b *builder) settle(d *draft, k int) {
	d.begin, d.turned = k, k
	d.in, d.out = b.arriving(k-1), b.leaving(k)
	m := b.meeting(k)
	d.turn = m.turn
	d.heading = b.headingAt(d, m)
	d.threshold, d.lifted = b.hops[k].is(threshold), b.hops[k].is(lifted)
	d.beginNames = b.beginNames(d)
	d.crossing = b.use(k) == graph.Crossing && isFootway(b.use(k-1))
	d.endOfRoad = !m.forwardOut && abs(m.turn) > 44 && abs(m.turn) < 160 && (m.turn > 0 && m.leftOut > 0 || m.turn < 0 && m.rightOut > 0)
	b.setKind(d, true)
}

// beginNames are the names at a draft's begin where they are more than those
// along it.
func (b *builder) beginNames(d *draft) []guidance.Name {
	h := &b.hops[d.begin]
	n := b.namesAt(h)
	if len(n) < 2 || h.is(highway) || b.innerAt(d.begin) || len(common(n, d.names)) == len(n) {
		return nil
	}
	return n
}

// headingAt is a draft's rough direction, with the side to keep to where
// another way leads ahead too.
func (b *builder) headingAt(d *draft, m *meeting) heading {
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

// turnsOff reports whether another way that may be entered makes such a turn.
func (b *builder) turnsOff(m *meeting, t guidance.Type) (found bool) {
	b.each(m, func(_ graph.Edge, turn int, out bool) bool {
		found = out && turnOf(turn) == t
		return !found
	})
	return found
}
