package search

import (
	"runtime"
	"testing"

	"github.com/waygate/waygate/fleet/fleettest"
	"github.com/waygate/waygate/fleet/search/limit"
)

// TestWidestProblems takes each list-valued member at its bound, and those together that
// multiply, and holds the work that was counted and the memory against the estimate.
func TestWidestProblems(t *testing.T) {
	full, few := [3]int{1000, 100, 200}, [3]int{120, 12, 100}
	for name, c := range map[string]struct {
		size [3]int
		wide []fleettest.Widening
	}{
		"nothing":                         {full, nil},
		"one vehicle":                     {full, []fleettest.Widening{fleettest.Alone}},
		"shipments":                       {full, []fleettest.Widening{fleettest.Pairs}},
		"shipments, one vehicle":          {full, []fleettest.Widening{fleettest.Pairs, fleettest.Alone}},
		"limits on rides":                 {few, []fleettest.Widening{fleettest.Rides}},
		"limits on rides, breaks":         {[3]int{16, 2, 20}, []fleettest.Widening{fleettest.Rides, fleettest.Breaks}},
		"vehicles":                        {[3]int{1000, 1000, 200}, []fleettest.Widening{fleettest.Unlike}},
		"speeds":                          {full, []fleettest.Widening{fleettest.Speeds}},
		"apart":                           {full, []fleettest.Widening{fleettest.Incompatible(150, 990)}},
		"apart, lists":                    {full, []fleettest.Widening{fleettest.Incompatible(1000, 50)}},
		"apart, lists, vehicles":          {[3]int{1000, 1000, 200}, []fleettest.Widening{fleettest.Incompatible(1000, 1000), fleettest.Unlike}},
		"together":                        {full, []fleettest.Widening{fleettest.SameVehicle(1, 990)}},
		"together, lists":                 {full, []fleettest.Widening{fleettest.SameVehicle(1000, 1000)}},
		"together, lists, vehicles":       {[3]int{150, 50, 100}, []fleettest.Widening{fleettest.SameVehicle(1000, 150), fleettest.Unlike, fleettest.Roomy}},
		"together by tens":                {full, []fleettest.Widening{fleettest.Parts(10)}},
		"together by twenties, breaks":    {[3]int{60, 6, 50}, []fleettest.Widening{fleettest.Parts(20), fleettest.Breaks}},
		"together, apart":                 {full, []fleettest.Widening{fleettest.Parts(10), fleettest.Incompatible(1000, 1000)}},
		"skills, vehicles":                {full, []fleettest.Widening{fleettest.Unlike, fleettest.Skills}},
		"territories, vehicles":           {full, []fleettest.Widening{fleettest.Unlike, fleettest.Territories}},
		"types":                           {full, []fleettest.Widening{fleettest.Types}},
		"windows":                         {full, []fleettest.Widening{fleettest.Windows}},
		"shifts":                          {full, []fleettest.Widening{fleettest.Shifts}},
		"shifts, windows":                 {full, []fleettest.Widening{fleettest.Shifts, fleettest.Windows}},
		"breaks":                          {full, []fleettest.Widening{fleettest.Breaks}},
		"breaks, windows":                 {full, []fleettest.Widening{fleettest.Rests, fleettest.Windows}},
		"breaks, shifts, windows":         {[3]int{60, 6, 50}, []fleettest.Widening{fleettest.Rests, fleettest.Shifts, fleettest.Windows}},
		"trips":                           {full, []fleettest.Widening{fleettest.Trips}},
		"trips, dimensions":               {full, []fleettest.Widening{fleettest.Trips, fleettest.Dimensions}},
		"trips, breaks":                   {[3]int{60, 6, 50}, []fleettest.Widening{fleettest.Trips, fleettest.Breaks}},
		"dimensions":                      {full, []fleettest.Widening{fleettest.Dimensions}},
		"steps":                           {full, []fleettest.Widening{fleettest.Steps}},
		"steps, dimensions":               {full, []fleettest.Widening{fleettest.Dimensions, fleettest.Steps}},
		"steps, breaks":                   {[3]int{60, 6, 50}, []fleettest.Widening{fleettest.Steps, fleettest.Breaks, fleettest.Roomy}},
		"steps, trips":                    {few, []fleettest.Widening{fleettest.Steps, fleettest.Trips}},
		"steps, together":                 {full, []fleettest.Widening{fleettest.Steps, fleettest.Parts(10)}},
		"skills, territories, no vehicle": {full, []fleettest.Widening{fleettest.Skills, fleettest.Held}},
	} {
		if testing.Short() && name != "nothing" && name != "apart, lists" && name != "steps, trips" {
			continue
		}
		p := fleettest.Wide(c.size[0], c.size[1], c.size[2])
		for _, w := range c.wide {
			w(p)
		}
		o := Options{Seed: 1, Iterations: iterationsPerLook, Walkers: 2}
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		plan, work, err := solve(t.Context(), p, o)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		taken := float64(after.TotalAlloc - before.TotalAlloc)
		want := Estimate(p, o)
		counted := float64(work * limit.WorkTime)
		t.Logf("%-32s counted %6.0f ms, estimated %6d ms, %.2f; %5.1f MB, estimated %5.1f MB, %.2f; %d left", name, counted/1e6, want.Processor.Milliseconds(), counted/float64(want.Processor), taken/1e6, float64(want.Bytes)/1e6, taken/float64(want.Bytes), len(plan.Unassigned))
		if counted > 10*float64(want.Processor) || float64(want.Processor) > 20*counted {
			t.Errorf("%s: work of %.0f ms was counted, and %v estimated", name, counted/1e6, want.Processor)
		}
		if taken > 4*float64(want.Bytes) || float64(want.Bytes) > 10*taken {
			t.Errorf("%s: %.1f MB were taken, and %.1f estimated", name, taken/1e6, float64(want.Bytes)/1e6)
		}
	}
}
