package profile

import (
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
)

// Seconds returns the time an edge takes, without turns.
func (c *Costing) Seconds(e graph.Edge) float64 {
	r := c.road(e)
	speed := c.usualSpeed(r)
	if c.overlay != nil {
		if kmh, slow := c.overlay.Speed(e); slow {
			speed = c.slower(speed, kmh)
		}
	}
	return float64(r.segment.Length) * 3.6 / speed
}

// SecondsAt is Seconds where live traffic moves at a speed in km/h: motor
// traffic is no faster than it, and never faster than without it.
func (c *Costing) SecondsAt(e graph.Edge, kmh float64) float64 {
	r := c.road(e)
	return float64(r.segment.Length) * 3.6 / c.slower(c.usualSpeed(r), kmh)
}

// slower returns the speed of a vehicle that would travel at free km/h, where traffic moves at kmh.
func (c *Costing) slower(free, kmh float64) float64 {
	if c.opt.Costing == costing.Bicycle || c.opt.Costing == costing.Pedestrian {
		return free
	}
	return min(free, max(1, kmh))
}

// Speed returns the speed of travel on an edge in km/h, above zero.
func (c *Costing) Speed(e graph.Edge) float64 { return c.usualSpeed(c.road(e)) }

// usualSpeed returns the speed of travel with the usual limits or, at the best of times,
// those.
func (c *Costing) usualSpeed(r road) float64 {
	if c.best != nil {
		if l, ok := c.best.Limits[r.e]; ok {
			return c.speedUnder(r, l)
		}
	}
	return c.speed(r, r.edge.Speed, c.ownLimit(r.edge))
}

// SpeedUnder is Speed with other speed limits than the usual ones.
func (c *Costing) SpeedUnder(e graph.Edge, l graph.SpeedLimits) float64 {
	return c.speedUnder(c.road(e), l)
}

func (c *Costing) speedUnder(r road, l graph.SpeedLimits) float64 {
	return c.speed(r, driven(r.edge, l.All), l.Own)
}

// KmhUnder returns the speed of the traveller for EdgeUnder, in km/h.
func (c *Costing) KmhUnder(e graph.Edge, l graph.SpeedLimits, kmh float64) float64 {
	return c.slower(c.speedUnder(c.road(e), l), kmh)
}

// ownLimit returns the usual limit for the traveller's kind of vehicle, 0 if there is none.
func (c *Costing) ownLimit(r *graph.EdgeRecord) uint8 {
	switch c.opt.Costing {
	case costing.Truck:
		return r.TruckSpeed
	case costing.Bus:
		return c.g.Limits[r.Limit].BusSpeed
	}
	return 0
}

const (
	// leastHeeded is the least limit in km/h that roads are driven at; see tags.DefaultSpeed.
	leastHeeded = 10
	// unlimited stands for no limit, and fast is how fast roads are driven then.
	unlimited, fast = 140, 105
)

// driven returns how fast free traffic moves on an edge with another limit than usual, 0 if
// that is not known. Where roads are driven at their usual limit, or up to 10 km/h below it
// because of bad ground, they are driven as much below a higher limit. Nothing is driven
// faster than a lower limit.
func driven(r *graph.EdgeRecord, limit uint8) uint8 {
	const bad = 10 // km/h that bad ground takes off
	switch {
	case limit == 0 || limit == r.Limited:
		return r.Speed
	case limit == unlimited:
		limit = max(fast, r.Limited)
	case limit < leastHeeded:
		limit = leastHeeded
	}
	if below := int(r.Limited) - int(r.Speed); limit > r.Limited && r.Limited > 0 && below >= 0 && below <= bad {
		return limit - uint8(below)
	}
	return min(r.Speed, limit)
}

// speed returns the speed of travel on an edge with free traffic at a speed, and perhaps a
// limit of its own for the traveller's kind of vehicle.
func (c *Costing) speed(r road, free, own uint8) float64 {
	o := &c.opt
	if use := r.segment.Use; use == graph.Ferry || use == graph.RailFerry {
		return max(1, float64(r.edge.Speed))
	}
	switch o.Costing {
	case costing.Pedestrian:
		return max(0.1, o.WalkingSpeed/(hikingTime[r.segment.Hiking]*pedestrianGradeTime[c.g.Grade(r.e)]))
	case costing.Bicycle:
		return c.bicycleSpeed(r)
	}
	if o.FixedSpeed > 0 {
		return o.FixedSpeed
	}
	if own != 0 {
		free = min(free, own)
	}
	speed := float64(free)
	if o.Costing == costing.MotorScooter && r.segment.Surface >= graph.Dirt {
		speed = min(speed, 25)
	}
	speed = min(speed, o.TopSpeed)
	if o.Costing == costing.MotorScooter {
		speed = scooterSpeed(speed, c.g.Grade(r.e))
	}
	return max(1, speed)
}
