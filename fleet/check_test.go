package fleet_test

import (
	"errors"
	"testing"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/fleettest"
	"github.com/waygate/waygate/fleet/search"
)

func TestChecksInput(t *testing.T) {
	for field, change := range map[string]func(p *fleet.Problem){
		"vehicles":                      func(p *fleet.Problem) { p.Vehicles = nil },
		"jobs":                          func(p *fleet.Problem) { p.Jobs = nil },
		"vehicles[0].capacity":          func(p *fleet.Problem) { p.Vehicles[0].Capacity = []int32{-1} },
		"vehicles[1].capacity":          func(p *fleet.Problem) { p.Vehicles[1].Capacity = []int32{1} },
		"vehicles[0].start":             func(p *fleet.Problem) { p.Vehicles[0].Start = 9 },
		"vehicles[0].time_windows[0]":   func(p *fleet.Problem) { p.Vehicles[0].Windows = []fleet.Window{{Start: 5, End: 3}} },
		"vehicles[0].speed_factor":      func(p *fleet.Problem) { p.Vehicles[0].SpeedFactor = -1 },
		"vehicles[0].reloads":           func(p *fleet.Problem) { p.Vehicles[0].Reloads = &fleet.Reloads{MaxTrips: 2} },
		"vehicles[0].reloads.max_trips": func(p *fleet.Problem) { p.Vehicles[0].Reloads = &fleet.Reloads{MaxTrips: 6} },
		"jobs[1].service":               func(p *fleet.Problem) { p.Jobs[1].Service = -1 },
		"jobs[1].time_windows[0]":       func(p *fleet.Problem) { p.Jobs[1].Windows = []fleet.Window{{Start: 5, End: 4}} },
		"jobs[1].time_windows[1]":       func(p *fleet.Problem) { p.Jobs[1].Windows = []fleet.Window{{Start: 1, End: 4}, {Start: 3, End: 9}} },
		"jobs[2].priority":              func(p *fleet.Problem) { p.Jobs[2].Priority = 101 },
		"jobs[0].delivery":              func(p *fleet.Problem) { p.Jobs[0].Delivery = []int32{1} },
		"apart[0][0]":                   func(p *fleet.Problem) { p.Incompatible = [][]fleet.Task{{{Shipment: true, Index: 0}}} },
		"vehicles[0].steps[1]": func(p *fleet.Problem) {
			p.Vehicles[0].First = []fleet.Stop{{Kind: fleet.AtJob, Index: 0}, {Kind: fleet.AtJob, Index: 0}}
		},
		"vehicles[1].costs": func(p *fleet.Problem) {
			p.Vehicles[1].PerTaskHour = fleet.MostCost
			for i := range p.Jobs {
				p.Jobs[i].Service = fleet.Most
			}
		},
		"jobs[3].pickup": func(p *fleet.Problem) {
			fleettest.Load(p, 1)
			p.Jobs[1].Delivery[0], p.Jobs[3].Pickup = fleet.MostAmount-3, []int32{1}
		},
		"matrices[0]": func(p *fleet.Problem) { p.Matrices[0].Seconds[1] = -7 },
	} {
		p := fleettest.Line(4, 2)
		change(p)
		_, err := search.Solve(t.Context(), p, search.Options{Iterations: 1})
		var bad *fleet.InputError
		if !errors.As(err, &bad) || bad.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
