package fleet

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rounds returns a problem and a plan of it that uses every rule: five places on a line, ten
// seconds and a hundred metres from one to the next; a vehicle with two trips and a break,
// one with a load on board and a pause, and one that does not drive.
func rounds() (*Problem, *Plan) {
	const n = 5
	m := Matrix{N: n}
	for a := range int32(n) {
		for b := range int32(n) {
			m.Seconds = append(m.Seconds, 10*max(a-b, b-a))
			m.Metres = append(m.Metres, 100*max(a-b, b-a))
		}
	}
	job := func(i int) Stop { return Stop{AtJob, i} }
	p := &Problem{
		Matrices: []Matrix{m},
		Vehicles: []Vehicle{{
			Type: "van", Windows: []Window{{0, 200}}, Capacity: []int32{4}, Skills: []int32{1}, Territories: []int32{7},
			Fixed: 2, PerHour: 3, PerTaskHour: 5, PerKilometre: 7, MaxTasks: 2, MaxTravelTime: 30, MaxDistance: 300,
			Breaks:  []Break{{Windows: []Window{{35, 45}}, Service: 4, MaxLoad: []int32{2}}},
			Reloads: &Reloads{MaxTrips: 3, Seconds: 5, Depot: 3}, Initial: []Stop{job(1), job(0)},
		}, {
			Start: 1, End: None, Windows: []Window{{0, 50}, {60, 200}}, SpeedFactor: 2.5, Capacity: []int32{5}, Skills: []int32{2},
			Fixed: 2, PerHour: 3, PerTaskHour: 5, PerKilometre: 7, MaxTasks: 3, MaxTravelTime: 8, MaxDistance: 200,
			OnBoard: []int{1}, First: []Stop{{AtDelivery, 1}}, Initial: []Stop{{AtPickup, 0}, {AtDelivery, 0}},
		}, {
			Start: None, End: None, Capacity: []int32{5}, Initial: []Stop{job(2)},
		}},
		Jobs: []Job{
			{Place: Place{Location: 1, Setup: 2, Service: 5, Windows: []Window{{12, 40}}, Territories: []int32{7}}, Delivery: []int32{3}, Skills: []int32{1}, Priority: 1},
			{Place: Place{Location: 2, Service: 9, ServiceByType: map[string]int64{"van": 5}, Territories: []int32{6, 7}}, Pickup: []int32{2}, Skills: []int32{3}},
			{Place: Place{Location: 1, Service: 5, Territories: []int32{7}}, Delivery: []int32{4}},
			{Place: Place{Location: 4, Service: 5}},
		},
		Shipments: []Shipment{
			{Pickup: Place{Location: 2, Service: 3}, Delivery: Place{Location: 3, Service: 3, Windows: []Window{{62, 90}}}, Amount: []int32{2}, Skills: []int32{2}, MaxRide: 54, Priority: 2},
			{Pickup: Place{Location: 0}, Delivery: Place{Location: 1, Setup: 2, Service: 3}, Amount: []int32{1}},
			{Pickup: Place{Location: 4, Service: 5}, Delivery: Place{Location: 4, Service: 5}, Amount: []int32{0}},
		},
		SameVehicle:  [][]Task{{{false, 0}, {false, 2}}},
		Incompatible: [][]Task{{{false, 0}, {true, 0}}},
		Stability:    Stability{Vehicle: 3, Position: 4},
		SharedSkills: []int32{3},
	}
	none := Stop{}
	load := func(n int32) []int32 { return []int32{n} }
	// Kind, stop, break, location; arrival, setup, waiting, service; travel, distance, load.
	return p, &Plan{
		Routes: []Route{{Vehicle: 0, Travel: 30, Distance: 300, Cost: 14_910_000, Steps: []Step{
			{StepStart, none, 0, 0, 0, 0, 0, 0, 0, 0, load(3)},
			{StepStop, job(0), 0, 1, 10, 2, 0, 5, 10, 100, load(0)},
			{StepStop, job(1), 0, 2, 27, 0, 0, 5, 20, 200, load(2)},
			{StepBreak, none, 0, None, 32, 0, 3, 4, 20, 200, load(2)},
			{StepEnd, none, 0, 3, 49, 0, 0, 0, 30, 300, load(2)},
		}}, {Vehicle: 0, Trip: 1, Travel: 30, Distance: 300, Cost: 14_875_000, Steps: []Step{
			{StepStart, none, 0, 3, 60, 0, 0, 0, 0, 0, load(4)},
			{StepStop, job(2), 0, 1, 80, 0, 0, 5, 20, 200, load(0)},
			{StepEnd, none, 0, 0, 95, 0, 0, 0, 30, 300, load(0)},
		}}, {Vehicle: 1, Travel: 8, Distance: 200, Cost: 12_309_000, Steps: []Step{
			{StepStart, none, 0, 1, 0, 0, 0, 0, 0, 0, load(1)},
			{StepStop, Stop{AtDelivery, 1}, 0, 1, 0, 0, 0, 3, 0, 0, load(0)},
			{StepStop, Stop{AtPickup, 0}, 0, 2, 7, 0, 0, 3, 4, 100, load(2)},
			{StepPause, none, 0, None, 10, 0, 50, 0, 4, 100, load(2)},
			{StepStop, Stop{AtDelivery, 0}, 0, 3, 64, 0, 0, 3, 8, 200, load(0)},
			{StepEnd, none, 0, None, 67, 0, 0, 0, 8, 200, load(0)},
		}}},
		Unassigned: []Task{{false, 3}, {true, 2}}, Cost: 42_094_000, Disruption: 7 * CostUnit, Priority: 3,
	}
}

// drive has the third vehicle do a stop where it is, for nothing.
func drive(p *Problem, plan *Plan, s Stop, load int32) {
	pl := p.PlaceOf(s)
	plan.Unassigned = slices.DeleteFunc(plan.Unassigned, func(t Task) bool { return t == s.Task() })
	plan.Routes = append(plan.Routes, Route{Vehicle: 2, Steps: []Step{
		{Kind: StepStart, Location: None, Load: []int32{0}},
		{Kind: StepStop, Stop: s, Location: pl.Location, Service: pl.Service, Load: []int32{load}},
		{Kind: StepEnd, Location: None, Arrival: pl.Service, Load: []int32{load}},
	}})
}

// pay adds to what a route costs.
func pay(plan *Plan, route int, cost int64) {
	plan.Routes[route].Cost += cost
	plan.Cost += cost
}

// spoilt are plans that are right but for one thing, each with what the checker says of it.
// Where a rule has several parts each has a row.
var spoilt = []struct {
	says  string
	spoil func(p *Problem, plan *Plan)
}{
	{"the plan gives a disruption of 25200001, which is 25200000", func(_ *Problem, plan *Plan) { plan.Disruption++ }},
	{"the plan costs 42094001, its routes 42094000", func(_ *Problem, plan *Plan) { plan.Cost++ }},
	{"there is no way from 1 to 1", func(p *Problem, _ *Plan) { p.Matrices[0].Seconds[1*5+1] = Unreachable }},
	{"route 3 does not go from a start over stops to an end", func(_ *Problem, plan *Plan) {
		plan.Routes = append(plan.Routes, Route{Vehicle: 2, Steps: []Step{{Kind: StepStart}, {Kind: StepEnd}}})
	}},
	{"route 3 does not go from a start over stops to an end", func(_ *Problem, plan *Plan) {
		plan.Routes = append(plan.Routes, Route{Vehicle: 2, Steps: []Step{{Kind: StepPause}, {Kind: StepPause}, {Kind: StepEnd}}})
	}},
	{"route 3 does not go from a start over stops to an end", func(_ *Problem, plan *Plan) {
		plan.Routes = append(plan.Routes, Route{Vehicle: 2, Steps: []Step{{Kind: StepStart}, {Kind: StepPause}, {Kind: StepPause}}})
	}},
	{"route 0 starts or ends elsewhere than its vehicle", func(_ *Problem, plan *Plan) { plan.Routes[0].Steps[0].Location = 4 }},
	{"route 2 starts or ends elsewhere than its vehicle", func(p *Problem, _ *Plan) { p.Vehicles[1].End = 3 }},
	{"route 1 step 1 lasts less than nothing", func(_ *Problem, plan *Plan) {
		plan.Routes[1].Steps[1].Waiting--
		plan.Routes[1].Steps[2].Arrival--
	}},
	{"route 1 step 1 lasts less than nothing", func(p *Problem, plan *Plan) {
		p.Jobs[2].Setup, plan.Routes[1].Steps[1].Setup = -1, -1
		plan.Routes[1].Steps[2].Arrival--
		pay(plan, 1, -5_000)
	}},
	{"route 1 step 1 lasts less than nothing", func(p *Problem, plan *Plan) {
		p.Jobs[2].Service, plan.Routes[1].Steps[1].Service = -1, -1
		plan.Routes[1].Steps[2].Arrival -= 6
		pay(plan, 1, -30_000)
	}},
	{"route 0 step 3 does not follow the one before", func(_ *Problem, plan *Plan) { // it drives back in time
		at := &plan.Routes[0].Steps[3]
		at.Arrival, at.Waiting, at.Travel = 31, 4, 19
		plan.Routes[0].Steps[4].Arrival++
	}},
	{"route 1 step 1 does not follow the one before", func(_ *Problem, plan *Plan) {
		plan.Routes[1].Steps[1].Arrival++
		plan.Routes[1].Steps[2].Arrival++
	}},
	{"route 2 drives to step 4 out of its vehicle's windows", func(_ *Problem, plan *Plan) {
		plan.Routes[2].Steps[3].Waiting -= 2
		plan.Routes[2].Steps[4].Arrival -= 2
		plan.Routes[2].Steps[5].Arrival -= 2
	}},
	{"route 2 step 3 is neither stop nor break and has a service", func(_ *Problem, plan *Plan) { plan.Routes[2].Steps[3].Service, plan.Routes[2].Steps[3].Waiting = 1, 49 }},
	{"route 1 step 2 is neither stop nor break and has a service", func(_ *Problem, plan *Plan) { plan.Routes[1].Steps[2].Service = 1 }},
	{"route 2 step 3 is no stop and has a setup", func(_ *Problem, plan *Plan) { plan.Routes[2].Steps[3].Setup, plan.Routes[2].Steps[3].Waiting = 1, 49 }},
	{"route 0 step 3 is no stop and has a setup", func(_ *Problem, plan *Plan) { plan.Routes[0].Steps[3].Setup, plan.Routes[0].Steps[3].Waiting = 1, 2 }},
	{"route 0 drives 10 s to step 4, which takes 9", func(p *Problem, plan *Plan) {
		p.Matrices[0].Seconds[2*5+3] = 9
		plan.Routes[0].Travel--
		pay(plan, 0, -3_000)
	}},
	{"route 1 step 1 gives 201 m of 200", func(_ *Problem, plan *Plan) { plan.Routes[1].Steps[1].Distance++ }},
	{"route 0 does not begin with its given steps", func(p *Problem, _ *Plan) { p.Vehicles[0].First = []Stop{{AtJob, 2}} }},
	{"stop {0 1} is done twice", func(p *Problem, plan *Plan) {
		drive(p, plan, Stop{AtJob, 1}, 2)
		plan.Routes[3].Steps[1].Service, plan.Routes[3].Steps[2].Arrival = 9, 9
		plan.Disruption += 7 * CostUnit
	}},
	{"route 1 step 1 gives a load of [1], and it is [0]", func(_ *Problem, plan *Plan) { plan.Routes[1].Steps[1].Load = []int32{1} }},
	{"route 1 carries 4 of 3", func(p *Problem, _ *Plan) { p.Vehicles[0].Capacity = []int32{3} }},
	{"route 2 carries -1 of 5", func(p *Problem, plan *Plan) {
		p.Shipments[1].Amount, plan.Routes[2].Steps[0].Load = []int32{-1}, []int32{-1}
	}},
	{"route 0 starts or ends out of its vehicle's windows", func(_ *Problem, plan *Plan) { plan.Routes[0].Steps[0].Arrival, plan.Routes[0].Steps[0].Waiting = -1, 1 }},
	{"route 1 starts or ends out of its vehicle's windows", func(_ *Problem, plan *Plan) { plan.Routes[1].Steps[2].Waiting = 200 }},
	{"vehicle 1 does not do its given steps", func(p *Problem, _ *Plan) {
		p.Vehicles[1].First, p.Vehicles[1].Initial = append(slices.Concat(p.Vehicles[1].First, p.Vehicles[1].Initial), Stop{AtJob, 3}), nil
	}},
	{"vehicle 2 does not do its given steps", func(p *Problem, _ *Plan) { p.Vehicles[2].First = []Stop{{AtJob, 3}} }},
	{"route 2 has 3 stops", func(p *Problem, _ *Plan) { p.Vehicles[1].MaxTasks = 2 }},
	{"route 2 drives 8 s", func(p *Problem, _ *Plan) { p.Vehicles[1].MaxTravelTime = 7 }},
	{"route 2 drives 200 m", func(p *Problem, _ *Plan) { p.Vehicles[1].MaxDistance = 199 }},
	{"route 1 gives 31 s and 300 m of 30 and 300", func(_ *Problem, plan *Plan) { plan.Routes[1].Travel++ }},
	{"route 1 gives 30 s and 301 m of 30 and 300", func(_ *Problem, plan *Plan) { plan.Routes[1].Distance++ }},
	{"route 1 costs something else than 14875001", func(_ *Problem, plan *Plan) { pay(plan, 1, 1) }},
	{"route 0 step 3 is not the break whose turn it is", func(_ *Problem, plan *Plan) { plan.Routes[0].Steps[3].Break = 1 }},
	// One break too many is also a wrong number of breaks.
	{"route 3 step 1 is not the break whose turn it is\nvehicle 2 has 1 breaks of 0", func(p *Problem, plan *Plan) {
		drive(p, plan, Stop{AtJob, 3}, 0)
		plan.Routes[3].Steps = slices.Insert(plan.Routes[3].Steps, 1, Step{Kind: StepBreak, Location: None, Load: []int32{0}})
	}},
	{"route 0 has break 0 at 35 for 4 s", func(p *Problem, _ *Plan) { p.Vehicles[0].Breaks[0].Windows[0].Start = 36 }},
	{"route 0 has break 0 at 35 for 4 s", func(p *Problem, _ *Plan) { p.Vehicles[0].Windows = []Window{{0, 36}, {37, 200}} }},
	{"route 0 has break 0 at 35 for 4 s", func(p *Problem, _ *Plan) { p.Vehicles[0].Breaks[0].Service = 5 }},
	{"route 0 has break 0 with a load of 2", func(p *Problem, _ *Plan) { p.Vehicles[0].Breaks[0].MaxLoad = []int32{1} }},
	{"route 1 does stop {0 2} elsewhere", func(p *Problem, _ *Plan) { p.Jobs[2].Location = 4 }},
	{"route 1 does stop {0 2} in 0 and 5 s", func(p *Problem, _ *Plan) { p.Jobs[2].Service = 6 }},
	{"route 0 does stop {0 0} in 2 and 5 s", func(p *Problem, _ *Plan) { p.Jobs[0].Setup = 3 }},
	{"route 0 does stop {0 0} out of its vehicle's windows", func(p *Problem, _ *Plan) { p.Vehicles[0].Windows = []Window{{0, 11}, {12, 200}} }},
	{"route 0 does stop {0 0} out of its vehicle's windows", func(p *Problem, _ *Plan) { p.Vehicles[0].Windows = []Window{{0, 13}, {14, 200}} }},
	{"route 0 serves stop {0 0} at 12, out of its windows", func(p *Problem, _ *Plan) { p.Jobs[0].Windows[0].Start = 13 }},
	{"route 1 does stop {0 2} out of its vehicle's territories", func(p *Problem, _ *Plan) { p.Jobs[2].Territories = nil }},
	{"route 2 does stop {1 0}, and its vehicle takes nothing on\nroute 2 does stop {2 0}, and its vehicle takes nothing on", func(p *Problem, _ *Plan) { p.Vehicles[1].MaxTasks = None }},
	{"route 1 does stop {0 2} without its skills", func(p *Problem, _ *Plan) { p.Jobs[2].Skills = []int32{1, 2} }},
	{"route 2 does stop {1 0} without its skills", func(p *Problem, _ *Plan) { p.Shipments[0].Skills = []int32{1} }},
	{"route 2 picks up shipment 0, which is on board", func(p *Problem, plan *Plan) {
		p.Vehicles[1].OnBoard = []int{0, 1}
		for i := range plan.Routes[2].Steps {
			s := &plan.Routes[2].Steps[i]
			s.Load = []int32{s.Load[0] + 2}
		}
	}},
	{"route 2 delivers shipment 1 before its pickup", func(p *Problem, plan *Plan) {
		p.Vehicles[1].OnBoard = nil
		p.Shipments[1].Amount, plan.Routes[2].Steps[0].Load = []int32{0}, []int32{0}
	}},
	{"route 2 has shipment 0 on board for 54 s", func(p *Problem, _ *Plan) { p.Shipments[0].MaxRide = 53 }},
	{"route 3 picks up without a delivery", func(p *Problem, plan *Plan) { drive(p, plan, Stop{AtPickup, 2}, 0) }},
	{"vehicle 0 has trip 1", func(p *Problem, _ *Plan) { p.Vehicles[0].Reloads.MaxTrips = 1 }},
	{"vehicle 1 begins with trip 1", func(p *Problem, plan *Plan) {
		p.Vehicles[1].Reloads = &Reloads{MaxTrips: 2, Depot: 1}
		plan.Routes[2].Trip = 1
	}},
	{"vehicle 0 has trip 2 after trip 0", func(_ *Problem, plan *Plan) { plan.Routes[1].Trip = 2 }},
	{"vehicle 2 has trip 0 after trip 0", func(p *Problem, plan *Plan) { // it has no reloads
		drive(p, plan, Stop{AtJob, 3}, 0)
		plan.Routes = append(plan.Routes, Route{Vehicle: 2, Steps: []Step{{Kind: StepStart, Location: None, Load: []int32{0}}, {Kind: StepPause, Location: None, Load: []int32{0}}, {Kind: StepEnd, Location: None, Load: []int32{0}}}})
	}},
	{"vehicle 0 has from 49 to 60 for its reload", func(p *Problem, _ *Plan) { p.Vehicles[0].Reloads.Seconds = 12 }},
	{"vehicle 0 has from 49 to 60 for its reload", func(p *Problem, _ *Plan) { p.Vehicles[0].Windows = []Window{{0, 57}, {58, 200}} }},
	{"vehicle 1 has 0 breaks of 1", func(p *Problem, _ *Plan) { p.Vehicles[1].Breaks = []Break{{}} }},
	{"task {false 3} is served and unassigned, or neither", func(_ *Problem, plan *Plan) { plan.Unassigned = plan.Unassigned[1:] }},
	{"task {true 0} is served and unassigned, or neither", func(_ *Problem, plan *Plan) { plan.Unassigned = append(plan.Unassigned, Task{true, 0}) }},
	{"the plan names 3 unassigned tasks, which are 2", func(_ *Problem, plan *Plan) { plan.Unassigned = append(plan.Unassigned, Task{false, 3}) }},
	{"the plan gives a priority of 4, which is 3", func(_ *Problem, plan *Plan) { plan.Priority++ }},
	{"group 0 is not together", func(p *Problem, _ *Plan) { p.SameVehicle = p.Incompatible; p.Incompatible = nil }},
	{"group 0 is not together", func(p *Problem, _ *Plan) { p.SameVehicle = [][]Task{{{false, 0}, {false, 3}}} }},
	{"group 0 is not apart", func(p *Problem, _ *Plan) { p.Incompatible = p.SameVehicle; p.SameVehicle = nil }},
}

// misstated are plans that are right but for the times that they give of a route.
var misstated = []struct {
	says  string
	spoil func(p *Problem, plan *Plan)
}{
	{"route 0 gives 3 s of setup, 14 of service and 3 of waiting, of 2, 14 and 3", func(_ *Problem, plan *Plan) { plan.Routes[0].Setup++ }},
	{"route 0 gives 2 s of setup, 10 of service and 3 of waiting, of 2, 14 and 3", func(_ *Problem, plan *Plan) { plan.Routes[0].Service -= 4 }}, // without its break
	{"route 2 gives 0 s of setup, 9 of service and 0 of waiting, of 0, 9 and 50", func(_ *Problem, plan *Plan) { plan.Routes[2].Waiting = 0 }},
}

// total adds the times of routes up.
func total(plan *Plan) {
	for i := range plan.Routes {
		r := &plan.Routes[i]
		r.Setup, r.Service, r.Waiting = 0, 0, 0
		for k := range r.Steps {
			s := &r.Steps[k]
			r.Setup, r.Service, r.Waiting = r.Setup+s.Setup, r.Service+s.Service, r.Waiting+s.Waiting
		}
	}
}

// The checker has nothing against a right plan, and against a spoilt one what is spoilt and
// nothing else.
func TestVerify(t *testing.T) {
	p, plan := rounds()
	total(plan)
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	if bad := Verify(p, plan); len(bad) > 0 {
		t.Fatalf("The right plan is refused: %q", bad)
	}
	for _, c := range spoilt {
		p, plan := rounds()
		c.spoil(p, plan)
		total(plan)
		if bad := strings.Join(Verify(p, plan), "\n"); bad != c.says {
			t.Errorf("The checker says\n%s\nand not\n%s", bad, c.says)
		}
	}
	for _, c := range misstated {
		p, plan := rounds()
		total(plan)
		c.spoil(p, plan)
		if bad := strings.Join(Verify(p, plan), "\n"); bad != c.says {
			t.Errorf("The checker says\n%s\nand not\n%s", bad, c.says)
		}
	}
}

// Each rule of the checker, and each of its parts, has a plan that breaks it: as many rows
// say what it says as parts are joined in its condition.
func TestVerifyIsTested(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "verify.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]int{} // by what a rule says
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if f, ok := call.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "expect" {
			format, err := strconv.Unquote(call.Args[1].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			parts[format] += joined(call.Args[0])
		}
		return true
	})
	if len(parts) < 40 {
		t.Fatalf("Only %d rules were found", len(parts))
	}
	verb := regexp.MustCompile(`%[a-z]`)
	for format, n := range parts {
		says := regexp.MustCompile(`(?m)^` + verb.ReplaceAllString(regexp.QuoteMeta(format), `.+`) + `$`)
		rows := 0
		for _, c := range slices.Concat(spoilt, misstated) {
			if says.MatchString(c.says) {
				rows++
			}
		}
		if rows < n {
			t.Errorf("The rule %q has %d parts, and %d rows break it", format, n, rows)
		}
	}
}

// joined counts the parts of a condition that all must hold.
func joined(e ast.Expr) int {
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.LAND {
		return joined(b.X) + joined(b.Y)
	}
	return 1
}
