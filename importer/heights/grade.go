package heights

import (
	"math"

	"github.com/waygate/waygate/road/graph"
)

// slopes has the slopes of one direction of a road, in per cent.
type slopes struct {
	grade    float64 // weighted mean: climbs count more than descents
	up, down float64 // the steepest, not negative
}

// The steepest slopes that count, in per cent.
const (
	steepestDescent = -10
	steepestAscent  = 15
)

// slopesOf computes the slopes of a line of heights that lie spacing metres apart, in
// its direction (1) or against it (-1). The grade is a mean in which steeper stretches
// weigh more; stretches next to an unknown height count as level. The weights are
// Valhalla's.
func slopesOf(heights []float64, spacing, direction float64) slopes {
	var s slopes
	sum, weights := 0.0, 0.0
	for i := 1; i < len(heights); i++ {
		grade := 100 * direction * (heights[i] - heights[i-1]) / spacing
		if math.IsNaN(grade) {
			grade = 0
		}
		s.up, s.down = max(s.up, grade), max(s.down, -grade)
		grade = max(steepestDescent, min(steepestAscent, grade))
		weight := 1 + grade/17
		if grade > 0 {
			weight = 1 + grade/7
		}
		sum, weights = sum+grade*weight, weights+weight
	}
	if weights > 0 {
		s.grade = sum / weights
	}
	return s
}

// mostLevel limits the slope of bridges and tunnels: the height of the ground at their
// ends is seldom that of the road.
const mostLevel = 3

func (s slopes) level() slopes {
	return slopes{max(-mostLevel, min(mostLevel, s.grade)), min(mostLevel, s.up), min(mostLevel, s.down)}
}

// weighted returns the grade on the graph's scale.
func (s slopes) weighted() uint8 {
	return uint8(max(0, min(graph.SteepestGrade, s.grade*0.6+graph.FlatGrade+0.5)))
}

func whole(grade float64) uint8 { return uint8(min(math.MaxUint8, math.Ceil(grade))) }
