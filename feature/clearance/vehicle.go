package clearance

import (
	"math"
	"time"
)

// UsualWheelbase is the wheelbase where none is given, in metres: of the longest semi-trailers,
// from the kingpin to the last axle.
const UsualWheelbase = 12.0

const (
	// usualWidth is the width where none is given, in metres: the widest that EU law lets
	// refrigerated lorries have without their mirrors (Directive 96/53/EC, annex I, 1.2).
	usualWidth = 2.6
	// tolerance is kept on either side of a vehicle, in metres.
	tolerance = 0.25
	// Overhangs before the first and behind the last axle, in metres, which rise on a crest.
	overhangFront, overhangRear = 1.5, 3.0
	// usualLift is by how much at most, in metres, a vehicle of the usual wheelbase is taken to
	// rise over the road: in a sag of a radius of 18 m. Nearer than that to the vehicle, the
	// lift is worked out from the road's heights.
	usualLift = 1.0
)

// Foliage: how old a survey of it may be, and how far it grows towards the road in a year. The
// figure is of fast shoots of willow and poplar.
const (
	FoliageMonths = 6
	growth        = 3.0 // metres a year
)

// vehicle has the sizes that have to pass.
type vehicle struct {
	height    float64  // with its margin
	width     *float64 // nil is not assessed
	swept     float64  // width across which heights are assessed
	wheelbase float64
	lift      float64 // that is more than any road makes it
}

func newVehicle(r *Request) *vehicle {
	v := &vehicle{height: r.Height + r.Margin, width: r.Width, wheelbase: UsualWheelbase}
	width := usualWidth
	if r.Width != nil {
		width = *r.Width
	}
	if r.Wheelbase != nil {
		v.wheelbase = *r.Wheelbase
	}
	v.swept = width + 2*tolerance
	longer := max(1, v.wheelbase/UsualWheelbase)
	v.lift = usualLift * longer * longer // as the square of the wheelbase
	return v
}

// grown returns how far foliage may have grown since a survey, in metres; 0 where the survey is not
// too old to rely on.
func grown(surveyed, now time.Time) float64 {
	if !surveyed.AddDate(0, FoliageMonths, 0).Before(now) {
		return 0
	}
	const year = 365.25 * 24 * time.Hour
	return growth * math.Ceil(float64(now.Sub(surveyed))/float64(year))
}
