package search

import (
	"math"
	"testing"

	"github.com/waygate/waygate/fleet/fleettest"
	"github.com/waygate/waygate/fleet/search/limit"
	"github.com/waygate/waygate/fleet/search/model"
)

// TestKnowsAsIfLooked compares the places that a state which has seen many changes finds with
// those of one without a cache.
func TestKnowsAsIfLooked(t *testing.T) {
	recalled := 0
	for seed := range uint64(300) {
		p := fleettest.Draw(seed, 3+int(seed%9), int(seed%5), 1+int(seed%4))
		s := newState(model.Compile(p, limit.Unlimited()))
		s.random = newRandom(seed, 0)
		if !(start{s}).warmStart() {
			continue
		}
		for range 30 {
			s.skip = math.MaxInt // pass no place over
			s.beginChange()
			ok := ruin{s}.ruin()
			for _, u := range s.absent {
				got, found := s.best(u)
				old := s.cache
				s.cache = nil
				want, there := s.best(u)
				if s.cache = old; got != want || found != there {
					t.Fatalf("seed %d: task %d goes to %+v (%v), without what is known to %+v (%v)", seed, u, got, found, want, there)
				}
				again, _ := s.best(u)
				if again != want {
					t.Fatalf("seed %d: task %d goes to %+v when asked again, before to %+v", seed, u, again, want)
				}
			}
			recreation{s}.recreate(nil)
			if !ok || s.lacks() || s.random.below(2) == 0 {
				s.undo()
			}
		}
		for i := range s.cache {
			if s.cache[i].key > 0 {
				recalled++
			}
		}
	}
	if recalled == 0 {
		t.Fatal("nothing is ever known")
	}
}
