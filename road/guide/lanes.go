package guide

import (
	"strings"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// rounding is how much less than the whole of an edge counts as the whole.
const rounding = 1e-9

// continuous reports whether one step goes to the end of its edge and the next
// begins at the start of its own.
func continuous(p, c *graph.Step) bool { return p.End >= 1-rounding && c.Begin <= rounding }

// LanesAt returns the lanes at the end of step i of a path, from left to right:
// valid are those that lead into the next step and are open to one of the
// modes. It returns nil where nothing is known. The next step must leave the node
// at which step i ends, and the road must have two lanes or more that have
// arrows, or whose connections with the next road are mapped, or whose number
// alone decides. There are none on roundabouts and before them.
//
// Where connections are mapped they decide which lanes are valid, whatever the
// arrows say, and active are those that lead on without leaving their course.
// Otherwise all valid lanes are active; the lists of manoeuvres leave active
// only those that suit the next manoeuvre too.
func LanesAt(g *graph.Graph, path graph.Path, i int, modes graph.Modes) []guidance.Lane {
	if i < 0 || i+1 >= len(path) || !continuous(&path[i], &path[i+1]) {
		return nil
	}
	p, c := path[i].Edge, path[i+1].Edge
	tagged := g.ByEdge[p].Flags&graph.HasLanes != 0
	connected := len(g.ConnectionsFrom(g.Original(p))) > 0
	if g.ByEdge[p].Head != g.ByEdge[c].Tail || !tagged && !connected && g.ByEdge[p].Attributes == 0 || (g.BySegment[g.Segment(p)].Flags|g.BySegment[g.Segment(c)].Flags)&graph.Roundabout != 0 {
		return nil
	}
	var buf [graph.MaxLanes]guidance.Lane
	var lanes []guidance.Lane
	switch {
	case tagged:
		lanes = arrowLanes(g, path, i, modes, buf[:0])
	case connected:
		if on, ok := lanesAlong(g, path, i); ok {
			x := exitsFrom(g, path, i, modes)
			lanes = x.connectedLanes(p, on, buf[:0])
		}
	}
	if !tagged && lanes == nil {
		lanes = partingLanes(g, p, g.Original(c))
	}
	if len(lanes) < 2 {
		return nil
	}
	closed, found := reserved(g, p, modes, len(lanes)), false
	for k := range lanes {
		l := &lanes[k]
		if closed&(1<<k) != 0 {
			l.Valid, l.Active, l.Take = false, false, 0
		}
		found = found || l.Valid
	}
	if !found {
		return nil
	}
	return append([]guidance.Lane(nil), lanes...)
}

// arrowLanes returns the lanes of a road that has arrows; nil where these decide
// nothing.
func arrowLanes(g *graph.Graph, path graph.Path, i int, modes graph.Modes, lanes []guidance.Lane) []guidance.Lane {
	p := path[i].Edge
	lanes = taggedLanes(g, p, lanes)
	if len(lanes) < 2 {
		return nil
	}
	x := exitsFrom(g, path, i, modes)
	on, connected := lanesAlong(g, path, i)
	if connected = connected && on.highest <= len(lanes); connected {
		x.drawConnections(p, lanes, on)
	}
	if pointed := x.fillArrows(lanes, reserved(g, p, modes, len(lanes))) && x.markByArrows(lanes); !pointed && !connected {
		return nil
	}
	if connected {
		x.applyConnections(lanes, on)
	}
	return lanes
}

// laneValue returns the value, for an edge's direction, of a key that ends in
// ":lanes".
func laneValue(g *graph.Graph, e graph.Edge, key, forward, backward string) string {
	set := g.ByEdge[e].Attributes
	if v := g.Attribute(set, key); v != "" {
		return v
	}
	if g.Backward(e) {
		return g.Attribute(set, backward)
	}
	return g.Attribute(set, forward)
}

// taggedLanes reads an edge's turn:lanes.
func taggedLanes(g *graph.Graph, e graph.Edge, lanes []guidance.Lane) []guidance.Lane {
	if g.ByEdge[e].Flags&graph.HasLanes == 0 {
		return nil
	}
	text := laneValue(g, e, "turn:lanes", "turn:lanes:forward", "turn:lanes:backward")
	if text == "" {
		return nil
	}
	for {
		cell, rest, more := strings.Cut(text, "|")
		l := guidance.Lane{}
		for cell != "" {
			var word string
			word, cell, _ = strings.Cut(cell, ";")
			l.Indications |= direction(word)
		}
		if len(lanes) == cap(lanes) {
			return nil // no road has so many
		}
		lanes = append(lanes, l)
		if !more {
			return lanes
		}
		text = rest
	}
}

func direction(word string) guidance.Directions {
	for len(word) > 0 && word[0] == ' ' {
		word = word[1:]
	}
	for len(word) > 0 && word[len(word)-1] == ' ' {
		word = word[:len(word)-1]
	}
	switch word {
	case "none":
		return guidance.NoDirection
	case "through":
		return guidance.Through
	case "sharp_left":
		return guidance.LaneSharpLeft
	case "left":
		return guidance.LaneLeft
	case "slight_left":
		return guidance.LaneSlightLeft
	case "slight_right":
		return guidance.LaneSlightRight
	case "right":
		return guidance.LaneRight
	case "sharp_right":
		return guidance.LaneSharpRight
	case "reverse":
		return guidance.Reverse
	case "merge_to_left":
		return guidance.MergeToLeft
	case "merge_to_right":
		return guidance.MergeToRight
	}
	return 0
}

// partingLanes returns the lanes of a one-way road without arrows that forks into
// two roads with as many lanes together: each lane leads into the road on its
// side.
func partingLanes(g *graph.Graph, p, to graph.Edge) []guidance.Lane {
	node := g.ByEdge[p].Head
	first := g.FirstOut[node]
	if g.FirstOut[node+1]-first != 3 || !onlyOut(g, p) {
		return nil
	}
	arrival := g.Arrival(p)
	left, right := graph.Edge(graph.None), graph.Edge(graph.None)
	leftTurn, rightTurn := 0, 0
	for e := first; e < first+3; e++ {
		if e == g.ByEdge[p].Opposite {
			continue
		}
		turn := normaliseTurn(g.Bearing(e) - arrival)
		if !onlyOut(g, e) || abs(turn) > ahead45 {
			return nil
		}
		switch {
		case left == graph.None:
			left, leftTurn = e, turn
		case turn < leftTurn:
			left, leftTurn, right, rightTurn = e, turn, left, leftTurn
		default:
			right, rightTurn = e, turn
		}
	}
	n, l, r := taggedCount(g, p), taggedCount(g, left), taggedCount(g, right)
	if right == graph.None || n < 2 || l == 0 || r == 0 || l+r != n || leftTurn == rightTurn {
		return nil
	}
	leftArrow, rightArrow := guidance.LaneSlightLeft, guidance.LaneSlightRight
	if abs(leftTurn) < abs(rightTurn) {
		leftArrow = guidance.Through
	} else {
		rightArrow = guidance.Through
	}
	lanes := make([]guidance.Lane, n)
	for i := range lanes {
		lane := &lanes[i]
		lane.Indications, lane.Valid = rightArrow, to == right
		if i < l {
			lane.Indications, lane.Valid = leftArrow, to == left
		}
		if lane.Valid {
			lane.Active, lane.Take = true, lane.Indications
		}
	}
	return lanes
}

// onlyOut reports whether an edge is one-way for motor traffic.
func onlyOut(g *graph.Graph, e graph.Edge) bool {
	return g.ByEdge[e].Access&graph.Auto != 0 && g.ByEdge[g.ByEdge[e].Opposite].Access&graph.Motor == 0
}

// taggedCount returns the number of lanes that a one-way road is tagged with, 0
// where there is none.
func taggedCount(g *graph.Graph, e graph.Edge) int {
	if g.ByEdge[e].Attributes == 0 {
		return 0
	}
	return min(16, leadingNumber(g.Attribute(g.ByEdge[e].Attributes, "lanes")))
}

// sideCount returns the number of lanes tagged for an edge's direction, 0 where
// there is none.
func sideCount(g *graph.Graph, e graph.Edge) int {
	side := "lanes:forward"
	if g.Backward(e) {
		side = "lanes:backward"
	}
	return leadingNumber(g.Attribute(g.ByEdge[e].Attributes, side))
}

// laneCount returns the number of lanes of an edge, in Valhalla's way: half of
// those of a two-way road, one where nothing is tagged.
func laneCount(g *graph.Graph, e graph.Edge) int {
	if n := sideCount(g, e); n > 0 {
		return n
	}
	n := leadingNumber(g.Attribute(g.ByEdge[e].Attributes, "lanes"))
	if g.ByEdge[g.ByEdge[e].Opposite].Access&graph.Motor != 0 {
		n /= 2
	}
	return max(1, n)
}

// leadingNumber reads the number that a value begins with, of up to three digits.
func leadingNumber(s string) int {
	n := 0
	for i := 0; i < len(s) && i < 3 && s[i] >= '0' && s[i] <= '9'; i++ {
		n = 10*n + int(s[i]-'0')
	}
	return n
}
