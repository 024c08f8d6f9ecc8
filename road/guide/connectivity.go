package guide

import (
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// laneMask is the set of lanes of a road that lead into some way, by the
// connections mapped: one bit for each lane, the leftmost lowest.
type laneMask struct {
	direct   uint32 // lanes that lead there without leaving their course
	optional uint32 // lanes that have to be left to get there
	highest  int    // the highest lane that the connections name
}

func (l laneMask) all() uint32 { return l.direct | l.optional }

// lanesInto returns the lanes at the end of edge p that lead into a way over
// edges; not ok without such a connection. Of several connections the one that
// covers most of the way decides; one that ends within a junction needs another
// from there on.
func lanesInto(g *graph.Graph, p graph.Edge, way []graph.Edge) (l laneMask, ok bool) {
	p = g.Original(p)
	best := connectionAlong(g, p, way)
	if best == nil {
		return laneMask{}, false
	}
	on, inside := laneMask{direct: ^uint32(0)}, false
	if steps := int(best.ViaCount) + 1; steps < len(way) && g.ByEdge[best.To].Flags&graph.Internal != 0 {
		if on, ok = lanesInto(g, best.To, way[steps:]); !ok {
			return laneMask{}, false
		}
		inside = true
	}
	for _, k := range g.LinksOf(best) {
		bit, next := uint32(1)<<(k.From-1), uint32(1)<<(k.To-1)
		l.highest = max(l.highest, int(k.From))
		switch {
		case k.Optional == 0 && on.direct&next != 0:
			l.direct |= bit
		case !inside || on.all()&next != 0:
			l.optional |= bit
		}
	}
	l.optional &^= l.direct
	return l, l.all() != 0
}

// connectionAlong returns the connection from an original edge that covers most
// of a way over edges, nil where there is none.
func connectionAlong(g *graph.Graph, p graph.Edge, way []graph.Edge) *graph.Connection {
	all := g.ConnectionsFrom(p)
	var best *graph.Connection
	for i := range all {
		c := &all[i]
		if (best == nil || c.ViaCount > best.ViaCount) && follows(g, c, way) {
			best = c
		}
	}
	return best
}

// follows reports whether a way over edges begins with the path of a
// connection.
func follows(g *graph.Graph, c *graph.Connection, way []graph.Edge) bool {
	vias := g.ViasOf(c)
	if len(vias) >= len(way) || g.Original(way[len(vias)]) != c.To {
		return false
	}
	for i, v := range vias {
		if g.Original(way[i]) != v {
			return false
		}
	}
	return true
}

// maxPathEdges is how many edges of the path connections are looked for along;
// junctions are small.
const maxPathEdges = 16

// edgesAhead appends the edges of a path from step i on, as far as it goes from
// node to node, each edge whole but the last.
func edgesAhead(way []graph.Edge, path graph.Path, i int) []graph.Edge {
	for ; i < len(path) && len(way) < cap(way) && path[i].Begin <= rounding; i++ {
		way = append(way, path[i].Edge)
		if path[i].End < 1-rounding {
			break
		}
	}
	return way
}

// lanesAlong returns the lanes at the end of step i of a path that lead along it
// by the connections mapped; not ok without any.
func lanesAlong(g *graph.Graph, path graph.Path, i int) (laneMask, bool) {
	var buf [maxPathEdges]graph.Edge
	return lanesInto(g, path[i].Edge, edgesAhead(buf[:0], path, i+1))
}

// applyConnections marks the lanes that lead into the path's exit by the
// connections mapped, whatever their arrows show.
func (x *exits) applyConnections(lanes []guidance.Lane, path laneMask) {
	active := path.direct
	if active == 0 {
		active = path.optional
	}
	for i := range lanes {
		l, bit := &lanes[i], uint32(1)<<i
		if path.all()&bit == 0 {
			l.Valid, l.Active, l.Take = false, false, 0
			continue
		}
		if l.Take == 0 {
			l.Take = nearestArrow(l.Indications, x.pathTurn)
		}
		l.Valid, l.Active = true, active&bit != 0
	}
}

// drawConnections sets, on lanes without arrows, those of the exits that
// connections lead them into, the path's among them.
func (x *exits) drawConnections(p graph.Edge, lanes []guidance.Lane, path laneMask) {
	var leads [len(x.turn) + 1]uint32
	var words [len(x.turn) + 1]guidance.Directions
	for k := range x.n {
		if l, ok := lanesInto(x.g, p, x.edgesOf(k)); ok && l.highest <= len(lanes) {
			leads[k], words[k] = l.all(), x.arrowFor(k)
		}
	}
	leads[x.n], words[x.n] = path.all(), arrowForTurn(x.pathTurn)
	if x.pathExit >= 0 && !x.uturn {
		words[x.n] = x.arrowFor(x.pathExit)
	}
	for i := range lanes {
		l := &lanes[i]
		if l.Indications&^guidance.NoDirection != 0 {
			continue
		}
		for k := range x.n + 1 {
			if leads[k]&(1<<i) != 0 {
				l.Indications = l.Indications&^guidance.NoDirection | words[k]
			}
		}
	}
}

// connectedLanes returns the lanes of a road without arrows, made from connections.
// Their number is that of the tags or, without, the one that the connections
// into all exits name; nil where that leaves doubt.
func (x *exits) connectedLanes(p graph.Edge, path laneMask, lanes []guidance.Lane) []guidance.Lane {
	n := certainCount(x.g, p)
	if n == 0 {
		n = x.laneCountOfAll(p)
	}
	if n < 2 || n > cap(lanes) || path.highest > n {
		return nil
	}
	lanes = lanes[:n]
	clear(lanes)
	x.drawConnections(p, lanes, path)
	x.applyConnections(lanes, path)
	return lanes
}

// laneCountOfAll returns the number of lanes of a road all of whose exits have
// connections; 0 where one has none or a lane leads nowhere.
func (x *exits) laneCountOfAll(p graph.Edge) int {
	var all uint32
	for k := range x.n {
		l, ok := lanesInto(x.g, p, x.edgesOf(k))
		if !ok {
			return 0
		}
		all |= l.all()
	}
	n := 0
	for all&(1<<n) != 0 {
		n++
	}
	if all != 1<<n-1 {
		return 0
	}
	return n
}

// arrowFor returns the arrow for exit k: by its turn, but of several exits ahead
// only the straightest is through.
func (x *exits) arrowFor(k int) guidance.Directions {
	d := arrowForTurn(x.turn[k])
	if d != guidance.Through {
		return d
	}
	straightest := k
	for j := range x.n {
		if abs(x.turn[j]) < abs(x.turn[straightest]) || abs(x.turn[j]) == abs(x.turn[straightest]) && j < straightest {
			straightest = j
		}
	}
	switch {
	case k < straightest:
		return guidance.LaneSlightLeft
	case k > straightest:
		return guidance.LaneSlightRight
	}
	return guidance.Through
}

// arrowForTurn returns the arrow for a turn in degrees.
func arrowForTurn(turn int) guidance.Directions {
	d := abs(turn)
	side := func(left, right guidance.Directions) guidance.Directions {
		if turn < 0 {
			return left
		}
		return right
	}
	switch {
	case d < 20:
		return guidance.Through
	case d <= ahead45:
		return side(guidance.LaneSlightLeft, guidance.LaneSlightRight)
	case d <= 135:
		return side(guidance.LaneLeft, guidance.LaneRight)
	case d < 160:
		return side(guidance.LaneSharpLeft, guidance.LaneSharpRight)
	}
	return guidance.Reverse
}

// nearestArrow returns the arrow of a set that is nearest to a turn in degrees.
func nearestArrow(set guidance.Directions, turn int) guidance.Directions {
	if set&guidance.Reverse != 0 && abs(turn) >= 160 {
		return guidance.Reverse
	}
	best, off := guidance.Directions(0), 1e9
	for _, a := range arrows {
		d := a.direction & set
		if away := abs(int(a.turn) - turn); d != 0 && float64(away) < off {
			best, off = d&-d, float64(away)
		}
	}
	if best == 0 {
		best = set & -set
	}
	return best
}

// certainCount returns the number of lanes of an edge's direction where tags leave
// no doubt of it, else 0: tagged for the direction, or for a one-way road, or
// an even number for both directions.
func certainCount(g *graph.Graph, e graph.Edge) int {
	if n := sideCount(g, e); n > 0 {
		return n
	}
	n := leadingNumber(g.Attribute(g.ByEdge[e].Attributes, "lanes"))
	switch {
	case onlyOut(g, e):
		return n
	case n%2 == 0:
		return n / 2
	}
	return 0
}
