package search

import (
	"testing"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/fleettest"
)

// A job that must share the vehicle of a first step has room only once the shipment that the
// steps pick up has been delivered.
func TestFirstStepsAreNotRefusedForTheirOrder(t *testing.T) {
	p := fleettest.Line(3, 2)
	for i := range p.Vehicles {
		p.Vehicles[i].Capacity = []int32{10}
	}
	for i := range p.Jobs {
		p.Jobs[i].Delivery = nil
	}
	p.Jobs[1].Pickup = []int32{10}
	p.Shipments = []fleet.Shipment{{Pickup: fleet.Place{Location: 1}, Delivery: fleet.Place{Location: 2}, Amount: []int32{10}}}
	p.SameVehicle = [][]fleet.Task{{{Shipment: false, Index: 0}, {Shipment: false, Index: 1}}}
	p.Vehicles[0].First = []fleet.Stop{{Kind: fleet.AtJob, Index: 0}, {Kind: fleet.AtPickup, Index: 0}}
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
	m := fleet.Matrix{N: n, Seconds: make([]int32, n*n), Metres: make([]int32, n*n)}
	for a := range n {
		for b := range n {
			m.Seconds[a*n+b] = max(at[a]-at[b], at[b]-at[a])
			m.Metres[a*n+b] = m.Seconds[a*n+b]
		}
	}
	p := &fleet.Problem{Matrices: []fleet.Matrix{m}, Vehicles: []fleet.Vehicle{{End: fleet.None, Capacity: []int32{9}, PerKilometre: 1}}}
	for i, until := range []int64{90, 90, 61, 52} {
		p.Shipments = append(p.Shipments, fleet.Shipment{Pickup: fleet.Place{}, Delivery: fleet.Place{Location: i + 1, Service: 5, Windows: []fleet.Window{{Start: 0, End: until}}}, Amount: []int32{1}})
		p.Vehicles[0].First = append(p.Vehicles[0].First, fleet.Stop{Kind: fleet.AtPickup, Index: i})
	}
	plan, err := Solve(t.Context(), p, Options{Seed: 1, Iterations: 200})
	if err != nil || len(plan.Unassigned) > 0 {
		t.Fatalf("%v, %+v", err, plan)
	}
}
