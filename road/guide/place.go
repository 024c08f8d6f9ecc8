package guide

import (
	"slices"

	"github.com/waygate/waygate/guidance"
)

// tidy is what is done once no drafts want joining any more.
func (b *builder) tidy() {
	b.readSigns()
	b.nameRoundabouts()
	b.markStays()
	b.signMerges()
	b.place()
	b.dropSmallForks()
	b.dropMerges()
}

// nameRoundabouts leaves a roundabout only a name of its own.
func (b *builder) nameRoundabouts() {
	for i := range b.drafts {
		d := b.drafts[i]
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
		if len(own) > 0 && !share(own, b.drafts[i-1].names) && (i+1 == len(b.drafts) || !share(own, b.drafts[i+1].names)) {
			d.names = own
		}
	}
}

// markStays notes the turns that keep to a road of the same name.
func (b *builder) markStays() {
	within := func(d, o *draft) bool { return len(d.names) > 0 && len(common(o.names, d.names)) == len(d.names) }
	for i := 1; i < len(b.drafts); i++ {
		d, p := b.drafts[i], b.drafts[i-1]
		switch d.kind {
		case guidance.SlightRight, guidance.SlightLeft, guidance.Right, guidance.SharpRight, guidance.SharpLeft, guidance.Left:
			d.stays = len(d.beginNames) == 0 && within(d, p)
		case guidance.StayStraight, guidance.StayRight, guidance.StayLeft:
			d.stays = within(d, p) && (!d.ramp || i+1 < len(b.drafts) && within(d, b.drafts[i+1]))
		case guidance.UturnLeft, guidance.UturnRight, guidance.Continue:
			d.stays = within(d, p)
		}
	}
}

// signMerges gives a slip road without signs the name of the road it leads
// onto.
func (b *builder) signMerges() {
	for i := 0; i+1 < len(b.drafts); i++ {
		d, n := b.drafts[i], b.drafts[i+1]
		before := i > 0 && (b.drafts[i-1].ramp || b.drafts[i-1].fork)
		if i == 0 {
			before = d.ramp || d.fork
		}
		if (d.ramp || d.fork && len(d.names) == 0) && d.signed.Empty() && !before && isMerge(n.kind) && len(n.names) > 0 {
			d.signed.Branch = []string{n.names[0].Text}
		}
	}
}

func isMerge(t guidance.Type) bool {
	return t == guidance.Merge || t == guidance.MergeLeft || t == guidance.MergeRight
}

// place moves turns to where one turns: what goes straight on into a junction
// belongs to the stretch before.
func (b *builder) place() {
	for i := 1; i < len(b.drafts); i++ {
		d, p := b.drafts[i], b.drafts[i-1]
		if !sideways(d.kind) || p.travel != d.travel {
			continue
		}
		for d.begin+1 < d.end && b.innerAt(d.begin) && abs(between180(b.leaving(d.begin)-b.arriving(d.begin-1))) <= straightAhead {
			metres := b.hops[d.begin].metres
			p.metres, d.metres = p.metres+metres, d.metres-metres
			d.begin++
			p.end = d.begin
		}
	}
}

// sideways reports whether a manoeuvre leads to a side.
func sideways(t guidance.Type) bool {
	switch t {
	case guidance.SlightRight, guidance.Right, guidance.SharpRight, guidance.UturnRight, guidance.UturnLeft, guidance.SharpLeft, guidance.Left, guidance.SlightLeft, guidance.RampRight, guidance.RampLeft, guidance.StayRight, guidance.StayLeft:
		return true
	}
	return false
}

// dropSmallForks leaves out the fork at a slip road's end where one turns to
// the same side at once.
func (b *builder) dropSmallForks() {
	for i := 1; i+1 < len(b.drafts); i++ {
		p, d, n := b.drafts[i-1], b.drafts[i], b.drafts[i+1]
		same := d.kind == guidance.StayRight && (n.kind == guidance.SlightRight || n.kind == guidance.Right || n.kind == guidance.SharpRight) ||
			d.kind == guidance.StayLeft && (n.kind == guidance.SlightLeft || n.kind == guidance.Left || n.kind == guidance.SharpLeft)
		if same && !p.forkInside && p.ramp && d.ramp && !n.ramp && d.metres <= smallForkMetres {
			b.absorb(i - 1)
			b.drafts[i-1].forkInside = true
		}
	}
}

// dropMerges leaves out the merging at the end of a slip road.
func (b *builder) dropMerges() {
	for i := 0; i+1 < len(b.drafts); i++ {
		d, n := b.drafts[i], b.drafts[i+1]
		if !d.ramp || !isMerge(n.kind) || d.mergeInside {
			continue
		}
		if d.stays && !slices.Equal(d.names, n.names) {
			d.stays = false
		}
		if len(n.names) > 0 {
			d.names = n.names
		}
		b.absorb(i)
		d.mergeInside = true
	}
}
