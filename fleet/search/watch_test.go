package search

import (
	"testing"
	"time"

	"github.com/waygate/waygate/fleet/fleettest"
	"github.com/waygate/waygate/fleet/search/limit"
	"github.com/waygate/waygate/fleet/search/model"
)

// TestGivesWhatItHasInTime has the time run out at readings of the clock all over a search: a
// plan comes, which says so, and it ends within few readings after that.
func TestGivesWhatItHasInTime(t *testing.T) {
	const limit = time.Second
	for name, p := range fleettest.Demanding() {
		if testing.Short() && name != "matrices" && name != "shipments" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			for _, first := range []int{0, 1, 2, 5, 20} {
				readings := 0
				plan, err := Solve(t.Context(), p, Options{Seed: 1, Iterations: 1e12, Time: limit, Walkers: 2, Elapsed: func() time.Duration {
					if readings++; readings > first {
						return limit
					}
					return 0
				}})
				if err != nil {
					t.Fatalf("%d: %v", first, err)
				}
				if !plan.DeadlineHit || readings > first+200 {
					t.Errorf("%d: deadline %t after %d readings", first, plan.DeadlineHit, readings)
				}
			}
		})
	}
}

// TestWritesNoPlanThatIsNotWanted has the caller leave at any piece of work while the plan is
// written, vehicle by vehicle, each with more stops than the one before.
func TestWritesNoPlanThatIsNotWanted(t *testing.T) {
	p := fleettest.Wide(40, 8, 50)
	m := model.Compile(p, limit.Unlimited())
	s := newState(m)
	next := int32(0)
	for r := range m.Slots {
		visits := []int32{}
		for range r + 1 {
			visits = append(visits, next)
			next++
		}
		s.fill(int32(r), visits)
	}
	s.under(limit.NewWatch(t.Context(), nil))
	if plan := s.plan(); len(plan.Routes) != 8 {
		t.Fatalf("%d vehicles drive", len(plan.Routes))
	}
	all := s.watch.Work()
	for work := int64(0); work < all; work += 7 {
		w := limit.NewWatch(&fleettest.CancelledContext{Context: t.Context()}, nil)
		w.Spend(int(-work)) // so much passes before the first look
		s.under(w)
		s.plan()
		if !w.Over {
			t.Errorf("the caller left after %d pieces of work of %d, and was not looked at", work, all)
		}
	}
}
