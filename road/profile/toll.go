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

// pays reports whether limits make the traveller pay toll: by the kind of vehicle, and by
// its weight.
func (c *Costing) pays(l *graph.Limits) bool {
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
	c.tolledBefore = make([]bool, len(c.tolled))
	for i := range c.g.Limits {
		c.tolledBefore[i] = c.g.Limits[i].Toll&c.mode != 0
	}
	if c.tollFactor < 0 { // and stopping to pay costs nothing
		c.tolled = c.tolledBefore
	}
}

// Tolled reports whether the traveller pays toll for an edge.
func (c *Costing) Tolled(e graph.Edge) bool { return c.tollOn(e, c.g.Segment(e)) }

func (c *Costing) tollOn(e graph.Edge, s graph.Segment) bool {
	return c.g.BySegment[s].Flags&graph.Toll != 0 && c.tolled[c.g.ByEdge[e].Limit]
}

// beginsToll reports whether the traveller pays toll for the edge that a turn leads to and
// not for the one that it leaves.
func (c *Costing) beginsToll(e, f graph.Edge, from, to graph.Segment) bool {
	return c.tollOn(f, to) && !(c.g.BySegment[from].Flags&graph.Toll != 0 && c.tolledBefore[c.g.ByEdge[e].Limit])
}

// TolledAt reports whether the traveller pays toll at a node: at a booth, or under a
// gantry.
func (c *Costing) TolledAt(n graph.Node) bool {
	at := &c.g.ByNode[n]
	return at.Flags&graph.TollBooth != 0 && c.tolled[at.Limit]
}

// booth reports whether the traveller stops at a node to pay toll: not under a gantry.
func (c *Costing) booth(n graph.Node) bool {
	return c.TolledAt(n) && c.g.ByNode[n].Flags&graph.TollGantry == 0
}

// mayStop is booth for lower bounds, whatever the vehicle's weight.
func (c *Costing) mayStop(n graph.Node) bool {
	at := &c.g.ByNode[n]
	return at.Flags&(graph.TollBooth|graph.TollGantry) == graph.TollBooth && c.tolledBefore[at.Limit]
}

// excludedToll reports whether the options exclude an edge for its toll. A road that takes
// only cash is not excluded for travellers who pay no toll on it.
func (c *Costing) excludedToll(e graph.Edge, s graph.Segment) bool {
	if !c.opt.ExcludeTolls && !c.opt.ExcludeCashTolls {
		return false
	}
	flags := c.g.BySegment[s].Flags
	return c.opt.ExcludeTolls && c.tollOn(e, s) ||
		c.opt.ExcludeCashTolls && flags&graph.CashToll != 0 && (flags&graph.Toll == 0 || c.tollOn(e, s))
}
