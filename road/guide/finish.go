package guide

import (
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/hours"
)

// finish sums up the drafts' stretches and adds the destination.
func (b *builder) finish() {
	b.list = make([]Manoeuvre, len(b.drafts)+1)
	for i := range b.drafts {
		d, m := &b.drafts[i], &b.list[i]
		m.Type, m.Names, m.BeginNames, m.Travel, m.DriveOnLeft = d.kind, d.names, d.beginNames, d.travel, d.onLeft
		m.Stays, m.EndOfRoad = d.stays, d.endOfRoad && d.kind.Turn()
		m.Way = wayOf(b.use(d.begin))
		m.End = len(b.path)
		if i > 0 {
			m.Begin = int(b.steps[d.begin])
			b.list[i-1].End = m.Begin
			m.Before = degrees(b.before(d.begin - 1))
		}
		m.After = degrees(b.after(d.turned))
		switch {
		case d.roundabout:
			m.Exits = d.exits
		case m.Type == RoundaboutExit && i > 0:
			m.Exits = b.list[i-1].Exits
		}
		m.Sign = d.ownSign
		if set := b.signOf(d); set != 0 {
			m.Sign = b.sign(set)
		}
	}
	for i := range b.drafts {
		m := &b.list[i]
		m.BeginShape, m.EndShape = b.line.Step[m.Begin], b.line.Step[m.End]
		b.sum(m)
	}
	if b.driving() {
		b.markLanes()
	}
	end := b.line.Step[len(b.path)]
	last, dest := &b.list[len(b.drafts)-1], &b.list[len(b.drafts)]
	*dest = Manoeuvre{
		Type: Destination, Begin: len(b.path), End: len(b.path), BeginShape: end, EndShape: end,
		Names: last.Names, Way: last.Way, Travel: last.Travel, DriveOnLeft: last.DriveOnLeft,
		Before: degrees(b.before(len(b.steps) - 1)),
	}
	switch b.o.To {
	case LeftSide:
		dest.Type = DestinationLeft
	case RightSide:
		dest.Type = DestinationRight
	}
}

// after is the exact course at which step k of b.steps begins, before that at
// which it ends.
func (b *builder) after(k int) float64 {
	i := int(b.steps[k])
	return leaving(b.stepLine(i), b.look(i))
}

func (b *builder) before(k int) float64 {
	i := int(b.steps[k])
	return arriving(b.stepLine(i), b.look(i))
}

// signOf is the attribute set of a draft's signs. On a slip road they may
// stand a little after its start.
func (b *builder) signOf(d *draft) uint32 {
	if d.sign != 0 || !d.ramp {
		return d.sign
	}
	for k := d.begin; k < d.end && b.use(k) == graph.Ramp; k++ {
		if set := b.g.Sign[b.edge(k)]; set != 0 && b.signs(set) {
			return set
		}
	}
	return 0
}

// markLanes notes the lanes before each manoeuvre. Where the next one follows
// soon, the lanes on its side are those to be in.
func (b *builder) markLanes() {
	for i := 1; i < len(b.drafts); i++ {
		m := &b.list[i]
		m.Lanes = LanesAt(b.g, b.path, m.Begin-1)
	}
}

// sum adds up a stretch and notes what lies on it.
func (b *builder) sum(m *Manoeuvre) {
	g := b.g
	for i := m.Begin; i < m.End; i++ {
		s := &b.path[i]
		seg := g.Segment(s.Edge)
		m.Metres += g.EdgeLength(s.Edge) * (s.End - s.Begin)
		m.Seconds += s.Seconds + s.Turn
		m.Cost += s.Cost
		m.Toll = m.Toll || g.SegFlags[seg]&graph.Toll != 0
		m.Highway = m.Highway || g.Class[seg] == graph.Motorway && g.Use[seg] != graph.Ramp
		m.Ferry = m.Ferry || isFerry(g.Use[seg])
		m.Rough = m.Rough || !isFerry(g.Use[seg]) && (g.Surface[seg] >= graph.Compacted || g.SegFlags[seg]&graph.Unpaved != 0)
		m.Timed = m.Timed || timedAccess(g, s.Edge, b.o.Modes)
		if i > 0 && s.Begin == 0 && b.path[i-1].End == 1 && g.Tail[s.Edge] == g.Head[b.path[i-1].Edge] {
			m.Gate = m.Gate || g.NodeFlags[g.Tail[s.Edge]]&graph.Gate != 0
			m.Timed = m.Timed || timedTurn(g, b.path[i-1].Edge, g.Original(s.Edge), b.o.Modes)
		}
	}
}

// timedAccess reports whether a mode's access to an edge depends on the time.
func timedAccess(g *graph.Graph, e uint32, modes graph.Modes) bool {
	if g.EdgeFlags[e]&graph.Conditional == 0 {
		return false
	}
	set := g.Sign[e]
	for _, r := range hours.Rules(func(yield func(key, value string) bool) { g.Attributes(set, yield) }, g.Backward(e)) {
		if r.Modes&modes != 0 {
			return true
		}
	}
	return g.Attribute(set, "opening_hours") != ""
}

func timedTurn(g *graph.Graph, from, to uint32, modes graph.Modes) bool {
	for _, t := range g.TurnsFrom(from) {
		if t.To == to && t.Timed != 0 && t.Modes&modes != 0 {
			return true
		}
	}
	return false
}

// Total sums up a whole path like one stretch: its length, time and cost and
// what lies on it.
func Total(g *graph.Graph, path graph.Path, modes graph.Modes) Manoeuvre {
	b := &builder{g: g, path: path, o: Options{Modes: modes}}
	m := Manoeuvre{End: len(path)}
	b.sum(&m)
	return m
}
