package guide

import (
	"slices"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

const (
	channelMetres      = 200 // longest slip road that is part of a turn
	shortChannelMetres = 36  // below it, the end of one may turn sharply
	channelEnd         = 70  // degrees at the end of a longer one
	smallForkMetres    = 125 // longest fork at the end of a slip road left out
)

// fusion is what becomes of two drafts that follow one another.
type fusion uint8

const (
	apart     fusion = iota
	intoNext         // the first is but the begin of what the second says
	intoFirst        // the second is not worth a word
	erased           // both turns make one u-turn
	slipInto         // a short turn before a slip road straight on is its begin
)

// combine joins drafts that a traveller sees as one: the pieces of road inside
// a junction, the slip road of a turn, a change of name that asks for nothing.
// It is done when no two want joining any more.
func (b *builder) combine() {
	for again := true; again; {
		again = false
		prev, cur := 0, 0
		for cur+1 < len(b.drafts) {
			switch b.fuse(prev, cur) {
			case apart:
				prev, cur = cur, cur+1
				continue
			case intoFirst:
				b.swallow(cur)
			case intoNext:
				b.lead(prev, cur)
			case erased:
				b.leadAs(prev, cur, sided(b.drafts[cur].turn, guidance.UturnLeft, guidance.UturnRight))
			case slipInto:
				b.leadAs(prev, cur, guidance.None)
			}
			again = true
		}
	}
	for i := range b.drafts {
		b.setKind(b.drafts[i], false)
	}
}

// fuse judges drafts cur and the next, of which prev is before cur, or the
// same where cur is the first.
func (b *builder) fuse(prev, cur int) fusion {
	p, c, n := b.drafts[prev], b.drafts[cur], b.drafts[cur+1]
	switch {
	case c.vertical > level && c.vertical != steps, n.vertical > level && n.vertical != steps, c.onLeft != n.onLeft, c.travel != n.travel,
		c.changing != n.changing, c.threshold, n.threshold, c.lifted, n.lifted:
		return apart
	case b.mayBeInner(prev, cur) && c.sideways() != noHeading && c.sideways() == n.sideways() &&
		headingOf(between180(n.out-p.last)) == reversed && len(p.names) > 0 && len(common(n.names, p.names)) == len(p.names):
		return erased
	case n.fork || n.tee || c.ferry || n.ferry:
		return apart
	case c.inner:
		return intoNext
	case b.channelFuses(prev, cur):
		return intoNext
	case n.besideForward || c.trail != n.trail:
		return apart
	}
	plain := n.heading == straightOn && b.use(n.begin) != graph.TurnChannel && !n.inner && !c.ramp && !n.ramp && !c.roundabout && !n.roundabout
	switch {
	case plain && share(c.names, n.names):
		return intoFirst
	case plain && len(c.names)+len(n.names) == 0:
		return intoFirst
	case b.rampsFuse(c, n), b.unsaid(cur):
		return intoFirst
	case b.mayBeInner(prev, cur) && c.sideways() != noHeading && n.kind == guidance.RampStraight:
		return slipInto
	}
	return apart
}

// sideways is the side a draft turns to, noHeading for another direction.
func (d *draft) sideways() heading {
	if h := headingOf(d.turn); h == toLeft || h == toRight {
		return h
	}
	return noHeading
}

// mayBeInner reports whether a draft is so short a piece of road that it may
// lie within a junction though nothing marks it so.
func (b *builder) mayBeInner(prev, cur int) bool {
	p, c, n := b.drafts[prev], b.drafts[cur], b.drafts[cur+1]
	return prev < cur && !c.inner && c.travel == guidance.Driving && !p.roundabout && !c.roundabout && !n.roundabout && c.metres <= innerMetres
}

// channelFuses reports whether a draft along a lane for turning is one turn
// with the next.
func (b *builder) channelFuses(prev, cur int) bool {
	c, n := b.drafts[cur], b.drafts[cur+1]
	if !c.channel || c.metres > channelMetres {
		return false
	}
	m := b.meeting(n.begin)
	if m.forwardOut || abs(m.turn) > channelEnd && c.metres >= shortChannelMetres {
		return false
	}
	from := b.drafts[prev].last
	total := between180(n.out - from)
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

// rampsFuse reports whether the second of two slip roads only goes on the
// first.
func (b *builder) rampsFuse(c, n *draft) bool {
	if !c.ramp || !n.ramp || n.fork || c.inner || n.inner {
		return false
	}
	m := b.meeting(n.begin)
	return !m.someOut || abs(m.straightestOut) > backward || n.kind == guidance.RampStraight
}

// unsaid reports whether the draft after cur asks for nothing: it goes
// straight on, and no slip road of the same name leads elsewhere.
func (b *builder) unsaid(cur int) bool {
	c, n := b.drafts[cur], b.drafts[cur+1]
	if n.kind != guidance.Continue {
		return false
	}
	m := b.meeting(n.begin)
	switch {
	case !m.passable:
		return true
	case n.sign != 0 && b.g.Attribute(n.sign, "junction:ref") != "":
		return false
	case c.ramp && c.fork && !c.obvious:
		return c.kind == guidance.StayStraight || c.kind == guidance.StayLeft && m.left == 0 || c.kind == guidance.StayRight && m.right == 0
	case n.metres < shortContinue && (cur+2 == len(b.drafts) || b.drafts[cur+2].kind != guidance.Continue):
		return true
	case b.g.NodeFlags[m.c.node]&graph.MotorwayJunction != 0:
		return false
	}
	return !b.other(m, func(e graph.Edge, turn int, _ bool) bool {
		g := b.g
		return g.Use[g.Segment(e)] == graph.Ramp && (g.Access[e]|g.Access[g.Opposite[e]])&b.o.Modes != 0 &&
			abs(turn) <= backward && (b.sameRoad(m.p, e) || b.sameRoad(m.c, e))
	})
}

// swallow adds the draft after cur to it.
func (b *builder) swallow(cur int) {
	c, n := b.drafts[cur], b.drafts[cur+1]
	plain := n.heading == straightOn && b.use(n.begin) != graph.TurnChannel && !n.inner && !c.ramp && !n.ramp && !c.roundabout && !n.roundabout
	shared := common(c.names, n.names)
	switch {
	case plain && len(shared) > 0:
		if len(c.beginNames) == 0 && !c.highway && len(c.names) > len(shared) {
			c.beginNames = c.names
		}
		c.names = shared
	case plain && len(c.names)+len(n.names) == 0, b.rampsFuse(c, n):
	default:
		if len(c.names) == 0 {
			c.names = n.names
		}
		c.obvious, c.channel = true, false
	}
	b.absorb(cur)
}

// absorb lengthens draft cur by the one after it.
func (b *builder) absorb(cur int) {
	c, n := b.drafts[cur], b.drafts[cur+1]
	c.end, c.last = n.end, n.last
	c.metres += n.metres
	c.ramp = c.ramp || n.ramp
	c.ferry = c.ferry || n.ferry
	c.railFerry = c.railFerry || n.railFerry
	c.roundabout = c.roundabout || n.roundabout
	c.highway = c.highway || n.highway
	c.obvious = c.obvious || n.obvious
	b.drafts = slices.Delete(b.drafts, cur+1, cur+2)
}

// lead makes draft cur the begin of the next one.
func (b *builder) lead(prev, cur int) {
	p, c, n := b.drafts[prev], b.drafts[cur], b.drafts[cur+1]
	first := cur == 0
	from := p.last
	n.turn = between180(n.out - from)
	if c.inner {
		n.innerLeft, n.innerRight = c.innerLeft, c.innerRight
		n.heading = headingOf(n.turn)
		if n.heading == straightOn && c.innerLeft > 0 && c.innerRight > 0 {
			n.heading = headingOf(between180(c.last - from))
		}
	} else {
		n.heading = c.heading
		if n.sign == 0 {
			n.sign = c.sign
		}
	}
	n.kind = guidance.None
	b.prepend(cur)
	if first {
		n := b.drafts[0]
		n.kind = guidance.Start + guidance.Type(b.startSide())
		return
	}
	b.setKind(b.drafts[cur], true)
}

// leadAs is lead with a kind that is known.
func (b *builder) leadAs(prev, cur int, t guidance.Type) {
	n := b.drafts[cur+1]
	n.turn = between180(n.out - b.drafts[prev].last)
	n.heading = headingOf(n.turn)
	n.kind = t
	b.prepend(cur)
}

func (b *builder) prepend(cur int) {
	c, n := b.drafts[cur], b.drafts[cur+1]
	n.begin, n.in = c.begin, c.in
	n.metres += c.metres
	n.endOfRoad = c.endOfRoad
	b.drafts = slices.Delete(b.drafts, cur, cur+1)
}
