package fleet

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"
)

func TestFindsTheBestPlan(t *testing.T) {
	cases := 300
	if testing.Short() {
		cases = 20
	}
	served, worse := 0, 0
	for seed := range uint64(cases) {
		drawn := draw
		if seed%2 == 1 {
			drawn = odd
		}
		p := drawn(seed/2, 1+int(seed/2%4), int(seed/8%3), 1+int(seed/24%2))
		plan, err := Solve(t.Context(), p, Options{Seed: seed, Iterations: 3000})
		if refused(err) {
			continue
		}
		if err != nil && !errors.Is(err, ErrSteps) {
			t.Fatalf("seed %d: %v", seed, err)
		}
		e := newExhaust(p)
		e.try(0, 0, 0)
		if err != nil {
			if e.any {
				t.Errorf("seed %d: %v, and there is a plan of %v", seed, err, e.best)
			}
			continue
		}
		got := score{plan.Priority, len(plan.Unassigned), plan.Cost + plan.Disruption}
		if got.better(e.best) {
			t.Fatalf("seed %d: found %v, and no plan is better than %v", seed, got, e.best)
		}
		if got != e.best {
			worse++
			t.Logf("seed %d: found %v of %v", seed, got, e.best)
		}
		served += len(e.tasks) - len(plan.Unassigned)
	}
	if worse > cases/100 { // a search may miss what all ways to go show
		t.Errorf("%d of %d plans are not the best", worse, cases)
	}
	if served < cases {
		t.Errorf("only %d tasks were served: the problems are too hard to show anything", served)
	}
}

func refused(err error) bool {
	var in *InputError
	return errors.As(err, &in)
}

// TestKeepsConstraints solves larger problems; Solve itself refuses a plan that the
// checker has something against.
func TestKeepsConstraints(t *testing.T) {
	cases := uint64(30)
	if testing.Short() {
		cases = 6
	}
	for seed := range cases {
		p := draw(1000+seed, 20, 8, 5)
		if seed%3 == 1 {
			p = odd(1000+seed, 20, 8, 5)
		}
		if seed%3 == 0 {
			for i := range p.Vehicles {
				v := &p.Vehicles[i]
				v.Reloads = &Reloads{MaxTrips: 2 + int(seed%4), Seconds: 7, Depot: int(seed % 2)}
				v.OnBoard = nil
			}
		}
		if _, err := Solve(t.Context(), p, Options{Seed: seed, Iterations: 2000, Walkers: 2}); err != nil && !errors.Is(err, ErrSteps) && !refused(err) {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func TestSamePlanAtOnce(t *testing.T) {
	iterations, jobs := int64(2000), 8
	if testing.Short() {
		iterations, jobs = 500, 1
	}
	for _, c := range []struct {
		p          *Problem
		iterations int64
	}{
		{draw(7, 30, 6, 6), iterations},
		{draw(7, jobs, 2, 3), longFrom * int64(jobs+2)}, // begins anew now and then
	} {
		var first *Plan
		for workers := 1; workers <= 3; workers++ {
			plan, err := Solve(t.Context(), c.p, Options{Seed: 3, Iterations: c.iterations, Walkers: 3, Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = plan
			}
			if !reflect.DeepEqual(first, plan) {
				t.Errorf("%d iterations: %d workers found another plan", c.iterations, workers)
			}
			if plan.DeadlineHit || plan.Iterations < 3*c.iterations {
				t.Errorf("%d iterations were done of %d by each, deadline %t", plan.Iterations, c.iterations, plan.DeadlineHit)
			}
		}
	}
}

// A long search that begins anew gives the best of all, and is no worse than what it began with.
func TestLongSearchKeepsItsBest(t *testing.T) {
	for seed := range uint64(6) {
		p := draw(seed, 5, 1, 2)
		for i := range p.Jobs {
			p.Jobs[i].Priority = 0 // of which Progress does not tell
		}
		for i := range p.Shipments {
			p.Shipments[i].Priority = 0
		}
		var told score
		plan, err := Solve(t.Context(), p, Options{Seed: seed, Iterations: longFrom * 6, Walkers: 2, Progress: func(p Progress) {
			now := score{0, p.Unassigned, p.Cost}
			if p.Share > 0 && told.better(now) {
				t.Errorf("seed %d: %v after %v at %v", seed, now, told, p.Share)
			}
			told = now
		}})
		if errors.Is(err, ErrSteps) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := (score{0, len(plan.Unassigned), plan.Cost + plan.Disruption}); got != told {
			t.Errorf("seed %d: gives %v, told %v", seed, got, told)
		}
	}
}

func TestBeginsWithGivenSteps(t *testing.T) {
	p := line(6, 1)
	p.Vehicles[0].First = []Stop{{AtJob, 4}, {AtJob, 1}}
	plan, err := Solve(t.Context(), p, Options{Seed: 1, Iterations: 500})
	if err != nil {
		t.Fatal(err)
	}
	if s := plan.Routes[0].Steps; s[1].Stop.Index != 4 || s[2].Stop.Index != 1 || len(s) != 8 {
		t.Errorf("the route is %v", s)
	}
	p.Jobs[4].Windows = []Window{{0, 1}}
	if _, err = Solve(t.Context(), p, Options{Seed: 1, Iterations: 500}); !errors.Is(err, ErrSteps) {
		t.Errorf("steps that cannot be done: %v", err)
	}
}

// What must be together is apart in a plan to begin with, or in the first steps.
func TestBeginsWithAGroupThatIsSplit(t *testing.T) {
	p := line(4, 2)
	p.Together = [][]Task{{{Index: 0}, {Index: 1}}}
	p.Vehicles[0].Initial, p.Vehicles[1].Initial = []Stop{{AtJob, 0}}, []Stop{{AtJob, 1}, {AtJob, 2}}
	if plan, err := Solve(t.Context(), p, Options{Seed: 1, Iterations: 100}); err != nil || len(plan.Unassigned) > 0 {
		t.Errorf("%+v, %v", plan, err)
	}
	p.Vehicles[0].First, p.Vehicles[1].First = p.Vehicles[0].Initial, p.Vehicles[1].Initial
	p.Vehicles[0].Initial, p.Vehicles[1].Initial = nil, nil
	if _, err := Solve(t.Context(), p, Options{Seed: 1, Iterations: 100}); !errors.Is(err, ErrSteps) {
		t.Errorf("first steps of two vehicles: %v", err)
	}
}

func TestGoesOnFromAPlan(t *testing.T) {
	p := line(12, 2)
	for i := range 12 {
		v := &p.Vehicles[i%2]
		v.Initial = append(v.Initial, Stop{AtJob, i})
	}
	s := newState(compile(p, idle()))
	s.begins()
	if len(s.absent) != 0 || len(s.routes[0].stops) != 6 || s.routes[0].stops[3] != 6 {
		t.Errorf("begins with %v and %v", s.routes[0].stops, s.routes[1].stops)
	}
}

// A plan is gone on from as a whole, where a part of it could not be driven.
func TestGoesOnFromTheWholePlan(t *testing.T) {
	p := line(3, 1)
	v := &p.Vehicles[0]
	v.Begin = []Stop{{AtJob, 0}, {AtJob, 1}, {AtJob, 2}}
	p.Matrices[0].Seconds[1*4+0], p.Matrices[0].Seconds[2*4+0] = Unreachable, Unreachable // but from the third
	s := newState(compile(p, idle()))
	if !s.begins() || len(s.absent) != 0 || !slices.Equal(s.routes[0].stops, []int32{0, 1, 2}) {
		t.Errorf("begins with %v", s.routes[0].stops)
	}
	v.MaxTasks = 2 // the whole of it cannot be: two are left
	if s = newState(compile(p, idle())); !s.begins() || len(s.absent) != 2 {
		t.Errorf("begins with %v, %d left out", s.routes[0].stops, len(s.absent))
	}
}

// A search goes on from a plan other than that which stability holds to, and comes to none that
// is worse by what both cost.
func TestGoesOnBesideStability(t *testing.T) {
	p := line(12, 2)
	p.Stability = Stability{Vehicle: 900, Position: 60}
	p.Vehicles[0].First = []Stop{{AtJob, 11}}
	for i := range 11 {
		v := &p.Vehicles[i%2]
		v.Initial = append(v.Initial, Stop{AtJob, i})
	}
	good, err := Solve(t.Context(), p, Options{Seed: 1, Iterations: 2000})
	if err != nil {
		t.Fatal(err)
	}
	q := *p
	q.Vehicles = slices.Clone(p.Vehicles)
	for i := range q.Vehicles {
		q.Vehicles[i].Begin = good.Stops(i)[len(q.Vehicles[i].First):]
	}
	plan, err := Solve(t.Context(), &q, Options{Seed: 1, Iterations: 1})
	if err != nil {
		t.Fatal(err)
	}
	if was, is := good.Cost+good.Disruption, plan.Cost+plan.Disruption; is > was || len(plan.Unassigned) > 0 {
		t.Errorf("from a plan that costs %d to one of %d", was/CostUnit, is/CostUnit)
	}
	q.Vehicles[1].Begin = []Stop{{AtJob, 11}}
	var wrong *InputError
	if _, err := Solve(t.Context(), &q, Options{Iterations: 1}); !errors.As(err, &wrong) {
		t.Errorf("a stop that another vehicle has to begin with: %v", err)
	}
}

func TestReloads(t *testing.T) {
	p := line(6, 1)
	v := &p.Vehicles[0]
	v.Windows, v.Capacity, v.Reloads = []Window{{0, 10000}}, []int32{2}, &Reloads{MaxTrips: 3, Seconds: 50}
	for i := range p.Jobs {
		p.Jobs[i].Delivery = []int32{1}
	}
	plan, err := Solve(t.Context(), p, Options{Seed: 1, Iterations: 2000})
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

// A search that is told to stop gives the best it has, however much work it was to do.
func TestStopsWithTheBest(t *testing.T) {
	for _, after := range []float64{-1, 0, 1. / exchanges} {
		stop := make(chan struct{})
		if after < 0 {
			close(stop)
		}
		plan, err := Solve(t.Context(), line(20, 2), Options{Seed: 1, Iterations: 1e15, Time: exchanges * time.Second / 2, Walkers: 2, Stop: stop, Progress: func(p Progress) {
			if p.Share == after {
				close(stop)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if !plan.Stopped || plan.DeadlineHit || len(plan.Unassigned) > 0 || plan.Cost != 400*CostUnit {
			t.Errorf("%v: stopped %t, deadline %t, %d left over, costs %d", after, plan.Stopped, plan.DeadlineHit, len(plan.Unassigned), plan.Cost/CostUnit)
		}
	}
	if plan, err := Solve(t.Context(), line(20, 2), Options{Seed: 1, Iterations: 100, Stop: make(chan struct{})}); err != nil || plan.Stopped {
		t.Errorf("stopped by nobody: %v", err)
	}
}

// A clock that is no concern of a search leaves its plan as it is, and one that is tells so.
func TestClockBesideWork(t *testing.T) {
	p := line(40, 3)
	solve := func(pace float64) *Plan {
		n := 0.0
		plan, err := Solve(t.Context(), p, Options{Seed: 1, Iterations: 6400, Time: time.Second, Walkers: 2, Elapsed: func() time.Duration { n += pace; return time.Duration(n) }})
		if err != nil {
			t.Fatal(err)
		}
		return plan
	}
	still, slow, late := solve(0), solve(float64(time.Second)/500), solve(float64(time.Second)/120)
	if slow.DeadlineHit || !reflect.DeepEqual(still, slow) {
		t.Errorf("a clock that runs to four tenths of its time: %+v, want %+v", slow, still)
	}
	if !late.DeadlineHit {
		t.Error("a clock that runs out says nothing")
	}
}

// TestHotLoopDoesNotAllocate holds one step of the search, once its arrays have grown.
func TestHotLoopDoesNotAllocate(t *testing.T) {
	for _, p := range []*Problem{line(60, 4), draw(5, 30, 10, 5)} {
		w, err := newWalker(compile(p, idle()), 1, 0, newWatch(t.Context(), nil))
		if err != nil {
			t.Fatal(err)
		}
		for range 3000 {
			w.step(w.scale * hottest)
		}
		if n := testing.AllocsPerRun(2000, func() { w.step(w.scale * hottest) }); n > 0 {
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
		"vehicles[0].time_windows[0]":   func(p *Problem) { p.Vehicles[0].Windows = []Window{{5, 3}} },
		"vehicles[0].speed_factor":      func(p *Problem) { p.Vehicles[0].SpeedFactor = -1 },
		"vehicles[0].reloads":           func(p *Problem) { p.Vehicles[0].Reloads = &Reloads{MaxTrips: 2} },
		"vehicles[0].reloads.max_trips": func(p *Problem) { p.Vehicles[0].Reloads = &Reloads{MaxTrips: 6} },
		"jobs[1].service":               func(p *Problem) { p.Jobs[1].Service = -1 },
		"jobs[1].time_windows[0]":       func(p *Problem) { p.Jobs[1].Windows = []Window{{5, 4}} },
		"jobs[1].time_windows[1]":       func(p *Problem) { p.Jobs[1].Windows = []Window{{1, 4}, {3, 9}} },
		"jobs[2].priority":              func(p *Problem) { p.Jobs[2].Priority = 101 },
		"jobs[0].delivery":              func(p *Problem) { p.Jobs[0].Delivery = []int32{1} },
		"apart[0][0]":                   func(p *Problem) { p.Apart = [][]Task{{{true, 0}}} },
		"vehicles[0].steps[1]":          func(p *Problem) { p.Vehicles[0].First = []Stop{{AtJob, 0}, {AtJob, 0}} },
		"vehicles[1].costs": func(p *Problem) {
			p.Vehicles[1].PerTaskHour = mostCost
			for i := range p.Jobs {
				p.Jobs[i].Service = most
			}
		},
		"jobs[3].pickup": func(p *Problem) {
			load(p, 1)
			p.Jobs[1].Delivery[0], p.Jobs[3].Pickup = mostAmount-3, []int32{1}
		},
		"matrices[0]": func(p *Problem) { p.Matrices[0].Seconds[1] = -7 },
	} {
		p := line(4, 2)
		change(p)
		_, err := Solve(t.Context(), p, Options{Iterations: 1})
		var bad *InputError
		if !errors.As(err, &bad) || bad.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
