package profile

import "github.com/waygate/waygate/road/graph"

// Follow returns the edge reached by going from edge e (a copy perhaps) into the original f:
// f itself or, in the middle of a restriction over several ways, a copy of it. ok is false
// if a restriction forbids it. Restrictions with times do not forbid it; an overlay.Clock
// applies those.
func (c *Costing) Follow(e, f graph.Edge) (to graph.Edge, ok bool) {
	if c.g.ByEdge[e].Flags&graph.Turning == 0 {
		return f, true
	}
	to = f
	for _, t := range c.g.TurnsFrom(e) {
		if t.To != f {
			continue
		}
		if t.Replace != graph.None {
			to = t.Replace
		} else if c.bans(&t) {
			return 0, false
		}
	}
	return to, true
}

// bans reports whether a restriction of a turn applies to the traveller at all times.
func (c *Costing) bans(t *graph.Turn) bool {
	if t.Modes&c.mode == 0 || c.opt.IgnoreRestrictions {
		return false
	}
	limits, some := t.ForVehicles()
	return some && c.limits[limits]&forbids != 0 || t.When == graph.Always && !c.opt.IgnoreNonVehicular
}
