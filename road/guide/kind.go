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
func (b *builder) setKind(d *candidate, open bool) {
	if d.kind != guidance.None {
		return
	}
	k := d.begin
	p, c := &b.hops[k-1], &b.hops[k]
	switch {
	case d.roundabout:
		d.kind = guidance.RoundaboutEnter
	case p.is(roundabout):
		d.kind = guidance.RoundaboutExit
	case d.fork:
		d.kind = byHeading(d.heading, guidance.StayLeft, guidance.StayStraight, guidance.StayRight)
	case open && (d.internal || d.channel):
	case d.ramp && b.isExit(d, p):
		side := guidance.ExitRight
		if d.driveOnLeft {
			side = guidance.ExitLeft
		}
		d.kind = byHeading(d.heading, guidance.ExitLeft, side, guidance.ExitRight)
	case d.ramp && !p.is(highway):
		switch d.heading {
		case straightOn:
			d.kind = guidance.RampStraight
		case reversed:
			d.kind = bySide(d.turn, guidance.RampLeft, guidance.RampRight)
		default:
			d.kind = byHeading(d.heading, guidance.RampLeft, guidance.RampRight, guidance.RampRight)
		}
	case b.mergesOnto(d, p, c):
		m := b.junction(k)
		switch {
		case m.left > 0 && m.leftNear == 0 && m.right == 0:
			d.kind = guidance.MergeLeft
		case m.right > 0 && m.rightNear == 0 && m.left == 0:
			d.kind = guidance.MergeRight
		default:
			d.kind = guidance.Merge
		}
	case d.ferry || d.railFerry:
		d.kind = guidance.FerryEnter
	case p.is(ferry):
		d.kind = guidance.FerryExit
	default:
		if d.kind = b.levelChangeKind(d); d.kind == guidance.None {
			d.kind = b.turnKind(d)
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
func (b *builder) isExit(d *candidate, p *hop) bool {
	if p.is(highway) || d.signSet != 0 && b.g.Attribute(d.signSet, "junction:ref") != "" {
		return true
	}
	return p.use != graph.Ramp && (d.heading == keepLeft || d.heading == keepRight) && !b.leadsToHighway(d)
}

// leadsToHighway reports whether the first road after a slip road is a
// motorway.
func (b *builder) leadsToHighway(d *candidate) bool {
	for k := d.end; k < len(b.hops); k++ {
		if isSlip(b.use(k)) || b.internalAt(k) {
			continue
		}
		return b.hops[k].is(highway)
	}
	return false
}

// mergesOnto reports whether the path merges from a slip road onto a larger
// road.
func (b *builder) mergesOnto(d *candidate, p, c *hop) bool {
	if p.use != graph.Ramp || c.use == graph.Ramp {
		return false
	}
	if c.is(highway) {
		return true
	}
	if c.class != graph.Trunk && c.class != graph.Primary || !c.is(oneway) || abs(d.turn) > ahead45 {
		return false
	}
	m := b.junction(d.begin)
	return b.anyOther(m, func(e graph.Edge, _ int, _ bool) bool { return b.sameRoad(c, e) })
}

// turnKind is the kind of a turn between ordinary roads.
func (b *builder) turnKind(d *candidate) guidance.Type {
	switch t := turnOf(d.turn); t {
	case guidance.Continue:
		return b.straightKind(d)
	case guidance.SlightLeft, guidance.SlightRight:
		m := b.junction(d.begin)
		beyond := m.left
		if t == guidance.SlightRight {
			beyond = m.right
		}
		if d.heading == straightOn && !m.forwardMajor && (beyond > 0 || m.left+m.right == 0) {
			return guidance.Continue
		}
		return t
	case guidance.Left, guidance.Right:
		return b.amongTurns(d, t)
	case guidance.UturnLeft, guidance.UturnRight:
		switch {
		case d.internalLeft > d.internalRight, d.internalLeft == d.internalRight && d.heading == keepLeft:
			return guidance.UturnLeft
		case d.internalRight > d.internalLeft, d.heading == keepRight:
			return guidance.UturnRight
		case d.turn == 180 && !d.driveOnLeft:
			return guidance.UturnLeft
		}
		return t
	default:
		return t
	}
}

// straightKind is the kind of going straight on: keeping to a side where
// another road leads straight on too.
func (b *builder) straightKind(d *candidate) guidance.Type {
	c := &b.hops[d.begin]
	left, right := d.heading.isLeft(), d.heading.isRight()
	switch {
	case !left && !right, !c.is(contiguous):
		return guidance.Continue
	case c.use == graph.TurnChannel:
		return byHeading(d.heading, guidance.SlightLeft, guidance.Continue, guidance.SlightRight)
	case b.internalAt(d.begin):
		return byHeading(d.heading, guidance.SlightLeft, guidance.Continue, guidance.SlightRight)
	case c.is(highway) && d.metres < shortContinue, d.heading == toLeft, d.heading == toRight:
		return guidance.Continue
	}
	m := b.junction(d.begin)
	g := b.g
	class := m.from.class
	close := func(turn int, out bool) bool {
		return out && abs(turn) <= straightAhead && abs(m.turn) <= straightAhead && abs(normaliseTurn(turn-m.turn)) <= 30
	}
	if !b.anyOther(m, func(e graph.Edge, turn int, out bool) bool {
		return close(turn, out) && int(g.BySegment[g.Segment(e)].Class)-int(class) <= 2
	}) {
		return guidance.Continue
	}
	slipAhead := b.anyOther(m, func(e graph.Edge, turn int, out bool) bool {
		return out && abs(turn) <= ahead45 && g.BySegment[g.Segment(e)].Use == graph.Ramp
	})
	if !c.is(highway) && !slipAhead {
		return byHeading(d.heading, guidance.SlightLeft, guidance.Continue, guidance.SlightRight)
	}
	if b.anyOther(m, func(e graph.Edge, turn int, out bool) bool {
		return close(turn, out) && (g.BySegment[g.Segment(e)].Use != graph.Ramp || b.sameRoad(m.from, e))
	}) {
		return byHeading(d.heading, guidance.StayLeft, guidance.Continue, guidance.StayRight)
	}
	return guidance.Continue
}

// amongTurns is the kind of a turn to the left or right among others to that
// side: the one nearest to a right angle is the plain turn, those ahead of it
// are slight and those behind it sharp, unless another way is that already.
func (b *builder) amongTurns(d *candidate, t guidance.Type) guidance.Type {
	m := b.junction(d.begin)
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
	b.eachOther(m, func(_ graph.Edge, turn int, out bool) bool {
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
