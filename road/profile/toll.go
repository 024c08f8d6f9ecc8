package profile

import (
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
)

// bounds returns the bounds of the traveller's kind of vehicle; nil if its size is not
// known.
func (c *Costing) bounds(l *graph.Limits) *graph.Bounds {
	switch c.opt.Costing {
	case costing.Auto:
		return &l.Car
	case costing.Truck:
		return &l.Lorry
	case costing.Bus:
		return &l.Bus
	}
	return nil
}

// paysUnder reports whether limits make the traveller pay toll: by the kind of vehicle, and
// by its weight.
func (c *Costing) paysUnder(l *graph.Limits) bool {
	if l.Toll&c.mode == 0 {
		return false
	}
	b := c.bounds(l)
	return b == nil || b.TollOver == 0 || over(c.opt.Weight, b.TollOver)
}

// boundTolls makes the costing one at or below those of vehicles of every weight. A toll
// that only some of them pay counts as paid where that makes a road cheaper, and on the road
// that a turn leaves, so that the turn begins no toll.
func (c *Costing) boundTolls() {
	some := tolledBefore
	if c.tollFactor < 0 { // and stopping to pay costs nothing
		some |= tolled
	}
	for i := range c.g.Limits {
		if c.g.Limits[i].Toll&c.mode != 0 {
			c.limits[i] |= some
		}
	}
}

// Tolled reports whether the traveller pays toll for an edge.
func (c *Costing) Tolled(e graph.Edge) bool { return c.pays(c.road(e)) }

func (c *Costing) pays(r road) bool {
	return r.segment.Flags&graph.Toll != 0 && c.limits[r.edge.Limit]&tolled != 0
}

// beginsToll reports whether the traveller pays toll for the edge that a turn leads to and
// not for the one that it leaves.
func (c *Costing) beginsToll(from, to road) bool {
	return c.pays(to) && !(from.segment.Flags&graph.Toll != 0 && c.limits[from.edge.Limit]&tolledBefore != 0)
}

// TolledAt reports whether the traveller pays toll at a node: at a booth, or under a
// gantry.
func (c *Costing) TolledAt(n graph.Node) bool {
	at := &c.g.ByNode[n]
	return at.Flags&graph.TollBooth != 0 && c.limits[at.Limit]&tolled != 0
}

// booth reports whether the traveller stops at a node to pay toll: not under a gantry.
func (c *Costing) booth(n graph.Node) bool {
	return c.TolledAt(n) && c.g.ByNode[n].Flags&graph.TollGantry == 0
}

// mayStop is booth for lower bounds, whatever the vehicle's weight.
func (c *Costing) mayStop(n graph.Node) bool {
	at := &c.g.ByNode[n]
	return at.Flags&(graph.TollBooth|graph.TollGantry) == graph.TollBooth && c.limits[at.Limit]&tolledBefore != 0
}

// excludedToll reports whether the options exclude an edge for its toll. A road that takes
// only cash is not excluded for travellers who pay no toll on it.
func (c *Costing) excludedToll(r road) bool {
	if !c.opt.ExcludeTolls && !c.opt.ExcludeCashTolls {
		return false
	}
	flags := r.segment.Flags
	return c.opt.ExcludeTolls && c.pays(r) ||
		c.opt.ExcludeCashTolls && flags&graph.CashToll != 0 && (flags&graph.Toll == 0 || c.pays(r))
}
