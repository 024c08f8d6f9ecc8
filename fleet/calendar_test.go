package fleet_test

import (
	"testing"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/search"
)

// Misfit returns the break that no route of a vehicle could have: Solve serves something with
// the vehicle exactly where there is none, and the job takes no time.
func TestMisfit(t *testing.T) {
	shift, two := []fleet.Window{{Start: 100, End: 200}}, []fleet.Window{{Start: 100, End: 200}, {Start: 300, End: 400}}
	at := func(service int64, windows ...fleet.Window) fleet.Break {
		return fleet.Break{Windows: windows, Service: service}
	}
	for name, c := range map[string]struct {
		windows []fleet.Window
		breaks  []fleet.Break
		first   int
		from    int64
	}{
		"after the shift":                       {shift, []fleet.Break{at(30, fleet.Window{Start: 250, End: 300})}, 0, 100},
		"before the shift":                      {shift, []fleet.Break{at(30, fleet.Window{Start: 20, End: 90})}, 0, 100},
		"it begins in the shift, and is over":   {shift, []fleet.Break{at(30, fleet.Window{Start: 170, End: 300})}, -1, 200},
		"it begins in the shift, and is not":    {shift, []fleet.Break{at(30, fleet.Window{Start: 171, End: 300})}, 0, 100},
		"of no length, at the end":              {shift, []fleet.Break{at(0, fleet.Window{Start: 200, End: 300})}, -1, 200},
		"of no length, after the end":           {shift, []fleet.Break{at(0, fleet.Window{Start: 201, End: 300})}, 0, 100},
		"at the begin":                          {shift, []fleet.Break{at(30, fleet.Window{Start: 20, End: 100})}, -1, 130},
		"the second window fits":                {shift, []fleet.Break{at(30, fleet.Window{Start: 20, End: 90}, fleet.Window{Start: 120, End: 300})}, -1, 150},
		"longer than the shift":                 {shift, []fleet.Break{at(101)}, 0, 100},
		"as long as the shift":                  {shift, []fleet.Break{at(100)}, -1, 200},
		"one after the other":                   {shift, []fleet.Break{at(30), at(30, fleet.Window{Start: 100, End: 130})}, -1, 160},
		"the first is over too late":            {shift, []fleet.Break{at(30), at(30, fleet.Window{Start: 100, End: 129})}, 1, 130},
		"together too long":                     {shift, []fleet.Break{at(60), at(60)}, 1, 160},
		"in no order":                           {nil, []fleet.Break{at(10, fleet.Window{Start: 150, End: 160}), at(10, fleet.Window{Start: 100, End: 120})}, 1, 160},
		"without a shift":                       {nil, []fleet.Break{at(10, fleet.Window{Start: 900, End: 900})}, -1, 910},
		"between two shifts":                    {two, []fleet.Break{at(30, fleet.Window{Start: 190, End: 260})}, 0, 100},
		"between two shifts, into the second":   {two, []fleet.Break{at(30, fleet.Window{Start: 190, End: 300})}, -1, 330},
		"longer than either of two shifts":      {two, []fleet.Break{at(101)}, 0, 100},
		"in the second, after one in the first": {two, []fleet.Break{at(60, fleet.Window{Start: 140, End: 140}), at(90)}, -1, 390},
	} {
		t.Run(name, func(t *testing.T) {
			p := &fleet.Problem{Matrices: []fleet.Matrix{{N: 1, Seconds: make([]int32, 1), Metres: make([]int32, 1)}}, Jobs: []fleet.Job{{}}}
			p.Vehicles = []fleet.Vehicle{{Windows: c.windows, Breaks: c.breaks, PerHour: 3600}}
			k, from := p.Vehicles[0].Misfit()
			if k != c.first || from != c.from {
				t.Errorf("break %d at %d, want %d at %d", k, from, c.first, c.from)
			}
			plan, err := search.Solve(t.Context(), p, search.Options{Iterations: 50})
			if err != nil {
				t.Fatal(err)
			}
			if served := len(plan.Unassigned) == 0; served != (k < 0) {
				t.Errorf("served %v, with the misfit %d", served, k)
			}
		})
	}
}
