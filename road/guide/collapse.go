package guide

import (
	"slices"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

const (
	channelMetres      = 200 // longest turn channel that is joined to a turn
	shortChannelMetres = 36  // below this length a channel may end in a sharp turn
	channelEnd         = 70  // most degrees of the turn at the end of a longer one
	shortMetres        = 32  // longest piece of road that may lie within a junction
	smallForkMetres    = 125 // longest fork at the end of a slip road that is dropped
)

// collapse is what becomes of two candidates that follow one another.
type collapse uint8

const (
	separate  collapse = iota
	intoNext           // the first is only the begin of the second
	intoFirst          // the second asks for nothing
	bothUturn          // two turns to the same side are one u-turn
	rampStart          // a short turn is the begin of the slip road that follows straight on
)

// collapse joins candidates that a traveller sees as one: the internal edges of
// a junction, the slip road of a turn, a change of name that asks for nothing.
// It repeats until no two are joined any more.
func (b *builder) collapse() {
	for again := true; again; {
		again = false
		prev, cur := 0, 0
		for cur+1 < len(b.candidates) {
			switch b.collapseOf(prev, cur) {
			case separate:
				prev, cur = cur, cur+1
				continue
			case intoFirst:
				b.collapseIntoFirst(cur)
			case intoNext:
				b.collapseIntoNext(prev, cur)
			case bothUturn:
				b.collapseIntoNextAs(prev, cur, bySide(b.candidates[cur].turn, guidance.UturnLeft, guidance.UturnRight))
			case rampStart:
				b.collapseIntoNextAs(prev, cur, guidance.None)
			}
			again = true
		}
	}
	for i := range b.candidates {
		b.setKind(b.candidates[i], false)
	}
}

// collapseOf is what becomes of candidates cur and the next; prev is the one
// before cur, or cur itself where that is the first.
func (b *builder) collapseOf(prev, cur int) collapse {
	p, c, n := b.candidates[prev], b.candidates[cur], b.candidates[cur+1]
	switch {
	case c.vertical > level && c.vertical != steps, n.vertical > level && n.vertical != steps, c.driveOnLeft != n.driveOnLeft, c.travel != n.travel,
		c.changesLevel != n.changesLevel, c.atDoor, n.atDoor, c.byLift, n.byLift:
		return separate
	case b.mayBeInternal(prev, cur) && c.sideTurn() != noHeading && c.sideTurn() == n.sideTurn() &&
		headingOf(normaliseTurn(n.courseOut-p.courseEnd)) == reversed && len(p.names) > 0 && len(common(n.names, p.names)) == len(p.names):
		return bothUturn
	case n.fork || n.tee || c.ferry || n.ferry:
		return separate
	case c.internal:
		return intoNext
	case b.channelCollapses(prev, cur):
		return intoNext
	case n.forwardBeside || c.pathKind != n.pathKind:
		return separate
	}
	plain := n.heading == straightOn && b.use(n.begin) != graph.TurnChannel && !n.internal && !c.ramp && !n.ramp && !c.roundabout && !n.roundabout
	switch {
	case plain && sharesName(c.names, n.names):
		return intoFirst
	case plain && len(c.names)+len(n.names) == 0:
		return intoFirst
	case b.rampsCollapse(c, n), b.needsNoInstruction(cur):
		return intoFirst
	case b.mayBeInternal(prev, cur) && c.sideTurn() != noHeading && n.kind == guidance.RampStraight:
		return rampStart
	}
	return separate
}

// sideTurn is the side that a candidate turns to, noHeading for another
// direction.
func (d *candidate) sideTurn() heading {
	if h := headingOf(d.turn); h == toLeft || h == toRight {
		return h
	}
	return noHeading
}

// mayBeInternal reports whether candidate cur is so short a piece of road that
// it may lie within a junction though it is not found to be internal.
func (b *builder) mayBeInternal(prev, cur int) bool {
	p, c, n := b.candidates[prev], b.candidates[cur], b.candidates[cur+1]
	return prev < cur && !c.internal && c.travel == guidance.Driving && !p.roundabout && !c.roundabout && !n.roundabout && c.metres <= shortMetres
}

// channelCollapses reports whether candidate cur, along a turn channel, makes
// one turn with the next.
func (b *builder) channelCollapses(prev, cur int) bool {
	c, n := b.candidates[cur], b.candidates[cur+1]
	if !c.channel || c.metres > channelMetres {
		return false
	}
	m := b.junction(n.begin)
	if m.forwardOut || abs(m.turn) > channelEnd && c.metres >= shortChannelMetres {
		return false
	}
	from := b.candidates[prev].courseEnd
	total := normaliseTurn(n.courseOut - from)
	t := turnOf(total)
	uturn := t == guidance.UturnLeft || t == guidance.UturnRight
	switch {
	case c.heading.isRight():
		return n.heading != toLeft && (total > 0 || uturn || t == guidance.Continue)
	case c.heading.isLeft():
		return n.heading != toRight && (total < 0 || uturn || t == guidance.Continue)
	}
	return c.heading == straightOn && t == guidance.Continue
}

// rampsCollapse reports whether the second of two slip roads only continues the
// first.
func (b *builder) rampsCollapse(c, n *candidate) bool {
	if !c.ramp || !n.ramp || n.fork || c.internal || n.internal {
		return false
	}
	m := b.junction(n.begin)
	return !m.someOut || abs(m.straightestOut) > backward || n.kind == guidance.RampStraight
}

// needsNoInstruction reports whether the candidate after cur asks for nothing:
// it goes straight on, and no slip road of the same name leads elsewhere.
func (b *builder) needsNoInstruction(cur int) bool {
	c, n := b.candidates[cur], b.candidates[cur+1]
	if n.kind != guidance.Continue {
		return false
	}
	m := b.junction(n.begin)
	switch {
	case !m.passable:
		return true
	case n.signSet != 0 && b.g.Attribute(n.signSet, "junction:ref") != "":
		return false
	case c.ramp && c.fork && !c.containsObvious:
		return c.kind == guidance.StayStraight || c.kind == guidance.StayLeft && m.left == 0 || c.kind == guidance.StayRight && m.right == 0
	case n.metres < shortContinue && (cur+2 == len(b.candidates) || b.candidates[cur+2].kind != guidance.Continue):
		return true
	case b.g.ByNode[m.to.node].Flags&graph.MotorwayJunction != 0:
		return false
	}
	return !b.anyOther(m, func(e graph.Edge, turn int, _ bool) bool {
		g := b.g
		return g.BySegment[g.Segment(e)].Use == graph.Ramp && (g.ByEdge[e].Access|g.ByEdge[g.ByEdge[e].Opposite].Access)&b.o.Modes != 0 &&
			abs(turn) <= backward && (b.sameRoad(m.from, e) || b.sameRoad(m.to, e))
	})
}

// collapseIntoFirst joins the candidate after cur to it; what the second asks
// for is dropped.
func (b *builder) collapseIntoFirst(cur int) {
	c, n := b.candidates[cur], b.candidates[cur+1]
	plain := n.heading == straightOn && b.use(n.begin) != graph.TurnChannel && !n.internal && !c.ramp && !n.ramp && !c.roundabout && !n.roundabout
	shared := common(c.names, n.names)
	switch {
	case plain && len(shared) > 0:
		if len(c.beginNames) == 0 && !c.highway && len(c.names) > len(shared) {
			c.beginNames = c.names
		}
		c.names = shared
	case plain && len(c.names)+len(n.names) == 0, b.rampsCollapse(c, n):
	default:
		if len(c.names) == 0 {
			c.names = n.names
		}
		c.containsObvious, c.channel = true, false
	}
	b.extendOver(cur)
}

// extendOver lengthens candidate cur by the one after it and removes that.
func (b *builder) extendOver(cur int) {
	c, n := b.candidates[cur], b.candidates[cur+1]
	c.end, c.courseEnd = n.end, n.courseEnd
	c.metres += n.metres
	c.ramp = c.ramp || n.ramp
	c.ferry = c.ferry || n.ferry
	c.railFerry = c.railFerry || n.railFerry
	c.roundabout = c.roundabout || n.roundabout
	c.highway = c.highway || n.highway
	c.containsObvious = c.containsObvious || n.containsObvious
	b.candidates = slices.Delete(b.candidates, cur+1, cur+2)
}

// collapseIntoNext makes candidate cur the begin of the next one, whose turn
// becomes that of both together.
func (b *builder) collapseIntoNext(prev, cur int) {
	p, c, n := b.candidates[prev], b.candidates[cur], b.candidates[cur+1]
	first := cur == 0
	from := p.courseEnd
	n.turn = normaliseTurn(n.courseOut - from)
	if c.internal {
		n.internalLeft, n.internalRight = c.internalLeft, c.internalRight
		n.heading = headingOf(n.turn)
		if n.heading == straightOn && c.internalLeft > 0 && c.internalRight > 0 {
			n.heading = headingOf(normaliseTurn(c.courseEnd - from))
		}
	} else {
		n.heading = c.heading
		if n.signSet == 0 {
			n.signSet = c.signSet
		}
	}
	n.kind = guidance.None
	b.prepend(cur)
	if first {
		n := b.candidates[0]
		n.kind = guidance.Start + guidance.Type(b.startSide())
		return
	}
	b.setKind(b.candidates[cur], true)
}

// collapseIntoNextAs is collapseIntoNext with a known kind, None to have it
// judged again.
func (b *builder) collapseIntoNextAs(prev, cur int, t guidance.Type) {
	n := b.candidates[cur+1]
	n.turn = normaliseTurn(n.courseOut - b.candidates[prev].courseEnd)
	n.heading = headingOf(n.turn)
	n.kind = t
	b.prepend(cur)
}

// prepend lengthens the candidate after cur to its begin and removes cur.
func (b *builder) prepend(cur int) {
	c, n := b.candidates[cur], b.candidates[cur+1]
	n.begin, n.courseIn = c.begin, c.courseIn
	n.metres += c.metres
	n.endOfRoad = c.endOfRoad
	b.candidates = slices.Delete(b.candidates, cur, cur+1)
}
