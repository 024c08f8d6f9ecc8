package guide

import (
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// continues reports whether hop k-1 belongs to the candidate that begins with
// hop k: nothing is to be done between them. The order of the questions is
// Valhalla's, and so is each question.
func (b *builder) continues(d *candidate, k int) bool {
	p, c := &b.hops[k-1], &b.hops[k]
	if !c.is(contiguous) {
		// A location is passed within an edge.
		if b.g.Original(c.edge) != b.g.ByEdge[p.last].Opposite {
			return true
		}
		d.kind = b.uturn(d)
		return false
	}
	if d.driveOnLeft != p.is(driveOnLeft) {
		return false
	}
	if c.is(byLift) {
		return false
	}
	if p.vertical != level || d.vertical != level {
		return p.vertical == d.vertical
	}
	if c.is(doorway) || d.changesLevel != p.is(changesLevel) {
		return false
	}
	if d.travel != p.travel || b.pathKindChanges(d, p) {
		return false
	}
	if r := p.is(roundabout); r || d.roundabout {
		return r && d.roundabout
	}
	if p.is(square) && c.is(square) && b.sameGround(p.last, c.edge) {
		return true
	}
	m := b.junction(k)
	if b.fork(m) || b.pathFork(m) {
		d.fork = true
		return false
	}
	if within := p.is(internal); within != d.internal {
		return false
	} else if within && k > 1 {
		return true
	}
	if channel := p.use == graph.TurnChannel; channel || d.channel {
		return channel && d.channel
	}
	if d.signSet != 0 {
		return false
	}
	if ramp := p.use == graph.Ramp; ramp || d.ramp {
		return ramp && d.ramp && abs(m.turn) <= ahead45
	}
	if p.is(ferry) || d.ferry || d.railFerry {
		return d.ferry && p.use == graph.Ferry || d.railFerry && p.use == graph.RailFerry
	}
	return b.roadContinues(d, m)
}

// sameGround reports whether two edges lead across one square, platform or hall.
func (b *builder) sameGround(e, f graph.Edge) bool {
	s, t := b.g.Segment(e), b.g.Segment(f)
	return b.g.BySegment[s].Flags&b.g.BySegment[t].Flags&graph.Area != 0 && b.g.WayID[s] == b.g.WayID[t]
}

// roadContinues is continues between two edges of ordinary road.
func (b *builder) roadContinues(d *candidate, m *junction) bool {
	p := b.hopNames(m.from)
	if m.turn == 180 {
		d.kind = b.uturn(d)
		return false
	}
	if t := b.hairpin(m, d.driveOnLeft); t != guidance.None {
		d.kind = t
		return false
	}
	if m.others == 0 && (!m.spread || abs(m.turn) <= ahead45) {
		return b.namesContinue(d, p, true)
	}
	if b.besideForward(m) {
		d.forwardBeside = true
		return false
	}
	same := sharesName(p, d.names)
	if b.isTee(m, same) {
		d.tee = true
		return false
	}
	if !m.pathStraightest(m.straightestOut) && !m.forwardOut && m.roadOut {
		return false
	}
	return b.namesContinue(d, p, m.pathStraightest(m.straightest))
}

// namesContinue reports whether a road with the names before is the one that
// the candidate follows, and leaves the candidate the names that both have.
func (b *builder) namesContinue(d *candidate, before []guidance.Name, straightest bool) bool {
	if c := commonOrSame(before, d.names); len(c) > 0 {
		d.names = c
		return true
	}
	return len(before)+len(d.names) == 0 && straightest
}

func (b *builder) uturn(d *candidate) guidance.Type {
	if d.driveOnLeft {
		return guidance.UturnRight
	}
	return guidance.UturnLeft
}

// pathKindChanges reports whether a nameless path of one kind begins or ends
// where hop p ends.
func (b *builder) pathKindChanges(d *candidate, p *hop) bool {
	t, nameless := pathKindOf(p.use), d.pathKind
	if nameless&named != 0 {
		nameless = noPath
	}
	if t != noPath && len(b.hopNames(p)) > 0 {
		t = noPath
	}
	return t != nameless
}

// hairpin is the u-turn from one carriageway of a road into the other where
// they join at a point; None where there is none.
func (b *builder) hairpin(m *junction, onLeft bool) guidance.Type {
	t := m.turn
	if onLeft {
		t = -t
	}
	if t != 180 && t >= -134 || !m.from.is(oneway) || !m.to.is(oneway) || !sharesName(b.hopNames(m.from), b.hopNames(m.to)) {
		return guidance.None
	}
	switch {
	case !onLeft && m.leftOut == 0:
		return guidance.UturnLeft
	case onLeft && m.rightOut == 0:
		return guidance.UturnRight
	}
	return guidance.None
}

// besideForward reports whether another way leads ahead where the path turns,
// or leads ahead straighter than the path.
func (b *builder) besideForward(m *junction) bool {
	switch {
	case abs(m.turn) > ahead45 && !m.forwardRoad, abs(m.turn) <= ahead45 && (!m.forwardMajor || m.pathStraightest(m.straightestOut)):
		return false
	case m.from.is(highway) && m.to.is(highway):
		return false
	}
	return b.g.ByNode[m.to.node].Flags&graph.MotorwayJunction == 0 && !b.forkNode(m.to.node)
}

// isTee reports whether the road ends at another one that leads to both sides.
func (b *builder) isTee(m *junction, same bool) (tee bool) {
	if m.others != 1 || !m.passable || same && !m.roadOut {
		return false
	}
	t := turnOf(m.turn)
	if t != guidance.Left && t != guidance.Right {
		return false
	}
	b.eachOther(m, func(_ graph.Edge, turn int, _ bool) bool {
		x := turnOf(turn)
		tee = (x == guidance.Left || x == guidance.Right) && x != t
		return false
	})
	return tee
}

// forkNode reports whether a node is one where a road parts into others of its
// kind: of slip roads alone, or a numbered motorway junction where there are no
// slip roads or where nothing but slip roads leaves.
func (b *builder) forkNode(node graph.Node) bool {
	g := b.g
	all, links, out := b.slips(node)
	if all < 3 || out < 2 {
		return false
	}
	return links == all || g.ByNode[node].Flags&graph.MotorwayJunction != 0 && (links == 0 || links == out && all == links+1)
}

// slips counts the ways at a node, those of them that are slip roads, and those
// that a car may enter.
func (b *builder) slips(node graph.Node) (all, links, out int) {
	g := b.g
	for e := g.FirstOut[node]; e < g.FirstOut[node+1]; e++ {
		all++
		if g.BySegment[g.Segment(e)].Flags&graph.Link != 0 {
			links++
		}
		if g.ByEdge[e].Access&graph.Auto != 0 {
			out++
		}
	}
	return all, links, out
}

// special reports whether a use is one that takes no part in forks of roads.
func special(u graph.Use) bool { return isSlip(u) || isFerry(u) }

// fork reports whether the path keeps to one arm of a fork.
func (b *builder) fork(m *junction) bool {
	if m.others < 1 || m.others > 2 || !m.wideAhead || abs(m.turn) > wideAhead {
		return false
	}
	g := b.g
	p, c := m.from, m.to
	if b.forkNode(c.node) {
		if g.ByNode[c.node].Flags&graph.MotorwayJunction != 0 && c.class != graph.ServiceOther && b.anyOther(m, func(e graph.Edge, _ int, _ bool) bool {
			return g.BySegment[g.Segment(e)].Class == graph.ServiceOther
		}) {
			return false
		}
		return m.leftNearOut+m.rightNearOut > 0 ||
			m.leftOut+m.rightOut > 0 && c.use == graph.Ramp && abs(m.straightestOut) <= backward ||
			abs(m.turn) <= forkAhead && b.allFork(m)
	}
	if p.is(highway) && c.is(highway) && m.highwayAhead {
		return true
	}
	if abs(m.turn) <= forkAhead && !special(p.use) && !special(c.use) {
		if p.class >= c.class && b.allFork(m) {
			return true
		}
		service := p.class == graph.ServiceOther || c.class == graph.ServiceOther
		if b.anyOther(m, func(e graph.Edge, turn int, out bool) bool {
			s := g.Segment(e)
			return out && abs(turn) <= forkAhead && !special(g.BySegment[s].Use) && (service || g.BySegment[s].Class != graph.ServiceOther) && b.sameRoad(m.from, e)
		}) {
			return true
		}
	}
	return m.others == 1 && b.lanesPart(m)
}

// anyOther reports whether one of the other ways at a junction passes a test.
func (b *builder) anyOther(m *junction, test func(e graph.Edge, turn int, out bool) bool) (found bool) {
	b.eachOther(m, func(e graph.Edge, turn int, out bool) bool {
		found = test(e, turn, out)
		return !found
	})
	return found
}

// allFork reports whether all other ways lead straight ahead and are roads as
// important as the one travelled.
func (b *builder) allFork(m *junction) bool {
	g := b.g
	class := m.from.class
	return !b.anyOther(m, func(e graph.Edge, turn int, out bool) bool {
		s := g.Segment(e)
		return special(g.BySegment[s].Use) || class < g.BySegment[s].Class || abs(turn) > forkAhead || !out
	})
}

// sameRoad reports whether a hop and an edge share a name, or have none either.
func (b *builder) sameRoad(p *hop, e graph.Edge) bool {
	g := b.g
	set := g.BySegment[g.Segment(e)].Name
	if set == p.name {
		return true
	}
	if set == 0 || p.name == 0 {
		return len(b.hopNames(p))+len(b.edgeNames(e)) == 0
	}
	for _, key := range [...]graph.Text{graph.NameKey, graph.RefKey} {
		if v := g.Value(set, key); v != 0 && v == g.Value(p.name, key) {
			return true
		}
	}
	if !g.Several(set) && !g.Several(p.name) && b.o.Language == "" {
		return g.Value(set, graph.NameKey)+g.Value(set, graph.RefKey)+g.Value(p.name, graph.NameKey)+g.Value(p.name, graph.RefKey) == 0
	}
	pn, en := b.hopNames(p), b.edgeNames(e)
	return len(pn)+len(en) == 0 || sharesName(pn, en)
}

// pathFork reports whether someone on foot takes one arm of a path's fork, or
// leaves a path along a roundabout.
func (b *builder) pathFork(m *junction) bool {
	if !b.onFoot() || abs(m.turn) >= 45 || m.others > 2 {
		return false
	}
	g := b.g
	if g.BySegment[g.Segment(m.from.last)].Flags&graph.Roundabout != 0 && g.BySegment[g.Segment(m.to.edge)].Flags&graph.Roundabout == 0 {
		return true
	}
	if m.leftNearOut+m.rightNearOut == 0 && abs(m.straightestOut) >= 45 {
		return false
	}
	use := plainUse(m.to.use)
	return m.someOut && (use == m.straightestUse || isFootway(use) && isFootway(m.straightestUse))
}

// lanesPart reports whether the lanes of a motorway part evenly between it and
// a slip road; a deceleration lane does not part them so.
func (b *builder) lanesPart(m *junction) bool {
	g := b.g
	if !m.from.is(highway) || abs(m.turn) > forkAhead {
		return false
	}
	x := graph.Edge(graph.None)
	b.eachOther(m, func(e graph.Edge, turn int, _ bool) bool {
		if abs(turn) <= forkAhead {
			x = e
		}
		return false
	})
	if x == graph.None {
		return false
	}
	xu, cu := g.BySegment[g.Segment(x)].Use, m.to.use
	if !(m.to.is(highway) && xu == graph.Ramp || b.highway(x) && cu == graph.Ramp) {
		return false
	}
	before, after, beside := laneCount(g, m.from.last), laneCount(g, m.to.edge), laneCount(g, x)
	if before == 2 {
		return after == 1 && beside == 1
	}
	half := (before + 1) / 2
	return before > 2 && after == half && beside == half
}
