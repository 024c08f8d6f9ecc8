package embedded_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/realdata"
)

// walkedWithNoise returns the trace of somebody who walks from one place to another, at one
// position a second with so many metres of noise, and the length of the way.
func walkedWithNoise(t *testing.T, e *embedded.Engine, p pair, noise float64) (r *engine.MatchRequest, metres float64) {
	t.Helper()
	a, err := e.Route(t.Context(), p.request(t, costing.Pedestrian))
	if err != nil {
		t.Fatal(err)
	}
	r = &engine.MatchRequest{How: engine.MapSnap, Costing: costing.Pedestrian, UseTimestamps: true, Output: engine.Output{Format: engine.Native}}
	r.Options, _, _ = costing.Parse(r.Costing, nil, "")
	random := rand.New(rand.NewPCG(3, 4))
	line, at := a.Routes[0].Line(), 0.0
	for i := 1; i < len(line); i++ {
		metres := geo.Distance(line[i-1], line[i])
		for ; at < metres; at += 1.4 {
			q := geo.Destination(line[i-1], geo.Bearing(line[i-1], line[i]), at)
			q = geo.Destination(geo.Destination(q, 90, noise*random.NormFloat64()), 0, noise*random.NormFloat64())
			seconds := float64(len(r.Trace))
			r.Trace = append(r.Trace, engine.TracePoint{Point: q, Time: &seconds})
		}
		at -= metres
	}
	return r, a.Routes[0].Metres
}

// TestTraceOfUnknownNoise matches a dense trace with noise that the request says nothing
// of: the way is as long as it was and took as long, and every position has a place on it.
// An accuracy or a distance between positions that is given counts as it is.
func TestTraceOfUnknownNoise(t *testing.T) {
	e := open(t, realdata.File(t, "osm/liechtenstein-bench.osm.pbf"))
	tested := 0
	for _, p := range pairs(t) {
		if d := geo.Distance(p.from, p.to); d < 1000 || d > 2000 {
			continue
		}
		if tested++; tested > 5 {
			break
		}
		r, metres := walkedWithNoise(t, e, p, 12)
		length := func() float64 {
			a, err := e.TraceRoute(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			sum, seconds := 0.0, 0.0
			for i := range a.Routes {
				sum, seconds = sum+a.Routes[i].Metres, seconds+a.Routes[i].Seconds
			}
			if whole := float64(len(r.Trace) - 1); len(a.Routes) == 1 && r.Tuning.GPSAccuracy == nil && math.Abs(seconds-whole) > 0.02*whole {
				t.Errorf("%v to %v: the way takes %.0f s, the trace %.0f", p.from, p.to, seconds, whole)
			}
			if len(a.Points) != len(r.Trace) {
				t.Errorf("%d positions have %d places", len(r.Trace), len(a.Points))
			}
			return sum
		}
		if got := length(); math.Abs(got-metres) > 0.1*metres {
			t.Errorf("%v to %v: %.0f m of way become %.0f", p.from, p.to, metres, got)
		}
		a, err := e.TraceAttributes(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[engine.AttributeKind]int{}
		for i := range a.Points {
			kinds[a.Points[i].Kind]++
		}
		if len(a.Points) != len(r.Trace) || kinds[engine.Unmatched] > len(r.Trace)/50 || kinds[engine.Interpolated] < len(r.Trace)/2 || kinds[engine.Matched] < 10 {
			t.Errorf("%v to %v: of %d positions there are kinds %v", p.from, p.to, len(r.Trace), kinds)
		}
		accuracy, apart := 5.0, 0.0
		r.Tuning.GPSAccuracy = &accuracy
		if got := length(); got < 1.2*metres {
			t.Errorf("%v to %v: %.0f m of way become %.0f where positions are said to be as good as 5 m", p.from, p.to, metres, got)
		}
		r.Tuning.GPSAccuracy, r.Tuning.Interpolation = nil, &apart
		if a, err = e.TraceAttributes(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		left := 0
		for i := range a.Points {
			if a.Points[i].Kind == engine.Interpolated {
				left++
			}
		}
		if left > len(r.Trace)/50 { // outliers
			t.Errorf("%v to %v: %d of %d positions take no part, though all are to", p.from, p.to, left, len(r.Trace))
		}
	}
}
