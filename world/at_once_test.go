package world

import (
	"sync"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// TestRoadsAtOnce has four callers ask for ways through a town while a feed closes the
// main road and opens it again: each gets the way that leads along it or the one past
// it, and all let go of the region.
func TestRoadsAtOnce(t *testing.T) {
	s := newScene(t)
	now := &engine.When{}
	if !s.passes(now) {
		t.Fatal("the main road is closed before anybody has closed it")
	}
	ask := func() (metres float64) {
		w, done := s.set.Acquire()
		defer done()
		region, err := w.At(s.town.Point("a"), s.town.Point("d"))
		if err != nil {
			t.Error(err)
			return 0
		}
		if known := region.Roads(); known == nil {
			t.Error("nothing is known of the roads")
		}
		best, err := engine.Best(t.Context(), region.Engine, &engine.RouteRequest{Costing: costing.Auto, Locations: engine.Stops([]geo.Point{s.town.Point("a"), s.town.Point("d")}), Conditions: engine.Conditions{When: now}})
		if err != nil {
			t.Error(err)
			return 0
		}
		return best.Metres
	}
	straight := ask()
	closed := s.closure(`"closed":true`)
	f := s.feed(incidentsKind, "closures.geojson", closed)
	if s.passes(now) {
		t.Fatal("the main road is open though it was closed")
	}
	round := ask()
	if round <= straight {
		t.Fatalf("%.0f m past the main road, %.0f m along it", round, straight)
	}
	stop := make(chan struct{})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for {
				if m := ask(); m != straight && m != round {
					t.Errorf("%.0f m, which is neither %.0f m nor %.0f m", m, straight, round)
					return
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	for range 10 {
		s.roads.Remove(f.Source().ID)
		if !s.passes(now) {
			t.Error("the main road is closed after its feed has gone")
		}
		f = s.feed(incidentsKind, "closures.geojson", closed)
		if s.passes(now) {
			t.Error("the main road is open though it is closed again")
		}
	}
	close(stop)
	all.Wait()
}
