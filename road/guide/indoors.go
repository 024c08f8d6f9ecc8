package guide

import (
	"strconv"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// LevelOf returns the name or number of the floor of a segment that keeps to one. A
// name has precedence over a number, and several names give none.
func LevelOf(g *graph.Graph, seg graph.Segment) guidance.Level {
	switch l := g.LevelsOf(seg); {
	case l.Names == 1:
		return guidance.Level{Text: l.Name, Named: true}
	case l.Names == 0 && l.Single:
		return guidance.Level{Text: strconv.FormatFloat(l.Level, 'f', -1, 64)}
	}
	return guidance.Level{}
}

// markIndoors marks the hops before which the path takes a lift that is a node,
// and those before which someone on foot enters or leaves a building. Stairs
// and lifts without tags of their own are taken to be where the path was before
// them.
func (l *leg) markIndoors() {
	if l.driving() {
		return
	}
	foot, known, inside := l.onFoot(), false, false
	for k := range l.hops {
		h := &l.hops[k]
		met := k > 0 && h.is(contiguous)
		if met && l.g.ByNode[h.node].Flags&graph.Lift != 0 && takesLift(l.g, &l.hops[k-1], h) {
			h.flags = h.flags&^ordinary | byLift
		}
		indoor := h.is(indoors)
		if !foot || h.vertical != level && !indoor {
			continue
		}
		if met && known && indoor != inside {
			h.flags = h.flags&^ordinary | doorway
		}
		known, inside = true, indoor
	}
}

// takesLift reports whether a path that passes a lift from hop p to c takes it
// to another floor, as far as the floors are tagged.
func takesLift(g *graph.Graph, p, c *hop) bool {
	if p.vertical == elevator || c.vertical == elevator || g.Original(c.edge) == g.ByEdge[p.last].Opposite {
		return false
	}
	from, to := g.LevelsOf(g.Segment(p.last)), g.LevelsOf(g.Segment(c.edge))
	return !from.Single || !to.Single || from.Level != to.Level
}

// levelChangeKind returns the kind of a candidate that leads to another floor, or
// into a building or out of one; None of any other.
func levelChangeKind(l *leg, d *candidate) guidance.Type {
	switch {
	case d.vertical == elevator || d.is(byLift):
		return guidance.Elevator
	case d.vertical == indoorSteps || d.vertical == steps:
		return guidance.Steps
	case d.vertical == escalator:
		return guidance.Escalator
	case d.is(doorway) && l.hops[d.begin].is(indoors):
		return guidance.EnterBuilding
	case d.is(doorway):
		return guidance.LeaveBuilding
	case d.is(changesLevel) && l.levelAfter(d).Text != "":
		return guidance.LevelChange
	}
	return guidance.None
}

// startKind returns the kind of a leg's first manoeuvre: a start, unless it begins
// on stairs or between floors.
func startKind(l *leg, d *candidate) guidance.Type {
	if first := &l.hops[0]; first.use == graph.Steps || first.use == graph.Escalator || first.is(changesLevel) {
		if t := levelChangeKind(l, d); t != guidance.None {
			return t
		}
	}
	return guidance.Start + guidance.Type(startSide(l.o.From))
}

// startSide returns the offset of the start's type from guidance.Start: Valhalla numbers
// the right side before the left.
func startSide(from guidance.Side) guidance.Side {
	switch from {
	case guidance.LeftSide:
		return guidance.RightSide
	case guidance.RightSide:
		return guidance.LeftSide
	}
	return guidance.NoSide
}

// levelAfter returns the floor on which a candidate ends: that of the hop after it
// or, where it begins with a lift, its own.
func (l *leg) levelAfter(d *candidate) guidance.Level {
	if d.is(byLift) {
		if floor := LevelOf(l.g, l.g.Segment(l.hops[d.begin].edge)); floor.Text != "" {
			return floor
		}
	}
	if d.end < len(l.hops) {
		return LevelOf(l.g, l.g.Segment(l.hops[d.end].edge))
	}
	return guidance.Level{}
}

// Levels returns the floors of a path, as far as they are tagged, each with the
// first point of the line on it. Stretches that lead from one floor to another
// are on none.
func Levels(g *graph.Graph, path graph.Path, line Line) []guidance.LevelAt {
	var list []guidance.LevelAt
	for i := range path {
		seg := g.Segment(path[i].Edge)
		if g.BySegment[seg].Flags&graph.HasLevels == 0 {
			continue
		}
		if l := g.LevelsOf(seg); l.Single && (len(list) == 0 || list[len(list)-1].Level != l.Level) {
			list = append(list, guidance.LevelAt{Shape: line.Step[i], Level: l.Level})
		}
	}
	return list
}
