package search

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/fleettest"
)

// A plan that a search found is arranged as it was found, on drawn problems of all kinds.
func TestArrange(t *testing.T) {
	n := 0
	for seed := range uint64(40) {
		p := fleettest.Draw(seed, 12, 5, 3)
		for i := range p.Vehicles {
			p.Vehicles[i].Reloads = nil
		}
		plan, err := Solve(t.Context(), p, Options{Seed: seed, Iterations: 300})
		if err != nil {
			continue // steps that cannot be done
		}
		orders := make([][]fleet.Stop, len(p.Vehicles))
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
	p := fleettest.Line(4, 2)
	p.Shipments = []fleet.Shipment{{Pickup: fleet.Place{Location: 1}, Delivery: fleet.Place{Location: 3}}, {Pickup: fleet.Place{Location: 2}, Delivery: fleet.Place{Location: 4}}}
	p.Vehicles[1].OnBoard = []int{1}
	p.Vehicles[0].MaxTasks = 3
	job := func(i int) fleet.Stop { return fleet.Stop{Kind: fleet.AtJob, Index: i} }
	for want, orders := range map[string][][]fleet.Stop{
		"1 orders for 2":        {{}},
		"which is none":         {{job(4)}, {}},
		"made twice":            {{job(1)}, {job(1)}},
		"not picked up":         {{{Kind: fleet.AtDelivery, Index: 0}, {Kind: fleet.AtPickup, Index: 0}}, {}},
		"has not picked up":     {{{Kind: fleet.AtPickup, Index: 0}}, {{Kind: fleet.AtDelivery, Index: 0}}},
		"does not deliver":      {{{Kind: fleet.AtPickup, Index: 0}}, {}},
		"delivers shipment 1":   {{{Kind: fleet.AtDelivery, Index: 1}}, {}},
		"the stop {1 1} is":     {{}, {{Kind: fleet.AtPickup, Index: 1}, {Kind: fleet.AtDelivery, Index: 1}}},
		"cannot make its stops": {{job(0), job(1), job(2), job(3)}, {}},
	} {
		if _, err := Arrange(p, orders); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", orders, err, want)
		}
	}
	plan, err := Arrange(p, [][]fleet.Stop{{job(0), {Kind: fleet.AtPickup, Index: 0}, {Kind: fleet.AtDelivery, Index: 0}}, {{Kind: fleet.AtDelivery, Index: 1}}})
	if err != nil || len(plan.Routes) != 2 || len(plan.Unassigned) != 3 {
		t.Errorf("%+v %v", plan, err)
	}
}
