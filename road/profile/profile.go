// Package profile says what the roads cost a traveller: whether an edge may be
// travelled, how long it takes, and how a traveller of that kind weighs it
// against others. Names, meanings and numbers are those of Valhalla's costing
// options, so that a user of that engine finds the same knobs.
//
// A cost is in milliseconds of weighted time, a whole number, so that sums do
// not depend on the order they are made in.
package profile

import (
	"math"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
)

// Costing weighs the edges and turns of one graph for one traveller. It is
// immutable and safe for all goroutines.
type Costing struct {
	g    *graph.Graph
	opt  costing.Options
	mode graph.Modes

	opens    map[graph.Edge]bool // edges the law closes and opens at times, which count as open
	bent     *overlay.Overlay
	limits   []bool // by record of graph.Limits: the vehicle and its load fit
	excluded graph.SegFlags

	ferryFactor, railFactor   float64
	ferryPenalty, railPenalty float64
	highwayFactor, tollFactor float64
	trackFactor, livingFactor float64
	trackPenalty              float64
	livingPenalty             float64
	roadFactor                float64 // how much the class of a road matters to a cyclist
	unlitFactor               float64
	timeFactor                float64 // what a second of travel counts
	distanceFactor            float64 // seconds that a metre counts besides
	primaryFactor             float64
	surfaceShare              float64 // how much the ground matters to a driver
	hills                     [16]float64
}

// Forbidden is the cost of what may not be travelled.
const Forbidden = math.MaxUint32

// maxCost bounds the cost of one edge or turn, so that the sum of many fits 64
// bits and of a few fits 32.
const maxCost = 1 << 30

// New gives the costing of a traveller.
func New(g *graph.Graph, opt costing.Options) *Costing { return NewOpen(g, opt, nil) }

// NewOpen gives the costing of a traveller who may also use some edges that the
// law closes to him: they open at times, and it is not this costing that knows
// when.
func NewOpen(g *graph.Graph, opt costing.Options, opens map[graph.Edge]bool) *Costing {
	c := &Costing{g: g, opt: opt, mode: Mode(opt.Costing), opens: opens}
	if opt.Wheelchair {
		c.mode = graph.Wheelchair
	}
	c.limits = make([]bool, len(g.Limits))
	for i := range g.Limits {
		c.limits[i] = c.fits(&g.Limits[i])
	}
	flag := func(on bool, f graph.SegFlags) {
		if on {
			c.excluded |= f
		}
	}
	flag(opt.ExcludeBridges, graph.Bridge)
	flag(opt.ExcludeTunnels, graph.Tunnel)
	flag(opt.ExcludeTolls, graph.Toll)
	flag(opt.ExcludeUnpaved && opt.Costing != costing.Bicycle && opt.Costing != costing.Pedestrian, graph.Unpaved)
	flag(opt.ExcludeCashTolls, graph.CashToll)
	c.wishes()
	c.hills = c.dread()
	return c
}

// wishes turns the willingness options into factors, by the curves Valhalla
// documents: neutral in the middle, steep at the ends.
func (c *Costing) wishes() {
	o := &c.opt
	c.ferryFactor, c.ferryPenalty = transport(o.UseFerry)
	c.railFactor, c.railPenalty = transport(o.UseRailFerry)
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
	c.trackFactor, c.trackPenalty = byway(o.UseTracks, 4, 300)
	c.livingFactor, c.livingPenalty = byway(o.UseLivingStreets, 3, 500)
	// At use_distance 1 the length alone counts, at the pace of 16 m/s.
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

// byway gives the factor of a kind of small road and the penalty of turning
// into one that a willingness stands for, from the most at 0 over none at 0.5
// to a little favour at 1.
func byway(use, mostFactor, mostPenalty float64) (factor, penalty float64) {
	if use < 0.5 {
		return mostFactor - 2*use*(mostFactor-1), mostPenalty * (1 - 2*use)
	}
	return 1.2 - 0.4*use, 0
}

// transport gives the factor of the time aboard and the penalty of boarding
// that a willingness stands for.
func transport(use float64) (factor, penalty float64) {
	const most = 6 * 3600
	if use < 0.5 {
		return 10 - 18*use, most * (1 - 2*use)
	}
	return 1.5 - use, 0
}

func (c *Costing) fits(l *graph.Limits) bool {
	o := &c.opt
	// A hair over is over; the millionth is for what a float makes of 3.4.
	over := func(have float64, limit uint16) bool { return limit != 0 && have*100-1e-6 > float64(limit) }
	if o.Costing > costing.Bus {
		return true
	}
	if over(o.Height, l.Height) || over(o.Width, l.Width) {
		return false
	}
	if over(o.Length, l.Length) || over(o.Weight, l.Weight) {
		return false
	}
	if o.Costing == costing.Auto {
		return true
	}
	if over(o.AxleLoad, l.AxleLoad) {
		return false
	}
	if l.Axles != 0 && o.AxleCount > l.Axles || o.Hazmat && l.Hazmat != 0 {
		return false
	}
	return o.TunnelFrom == 0 || l.Tunnel < o.TunnelFrom
}

// Mode is the traveller's bit in the graph's access sets.
func (c *Costing) Mode() graph.Modes { return c.mode }

// Options are the traveller's.
func (c *Costing) Options() costing.Options { return c.opt }

// Allowed reports whether the traveller may use an edge at all: by law, by the
// vehicle's size and load. What the options exclude is still allowed at the
// ends of a route; see Excluded.
func (c *Costing) Allowed(e graph.Edge) bool {
	g := c.g
	if !c.Lawful(e) && !c.opens[e] {
		return false
	}
	s := g.Segment(e)
	if g.Use[s] == graph.Construction && !c.opt.IgnoreConstruction {
		return false
	}
	if !c.limits[g.Limit[e]] {
		return false
	}
	return c.passable(s)
}

// Lawful reports whether the law, or what the options make of it, opens an edge
// to the traveller, restrictions that hold only at times apart.
func (c *Costing) Lawful(e graph.Edge) bool {
	access := c.g.Access[e]
	if c.opt.IgnoreOneways && c.g.Access[c.g.Opposite[e]]&c.mode != 0 {
		access |= c.mode
	}
	return access&c.mode != 0 || c.opt.IgnoreAccess || c.opt.IncludeHOV && c.opt.Costing == costing.Auto && access&graph.HOV != 0 || c.hgvAnyway(e)
}

// hgvAnyway reports whether a lorry may use, at a penalty, a road closed to
// lorries but open to cars.
func (c *Costing) hgvAnyway(e graph.Edge) bool {
	return c.opt.Costing == costing.Truck && c.opt.HGVNoAccessPenalty < costing.Never && c.g.Access[e]&graph.Auto != 0
}

// passable looks at the ground.
func (c *Costing) passable(s graph.Segment) bool {
	g := c.g
	switch c.opt.Costing {
	case costing.Pedestrian:
		if g.Hiking[s] > c.opt.MaxHikingDifficulty {
			return false
		}
		return !c.opt.Wheelchair || g.Use[s] != graph.Steps && g.Surface[s] < graph.Gravel
	case costing.Bicycle:
		if c.opt.AvoidBadSurfaces == 1 {
			return g.Surface[s] <= worstSurface[c.opt.Bicycle]
		}
	}
	return g.Surface[s] != graph.Impassable
}

// Excluded reports whether the options exclude an edge, so that a route may
// use it only at its very start or end.
func (c *Costing) Excluded(e graph.Edge) bool {
	s := c.g.Segment(e)
	if c.g.SegFlags[s]&c.excluded != 0 {
		return true
	}
	return c.opt.ExcludeHighways && c.g.Class[s] == graph.Motorway && c.g.Use[s] == graph.Road ||
		c.opt.ExcludeFerries && (c.g.Use[s] == graph.Ferry || c.g.Use[s] == graph.RailFerry)
}

// Seconds is the time an edge takes, turns apart.
func (c *Costing) Seconds(e graph.Edge) float64 {
	if c.bent != nil {
		if kmh, slow := c.bent.Speed(e); slow {
			return c.SecondsAt(e, kmh)
		}
	}
	return c.freeSeconds(e)
}

func (c *Costing) freeSeconds(e graph.Edge) float64 {
	return float64(c.g.Length[c.g.Segment(e)]) * 3.6 / c.Speed(e)
}

// Speed is the speed of travel on an edge in km/h, above zero.
func (c *Costing) Speed(e graph.Edge) float64 {
	g, o := c.g, &c.opt
	s := g.Segment(e)
	use := g.Use[s]
	if use == graph.Ferry || use == graph.RailFerry {
		return max(1, float64(g.Speed[e]))
	}
	switch o.Costing {
	case costing.Pedestrian:
		return max(0.1, o.WalkingSpeed/(hikingTime[g.Hiking[s]]*pedestrianToil[g.Grade(e)]))
	case costing.Bicycle:
		return c.bicycleSpeed(e, s)
	}
	if o.FixedSpeed > 0 {
		return o.FixedSpeed
	}
	speed := float64(g.Speed[e])
	if o.Costing == costing.Truck {
		if t := g.TruckSpeed[e]; t != 0 {
			speed = min(speed, float64(t))
		}
	}
	if o.Costing == costing.MotorScooter && g.Surface[s] >= graph.Dirt {
		speed = min(speed, 25)
	}
	speed = min(speed, o.TopSpeed)
	if o.Costing == costing.MotorScooter {
		speed = climbing(speed, g.Grade(e))
	}
	return max(1, speed)
}

// SecondsAt is Seconds where live traffic moves at a speed in km/h: motor
// traffic is no faster than it, and never faster than on the free road.
func (c *Costing) SecondsAt(e graph.Edge, kmh float64) float64 {
	return float64(c.g.Length[c.g.Segment(e)]) * 3.6 / c.speedAt(e, kmh)
}

func (c *Costing) speedAt(e graph.Edge, kmh float64) float64 {
	free := c.Speed(e)
	if c.opt.Costing == costing.Bicycle || c.opt.Costing == costing.Pedestrian {
		return free
	}
	return min(free, max(1, kmh))
}

// EdgeSlowed is EdgeAtEnd where live traffic moves at a speed in km/h. It is
// at least EdgeAtEnd.
func (c *Costing) EdgeSlowed(e graph.Edge, kmh float64) uint32 {
	cost := c.free(e)
	late := c.SecondsAt(e, kmh) - c.freeSeconds(e)
	if c.opt.Shortest || late <= 0 {
		return cost
	}
	return min(maxCost, cost+milli(late*c.timeFactor*c.factor(e)))
}

// Edge is the cost of an edge, or Forbidden.
func (c *Costing) Edge(e graph.Edge) uint32 {
	if !c.Allowed(e) || c.Excluded(e) || c.bent != nil && c.bent.Closed(e) {
		return Forbidden
	}
	return c.EdgeAtEnd(e)
}

// EdgeAtEnd is the cost of an edge that may be used, excluded or not.
func (c *Costing) EdgeAtEnd(e graph.Edge) uint32 {
	if c.bent != nil {
		if kmh, slow := c.bent.Speed(e); slow {
			return c.EdgeSlowed(e, kmh)
		}
	}
	return c.free(e)
}

// free is what an edge costs without traffic.
func (c *Costing) free(e graph.Edge) uint32 {
	metres := float64(c.g.Length[c.g.Segment(e)])
	seconds := metres // where the length is all that counts, a metre is a second
	if !c.opt.Shortest {
		seconds = (c.freeSeconds(e)*c.timeFactor + metres*c.distanceFactor) * c.factor(e)
	}
	cost := milli(seconds)
	if cost == 0 && metres > 0 {
		return 1 // so that no way round is free
	}
	return cost
}

func milli(seconds float64) uint32 {
	return uint32(min(maxCost, max(0, math.Round(seconds*1000))))
}

// Graph is the graph whose edges the costing weighs.
func (c *Costing) Graph() *graph.Graph { return c.g }

// Mode is the bit of a costing in the graph's access sets.
func Mode(c costing.Costing) graph.Modes {
	return [...]graph.Modes{
		costing.Auto: graph.Auto, costing.Truck: graph.Truck, costing.Bus: graph.Bus, costing.MotorScooter: graph.MotorScooter,
		costing.Motorcycle: graph.Motorcycle, costing.Bicycle: graph.Bicycle, costing.Pedestrian: graph.Pedestrian,
	}[c]
}
