package search

import (
	"testing"
	"time"

	"github.com/waygate/waygate/fleet/fleettest"
)

func TestEstimate(t *testing.T) {
	p := fleettest.Line(200, 20)
	few := Estimate(p, Options{Iterations: 100, Time: time.Hour})
	if few.Processor > time.Second {
		t.Errorf("few iterations in an hour are estimated at %v", few.Processor)
	}
	long := Estimate(p, Options{Iterations: 1 << 40, Time: 10 * time.Second, Walkers: 2, Workers: 2})
	if long.Processor < 20*time.Second || long.Processor > 22*time.Second {
		t.Errorf("ten seconds of two walkers are estimated at %v", long.Processor)
	}
	if more := Estimate(fleettest.Line(400, 20), Options{Iterations: 100}); more.Processor <= few.Processor || more.Bytes <= few.Bytes {
		t.Errorf("a larger problem takes %+v, and a smaller %+v", more, few)
	}
}
