package guide

import (
	"math"
	"slices"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/hours"
)

// finish sums up the drafts' stretches and adds the destination.
func (b *builder) finish() {
	b.list = make([]Manoeuvre, 0, len(b.drafts)+1)
	for i := range b.drafts {
		d := &b.drafts[i]
		m := d.Manoeuvre
		m.BeginShape, m.EndShape = b.line.Step[m.Begin], b.line.Step[m.End]
		m.After = degrees(d.after)
		if i > 0 {
			m.Before = degrees(d.before)
		}
		if first := b.namesOf(b.path[m.Begin].Edge); len(first) > 0 && !slices.Equal(first, m.Names) {
			m.BeginNames = first
		}
		b.sum(&m)
		b.signs(&m)
		b.countExits(&m, i)
		b.list = append(b.list, m)
	}
	end := b.line.Step[len(b.path)]
	last := &b.list[len(b.list)-1]
	dest := Manoeuvre{
		Type: Destination, Begin: len(b.path), End: len(b.path), BeginShape: end, EndShape: end,
		Names: last.Names, Way: last.Way, Travel: last.Travel, DriveOnLeft: last.DriveOnLeft, Before: last.After,
	}
	switch b.o.To {
	case LeftSide:
		dest.Type = DestinationLeft
	case RightSide:
		dest.Type = DestinationRight
	}
	for i := len(b.path) - 1; i >= 0; i-- {
		if b.line.Step[i] < b.line.Step[i+1] {
			dest.Before = degrees(b.before(i))
			break
		}
	}
	b.list = append(b.list, dest)
}

func degrees(course float64) int { return int(math.Round(course)) % 360 }

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
		if i > 0 && b.atNode(i-1, i) {
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

// signs reads the signs where a way branches off. On a ramp they may stand a
// little after its start.
func (b *builder) signs(m *Manoeuvre) {
	switch m.Type {
	case RampStraight, RampRight, RampLeft, ExitRight, ExitLeft, StayStraight, StayRight, StayLeft:
		for i := m.Begin; i < m.End; i++ {
			e := b.path[i].Edge
			if s := b.sign(e); !s.Empty() {
				if len(m.Sign.Number) > 0 && len(s.Number) == 0 {
					s.Number = m.Sign.Number
				}
				m.Sign = s
			}
			if len(m.Sign.Branch)+len(m.Sign.Toward) > 0 || !b.ramp(e) {
				return
			}
		}
	case RoundaboutExit, Merge, MergeLeft, MergeRight:
		m.Sign = b.sign(b.path[m.Begin].Edge)
	}
}

// countExits counts the exits along a roundabout, for the draft that goes
// round it and for the one that leaves it.
func (b *builder) countExits(m *Manoeuvre, i int) {
	if m.Type == RoundaboutExit && i > 0 {
		m.Exits = b.list[i-1].Exits
		return
	}
	start := m.Begin
	for start < m.End && b.line.Step[start] == b.line.Step[start+1] {
		start++
	}
	if start == m.End || !b.roundabout(b.path[start].Edge) || i+1 >= len(b.drafts) || b.drafts[i+1].Type != RoundaboutExit {
		return
	}
	g := b.g
	m.Exits = 1
	for s := start + 1; s < m.End; s++ {
		if !b.atNode(s-1, s) {
			continue
		}
		p, c := b.path[s-1].Edge, b.path[s].Edge
		node := g.Tail[c]
		for e := g.FirstOut[node]; e < g.FirstOut[node+1]; e++ {
			if !b.roundabout(e) && !isPathUse(g.Use[g.Segment(e)]) && b.mayEnter(p, e) {
				m.Exits++
				break
			}
		}
	}
}

// Total sums up a whole path like one stretch: its length, time and cost and
// what lies on it.
func Total(g *graph.Graph, path graph.Path, modes graph.Modes) Manoeuvre {
	b := &builder{g: g, path: path, o: Options{Modes: modes}}
	m := Manoeuvre{End: len(path)}
	b.sum(&m)
	return m
}
