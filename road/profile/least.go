package profile

import (
	"math"

	"github.com/waygate/waygate/road/graph"
)

// Least is the cheapest that the edges and turns of a graph can be for any
// traveller of a kind: at or below the cost of all options that Bounds takes.
// A search for such options may be led by it. It is immutable.
type Least struct {
	g       *graph.Graph
	corners []*Costing
	strict  *Costing // what it allows, all options allow
}

// Cheapest gives the options of a kind with which every road is cheapest and
// most are open; the kind of bicycle and its use_roads are not settled by it.
func Cheapest(k Kind) Options {
	return Options{
		Kind: k, ServiceFactor: 1, UseFerry: 1, UseRailFerry: 1, UseHighways: 1, UseTolls: 1, UseLivingStreets: 1, UseTracks: 1,
		UsePrimary: 1, UseTrails: 1, UseHills: 1, TopSpeed: 252,
		CyclingSpeed: leastPace, WalkingSpeed: leastWalk, WalkwayFactor: 1, SidewalkFactor: 1, AlleyFactor: 1, DrivewayFactor: 1,
		MaxHikingDifficulty: 6, IncludeHOV: true,
	}
}

// NewLeast gives the least of a kind. opens are the edges that the law closes
// to it and opens at times; they count as open.
//
// Almost every cost falls or rises with each option by itself, so that its least
// lies at one end of the option's range. A cyclist's use of roads is the
// exception: see comfortable. Of the kinds of bicycle the cheapest counts.
func NewLeast(g *graph.Graph, k Kind, opens map[graph.Edge]bool) *Least {
	o := Cheapest(k)
	narrow := o
	narrow.HGVNoAccessPenalty, narrow.IncludeHOV, narrow.MaxHikingDifficulty = never, false, 0
	narrow.Height, narrow.Width, narrow.Length, narrow.Weight, narrow.AxleLoad, narrow.AxleCount = 1e3, 1e3, 1e3, 1e3, 1e3, 1e3
	narrow.Hazmat, narrow.TunnelFrom, narrow.Bicycle, narrow.AvoidBadSurfaces = true, 'B', RoadBicycle, 1
	l := &Least{g: g, strict: New(g, narrow)}
	if k != Bicycle {
		l.corners = []*Costing{NewOpen(g, o, opens)}
		return l
	}
	for _, b := range []BicycleType{RoadBicycle, HybridBicycle, CrossBicycle, MountainBicycle} {
		o.Bicycle = b
		l.corners = append(l.corners, NewOpen(g, o, opens))
	}
	return l
}

// The speeds in km/h that the least of riders and walkers is for; Bounds
// scales it for those who are faster.
const (
	leastPace = 18
	leastWalk = 5.1
)

// Bounds tells by how much, above 0 and up to 1, the least must be scaled to be
// at or below the cost of some options; ok is false where it does not bound
// them at all: where another measure than weighted time counts, or rules are
// ignored.
func (l *Least) Bounds(o *Options) (scale float64, ok bool) {
	if o.Shortest || o.UseDistance != 0 || o.FixedSpeed != 0 || o.Wheelchair ||
		o.IgnoreRestrictions || o.IgnoreOneways || o.IgnoreAccess || o.IgnoreConstruction {
		return 0, false
	}
	// A cost is a product of such factors and times at such speeds, or does not
	// depend on them.
	scale = math.Min(1, o.ServiceFactor)
	switch o.Kind {
	case Pedestrian:
		scale = math.Min(scale, math.Min(math.Min(o.WalkwayFactor, o.SidewalkFactor), math.Min(o.AlleyFactor, o.DrivewayFactor)))
		scale *= math.Min(1, leastWalk/o.WalkingSpeed)
	case Bicycle:
		scale *= o.slower()
	}
	return scale, scale > 0
}

// slower is how much slower, on the ground where that is most, the least rides
// than a cyclist with these options; 1 where it does not.
func (o *Options) slower() float64 {
	slower := 1.0
	for _, left := range bicycleSurface[o.Bicycle] {
		slower = math.Min(slower, ridden(leastPace, left)/ridden(o.pace(), left))
	}
	return math.Min(slower, leastPace/o.pace()) // the latter on slopes: see leastSeconds
}

// Costing tells which turns the least follows: restrictions are those of every
// traveller of the kind.
func (l *Least) Costing() *Costing { return l.corners[0] }

// Edge is the least cost of an original edge, or Forbidden.
func (l *Least) Edge(e graph.Edge) uint32 {
	least := uint32(Forbidden)
	for _, c := range l.corners {
		if c.opt.Kind != Bicycle {
			return c.Edge(e)
		}
		if c.Allowed(e) {
			least = min(least, max(1, milli(c.leastSeconds(e)*c.comfortable(e))))
		}
	}
	return least
}

// comfortable is at or below what a second on an edge counts for any cyclist,
// who may like roads or not: what is done for bicycles counts as for those who
// do not, the class of the road as for those who do, and the speed of the cars
// for those to whom it matters less.
func (c *Costing) comfortable(e graph.Edge) float64 {
	g := c.g
	s := g.Segment(e)
	use, flags := g.Use[s], g.EdgeFlags[e]
	var stress float64
	comfort := 1.0
	switch use {
	case graph.Ferry:
		return c.ferryFactor
	case graph.RailFerry:
		return c.railFactor
	case graph.Steps:
		return 1
	case graph.Cycleway, graph.Footway, graph.PedestrianStreet, graph.Trail, graph.MountainBike:
		return 1 // paths with a track of their own may cost nothing more
	case graph.LivingStreet:
		stress = 0.2 * 0.75
	case graph.Track:
		stress = 0.5 * 0.75
	default:
		comfort = c.laneComfort(flags) // of those who use no roads
		hurry := math.Min(c.hurry(float64(g.Speed[e])), 1+(c.hurry(float64(g.Speed[e]))-1)*0.25)
		stress = (1 + 0.5*bicycleClass[g.Class[s]]) * hurry
	}
	if g.SegFlags[s]&graph.BikeNetwork != 0 {
		comfort *= 0.95
	}
	return 1 + comfort*stress
}

// Turn is the least cost of going from an edge to an original, or Forbidden.
func (l *Least) Turn(e, f graph.Edge) uint32 {
	c := l.corners[0]
	if f == l.g.Opposite[e] {
		// Where some traveller is stuck, turning round is allowed.
		if !l.strict.mayTurnRound(e, l.g.Head[e]) {
			return Forbidden
		}
		return c.delay(e, f, l.g.Head[e], true).Cost
	}
	return c.Turn(e, f).Cost
}

// Metric works the least out for the whole graph, on all cores.
func (l *Least) Metric(x *TurnIndex) *Metric { return x.metric(l.Edge, l.Turn) }

// AtLeast reports whether a traveller with these options pays, on every edge
// and for every turn, at least what one with the others pays, and may do
// nothing that the other may not: closing more roads to drive along, as a
// greater height does, also allows turning round before them, and is no bound.
func (o Options) AtLeast(b Options) bool {
	for _, x := range [...][2]float64{
		{o.ManeuverPenalty, b.ManeuverPenalty},
		{o.DestinationOnlyPenalty, b.DestinationOnlyPenalty},
		{o.PrivateAccessPenalty, b.PrivateAccessPenalty},
		{o.GateCost, b.GateCost},
		{o.GatePenalty, b.GatePenalty},
		{o.TollBoothCost, b.TollBoothCost},
		{o.TollBoothPenalty, b.TollBoothPenalty},
		{o.CountryCrossingCost, b.CountryCrossingCost},
		{o.CountryCrossingPenalty, b.CountryCrossingPenalty},
		{o.FerryCost, b.FerryCost},
		{o.RailFerryCost, b.RailFerryCost},
		{o.AlleyPenalty, b.AlleyPenalty},
		{o.ServicePenalty, b.ServicePenalty},
		{o.ServiceFactor, b.ServiceFactor},
		{o.LowClassPenalty, b.LowClassPenalty},
		{o.StepPenalty, b.StepPenalty},
		{o.WalkwayFactor, b.WalkwayFactor},
		{o.SidewalkFactor, b.SidewalkFactor},
		{o.AlleyFactor, b.AlleyFactor},
		{o.DrivewayFactor, b.DrivewayFactor},
		{o.SpeedPenaltyFactor, b.SpeedPenaltyFactor},
		{o.UseLit, b.UseLit},
		{o.AvoidBadSurfaces, b.AvoidBadSurfaces},
		// The less one likes a kind of road, or the slower one is, the dearer it is.
		{b.UseFerry, o.UseFerry},
		{b.UseRailFerry, o.UseRailFerry},
		{b.UseHighways, o.UseHighways},
		{b.UseTolls, o.UseTolls},
		{b.UseLivingStreets, o.UseLivingStreets},
		{b.UseTracks, o.UseTracks},
		{b.UsePrimary, o.UsePrimary},
		{b.UseHills, o.UseHills},
		{b.UseTrails, o.UseTrails},
		{o.UseTruckRoute, b.UseTruckRoute},
		{b.TopSpeed, o.TopSpeed},
		{b.WalkingSpeed, o.WalkingSpeed},
		{b.pace(), o.pace()},
	} {
		if x[0] < x[1] {
			return false
		}
	}
	for _, x := range [...][2]bool{
		{o.ExcludeBridges, b.ExcludeBridges},
		{o.ExcludeTunnels, b.ExcludeTunnels},
		{o.ExcludeTolls, b.ExcludeTolls},
		{o.ExcludeHighways, b.ExcludeHighways},
		{o.ExcludeFerries, b.ExcludeFerries},
		{o.ExcludeUnpaved, b.ExcludeUnpaved},
		{o.ExcludeCashTolls, b.ExcludeCashTolls},
	} {
		if x[1] && !x[0] {
			return false
		}
	}
	return (o.AvoidBadSurfaces == 1) == (b.AvoidBadSurfaces == 1) && o.HGVNoAccessPenalty >= b.HGVNoAccessPenalty && (o.HGVNoAccessPenalty < never) == (b.HGVNoAccessPenalty < never) && o.rest() == b.rest()
}

// rest are the options that AtLeast does not compare one by one.
func (o Options) rest() Options {
	return Options{
		Kind: o.Kind, UseDistance: o.UseDistance, UseRoads: o.UseRoads, FixedSpeed: o.FixedSpeed,
		Height: o.Height, Width: o.Width, Length: o.Length, Weight: o.Weight, AxleLoad: o.AxleLoad, AxleCount: o.AxleCount,
		Hazmat: o.Hazmat, TunnelFrom: o.TunnelFrom, Bicycle: o.Bicycle, MaxHikingDifficulty: o.MaxHikingDifficulty, Wheelchair: o.Wheelchair,
		Shortest: o.Shortest, IgnoreRestrictions: o.IgnoreRestrictions, IgnoreOneways: o.IgnoreOneways, IgnoreAccess: o.IgnoreAccess,
		IgnoreConstruction: o.IgnoreConstruction, IncludeHOV: o.IncludeHOV,
	}
}
