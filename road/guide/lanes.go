package guide

import (
	"math"

	"github.com/waygate/waygate/road/graph"
)

// Directions is a set of ways on that a lane's arrows show, in Valhalla's
// numbering. An empty set is a lane without arrows.
type Directions uint16

// The directions of OSM's turn:lanes.
const (
	NoDirection Directions = 1 << iota // written as such: "none"
	Through
	LaneSharpLeft
	LaneLeft
	LaneSlightLeft
	LaneSlightRight
	LaneRight
	LaneSharpRight
	Reverse
	MergeToLeft
	MergeToRight
)

// Lane is one lane of a carriageway.
type Lane struct {
	Indications Directions // its arrows
	Take        Directions // the one among them that the path follows; 0 where it is not valid
	Valid       bool       // it leads on along the path
	Active      bool       // it is one to be in, as it also suits what comes next; implies Valid
}

// LanesAt gives the lanes at the end of step i of a path, from left to right,
// with those marked that lead into the next step. It gives nil where nothing
// is known: the next step must leave the node at which step i ends, and the
// road have two lanes or more whose arrows are tagged, or none tagged and
// their number say it all. There are none on roundabouts.
//
// All valid lanes are active here; a manoeuvre's own list tells those apart
// that suit the manoeuvre after it.
func LanesAt(g *graph.Graph, path graph.Path, i int) []Lane {
	const whole = 1e-9
	if i < 0 || i+1 >= len(path) || path[i].End < 1-whole || path[i+1].Begin > whole {
		return nil
	}
	p, c := path[i].Edge, path[i+1].Edge
	if g.Head[p] != g.Tail[c] || g.SegFlags[g.Segment(p)]&graph.Roundabout != 0 {
		return nil
	}
	var buf [12]Lane
	lanes := taggedLanes(g, p, buf[:0])
	if len(lanes) < 2 {
		return nil
	}
	x := waysOn{g: g, taken: -1}
	x.collect(p, g.Original(c))
	if !x.point(lanes) {
		return nil
	}
	return append([]Lane(nil), lanes...)
}

// taggedLanes reads an edge's turn:lanes.
func taggedLanes(g *graph.Graph, e uint32, lanes []Lane) []Lane {
	if g.EdgeFlags[e]&graph.HasLanes == 0 {
		return nil
	}
	key := "turn:lanes:forward"
	if g.Backward(e) {
		key = "turn:lanes:backward"
	}
	text := g.Attribute(g.Sign[e], "turn:lanes")
	if text == "" {
		text = g.Attribute(g.Sign[e], key)
	}
	if text == "" {
		return nil
	}
	for {
		cell, rest, more := cut(text, '|')
		l := Lane{}
		for cell != "" {
			var word string
			word, cell, _ = cut(cell, ';')
			l.Indications |= direction(word)
		}
		lanes = append(lanes, l)
		if !more {
			return lanes
		}
		text = rest
	}
}

func cut(s string, at byte) (before, after string, found bool) {
	for i := range len(s) {
		if s[i] == at {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

func direction(word string) Directions {
	for len(word) > 0 && word[0] == ' ' {
		word = word[1:]
	}
	for len(word) > 0 && word[len(word)-1] == ' ' {
		word = word[:len(word)-1]
	}
	switch word {
	case "none":
		return NoDirection
	case "through":
		return Through
	case "sharp_left":
		return LaneSharpLeft
	case "left":
		return LaneLeft
	case "slight_left":
		return LaneSlightLeft
	case "slight_right":
		return LaneSlightRight
	case "right":
		return LaneRight
	case "sharp_right":
		return LaneSharpRight
	case "reverse":
		return Reverse
	case "merge_to_left":
		return MergeToLeft
	case "merge_to_right":
		return MergeToRight
	}
	return 0
}

// arrows are the directions from left to right with the turn each means, in
// degrees. A lane that merges goes straight on with its neighbour.
var arrows = [...]struct {
	direction Directions
	turn      float64
}{
	{LaneSharpLeft, -135},
	{LaneLeft, -90},
	{LaneSlightLeft, -35},
	{Through | MergeToLeft | MergeToRight, 0},
	{LaneSlightRight, 35},
	{LaneRight, 90},
	{LaneSharpRight, 135},
}

// waysOn are the ways that leave a junction, from left to right.
type waysOn struct {
	g      *graph.Graph
	turn   [16]float64 // -180 to 180, right positive
	n      int
	taken  int  // the path's, -1 where it is not among them
	uturn  bool // the path turns round
	onLeft bool // traffic keeps left
}

// collect lists the ways a driver on edge p may take, of which to is the
// path's.
func (x *waysOn) collect(p, to uint32) {
	g := x.g
	x.onLeft = g.SegFlags[g.Segment(p)]&graph.DriveOnLeft != 0
	x.uturn = to == g.Opposite[p]
	node, arrival := g.Head[p], g.Arrival(p)
	for e := g.FirstOut[node]; e < g.FirstOut[node+1] && x.n < len(x.turn); e++ {
		if e == g.Opposite[p] || e != to && !MayEnter(g, p, e, graph.Auto) {
			continue
		}
		x.add(float64(between180(whole(g.Course(e))-whole(arrival))), e == to)
	}
}

// add keeps the ways in order.
func (x *waysOn) add(turn float64, taken bool) {
	at := x.n
	for at > 0 && x.turn[at-1] > turn {
		x.turn[at] = x.turn[at-1]
		at--
	}
	x.turn[at] = turn
	x.n++
	if taken {
		x.taken = at
	} else if x.taken >= at {
		x.taken++
	}
}

// point marks the lanes that lead into the path's way; false where none can
// be told.
func (x *waysOn) point(lanes []Lane) bool {
	var all Directions
	for i := range lanes {
		all |= lanes[i].Indications
	}
	if all&^NoDirection == 0 || x.n == 0 {
		return false
	}
	take := Directions(0)
	if x.uturn {
		take = Reverse
		if all&Reverse == 0 {
			return false
		}
	} else {
		if x.taken < 0 {
			return false
		}
		take = x.arrowsOf(all)
	}
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

// arrowsOf gives those of the arrows painted that lead into the path's way.
// Arrows and ways lie in the same order from left to right; each arrow belongs
// to the way whose turn is nearest, but so that as few ways as possible are
// left without, and none where every way is far from it.
func (x *waysOn) arrowsOf(all Directions) Directions {
	const (
		furthest = 75.0        // degrees between an arrow and its way
		bare     = 30.0 * 30.0 // what a way without an arrow costs
	)
	// best[j] is the least cost of the arrows so far where the last lies on
	// way j or further left, with the set that then points into the path's.
	type state struct {
		cost float64
		take Directions
	}
	var best [17]state // best[0]: no way used yet
	for j := 1; j <= x.n; j++ {
		best[j] = state{best[j-1].cost + bare, 0}
	}
	for _, a := range arrows {
		d := a.direction & all
		if d == 0 {
			continue
		}
		var next [17]state
		for j := 0; j <= x.n; j++ {
			next[j] = best[j]
			next[j].cost += furthest * furthest // the arrow leads nowhere
			if j == 0 {
				continue
			}
			if off := math.Abs(a.turn - x.turn[j-1]); off < furthest {
				// With the arrows before it on this way, or as its first.
				for _, from := range [2]state{best[j], {best[j-1].cost, best[j-1].take}} {
					cost := from.cost + off*off
					if cost < next[j].cost {
						take := from.take
						if j-1 == x.taken {
							take |= d
						}
						next[j] = state{cost, take}
					}
				}
			}
			if skip := next[j-1].cost + bare; skip < next[j].cost {
				next[j] = state{skip, next[j-1].take}
			}
		}
		best = next
	}
	return best[x.n].take
}

// laneCount is the number of lanes of an edge, in Valhalla's way: half of
// those of a two-way road, one where nothing is tagged.
func laneCount(g *graph.Graph, e uint32) int {
	set := g.Sign[e]
	if set == 0 {
		return 1
	}
	side := "lanes:forward"
	if g.Backward(e) {
		side = "lanes:backward"
	}
	if n := number(g.Attribute(set, side)); n > 0 {
		return n
	}
	n := number(g.Attribute(set, "lanes"))
	if g.Access[g.Opposite[e]]&graph.Motor != 0 {
		n /= 2
	}
	return max(1, n)
}

// number reads the digits a value begins with.
func number(s string) int {
	n := 0
	for i := 0; i < len(s) && i < 3 && s[i] >= '0' && s[i] <= '9'; i++ {
		n = 10*n + int(s[i]-'0')
	}
	return n
}
