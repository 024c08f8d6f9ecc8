package fleet_test

import (
	"testing"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/fleettest"
)

func TestAble(t *testing.T) {
	p := fleettest.Line(3, 2)
	p.Shipments = []fleet.Shipment{{Pickup: fleet.Place{Location: 1}, Delivery: fleet.Place{Location: 2}}}
	p.Vehicles[0].OnBoard = []int{0}
	p.Jobs[1].Skills = []int32{7}
	p.Vehicles[1].Skills = []int32{7}
	p.Vehicles[1].Territories = []int32{1}
	p.Jobs[0].Territories, p.Jobs[1].Territories = []int32{1}, []int32{1, 2}
	m := &p.Matrices[0]
	m.Seconds[3*m.N+0] = fleet.Unreachable // there is no way back from the third
	for i, want := range [][2]bool{{true, true}, {false, true}, {false, false}} {
		if got := [2]bool{p.CanServe(0, fleet.Task{Shipment: false, Index: i}), p.CanServe(1, fleet.Task{Shipment: false, Index: i})}; got != want {
			t.Errorf("job %d: %v", i, got)
		}
	}
	if !p.CanServe(0, fleet.Task{Shipment: true, Index: 0}) || p.CanServe(1, fleet.Task{Shipment: true, Index: 0}) {
		t.Error("a load on board is its vehicle's")
	}
}
