package guide

import (
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
)

const (
	channelMetres  = 200 // longest slip road that is part of a turn
	jointMetres    = 30  // longest piece of way inside one junction
	medianMetres   = 60  // widest median crossed in a u-turn
	nameGapMetres  = 100 // longest stretch of another name not worth a word
	smallTurn      = 25  // degrees that count as straight on
	leastHalfUturn = 45
)

// combine joins drafts that a traveller sees as one: the slip road of a turn,
// the piece of road between two carriageways, a name that lasts for a bridge.
func (b *builder) combine() {
	for i := 1; i+1 < len(b.drafts); {
		if b.skipName(i) || b.join(i) {
			i = max(1, i-1)
			continue
		}
		i++
	}
	if len(b.drafts) > 1 {
		first, next := &b.drafts[0], &b.drafts[1]
		if len(first.Names) == 0 && goesOn(next.Type) && first.Travel == next.Travel && b.metres(first) <= jointMetres {
			first.Names, first.Way, first.End = next.Names, next.Way, next.End
			b.drafts = slices.Delete(b.drafts, 1, 2)
		}
	}
}

// skipName drops draft i and the next where the road has another name only
// for a short stretch.
func (b *builder) skipName(i int) bool {
	prev, m, n := &b.drafts[i-1], &b.drafts[i], &b.drafts[i+1]
	if !goesOn(m.Type) || !goesOn(n.Type) || b.metres(m) > nameGapMetres ||
		m.Travel != n.Travel || m.Travel != prev.Travel || len(common(prev.Names, n.Names)) == 0 {
		return false
	}
	prev.Names = common(prev.Names, n.Names)
	prev.End = n.End
	b.drafts = slices.Delete(b.drafts, i, i+2)
	return true
}

// join makes one turn of draft i and the next where the stretch between them
// lies within one junction.
func (b *builder) join(i int) bool {
	prev, m, n := &b.drafts[i-1], &b.drafts[i], &b.drafts[i+1]
	if !n.Type.Turn() || m.Travel != n.Travel {
		return false
	}
	metres := b.metres(m)
	total := signed(geo.Turn(m.before, n.after))
	stays := len(common(prev.Names, n.Names)) > 0
	t := turnType(total, SharpLeft)
	if t == SharpLeft && m.turn+n.turn > 0 {
		t = SharpRight
	}
	switch {
	case b.isChannel(m) && (m.Type.Turn() || m.Type >= StayStraight && m.Type <= StayLeft):
	case !m.Type.Turn():
		return false
	case metres <= medianMetres && stays && b.oneway(m.Begin-1) && b.oneway(n.Begin) && m.turn*n.turn > 0 &&
		math.Min(math.Abs(m.turn), math.Abs(n.turn)) >= leastHalfUturn && math.Abs(total) >= 150:
		t = UturnLeft
		if m.turn > 0 {
			t = UturnRight
		}
	case metres <= jointMetres && goesOn(m.Type) && math.Abs(m.turn) <= smallTurn && !goesOn(n.Type) && prev.Travel == n.Travel:
		// The road goes on into the junction; the turn is where it bends.
		prev.End, n.Stays = n.Begin, stays
		b.drafts = slices.Delete(b.drafts, i, i+1)
		return true
	case metres > jointMetres || math.Min(math.Abs(m.turn), math.Abs(n.turn)) > smallTurn:
		return false
	case len(m.Names) > 0 && len(common(prev.Names, m.Names)) == 0 && len(common(m.Names, n.Names)) == 0:
		return false
	}
	if t == Continue && stays && prev.Travel == n.Travel {
		prev.Names, prev.End = common(prev.Names, n.Names), n.End
		b.drafts = slices.Delete(b.drafts, i, i+2)
		return true
	}
	if t == Continue && n.Type == Becomes && m.Type == Becomes {
		t = Becomes
	}
	m.Type, m.turn, m.after, m.Stays = t, total, n.after, stays
	m.Names, m.Way, m.End = n.Names, n.Way, n.End
	b.drafts = slices.Delete(b.drafts, i+1, i+2)
	return true
}

func (b *builder) isChannel(d *draft) bool {
	for i := d.Begin; i < d.End; i++ {
		if !b.channel(b.path[i].Edge) {
			return false
		}
	}
	return b.metres(d) <= channelMetres
}

func (b *builder) oneway(step int) bool {
	g, e := b.g, b.path[step].Edge
	return g.Access[g.Opposite[e]]&b.o.Modes == 0
}

func (b *builder) metres(d *draft) float64 {
	return b.path[d.Begin:d.End].Metres(b.g)
}

func goesOn(t Type) bool { return t == Becomes || t == Continue }
