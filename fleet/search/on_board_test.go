package search

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/fleettest"
)

// Breaks that allow no load, or little, with loads on board of vehicles whose first steps are
// given: each refusal is held against every plan there is.
func TestFirstStepsAreNotRefusedForABreak(t *testing.T) {
	cases := 400
	if testing.Short() {
		cases = 60
	}
	relieved := 0
	for seed := range uint64(cases) {
		p := aboard(seed)
		plan, err := Solve(t.Context(), p, Options{Seed: seed, Iterations: 200})
		if err != nil && !errors.Is(err, ErrSteps) {
			t.Fatalf("seed %d: %v", seed, err)
		}
		e := fleettest.NewExhaust(p)
		e.Try(0, 0, 0)
		if (err == nil) != e.Any {
			t.Errorf("seed %d: %v, and that there is a plan is %v", seed, err, e.Any)
		}
		if err == nil && len(plan.Unassigned) < 3 {
			relieved++
		}
	}
	if relieved < cases/10 {
		t.Errorf("only %d vehicles could deliver something: the problems are too hard to show anything", relieved)
	}
}

// aboard makes a vehicle with three shipments on board, one to pick up in its first steps and a
// break with a limit on the load.
func aboard(seed uint64) *fleet.Problem {
	r := rand.New(rand.NewPCG(seed, 5))
	p := fleettest.Line(5, 1)
	v := &p.Vehicles[0]
	v.Capacity = []int32{20}
	p.Jobs = p.Jobs[:1]
	p.Jobs[0].Delivery = nil
	n := p.Matrices[0].N
	for i := range 4 {
		to := fleet.Place{Location: 1 + r.IntN(n-1)}
		if r.IntN(3) == 0 {
			to.Windows = []fleet.Window{{Start: 0, End: r.Int64N(400)}}
		}
		p.Shipments = append(p.Shipments, fleet.Shipment{Pickup: fleet.Place{Location: 1 + r.IntN(n-1)}, Delivery: to, Amount: []int32{1 + r.Int32N(4)}})
		if i < 3 {
			v.OnBoard = append(v.OnBoard, i)
		}
	}
	v.First = []fleet.Stop{{Kind: fleet.AtJob, Index: 0}}
	if r.IntN(2) == 0 {
		v.First = append(v.First, fleet.Stop{Kind: fleet.AtPickup, Index: 3})
	}
	from := r.Int64N(300)
	v.Windows = []fleet.Window{{Start: 0, End: 200 + r.Int64N(600)}}
	v.Breaks = []fleet.Break{{Windows: []fleet.Window{{Start: from, End: from + r.Int64N(400)}}, Service: 20, MaxLoad: []int32{r.Int32N(12)}}}
	return p
}
