package fleet

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"
)

// draw makes a small problem with some of everything.
func draw(seed uint64, jobs, shipments, vehicles int) *Problem {
	r := rand.New(rand.NewPCG(seed, 1))
	n := jobs + 2*shipments + 2
	x, y := make([]int, n), make([]int, n)
	for i := range n {
		x[i], y[i] = r.IntN(60), r.IntN(60)
	}
	if n > 4 {
		x[2], y[2] = x[3], y[3]
	}
	m := Matrix{N: n, Seconds: make([]int32, n*n), Metres: make([]int32, n*n)}
	for a := range n {
		for b := range n {
			if a != b {
				d := max(x[a]-x[b], x[b]-x[a]) + max(y[a]-y[b], y[b]-y[a])
				m.Seconds[a*n+b] = int32(d + r.IntN(8)) // asymmetric, and no metric
				m.Metres[a*n+b] = int32(10 * d)
			}
		}
	}
	if r.IntN(4) == 0 {
		m.Seconds[1*n+2] = Unreachable
	}
	p := &Problem{Matrices: []Matrix{m}}
	dims := r.IntN(3)
	amount := func(most int) []int32 {
		a := make([]int32, dims)
		for i := range a {
			a[i] = int32(r.IntN(most))
		}
		return a
	}
	chance := func(n int) bool { return r.IntN(n) == 0 }
	windows := func() []Window {
		if chance(2) {
			return nil
		}
		a := int64(r.IntN(200))
		ws := []Window{{a, a + int64(r.IntN(80))}}
		if chance(3) {
			b := ws[0].End + 1 + int64(r.IntN(60))
			ws = append(ws, Window{b, b + int64(r.IntN(60))})
		}
		return ws
	}
	place := func(l int) Place {
		pl := Place{Location: l, Service: int64(r.IntN(15)), Windows: windows()}
		if chance(3) {
			pl.Setup = int64(r.IntN(10))
		}
		if chance(4) {
			pl.ServiceByType = map[string]int64{"van": 3}
		}
		if chance(2) {
			pl.Territories = []int32{int32(r.IntN(2))}
		}
		return pl
	}
	for i := range jobs {
		j := Job{Place: place(2 + i), Delivery: amount(5), Priority: r.IntN(3) * 10}
		if chance(3) {
			j.Pickup = amount(4)
		}
		if chance(4) {
			j.Skills = []int32{1}
		}
		p.Jobs = append(p.Jobs, j)
	}
	for i := range shipments {
		s := Shipment{Pickup: place(2 + jobs + 2*i), Delivery: place(3 + jobs + 2*i), Amount: amount(5)}
		if chance(2) {
			s.MaxRide = int64(60 + r.IntN(80))
		}
		p.Shipments = append(p.Shipments, s)
	}
	for range vehicles {
		v := Vehicle{Start: 0, End: r.IntN(3) - 1, Window: Window{int64(r.IntN(30)), int64(200 + r.IntN(200))}, Capacity: amount(6), PerHour: 3600, PerKilometre: int64(r.IntN(2)) * 100, Fixed: int64(r.IntN(2)) * 50}
		for i := range v.Capacity {
			v.Capacity[i] += 4
		}
		if chance(2) {
			v.Skills = []int32{1, 2}
		}
		if chance(3) {
			v.Type = "van"
		}
		if chance(4) {
			v.SpeedFactor = 1.3
		}
		if chance(5) {
			v.MaxTasks = 3
		}
		if chance(5) {
			v.MaxTravelTime = 200
		}
		if chance(5) {
			v.MaxDistance = 1500
		}
		if chance(5) {
			v.Territories = []int32{0}
		}
		for range r.IntN(3) * r.IntN(2) {
			a := int64(50 + r.IntN(100))
			b := Break{Windows: []Window{{a, a + int64(20+r.IntN(60))}}, Service: int64(5 + r.IntN(20))}
			if chance(3) {
				b.MaxLoad = amount(6)
			}
			v.Breaks = append(v.Breaks, b)
		}
		p.Vehicles = append(p.Vehicles, v)
	}
	if jobs > 2 && chance(3) {
		p.Together = [][]Task{{{false, 0}, {false, 1}}}
	}
	if jobs > 3 && chance(3) {
		p.Apart = [][]Task{{{false, 2}, {false, 3}}}
	}
	return p
}

// exhaust finds the best plan by trying every one.
type exhaust struct {
	p     *Problem
	best  score
	any   bool
	seqs  [][]Stop
	tasks []Task
}

func (e *exhaust) try(i, priority, absent int) {
	if i == len(e.tasks) {
		if !e.groups() {
			return
		}
		var cost int64
		for v, seq := range e.seqs {
			if len(seq) > 0 {
				c, ok := slowCost(e.p, v, seq)
				if !ok {
					return
				}
				cost += c
			}
		}
		if s := (score{priority, absent, cost}); !e.any || s.better(e.best) {
			e.best, e.any = s, true
		}
		return
	}
	t := e.tasks[i]
	e.try(i+1, priority, absent+1)
	for v := range e.seqs {
		old := e.seqs[v]
		for a := 0; a <= len(old); a++ {
			if !t.Shipment {
				e.seqs[v] = slices.Insert(slices.Clone(old), a, Stop{AtJob, t.Index})
				e.try(i+1, priority+e.p.Jobs[t.Index].Priority, absent)
				continue
			}
			for b := a; b <= len(old); b++ {
				seq := slices.Insert(slices.Clone(old), b, Stop{AtDelivery, t.Index})
				e.seqs[v] = slices.Insert(seq, a, Stop{AtPickup, t.Index})
				e.try(i+1, priority+e.p.Shipments[t.Index].Priority, absent)
			}
		}
		e.seqs[v] = old
	}
}

func (e *exhaust) vehicle(t Task) int {
	kind := AtJob
	if t.Shipment {
		kind = AtPickup
	}
	return slices.IndexFunc(e.seqs, func(seq []Stop) bool { return slices.Contains(seq, Stop{kind, t.Index}) })
}

func (e *exhaust) groups() bool {
	for _, g := range e.p.Together {
		for _, t := range g {
			if e.vehicle(t) != e.vehicle(g[0]) {
				return false
			}
		}
	}
	for _, g := range e.p.Apart {
		if v := e.vehicle(g[0]); v >= 0 && v == e.vehicle(g[1]) {
			return false
		}
	}
	return true
}

// slowCost judges one route by its definition: every way to place the breaks is
// tried.
func slowCost(p *Problem, vehicle int, seq []Stop) (int64, bool) {
	v := &p.Vehicles[vehicle]
	dims := len(v.Capacity)
	load := make([]int32, dims)
	for _, s := range seq {
		if s.Kind == AtJob {
			add(load, p.Jobs[s.Index].Delivery, 1)
		}
	}
	loads := [][]int32{slices.Clone(load)}
	at := v.Start
	var sec, met int64
	ways := []int64{}
	drive := func(to int) bool {
		c := &verifier{p: p}
		s, m := c.way(v, at, to)
		sec, met, at = sec+s, met+m, to
		ways = append(ways, s)
		return len(c.bad) == 0
	}
	for i, s := range seq {
		pl := p.place(s)
		var skills []int32
		switch s.Kind {
		case AtJob:
			skills = p.Jobs[s.Index].Skills
			add(load, p.Jobs[s.Index].Delivery, -1)
			add(load, p.Jobs[s.Index].Pickup, 1)
		case AtPickup:
			skills = p.Shipments[s.Index].Skills
			add(load, p.Shipments[s.Index].Amount, 1)
		case AtDelivery:
			if !slices.Contains(seq[:i], Stop{AtPickup, s.Index}) {
				return 0, false
			}
			add(load, p.Shipments[s.Index].Amount, -1)
		}
		loads = append(loads, slices.Clone(load))
		if !skilled(v, skills) || !inside(v, pl) || !drive(pl.Location) {
			return 0, false
		}
	}
	if !drive(v.End) {
		return 0, false
	}
	for _, l := range loads {
		for d := range l {
			if l[d] > v.Capacity[d] {
				return 0, false
			}
		}
	}
	if v.MaxTasks > 0 && len(seq) > v.MaxTasks || v.MaxTravelTime > 0 && sec > v.MaxTravelTime || v.MaxDistance > 0 && met > v.MaxDistance {
		return 0, false
	}
	gaps := make([]int, len(v.Breaks))
	var place func(k, from int) bool
	place = func(k, from int) bool {
		if k == len(gaps) {
			return slowTimes(p, v, seq, ways, gaps)
		}
		for g := from; g <= len(seq); g++ {
			light := true
			for d, n := range v.Breaks[k].MaxLoad {
				light = light && loads[g][d] <= n
			}
			gaps[k] = g
			if light && place(k+1, g) {
				return true
			}
		}
		return false
	}
	if !place(0, 0) {
		return 0, false
	}
	return v.Fixed*CostUnit + v.PerHour*sec*(CostUnit/3600) + v.PerKilometre*met*(CostUnit/1000), true
}

// slowTimes reports whether a sequence can be timed with each break in its gap.
func slowTimes(p *Problem, v *Vehicle, seq []Stop, ways []int64, gaps []int) bool {
	wait := make([]int64, len(seq)) // least start of each service
	for range 10000 {
		begin, end := make([]int64, len(seq)), make([]int64, len(seq))
		t := v.Window.Start
		at := v.Start
		for i := 0; i <= len(seq); i++ {
			left := ways[i]
			for k, g := range gaps {
				if g != i {
					continue
				}
				for !within(v.Breaks[k].Windows, t) { // drive or wait, second by second
					if t > 1000 {
						return false
					}
					t++
					left = max(0, left-1)
				}
				t += v.Breaks[k].Service
			}
			t += left
			if i == len(seq) {
				break
			}
			pl := p.place(seq[i])
			if at != pl.Location {
				t += pl.Setup
			}
			at = pl.Location
			t = max(t, wait[i])
			for !within(pl.Windows, t) {
				if t > 1000 {
					return false
				}
				t++
			}
			begin[i] = t
			if s, ok := pl.ServiceByType[v.Type]; ok && v.Type != "" {
				t += s
			} else {
				t += pl.Service
			}
			end[i] = t
		}
		if v.Window.End != 0 && t > v.Window.End {
			return false
		}
		again := false
		for i, s := range seq {
			if s.Kind != AtPickup || p.Shipments[s.Index].MaxRide == 0 {
				continue
			}
			d := slices.Index(seq, Stop{AtDelivery, s.Index})
			if begin[d]-end[i] > p.Shipments[s.Index].MaxRide {
				wait[i], again = begin[i]+1, true
			}
		}
		if !again {
			return true
		}
	}
	return false
}

func TestFindsTheBestPlan(t *testing.T) {
	cases := 150
	if testing.Short() {
		cases = 20
	}
	served, worse := 0, 0
	for seed := range uint64(cases) {
		p := draw(seed, 1+int(seed%4), int(seed/4%3), 1+int(seed/12%2))
		plan, err := Solve(t.Context(), p, Options{Seed: seed, Work: 3000})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		e := exhaust{p: p, seqs: make([][]Stop, len(p.Vehicles))}
		for i := range p.Jobs {
			e.tasks = append(e.tasks, Task{false, i})
		}
		for i := range p.Shipments {
			e.tasks = append(e.tasks, Task{true, i})
		}
		e.try(0, 0, 0)
		got := score{plan.Priority, len(plan.Unassigned), plan.Cost}
		if got.better(e.best) {
			t.Fatalf("seed %d: found %v, and no plan is better than %v", seed, got, e.best)
		}
		if got != e.best {
			worse++
			t.Logf("seed %d: found %v of %v", seed, got, e.best)
		}
		served += len(e.tasks) - len(plan.Unassigned)
	}
	if worse > 0 {
		t.Errorf("%d of %d plans are not the best", worse, cases)
	}
	if served < cases {
		t.Errorf("only %d tasks were served: the problems are too hard to show anything", served)
	}
}

// TestKeepsConstraints solves larger problems; Solve itself refuses a plan that the
// checker has something against.
func TestKeepsConstraints(t *testing.T) {
	for seed := range uint64(30) {
		p := draw(1000+seed, 20, 8, 5)
		if seed%3 == 0 {
			for i := range p.Vehicles {
				v := &p.Vehicles[i]
				v.Start, v.End, v.Breaks, v.Trips, v.Reload = 0, 0, nil, 2+int(seed%4), 7
			}
		}
		if _, err := Solve(t.Context(), p, Options{Seed: seed, Work: 2000, Walkers: 2}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func TestSamePlanForTheSameWork(t *testing.T) {
	p := draw(7, 30, 6, 6)
	var first *Plan
	for workers := 1; workers <= 3; workers++ {
		plan, err := Solve(t.Context(), p, Options{Seed: 3, Work: 2000, Walkers: 3, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = plan
		}
		if !reflect.DeepEqual(first, plan) {
			t.Errorf("%d workers found another plan", workers)
		}
		if plan.DeadlineHit {
			t.Error("the work was done and the plan says that it was not")
		}
	}
}

func TestBeginsWithGivenSteps(t *testing.T) {
	p := line(6, 1)
	p.Vehicles[0].First = []Stop{{AtJob, 4}, {AtJob, 1}}
	plan, err := Solve(t.Context(), p, Options{Seed: 1, Work: 500})
	if err != nil {
		t.Fatal(err)
	}
	if s := plan.Routes[0].Steps; s[1].Stop.Index != 4 || s[2].Stop.Index != 1 || len(s) != 8 {
		t.Errorf("the route is %v", s)
	}
	p.Jobs[4].Windows = []Window{{0, 1}}
	if _, err = Solve(t.Context(), p, Options{Seed: 1, Work: 500}); !errors.Is(err, ErrSteps) {
		t.Errorf("steps that cannot be done: %v", err)
	}
}

func TestGoesOnFromAPlan(t *testing.T) {
	p := line(12, 2)
	for i := range 12 {
		v := &p.Vehicles[i%2]
		v.Initial = append(v.Initial, Stop{AtJob, i})
	}
	s := newState(compile(p))
	s.given()
	if len(s.absent) != 0 || len(s.routes[0].stops) != 6 || s.routes[0].stops[3] != 6 {
		t.Errorf("begins with %v and %v", s.routes[0].stops, s.routes[1].stops)
	}
}

func TestReloads(t *testing.T) {
	p := line(6, 1)
	v := &p.Vehicles[0]
	v.Window, v.Capacity, v.Trips, v.Reload = Window{0, 10000}, []int32{2}, 3, 50
	for i := range p.Jobs {
		p.Jobs[i].Delivery = []int32{1}
	}
	plan, err := Solve(t.Context(), p, Options{Seed: 1, Work: 2000})
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Routes) != 3 || len(plan.Unassigned) != 0 || plan.Routes[2].Trip != 2 {
		t.Errorf("%d trips, %v unassigned", len(plan.Routes), plan.Unassigned)
	}
	// Out to 6, 4 and 2 and back: no other way to load them is as short.
	if plan.Cost != 240*CostUnit {
		t.Errorf("costs %d", plan.Cost/CostUnit)
	}
}

// line is jobs along a street, ten seconds apart, and vehicles at its end.
func line(jobs, vehicles int) *Problem {
	n := jobs + 1
	m := Matrix{N: n, Seconds: make([]int32, n*n), Metres: make([]int32, n*n)}
	for a := range n {
		for b := range n {
			m.Seconds[a*n+b] = int32(10 * max(a-b, b-a))
			m.Metres[a*n+b] = m.Seconds[a*n+b]
		}
	}
	p := &Problem{Matrices: []Matrix{m}}
	for i := range jobs {
		p.Jobs = append(p.Jobs, Job{Place: Place{Location: i + 1}})
	}
	for range vehicles {
		p.Vehicles = append(p.Vehicles, Vehicle{PerHour: 3600})
	}
	return p
}

func TestStopsWithItsCaller(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Solve(ctx, line(20, 2), Options{Seed: 1, Time: time.Hour}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestHotLoopDoesNotAllocate holds one step of the search, once its arrays have grown.
func TestHotLoopDoesNotAllocate(t *testing.T) {
	for _, p := range []*Problem{line(60, 4), draw(5, 30, 10, 5)} {
		w := newWalker(compile(p), 1, 0)
		for range 3000 {
			w.step(w.s, w.scale*hot)
		}
		if n := testing.AllocsPerRun(2000, func() { w.step(w.s, w.scale*hot) }); n > 0 {
			t.Errorf("%g allocations in a step", n)
		}
	}
}

func TestChecksInput(t *testing.T) {
	for field, change := range map[string]func(p *Problem){
		"vehicles":                      func(p *Problem) { p.Vehicles = nil },
		"jobs":                          func(p *Problem) { p.Jobs = nil },
		"vehicles[0].capacity":          func(p *Problem) { p.Vehicles[0].Capacity = []int32{-1} },
		"vehicles[1].capacity":          func(p *Problem) { p.Vehicles[1].Capacity = []int32{1} },
		"vehicles[0].start":             func(p *Problem) { p.Vehicles[0].Start = 9 },
		"vehicles[0].time_window[0]":    func(p *Problem) { p.Vehicles[0].Window = Window{5, 3} },
		"vehicles[0].speed_factor":      func(p *Problem) { p.Vehicles[0].SpeedFactor = -1 },
		"vehicles[0].reloads":           func(p *Problem) { p.Vehicles[0].Trips = 2 },
		"vehicles[0].reloads.max_trips": func(p *Problem) { p.Vehicles[0].Trips = 6 },
		"jobs[1].service":               func(p *Problem) { p.Jobs[1].Service = -1 },
		"jobs[1].time_windows[0]":       func(p *Problem) { p.Jobs[1].Windows = []Window{{5, 4}} },
		"jobs[1].time_windows[1]":       func(p *Problem) { p.Jobs[1].Windows = []Window{{1, 4}, {3, 9}} },
		"jobs[2].priority":              func(p *Problem) { p.Jobs[2].Priority = 101 },
		"jobs[0].delivery":              func(p *Problem) { p.Jobs[0].Delivery = []int32{1} },
		"apart[0][0]":                   func(p *Problem) { p.Apart = [][]Task{{{true, 0}}} },
		"vehicles[0].steps[1]":          func(p *Problem) { p.Vehicles[0].First = []Stop{{AtJob, 0}, {AtJob, 0}} },
		"matrices[0]":                   func(p *Problem) { p.Matrices[0].Seconds[1] = -7 },
	} {
		p := line(4, 2)
		change(p)
		_, err := Solve(t.Context(), p, Options{Work: 1})
		var bad *InputError
		if !errors.As(err, &bad) || bad.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// TestVerifyFindsWhatIsWrong spoils good plans: the checker must be able to fail.
func TestVerifyFindsWhatIsWrong(t *testing.T) {
	p := line(4, 1)
	p.Jobs[0].Windows = []Window{{10, 40}}
	p.Vehicles[0].Breaks = []Break{{Windows: []Window{{15, 60}}, Service: 5}}
	for i, spoil := range []func(plan *Plan){
		func(plan *Plan) { plan.Cost++ },
		func(plan *Plan) { plan.Routes[0].Steps[1].Waiting += 100 },
		func(plan *Plan) { plan.Routes[0].Steps[2].Arrival-- },
		func(plan *Plan) { plan.Unassigned = append(plan.Unassigned, Task{false, 0}) },
		func(plan *Plan) { plan.Routes = nil },
		func(plan *Plan) { plan.Routes = append(plan.Routes, plan.Routes[0]) },
		func(plan *Plan) { plan.Routes[0].Distance = 3 },
		func(plan *Plan) {
			plan.Routes[0].Steps = slices.DeleteFunc(plan.Routes[0].Steps, func(s Step) bool { return s.Kind == StepBreak })
		},
	} {
		plan, err := Solve(t.Context(), p, Options{Seed: 1, Work: 200})
		if err != nil {
			t.Fatal(err)
		}
		spoil(plan)
		if bad := Verify(p, plan); len(bad) == 0 {
			t.Errorf("plan %d passes", i)
		}
	}
}
