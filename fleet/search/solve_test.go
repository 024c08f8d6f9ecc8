package search

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/fleettest"
	"github.com/waygate/waygate/fleet/search/limit"
	"github.com/waygate/waygate/fleet/search/model"
	"github.com/waygate/waygate/soaktest"
)

func TestFindsTheBestPlan(t *testing.T) {
	cases := soaktest.Cases(120, 300)
	if testing.Short() {
		cases = 20
	}
	served, worse := 0, 0
	for seed := range uint64(cases) {
		drawn := fleettest.Draw
		if seed%2 == 1 {
			drawn = fleettest.Odd
		}
		p := drawn(seed/2, 1+int(seed/2%4), int(seed/8%3), 1+int(seed/24%2))
		plan, err := Solve(t.Context(), p, Options{Seed: seed, Iterations: 3000})
		if refused(err) {
			continue
		}
		if err != nil && !errors.Is(err, ErrSteps) {
			t.Fatalf("seed %d: %v", seed, err)
		}
		e := fleettest.NewExhaust(p)
		e.Try(0, 0, 0)
		if err != nil {
			if e.Any {
				t.Errorf("seed %d: %v, and there is a plan of %v", seed, err, e.Best)
			}
			continue
		}
		got := fleet.Score{Priority: plan.Priority, Absent: len(plan.Unassigned), Cost: plan.Cost + plan.Disruption}
		if got.Better(e.Best) {
			t.Fatalf("seed %d: found %v, and no plan is better than %v", seed, got, e.Best)
		}
		if got != e.Best {
			worse++
			t.Logf("seed %d: found %v of %v", seed, got, e.Best)
		}
		served += len(e.Tasks) - len(plan.Unassigned)
	}
	if worse > cases/100 { // a search may miss what all ways to go show
		t.Errorf("%d of %d plans are not the best", worse, cases)
	}
	if served < cases {
		t.Errorf("only %d tasks were served: the problems are too hard to show anything", served)
	}
}

func refused(err error) bool {
	var in *fleet.InputError
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
		p := fleettest.Draw(1000+seed, 20, 8, 5)
		if seed%3 == 1 {
			p = fleettest.Odd(1000+seed, 20, 8, 5)
		}
		if seed%3 == 0 {
			for i := range p.Vehicles {
				v := &p.Vehicles[i]
				v.Reloads = &fleet.Reloads{MaxTrips: 2 + int(seed%4), Seconds: 7, Depot: int(seed % 2)}
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
		p          *fleet.Problem
		iterations int64
	}{
		{fleettest.Draw(7, 30, 6, 6), iterations},
		{fleettest.Draw(7, jobs, 2, 3), longFrom * int64(jobs+2)}, // begins anew now and then
	} {
		var first *fleet.Plan
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
		p := fleettest.Draw(seed, 5, 1, 2)
		for i := range p.Jobs {
			p.Jobs[i].Priority = 0 // which Progress does not report
		}
		for i := range p.Shipments {
			p.Shipments[i].Priority = 0
		}
		var reported fleet.Score
		plan, err := Solve(t.Context(), p, Options{Seed: seed, Iterations: longFrom * 6, Walkers: 2, Progress: func(p Progress) {
			now := fleet.Score{Priority: 0, Absent: p.Unassigned, Cost: p.Cost}
			if p.Share > 0 && reported.Better(now) {
				t.Errorf("seed %d: %v after %v at %v", seed, now, reported, p.Share)
			}
			reported = now
		}})
		if errors.Is(err, ErrSteps) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := (fleet.Score{Priority: 0, Absent: len(plan.Unassigned), Cost: plan.Cost + plan.Disruption}); got != reported {
			t.Errorf("seed %d: gives %v, reported %v", seed, got, reported)
		}
	}
}

func TestBeginsWithGivenSteps(t *testing.T) {
	p := fleettest.Line(6, 1)
	p.Vehicles[0].First = []fleet.Stop{{Kind: fleet.AtJob, Index: 4}, {Kind: fleet.AtJob, Index: 1}}
	plan, err := Solve(t.Context(), p, Options{Seed: 1, Iterations: 500})
	if err != nil {
		t.Fatal(err)
	}
	if s := plan.Routes[0].Steps; s[1].Stop.Index != 4 || s[2].Stop.Index != 1 || len(s) != 8 {
		t.Errorf("the route is %v", s)
	}
	p.Jobs[4].Windows = []fleet.Window{{Start: 0, End: 1}}
	if _, err = Solve(t.Context(), p, Options{Seed: 1, Iterations: 500}); !errors.Is(err, ErrSteps) {
		t.Errorf("steps that cannot be done: %v", err)
	}
}

// Tasks that must be together are apart in a plan to begin with, or in the first steps.
func TestBeginsWithAGroupThatIsSplit(t *testing.T) {
	p := fleettest.Line(4, 2)
	p.SameVehicle = [][]fleet.Task{{{Index: 0}, {Index: 1}}}
	p.Vehicles[0].Initial, p.Vehicles[1].Initial = []fleet.Stop{{Kind: fleet.AtJob, Index: 0}}, []fleet.Stop{{Kind: fleet.AtJob, Index: 1}, {Kind: fleet.AtJob, Index: 2}}
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
	p := fleettest.Line(12, 2)
	for i := range 12 {
		v := &p.Vehicles[i%2]
		v.Initial = append(v.Initial, fleet.Stop{Kind: fleet.AtJob, Index: i})
	}
	s := newState(model.Compile(p, limit.Unlimited()))
	start{s}.warmStart()
	if len(s.absent) != 0 || len(s.routes[0].stops) != 6 || s.routes[0].stops[3] != 6 {
		t.Errorf("begins with %v and %v", s.routes[0].stops, s.routes[1].stops)
	}
}

// A plan is gone on from as a whole, where a part of it could not be driven.
func TestGoesOnFromTheWholePlan(t *testing.T) {
	p := fleettest.Line(3, 1)
	v := &p.Vehicles[0]
	v.Begin = []fleet.Stop{{Kind: fleet.AtJob, Index: 0}, {Kind: fleet.AtJob, Index: 1}, {Kind: fleet.AtJob, Index: 2}}
	p.Matrices[0].Seconds[1*4+0], p.Matrices[0].Seconds[2*4+0] = fleet.Unreachable, fleet.Unreachable // but from the third
	s := newState(model.Compile(p, limit.Unlimited()))
	if !(start{s}).warmStart() || len(s.absent) != 0 || !slices.Equal(s.routes[0].stops, []int32{0, 1, 2}) {
		t.Errorf("begins with %v", s.routes[0].stops)
	}
	v.MaxTasks = 2 // the whole of it cannot be: two are left
	if s = newState(model.Compile(p, limit.Unlimited())); !(start{s}).warmStart() || len(s.absent) != 2 {
		t.Errorf("begins with %v, %d left out", s.routes[0].stops, len(s.absent))
	}
}

// A search goes on from a plan other than that which stability holds to, and comes to none that
// is worse by what both cost.
func TestGoesOnBesideStability(t *testing.T) {
	p := fleettest.Line(12, 2)
	p.Stability = fleet.Stability{Vehicle: 900, Position: 60}
	p.Vehicles[0].First = []fleet.Stop{{Kind: fleet.AtJob, Index: 11}}
	for i := range 11 {
		v := &p.Vehicles[i%2]
		v.Initial = append(v.Initial, fleet.Stop{Kind: fleet.AtJob, Index: i})
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
		t.Errorf("from a plan that costs %d to one of %d", was/fleet.CostUnit, is/fleet.CostUnit)
	}
	q.Vehicles[1].Begin = []fleet.Stop{{Kind: fleet.AtJob, Index: 11}}
	var wrong *fleet.InputError
	if _, err := Solve(t.Context(), &q, Options{Iterations: 1}); !errors.As(err, &wrong) {
		t.Errorf("a stop that another vehicle has to begin with: %v", err)
	}
}

func TestReloads(t *testing.T) {
	p := fleettest.Line(6, 1)
	v := &p.Vehicles[0]
	v.Windows, v.Capacity, v.Reloads = []fleet.Window{{Start: 0, End: 10000}}, []int32{2}, &fleet.Reloads{MaxTrips: 3, Seconds: 50}
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
	if plan.Cost != 240*fleet.CostUnit {
		t.Errorf("costs %d", plan.Cost/fleet.CostUnit)
	}
}

func TestStopsWithItsCaller(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Solve(ctx, fleettest.Line(20, 2), Options{Seed: 1, Time: time.Hour}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A search that is stopped returns the best plan so far, however much work it was given.
func TestStopsWithTheBest(t *testing.T) {
	for _, after := range []float64{-1, 0, 1. / exchanges} {
		stop := make(chan struct{})
		if after < 0 {
			close(stop)
		}
		plan, err := Solve(t.Context(), fleettest.Line(20, 2), Options{Seed: 1, Iterations: 1e15, Time: exchanges * time.Second / 2, Walkers: 2, Stop: stop, Progress: func(p Progress) {
			if p.Share == after {
				close(stop)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if !plan.Stopped || plan.DeadlineHit || len(plan.Unassigned) > 0 || plan.Cost != 400*fleet.CostUnit {
			t.Errorf("%v: stopped %t, deadline %t, %d left over, costs %d", after, plan.Stopped, plan.DeadlineHit, len(plan.Unassigned), plan.Cost/fleet.CostUnit)
		}
	}
	if plan, err := Solve(t.Context(), fleettest.Line(20, 2), Options{Seed: 1, Iterations: 100, Stop: make(chan struct{})}); err != nil || plan.Stopped {
		t.Errorf("stopped by nobody: %v", err)
	}
}

// A clock that does not end a search leaves its plan unchanged; one that does sets DeadlineHit.
func TestClockBesideWork(t *testing.T) {
	p := fleettest.Line(40, 3)
	solve := func(pace float64) *fleet.Plan {
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

// TestHotLoopDoesNotAllocate checks one step of the search, once its arrays have grown.
func TestHotLoopDoesNotAllocate(t *testing.T) {
	for _, p := range []*fleet.Problem{fleettest.Line(60, 4), fleettest.Draw(5, 30, 10, 5)} {
		w, err := newWalker(model.Compile(p, limit.Unlimited()), 1, 0, limit.NewWatch(t.Context(), nil))
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
