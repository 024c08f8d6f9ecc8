package profile

import (
	"math"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
)

// pass is the effect of a record of limits on a traveller.
type pass uint16

const (
	fits         pass = 1 << iota // the vehicle and its load, within limits without conditions
	fitsNow                       // within those with conditions, too
	keepsOpen                     // what is open to the traveller by access stays so
	opens                         // what is closed to the traveller by access is open
	business                      // only for a place on the road to go to
	fromBusiness                  // the same, for a traveller who comes from there
	forbids                       // a turn with these limits is forbidden
	tolled                        // the traveller pays toll
	tolledBefore                  // the same of the edge that a turn leaves
	lastResort                    // to be passed only where there is no other way
)

// passOf computes the effect of a record of limits.
func (c *Costing) passOf(l *graph.Limits, v *conditional.Vehicle, doubt conditional.Doubt) (p pass) {
	if c.fits(l) {
		p |= fits
	}
	if c.paysUnder(l) {
		p |= tolled | tolledBefore
	}
	if l.LastResort&c.mode != 0 {
		p |= lastResort
	}
	if l.Hazmat == graph.HazmatDestination {
		switch {
		case c.opt.Hazmat && doubt != conditional.Hoped:
			p |= business | fromBusiness
		case doubt == conditional.Hoped: // a traveller who turns in pays nothing for it
			p |= fromBusiness
		}
	}
	if l.Conditions == 0 {
		return p | fitsNow | keepsOpen
	}
	g := c.g
	if text := g.Attribute(l.Conditions, "condition"); text != "" {
		condition := conditional.ParseCondition(text)
		if condition.At(nil, v) == hours.Open {
			p |= forbids
		}
	}
	law := conditional.ReadRules(func(yield func(key, value string) bool) { g.Attributes(l.Conditions, yield) }, l.Backward != 0)
	if law == nil {
		return p | fitsNow | keepsOpen
	}
	if c.opt.IgnoreAccess || c.opt.IgnoreRestrictions {
		law.Access, law.Oneway = nil, nil
	}
	open, shut := law.Of(true, nil, v, doubt), law.Of(false, nil, v, doubt)
	if open.Fits {
		p |= fitsNow
	}
	if open.Open {
		p |= keepsOpen
	}
	if shut.Open {
		p |= opens
	}
	switch {
	case doubt == conditional.Hoped: // a traveller who turns in pays nothing for it
		p |= fromBusiness
	case open.Destination || shut.Destination:
		p |= business | fromBusiness
	}
	return p
}

// Vehicle returns the vehicle of the options, as conditions check it. What the options leave
// open may be that of any vehicle of the kind.
func Vehicle(o *costing.Options) *conditional.Vehicle {
	v := &conditional.Vehicle{Mode: Mode(o.Costing), Hazmat: hours.Closed, AnyDirection: o.IgnoreOneways}
	if o.Wheelchair {
		v.Mode = graph.Wheelchair
	}
	if o.Hazmat {
		v.Hazmat = hours.Open
	}
	most := largest[o.Costing]
	v.Range = func(property string) (float64, float64) {
		known := func(value, most float64) (float64, float64) {
			if value > 0 {
				return value, value
			}
			return 0, most
		}
		switch property {
		case "weight", "weightrating", "grossweight", "gcweight", "gcweightrating", "gvw", "gvwr":
			return known(o.Weight, most.weight)
		case "axleload", "axleweight":
			_, weight := known(o.Weight, most.weight)
			return known(o.AxleLoad, weight)
		case "axles":
			return known(float64(o.AxleCount), most.axles)
		case "length":
			return known(o.Length, most.length)
		case "height":
			return known(o.Height, most.height)
		case "width":
			return known(o.Width, most.width)
		}
		return conditional.AnyRange(property)
	}
	return v
}

// size has the largest measures that a vehicle may have, in tonnes, metres and axles.
type size struct{ weight, length, width, height, axles float64 }

// largest has the largest vehicle of each kind whose size is not among the options: for cars
// up to the law's bound of weight, for walkers without a load.
var largest = [...]size{
	costing.Auto:         {3.5, 6, 2.55, 3, 2},
	costing.Truck:        {math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)},
	costing.Bus:          {math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)},
	costing.MotorScooter: {0.5, 2.5, 1.5, 2, 2},
	costing.Motorcycle:   {0.8, 3, 1.5, 2, 2},
	costing.Bicycle:      {0.3, 2.5, 1.2, 2.2, 2},
	costing.Pedestrian:   {0.3, 1, 1, 2.2, 0},
}

// anyVehicle returns a vehicle of which only the kind is known.
func anyVehicle(o *costing.Options) *conditional.Vehicle {
	v := Vehicle(&costing.Options{Costing: o.Costing, Wheelchair: o.Wheelchair})
	v.Range = conditional.AnyRange
	v.Hazmat = hours.Unknown
	return v
}
