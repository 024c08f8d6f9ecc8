package guide

import (
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// continues reports whether hop k-1 belongs to the candidate that begins with
// hop k: no manoeuvre is needed between them. The order of the checks is
// Valhalla's, and so is each check.
func (s *splitter) continues(d *candidate, k int) bool {
	p, c := &s.hops[k-1], &s.hops[k]
	if !c.is(contiguous) {
		// A location is passed within an edge.
		if s.g.Original(c.edge) != s.g.ByEdge[p.last].Opposite {
			return true
		}
		d.kind = uturn(d)
		return false
	}
	if d.is(driveOnLeft) != p.is(driveOnLeft) {
		return false
	}
	if c.is(byLift) {
		return false
	}
	if p.vertical != level || d.vertical != level {
		return p.vertical == d.vertical
	}
	if c.is(doorway) || d.is(changesLevel) != p.is(changesLevel) {
		return false
	}
	if d.travel != p.travel || s.pathKindChanges(d, p) {
		return false
	}
	if r := p.is(roundabout); r || d.is(roundabout) {
		return r && d.is(roundabout)
	}
	if p.is(square) && c.is(square) && sameGround(s.g, p.last, c.edge) {
		return true
	}
	m := s.junction(k)
	if m.fork() || m.pathFork() {
		d.form = forkForm
		return false
	}
	if inside := p.is(internal); inside != d.is(internal) {
		return false
	} else if inside && k > 1 {
		return true
	}
	if channel := p.use == graph.TurnChannel; channel || d.uses.has(graph.TurnChannel) {
		return channel && d.uses.has(graph.TurnChannel)
	}
	if d.signSet != 0 {
		return false
	}
	if ramp := p.use == graph.Ramp; ramp || d.uses.has(graph.Ramp) {
		return ramp && d.uses.has(graph.Ramp) && abs(m.turn) <= ahead45
	}
	if p.is(ferry) || d.uses.has(graph.Ferry) || d.uses.has(graph.RailFerry) {
		return d.uses.has(graph.Ferry) && p.use == graph.Ferry || d.uses.has(graph.RailFerry) && p.use == graph.RailFerry
	}
	return s.roadContinues(d, m)
}

// sameGround reports whether two edges lead across one square, platform or hall.
func sameGround(g *graph.Graph, e, f graph.Edge) bool {
	s, t := g.Segment(e), g.Segment(f)
	return g.BySegment[s].Flags&g.BySegment[t].Flags&graph.Area != 0 && g.WayID[s] == g.WayID[t]
}

// roadContinues is continues between two edges of ordinary road.
func (s *splitter) roadContinues(d *candidate, m *junction) bool {
	p := s.names.ofHop(m.from)
	if m.turn == 180 {
		d.kind = uturn(d)
		return false
	}
	if t := m.hairpin(d.is(driveOnLeft)); t != guidance.None {
		d.kind = t
		return false
	}
	if m.others == 0 && (!m.spread || abs(m.turn) <= ahead45) {
		return namesContinue(d, p, true)
	}
	if m.besideForward() {
		d.form = besideForm
		return false
	}
	same := sharesName(p, d.names)
	if m.isTee(same) {
		d.form = teeForm
		return false
	}
	if !m.pathStraightest(m.straightestOut) && !m.forwardOut && m.roadOut {
		return false
	}
	return namesContinue(d, p, m.pathStraightest(m.straightest))
}

// namesContinue reports whether a road with the names before is the one that
// the candidate follows, and leaves the candidate the names that both have.
func namesContinue(d *candidate, before []guidance.Name, straightest bool) bool {
	if c := commonOrSame(before, d.names); len(c) > 0 {
		d.names = c
		return true
	}
	return len(before)+len(d.names) == 0 && straightest
}

func uturn(d *candidate) guidance.Type {
	if d.is(driveOnLeft) {
		return guidance.UturnRight
	}
	return guidance.UturnLeft
}

// pathKindChanges reports whether a nameless path of one kind begins or ends
// where hop p ends.
func (s *splitter) pathKindChanges(d *candidate, p *hop) bool {
	t, nameless := pathKindOf(p.use), d.pathKind
	if nameless&named != 0 {
		nameless = noPath
	}
	if t != noPath && len(s.names.ofHop(p)) > 0 {
		t = noPath
	}
	return t != nameless
}
