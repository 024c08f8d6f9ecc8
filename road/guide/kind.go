package guide

import (
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// shortContinue is the length in metres below which a stretch straight on is no
// manoeuvre of its own.
const shortContinue = 600

// setKind sets a candidate's kind unless it has one. Candidates inside a
// junction and on lanes for turning get none while they may still be joined to
// what follows (open).
func setKind(l *leg, d *candidate, open bool) {
	if d.kind != guidance.None {
		return
	}
	k := d.begin
	p, c := &l.hops[k-1], &l.hops[k]
	switch {
	case d.is(roundabout):
		d.kind = guidance.RoundaboutEnter
	case p.is(roundabout):
		d.kind = guidance.RoundaboutExit
	case d.form == forkForm:
		d.kind = byHeading(d.heading, guidance.StayLeft, guidance.StayStraight, guidance.StayRight)
	case open && (d.is(internal) || d.uses.has(graph.TurnChannel)):
	case d.uses.has(graph.Ramp) && isExit(l, d, p):
		side := guidance.ExitRight
		if d.is(driveOnLeft) {
			side = guidance.ExitLeft
		}
		d.kind = byHeading(d.heading, guidance.ExitLeft, side, guidance.ExitRight)
	case d.uses.has(graph.Ramp) && !p.is(highway):
		switch d.heading {
		case straightOn:
			d.kind = guidance.RampStraight
		case reversed:
			d.kind = bySide(d.turn, guidance.RampLeft, guidance.RampRight)
		default:
			d.kind = byHeading(d.heading, guidance.RampLeft, guidance.RampRight, guidance.RampRight)
		}
	case mergesOnto(l, d, p, c):
		m := l.junction(k)
		switch {
		case m.left > 0 && m.leftNear == 0 && m.right == 0:
			d.kind = guidance.MergeLeft
		case m.right > 0 && m.rightNear == 0 && m.left == 0:
			d.kind = guidance.MergeRight
		default:
			d.kind = guidance.Merge
		}
	case d.uses.has(graph.Ferry) || d.uses.has(graph.RailFerry):
		d.kind = guidance.FerryEnter
	case p.is(ferry):
		d.kind = guidance.FerryExit
	default:
		if d.kind = levelChangeKind(l, d); d.kind == guidance.None {
			d.kind = turnKind(l, d)
		}
	}
}

// byHeading picks by the side that a heading turns or keeps to.
func byHeading(h heading, left, neither, right guidance.Type) guidance.Type {
	switch {
	case h.isLeft():
		return left
	case h.isRight():
		return right
	}
	return neither
}

// isExit reports whether entering a slip road from hop p is an exit: from a
// motorway, where an exit number is signed, or keeping to a side where the slip
// road leads to no motorway.
func isExit(l *leg, d *candidate, p *hop) bool {
	if p.is(highway) || d.signSet != 0 && l.g.Attribute(d.signSet, "junction:ref") != "" {
		return true
	}
	return p.use != graph.Ramp && (d.heading == keepLeft || d.heading == keepRight) && !leadsToHighway(l, d)
}

// leadsToHighway reports whether the first road after a slip road is a
// motorway.
func leadsToHighway(l *leg, d *candidate) bool {
	for k := d.end; k < len(l.hops); k++ {
		if isSlip(l.use(k)) || l.internalAt(k) {
			continue
		}
		return l.hops[k].is(highway)
	}
	return false
}

// mergesOnto reports whether the path merges from a slip road onto a larger
// road.
func mergesOnto(l *leg, d *candidate, p, c *hop) bool {
	if p.use != graph.Ramp || c.use == graph.Ramp {
		return false
	}
	if c.is(highway) {
		return true
	}
	if c.class != graph.Trunk && c.class != graph.Primary || !c.is(oneway) || abs(d.turn) > ahead45 {
		return false
	}
	m := l.junction(d.begin)
	return m.anyOther(func(e graph.Edge, _ int, _ bool) bool { return l.names.sameRoad(c, e) })
}

// turnKind returns the kind of a turn between ordinary roads.
func turnKind(l *leg, d *candidate) guidance.Type {
	switch t := turnOf(d.turn); t {
	case guidance.Continue:
		return straightKind(l, d)
	case guidance.SlightLeft, guidance.SlightRight:
		m := l.junction(d.begin)
		beyond := m.left
		if t == guidance.SlightRight {
			beyond = m.right
		}
		if d.heading == straightOn && !m.forwardMajor && (beyond > 0 || m.left+m.right == 0) {
			return guidance.Continue
		}
		return t
	case guidance.Left, guidance.Right:
		return amongTurns(l, d, t)
	case guidance.UturnLeft, guidance.UturnRight:
		switch {
		case d.internalTurns.left > d.internalTurns.right, d.internalTurns.left == d.internalTurns.right && d.heading == keepLeft:
			return guidance.UturnLeft
		case d.internalTurns.right > d.internalTurns.left, d.heading == keepRight:
			return guidance.UturnRight
		case d.turn == 180 && !d.is(driveOnLeft):
			return guidance.UturnLeft
		}
		return t
	default:
		return t
	}
}

// straightKind returns the kind of going straight on: keeping to a side where
// another road leads straight on too.
func straightKind(l *leg, d *candidate) guidance.Type {
	c := &l.hops[d.begin]
	left, right := d.heading.isLeft(), d.heading.isRight()
	switch {
	case !left && !right, !c.is(contiguous):
		return guidance.Continue
	case c.use == graph.TurnChannel:
		return byHeading(d.heading, guidance.SlightLeft, guidance.Continue, guidance.SlightRight)
	case l.internalAt(d.begin):
		return byHeading(d.heading, guidance.SlightLeft, guidance.Continue, guidance.SlightRight)
	case c.is(highway) && d.metres < shortContinue, d.heading == toLeft, d.heading == toRight:
		return guidance.Continue
	}
	m := l.junction(d.begin)
	g := l.g
	class := m.from.class
	close := func(turn int, out bool) bool {
		return out && abs(turn) <= straightAhead && abs(m.turn) <= straightAhead && abs(normaliseTurn(turn-m.turn)) <= 30
	}
	if !m.anyOther(func(e graph.Edge, turn int, out bool) bool {
		return close(turn, out) && int(g.BySegment[g.Segment(e)].Class)-int(class) <= 2
	}) {
		return guidance.Continue
	}
	slipAhead := m.anyOther(func(e graph.Edge, turn int, out bool) bool {
		return out && abs(turn) <= ahead45 && g.BySegment[g.Segment(e)].Use == graph.Ramp
	})
	if !c.is(highway) && !slipAhead {
		return byHeading(d.heading, guidance.SlightLeft, guidance.Continue, guidance.SlightRight)
	}
	if m.anyOther(func(e graph.Edge, turn int, out bool) bool {
		return close(turn, out) && (g.BySegment[g.Segment(e)].Use != graph.Ramp || l.names.sameRoad(m.from, e))
	}) {
		return byHeading(d.heading, guidance.StayLeft, guidance.Continue, guidance.StayRight)
	}
	return guidance.Continue
}

// amongTurns returns the kind of a turn to the left or right among others to that
// side: the one nearest to a right angle is the plain turn, those ahead of it
// are slight and those behind it sharp, unless another way is that already.
func amongTurns(l *leg, d *candidate, t guidance.Type) guidance.Type {
	m := l.junction(d.begin)
	square, slight, sharp := 90, guidance.SlightRight, guidance.SharpRight
	if t == guidance.Left {
		square, slight, sharp = -90, guidance.SlightLeft, guidance.SharpLeft
	}
	off := func(turn int) int { return abs(normaliseTurn(turn - square)) }
	best := m.turn
	if d.turn != m.turn {
		best = d.turn // the turn of two candidates joined
	}
	hasSlight, hasSharp := false, false
	m.eachOther(func(_ graph.Edge, turn int, out bool) bool {
		if !out {
			return true
		}
		if off(turn) < off(best) {
			best = turn
		}
		hasSlight = hasSlight || turnOf(turn) == slight
		hasSharp = hasSharp || turnOf(turn) == sharp
		return true
	})
	switch own := abs(d.turn); {
	case best == d.turn:
	case own < abs(best) && !hasSlight:
		return slight
	case own > abs(best) && !hasSharp:
		return sharp
	}
	return t
}
