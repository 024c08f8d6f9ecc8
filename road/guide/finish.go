package guide

import (
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
)

// finish writes the list from the candidates and adds the destination.
func (b *builder) finish() {
	b.list = make([]guidance.Manoeuvre, len(b.candidates)+1)
	for i := range b.candidates {
		d, m := b.candidates[i], &b.list[i]
		m.Type, m.Names, m.BeginNames, m.Travel, m.DriveOnLeft = d.kind, d.names, d.beginNames, d.travel, d.driveOnLeft
		m.ToStayOn, m.EndOfRoad = d.toStayOn, d.endOfRoad && d.kind.Turn()
		m.Way = wayOf(b.use(d.begin))
		m.End = len(b.path)
		if i > 0 {
			m.Begin = int(b.hops[d.begin].firstStep)
			b.list[i-1].End = m.Begin
			m.Before = roundDegrees(b.exactEndCourse(d.begin - 1))
		}
		m.After = roundDegrees(b.exactStartCourse(d.turnHop))
		switch {
		case d.roundabout:
			m.Exits = d.exits
			if d.begin > 0 {
				m.Exits += b.exitsPassed(d.begin, d.driveOnLeft)
			}
		case m.Type == guidance.RoundaboutExit && i > 0:
			m.Exits = b.list[i-1].Exits
		}
		m.Sign = d.sign
		switch d.kind {
		case guidance.Elevator, guidance.Steps, guidance.Escalator, guidance.LevelChange:
			m.Level = b.levelAfter(d)
		}
	}
	for i := range b.candidates {
		m := &b.list[i]
		m.BeginShape, m.EndShape = b.line.Step[m.Begin], b.line.Step[m.End]
		b.sum(b.candidates[i], m)
	}
	if b.driving() {
		b.markLanes()
	}
	end := b.line.Step[len(b.path)]
	last, dest := &b.list[len(b.candidates)-1], &b.list[len(b.candidates)]
	*dest = guidance.Manoeuvre{
		Type: guidance.Destination, Begin: len(b.path), End: len(b.path), BeginShape: end, EndShape: end,
		Names: last.Names, Way: last.Way, Travel: last.Travel, DriveOnLeft: last.DriveOnLeft,
		Before: roundDegrees(b.exactEndCourse(len(b.hops) - 1)),
	}
	switch b.o.To {
	case guidance.LeftSide:
		dest.Type = guidance.DestinationLeft
	case guidance.RightSide:
		dest.Type = guidance.DestinationRight
	}
}

// exactStartCourse is the course at which hop k begins, taken from the line,
// and exactEndCourse that at which it ends, in degrees.
func (b *builder) exactStartCourse(k int) float64 {
	h := &b.hops[k]
	return lineStartCourse(b.stepLine(int(h.firstStep)), graph.CourseMetres(h.class, h.use), b.lonScale)
}

func (b *builder) exactEndCourse(k int) float64 {
	h := &b.hops[k]
	return lineEndCourse(b.stepLine(int(h.lastStep)), graph.CourseMetres(h.class, h.use), b.lonScale)
}

// sum adds up the hops of a candidate into its manoeuvre.
func (b *builder) sum(d *candidate, m *guidance.Manoeuvre) {
	m.Metres = d.metres
	var all hopFlags
	for k := d.begin; k < d.end; k++ {
		h := &b.hops[k]
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

// timedAccess reports whether a mode's access to an edge depends on the time.
func timedAccess(g *graph.Graph, e graph.Edge, modes graph.Modes) bool {
	if g.ByEdge[e].Flags&graph.Conditional == 0 {
		return false
	}
	set := g.ByEdge[e].Attributes
	law := conditional.ReadLaw(func(yield func(key, value string) bool) { g.Attributes(set, yield) }, g.Backward(e))
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

// Total sums up a whole path as one manoeuvre: length, time, cost and what lies
// on it. Of the options the ways of travel and the tolls count.
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
