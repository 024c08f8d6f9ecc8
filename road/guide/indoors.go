package guide

import (
	"strconv"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// levelOf is the name or number of the floor of a segment that keeps to one. A
// name has precedence over a number, and several names give none.
func levelOf(g *graph.Graph, seg graph.Segment) guidance.Level {
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
func (b *builder) markIndoors() {
	if b.driving() {
		return
	}
	foot, known, inside := b.onFoot(), false, false
	for k := range b.hops {
		h := &b.hops[k]
		met := k > 0 && h.is(contiguous)
		if met && b.g.ByNode[h.node].Flags&graph.Lift != 0 && b.takesLift(&b.hops[k-1], h) {
			h.flags = h.flags&^ordinary | byLift
		}
		within := h.is(indoors)
		if !foot || h.vertical != level && !within {
			continue
		}
		if met && known && within != inside {
			h.flags = h.flags&^ordinary | doorway
		}
		known, inside = true, within
	}
}

// takesLift reports whether a path that passes a lift from hop p to c takes it
// to another floor, as far as the floors are tagged.
func (b *builder) takesLift(p, c *hop) bool {
	if p.vertical == elevator || c.vertical == elevator || b.g.Original(c.edge) == b.g.ByEdge[p.last].Opposite {
		return false
	}
	from, to := b.g.LevelsOf(b.g.Segment(p.last)), b.g.LevelsOf(b.g.Segment(c.edge))
	return !from.Single || !to.Single || from.Level != to.Level
}

// levelChangeKind is the kind of a candidate that leads to another floor, or
// into a building or out of one; None of any other.
func (b *builder) levelChangeKind(d *candidate) guidance.Type {
	switch {
	case d.vertical == elevator || d.byLift:
		return guidance.Elevator
	case d.vertical == indoorSteps || d.vertical == steps:
		return guidance.Steps
	case d.vertical == escalator:
		return guidance.Escalator
	case d.atDoor && b.hops[d.begin].is(indoors):
		return guidance.EnterBuilding
	case d.atDoor:
		return guidance.LeaveBuilding
	case d.changesLevel && b.levelAfter(d).Text != "":
		return guidance.LevelChange
	}
	return guidance.None
}

// startKind is the kind of a leg's first manoeuvre: a start, unless it begins
// on stairs or between floors.
func (b *builder) startKind(d *candidate) guidance.Type {
	if first := &b.hops[0]; first.use == graph.Steps || first.use == graph.Escalator || first.is(changesLevel) {
		if t := b.levelChangeKind(d); t != guidance.None {
			return t
		}
	}
	return guidance.Start + guidance.Type(b.startSide())
}

// levelAfter is the floor on which a candidate ends: that of the hop after it
// or, where it begins with a lift, its own.
func (b *builder) levelAfter(d *candidate) guidance.Level {
	if d.byLift {
		if l := levelOf(b.g, b.g.Segment(b.hops[d.begin].edge)); l.Text != "" {
			return l
		}
	}
	if d.end < len(b.hops) {
		return levelOf(b.g, b.g.Segment(b.hops[d.end].edge))
	}
	return guidance.Level{}
}

// Levels lists the floors of a path, as far as they are tagged, each with the
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
