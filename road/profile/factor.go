package profile

import (
	"math"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
)

// By surface, from best to worst, and by class, from motorway to service road:
// their share in a driver's factor; from Valhalla's costing tables.
var (
	surfaceFactor = [...]float64{0, 0, 0, 0.1, 0.2, 0.5, 1, 1}
	highwayShare  = [...]float64{1, 0.5, 0, 0, 0, 0, 0, 0}
	scooterClass  = [...]float64{1, 0.5, 0.2, 0.1, 0.05, 0.05, 0, 0.5}
)

// densityFactor returns the factor of the density of roads around: driving among many takes
// more attention.
func densityFactor(density uint8) float64 { return 0.85 + 0.025*float64(density) }

// factor returns the cost of a second on an edge, in seconds.
func (c *Costing) factor(r road) float64 {
	switch use := r.segment.Use; {
	case use == graph.Ferry:
		return c.ferryFactor
	case use == graph.RailFerry:
		return c.railFactor
	case c.opt.Costing == costing.Pedestrian:
		return c.pedestrianFactor(r)
	case c.opt.Costing == costing.Bicycle:
		return c.bicycleFactor(r)
	}
	return max(0.1, c.driveFactor(r))
}

func (c *Costing) driveFactor(r road) float64 {
	o := &c.opt
	f := densityFactor(r.segment.Flags.Density())
	if o.Costing == costing.MotorScooter {
		f += 0.15 + c.primaryFactor*scooterClass[r.segment.Class] + c.hillFactor[c.g.Grade(r.e)]
	} else {
		f += c.classTerm[r.segment.Class] + c.surfaceTerm[r.segment.Surface]
	}
	if over := float64(r.edge.Speed) - o.TopSpeed; over > 0 {
		f += over * o.SpeedPenaltyFactor
	}
	if o.Costing == costing.Truck {
		f *= c.routeFactor(r.edge.Flags)
	}
	if c.pays(r) {
		f += c.tollFactor
	}
	if o.Costing == costing.Truck && r.segment.Class >= graph.Residential {
		f *= o.LowClassFactor // of all of it, as LeastFactor has it
	}
	return f * c.useFactor(r.segment.Use)
}

const truckRouteFactor = 0.85 // of a road signed for lorries

// routeFactor favours roads that are signed for lorries.
func (c *Costing) routeFactor(flags graph.EdgeFlags) float64 {
	switch u := c.opt.UseTruckRoute; {
	case flags&graph.TruckRoute != 0:
		return truckRouteFactor
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

// The share of a bicycle's speed that each surface leaves, by its type, and the worst surface
// it is made for; from Valhalla's bicycle costing.
var (
	bicycleSurface = [...][8]float64{
		{1, 1, 0.9, 0.6, 0.5, 0.3, 0.2, 0.1},
		{1, 1, 1, 0.8, 0.6, 0.4, 0.25, 0.1},
		{1, 1, 1, 0.8, 0.7, 0.5, 0.4, 0.1},
		{1, 1, 1, 1, 0.9, 0.75, 0.55, 0.2},
	}
	worstSurface = [...]graph.Surface{graph.Compacted, graph.Dirt, graph.Gravel, graph.PathSurface}
	// badSurface is the penalty by how many grades a surface is worse than the worst
	// that the bicycle is made for.
	badSurface = [...]float64{1, 2.5, 4.5, 7, 7}
	// bicycleClass is the stress of each class of road.
	bicycleClass = [...]float64{1, 0.4, 0.2, 0.1, 0.05, 0.05, 0, 0.5}
)

// walkingBicycle is the speed in km/h of a cyclist who walks beside the
// bicycle.
const walkingBicycle = 5

// wholeSpeed returns a speed in km/h reduced by surface and slope, rounded to a whole number
// as Valhalla does.
func wholeSpeed(pace, left float64) float64 { return max(1, math.Floor(pace*left+0.5)) }

func (c *Costing) bicycleSpeed(r road) float64 {
	switch {
	case r.segment.Use == graph.Steps:
		return 1 // carried
	case r.edge.Flags&graph.BikeDismount != 0:
		return walkingBicycle
	}
	return wholeSpeed(c.opt.CyclingSpeed, bicycleSurface[c.opt.Bicycle][r.segment.Surface]*bicycleGradeSpeed[c.g.Grade(r.e)])
}

// bicycleFactor weighs an edge for a cyclist: by the stress of riding there, by
// lanes and paths for bicycles, by slope and surface.
func (c *Costing) bicycleFactor(r road) float64 {
	o := &c.opt
	flags, use := r.edge.Flags, r.segment.Use
	if use == graph.Steps {
		return 8
	}
	stress, comfort := 1.0, 1.0
	switch use {
	case graph.Cycleway, graph.Footway, graph.PedestrianStreet, graph.Trail, graph.MountainBike:
		comfort = c.pathAccommodation(flags)
		if use == graph.MountainBike && o.Bicycle == costing.MountainBicycle {
			comfort = 0.3 + o.UseRoads
		}
	case graph.LivingStreet:
		stress = (0.2 + 0.8*o.UseRoads) * (1.25 - 0.5*o.UseLivingStreets)
	case graph.Track:
		stress = (0.5 + o.UseRoads) * (1.25 - 0.5*o.UseTracks)
	default:
		comfort = c.laneAccommodation(flags)
		if flags&graph.TruckRoute != 0 {
			stress += 0.5
		}
		stress = (stress + c.roadFactor*bicycleClass[r.segment.Class]) * c.trafficStress(float64(r.edge.Speed))
		if use == graph.ServiceRoad {
			stress *= o.ServiceFactor
		}
	}
	if flags&graph.Sidepath != 0 {
		comfort += 3 * (1 - o.UseRoads)
	}
	if r.segment.Flags&graph.BikeNetwork != 0 {
		comfort *= 0.95
	}
	f := 1 + c.hillFactor[c.g.Grade(r.e)] + comfort*stress
	if over := int(r.segment.Surface) - int(worstSurface[o.Bicycle]); over >= 0 {
		f += o.AvoidBadSurfaces * badSurface[over]
	}
	return f
}

// pathAccommodation returns the factor of a path off the road: the lower, the better it
// separates bicycles from walkers.
func (c *Costing) pathAccommodation(flags graph.EdgeFlags) float64 {
	u := c.opt.UseRoads
	switch {
	case flags&graph.BikeTrack != 0:
		return 0.8 * u
	case flags&graph.BikeLane != 0:
		return 0.1 + 0.9*u
	}
	return 0.2 + u
}

// laneAccommodation returns the factor of the lane for bicycles on a road, 1 without one.
func (c *Costing) laneAccommodation(flags graph.EdgeFlags) float64 {
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

// trafficStress returns the factor of the speed of the cars beside a bicycle, in km/h.
func (c *Costing) trafficStress(speed float64) float64 {
	p := speed / 40
	switch {
	case speed > 65:
		p = speed/50 + 0.7
	case speed > 40:
		p = speed/25 - 0.6
	}
	return 1 + (p-1)*(1-0.75*c.opt.UseRoads)
}

// By SAC grade of a hiking path: the factor of the time it takes, and what is
// added to the factor of its cost.
var (
	hikingTime  = [...]float64{1, 1.11, 1.25, 1.54, 2.5, 4, 6.67}
	hikingShare = [...]float64{0, 0.25, 0.75, 1.25, 2, 2.5, 3}
)

// pedestrianFactor weighs an edge for someone on foot.
func (c *Costing) pedestrianFactor(r road) float64 {
	o := &c.opt
	f := 1 + hikingShare[r.segment.Hiking] + c.hillFactor[c.g.Grade(r.e)]
	switch use := r.segment.Use; {
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
	case r.edge.Flags&(graph.SidewalkLeft|graph.SidewalkRight) != 0:
		f *= o.SidewalkFactor
	case r.segment.Flags&graph.Roundabout != 0:
		f *= 2
	}
	if r.segment.Flags&graph.Lit == 0 {
		f *= c.unlitFactor
	}
	return f
}
