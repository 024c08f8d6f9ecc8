package guide

import (
	"slices"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// leastSteps is the length in metres of the shortest stairs that are a
// manoeuvre.
const leastSteps = 3

// splitter cuts the hops of a leg into candidates.
type splitter struct {
	*leg
	store []candidate  // memory of all candidates
	list  []*candidate // memory of the list
}

// split returns the candidates of a leg in the order of the path. It goes from the
// last hop to the first, since the names of the road that hops lead to decide which
// of them belong together.
func (s *splitter) split(l *leg) []*candidate {
	s.leg = l
	s.store = slices.Grow(s.store, len(s.hops)) // pointers into it must stay valid
	last := len(s.hops) - 1
	d := s.newCandidate(last)
	d.end = last + 1
	for k := last; k > 0; k-- {
		if s.belongs(d, k) {
			s.extendBack(d, k-1)
			continue
		}
		s.close(d, k)
		s.list = append(s.list, d)
		d = s.newCandidate(k - 1)
		d.end = k
	}
	d.begin, d.bearingOut = 0, s.startBearing(0)
	d.kind = startKind(s.leg, d)
	d.beginNames = s.beginNames(d)
	s.list = append(s.list, d)
	slices.Reverse(s.list)
	return s.list
}

// belongs reports whether hop k-1 belongs to the candidate that begins with hop
// k.
func (s *splitter) belongs(d *candidate, k int) bool {
	p, c := &s.hops[k-1], &s.hops[k]
	if d.signSet == 0 && len(d.names) > 0 && alikeHops(p, c) && s.clearAhead(p, c) && namesContinue(d, s.names.ofHop(p), true) {
		return true // a shortcut for most hops; continues would say the same
	}
	return s.continues(d, k)
}

// newCandidate makes the candidate whose last hop is k.
func (s *splitter) newCandidate(k int) *candidate {
	h := &s.hops[k]
	s.store = append(s.store, candidate{
		bearingEnd: s.endBearing(k), travel: h.travel, vertical: h.vertical, uses: usesOf(h.use), flags: h.flags & (driveOnLeft | roundabout | changesLevel),
	})
	d := &s.store[len(s.store)-1]
	if s.internalAt(k) {
		d.flags |= internal
	}
	if d.is(roundabout) {
		d.exits = 1
	}
	d.pathKind = pathKindOf(h.use)
	if d.pathKind != noPath && len(s.names.ofHop(h)) > 0 {
		d.pathKind |= named
	}
	if d.vertical == steps && !d.is(changesLevel) && s.g.EdgeLength(h.edge) < leastSteps {
		d.vertical = level
	}
	s.extendBack(d, k)
	return d
}

// extendBack lets a candidate begin with hop k, one earlier than before.
func (s *splitter) extendBack(d *candidate, k int) {
	h := &s.hops[k]
	d.metres += h.metres
	d.flags |= h.flags & highway
	if h.flags&ordinary != 0 && len(d.names) > 0 {
		return
	}
	to := noHeading
	if k > 0 && (d.is(internal) || d.uses.has(graph.TurnChannel)) {
		to = headingOf(normaliseTurn(s.startBearing(k) - s.endBearing(k-1)))
	}
	if len(d.names) == 0 && !d.is(internal) || d.is(internal) && (to == toLeft && !d.is(driveOnLeft) || to == toRight && d.is(driveOnLeft)) {
		d.names = s.names.ofHop(h)
	}
	switch to {
	case toLeft:
		d.internalTurns.left++
	case toRight:
		d.internalTurns.right++
	}
	if d.is(roundabout) && k+1 < len(s.hops) {
		d.exits += s.exitsPassed(k+1, d.is(driveOnLeft))
	}
	if s.exitSigned(k) {
		d.signSet = s.g.ByEdge[h.edge].Attributes
	}
}

// pathKindOf returns the kind of path of a use.
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

// close sets begin, turn, names and kind of a candidate that begins with hop k, not the
// first.
func (s *splitter) close(d *candidate, k int) {
	d.begin, d.turnHop = k, k
	d.bearingOut = s.startBearing(k)
	m := s.junction(k)
	d.turn = m.turn
	d.heading = headingAt(d, m)
	d.flags |= s.hops[k].flags & (doorway | byLift)
	d.beginNames = s.beginNames(d)
	d.endOfRoad = !m.forwardOut && abs(m.turn) > 44 && abs(m.turn) < 160 && (m.turn > 0 && m.leftOut > 0 || m.turn < 0 && m.rightOut > 0)
	setKind(s.leg, d, true)
}

// beginNames returns the names at a candidate's begin where they are more than
// those of the whole candidate.
func (s *splitter) beginNames(d *candidate) []guidance.Name {
	h := &s.hops[d.begin]
	n := s.names.ofHop(h)
	if len(n) < 2 || h.is(highway) || s.internalAt(d.begin) || len(common(n, d.names)) == len(n) {
		return nil
	}
	return n
}

// headingAt returns a candidate's heading, with the side to keep to where another
// way leads ahead too.
func headingAt(d *candidate, m *junction) heading {
	h := headingOf(m.turn)
	kept := !m.pathStraightest(m.straightestOut) || d.uses.has(graph.TurnChannel) && turnOf(m.turn) != guidance.Continue || d.form == forkForm
	switch {
	case h == toLeft && turnOf(m.turn) == guidance.SlightLeft && m.turnsOff(guidance.Left):
		return keepLeft
	case h == toRight && turnOf(m.turn) == guidance.SlightRight && m.turnsOff(guidance.Right):
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
