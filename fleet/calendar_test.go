package fleet

import "testing"

// Misfit returns the break that no route of a vehicle could have: Solve serves something with
// the vehicle exactly where there is none, and the job takes no time.
func TestMisfit(t *testing.T) {
	shift, two := []Window{{100, 200}}, []Window{{100, 200}, {300, 400}}
	at := func(service int64, windows ...Window) Break { return Break{Windows: windows, Service: service} }
	for name, c := range map[string]struct {
		windows []Window
		breaks  []Break
		first   int
		from    int64
	}{
		"after the shift":                       {shift, []Break{at(30, Window{250, 300})}, 0, 100},
		"before the shift":                      {shift, []Break{at(30, Window{20, 90})}, 0, 100},
		"it begins in the shift, and is over":   {shift, []Break{at(30, Window{170, 300})}, -1, 200},
		"it begins in the shift, and is not":    {shift, []Break{at(30, Window{171, 300})}, 0, 100},
		"of no length, at the end":              {shift, []Break{at(0, Window{200, 300})}, -1, 200},
		"of no length, after the end":           {shift, []Break{at(0, Window{201, 300})}, 0, 100},
		"at the begin":                          {shift, []Break{at(30, Window{20, 100})}, -1, 130},
		"the second window fits":                {shift, []Break{at(30, Window{20, 90}, Window{120, 300})}, -1, 150},
		"longer than the shift":                 {shift, []Break{at(101)}, 0, 100},
		"as long as the shift":                  {shift, []Break{at(100)}, -1, 200},
		"one after the other":                   {shift, []Break{at(30), at(30, Window{100, 130})}, -1, 160},
		"the first is over too late":            {shift, []Break{at(30), at(30, Window{100, 129})}, 1, 130},
		"together too long":                     {shift, []Break{at(60), at(60)}, 1, 160},
		"in no order":                           {nil, []Break{at(10, Window{150, 160}), at(10, Window{100, 120})}, 1, 160},
		"without a shift":                       {nil, []Break{at(10, Window{900, 900})}, -1, 910},
		"between two shifts":                    {two, []Break{at(30, Window{190, 260})}, 0, 100},
		"between two shifts, into the second":   {two, []Break{at(30, Window{190, 300})}, -1, 330},
		"longer than either of two shifts":      {two, []Break{at(101)}, 0, 100},
		"in the second, after one in the first": {two, []Break{at(60, Window{140, 140}), at(90)}, -1, 390},
	} {
		t.Run(name, func(t *testing.T) {
			p := &Problem{Matrices: []Matrix{{N: 1, Seconds: make([]int32, 1), Metres: make([]int32, 1)}}, Jobs: []Job{{}}}
			p.Vehicles = []Vehicle{{Windows: c.windows, Breaks: c.breaks, PerHour: 3600}}
			k, from := p.Vehicles[0].Misfit()
			if k != c.first || from != c.from {
				t.Errorf("break %d at %d, want %d at %d", k, from, c.first, c.from)
			}
			plan, err := Solve(t.Context(), p, Options{Iterations: 50})
			if err != nil {
				t.Fatal(err)
			}
			if served := len(plan.Unassigned) == 0; served != (k < 0) {
				t.Errorf("served %v, with the misfit %d", served, k)
			}
		})
	}
}

// What is due before a break opens is served before it, also with a load on board until then.
func TestBreaksAfterWhatIsDue(t *testing.T) {
	m := Matrix{N: 3, Seconds: []int32{0, 1500, 1500, 1500, 0, 1500, 1500, 1500, 0}, Metres: make([]int32, 9)}
	for name, p := range map[string]*Problem{
		"a break that opens when the delivery is due": {
			Vehicles:  []Vehicle{{Windows: []Window{{30000, 55000}}, Breaks: []Break{{Windows: []Window{{40000, 50000}}, Service: 1800, MaxLoad: []int32{0}}}, Capacity: []int32{1}, PerHour: 3600}},
			Shipments: []Shipment{{Pickup: Place{Location: 1}, Delivery: Place{Location: 2, Windows: []Window{{39000, 40000}}}, Amount: []int32{1}}},
		},
		"a break at one moment near the end": {
			Vehicles:  []Vehicle{{Start: None, Windows: []Window{{0, 9000}}, Breaks: []Break{{Windows: []Window{{8500, 8500}}, Service: 300}}, Capacity: []int32{1}, PerHour: 3600}},
			Shipments: []Shipment{{Pickup: Place{Location: 1, Service: 5, Windows: []Window{{0, 3600}}}, Delivery: Place{Location: 2, Service: 5, Windows: []Window{{0, 3600}}}, Amount: []int32{1}}},
		},
		"a break long before the first job": {
			Vehicles: []Vehicle{{Windows: []Window{{14000, 60000}}, Breaks: []Break{{Windows: []Window{{14000, 20000}}, Service: 1800}}, Capacity: []int32{1}, PerHour: 3600}},
			Jobs:     []Job{{Place: Place{Location: 1, Windows: []Window{{30000, 31000}}}}},
		},
		"a break and no window of anything else": {
			Vehicles: []Vehicle{{Breaks: []Break{{Service: 600}}, Capacity: []int32{1}, PerHour: 3600}},
			Jobs:     []Job{{Place: Place{Location: 1}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p.Matrices = []Matrix{m}
			plan, err := Solve(t.Context(), p, Options{Iterations: 200})
			if err != nil {
				t.Fatal(err)
			}
			if len(plan.Unassigned) > 0 || len(plan.Routes) != 1 {
				t.Fatalf("%+v", plan)
			}
			rests := 0
			for _, s := range plan.Routes[0].Steps {
				if s.Kind == StepBreak {
					rests++
				}
			}
			if rests != 1 {
				t.Errorf("%d breaks: %+v", rests, plan.Routes[0].Steps)
			}
		})
	}
}
