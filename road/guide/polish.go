package guide

import (
	"slices"

	"github.com/waygate/waygate/guidance"
)

// polish is what is done to the candidates once no two are joined any more.
func (b *builder) polish() {
	b.readSigns()
	b.nameRoundabouts()
	b.markStays()
	b.signMerges()
	b.moveTurns()
	b.dropSmallForks()
	b.dropMerges()
}

// nameRoundabouts leaves a roundabout its name only where the roads before and
// after have another.
func (b *builder) nameRoundabouts() {
	for i := range b.candidates {
		d := b.candidates[i]
		if !d.roundabout || i == 0 {
			continue
		}
		var own []guidance.Name
		for _, n := range d.names {
			if !n.Ref {
				own = append(own, n)
			}
		}
		d.names, d.beginNames = nil, nil
		if len(own) > 0 && !sharesName(own, b.candidates[i-1].names) && (i+1 == len(b.candidates) || !sharesName(own, b.candidates[i+1].names)) {
			d.names = own
		}
	}
}

// markStays marks the manoeuvres that stay on a road of the same name.
func (b *builder) markStays() {
	within := func(d, o *candidate) bool { return len(d.names) > 0 && len(common(o.names, d.names)) == len(d.names) }
	for i := 1; i < len(b.candidates); i++ {
		d, p := b.candidates[i], b.candidates[i-1]
		switch d.kind {
		case guidance.SlightRight, guidance.SlightLeft, guidance.Right, guidance.SharpRight, guidance.SharpLeft, guidance.Left:
			d.toStayOn = len(d.beginNames) == 0 && within(d, p)
		case guidance.StayStraight, guidance.StayRight, guidance.StayLeft:
			d.toStayOn = within(d, p) && (!d.ramp || i+1 < len(b.candidates) && within(d, b.candidates[i+1]))
		case guidance.UturnLeft, guidance.UturnRight, guidance.Continue:
			d.toStayOn = within(d, p)
		}
	}
}

// signMerges gives a slip road without signs the name of the road it leads
// onto.
func (b *builder) signMerges() {
	for i := 0; i+1 < len(b.candidates); i++ {
		d, n := b.candidates[i], b.candidates[i+1]
		before := i > 0 && (b.candidates[i-1].ramp || b.candidates[i-1].fork)
		if i == 0 {
			before = d.ramp || d.fork
		}
		if (d.ramp || d.fork && len(d.names) == 0) && d.sign.Empty() && !before && isMerge(n.kind) && len(n.names) > 0 {
			d.sign.Branch = []string{n.names[0].Text}
		}
	}
}

func isMerge(t guidance.Type) bool {
	return t == guidance.Merge || t == guidance.MergeLeft || t == guidance.MergeRight
}

// moveTurns moves turns to where the path turns: internal hops that lead
// straight on into a junction belong to the stretch before.
func (b *builder) moveTurns() {
	for i := 1; i < len(b.candidates); i++ {
		d, p := b.candidates[i], b.candidates[i-1]
		if !turnsToSide(d.kind) || p.travel != d.travel {
			continue
		}
		for d.begin+1 < d.end && b.internalAt(d.begin) && abs(normaliseTurn(b.startCourse(d.begin)-b.endCourse(d.begin-1))) <= straightAhead {
			metres := b.hops[d.begin].metres
			p.metres, d.metres = p.metres+metres, d.metres-metres
			d.begin++
			p.end = d.begin
		}
	}
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
func (b *builder) dropSmallForks() {
	for i := 1; i+1 < len(b.candidates); i++ {
		p, d, n := b.candidates[i-1], b.candidates[i], b.candidates[i+1]
		same := d.kind == guidance.StayRight && (n.kind == guidance.SlightRight || n.kind == guidance.Right || n.kind == guidance.SharpRight) ||
			d.kind == guidance.StayLeft && (n.kind == guidance.SlightLeft || n.kind == guidance.Left || n.kind == guidance.SharpLeft)
		if same && !p.droppedFork && p.ramp && d.ramp && !n.ramp && d.metres <= smallForkMetres {
			b.extendOver(i - 1)
			b.candidates[i-1].droppedFork = true
		}
	}
}

// dropMerges drops the merging at the end of a slip road.
func (b *builder) dropMerges() {
	for i := 0; i+1 < len(b.candidates); i++ {
		d, n := b.candidates[i], b.candidates[i+1]
		if !d.ramp || !isMerge(n.kind) || d.droppedMerge {
			continue
		}
		if d.toStayOn && !slices.Equal(d.names, n.names) {
			d.toStayOn = false
		}
		if len(n.names) > 0 {
			d.names = n.names
		}
		b.extendOver(i)
		d.droppedMerge = true
	}
}
