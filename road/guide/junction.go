package guide

import (
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// junction is the node between two hops of a path, as seen on arrival there.
// Turns are whole degrees from straight on, right positive, -179 to 180. The
// others are the ways at the node that the path does not use.
type junction struct {
	leg      *leg
	from, to *hop // before and after it
	turn     int

	spread                    bool // the path enters or leaves a square, with other lines across it from there
	others                    int
	passable                  bool // some other may be travelled, to the node or from it
	left, right               int  // others on either side of the path
	leftOut, rightOut         int  // of those, which may be entered
	leftNear, rightNear       int  // of all, which leave close to the path
	leftNearOut, rightNearOut int  // of those, which may be entered

	straightest    int       // turn of the other that lies most straight on, 180 without one
	straightestOut int       // the same of those that may be entered
	straightestUse graph.Use // the latter's use
	someOut        bool      // some other may be entered
	roadOut        bool      // some other may be entered and is no field track
	forwardOut     bool      // one that leads ahead may be entered
	forwardRoad    bool      // the same, field tracks left out
	forwardMajor   bool      // the same, of a class not much below that of the road travelled
	highwayAhead   bool      // a motorway leads on well ahead
	wideAhead      bool      // some other may be entered well ahead
}

// The bounds of what lies ahead, in degrees either way, are Valhalla's.
const (
	forkAhead     = 20
	straightAhead = 30
	ahead45       = 45
	wideAhead     = 55
	nearPath      = 40 // between two ways that leave side by side
	backward      = 124
)

// examine looks at all ways at the node between two hops.
func (m *junction) examine(l *leg, p, c *hop) {
	g := l.g
	arrival := int(p.endBearing)
	*m = junction{leg: l, from: p, to: c, turn: normaliseTurn(int(c.startBearing) - arrival), straightest: 180, straightestOut: 180}
	first, end := g.FirstOut[c.node], g.FirstOut[c.node+1]
	back, on := g.ByEdge[p.last].Opposite, g.Original(c.edge)
	if end-first == 1 || end-first == 2 && on != back {
		return // a bend or a dead end: no others
	}
	class := p.class
	for e := first; e < end; e++ {
		s := g.Segment(e)
		use := g.BySegment[s].Use
		if e == back || e == on || use == graph.Construction {
			continue
		}
		if m.acrossSquare(e) {
			m.spread = true
			continue
		}
		m.others++
		turn := normaliseTurn(g.Bearing(e) - arrival)
		out := g.ByEdge[e].Access&l.o.Modes != 0
		m.passable = m.passable || out || g.ByEdge[g.ByEdge[e].Opposite].Access&l.o.Modes != 0
		m.countSide(turn, out)
		d := abs(turn)
		if d < abs(m.straightest) {
			m.straightest = turn
		}
		if !out {
			continue
		}
		m.someOut = true
		if d < abs(m.straightestOut) {
			m.straightestOut, m.straightestUse = turn, plainUse(use)
		}
		road := use != graph.Track
		m.roadOut = m.roadOut || road
		if d <= ahead45 {
			m.forwardOut = true
			m.forwardRoad = m.forwardRoad || road
			m.forwardMajor = m.forwardMajor || int(g.BySegment[s].Class)-int(class) <= 2
		}
		if d <= wideAhead {
			m.wideAhead = true
			m.highwayAhead = m.highwayAhead || g.BySegment[s].Class == graph.Motorway && !isSlip(use)
		}
	}
}

// acrossSquare reports whether an edge at a junction is no way of its own: a line across
// a square that the path crosses too, or any such line for those who may not walk there.
func (m *junction) acrossSquare(e graph.Edge) bool {
	g := m.leg.g
	if g.BySegment[g.Segment(e)].Flags&graph.Area == 0 {
		return false
	}
	return g.ByEdge[e].Access&m.leg.o.Modes == 0 || sameGround(g, m.from.last, e) || sameGround(g, m.to.edge, e)
}

// countSide counts another way on its side of the path.
func (m *junction) countSide(turn int, out bool) {
	o := 0
	if out {
		o = 1
	}
	switch {
	case turn == 180:
	case turn > m.turn:
		m.right++
		m.rightOut += o
		if turn-m.turn <= nearPath {
			m.rightNear++
			m.rightNearOut += o
		}
	case turn < m.turn:
		m.left++
		m.leftOut += o
		if m.turn-turn <= nearPath {
			m.leftNear++
			m.leftNearOut += o
		}
	}
}

// pathStraightest reports whether the path leads ahead and a way that turns by
// other leads not much straighter.
func (m *junction) pathStraightest(other int) bool {
	const much = 10
	d, o := abs(m.turn), abs(other)
	return d <= wideAhead && (abs(d-o) <= much || d <= o)
}

// eachOther calls yield with the other ways, their turns, and whether they may
// be entered, until it returns false.
func (m *junction) eachOther(yield func(e graph.Edge, turn int, out bool) bool) {
	g := m.leg.g
	node, back, on := m.to.node, g.ByEdge[m.from.last].Opposite, g.Original(m.to.edge)
	for e := g.FirstOut[node]; e < g.FirstOut[node+1]; e++ {
		if e == back || e == on || g.BySegment[g.Segment(e)].Use == graph.Construction || m.acrossSquare(e) {
			continue
		}
		if !yield(e, normaliseTurn(g.Bearing(e)-int(m.from.endBearing)), g.ByEdge[e].Access&m.leg.o.Modes != 0) {
			return
		}
	}
}

// turnsOff reports whether another way that may be entered makes a turn of a
// type.
func (m *junction) turnsOff(t guidance.Type) (found bool) {
	m.eachOther(func(_ graph.Edge, turn int, out bool) bool {
		found = out && turnOf(turn) == t
		return !found
	})
	return found
}

// anyOther reports whether one of the other ways at a junction passes a test.
func (m *junction) anyOther(test func(e graph.Edge, turn int, out bool) bool) (found bool) {
	m.eachOther(func(e graph.Edge, turn int, out bool) bool {
		found = test(e, turn, out)
		return !found
	})
	return found
}

// normaliseTurn brings a turn to -179 up to 180.
func normaliseTurn(turn int) int {
	turn %= 360
	switch {
	case turn > 180:
		return turn - 360
	case turn <= -180:
		return turn + 360
	}
	return turn
}

func abs(v int) int { return max(v, -v) }

// roundDegrees rounds a bearing of 0 to 360 degrees to 0 to 359.
func roundDegrees(bearing float64) int {
	d := int(bearing + 0.5)
	if d >= 360 {
		return d - 360
	}
	return d
}

// turnOf returns the type of a turn, with Valhalla's bounds; turns of more than 159
// degrees are u-turns to their side.
func turnOf(turn int) guidance.Type {
	switch d := abs(turn); {
	case d <= 10:
		return guidance.Continue
	case d <= 44:
		return bySide(turn, guidance.SlightLeft, guidance.SlightRight)
	case d <= 135:
		return bySide(turn, guidance.Left, guidance.Right)
	case d <= 159:
		return bySide(turn, guidance.SharpLeft, guidance.SharpRight)
	}
	return bySide(turn, guidance.UturnLeft, guidance.UturnRight)
}

// bySide picks by the side of a turn.
func bySide(turn int, left, right guidance.Type) guidance.Type {
	if turn < 0 {
		return left
	}
	return right
}

// heading is the rough direction of a turn, or the side to keep to.
type heading uint8

const (
	noHeading heading = iota
	straightOn
	keepRight
	toRight
	reversed
	toLeft
	keepLeft
)

func headingOf(turn int) heading {
	switch d := abs(turn); {
	case d <= straightAhead:
		return straightOn
	case d >= 160:
		return reversed
	case turn > 0:
		return toRight
	}
	return toLeft
}

func (h heading) isLeft() bool  { return h == toLeft || h == keepLeft }
func (h heading) isRight() bool { return h == toRight || h == keepRight }

// plainUse maps uses that are the same to someone on foot to one of them.
func plainUse(u graph.Use) graph.Use {
	if u == graph.PedestrianStreet {
		return graph.Footway
	}
	return u
}

func isFootway(u graph.Use) bool {
	return u == graph.Footway || u == graph.PedestrianStreet || u == graph.Crossing
}

func isSlip(u graph.Use) bool { return u == graph.Ramp || u == graph.TurnChannel }

func isFerry(u graph.Use) bool { return u == graph.Ferry || u == graph.RailFerry }

func isVertical(u graph.Use) bool {
	return u == graph.Elevator || u == graph.Steps || u == graph.Escalator
}

// MayEnter reports whether one of the modes may go from edge p to edge e,
// which leaves p's head: access and the restrictions that apply at all times allow
// it.
func MayEnter(g *graph.Graph, p, e graph.Edge, modes graph.Modes) bool {
	allowed := g.ByEdge[e].Access & modes
	for _, t := range g.TurnsFrom(p) {
		if t.To == e && t.Replace == graph.None && t.When == graph.Always {
			allowed &^= t.Modes
		}
	}
	return allowed != 0
}
