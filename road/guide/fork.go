package guide

import (
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// hairpin returns the u-turn from one carriageway of a road into the other where
// they join at a point; None where there is none.
func (m *junction) hairpin(onLeft bool) guidance.Type {
	t := m.turn
	if onLeft {
		t = -t
	}
	if t != 180 && t >= -134 || !m.from.is(oneway) || !m.to.is(oneway) || !sharesName(m.leg.names.ofHop(m.from), m.leg.names.ofHop(m.to)) {
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
func (m *junction) besideForward() bool {
	switch {
	case abs(m.turn) > ahead45 && !m.forwardRoad, abs(m.turn) <= ahead45 && (!m.forwardMajor || m.pathStraightest(m.straightestOut)):
		return false
	case m.from.is(highway) && m.to.is(highway):
		return false
	}
	return m.leg.g.ByNode[m.to.node].Flags&graph.MotorwayJunction == 0 && !forkNode(m.leg.g, m.to.node)
}

// isTee reports whether the road ends at another one that leads to both sides.
func (m *junction) isTee(same bool) (tee bool) {
	if m.others != 1 || !m.passable || same && !m.roadOut {
		return false
	}
	t := turnOf(m.turn)
	if t != guidance.Left && t != guidance.Right {
		return false
	}
	m.eachOther(func(_ graph.Edge, turn int, _ bool) bool {
		x := turnOf(turn)
		tee = (x == guidance.Left || x == guidance.Right) && x != t
		return false
	})
	return tee
}

// forkNode reports whether a node is one where a road parts into others of its
// kind: of slip roads alone, or a numbered motorway junction where there are no
// slip roads or where nothing but slip roads leaves.
func forkNode(g *graph.Graph, node graph.Node) bool {
	all, links, out := slips(g, node)
	if all < 3 || out < 2 {
		return false
	}
	return links == all || g.ByNode[node].Flags&graph.MotorwayJunction != 0 && (links == 0 || links == out && all == links+1)
}

// slips counts the ways at a node, those of them that are slip roads, and those
// that a car may enter.
func slips(g *graph.Graph, node graph.Node) (all, links, out int) {
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
func (m *junction) fork() bool {
	if m.others < 1 || m.others > 2 || !m.wideAhead || abs(m.turn) > wideAhead {
		return false
	}
	g := m.leg.g
	p, c := m.from, m.to
	if forkNode(g, c.node) {
		if g.ByNode[c.node].Flags&graph.MotorwayJunction != 0 && c.class != graph.ServiceOther && m.anyOther(func(e graph.Edge, _ int, _ bool) bool {
			return g.BySegment[g.Segment(e)].Class == graph.ServiceOther
		}) {
			return false
		}
		return m.leftNearOut+m.rightNearOut > 0 ||
			m.leftOut+m.rightOut > 0 && c.use == graph.Ramp && abs(m.straightestOut) <= backward ||
			abs(m.turn) <= forkAhead && m.allFork()
	}
	if p.is(highway) && c.is(highway) && m.highwayAhead {
		return true
	}
	if abs(m.turn) <= forkAhead && !special(p.use) && !special(c.use) {
		if p.class >= c.class && m.allFork() {
			return true
		}
		service := p.class == graph.ServiceOther || c.class == graph.ServiceOther
		if m.anyOther(func(e graph.Edge, turn int, out bool) bool {
			s := g.Segment(e)
			return out && abs(turn) <= forkAhead && !special(g.BySegment[s].Use) && (service || g.BySegment[s].Class != graph.ServiceOther) && m.leg.names.sameRoad(m.from, e)
		}) {
			return true
		}
	}
	return m.others == 1 && m.lanesPart()
}

// allFork reports whether all other ways lead straight ahead and are roads as
// important as the one travelled.
func (m *junction) allFork() bool {
	g := m.leg.g
	class := m.from.class
	return !m.anyOther(func(e graph.Edge, turn int, out bool) bool {
		s := g.Segment(e)
		return special(g.BySegment[s].Use) || class < g.BySegment[s].Class || abs(turn) > forkAhead || !out
	})
}

// pathFork reports whether someone on foot takes one arm of a path's fork, or
// leaves a path along a roundabout.
func (m *junction) pathFork() bool {
	if !m.leg.onFoot() || abs(m.turn) >= 45 || m.others > 2 {
		return false
	}
	g := m.leg.g
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
func (m *junction) lanesPart() bool {
	g := m.leg.g
	if !m.from.is(highway) || abs(m.turn) > forkAhead {
		return false
	}
	x := graph.Edge(graph.None)
	m.eachOther(func(e graph.Edge, turn int, _ bool) bool {
		if abs(turn) <= forkAhead {
			x = e
		}
		return false
	})
	if x == graph.None {
		return false
	}
	xu, cu := g.BySegment[g.Segment(x)].Use, m.to.use
	if !(m.to.is(highway) && xu == graph.Ramp || isMotorway(g, x) && cu == graph.Ramp) {
		return false
	}
	before, after, beside := laneCount(g, m.from.last), laneCount(g, m.to.edge), laneCount(g, x)
	if before == 2 {
		return after == 1 && beside == 1
	}
	half := (before + 1) / 2
	return before > 2 && after == half && beside == half
}

// isMotorway reports whether an edge is a motorway and no slip road of one.
func isMotorway(g *graph.Graph, e graph.Edge) bool {
	s := g.Segment(e)
	return g.BySegment[s].Class == graph.Motorway && !isSlip(g.BySegment[s].Use)
}
