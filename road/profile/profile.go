// Package profile computes the costs of roads for a traveller: whether an edge may be
// travelled, how long that takes, and how a traveller with some options weighs
// it against others. The options are those of package costing; the rules and
// tables are those of Valhalla's costings
// (https://valhalla.github.io/valhalla/api/turn-by-turn/api-reference/#costing-models),
// so that its users find the options they know with the meaning they know.
//
// A Costing joins options with a graph. Edge is the cost of an edge, Turn that
// of the turn from one edge into the next, and Follow the edge that a turn leads to
// where restrictions are built in as copies. A search calls them edge by edge,
// or reads a Metric, in which they are computed for the whole graph. LowerBound is
// a costing at or below those of all travellers of a kind, for lower bounds.
//
// A cost is in milliseconds of weighted time. It is a whole number, so that
// sums do not depend on the order of adding and two searches agree to the last
// digit.
package profile

import (
	"math"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
)

// Costing weighs the edges and turns of one graph for one traveller. It is
// immutable and safe for all goroutines.
type Costing struct {
	g    *graph.Graph
	opt  costing.Options
	mode graph.Modes

	best          *overlay.BestTimes // at which roads count as open, and as fast as they ever are; nil for no time
	overlay       *overlay.Overlay
	limits        []pass // by record of graph.Limits
	hasLastResort bool   // some record has the pass lastResort

	lenient     bool           // the options open edges that access does not; see byOptions
	atPenalty   bool           // a lorry may use roads closed to lorries but open to cars
	excludes    bool           // the options exclude some edges
	excluded    graph.SegFlags // of segments that are excluded
	surfaces    uint8          // those that may be travelled, as bits
	hardestHike uint8          // the hardest path that may be travelled, on the SAC scale
	noSteps     bool           // nor steps

	ferryFactor, railFactor   float64
	ferryPenalty, railPenalty float64
	highwayFactor, tollFactor float64
	trackFactor, livingFactor float64
	trackPenalty              float64
	livingPenalty             float64
	roadFactor                float64 // weight of the class of a road for a cyclist
	unlitFactor               float64
	timeFactor                float64 // cost of a second of travel
	distanceFactor            float64 // cost of a metre, in seconds, in addition
	primaryFactor             float64
	surfaceShare              float64    // weight of the surface for a driver
	classTerm, surfaceTerm    [8]float64 // terms of a driver's factor
	hillFactor                [16]float64
}

// Forbidden is the cost of what may not be travelled.
const Forbidden = math.MaxUint32

// maxCost bounds the cost of one edge or turn, so that the sum of many fits 64
// bits and of a few fits 32.
const maxCost = 1 << 30

// New returns the costing of a traveller.
func New(g *graph.Graph, opt costing.Options) *Costing { return NewOpen(g, opt, nil) }

// NewOpen returns the costing of a traveller for whom the roads are as at the best of times:
// open if the law opens them at times, and with the highest limits. An overlay.Clock has
// their state at a time.
func NewOpen(g *graph.Graph, opt costing.Options, best *overlay.BestTimes) *Costing {
	return newCosting(g, opt, best, Vehicle(&opt), conditional.Unheeded)
}

// newCosting returns a costing whose conditions are checked for a vehicle.
func newCosting(g *graph.Graph, opt costing.Options, best *overlay.BestTimes, v *conditional.Vehicle, doubt conditional.Doubt) *Costing {
	c := &Costing{g: g, opt: opt, mode: Mode(opt.Costing)}
	if best.Any() {
		c.best = best
	}
	if opt.Wheelchair {
		c.mode = graph.Wheelchair
	}
	c.limits = make([]pass, len(g.Limits))
	for i := range g.Limits {
		c.limits[i] = c.passOf(&g.Limits[i], v, doubt)
		c.hasLastResort = c.hasLastResort || c.limits[i]&lastResort != 0
	}
	c.lenient = opt.IgnoreOneways || opt.IgnoreAccess || opt.IncludeHOV && opt.Costing == costing.Auto
	c.atPenalty = opt.Costing == costing.Truck && opt.HGVNoAccessPenalty < costing.Never
	flag := func(on bool, f graph.SegFlags) {
		if on {
			c.excluded |= f
		}
	}
	flag(opt.ExcludeBridges, graph.Bridge)
	flag(opt.ExcludeTunnels, graph.Tunnel)
	flag(opt.ExcludeUnpaved && opt.Costing != costing.Bicycle && opt.Costing != costing.Pedestrian, graph.Unpaved)
	c.excludes = c.excluded != 0 || opt.ExcludeTolls || opt.ExcludeCashTolls || opt.ExcludeHighways || opt.ExcludeFerries
	c.surfaces, c.hardestHike, c.noSteps = c.grounds()
	c.factors()
	c.hillFactor = c.hillFactors()
	return c
}

// factors turns the options for how willingly something is used, from 0 to 1, into factors,
// by the curves that Valhalla documents: flat around the middle and steep at the ends.
func (c *Costing) factors() {
	o := &c.opt
	c.ferryFactor, c.ferryPenalty = ferryWeights(o.UseFerry)
	c.railFactor, c.railPenalty = ferryWeights(o.UseRailFerry)
	switch {
	case o.UseHighways < 0.5:
		f := 1 - 2*o.UseHighways
		c.highwayFactor = 8 * f * f
	default:
		f := o.UseHighways - 0.5
		c.highwayFactor = -f * f * f
	}
	steep := 8.0
	c.surfaceShare = 0.5
	switch o.Costing {
	case costing.Truck:
		steep, c.surfaceShare = 4, 1
	case costing.Motorcycle:
		f := 1 - 2*o.UseTrails
		c.surfaceShare = 8 * f * f
		if f < 0 {
			c.surfaceShare = f * f * f / 8
		}
	}
	if o.UseTolls < 0.5 {
		c.tollFactor = steep * (0.5 - o.UseTolls)
	} else {
		c.tollFactor = 0.03 * (0.5 - o.UseTolls)
	}
	c.trackFactor, c.trackPenalty = smallRoad(o.UseTracks, 4, 300)
	c.livingFactor, c.livingPenalty = smallRoad(o.UseLivingStreets, 3, 500)
	// At use_distance 1 only the length counts, as if travelled at 16 m/s.
	c.timeFactor, c.distanceFactor = 1-o.UseDistance, o.UseDistance/16
	if o.UseRoads < 0.5 {
		c.roadFactor = 2 - 2*o.UseRoads
	} else {
		c.roadFactor = 1.5 - o.UseRoads
	}
	if o.UsePrimary < 0.5 {
		c.primaryFactor = 3 - 4*o.UsePrimary
	} else {
		c.primaryFactor = 1.5 - o.UsePrimary
	}
	if o.UseLit < 0.5 {
		c.unlitFactor = 1 + 2*o.UseLit
	} else {
		c.unlitFactor = 12*o.UseLit - 4
	}
	for i := range c.classTerm {
		c.classTerm[i], c.surfaceTerm[i] = c.highwayFactor*highwayShare[i], c.surfaceShare*surfaceFactor[i]
	}
}

// smallRoad returns the factor of a kind of small road and the penalty of turning into one
// by the willingness to use it: both are highest at 0, the penalty is 0 from 0.5 on, and at
// 1 the factor is a little below 1.
func smallRoad(use, mostFactor, mostPenalty float64) (factor, penalty float64) {
	if use < 0.5 {
		return mostFactor - 2*use*(mostFactor-1), mostPenalty * (1 - 2*use)
	}
	return 1.2 - 0.4*use, 0
}

// ferryWeights returns the factor of the time aboard and the penalty of boarding, in
// seconds, by the willingness to use ferries.
func ferryWeights(use float64) (factor, penalty float64) {
	const most = 6 * 3600
	if use < 0.5 {
		return 10 - 18*use, most * (1 - 2*use)
	}
	return 1.5 - use, 0
}

// Mode returns the traveller's bit in the graph's access sets.
func (c *Costing) Mode() graph.Modes { return c.mode }

// Options returns the traveller's options.
func (c *Costing) Options() costing.Options { return c.opt }

// Edge returns the cost of an edge, or Forbidden.
func (c *Costing) Edge(e graph.Edge) uint32 {
	r := c.road(e)
	if !c.allowed(r) || c.excludes && c.isExcluded(r) || c.overlay != nil && c.overlay.Closed(e) {
		return Forbidden
	}
	return c.cost(r)
}

// EdgeAtEnd returns the cost of an edge that may be used, excluded or not.
func (c *Costing) EdgeAtEnd(e graph.Edge) uint32 { return c.cost(c.road(e)) }

func (c *Costing) cost(r road) uint32 {
	if c.overlay != nil {
		if kmh, slow := c.overlay.Speed(r.e); slow {
			return c.EdgeSlowed(r.e, kmh)
		}
	}
	return c.freeFlowCost(r)
}

// EdgeSlowed is EdgeAtEnd where live traffic moves at a speed in km/h. It is
// at least EdgeAtEnd.
func (c *Costing) EdgeSlowed(e graph.Edge, kmh float64) uint32 {
	r := c.road(e)
	if c.opt.Shortest {
		return c.freeFlowCost(r)
	}
	return c.slowed(r, c.usualSpeed(r), kmh)
}

// EdgeUnder is EdgeAtEnd where the speed limits are others than usual, and live traffic
// moves at a speed in km/h, infinite where that is not known.
func (c *Costing) EdgeUnder(e graph.Edge, l graph.SpeedLimits, kmh float64) uint32 {
	r := c.road(e)
	if c.opt.Shortest {
		return c.freeFlowCost(r)
	}
	return c.slowed(r, c.speedUnder(r, l), kmh)
}

// slowed returns the cost of an edge on which the traveller would be as fast as free, in
// km/h, while traffic moves at kmh.
func (c *Costing) slowed(r road, free, kmh float64) uint32 {
	metres, factor := float64(r.segment.Length), c.factor(r)
	seconds := metres * 3.6 / free
	cost := c.costOf(metres, seconds, factor)
	late := metres*3.6/c.slower(free, kmh) - seconds
	if late <= 0 {
		return cost
	}
	return min(maxCost, cost+milli(late*c.timeFactor*factor))
}

// freeFlowCost returns the cost of an edge without live traffic.
func (c *Costing) freeFlowCost(r road) uint32 {
	metres := float64(r.segment.Length)
	if c.opt.Shortest {
		return atLeastOne(milli(metres), metres) // a metre costs as much as a second otherwise
	}
	return c.costOf(metres, metres*3.6/c.usualSpeed(r), c.factor(r))
}

// costOf returns the cost of an edge by its length, its time and the factor of its kind.
func (c *Costing) costOf(metres, seconds, factor float64) uint32 {
	return atLeastOne(milli((seconds*c.timeFactor+metres*c.distanceFactor)*factor), metres)
}

// atLeastOne returns a cost above zero for anything with a length, so that no loop is free.
func atLeastOne(cost uint32, metres float64) uint32 {
	if cost == 0 && metres > 0 {
		return 1
	}
	return cost
}

// milli returns a time in whole milliseconds, rounded half up.
func milli(seconds float64) uint32 {
	return uint32(min(maxCost, max(0, seconds*1000)) + belowHalf)
}

// belowHalf is the greatest number below a half. Added to a number below 2^52 and cut to a
// whole one it rounds as math.Round does: with a half itself the greatest number below it
// would become 1.
const belowHalf = 0x1.fffffffffffffp-2

// road is an edge with its records, which are looked up once for all that is computed of it.
type road struct {
	e       graph.Edge
	edge    *graph.EdgeRecord
	segment *graph.SegmentRecord
}

func (c *Costing) road(e graph.Edge) road {
	return road{e, &c.g.ByEdge[e], &c.g.BySegment[c.g.Segment(e)]}
}

// Graph returns the graph whose edges the costing weighs.
func (c *Costing) Graph() *graph.Graph { return c.g }

// Mode returns the bit of a costing in the graph's access sets.
func Mode(c costing.Costing) graph.Modes {
	return [...]graph.Modes{
		costing.Auto: graph.Auto, costing.Truck: graph.Truck, costing.Bus: graph.Bus, costing.MotorScooter: graph.MotorScooter,
		costing.Motorcycle: graph.Motorcycle, costing.Bicycle: graph.Bicycle, costing.Pedestrian: graph.Pedestrian,
	}[c]
}
