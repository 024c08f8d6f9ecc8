package profile

import (
	"math"

	"github.com/waygate/waygate/road/graph"
)

// How much the surfaces and classes weigh in a driver's choice, best to worst
// surface and motorway to service road; from Valhalla's costing tables.
var (
	surfaceFactor = [...]float64{0, 0, 0, 0.1, 0.2, 0.3, 0.5, 1}
	highwayShare  = [...]float64{1, 0.5, 0, 0, 0, 0, 0, 0}
	truckClass    = [...]float64{0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.4, 0.5}
)

// factor is what a second on an edge counts.
func (c *Costing) factor(e uint32) float64 {
	s := c.g.Segment(e)
	use := c.g.Use[s]
	switch {
	case use == graph.Ferry:
		return c.ferryFactor
	case use == graph.RailFerry:
		return c.railFactor
	case c.opt.Kind == Pedestrian:
		return c.walkFactor(e, s)
	case c.opt.Kind == Bicycle:
		return c.bicycleFactor(e, s)
	}
	g := c.g
	class, flags := g.Class[s], g.SegFlags[s]
	f := 1.0
	if flags.Density() > graph.MaxRural {
		f += 0.1
	}
	f += c.highwayFactor*highwayShare[class] + 0.5*surfaceFactor[g.Surface[s]]
	if flags&graph.Toll != 0 {
		f += c.tollFactor
	}
	switch c.opt.Kind {
	case Truck:
		f += truckClass[class] * 0.2
		if g.EdgeFlags[e]&graph.TruckRoute != 0 {
			f *= 1 - 0.3*c.opt.UseTruckRoute - 0.05
		}
	case MotorScooter:
		if class <= graph.Primary {
			f += 0.5 * (1 + c.primaryFactor)
		}
	}
	f *= c.useFactor(use)
	if over := float64(g.Speed[e]) - c.opt.TopSpeed; over > 0 {
		f += over * c.opt.SpeedPenaltyFactor / 10
	}
	return math.Max(0.1, f)
}

func (c *Costing) useFactor(use graph.Use) float64 {
	switch use {
	case graph.Alley:
		return 2
	case graph.Track:
		return c.trackFactor * (1.5 - 0.5*c.opt.UseTrails)
	case graph.LivingStreet:
		return c.livingFactor
	case graph.ServiceRoad, graph.Driveway, graph.ParkingAisle, graph.DriveThrough:
		return c.opt.ServiceFactor
	}
	return 1
}

// Speeds by bicycle type in km/h, what of it each surface leaves, and the
// worst surface it takes; from Valhalla's bicycle costing.
var (
	bicyclePace    = [...]float64{25, 18, 20, 16}
	bicycleSurface = [...][8]float64{
		{1, 1, 0.9, 0.6, 0.5, 0.3, 0.2, 0.1},
		{1, 1, 1, 0.8, 0.6, 0.4, 0.25, 0.1},
		{1, 1, 1, 0.8, 0.7, 0.5, 0.4, 0.1},
		{1, 1, 1, 1, 0.9, 0.75, 0.55, 0.2},
	}
	worstSurface = [...]graph.Surface{graph.Compacted, graph.Dirt, graph.Gravel, graph.PathSurface}
)

func (c *Costing) bicycleSpeed(s uint32) float64 {
	pace := c.opt.CyclingSpeed
	if pace == 0 {
		pace = bicyclePace[c.opt.Bicycle]
	}
	pace *= bicycleSurface[c.opt.Bicycle][c.g.Surface[s]]
	if c.g.Use[s] == graph.Steps {
		pace = 1 // pushed up or carried
	}
	return math.Max(1, pace)
}

// bicycleFactor weighs an edge by how it feels to ride beside the cars there.
func (c *Costing) bicycleFactor(e, s uint32) float64 {
	g, o := c.g, &c.opt
	flags := g.EdgeFlags[e]
	avoid := 1 - o.UseRoads
	f := 1.0
	switch use := g.Use[s]; use {
	case graph.Cycleway, graph.MountainBike:
		f = 0.9 - 0.15*avoid
	case graph.Trail, graph.Footway, graph.Sidewalk, graph.PedestrianStreet, graph.Bridleway, graph.Crossing:
		f = 1.1 - 0.1*avoid
	case graph.LivingStreet:
		f = 1.05 - 0.25*(o.UseLivingStreets-0.5)
	case graph.Track:
		f = 1.1 + 0.8*math.Max(0, 0.5-o.UseTracks)
	case graph.Steps:
		f = 4
	case graph.Driveway, graph.ParkingAisle, graph.Alley, graph.ServiceRoad:
		f = 1.1 * o.ServiceFactor
	default:
		speed := float64(max(g.Limited[e], min(g.Speed[e], 60)))
		stress := avoid * (speed/100 + 0.12*float64(max(0, 4-int(g.Class[s]))))
		switch {
		case flags&graph.BikeTrack != 0:
			stress *= 0.2
		case flags&graph.BikeLane != 0:
			stress *= 0.45
		case flags&graph.BikeShared != 0:
			stress *= 0.8
		}
		f += stress
	}
	if g.SegFlags[s]&graph.BikeNetwork != 0 {
		f *= 0.95
	}
	return f + o.AvoidBadSurfaces*surfaceFactor[g.Surface[s]]
}

// walkFactor weighs an edge for a walker.
func (c *Costing) walkFactor(e, s uint32) float64 {
	g, o := c.g, &c.opt
	f := 1.0
	switch g.Use[s] {
	case graph.Footway, graph.Trail, graph.PedestrianStreet, graph.Bridleway:
		f = o.WalkwayFactor
	case graph.Sidewalk:
		f = o.SidewalkFactor
	case graph.Alley:
		f = o.AlleyFactor
	case graph.Driveway:
		f = o.DrivewayFactor
	case graph.LivingStreet:
		f = 1 - 0.3*(o.UseLivingStreets-0.6)
	case graph.Track:
		f = 1 + math.Max(0, 0.5-o.UseTracks)
	case graph.ServiceRoad, graph.ParkingAisle:
		f = o.ServiceFactor
	default:
		if g.EdgeFlags[e]&(graph.SidewalkLeft|graph.SidewalkRight) != 0 {
			f = o.SidewalkFactor
		} else if g.Class[s] <= graph.Secondary {
			f = 1.15 // along a busy road without a pavement
		}
	}
	if o.UseLit > 0 && g.SegFlags[s]&graph.Lit == 0 {
		f *= 1 + 2*o.UseLit
	}
	return f
}
