package guide

import (
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// leg is a path through the graph with its line and the hops made of it.
type leg struct {
	g        *graph.Graph
	path     graph.Path
	line     Line
	o        Options
	hops     []hop
	names    nameTable
	lonScale float64     // length of a degree of longitude as a share of one of latitude
	shape    []geo.Point // memory for the line of an edge

	junctionAt int // the hop at whose begin current lies
	current    junction
}

func (l *leg) use(k int) graph.Use { return l.hops[k].use }

// startBearing returns the bearing at which hop k begins, endCourse that at which it
// ends.
func (l *leg) startBearing(k int) int { return int(l.hops[k].startBearing) }

func (l *leg) endBearing(k int) int { return int(l.hops[k].endBearing) }

// internalAt reports whether hop k lies within a junction; the first and the
// last hop of a path never do.
func (l *leg) internalAt(k int) bool {
	return k > 0 && k+1 < len(l.hops) && l.hops[k].is(internal)
}

// atNode reports whether hop k ends at a node from which the next goes on; at a
// place passed on the way it ends within its edge.
func (l *leg) atNode(k int) bool { return l.hops[k+1].is(contiguous) }

func (l *leg) stepLine(i int) []geo.Point {
	return l.line.Points[l.line.Step[i] : l.line.Step[i+1]+1]
}

func (l *leg) onFoot() bool { return l.o.Modes&graph.Vehicles == 0 }

func (l *leg) cycling() bool {
	return l.o.Modes&graph.Bicycle != 0 && l.o.Modes&graph.Motor == 0
}

func (l *leg) driving() bool { return l.o.Modes&graph.Motor != 0 }

// junction returns the junction at which hop k begins, valid until the next call.
func (l *leg) junction(k int) *junction {
	if l.junctionAt == k {
		return &l.current
	}
	l.junctionAt = k
	p, c := &l.hops[k-1], &l.hops[k]
	if c.is(contiguous) {
		l.current.examine(l, p, c)
		return &l.current
	}
	turn := normaliseTurn(int(c.startBearing) - int(p.endBearing))
	if l.g.Original(c.edge) == l.g.ByEdge[p.last].Opposite {
		turn = 180
	}
	l.current = junction{leg: l, from: p, to: c, turn: turn, straightest: 180, straightestOut: 180}
	return &l.current
}

// exactStartBearing returns the bearing at which hop k begins, taken from the line,
// and exactEndCourse that at which it ends, in degrees.
func (l *leg) exactStartBearing(k int) float64 {
	h := &l.hops[k]
	return lineStartBearing(l.stepLine(int(h.firstStep)), graph.BearingMetres(h.class, h.use), l.lonScale)
}

func (l *leg) exactEndBearing(k int) float64 {
	h := &l.hops[k]
	return lineEndBearing(l.stepLine(int(h.lastStep)), graph.BearingMetres(h.class, h.use), l.lonScale)
}
