package match

import (
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
)

// The bounds of what is looked at for the noise of a trace.
const (
	leastDense   = 12           // positions; of fewer the noise is not estimated
	mostLag      = 16           // positions between those that are compared
	mostSamples  = 128          // comparisons for each lag
	mostApart    = 3            // standard deviations of the noise that positions compared may be apart
	usualNoise   = 5.0          // metres; of less noise positions as far apart as of so much are compared
	mostNoise    = 50.0         // metres; what is more is no noise of positions
	medianSquare = 2 * math.Ln2 // of a normal deviate in the plane, as times its variance
)

// Noise is the noise in the positions of a trace, in metres: standard deviations in each
// direction.
type Noise struct {
	Sigma   float64 // of all of it; 0 where there is none, or it cannot be distinguished from bends of the road
	White   float64 // of what changes from each position to the next
	Spacing float64 // between neighbouring positions
}

// NoiseOf estimates the noise of a trace. Of one that is too short it finds none.
//
// A position is compared with the middle between those some lags before and after it.
// On straight road at an even pace the difference is noise, and of most of a trace it
// hardly is anything else. Noise that drifts shows at longer lags; what drifts more
// slowly than the traveller leaves the place is not seen.
func NoiseOf(trace []Point) (n Noise) {
	if len(trace) < leastDense {
		return n
	}
	var buffer [mostSamples]float64
	at := func(lag int) float64 {
		squares := compared(trace, lag, buffer[:0], func(a, b vertex) float64 {
			return (a.x+b.x)*(a.x+b.x) + (a.y+b.y)*(a.y+b.y)
		})
		return math.Sqrt(quantile(squares, 0.5) / 6 / medianSquare)
	}
	n.White = at(1)
	lag := min(mostLag, len(trace)/4)
	ahead := quantile(compared(trace, lag, buffer[:0], func(_, b vertex) float64 { return b.x*b.x + b.y*b.y }), 0.75)
	n.Spacing = math.Sqrt(max(0, ahead-4*n.White*n.White)) / float64(lag)
	sigma := n.White
	for k := 2; k <= lag && float64(k)*n.Spacing <= mostApart*max(sigma, usualNoise); k *= 2 {
		sigma = max(sigma, at(k))
	}
	if n.Spacing <= mostApart*sigma && sigma <= mostNoise {
		n.Sigma = sigma
	}
	return n
}

// compared appends what of gives for where positions some lags before and after others
// lie from those.
func compared(trace []Point, lag int, dst []float64, of func(a, b vertex) float64) []float64 {
	every := (len(trace)-2*lag)/mostSamples + 1
	for i := lag; i+lag < len(trace) && len(dst) < mostSamples; i += every {
		p := trace[i].At
		scale := scaleAt(p)
		dst = append(dst, of(offset(p, trace[i-lag].At, scale), offset(p, trace[i+lag].At, scale)))
	}
	return dst
}

// quantile sorts values and returns the one that a share of them is below.
func quantile(values []float64, share float64) float64 {
	slices.Sort(values)
	return values[int(share*float64(len(values)-1))]
}

// offset returns the vector from a place to another, in metres east and north; scale is that
// of a degree of longitude against one of latitude.
func offset(from, to geo.Point, scale float64) vertex {
	return vertex{x: math.Remainder(to.Lon-from.Lon, 360) * perDegree * scale, y: (to.Lat - from.Lat) * perDegree}
}

// scaleAt returns the length of a degree of longitude at a place, against one of latitude.
func scaleAt(p geo.Point) float64 { return math.Cos(p.Lat * math.Pi / 180) }

// moved returns the place so many metres from another.
func moved(from geo.Point, by vertex) geo.Point {
	return geo.Point{Lon: from.Lon + by.x/perDegree/max(scaleAt(from), 1e-6), Lat: from.Lat + by.y/perDegree}
}
