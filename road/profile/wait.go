package profile

import "math"

// Wait is what a millisecond of waiting costs the traveller, in 1024ths of a
// millisecond of weighted time: somewhat less than one on the cheapest of
// roads, so that nobody drives round in circles rather than wait. It is 0 where
// time does not count.
func (c *Costing) Wait() uint64 {
	if c.opt.Shortest {
		return 0
	}
	return uint64(1024 * 0.9 * math.Min(1, c.leastFactor()*c.timeFactor))
}

// leastFactor is at or below what a second on any edge counts.
func (c *Costing) leastFactor() float64 {
	o := &c.opt
	least := math.Min(c.ferryFactor, c.railFactor)
	also := func(factors ...float64) {
		for _, f := range factors {
			least = math.Min(least, f)
		}
	}
	living := 1.0
	switch o.Kind {
	case Pedestrian:
		living = 1 - 0.3*(o.UseLivingStreets-0.6)
		also(1, living, o.WalkwayFactor, o.SidewalkFactor, o.AlleyFactor, o.DrivewayFactor, o.ServiceFactor)
		return least
	case Bicycle:
		living = 1.05 - 0.25*(o.UseLivingStreets-0.5)
		also(0.95 * math.Min(0.75, math.Min(living, 1.1*o.ServiceFactor)))
		return least
	}
	use := math.Min(math.Min(1, o.ServiceFactor), math.Min(c.livingFactor, c.trackFactor*(1.5-0.5*o.UseTrails)))
	if o.Kind == Truck {
		use *= 0.95 - 0.3*o.UseTruckRoute
	}
	also(math.Max(0.1, use*(1+math.Min(0, c.highwayFactor)+math.Min(0, c.tollFactor))))
	return least
}
