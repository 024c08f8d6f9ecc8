package profile

import (
	"bytes"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
)

// Delay is the cost and time of a turn.
type Delay struct {
	Cost    uint32  // milliseconds of weighted time, Forbidden where there is no turning
	Seconds float64 // real time lost
}

var noTurn = Delay{Cost: Forbidden}

// turnType is the shape of a turn, by the change of bearing.
type turnType uint8

const (
	straight turnType = iota
	slightRight
	right
	sharpRight
	reverse
	sharpLeft
	left
	slightLeft
)

// turnTypeOf classifies a change of bearing of 0 to 359 degrees with Valhalla's
// limits.
func turnTypeOf(turn int) turnType { return turnTypes[turn] }

var turnTypes = func() (all [360]turnType) {
	for t := range all {
		switch {
		case t >= 350 || t <= 10:
			all[t] = straight
		case t <= 44:
			all[t] = slightRight
		case t <= 135:
			all[t] = right
		case t <= 159:
			all[t] = sharpRight
		case t <= 200:
			all[t] = reverse
		case t <= 224:
			all[t] = sharpLeft
		case t <= 315:
			all[t] = left
		default:
			all[t] = slightLeft
		}
	}
	return all
}()

// Turn returns the delay of going from edge e (which may be a copy) to edge f (an original),
// without restrictions: the cost of the node, of the turn itself and of entering f. If an
// overlay has a time of the turn, the delay is not less than that.
func (c *Costing) Turn(e, f graph.Edge) Delay {
	if c.overlay != nil {
		if least, slow := c.overlay.TurnSeconds(c.g.Original(e), f); slow {
			return c.TurnSlowed(e, f, least)
		}
	}
	return c.freeTurn(e, f)
}

// TurnSlowed is Turn where live traffic takes so many seconds at least to turn:
// motor traffic, and never less than without it.
func (c *Costing) TurnSlowed(e, f graph.Edge, least float32) Delay {
	d := c.freeTurn(e, f)
	late := float64(least) - d.Seconds
	if d.Cost == Forbidden || late <= 0 || !c.opt.Costing.Motorised() {
		return d
	}
	d.Seconds += late
	if !c.opt.Shortest {
		d.Cost = min(maxCost, d.Cost+milli(late*c.timeFactor))
	}
	return d
}

// freeTurn is Turn without live traffic.
func (c *Costing) freeTurn(e, f graph.Edge) Delay {
	n := c.g.ByEdge[e].Head
	back := f == c.g.ByEdge[e].Opposite
	if !c.passes(n) && !back {
		return noTurn
	}
	if back && !c.mayTurnRound(e, n) {
		return noTurn
	}
	return c.delay(e, f, n, back)
}

// MayTurn reports whether Turn allows going from edge e (which may be a copy) to the
// original f, without computing the cost.
func (c *Costing) MayTurn(e, f graph.Edge) bool {
	n := c.g.ByEdge[e].Head
	if f == c.g.ByEdge[e].Opposite {
		return c.mayTurnRound(e, n)
	}
	return c.passes(n)
}

// delay returns the delay of an allowed turn at node n; back is whether it turns round.
func (c *Costing) delay(e, f graph.Edge, n graph.Node, back bool) Delay {
	g, o := c.g, &c.opt
	seconds, penalty := 0.0, 0.0
	if !back {
		seconds, penalty = c.barrier(n)
	}
	from, to := c.road(e), c.road(f)
	if use := to.segment.Use; use != from.segment.Use && (use != graph.ServiceRoad || to.edge.Flags&graph.Internal == 0) {
		s, p := c.entering(use)
		seconds, penalty = seconds+s, penalty+p
	}
	if o.Costing == costing.Pedestrian && to.segment.Use == graph.Steps {
		penalty += o.StepPenalty
	}
	if c.beginsToll(from, to) && !c.mayStop(n) {
		seconds, penalty = seconds+o.TollBoothCost, penalty+o.TollBoothPenalty
	}
	if c.turnsIntoBusiness(from.edge, to.edge) {
		penalty += o.DestinationOnlyPenalty
	}
	if c.hasLastResort && (c.LastResort(f) && !c.LastResort(e) || !back && c.LastResortAt(n)) {
		penalty += o.DestinationOnlyPenalty
	}
	if o.Costing == costing.Truck {
		if c.atPenalty && !c.entitled(to.edge, c.limits[to.edge.Limit]) && c.entitled(from.edge, c.limits[from.edge.Limit]) {
			penalty += o.HGVNoAccessPenalty
		}
		if to.segment.Class >= graph.Residential && from.segment.Class < graph.Residential {
			penalty += o.LowClassPenalty
		}
	}
	j := junctionAt(g, g.Original(e), f, n)
	if to.segment.Flags&graph.Link == 0 && !j.sameName {
		penalty += o.ManeuverPenalty
	}
	lost, weight := j.delay(o)
	seconds += lost
	entry := uint32(0)
	if c.Private(f) && !c.Private(e) {
		entry = PrivateEntry
	}
	if o.Shortest {
		return Delay{entry, seconds}
	}
	return Delay{entry + milli((seconds-lost+penalty+weight)*c.timeFactor), seconds}
}

// turnsIntoBusiness reports whether a turn leads onto roads that are open to the
// traveller only to reach a place there.
func (c *Costing) turnsIntoBusiness(from, to *graph.EdgeRecord) bool {
	into := to.Destination&c.mode != 0 || c.limits[to.Limit]&business != 0
	return into && from.Destination&c.mode == 0 && c.limits[from.Limit]&fromBusiness == 0
}

// PrivateEntry is the cost of a turn from a public road into a private one. It is so high
// that a path passes a private road only if it begins or ends there, or if no other way
// leads on. It is costing.Never in milliseconds, whatever is minimised.
const PrivateEntry = costing.Never * 1000

// Private reports whether the traveller may use an edge only to reach a place on it or on
// roads that are reached by way of it alone.
func (c *Costing) Private(e graph.Edge) bool {
	return c.g.ByEdge[e].Private&c.mode != 0 && !c.opt.IgnoreAccess
}

// Ahead returns a bound of the cost of the way on from an edge, wherever it leads, less
// PrivateEntry if it ends on a public road. It is PrivateEntry on a public road, because the
// path may still enter a private one, and 0 on a private one. With it a search from one
// place to many reaches private roads as soon as the public ones beside them.
func (c *Costing) Ahead(e graph.Edge) uint64 {
	if c.Private(e) {
		return 0
	}
	return PrivateEntry
}

// passes reports whether the traveller may pass a node: by law, and by the
// vehicle's size where something narrow or low stands there.
func (c *Costing) passes(n graph.Node) bool {
	p := c.limits[c.g.ByNode[n].Limit]
	if p&(fits|fitsNow) != fits|fitsNow {
		return false
	}
	if c.g.ByNode[n].Access&c.mode != 0 {
		return p&keepsOpen != 0
	}
	return p&opens != 0 || c.opt.IgnoreAccess
}

// mayTurnRound reports whether turning back at the head of an edge is allowed:
// for all but walkers only where no other edge may be taken.
func (c *Costing) mayTurnRound(e graph.Edge, n graph.Node) bool {
	if c.opt.Costing == costing.Pedestrian {
		return true
	}
	if !c.passes(n) {
		return true
	}
	g := c.g
	for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
		if f != g.ByEdge[e].Opposite && c.Allowed(f) {
			return false
		}
	}
	return true
}

// barrier returns the time and the penalty, in seconds, of what stands at a node.
func (c *Costing) barrier(n graph.Node) (seconds, penalty float64) {
	o, flags := &c.opt, c.g.ByNode[n].Flags
	if flags&(graph.Gate|graph.TollBooth|graph.BorderControl|graph.PrivateAccess) == 0 {
		return 0, 0
	}
	// A gate with tags that allow the traveller counts as open.
	if flags&(graph.Gate|graph.TaggedAccess) == graph.Gate {
		seconds, penalty = seconds+o.GateCost, penalty+o.GatePenalty
	}
	if c.booth(n) {
		seconds, penalty = seconds+o.TollBoothCost, penalty+o.TollBoothPenalty
	}
	if flags&graph.BorderControl != 0 {
		seconds, penalty = seconds+o.CountryCrossingCost, penalty+o.CountryCrossingPenalty
	}
	if flags&graph.PrivateAccess != 0 && flags&(graph.Gate|graph.Bollard) != 0 && c.g.Limits[c.g.ByNode[n].Limit].Private&c.mode != 0 {
		seconds, penalty = seconds+o.GateCost, penalty+o.PrivateAccessPenalty
	}
	return seconds, penalty
}

// entering returns the time and the penalty, in seconds, of boarding a ferry or turning into
// a road of another use.
func (c *Costing) entering(use graph.Use) (seconds, penalty float64) {
	o := &c.opt
	switch use {
	case graph.Ferry:
		return o.FerryCost, c.ferryPenalty
	case graph.RailFerry:
		return o.RailFerryCost, c.railPenalty
	case graph.Alley:
		return 0, o.AlleyPenalty
	case graph.ServiceRoad:
		return 0, o.ServicePenalty
	case graph.LivingStreet:
		return 0, c.livingPenalty
	case graph.Track:
		return 0, c.trackPenalty
	}
	return 0, 0
}

// sameName reports whether two roads with these names share a name or a number, or have none at
// all.
func sameName(g *graph.Graph, a, b graph.Set) bool {
	if a == b {
		return true
	}
	nameA, nameB := g.Value(a, graph.NameKey), g.Value(b, graph.NameKey)
	refA, refB := g.Value(a, graph.RefKey), g.Value(b, graph.RefKey)
	if nameA|nameB|refA|refB == 0 {
		return true
	}
	return shared(g, nameA, nameB) || shared(g, refA, refB)
}

// shared reports whether two texts have one of their parts in common. Semicolons separate
// the parts.
func shared(g *graph.Graph, a, b graph.Text) bool {
	if a == 0 || b == 0 {
		return false
	}
	if a == b {
		return true
	}
	whole, rest := g.Text[g.TextAt[b]:g.TextAt[b+1]], g.Text[g.TextAt[a]:g.TextAt[a+1]]
	for len(rest) > 0 {
		part, after, _ := bytes.Cut(rest, semicolon)
		for other := whole; len(other) > 0; {
			p, next, _ := bytes.Cut(other, semicolon)
			if len(p) > 0 && bytes.Equal(p, part) {
				return true
			}
			other = next
		}
		rest = after
	}
	return false
}

var semicolon = []byte(";")
