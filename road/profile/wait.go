package profile

import (
	"math"

	"github.com/waygate/waygate/costing"
)

// maxWait is the highest cost of a second of waiting: half of that of a second
// of driving.
const maxWait = 0.5

// Wait returns the cost of a millisecond of waiting, in 1024ths of a
// millisecond of weighted time. It is less than that of a millisecond on the
// cheapest of roads, so that waiting is always cheaper than driving round in
// circles. It is 0 where time does not count.
func (c *Costing) Wait() uint64 {
	if c.opt.Shortest {
		return 0
	}
	return uint64(1024 * math.Min(maxWait, 0.9*c.leastFactor()*c.timeFactor))
}

// leastFactor returns a factor at or below that of any edge.
func (c *Costing) leastFactor() float64 {
	o := &c.opt
	small := math.Min(o.LeastFactor(), math.Min(c.livingFactor, c.trackFactor))
	ferries := math.Min(c.ferryFactor, c.railFactor)
	switch o.Costing {
	case costing.Pedestrian:
		return math.Min(ferries, small*math.Min(1, c.unlitFactor))
	case costing.Bicycle:
		return math.Min(ferries, 1)
	}
	f := densityFactor(0)
	if o.Costing != costing.MotorScooter {
		f += math.Min(0, c.highwayFactor) + math.Min(0, c.surfaceShare)
	}
	if o.Costing == costing.Truck {
		f *= 0.85
	}
	return math.Min(ferries, math.Max(0.1, (f+math.Min(0, c.tollFactor))*small))
}
