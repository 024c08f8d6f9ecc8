package profile

import (
	"math"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
)

// By weighted grade, from a descent of 10 per cent over level ground (element 6)
// to an ascent of 15 per cent: the factors of the speed on level ground and of the
// time of a walk, and what is added to the factor of an edge for those who avoid
// hills. From Valhalla's costing tables.
var (
	bicycleGradeSpeed   = [16]float64{2.2, 2, 1.9, 1.7, 1.4, 1.2, 1, 0.95, 0.85, 0.75, 0.65, 0.55, 0.5, 0.45, 0.4, 0.3}
	scooterGradeSpeed   = [16]float64{1.25, 1.2, 1.15, 1.1, 1.05, 1, 1, 1, 0.95, 0.75, 0.6, 0.5, 0.45, 0.4, 0.35, 0.25}
	pedestrianGradeTime = [16]float64{1.33, 1.22, 1.08, 0.97, 0.88, 0.92, 1, 1.1, 1.2, 1.33, 1.43, 1.57, 1.83, 2.03, 2.23, 2.5}

	bicycleHillFactor    = [16]float64{2, 1, 0.5, 0.2, 0.1, 0, 0.05, 0.1, 0.3, 0.8, 2, 3, 4.5, 6.5, 10, 12}
	scooterHillFactor    = [16]float64{1, 0.8, 0.5, 0.2, 0.1, 0, 0.05, 0.1, 0.3, 0.8, 2, 3, 4.5, 6, 8, 10}
	pedestrianHillFactor = [16]float64{2, 1, 0.5, 0.2, 0.1, 0, 0, 0, 0.1, 0.3, 0.4, 0.5, 0.7, 1, 3, 5}
)

// hillFactors returns, by weighted grade, what is added to the factor of an edge.
func (c *Costing) hillFactors() (hills [16]float64) {
	switch c.opt.Costing {
	case costing.Bicycle:
		hills = bicycleHillFactor
	case costing.Pedestrian:
		hills = pedestrianHillFactor
	case costing.MotorScooter:
		if c.g.Grades == nil {
			return hills // no slopes are known
		}
		hills = scooterHillFactor
	default:
		return hills
	}
	for i := range hills {
		hills[i] *= 1 - c.opt.UseHills
	}
	return hills
}

// scooterSpeed returns the speed in km/h, a whole number, that a grade leaves a
// scooter.
func scooterSpeed(speed float64, grade uint8) float64 {
	if grade == graph.FlatGrade {
		return speed
	}
	return math.Floor(speed * scooterGradeSpeed[grade])
}

// leastBicycleSeconds returns a time at or below that which an edge takes a cyclist of the
// lower bound's speed and, with Scale, any other. Speeds are rounded to whole numbers, so
// that a slower cyclist is not always slower by the same ratio; on slopes, where speeds are
// low and rounding matters most, this time is taken without rounding.
func (c *Costing) leastBicycleSeconds(e graph.Edge) float64 {
	g := c.g
	s, grade := g.Segment(e), g.Grade(e)
	if grade == graph.FlatGrade || g.BySegment[s].Use == graph.Steps || g.BySegment[s].Use == graph.Ferry || g.BySegment[s].Use == graph.RailFerry || g.ByEdge[e].Flags&graph.BikeDismount != 0 {
		return c.Seconds(e)
	}
	left := bicycleSurface[c.opt.Bicycle][g.BySegment[s].Surface] * bicycleGradeSpeed[grade]
	return float64(g.BySegment[s].Length) * 3.6 / max(1, c.opt.CyclingSpeed*left+0.5)
}
