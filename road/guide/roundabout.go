package guide

import (
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// The bounds of two carriageways of one road that meet a roundabout at one node.
const (
	mostApart  = 60    // degrees between them there
	mostUnited = 200.0 // metres from there to where they are one road
	mostEdges  = 16    // of each up to there
)

// exitsPassed counts the exits of a roundabout that the path passes at the begin of hop
// k: those on the outer side of the path, but for ways that drivers do not take for an
// exit and, where the path enters the roundabout there, the road that it comes on.
// Valhalla counts what leaves to that side along the way, and nothing at the entry.
func (l *leg) exitsPassed(k int, onLeft bool) (n int) {
	if !l.atNode(k - 1) {
		return 0
	}
	m := l.junction(k)
	if !onLeft && m.rightOut == 0 || onLeft && m.leftOut == 0 {
		return 0 // nothing leaves on the outer side
	}
	ring, entry := m.from, !m.from.is(roundabout)
	if entry {
		ring = m.to
	}
	m.eachOther(func(e graph.Edge, turn int, out bool) bool {
		outer := turn > m.turn
		if onLeft {
			outer = turn < m.turn
		}
		if !out || !outer || turn == 180 {
			return true
		}
		goesOn := !m.to.is(roundabout) && l.g.BySegment[l.g.Segment(e)].Flags&graph.Roundabout != 0 // the roundabout after the exit
		if goesOn || !m.seenAsExit(e, ring) || entry && m.sameArm(m.from, e, turn) {
			return true
		}
		repeated := abs(turn-m.turn) <= 2 && l.g.ByEdge[e].Head == l.g.ByEdge[m.to.edge].Head // drawn on the path
		if !repeated {
			n++
		}
		return true
	})
	return n
}

// seenAsExit reports whether a driver takes a way for an exit of a roundabout: not a
// driveway, the aisle of a car park or a private way, unless the roundabout is of the
// same kind.
func (m *junction) seenAsExit(e graph.Edge, ring *hop) bool {
	g := m.leg.g
	s := g.Segment(e)
	switch use := g.BySegment[s].Use; use {
	case graph.Driveway, graph.ParkingAisle:
		return ring.use == graph.Driveway || ring.use == graph.ParkingAisle
	}
	return !m.privateTo(e) || m.privateTo(ring.edge)
}

// privateTo reports whether an edge is private for the traveller.
func (m *junction) privateTo(e graph.Edge) bool {
	return m.leg.g.ByEdge[e].Private&m.leg.o.Modes != 0
}

// sameArm reports whether an edge that leaves a roundabout where hop p comes in, with a
// turn, is the other carriageway of p's road: both are one-way, and they lie beside each
// other and have the same name, or soon become one road.
func (m *junction) sameArm(p *hop, e graph.Edge, turn int) bool {
	g := m.leg.g
	if !p.is(oneway) || g.ByEdge[g.ByEdge[e].Opposite].Access&m.leg.o.Modes != 0 {
		return false
	}
	if 180-abs(turn) <= mostApart && sameNames(m.leg.names.ofHop(p), m.leg.names.ofEdge(e)) {
		return true
	}
	var in, out [mostEdges]graph.Node
	for _, n := range in[:m.follow(in[:], g.ByEdge[p.last].Opposite, false)] {
		for _, o := range out[:m.follow(out[:], e, true)] {
			if n == o {
				return true
			}
		}
	}
	return false
}

// sameNames reports whether two roads have a name in common, or a number where one of
// them has no name, or have nothing.
func sameNames(a, b []guidance.Name) bool {
	for _, refs := range [...]bool{false, true} {
		m, n := partOf(a, refs), partOf(b, refs)
		if len(m) > 0 && len(n) > 0 {
			return sharesName(m, n)
		}
	}
	return len(a)+len(b) == 0
}

// partOf returns the names of a list that are numbers, or those that are not: either come
// before the others.
func partOf(list []guidance.Name, refs bool) []guidance.Name {
	for i := range list {
		if list[i].Ref == refs {
			j := i + 1
			for j < len(list) && list[j].Ref == refs {
				j++
			}
			return list[i:j]
		}
	}
	return nil
}

// follow lists the nodes along an edge and what leads on most straight after it, no
// roundabout, as far as two carriageways may lie apart. Travellers go along it or, where
// along is false, against it.
func (m *junction) follow(to []graph.Node, e graph.Edge, along bool) (n int) {
	g := m.leg.g
	metres := 0.0
	for n < len(to) {
		if metres += g.EdgeLength(e); metres > mostUnited {
			break
		}
		node := g.ByEdge[e].Head
		to[n] = node
		n++
		next, straightest := graph.Edge(graph.None), mostApart+1
		for x := g.FirstOut[node]; x < g.FirstOut[node+1]; x++ {
			travelled := x
			if !along {
				travelled = g.ByEdge[x].Opposite
			}
			turn := abs(normaliseTurn(g.Bearing(x) - g.Arrival(e)))
			if turn < straightest && x != g.ByEdge[e].Opposite && g.ByEdge[travelled].Access&m.leg.o.Modes != 0 && g.BySegment[g.Segment(x)].Flags&graph.Roundabout == 0 {
				next, straightest = x, turn
			}
		}
		if next == graph.Edge(graph.None) {
			break
		}
		e = next
	}
	return n
}
