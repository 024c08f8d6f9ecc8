package profile

import (
	"math"

	"github.com/waygate/waygate/costing"
)

// mostWait is what a second of waiting costs at the most: half of one that is
// driven.
const mostWait = 0.5

// Wait is what a millisecond of waiting costs the traveller, in 1024ths of a
// millisecond of weighted time: less than one on the cheapest of roads, so that
// nobody drives round in circles rather than wait. It is 0 where time does not
// count.
func (c *Costing) Wait() uint64 {
	if c.opt.Shortest {
		return 0
	}
	return uint64(1024 * math.Min(mostWait, 0.9*c.leastFactor()*c.timeFactor))
}

// leastFactor is at or below what a second on any edge counts.
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
	f := crowd(0)
	if o.Costing != costing.MotorScooter {
		f += math.Min(0, c.highwayFactor) + math.Min(0, c.surfaceShare)
	}
	if o.Costing == costing.Truck {
		f *= 0.85
	}
	return math.Min(ferries, math.Max(0.1, (f+math.Min(0, c.tollFactor))*small))
}
