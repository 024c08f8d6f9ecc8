package rationale

import (
	"math"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// Divergence is the stretch of the way that would have been taken, from where
// it leaves the route to where it comes back.
type Divergence struct {
	Start  [2]float64 `json:"start" doc:"[lon, lat] where the other way leaves the route"`
	End    [2]float64 `json:"end" doc:"[lon, lat] where it comes back"`
	Length float64    `json:"length_m" doc:"metres of the other way between them"`
}

// diverge compares two ways between the same places; ok is false where they are
// the same. Shapes are compared to a metre or so, since they may have come with
// five digits.
func diverge(route, other *engine.Route) (d Divergence, ok bool) {
	a, b := route.Line(), other.Line()
	first := 0
	for first < len(a) && first < len(b) && same(a[first], b[first]) {
		first++
	}
	if first == len(a) && first == len(b) {
		return d, false
	}
	last := 0
	for last < len(a)-first && last < len(b)-first && same(a[len(a)-1-last], b[len(b)-1-last]) {
		last++
	}
	from, to := max(0, first-1), min(len(b), len(b)-last+1)
	part := b[from:to]
	if len(part) == 0 {
		return d, false
	}
	return Divergence{Start: position(part[0]), End: position(part[len(part)-1]), Length: math.Round(geo.Length(part))}, true
}

func same(a, b geo.Point) bool {
	const near = 1.2e-5 // degrees: what the fifth digit may be off
	return math.Abs(a.Lon-b.Lon) < near && math.Abs(a.Lat-b.Lat) < near
}

func position(p geo.Point) [2]float64 {
	const digits = 1e6
	return [2]float64{math.Round(p.Lon*digits) / digits, math.Round(p.Lat*digits) / digits}
}
