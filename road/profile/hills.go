package profile

import (
	"math"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
)

// By weighted grade, from a descent of 10 per cent over level ground (place 6)
// to an ascent of 15; from Valhalla's costing tables. A climb tells what it
// leaves of the speed on the flat, a toil by how much it lengthens a walk, and
// the dread what it counts against a way for those who avoid hills.
var (
	bicycleClimb   = [16]float64{2.2, 2, 1.9, 1.7, 1.4, 1.2, 1, 0.95, 0.85, 0.75, 0.65, 0.55, 0.5, 0.45, 0.4, 0.3}
	scooterClimb   = [16]float64{1.25, 1.2, 1.15, 1.1, 1.05, 1, 1, 1, 0.95, 0.75, 0.6, 0.5, 0.45, 0.4, 0.35, 0.25}
	pedestrianToil = [16]float64{1.33, 1.22, 1.08, 0.97, 0.88, 0.92, 1, 1.1, 1.2, 1.33, 1.43, 1.57, 1.83, 2.03, 2.23, 2.5}

	bicycleDread    = [16]float64{2, 1, 0.5, 0.2, 0.1, 0, 0.05, 0.1, 0.3, 0.8, 2, 3, 4.5, 6.5, 10, 12}
	scooterDread    = [16]float64{1, 0.8, 0.5, 0.2, 0.1, 0, 0.05, 0.1, 0.3, 0.8, 2, 3, 4.5, 6, 8, 10}
	pedestrianDread = [16]float64{2, 1, 0.5, 0.2, 0.1, 0, 0, 0, 0.1, 0.3, 0.4, 0.5, 0.7, 1, 3, 5}
)

// dread gives what each grade adds to the factor of a traveller's edges.
func (c *Costing) dread() (hills [16]float64) {
	switch c.opt.Costing {
	case costing.Bicycle:
		hills = bicycleDread
	case costing.Pedestrian:
		hills = pedestrianDread
	case costing.MotorScooter:
		if c.g.Grades == nil {
			return hills // nothing is known to dread
		}
		hills = scooterDread
	default:
		return hills
	}
	for i := range hills {
		hills[i] *= 1 - c.opt.UseHills
	}
	return hills
}

// climbing is the speed in km/h, a whole number, that a grade leaves a scooter.
func climbing(speed float64, grade uint8) float64 {
	if grade == graph.FlatGrade {
		return speed
	}
	return math.Floor(speed * scooterClimb[grade])
}

// leastSeconds is at or below the time that an edge takes a cyclist of the
// least's pace, and by as much as Bounds says at or below that of others.
// Riders' speeds are whole numbers, so the slower is not always as much slower
// as his pace; on a slope, where few are, the least forgoes the rounding.
func (c *Costing) leastSeconds(e graph.Edge) float64 {
	g := c.g
	s, grade := g.Segment(e), g.Grade(e)
	if grade == graph.FlatGrade || g.Use[s] == graph.Steps || g.Use[s] == graph.Ferry || g.Use[s] == graph.RailFerry || g.EdgeFlags[e]&graph.BikeDismount != 0 {
		return c.Seconds(e)
	}
	left := bicycleSurface[c.opt.Bicycle][g.Surface[s]] * bicycleClimb[grade]
	return float64(g.Length[s]) * 3.6 / max(1, c.opt.CyclingSpeed*left+0.5)
}
