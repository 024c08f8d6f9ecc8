package canary

import (
	"sync"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// TestAddsAtOnce has four callers add routes while the questions are read.
func TestAddsAtOnce(t *testing.T) {
	s := NewSource(nil)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 500 {
				s.Add(&engine.RouteRequest{Costing: costing.Auto, Locations: engine.Stops([]geo.Point{{}, {Lat: 1}})})
				if n := len(s.Questions(func(costing.Costing) bool { return true })); n == 0 || n > mostRecent {
					t.Errorf("%d questions", n)
				}
			}
		})
	}
	all.Wait()
}
