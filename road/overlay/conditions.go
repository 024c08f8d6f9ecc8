package overlay

import (
	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
)

// Conditions are the restrictions of a graph that hold only at times: on access to
// edges, on turns, and the sailing times of ferries. They are immutable.
type Conditions struct {
	g     *graph.Graph
	edges [2]map[graph.Set]*edgeRules          // forward and backward, by attribute set
	turns map[graph.Set]*conditional.Condition // by attribute set
	bans  []graph.Turn                         // of turns that are banned at times
}

// edgeRules are the rules of all edges of one direction with one attribute set.
type edgeRules struct {
	rules []conditional.Rule
	hours *hours.Schedule // of a ferry
	modes graph.Modes     // that any of them concerns
}

// ReadConditions finds the restrictions of a graph. It looks at the edges that have some
// and at all restricted turns, and reads each set of tags once.
func ReadConditions(g *graph.Graph) *Conditions {
	c := &Conditions{g: g, edges: [2]map[graph.Set]*edgeRules{{}, {}}, turns: map[graph.Set]*conditional.Condition{}}
	for _, e := range g.Timed {
		side, set := c.side(e), g.ByEdge[e].Attributes
		if _, read := c.edges[side][set]; !read {
			c.edges[side][set] = c.read(set, side == 1)
		}
	}
	for i := range g.Turns {
		t := &g.Turns[i]
		if t.Timed != 0 && t.Replace == graph.None {
			c.bans = append(c.bans, *t)
		}
		if t.Timed == 0 || c.turns[t.Set] != nil {
			continue
		}
		condition := conditional.ParseCondition(g.Attribute(t.Set, "condition"))
		c.turns[t.Set] = &condition
	}
	return c
}

func (c *Conditions) side(e graph.Edge) int {
	if c.g.Backward(e) {
		return 1
	}
	return 0
}

// read gives the rules of a set, nil where none depends on the time.
func (c *Conditions) read(set graph.Set, backward bool) *edgeRules {
	r := &edgeRules{rules: conditional.Rules(func(yield func(key, value string) bool) { c.g.Attributes(set, yield) }, backward)}
	for i := range r.rules {
		r.modes |= r.rules[i].Modes
	}
	if text := c.g.Attribute(set, "opening_hours"); text != "" {
		if s, err := hours.Parse(text); err == nil {
			r.hours, r.modes = s, graph.AllModes
		}
	}
	if r.modes == 0 {
		return nil
	}
	return r
}

// rulesOf gives the rules of an original edge, nil where none concerns the mode.
func (c *Conditions) rulesOf(e graph.Edge, mode graph.Modes) *edgeRules {
	if c.g.ByEdge[e].Flags&graph.Conditional == 0 {
		return nil
	}
	r := c.edges[c.side(e)][c.g.ByEdge[e].Attributes]
	if r == nil || r.modes&mode == 0 {
		return nil
	}
	return r
}

// Opens lists the edges that the law closes to a mode and opens at times.
func (c *Conditions) Opens(mode graph.Modes) map[graph.Edge]bool {
	opens := map[graph.Edge]bool{}
	for _, e := range c.g.Timed {
		if c.g.ByEdge[e].Access&mode != 0 {
			continue
		}
		r := c.rulesOf(e, mode)
		if r == nil {
			continue
		}
		for i := range r.rules {
			rule := &r.rules[i]
			if rule.Modes&mode == 0 || rule.Oneway && c.g.ByEdge[c.g.ByEdge[e].Opposite].Access&mode == 0 {
				continue
			}
			for j := range rule.Clauses {
				switch rule.Permits(rule.Clauses[j].Value) {
				case conditional.Allows, conditional.ToDestinations:
					opens[e] = true
				case conditional.Unclear, conditional.Forbids:
				}
			}
		}
	}
	return opens
}
