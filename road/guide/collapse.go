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

// joining is how two candidates that follow one another become one.
type joining uint8

const (
	separate  joining = iota // they stay two
	intoNext                 // the first is only the begin of the second
	intoFirst                // the second needs no manoeuvre
	bothUturn                // two turns to the same side are one u-turn
	rampStart                // a short turn is the begin of the slip road that follows straight on
)

// joiner joins candidates in its list.
type joiner struct {
	*leg
	candidates []*candidate
}

// collapse joins candidates that a traveller sees as one: the internal edges of
// a junction, the slip road of a turn, a change of name that needs no manoeuvre.
// It repeats until no two are joined any more, and gives a kind to the candidates
// that have none yet.
func collapse(l *leg, list []*candidate) []*candidate {
	j := joiner{l, list}
	for j.joinOnce() {
	}
	for _, d := range j.candidates {
		setKind(l, d, false)
	}
	return j.candidates
}

// joinOnce goes over the list once and reports whether it has joined any candidates.
func (j *joiner) joinOnce() (joined bool) {
	prev, cur := 0, 0
	for cur+1 < len(j.candidates) {
		switch j.joiningOf(prev, cur) {
		case separate:
			prev, cur = cur, cur+1
			continue
		case intoFirst:
			j.joinIntoFirst(cur)
		case intoNext:
			j.joinIntoNext(prev, cur)
		case bothUturn:
			j.joinIntoNextAs(prev, cur, bySide(j.candidates[cur].turn, guidance.UturnLeft, guidance.UturnRight))
		case rampStart:
			j.joinIntoNextAs(prev, cur, guidance.None)
		}
		joined = true
	}
	return joined
}

// joiningOf decides how candidate cur and the next are joined; prev is the one
// before cur, or cur itself where that is the first.
func (j *joiner) joiningOf(prev, cur int) joining {
	p, c, n := j.candidates[prev], j.candidates[cur], j.candidates[cur+1]
	switch {
	case c.vertical > level && c.vertical != steps, n.vertical > level && n.vertical != steps, c.travel != n.travel,
		(c.flags^n.flags)&(driveOnLeft|changesLevel) != 0, (c.flags|n.flags)&(doorway|byLift) != 0:
		return separate
	case j.mayBeInternal(prev, cur) && c.sideTurn() != noHeading && c.sideTurn() == n.sideTurn() &&
		headingOf(normaliseTurn(n.bearingOut-p.bearingEnd)) == reversed && len(p.names) > 0 && len(common(n.names, p.names)) == len(p.names):
		return bothUturn
	case n.form == forkForm || n.form == teeForm || (c.uses | n.uses).has(graph.Ferry):
		return separate
	case c.is(internal):
		return intoNext
	case j.channelJoins(prev, cur):
		return intoNext
	case n.form == besideForm || c.pathKind != n.pathKind:
		return separate
	}
	plain := j.plainlyStraight(c, n)
	switch {
	case plain && sharesName(c.names, n.names):
		return intoFirst
	case plain && len(c.names)+len(n.names) == 0:
		return intoFirst
	case j.rampContinues(c, n), j.needsNoInstruction(cur):
		return intoFirst
	case j.mayBeInternal(prev, cur) && c.sideTurn() != noHeading && n.kind == guidance.RampStraight:
		return rampStart
	}
	return separate
}

// plainlyStraight reports whether the path goes straight on from one candidate to
// the next, along ordinary road.
func (j *joiner) plainlyStraight(c, n *candidate) bool {
	return n.heading == straightOn && j.use(n.begin) != graph.TurnChannel && !n.is(internal) &&
		!(c.uses | n.uses).has(graph.Ramp) && (c.flags|n.flags)&roundabout == 0
}

// sideTurn returns the side that a candidate turns to, noHeading for another direction.
func (d *candidate) sideTurn() heading {
	if h := headingOf(d.turn); h == toLeft || h == toRight {
		return h
	}
	return noHeading
}

// mayBeInternal reports whether candidate cur is so short a piece of road that
// it may lie within a junction though it is not found to be internal.
func (j *joiner) mayBeInternal(prev, cur int) bool {
	p, c, n := j.candidates[prev], j.candidates[cur], j.candidates[cur+1]
	return prev < cur && !c.is(internal) && c.travel == guidance.Driving && (p.flags|c.flags|n.flags)&roundabout == 0 && c.metres <= shortMetres
}

// channelJoins reports whether candidate cur, along a turn channel, makes
// one turn with the next.
func (j *joiner) channelJoins(prev, cur int) bool {
	c, n := j.candidates[cur], j.candidates[cur+1]
	if !c.uses.has(graph.TurnChannel) || c.metres > channelMetres {
		return false
	}
	m := j.junction(n.begin)
	if m.forwardOut || abs(m.turn) > channelEnd && c.metres >= shortChannelMetres {
		return false
	}
	from := j.candidates[prev].bearingEnd
	total := normaliseTurn(n.bearingOut - from)
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

// rampContinues reports whether the second of two slip roads only continues the
// first.
func (j *joiner) rampContinues(c, n *candidate) bool {
	if !c.uses.has(graph.Ramp) || !n.uses.has(graph.Ramp) || n.form == forkForm || c.is(internal) || n.is(internal) {
		return false
	}
	m := j.junction(n.begin)
	return !m.someOut || abs(m.straightestOut) > backward || n.kind == guidance.RampStraight
}

// needsNoInstruction reports whether the candidate after cur needs no manoeuvre:
// it goes straight on, and no slip road of the same name leads elsewhere.
func (j *joiner) needsNoInstruction(cur int) bool {
	c, n := j.candidates[cur], j.candidates[cur+1]
	if n.kind != guidance.Continue {
		return false
	}
	m := j.junction(n.begin)
	switch {
	case !m.passable:
		return true
	case n.signSet != 0 && j.g.Attribute(n.signSet, "junction:ref") != "":
		return false
	case c.uses.has(graph.Ramp) && c.form == forkForm && !c.joinedObvious:
		return c.kind == guidance.StayStraight || c.kind == guidance.StayLeft && m.left == 0 || c.kind == guidance.StayRight && m.right == 0
	case n.metres < shortContinue && (cur+2 == len(j.candidates) || j.candidates[cur+2].kind != guidance.Continue):
		return true
	case j.g.ByNode[m.to.node].Flags&graph.MotorwayJunction != 0:
		return false
	}
	return !m.anyOther(func(e graph.Edge, turn int, _ bool) bool {
		g := j.g
		return g.BySegment[g.Segment(e)].Use == graph.Ramp && (g.ByEdge[e].Access|g.ByEdge[g.ByEdge[e].Opposite].Access)&j.o.Modes != 0 &&
			abs(turn) <= backward && (j.names.sameRoad(m.from, e) || j.names.sameRoad(m.to, e))
	})
}

// joinIntoFirst joins the candidate after cur to it; the manoeuvre of the second is
// dropped.
func (j *joiner) joinIntoFirst(cur int) {
	c, n := j.candidates[cur], j.candidates[cur+1]
	plain := j.plainlyStraight(c, n)
	shared := common(c.names, n.names)
	switch {
	case plain && len(shared) > 0:
		if len(c.beginNames) == 0 && !c.is(highway) && len(c.names) > len(shared) {
			c.beginNames = c.names
		}
		c.names = shared
	case plain && len(c.names)+len(n.names) == 0, j.rampContinues(c, n):
	default:
		if len(c.names) == 0 {
			c.names = n.names
		}
		c.joinedObvious = true
		c.uses &^= usesOf(graph.TurnChannel)
	}
	j.candidates = extendOver(j.candidates, cur)
}

// extendOver lengthens candidate cur by the one after it and returns the list
// without that.
func extendOver(list []*candidate, cur int) []*candidate {
	c, n := list[cur], list[cur+1]
	c.end, c.bearingEnd = n.end, n.bearingEnd
	c.metres += n.metres
	c.uses |= n.uses &^ usesOf(graph.TurnChannel)
	c.flags |= n.flags & (roundabout | highway)
	c.joinedObvious = c.joinedObvious || n.joinedObvious
	return slices.Delete(list, cur+1, cur+2)
}

// joinIntoNext makes candidate cur the begin of the next one, whose turn
// becomes that of both together.
func (j *joiner) joinIntoNext(prev, cur int) {
	p, c, n := j.candidates[prev], j.candidates[cur], j.candidates[cur+1]
	first := cur == 0
	from := p.bearingEnd
	n.turn = normaliseTurn(n.bearingOut - from)
	if c.is(internal) {
		n.internalTurns = c.internalTurns
		n.heading = headingOf(n.turn)
		if n.heading == straightOn && c.internalTurns.left > 0 && c.internalTurns.right > 0 {
			n.heading = headingOf(normaliseTurn(c.bearingEnd - from))
		}
	} else {
		n.heading = c.heading
		if n.signSet == 0 {
			n.signSet = c.signSet
		}
	}
	n.kind = guidance.None
	j.prepend(cur)
	if first {
		n := j.candidates[0]
		n.kind = guidance.Start + guidance.Type(startSide(j.o.From))
		return
	}
	setKind(j.leg, j.candidates[cur], true)
}

// joinIntoNextAs is joinIntoNext with a known kind, None to have it determined
// again.
func (j *joiner) joinIntoNextAs(prev, cur int, t guidance.Type) {
	n := j.candidates[cur+1]
	n.turn = normaliseTurn(n.bearingOut - j.candidates[prev].bearingEnd)
	n.heading = headingOf(n.turn)
	n.kind = t
	j.prepend(cur)
}

// prepend lengthens the candidate after cur to its begin and removes cur.
func (j *joiner) prepend(cur int) {
	c, n := j.candidates[cur], j.candidates[cur+1]
	n.begin = c.begin
	n.metres += c.metres
	n.endOfRoad = c.endOfRoad
	j.candidates = slices.Delete(j.candidates, cur, cur+1)
}
