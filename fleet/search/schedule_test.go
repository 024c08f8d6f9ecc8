package search

import (
	"testing"

	"github.com/waygate/waygate/fleet"
)

// A task that is due before a break opens is served before it, also with a load on board
// until then.
func TestBreaksAfterWhatIsDue(t *testing.T) {
	m := fleet.Matrix{N: 3, Seconds: []int32{0, 1500, 1500, 1500, 0, 1500, 1500, 1500, 0}, Metres: make([]int32, 9)}
	for name, p := range map[string]*fleet.Problem{
		"a break that opens when the delivery is due": {
			Vehicles:  []fleet.Vehicle{{Windows: []fleet.Window{{Start: 30000, End: 55000}}, Breaks: []fleet.Break{{Windows: []fleet.Window{{Start: 40000, End: 50000}}, Service: 1800, MaxLoad: []int32{0}}}, Capacity: []int32{1}, PerHour: 3600}},
			Shipments: []fleet.Shipment{{Pickup: fleet.Place{Location: 1}, Delivery: fleet.Place{Location: 2, Windows: []fleet.Window{{Start: 39000, End: 40000}}}, Amount: []int32{1}}},
		},
		"a break at one moment near the end": {
			Vehicles:  []fleet.Vehicle{{Start: fleet.None, Windows: []fleet.Window{{Start: 0, End: 9000}}, Breaks: []fleet.Break{{Windows: []fleet.Window{{Start: 8500, End: 8500}}, Service: 300}}, Capacity: []int32{1}, PerHour: 3600}},
			Shipments: []fleet.Shipment{{Pickup: fleet.Place{Location: 1, Service: 5, Windows: []fleet.Window{{Start: 0, End: 3600}}}, Delivery: fleet.Place{Location: 2, Service: 5, Windows: []fleet.Window{{Start: 0, End: 3600}}}, Amount: []int32{1}}},
		},
		"a break long before the first job": {
			Vehicles: []fleet.Vehicle{{Windows: []fleet.Window{{Start: 14000, End: 60000}}, Breaks: []fleet.Break{{Windows: []fleet.Window{{Start: 14000, End: 20000}}, Service: 1800}}, Capacity: []int32{1}, PerHour: 3600}},
			Jobs:     []fleet.Job{{Place: fleet.Place{Location: 1, Windows: []fleet.Window{{Start: 30000, End: 31000}}}}},
		},
		"a break and no window of anything else": {
			Vehicles: []fleet.Vehicle{{Breaks: []fleet.Break{{Service: 600}}, Capacity: []int32{1}, PerHour: 3600}},
			Jobs:     []fleet.Job{{Place: fleet.Place{Location: 1}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p.Matrices = []fleet.Matrix{m}
			plan, err := Solve(t.Context(), p, Options{Iterations: 200})
			if err != nil {
				t.Fatal(err)
			}
			if len(plan.Unassigned) > 0 || len(plan.Routes) != 1 {
				t.Fatalf("%+v", plan)
			}
			rests := 0
			for _, s := range plan.Routes[0].Steps {
				if s.Kind == fleet.StepBreak {
					rests++
				}
			}
			if rests != 1 {
				t.Errorf("%d breaks: %+v", rests, plan.Routes[0].Steps)
			}
		})
	}
}
