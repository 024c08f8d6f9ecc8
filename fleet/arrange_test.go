package fleet

import (
	"strings"
	"testing"
)

// What a search found is arranged as it was found, on drawn problems of all kinds.
func TestArrange(t *testing.T) {
	n := 0
	for seed := range uint64(40) {
		p := draw(seed, 12, 5, 3)
		for i := range p.Vehicles {
			p.Vehicles[i].Reloads = nil
		}
		plan, err := Solve(t.Context(), p, Options{Seed: seed, Iterations: 300})
		if err != nil {
			continue // steps that cannot be done
		}
		orders := make([][]Stop, len(p.Vehicles))
		for v := range orders {
			orders[v] = plan.Stops(v)
		}
		again, err := Arrange(p, orders)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if again.Cost != plan.Cost || len(again.Unassigned) != len(plan.Unassigned) || again.Disruption != plan.Disruption {
			t.Errorf("seed %d: costs %d, and was found for %d", seed, again.Cost, plan.Cost)
		}
		n += len(again.Routes)
	}
	if n < 40 {
		t.Errorf("%d routes in all", n)
	}
}

func TestArrangeRefuses(t *testing.T) {
	p := line(4, 2)
	p.Shipments = []Shipment{{Pickup: Place{Location: 1}, Delivery: Place{Location: 3}}, {Pickup: Place{Location: 2}, Delivery: Place{Location: 4}}}
	p.Vehicles[1].OnBoard = []int{1}
	p.Vehicles[0].MaxTasks = 3
	job := func(i int) Stop { return Stop{AtJob, i} }
	for want, orders := range map[string][][]Stop{
		"1 orders for 2":        {{}},
		"which is none":         {{job(4)}, {}},
		"made twice":            {{job(1)}, {job(1)}},
		"not picked up":         {{{AtDelivery, 0}, {AtPickup, 0}}, {}},
		"has not picked up":     {{{AtPickup, 0}}, {{AtDelivery, 0}}},
		"does not deliver":      {{{AtPickup, 0}}, {}},
		"delivers shipment 1":   {{{AtDelivery, 1}}, {}},
		"the stop {1 1} is":     {{}, {{AtPickup, 1}, {AtDelivery, 1}}},
		"cannot make its stops": {{job(0), job(1), job(2), job(3)}, {}},
	} {
		if _, err := Arrange(p, orders); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", orders, err, want)
		}
	}
	plan, err := Arrange(p, [][]Stop{{job(0), {AtPickup, 0}, {AtDelivery, 0}}, {{AtDelivery, 1}}})
	if err != nil || len(plan.Routes) != 2 || len(plan.Unassigned) != 3 {
		t.Errorf("%+v %v", plan, err)
	}
}

func TestAble(t *testing.T) {
	p := line(3, 2)
	p.Shipments = []Shipment{{Pickup: Place{Location: 1}, Delivery: Place{Location: 2}}}
	p.Vehicles[0].OnBoard = []int{0}
	p.Jobs[1].Skills = []int32{7}
	p.Vehicles[1].Skills = []int32{7}
	p.Vehicles[1].Territories = []int32{1}
	p.Jobs[0].Territories, p.Jobs[1].Territories = []int32{1}, []int32{1, 2}
	m := &p.Matrices[0]
	m.Seconds[3*m.N+0] = Unreachable // there is no way back from the third
	for i, want := range [][2]bool{{true, true}, {false, true}, {false, false}} {
		if got := [2]bool{p.Able(0, Task{false, i}), p.Able(1, Task{false, i})}; got != want {
			t.Errorf("job %d: %v", i, got)
		}
	}
	if !p.Able(0, Task{true, 0}) || p.Able(1, Task{true, 0}) {
		t.Error("a load on board is its vehicle's")
	}
}
