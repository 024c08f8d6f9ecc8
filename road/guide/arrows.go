package guide

import (
	"math"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// arrows are the directions from left to right with the turn each means, in
// degrees. A lane that merges goes straight on with its neighbour.
var arrows = [...]struct {
	direction guidance.Directions
	turn      float64
}{
	{guidance.LaneSharpLeft, -135},
	{guidance.LaneLeft, -90},
	{guidance.LaneSlightLeft, -35},
	{guidance.Through | guidance.MergeToLeft | guidance.MergeToRight, 0},
	{guidance.LaneSlightRight, 35},
	{guidance.LaneRight, 90},
	{guidance.LaneSharpRight, 135},
}

// exits are the ways that leave a junction, from left to right.
type exits struct {
	g        *graph.Graph
	arrival  int // bearing of the road to it
	modes    graph.Modes
	turn     [16]int // -179 to 180, right positive
	edges    [16][maxInternal + 1]graph.Edge
	steps    [16]uint8 // number of edges of each
	n        int
	pathExit int  // of the path, -1 where it is none of them
	uturn    bool // the path turns round
	onLeft   bool // traffic keeps left

	pathTurn int                         // of the path
	stack    [maxInternal + 1]graph.Edge // of collect: internal edges on the way to the exit being added
}

// maxInternal is the most internal edges that an exit may lead over.
const maxInternal = 2

// edgesOf returns the edges that exit k leads over; the last one leaves the
// junction.
func (x *exits) edgesOf(k int) []graph.Edge { return x.edges[k][:x.steps[k]] }

// exitsFrom lists the exits at the end of step i of a path.
func exitsFrom(g *graph.Graph, path graph.Path, i int, modes graph.Modes) exits {
	p := path[i].Edge
	x := exits{g: g, modes: modes & graph.Motor, pathExit: -1, arrival: g.Arrival(p), onLeft: g.BySegment[g.Segment(p)].Flags&graph.DriveOnLeft != 0}
	x.pathTurn = normaliseTurn(bearingOf(g, path[i+1].Edge) - x.arrival)
	x.collect(p, path[i+1:], 0)
	return x
}

// collect lists the exits that a driver on edge p may take; ahead is the path
// after p. Ways over an internal edge are exits of their own, with the turn
// they make altogether.
func (x *exits) collect(p graph.Edge, ahead graph.Path, depth int) {
	g := x.g
	to := graph.Edge(graph.None)
	if len(ahead) > 0 {
		to = g.Original(ahead[0].Edge)
	}
	node := g.ByEdge[p].Head
	for e := g.FirstOut[node]; e < g.FirstOut[node+1]; e++ {
		if e != to && (e == g.ByEdge[p].Opposite || !MayEnter(g, p, e, x.modes)) {
			continue
		}
		if depth < maxInternal && e != g.ByEdge[p].Opposite && g.ByEdge[e].Flags&graph.Internal != 0 && (e != to || len(ahead) > 1) {
			var rest graph.Path
			if e == to {
				rest = ahead[1:]
			}
			x.stack[depth] = e
			x.collect(e, rest, depth+1)
			continue
		}
		x.stack[depth] = e
		turn := normaliseTurn(bearingOf(g, e) - x.arrival)
		if abs(turn) >= 160 || e == g.ByEdge[p].Opposite {
			if e == to {
				x.uturn, x.pathTurn = true, 180
			}
			continue
		}
		if e == to {
			x.pathTurn = turn
		}
		if x.n < len(x.turn) {
			x.add(turn, depth+1, e == to)
		}
	}
}

// bearingOf returns the bearing of an exit by its edge. A turn channel leaves
// alongside the road, so its bearing is that at its end.
func bearingOf(g *graph.Graph, e graph.Edge) int {
	if s := g.Segment(e); g.BySegment[s].Use == graph.TurnChannel && g.BySegment[s].Length <= channelMetres {
		return g.Arrival(e)
	}
	return g.Bearing(e)
}

// add inserts an exit over the edges on the stack, in order of turns.
func (x *exits) add(turn, steps int, taken bool) {
	at := x.n
	for at > 0 && x.turn[at-1] > turn {
		x.turn[at], x.edges[at], x.steps[at] = x.turn[at-1], x.edges[at-1], x.steps[at-1]
		at--
	}
	x.turn[at], x.edges[at], x.steps[at] = turn, x.stack, uint8(steps)
	x.n++
	if taken {
		x.pathExit = at
	} else if x.pathExit >= at {
		x.pathExit++
	}
}

// markByArrows marks the lanes whose arrows lead into the path's exit; false
// where none is found.
func (x *exits) markByArrows(lanes []guidance.Lane) bool {
	var all guidance.Directions
	for i := range lanes {
		all |= lanes[i].Indications
	}
	if all&^guidance.NoDirection == 0 || x.n == 0 {
		return false
	}
	if x.uturn {
		return x.turnsRound(lanes)
	}
	if x.pathExit < 0 {
		return false
	}
	take := x.arrowsOf(all)
	found := false
	for i := range lanes {
		l := &lanes[i]
		if t := l.Indications & take; t != 0 {
			l.Valid, l.Active, l.Take = true, true, t&-t
			found = true
		}
	}
	return found
}

// turnsRound marks the lanes for a u-turn: those with its arrow, or else the
// one next to the middle of the road if it turns to that side.
func (x *exits) turnsRound(lanes []guidance.Lane) bool {
	found := false
	for i := range lanes {
		l := &lanes[i]
		if l.Indications&guidance.Reverse != 0 {
			l.Valid, l.Active, l.Take, found = true, true, guidance.Reverse, true
		}
	}
	arrow, l := guidance.LaneLeft, &lanes[0]
	if x.onLeft {
		arrow, l = guidance.LaneRight, &lanes[len(lanes)-1]
	}
	if !found && l.Indications&arrow != 0 {
		l.Valid, l.Active, l.Take, found = true, true, arrow, true
	}
	return found
}

// fillArrows sets, on lanes without arrows beside others that have some, the
// arrows they stand for: through, and on the outermost lanes that are not
// closed also the turns to their side that no arrow shows, the path's u-turn
// among them. It reports whether all lanes have arrows then.
func (x *exits) fillArrows(lanes []guidance.Lane, closed uint32) bool {
	const lefts, rights = guidance.LaneSharpLeft | guidance.LaneLeft | guidance.LaneSlightLeft, guidance.LaneSharpRight | guidance.LaneRight | guidance.LaneSlightRight
	var all, blank guidance.Directions
	ahead := false
	for i := range x.n {
		ahead = ahead || abs(x.turn[i]) <= ahead45
	}
	for i := range lanes {
		if d := lanes[i].Indications &^ guidance.NoDirection; d == 0 {
			blank = guidance.NoDirection
		} else {
			all |= d
		}
	}
	if blank == 0 {
		return true
	}
	if all == 0 || !ahead {
		return false
	}
	a, z := 0, len(lanes)-1
	for a < z && closed&(1<<a) != 0 {
		a++
	}
	for z > a && closed&(1<<z) != 0 {
		z--
	}
	first, last := &lanes[a], &lanes[z]
	addLeft := first.Indications&^guidance.NoDirection == 0 && all&lefts == 0
	addRight := last.Indications&^guidance.NoDirection == 0 && all&rights == 0
	for i := range lanes {
		if l := &lanes[i]; l.Indications&^guidance.NoDirection == 0 {
			l.Indications = guidance.Through
		}
	}
	for i := range x.n {
		switch turn := x.turn[i]; {
		case addLeft && turn < -ahead45:
			first.Indications |= sharper(turn, guidance.LaneLeft, guidance.LaneSharpLeft)
		case addRight && turn > ahead45:
			last.Indications |= sharper(turn, guidance.LaneRight, guidance.LaneSharpRight)
		}
	}
	switch {
	case x.uturn && addLeft && !x.onLeft:
		first.Indications |= guidance.LaneLeft
	case x.uturn && addRight && x.onLeft:
		last.Indications |= guidance.LaneRight
	}
	return true
}

func sharper(turn int, plain, sharp guidance.Directions) guidance.Directions {
	if abs(turn) > 135 {
		return sharp
	}
	return plain
}

// arrowsOf returns the painted arrows that lead into the path's exit.
// Arrows and exits lie in the same order from left to right. Each arrow is
// assigned to the exit whose turn is nearest, or to none where all are far from
// it, and so that few exits stay without an arrow.
func (x *exits) arrowsOf(all guidance.Directions) guidance.Directions {
	const (
		nothing = -1000.0     // stands for the turn of no arrow
		apart   = 80.0        // degrees between two arrows that cannot be for the same exit
		bare    = 30.0 * 30.0 // cost of an exit without an arrow
	)
	// best[j] is the least cost of assigning the arrows so far to the exits up to
	// j, with the arrows that then lead into the path's exit.
	type state struct {
		cost float64
		last float64 // turn of the last arrow of exit j
		take guidance.Directions
	}
	var best [17]state // best[0]: no exit used yet
	for j := 1; j <= x.n; j++ {
		best[j] = state{cost: best[j-1].cost + bare, last: nothing}
	}
	for _, a := range arrows {
		d := a.direction & all
		if d == 0 {
			continue
		}
		var next [17]state
		for j := 0; j <= x.n; j++ {
			next[j] = best[j]
			next[j].cost += maxArrowOff * maxArrowOff // the arrow is assigned to no exit
			if j == 0 {
				continue
			}
			if off, ok := x.cost(a.turn, j-1); ok {
				// As a further arrow of this exit, or as its first.
				for k, from := range [2]state{best[j], best[j-1]} {
					cost := from.cost + off
					if cost < next[j].cost && (k == 1 || a.turn-from.last < apart) {
						take := from.take
						if j-1 == x.pathExit {
							take |= d
						}
						next[j] = state{cost, a.turn, take}
					}
				}
			}
			if skip := next[j-1].cost + bare; skip < next[j].cost {
				next[j] = state{skip, nothing, next[j-1].take}
			}
		}
		best = next
	}
	if best[x.n].take == 0 {
		return x.sharedArrows(all)
	}
	return best[x.n].take
}

// maxArrowOff is how many degrees the turn of an arrow may differ from that of
// its exit.
const maxArrowOff = 75.0

// cost returns the cost of assigning an arrow to exit k; not ok where that cannot
// be. Where a road forks into exits side by side, an arrow to a side may be for
// the exit of the fork on that side.
func (x *exits) cost(turn float64, k int) (float64, bool) {
	const (
		beside  = 30  // most degrees between the exits of a fork
		square  = 100 // degrees an arrow to a side may be off the exit on that side
		further = 20  // cost of a degree beyond maxArrowOff
	)
	off := math.Abs(turn - float64(x.turn[k]))
	if off < maxArrowOff {
		return off * off, true
	}
	if x.n < 2 || off >= square || abs(x.turn[k]) > ahead45 {
		return 0, false
	}
	fork := turn < 0 && k == 0 && x.turn[1]-x.turn[0] < beside || turn > 0 && k == x.n-1 && x.turn[k]-x.turn[k-1] < beside
	return maxArrowOff*maxArrowOff + further*(off-maxArrowOff), fork
}

// sharedArrows returns the arrows for the path's exit where none is assigned to
// it: a lane that turns to a side serves every road there.
func (x *exits) sharedArrows(all guidance.Directions) (take guidance.Directions) {
	turn := x.turn[x.pathExit]
	if abs(turn) <= ahead45 {
		return 0
	}
	for _, a := range arrows {
		if (a.turn < 0) == (turn < 0) && math.Abs(a.turn) > ahead45 && math.Abs(a.turn-float64(turn)) < maxArrowOff {
			take |= a.direction & all
		}
	}
	return take
}
