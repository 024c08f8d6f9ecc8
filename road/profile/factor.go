package profile

import (
	"math"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
)

// How much the surfaces and classes weigh in a driver's choice, best to worst
// surface and motorway to service road; from Valhalla's costing tables.
var (
	surfaceFactor = [...]float64{0, 0, 0, 0.1, 0.2, 0.5, 1, 1}
	highwayShare  = [...]float64{1, 0.5, 0, 0, 0, 0, 0, 0}
	scooterClass  = [...]float64{1, 0.5, 0.2, 0.1, 0.05, 0.05, 0, 0.5}
)

// crowd weighs the density of roads around: where there are many, driving
// takes more of the driver.
func crowd(density uint8) float64 { return 0.85 + 0.025*float64(density) }

// factor is what a second on an edge counts.
func (c *Costing) factor(e graph.Edge) float64 {
	s := c.g.Segment(e)
	switch use := c.g.Use[s]; {
	case use == graph.Ferry:
		return c.ferryFactor
	case use == graph.RailFerry:
		return c.railFactor
	case c.opt.Costing == costing.Pedestrian:
		return c.walkFactor(e, s)
	case c.opt.Costing == costing.Bicycle:
		return c.bicycleFactor(e, s)
	}
	return max(0.1, c.driveFactor(e, s))
}

func (c *Costing) driveFactor(e graph.Edge, s graph.Segment) float64 {
	g, o := c.g, &c.opt
	f := crowd(g.SegFlags[s].Density())
	if o.Costing == costing.MotorScooter {
		f += 0.15 + c.primaryFactor*scooterClass[g.Class[s]] + c.hills[g.Grade(e)]
	} else {
		f += c.highwayFactor*highwayShare[g.Class[s]] + c.surfaceShare*surfaceFactor[g.Surface[s]]
	}
	if over := float64(g.Speed[e]) - o.TopSpeed; over > 0 {
		f += over * o.SpeedPenaltyFactor
	}
	if o.Costing == costing.Truck {
		f *= c.routeFactor(g.EdgeFlags[e])
	}
	if g.SegFlags[s]&graph.Toll != 0 {
		f += c.tollFactor
	}
	return f * c.useFactor(g.Use[s])
}

// routeFactor favours the roads that are signed for lorries.
func (c *Costing) routeFactor(flags graph.EdgeFlags) float64 {
	switch u := c.opt.UseTruckRoute; {
	case flags&graph.TruckRoute != 0:
		return 0.85
	case u < 0.5:
		return 1 + 2*u
	default:
		return 12*u - 4
	}
}

func (c *Costing) useFactor(use graph.Use) float64 {
	switch use {
	case graph.Track:
		return c.trackFactor
	case graph.LivingStreet:
		return c.livingFactor
	case graph.ServiceRoad:
		return c.opt.ServiceFactor
	}
	return 1
}

// What each surface leaves of a bicycle's speed, by its type, and the worst
// surface it is made for; from Valhalla's bicycle costing.
var (
	bicycleSurface = [...][8]float64{
		{1, 1, 0.9, 0.6, 0.5, 0.3, 0.2, 0.1},
		{1, 1, 1, 0.8, 0.6, 0.4, 0.25, 0.1},
		{1, 1, 1, 0.8, 0.7, 0.5, 0.4, 0.1},
		{1, 1, 1, 1, 0.9, 0.75, 0.55, 0.2},
	}
	worstSurface = [...]graph.Surface{graph.Compacted, graph.Dirt, graph.Gravel, graph.PathSurface}
	// badSurface is by how many grades a surface is as bad as the worst or worse.
	badSurface = [...]float64{1, 2.5, 4.5, 7, 7}
	// bicycleClass is the stress of each class of road.
	bicycleClass = [...]float64{1, 0.4, 0.2, 0.1, 0.05, 0.05, 0, 0.5}
)

// pushing is the speed in km/h of one who walks beside the bicycle.
const pushing = 5

// ridden is the speed in km/h that the ground and its slope leave of a pace, a whole number.
func ridden(pace, left float64) float64 { return max(1, math.Floor(pace*left+0.5)) }

func (c *Costing) bicycleSpeed(e graph.Edge, s graph.Segment) float64 {
	switch {
	case c.g.Use[s] == graph.Steps:
		return 1 // carried
	case c.g.EdgeFlags[e]&graph.BikeDismount != 0:
		return pushing
	}
	return ridden(c.opt.CyclingSpeed, bicycleSurface[c.opt.Bicycle][c.g.Surface[s]]*bicycleClimb[c.g.Grade(e)])
}

// bicycleFactor weighs an edge by the stress of riding there, by what is
// done for bicycles and by the slope.
func (c *Costing) bicycleFactor(e graph.Edge, s graph.Segment) float64 {
	g, o := c.g, &c.opt
	flags, use := g.EdgeFlags[e], g.Use[s]
	if use == graph.Steps {
		return 8
	}
	stress, comfort := 1.0, 1.0
	switch use {
	case graph.Cycleway, graph.Footway, graph.PedestrianStreet, graph.Trail, graph.MountainBike:
		comfort = c.pathComfort(flags)
		if use == graph.MountainBike && o.Bicycle == costing.MountainBicycle {
			comfort = 0.3 + o.UseRoads
		}
	case graph.LivingStreet:
		stress = (0.2 + 0.8*o.UseRoads) * (1.25 - 0.5*o.UseLivingStreets)
	case graph.Track:
		stress = (0.5 + o.UseRoads) * (1.25 - 0.5*o.UseTracks)
	default:
		comfort = c.laneComfort(flags)
		if flags&graph.TruckRoute != 0 {
			stress += 0.5
		}
		stress = (stress + c.roadFactor*bicycleClass[g.Class[s]]) * c.hurry(float64(g.Speed[e]))
		if use == graph.ServiceRoad {
			stress *= o.ServiceFactor
		}
	}
	if flags&graph.Sidepath != 0 {
		comfort += 3 * (1 - o.UseRoads)
	}
	if g.SegFlags[s]&graph.BikeNetwork != 0 {
		comfort *= 0.95
	}
	f := 1 + c.hills[g.Grade(e)] + comfort*stress
	if over := int(g.Surface[s]) - int(worstSurface[o.Bicycle]); over >= 0 {
		f += o.AvoidBadSurfaces * badSurface[over]
	}
	return f
}

// pathComfort tells how good a path off the road is: the more it keeps
// bicycles from walkers, the lower.
func (c *Costing) pathComfort(flags graph.EdgeFlags) float64 {
	u := c.opt.UseRoads
	switch {
	case flags&graph.BikeTrack != 0:
		return 0.8 * u
	case flags&graph.BikeLane != 0:
		return 0.1 + 0.9*u
	}
	return 0.2 + u
}

// laneComfort tells how good a lane on the road is.
func (c *Costing) laneComfort(flags graph.EdgeFlags) float64 {
	u := c.opt.UseRoads
	switch {
	case flags&graph.BikeTrack != 0:
		return 0.15 + 0.6*u
	case flags&graph.BikeLane != 0:
		return 0.4 + 0.45*u
	case flags&graph.BikeShared != 0:
		return 0.9 + 0.05*u
	}
	return 1
}

// hurry weighs the speed of the cars beside a bicycle, in km/h.
func (c *Costing) hurry(speed float64) float64 {
	p := speed / 40
	switch {
	case speed > 65:
		p = speed/50 + 0.7
	case speed > 40:
		p = speed/25 - 0.6
	}
	return 1 + (p-1)*(1-0.75*c.opt.UseRoads)
}

// What the SAC's grades of hiking paths cost a walker in time and in liking.
var (
	hikingTime  = [...]float64{1, 1.11, 1.25, 1.54, 2.5, 4, 6.67}
	hikingShare = [...]float64{0, 0.25, 0.75, 1.25, 2, 2.5, 3}
)

// walkFactor weighs an edge for a walker.
func (c *Costing) walkFactor(e graph.Edge, s graph.Segment) float64 {
	g, o := c.g, &c.opt
	f := 1 + hikingShare[g.Hiking[s]] + c.hills[g.Grade(e)]
	switch use := g.Use[s]; {
	case use == graph.Footway, use == graph.PedestrianStreet, use == graph.Sidewalk:
		f *= o.WalkwayFactor
	case use == graph.Alley:
		f *= o.AlleyFactor
	case use == graph.Driveway:
		f *= o.DrivewayFactor
	case use == graph.Track:
		f *= c.trackFactor
	case use == graph.LivingStreet:
		f *= c.livingFactor
	case use == graph.ServiceRoad:
		f *= o.ServiceFactor
	case g.EdgeFlags[e]&(graph.SidewalkLeft|graph.SidewalkRight) != 0:
		f *= o.SidewalkFactor
	case g.SegFlags[s]&graph.Roundabout != 0:
		f *= 2
	}
	if g.SegFlags[s]&graph.Lit == 0 {
		f *= c.unlitFactor
	}
	return f
}
