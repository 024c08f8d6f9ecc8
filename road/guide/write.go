package guide

import (
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
)

// writeList writes the list of manoeuvres from the candidates and adds the destination.
func writeList(l *leg, candidates []*candidate) []guidance.Manoeuvre {
	list := make([]guidance.Manoeuvre, len(candidates)+1)
	for i := range candidates {
		d, m := candidates[i], &list[i]
		m.Type, m.Names, m.BeginNames, m.Travel, m.DriveOnLeft = d.kind, d.names, d.beginNames, d.travel, d.is(driveOnLeft)
		m.ToStayOn, m.EndOfRoad = d.toStayOn, d.endOfRoad && d.kind.Turn()
		m.Way = wayOf(l.use(d.begin))
		m.End = len(l.path)
		if i > 0 {
			m.Begin = int(l.hops[d.begin].firstStep)
			list[i-1].End = m.Begin
			m.Before = roundDegrees(l.exactEndBearing(d.begin - 1))
		}
		m.After = roundDegrees(l.exactStartBearing(d.turnHop))
		switch {
		case d.is(roundabout):
			m.Exits = d.exits
			if d.begin > 0 {
				m.Exits += l.exitsPassed(d.begin, d.is(driveOnLeft))
			}
		case m.Type == guidance.RoundaboutExit && i > 0:
			m.Exits = list[i-1].Exits
		}
		m.Sign = d.sign
		switch d.kind {
		case guidance.Elevator, guidance.Steps, guidance.Escalator, guidance.LevelChange:
			m.Level = l.levelAfter(d)
		}
	}
	for i := range candidates {
		m := &list[i]
		m.BeginShape, m.EndShape = l.line.Step[m.Begin], l.line.Step[m.End]
		l.sum(candidates[i], m)
	}
	if l.driving() {
		markLanes(l, candidates, list)
	}
	end := l.line.Step[len(l.path)]
	last, dest := &list[len(candidates)-1], &list[len(candidates)]
	*dest = guidance.Manoeuvre{
		Type: guidance.Destination, Begin: len(l.path), End: len(l.path), BeginShape: end, EndShape: end,
		Names: last.Names, Way: last.Way, Travel: last.Travel, DriveOnLeft: last.DriveOnLeft,
		Before: roundDegrees(l.exactEndBearing(len(l.hops) - 1)),
	}
	switch l.o.To {
	case guidance.LeftSide:
		dest.Type = guidance.DestinationLeft
	case guidance.RightSide:
		dest.Type = guidance.DestinationRight
	}
	return list
}

// sum adds up the hops of a candidate into its manoeuvre.
func (l *leg) sum(d *candidate, m *guidance.Manoeuvre) {
	m.Metres = d.metres
	var all hopFlags
	for k := d.begin; k < d.end; k++ {
		h := &l.hops[k]
		all |= h.flags
		m.Seconds += h.seconds
		m.Cost += h.cost
	}
	setFlags(m, all)
}

// setFlags sets the facts of a stretch in its manoeuvre.
func setFlags(m *guidance.Manoeuvre, all hopFlags) {
	m.Toll, m.Highway, m.Ferry, m.Unpaved = all&toll != 0, all&highway != 0, all&ferry != 0, all&unpaved != 0
	m.Gate, m.Timed = all&gate != 0, all&timed != 0
}

// Total sums up a whole path as one manoeuvre: length, time, cost and the facts
// of its edges. Of the options the ways of travel and the tolls count.
func Total(g *graph.Graph, path graph.Path, o Options) guidance.Manoeuvre {
	var m guidance.Manoeuvre
	var all hopFlags
	for i := range path {
		s := &path[i]
		seg := g.Segment(s.Edge)
		m.Metres += float64(g.BySegment[seg].Length) * (s.End - s.Begin)
		m.Seconds += s.Seconds + s.Turn
		m.Cost += s.Cost
		all |= flagsOf(g, s.Edge, seg, &o)
		if i > 0 && s.Begin == 0 && path[i-1].End == 1 && g.ByEdge[s.Edge].Tail == g.ByEdge[path[i-1].Edge].Head {
			all |= flagsBetween(g, path[i-1].Edge, s.Edge, o.Modes)
		}
	}
	setFlags(&m, all)
	return m
}

// timedAccess reports whether a mode's access to an edge depends on the time.
func timedAccess(g *graph.Graph, e graph.Edge, modes graph.Modes) bool {
	if g.ByEdge[e].Flags&graph.Conditional == 0 {
		return false
	}
	set := g.ByEdge[e].Attributes
	law := conditional.ReadRules(func(yield func(key, value string) bool) { g.Attributes(set, yield) }, g.Backward(e))
	return law != nil && law.Timed()&modes != 0
}

// timedTurn reports whether a restriction of a turn for some of the modes
// depends on the time.
func timedTurn(g *graph.Graph, from, to graph.Edge, modes graph.Modes) bool {
	for _, t := range g.TurnsFrom(from) {
		if t.To == to && t.When == graph.AtTimes && t.Modes&modes != 0 {
			return true
		}
	}
	return false
}
