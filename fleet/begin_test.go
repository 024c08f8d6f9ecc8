package fleet

import "testing"

// A job that must share the vehicle of a first step has room only once the shipment that the
// steps pick up has been delivered.
func TestFirstStepsAreNotRefusedForTheirOrder(t *testing.T) {
	p := line(3, 2)
	for i := range p.Vehicles {
		p.Vehicles[i].Capacity = []int32{10}
	}
	for i := range p.Jobs {
		p.Jobs[i].Delivery = nil
	}
	p.Jobs[1].Pickup = []int32{10}
	p.Shipments = []Shipment{{Pickup: Place{Location: 1}, Delivery: Place{Location: 2}, Amount: []int32{10}}}
	p.Together = [][]Task{{{false, 0}, {false, 1}}}
	p.Vehicles[0].First = []Stop{{AtJob, 0}, {AtPickup, 0}}
	plan, err := Solve(t.Context(), p, Options{Seed: 1, Iterations: 200})
	if err != nil || len(plan.Unassigned) > 0 {
		t.Fatalf("%v, %+v", err, plan)
	}
}

// Deliveries of what the first steps pick up are put in where each is cheapest, which can leave
// no time for another.
func TestFirstStepsAreNotRefusedForTheFirstTry(t *testing.T) {
	at := []int32{0, 10, -10, 30, 12}
	n := len(at)
	m := Matrix{N: n, Seconds: make([]int32, n*n), Metres: make([]int32, n*n)}
	for a := range n {
		for b := range n {
			m.Seconds[a*n+b] = max(at[a]-at[b], at[b]-at[a])
			m.Metres[a*n+b] = m.Seconds[a*n+b]
		}
	}
	p := &Problem{Matrices: []Matrix{m}, Vehicles: []Vehicle{{End: None, Capacity: []int32{9}, PerKilometre: 1}}}
	for i, until := range []int64{90, 90, 61, 52} {
		p.Shipments = append(p.Shipments, Shipment{Pickup: Place{}, Delivery: Place{Location: i + 1, Service: 5, Windows: []Window{{0, until}}}, Amount: []int32{1}})
		p.Vehicles[0].First = append(p.Vehicles[0].First, Stop{AtPickup, i})
	}
	plan, err := Solve(t.Context(), p, Options{Seed: 1, Iterations: 200})
	if err != nil || len(plan.Unassigned) > 0 {
		t.Fatalf("%v, %+v", err, plan)
	}
}
