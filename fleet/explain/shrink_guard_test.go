package explain

import (
	"reflect"
	"testing"

	"github.com/waygate/waygate/fleet"
)

// TestShrinksToWhatAPlanNeeds has a plan with all that a relaxation may be of, in which other tasks
// and other vehicles take much more of it.
func TestShrinksToWhatAPlanNeeds(t *testing.T) {
	window := func(start, end int64) []fleet.Window { return []fleet.Window{{Start: start, End: end}} }
	p := &fleet.Problem{
		Jobs:      []fleet.Job{{Place: fleet.Place{Windows: window(100, 200)}}, {Place: fleet.Place{Windows: window(0, 10)}}, {}},
		Shipments: []fleet.Shipment{{MaxRide: 50}, {MaxRide: 1}},
		Vehicles: []fleet.Vehicle{
			{Windows: window(0, 950), Capacity: []int32{5, 9}, MaxTasks: 4, MaxTravelTime: 100, MaxDistance: 100},
			{Windows: window(0, 10), Capacity: []int32{0, 0}, MaxTasks: 1, MaxTravelTime: 1, MaxDistance: 1},
		},
	}
	stop := func(kind fleet.StopKind, index int, at int64, load int32) fleet.Step {
		return fleet.Step{Kind: fleet.StepStop, Stop: fleet.Stop{Kind: kind, Index: index}, Arrival: at - 5, Setup: 2, Waiting: 3, Service: 10, Load: []int32{load, load}}
	}
	end := func(at int64) fleet.Step { return fleet.Step{Kind: fleet.StepEnd, Arrival: at, Load: []int32{0, 0}} }
	plan := &fleet.Plan{Routes: []fleet.Route{
		{Vehicle: 0, Travel: 120, Distance: 90, Steps: []fleet.Step{
			{Kind: fleet.StepStart, Load: []int32{1, 1}}, stop(fleet.AtJob, 0, 230, 7), stop(fleet.AtJob, 1, 500, 0), stop(fleet.AtPickup, 0, 600, 3), stop(fleet.AtPickup, 1, 620, 3), stop(fleet.AtDelivery, 0, 700, 3), stop(fleet.AtDelivery, 1, 990, 0), end(1000),
		}},
		{Vehicle: 1, Travel: 5000, Distance: 5000, Steps: []fleet.Step{{Kind: fleet.StepStart, Load: []int32{99, 99}}, stop(fleet.AtJob, 2, 9000, 99), end(9999)}},
	}}
	tasks := []fleet.Task{{Index: 0}, {Shipment: true, Index: 0}}
	wide := func() *Relaxation {
		return &Relaxation{Vehicle: 0, TimeWindows: 1e6, Ride: 1e6, Overtime: 1e6, Capacity: []int32{100, 100}, Tasks: 100, TravelTime: 1e6, Distance: 1e6}
	}
	// One change after the other: each goes on from what those before left.
	for _, c := range []struct {
		name   string
		change func()
		want   Relaxation
	}{
		{"as it is", func() {}, Relaxation{TimeWindows: 30, Ride: 40, Overtime: 50, Capacity: []int32{2, 0}, Tasks: 2, TravelTime: 20}},
		{"of one task", func() { tasks = tasks[:1] }, Relaxation{TimeWindows: 30, Overtime: 50, Capacity: []int32{2, 0}, Tasks: 2, TravelTime: 20}},
		{"before a window", func() { p.Jobs[0].Windows = window(300, 400) }, Relaxation{TimeWindows: 70, Overtime: 50, Capacity: []int32{2, 0}, Tasks: 2, TravelTime: 20}},
		{"between two windows", func() { p.Jobs[0].Windows = append(window(0, 190), window(250, 400)...) }, Relaxation{TimeWindows: 20, Overtime: 50, Capacity: []int32{2, 0}, Tasks: 2, TravelTime: 20}},
		{"without windows", func() { p.Jobs[0].Windows = nil }, Relaxation{Overtime: 50, Capacity: []int32{2, 0}, Tasks: 2, TravelTime: 20}},
		{"a shift without end", func() { p.Vehicles[0].Windows = nil }, Relaxation{Capacity: []int32{2, 0}, Tasks: 2, TravelTime: 20}},
		{"a distance too short", func() { p.Vehicles[0].MaxDistance = 60 }, Relaxation{Capacity: []int32{2, 0}, Tasks: 2, TravelTime: 20, Distance: 30}},
	} {
		c.change()
		r := wide()
		r.shrinkTo(p, tasks, plan)
		if !reflect.DeepEqual(*r, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, *r, c.want)
		}
	}
	// What was less already stays.
	r := &Relaxation{Capacity: []int32{0, 0}}
	if r.shrinkTo(p, tasks, plan); !reflect.DeepEqual(*r, Relaxation{Capacity: []int32{0, 0}}) {
		t.Errorf("of nothing: %+v", *r)
	}
}
