package overlay

import (
	"slices"

	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
)

// Conditions are the restrictions of a graph that hold only at times or for some
// vehicles: on access to edges, on turns, and the sailing times of ferries. They are
// immutable.
type Conditions struct {
	g     *graph.Graph
	edges [2]map[graph.Set]*edgeLaw    // forward and backward, by attribute set
	turns map[graph.Set]*turnCondition // by attribute set
	bans  []graph.Turn                 // of turns that are banned at times
}

// edgeLaw is the law of all edges of one direction with one attribute set.
type edgeLaw struct {
	*conditional.Law
	modes  graph.Modes // that conditions with times concern
	placed bool        // times depend on the place
}

// turnCondition is when, or for whom, turns are banned.
type turnCondition struct {
	conditional.Condition
	placed bool
}

// ReadConditions finds the restrictions of a graph. It looks at the edges that have some
// and at all restricted turns, and reads each set of tags once.
func ReadConditions(g *graph.Graph) *Conditions {
	c := &Conditions{g: g, edges: [2]map[graph.Set]*edgeLaw{{}, {}}, turns: map[graph.Set]*turnCondition{}}
	for _, e := range g.Timed {
		side, set := c.side(e), g.ByEdge[e].Attributes
		if _, read := c.edges[side][set]; !read {
			c.edges[side][set] = c.read(set, side == 1)
		}
	}
	for i := range g.Turns {
		t := &g.Turns[i]
		if t.When == graph.AtTimes && t.Replace == graph.None {
			c.bans = append(c.bans, *t)
		}
		if t.When == graph.Always || c.turns[t.Set] != nil {
			continue
		}
		condition := conditional.ParseCondition(g.Attribute(t.Set, "condition"))
		c.turns[t.Set] = &turnCondition{condition, slices.ContainsFunc(condition.Times, (*hours.Schedule).Placed)}
	}
	return c
}

func (c *Conditions) side(e graph.Edge) int {
	if c.g.Backward(e) {
		return 1
	}
	return 0
}

// read gives the law of a set, nil where there is none.
func (c *Conditions) read(set graph.Set, backward bool) *edgeLaw {
	law := conditional.ReadLaw(func(yield func(key, value string) bool) { c.g.Attributes(set, yield) }, backward)
	if law == nil {
		return nil
	}
	return &edgeLaw{law, law.Timed(), law.Placed()}
}

// lawOf gives the law of an original edge, nil where there is none.
func (c *Conditions) lawOf(e graph.Edge) *edgeLaw {
	if c.g.ByEdge[e].Flags&graph.Conditional == 0 {
		return nil
	}
	return c.edges[c.side(e)][c.g.ByEdge[e].Attributes]
}

// timedLaw gives the law of an original edge, nil where no condition with times concerns
// the mode.
func (c *Conditions) timedLaw(e graph.Edge, mode graph.Modes) *edgeLaw {
	l := c.lawOf(e)
	if l == nil || l.modes&mode == 0 {
		return nil
	}
	return l
}

// near gives the name of the place of a node, whose segments lie in a country.
func (c *Conditions) near(n graph.Node, s graph.Segment) conditional.Near {
	return conditional.NearTo(c.g.Country[s], c.g.Position[n].Point())
}

// Opens lists the edges that are closed to some traveller of a mode at no time and open
// at times.
func (c *Conditions) Opens(mode graph.Modes) map[graph.Edge]bool {
	opens := map[graph.Edge]bool{}
	all := &conditional.Vehicle{Mode: mode, Range: conditional.AnyRange, Hazmat: hours.Unknown}
	for _, e := range c.g.Timed {
		l := c.lawOf(e)
		if l == nil || l.OpensAtTimes()&mode == 0 {
			continue
		}
		if p := l.Of(c.g.ByEdge[e].Access&mode != 0, nil, all, conditional.Feared); !p.Open || !p.Fits {
			opens[e] = true
		}
	}
	return opens
}

// Doubts yields the tags, on the turn from edge e (graph.None for no turn) and on the
// original f, that might have kept a vehicle from passing and were not heeded at a
// moment of local time there, nil where no time is known: at times, those that depend
// on the time, and else those that depend on what is not known, as the weather.
func (c *Conditions) Doubts(e, f graph.Edge, m *conditional.Moment, v *conditional.Vehicle, yield func(tag string, atTimes bool)) {
	g := c.g
	if l := c.lawOf(f); l != nil {
		if m != nil && l.placed {
			m = &conditional.Moment{Local: m.Local, Place: c.near(g.ByEdge[f].Tail, g.Segment(f)).Place()}
		}
		l.Doubts(m, v, yield)
	}
	if e == graph.None {
		return
	}
	for _, x := range g.TurnsFrom(e) {
		if x.To != f || x.When == graph.Always || x.Replace != graph.None || x.Modes&v.Mode == 0 {
			continue
		}
		t := c.turns[x.Set]
		if m != nil && t.placed {
			m = &conditional.Moment{Local: m.Local, Place: c.near(g.ByEdge[f].Tail, g.Segment(f)).Place()}
		}
		if t.At(m, v) == hours.Unknown {
			yield("restriction:conditional of relation "+g.Attribute(x.Set, "id"), m == nil && t.Timed())
		}
	}
}
