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

	best       *overlay.BestTimes // at which roads count as open, and as fast as they ever are; nil for no time
	overlay    *overlay.Overlay
	limits     []pass // by record of graph.Limits
	tolled     []bool // by record of graph.Limits: the traveller pays toll
	lastResort []bool // by record of graph.Limits: the traveller should pass only where there is no other way
	// tolledBefore is the same of the edge that a turn leaves.
	tolledBefore []bool
	excluded     graph.SegFlags

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
	surfaceShare              float64 // weight of the surface for a driver
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
	c.limits, c.tolled, c.lastResort = make([]pass, len(g.Limits)), make([]bool, len(g.Limits)), make([]bool, len(g.Limits))
	for i := range g.Limits {
		l := &g.Limits[i]
		c.limits[i], c.tolled[i], c.lastResort[i] = c.passOf(l, v, doubt), c.pays(l), l.LastResort&c.mode != 0
	}
	c.tolledBefore = c.tolled
	flag := func(on bool, f graph.SegFlags) {
		if on {
			c.excluded |= f
		}
	}
	flag(opt.ExcludeBridges, graph.Bridge)
	flag(opt.ExcludeTunnels, graph.Tunnel)
	flag(opt.ExcludeUnpaved && opt.Costing != costing.Bicycle && opt.Costing != costing.Pedestrian, graph.Unpaved)
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

func (c *Costing) fits(l *graph.Limits) bool {
	o, b := &c.opt, c.bounds(l)
	if b == nil {
		return true
	}
	if over(o.Height, b.Height) || over(o.Width, b.Width) || over(o.Length, b.Length) || over(o.Weight, b.Weight) {
		return false
	}
	if o.Costing == costing.Auto {
		return true
	}
	if over(o.AxleLoad, b.AxleLoad) || l.Axles != 0 && o.AxleCount > l.Axles || o.Hazmat && l.Hazmat == graph.HazmatNo {
		return false
	}
	return o.TunnelFrom == 0 || l.Tunnel < o.TunnelFrom
}

// over reports whether a measure, in metres or tonnes, is above a limit in hundredths.
// Any excess is too much; the millionth absorbs the rounding of values as 3.4.
func over(have float64, limit uint16) bool { return limit != 0 && have*100-1e-6 > float64(limit) }

// Mode returns the traveller's bit in the graph's access sets.
func (c *Costing) Mode() graph.Modes { return c.mode }

// Options returns the traveller's options.
func (c *Costing) Options() costing.Options { return c.opt }

// Allowed reports whether the traveller may use an edge at all: by law, by the
// vehicle's size and load. What the options exclude is still allowed at the
// ends of a route; see Excluded.
func (c *Costing) Allowed(e graph.Edge) bool {
	g := c.g
	if c.limits[g.ByEdge[e].Limit]&fits == 0 || !c.OpenAlways(e) && (c.best == nil || !c.best.Open[e]) {
		return false
	}
	s := g.Segment(e)
	if g.BySegment[s].Use == graph.Construction && !c.opt.IgnoreConstruction {
		return false
	}
	return c.surfaceAllowed(s)
}

// OpenAlways reports whether an edge is open to the traveller, and to the vehicle by limits
// with conditions, while no rule with times is met.
func (c *Costing) OpenAlways(e graph.Edge) bool {
	return c.limits[c.g.ByEdge[e].Limit]&fitsNow != 0 && (c.entitled(e) || c.truckAtPenalty(e))
}

// entitled reports whether an edge is open to the traveller by access and by its
// conditions about the vehicle.
func (c *Costing) entitled(e graph.Edge) bool {
	p := c.limits[c.g.ByEdge[e].Limit]
	if c.byAccess(e) {
		return p&keepsOpen != 0
	}
	return p&opens != 0
}

// turnsIntoBusiness reports whether a turn leads onto roads that are open to the
// traveller only to reach a place there.
func (c *Costing) turnsIntoBusiness(e, f graph.Edge) bool {
	from, to := &c.g.ByEdge[e], &c.g.ByEdge[f]
	return (to.Destination&c.mode != 0 || c.limits[to.Limit]&business != 0) && from.Destination&c.mode == 0 && c.limits[from.Limit]&fromBusiness == 0
}

// HasAccess reports whether an edge is open to the traveller by access, or by what the options
// make of access. Conditions are left out.
func (c *Costing) HasAccess(e graph.Edge) bool { return c.byAccess(e) || c.truckAtPenalty(e) }

func (c *Costing) byAccess(e graph.Edge) bool {
	g := c.g
	access := g.ByEdge[e].Access
	if c.opt.IgnoreOneways && g.ByEdge[g.ByEdge[e].Opposite].Access&c.mode != 0 {
		access |= c.mode
	}
	return access&c.mode != 0 || c.opt.IgnoreAccess && g.ByEdge[e].Access != 0 || c.opt.IncludeHOV && c.opt.Costing == costing.Auto && access&graph.HOV != 0
}

// truckAtPenalty reports whether a lorry may use, at a penalty, a road closed to
// lorries but open to cars.
func (c *Costing) truckAtPenalty(e graph.Edge) bool {
	return c.opt.Costing == costing.Truck && c.opt.HGVNoAccessPenalty < costing.Never && c.g.ByEdge[e].Access&graph.Auto != 0
}

// surfaceAllowed reports whether a segment's surface and difficulty are within
// the traveller's options.
func (c *Costing) surfaceAllowed(s graph.Segment) bool {
	g := c.g
	switch c.opt.Costing {
	case costing.Pedestrian:
		if g.BySegment[s].Hiking > c.opt.MaxHikingDifficulty {
			return false
		}
		return !c.opt.Wheelchair || g.BySegment[s].Use != graph.Steps && g.BySegment[s].Surface < graph.Gravel
	case costing.Bicycle:
		if c.opt.AvoidBadSurfaces == 1 {
			return g.BySegment[s].Surface <= worstSurface[c.opt.Bicycle]
		}
	}
	return g.BySegment[s].Surface != graph.Impassable
}

// Excluded reports whether the options exclude an edge, so that a route may
// use it only at its very start or end.
func (c *Costing) Excluded(e graph.Edge) bool {
	s := c.g.Segment(e)
	if c.g.BySegment[s].Flags&c.excluded != 0 || c.excludedToll(e, s) {
		return true
	}
	return c.opt.ExcludeHighways && c.g.BySegment[s].Class == graph.Motorway && c.g.BySegment[s].Use == graph.Road ||
		c.opt.ExcludeFerries && (c.g.BySegment[s].Use == graph.Ferry || c.g.BySegment[s].Use == graph.RailFerry)
}

// Seconds returns the time an edge takes, without turns.
func (c *Costing) Seconds(e graph.Edge) float64 {
	if c.overlay != nil {
		if kmh, slow := c.overlay.Speed(e); slow {
			return c.SecondsAt(e, kmh)
		}
	}
	return c.freeSeconds(e)
}

func (c *Costing) freeSeconds(e graph.Edge) float64 {
	return float64(c.g.BySegment[c.g.Segment(e)].Length) * 3.6 / c.Speed(e)
}

// Speed returns the speed of travel on an edge in km/h, above zero.
func (c *Costing) Speed(e graph.Edge) float64 {
	if c.best != nil {
		if l, ok := c.best.Limits[e]; ok {
			return c.SpeedUnder(e, l)
		}
	}
	return c.speed(e, c.g.ByEdge[e].Speed, c.ownLimit(e))
}

// SpeedUnder is Speed with other speed limits than the usual ones.
func (c *Costing) SpeedUnder(e graph.Edge, l graph.SpeedLimits) float64 {
	return c.speed(e, driven(&c.g.ByEdge[e], l.All), l.Own)
}

// ownLimit returns the usual limit for the traveller's kind of vehicle, 0 if there is none.
func (c *Costing) ownLimit(e graph.Edge) uint8 {
	switch c.opt.Costing {
	case costing.Truck:
		return c.g.ByEdge[e].TruckSpeed
	case costing.Bus:
		return c.g.Limits[c.g.ByEdge[e].Limit].BusSpeed
	}
	return 0
}

const (
	// leastHeeded is the least limit in km/h that roads are driven at; see tags.DefaultSpeed.
	leastHeeded = 10
	// unlimited stands for no limit, and fast is how fast roads are driven then.
	unlimited, fast = 140, 105
)

// driven returns how fast free traffic moves on an edge with another limit than usual, 0 if
// that is not known. Where roads are driven at their usual limit, or up to 10 km/h below it
// because of bad ground, they are driven as much below a higher limit. Nothing is driven
// faster than a lower limit.
func driven(r *graph.EdgeRecord, limit uint8) uint8 {
	const bad = 10 // km/h that bad ground takes off
	switch {
	case limit == 0 || limit == r.Limited:
		return r.Speed
	case limit == unlimited:
		limit = max(fast, r.Limited)
	case limit < leastHeeded:
		limit = leastHeeded
	}
	if below := int(r.Limited) - int(r.Speed); limit > r.Limited && r.Limited > 0 && below >= 0 && below <= bad {
		return limit - uint8(below)
	}
	return min(r.Speed, limit)
}

// speed returns the speed of travel on an edge with free traffic at a speed, and perhaps a
// limit of its own for the traveller's kind of vehicle.
func (c *Costing) speed(e graph.Edge, free, own uint8) float64 {
	g, o := c.g, &c.opt
	s := g.Segment(e)
	use := g.BySegment[s].Use
	if use == graph.Ferry || use == graph.RailFerry {
		return max(1, float64(g.ByEdge[e].Speed))
	}
	switch o.Costing {
	case costing.Pedestrian:
		return max(0.1, o.WalkingSpeed/(hikingTime[g.BySegment[s].Hiking]*pedestrianGradeTime[g.Grade(e)]))
	case costing.Bicycle:
		return c.bicycleSpeed(e, s)
	}
	if o.FixedSpeed > 0 {
		return o.FixedSpeed
	}
	speed := float64(free)
	if own != 0 {
		speed = min(speed, float64(own))
	}
	if o.Costing == costing.MotorScooter && g.BySegment[s].Surface >= graph.Dirt {
		speed = min(speed, 25)
	}
	speed = min(speed, o.TopSpeed)
	if o.Costing == costing.MotorScooter {
		speed = scooterSpeed(speed, g.Grade(e))
	}
	return max(1, speed)
}

// SecondsAt is Seconds where live traffic moves at a speed in km/h: motor
// traffic is no faster than it, and never faster than without it.
func (c *Costing) SecondsAt(e graph.Edge, kmh float64) float64 {
	return float64(c.g.BySegment[c.g.Segment(e)].Length) * 3.6 / c.slower(c.Speed(e), kmh)
}

// slower returns the speed of a vehicle that would travel at free km/h, where traffic moves at kmh.
func (c *Costing) slower(free, kmh float64) float64 {
	if c.opt.Costing == costing.Bicycle || c.opt.Costing == costing.Pedestrian {
		return free
	}
	return min(free, max(1, kmh))
}

// EdgeSlowed is EdgeAtEnd where live traffic moves at a speed in km/h. It is
// at least EdgeAtEnd.
func (c *Costing) EdgeSlowed(e graph.Edge, kmh float64) uint32 {
	if c.opt.Shortest {
		return c.freeFlowCost(e)
	}
	return c.slowed(e, c.Speed(e), kmh)
}

// EdgeUnder is EdgeAtEnd where the speed limits are others than usual, and live traffic
// moves at a speed in km/h, infinite where that is not known.
func (c *Costing) EdgeUnder(e graph.Edge, l graph.SpeedLimits, kmh float64) uint32 {
	if c.opt.Shortest {
		return c.freeFlowCost(e)
	}
	return c.slowed(e, c.SpeedUnder(e, l), kmh)
}

// KmhUnder returns the speed of the traveller for EdgeUnder, in km/h.
func (c *Costing) KmhUnder(e graph.Edge, l graph.SpeedLimits, kmh float64) float64 {
	return c.slower(c.SpeedUnder(e, l), kmh)
}

// slowed returns the cost of an edge on which the traveller would be as fast as free, in
// km/h, while traffic moves at kmh.
func (c *Costing) slowed(e graph.Edge, free, kmh float64) uint32 {
	metres, factor := float64(c.g.BySegment[c.g.Segment(e)].Length), c.factor(e)
	seconds := metres * 3.6 / free
	cost := c.costOf(metres, seconds, factor)
	late := metres*3.6/c.slower(free, kmh) - seconds
	if late <= 0 {
		return cost
	}
	return min(maxCost, cost+milli(late*c.timeFactor*factor))
}

// Edge returns the cost of an edge, or Forbidden.
func (c *Costing) Edge(e graph.Edge) uint32 {
	if !c.Allowed(e) || c.Excluded(e) || c.overlay != nil && c.overlay.Closed(e) {
		return Forbidden
	}
	return c.EdgeAtEnd(e)
}

// EdgeAtEnd returns the cost of an edge that may be used, excluded or not.
func (c *Costing) EdgeAtEnd(e graph.Edge) uint32 {
	if c.overlay != nil {
		if kmh, slow := c.overlay.Speed(e); slow {
			return c.EdgeSlowed(e, kmh)
		}
	}
	return c.freeFlowCost(e)
}

// freeFlowCost returns the cost of an edge without live traffic.
func (c *Costing) freeFlowCost(e graph.Edge) uint32 {
	metres := float64(c.g.BySegment[c.g.Segment(e)].Length)
	if c.opt.Shortest {
		return atLeastOne(milli(metres), metres) // a metre costs as much as a second otherwise
	}
	return c.costOf(metres, c.freeSeconds(e), c.factor(e))
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

func milli(seconds float64) uint32 {
	return uint32(min(maxCost, max(0, math.Round(seconds*1000))))
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
