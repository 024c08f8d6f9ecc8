package overlay

import (
	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
)

// Conditions are the restrictions of a graph that hold only at times or for some vehicles:
// of access to edges, of turns, of speed, and the sailing times of ferries. They are
// immutable.
type Conditions struct {
	g     *graph.Graph
	edges [2]map[graph.Set]*edgeRules  // forward and backward, by attribute set
	turns map[graph.Set]*turnCondition // by attribute set
	bans  []graph.Turn                 // of turns that are banned at times
}

// edgeRules is the rules of all edges of one direction with one attribute set.
type edgeRules struct {
	*conditional.Rules
	modes  graph.Modes // that conditions with times concern
	placed bool        // times depend on the place
	// The same of speed limits.
	speeds       graph.Modes
	speedsPlaced bool
}

// turnCondition is the condition, of times or vehicles, under which turns are banned.
type turnCondition struct {
	conditional.Condition
	placed bool
}

// ReadConditions reads the restrictions of a graph. It looks at the edges that have some
// and at all restricted turns, and reads each set of tags once.
func ReadConditions(g *graph.Graph) *Conditions {
	c := &Conditions{g: g, edges: [2]map[graph.Set]*edgeRules{{}, {}}, turns: map[graph.Set]*turnCondition{}}
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
		if text := g.Attribute(t.Set, graph.OpenKey); text != "" {
			condition = conditional.Condition{}
			if s, err := hours.Parse(text); err == nil {
				condition.Outside = []*hours.Schedule{s}
			}
		}
		c.turns[t.Set] = &turnCondition{condition, condition.Placed()}
	}
	return c
}

func (c *Conditions) side(e graph.Edge) int {
	if c.g.Backward(e) {
		return 1
	}
	return 0
}

// read returns the rules of a set, nil where there is none.
func (c *Conditions) read(set graph.Set, backward bool) *edgeRules {
	law := conditional.ReadRules(func(yield func(key, value string) bool) { c.g.Attributes(set, yield) }, backward)
	if law == nil {
		return nil
	}
	return &edgeRules{law, law.Timed(), law.Placed(), law.TimedSpeeds(), law.SpeedsPlaced()}
}

// rulesOf returns the rules of an original edge, nil where there is none.
func (c *Conditions) rulesOf(e graph.Edge) *edgeRules {
	if c.g.ByEdge[e].Flags&graph.Conditional == 0 {
		return nil
	}
	return c.edges[c.side(e)][c.g.ByEdge[e].Attributes]
}

// speedRules returns the rules of an original edge, nil where no speed limit of the mode
// depends on the time.
func (c *Conditions) speedRules(e graph.Edge, mode graph.Modes) *edgeRules {
	l := c.rulesOf(e)
	if l == nil || l.speeds&mode == 0 {
		return nil
	}
	return l
}

// timedRules returns the rules of an original edge, nil where no condition with times concerns
// the mode.
func (c *Conditions) timedRules(e graph.Edge, mode graph.Modes) *edgeRules {
	l := c.rulesOf(e)
	if l == nil || l.modes&mode == 0 {
		return nil
	}
	return l
}

// near names the place of a node, whose segments lie in a country.
func (c *Conditions) near(n graph.Node, s graph.Segment) conditional.Near {
	return conditional.NearTo(c.g.Country[s], c.g.Position[n].Point())
}

// BestTimes are the roads as they are at the best of times for a traveller.
type BestTimes struct {
	Open map[graph.Edge]bool // edges that are closed to requests without a time, and open at times
	// Limits are at or above the highest of edges whose speed limits are higher at times
	// than usual.
	Limits map[graph.Edge]graph.SpeedLimits
}

// Any reports whether any road may be better at some time than without a time.
func (b *BestTimes) Any() bool { return b != nil && len(b.Open)+len(b.Limits) > 0 }

// BestTimes returns the roads at the best of times for any traveller of a mode.
func (c *Conditions) BestTimes(mode graph.Modes) *BestTimes {
	best := &BestTimes{map[graph.Edge]bool{}, map[graph.Edge]graph.SpeedLimits{}}
	all := &conditional.Vehicle{Mode: mode, Range: conditional.AnyRange, Hazmat: hours.Unknown}
	for _, e := range c.g.Timed {
		l := c.rulesOf(e)
		if l == nil {
			continue
		}
		if l.speeds&mode != 0 {
			usual := c.g.SpeedLimits(e, mode)
			if most := l.Fastest(usual, mode); most != usual {
				best.Limits[e] = most
			}
		}
		if l.OpensAtTimes()&mode == 0 {
			continue
		}
		if p := l.Of(c.g.ByEdge[e].Access&mode != 0, nil, all, conditional.Feared); !p.Open || !p.Fits {
			best.Open[e] = true
		}
	}
	return best
}

// Doubts yields the tags, on the turn from edge e (graph.None for no turn) and on the
// original f, that might have kept a vehicle from passing and were not heeded at a
// moment of local time there, nil where no time is known: at times, those that depend
// on the time, and else those that depend on what is not known, as the weather.
func (c *Conditions) Doubts(e, f graph.Edge, m *conditional.LocalTime, v *conditional.Vehicle, yield func(tag string, atTimes bool)) {
	g := c.g
	if l := c.rulesOf(f); l != nil {
		if m != nil && l.placed {
			m = &conditional.LocalTime{Local: m.Local, Place: c.near(g.ByEdge[f].Tail, g.Segment(f)).Place()}
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
			m = &conditional.LocalTime{Local: m.Local, Place: c.near(g.ByEdge[f].Tail, g.Segment(f)).Place()}
		}
		if t.At(m, v) == hours.Unknown {
			what := "restriction:conditional of relation " + g.Attribute(x.Set, "id")
			if tag := g.Attribute(x.Set, graph.GateKey); tag != "" {
				what = tag
			}
			yield(what, m == nil && t.Timed())
		}
	}
}
