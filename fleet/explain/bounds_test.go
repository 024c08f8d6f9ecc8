package explain

import (
	"slices"
	"testing"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/fleettest"
	"github.com/waygate/waygate/fleet/search"
	"github.com/waygate/waygate/fleet/search/limit"
)

// TestWidestExplanations does so for the explanation of a task.
func TestWidestExplanations(t *testing.T) {
	few := [3]int{200, 20, 100}
	for name, c := range map[string]struct {
		size [3]int
		wide []fleettest.Widening
	}{
		"nothing":     {few, nil},
		"vehicles":    {[3]int{200, 400, 100}, []fleettest.Widening{fleettest.Unlike}},
		"shipments":   {few, []fleettest.Widening{fleettest.Pairs}},
		"together":    {few, []fleettest.Widening{fleettest.SameVehicle(1000, 100)}},
		"apart":       {few, []fleettest.Widening{fleettest.Incompatible(1000, 200)}},
		"skills":      {few, []fleettest.Widening{fleettest.Unlike, fleettest.Skills}},
		"windows":     {few, []fleettest.Widening{fleettest.Windows}},
		"dimensions":  {few, []fleettest.Widening{fleettest.Dimensions}},
		"trips":       {few, []fleettest.Widening{fleettest.Trips}},
		"territories": {few, []fleettest.Widening{fleettest.Territories}},
	} {
		if testing.Short() && name != "nothing" {
			continue
		}
		p := fleettest.Wide(c.size[0], c.size[1], c.size[2])
		for _, w := range c.wide {
			w(p)
		}
		last := fleet.Task{Index: len(p.Jobs) - 1}
		if len(p.Jobs) == 0 {
			last = fleet.Task{Shipment: true, Index: len(p.Shipments) - 1}
			p.Shipments[last.Index].Delivery.Windows, p.Shipments[last.Index].Skills = []fleet.Window{{Start: 1, End: 2}}, []int32{-5}
		} else {
			p.Jobs[last.Index].Windows, p.Jobs[last.Index].Skills = []fleet.Window{{Start: 1, End: 2}}, []int32{-5}
		}
		plan, err := search.Solve(t.Context(), p, search.Options{Seed: 1, Iterations: 64})
		if err != nil || !slices.Contains(plan.Unassigned, last) {
			t.Fatalf("%s: %v", name, err)
		}
		w := limit.NewWatch(t.Context(), nil)
		reasons, err := explain(w, p, plan, []fleet.Task{last}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		counted, want := float64(w.Work()*limit.WorkTime), Estimate(p, 1)
		t.Logf("%-12s counted %6.0f ms, estimated %6d ms, %.2f; %s, %d ways", name, counted/1e6, want.Processor.Milliseconds(), counted/float64(want.Processor), reasons[0].Cause, len(reasons[0].Relaxations))
		if counted > 10*float64(want.Processor) {
			t.Errorf("%s: work of %.0f ms was counted, and %v estimated", name, counted/1e6, want.Processor)
		}
	}
}
