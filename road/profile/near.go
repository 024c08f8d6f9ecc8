package profile

import (
	"math"

	"github.com/waygate/waygate/costing"
)

// Near is a lower bound of the costs by some options: the sum of those by the usual
// options of their kind times Usual, and those by Far times Far.
type Near struct {
	Usual, Far float64
	// AnyVehicle is true if the bound is NewUsualBound alone, times the sum of both factors,
	// because the options are of another vehicle than the usual one, or of another load.
	AnyVehicle bool
}

// farPenalty is the cost of a manoeuvre by the options of Far, in seconds, and farSpeed
// the walking speed, in km/h: beyond the requested values, and not by so much that costs in
// between were bounded worse.
const (
	farPenalty = 600
	farSpeed   = 3
)

// Far returns the usual options of a kind with dear manoeuvres and, for walkers, a slow
// speed.
func Far(k costing.Costing) costing.Options {
	o := costing.Default(k)
	if k == costing.Pedestrian {
		o.WalkingSpeed = farSpeed
	} else {
		o.ManeuverPenalty = farPenalty
	}
	return o
}

// NearUsual returns the factors for some options. ok is false if the factors are not known
// or so small that LowerBound guides a search as well.
//
// A cost rises by as much with each second of a penalty, and with each that a walker
// takes for a kilometre. So between the usual value of such an option and another the costs
// by both, weighed as it lies between them, are what it makes of the usual ones, and a sum
// of potentials is as consistent as these are.
func NearUsual(o *costing.Options) (n Near, ok bool) {
	if n, ok = nearUsual(o); !ok {
		usually := o.UsualVehicle()
		n, ok = nearUsual(&usually)
		n.AnyVehicle = true
	}
	return n, ok
}

// nearUsual is NearUsual for the usual vehicle.
func nearUsual(o *costing.Options) (n Near, ok bool) {
	usual, far, near := costing.Default(o.Costing), Far(o.Costing), *o
	share := (o.ManeuverPenalty - roundedPenalty - usual.ManeuverPenalty) / (far.ManeuverPenalty - usual.ManeuverPenalty)
	option, rounding := costing.ManeuverPenalty, 0.0
	if o.Costing == costing.Pedestrian {
		share = (1/o.WalkingSpeed - 1/usual.WalkingSpeed) / (1/far.WalkingSpeed - 1/usual.WalkingSpeed)
		option, rounding = costing.WalkingSpeed, forRounding
	}
	share = min(share, 1)
	if share <= 0 {
		n.Usual, ok = usualScale(o)
		return n, ok
	}
	row := option.Row()
	row.Set(&near, row.Get(&usual))
	scale, ok := usualScale(&near)
	scale *= 1 - rounding
	return Near{Usual: scale * (1 - share), Far: scale * share}, ok
}

const (
	// roundedPenalty makes up for the costs of turns being whole numbers: it is more, in
	// seconds, than what rounding can take from one.
	roundedPenalty = 0.002
	// leastUsualScale is about where usual costs lead a search no better than the lower
	// bound.
	leastUsualScale = 0.9
)

// usualScale returns the factor, above 0 and up to 1, by which the costs by the usual
// options of a kind have to be multiplied to be at or below those by some options. ok is
// false if it is not known or so small that LowerBound guides a search as well.
func usualScale(o *costing.Options) (scale float64, ok bool) {
	usual, dearer := costing.Default(o.Costing), *o
	// wish sums the factors of a preference for motorways and for toll roads.
	wish := 0.0
	if o.Costing.Motorised() && o.Costing != costing.MotorScooter {
		given := Costing{opt: *o}
		given.factors()
		if o.UseHighways > usual.UseHighways {
			dearer.UseHighways = usual.UseHighways
			wish += given.highwayFactor
		}
		if o.UseTolls > usual.UseTolls {
			dearer.UseTolls = usual.UseTolls
			wish += given.tollFactor
		}
	}
	dearer.WalkingSpeed, dearer.CyclingSpeed = min(o.WalkingSpeed, usual.WalkingSpeed), min(o.CyclingSpeed, usual.CyclingSpeed)
	if !dearer.AtLeast(usual) {
		return 0, false
	}
	scale = fasterScale(o, &usual)
	if wish != 0 {
		// It lowers the factor of what they are on a little, which is that of its density at
		// least.
		least := densityFactor(0)
		if o.Costing == costing.Truck {
			least *= truckRouteFactor
		}
		scale = 1 + wish/least
	}
	if scale < 1 {
		scale *= 1 - forRounding
	}
	return scale, scale >= leastUsualScale || wish == 0
}

// fasterScale returns the least ratio of the time on an edge of a cyclist or walker to that
// of the usual one, who is no faster; at most 1.
func fasterScale(o, usual *costing.Options) float64 {
	scale := 1.0
	switch {
	case o.WalkingSpeed > usual.WalkingSpeed:
		scale = usual.WalkingSpeed / o.WalkingSpeed
	case o.CyclingSpeed > usual.CyclingSpeed:
		for _, surface := range bicycleSurface[o.Bicycle] {
			for _, slope := range bicycleGradeSpeed {
				scale = math.Min(scale, wholeSpeed(usual.CyclingSpeed, surface*slope)/wholeSpeed(o.CyclingSpeed, surface*slope))
			}
		}
	}
	return scale
}
