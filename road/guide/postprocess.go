package guide

import (
	"slices"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// nameRoundabouts keeps the name of a roundabout only where the roads before and
// after have another.
func nameRoundabouts(_ *leg, list []*candidate) []*candidate {
	for i := range list {
		d := list[i]
		if !d.is(roundabout) || i == 0 {
			continue
		}
		var own []guidance.Name
		for _, n := range d.names {
			if !n.Ref {
				own = append(own, n)
			}
		}
		d.names, d.beginNames = nil, nil
		if len(own) > 0 && !sharesName(own, list[i-1].names) && (i+1 == len(list) || !sharesName(own, list[i+1].names)) {
			d.names = own
		}
	}
	return list
}

// markStays marks the manoeuvres that stay on a road of the same name.
func markStays(_ *leg, list []*candidate) []*candidate {
	hasNamesOf := func(d, o *candidate) bool { return len(d.names) > 0 && len(common(o.names, d.names)) == len(d.names) }
	for i := 1; i < len(list); i++ {
		d, p := list[i], list[i-1]
		switch d.kind {
		case guidance.SlightRight, guidance.SlightLeft, guidance.Right, guidance.SharpRight, guidance.SharpLeft, guidance.Left:
			d.toStayOn = len(d.beginNames) == 0 && hasNamesOf(d, p)
		case guidance.StayStraight, guidance.StayRight, guidance.StayLeft:
			d.toStayOn = hasNamesOf(d, p) && (!d.uses.has(graph.Ramp) || i+1 < len(list) && hasNamesOf(d, list[i+1]))
		case guidance.UturnLeft, guidance.UturnRight, guidance.Continue:
			d.toStayOn = hasNamesOf(d, p)
		}
	}
	return list
}

// signMerges sets, as the sign of a slip road without signs, the name of the road it leads
// onto.
func signMerges(_ *leg, list []*candidate) []*candidate {
	for i := 0; i+1 < len(list); i++ {
		p, d, n := list[max(0, i-1)], list[i], list[i+1]
		before := p.uses.has(graph.Ramp) || p.form == forkForm
		if (d.uses.has(graph.Ramp) || d.form == forkForm && len(d.names) == 0) && d.sign.Empty() && !before && isMerge(n.kind) && len(n.names) > 0 {
			d.sign.Branch = []string{n.names[0].Text}
		}
	}
	return list
}

func isMerge(t guidance.Type) bool {
	return t == guidance.Merge || t == guidance.MergeLeft || t == guidance.MergeRight
}

// moveTurns moves turns to where the path turns: internal hops that lead
// straight on into a junction belong to the stretch before.
func moveTurns(l *leg, list []*candidate) []*candidate {
	for i := 1; i < len(list); i++ {
		d, p := list[i], list[i-1]
		if !turnsToSide(d.kind) || p.travel != d.travel {
			continue
		}
		for d.begin+1 < d.end && l.internalAt(d.begin) && abs(normaliseTurn(l.startBearing(d.begin)-l.endBearing(d.begin-1))) <= straightAhead {
			metres := l.hops[d.begin].metres
			p.metres, d.metres = p.metres+metres, d.metres-metres
			d.begin++
			p.end = d.begin
		}
	}
	return list
}

// turnsToSide reports whether a manoeuvre leads to a side.
func turnsToSide(t guidance.Type) bool {
	switch t {
	case guidance.SlightRight, guidance.Right, guidance.SharpRight, guidance.UturnRight, guidance.UturnLeft, guidance.SharpLeft, guidance.Left, guidance.SlightLeft, guidance.RampRight, guidance.RampLeft, guidance.StayRight, guidance.StayLeft:
		return true
	}
	return false
}

// dropSmallForks drops the fork at a slip road's end where the path turns to
// the same side right after it.
func dropSmallForks(_ *leg, list []*candidate) []*candidate {
	for i := 1; i+1 < len(list); i++ {
		p, d, n := list[i-1], list[i], list[i+1]
		same := d.kind == guidance.StayRight && (n.kind == guidance.SlightRight || n.kind == guidance.Right || n.kind == guidance.SharpRight) ||
			d.kind == guidance.StayLeft && (n.kind == guidance.SlightLeft || n.kind == guidance.Left || n.kind == guidance.SharpLeft)
		if same && p.uses.has(graph.Ramp) && d.uses.has(graph.Ramp) && !n.uses.has(graph.Ramp) && d.metres <= smallForkMetres {
			list = extendOver(list, i-1)
		}
	}
	return list
}

// dropMerges drops the merging at the end of a slip road.
func dropMerges(_ *leg, list []*candidate) []*candidate {
	for i := 0; i+1 < len(list); i++ {
		d, n := list[i], list[i+1]
		if !d.uses.has(graph.Ramp) || !isMerge(n.kind) {
			continue
		}
		if d.toStayOn && !slices.Equal(d.names, n.names) {
			d.toStayOn = false
		}
		if len(n.names) > 0 {
			d.names = n.names
		}
		list = extendOver(list, i)
	}
	return list
}
