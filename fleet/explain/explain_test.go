package explain

import (
	"slices"
	"testing"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/fleettest"
	"github.com/waygate/waygate/fleet/search"
)

// TestExplains leaves the last job of a street out for one cause after the other, and holds
// what would serve it against what is known to.
func TestExplains(t *testing.T) {
	for name, c := range map[string]struct {
		change func(p *fleet.Problem)
		cause  Cause
		ok     func(p *fleet.Problem, r *Relaxation) bool
	}{
		"unreachable": {func(p *fleet.Problem) {
			m := &p.Matrices[0]
			for a := range m.N {
				m.Seconds[a*m.N+5], m.Seconds[5*m.N+a] = fleet.Unreachable, fleet.Unreachable
			}
		}, CauseUnreachable, nil},
		"skills": {func(p *fleet.Problem) { p.Jobs[4].Skills = []int32{3, 1} }, CauseSkills, func(_ *fleet.Problem, r *Relaxation) bool {
			return len(r.Skills) == 2 && r.Skills[0] == 1 && r.Skills[1] == 3
		}},
		"territory": {func(p *fleet.Problem) {
			for i := range p.Vehicles {
				p.Vehicles[i].Territories = []int32{1}
			}
			for i := range p.Jobs[:4] {
				p.Jobs[i].Territories = []int32{1}
			}
		}, CauseTerritory, func(_ *fleet.Problem, r *Relaxation) bool { return r.Anywhere }},
		"capacity": {func(p *fleet.Problem) { fleettest.Load(p, 5); p.Jobs[4].Delivery[0] = 8 }, CauseCapacity, func(_ *fleet.Problem, r *Relaxation) bool {
			return len(r.Capacity) == 1 && r.Capacity[0] == 3 // the other vehicle takes the four others
		}},
		"overtime": {func(p *fleet.Problem) {
			for i := range p.Vehicles {
				p.Vehicles[i].Windows = []fleet.Window{{Start: 0, End: 93}}
			}
		}, CauseLimits, func(_ *fleet.Problem, r *Relaxation) bool { return r.Overtime == 7 }},
		"windows": {func(p *fleet.Problem) { p.Jobs[4].Windows = []fleet.Window{{Start: 10, End: 32}} }, CauseLimits, func(_ *fleet.Problem, r *Relaxation) bool {
			return r.TimeWindows == 18
		}},
		"travel": {func(p *fleet.Problem) {
			for i := range p.Vehicles {
				p.Vehicles[i].MaxTravelTime = 81
			}
		}, CauseLimits, func(_ *fleet.Problem, r *Relaxation) bool { return r.TravelTime == 19 }},
		"distance": {func(p *fleet.Problem) {
			for i := range p.Vehicles {
				p.Vehicles[i].MaxDistance = 99
			}
		}, CauseLimits, func(_ *fleet.Problem, r *Relaxation) bool { return r.Distance == 1 }},
		"no room": {func(p *fleet.Problem) {
			fleettest.Load(p, 2)
			p.Jobs[0].Priority, p.Jobs[1].Priority, p.Jobs[2].Priority, p.Jobs[3].Priority = 9, 9, 9, 9
		}, CauseNoRoom, func(_ *fleet.Problem, r *Relaxation) bool { return len(r.Capacity) == 1 && r.Capacity[0] == 1 }},
		"tasks": {func(p *fleet.Problem) {
			for i := range p.Vehicles {
				p.Vehicles[i].MaxTasks = 2
			}
			for i := range p.Jobs[:4] {
				p.Jobs[i].Priority = 1
			}
		}, CauseNoRoom, func(_ *fleet.Problem, r *Relaxation) bool { return r.Tasks == 1 }},
		"nothing more": {func(p *fleet.Problem) {
			p.Vehicles[0].MaxTasks, p.Vehicles[0].Skills = fleet.None, []int32{1}
			p.Jobs[4].Skills = []int32{1}
		}, CauseLimits, func(_ *fleet.Problem, r *Relaxation) bool { return r.Vehicle == 0 && r.Tasks == 1 }},
		"two at once": {func(p *fleet.Problem) {
			p.Jobs[4].Windows, p.Jobs[4].Skills = []fleet.Window{{Start: 10, End: 32}}, []int32{1}
		}, CauseSkills, func(_ *fleet.Problem, r *Relaxation) bool {
			return r.TimeWindows == 18 && len(r.Skills) == 1
		}},
	} {
		t.Run(name, func(t *testing.T) {
			p := fleettest.Line(5, 2)
			c.change(p)
			plan, err := search.Solve(t.Context(), p, search.Options{Seed: 1, Iterations: 500})
			if err != nil {
				t.Fatal(err)
			}
			left := fleet.Task{Index: 4}
			if len(plan.Unassigned) != 1 || plan.Unassigned[0] != left {
				t.Fatalf("left out: %v", plan.Unassigned)
			}
			reasons, err := Tasks(t.Context(), p, plan, plan.Unassigned, Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := reasons[0]
			if r.Cause != c.cause || (c.ok == nil) != (len(r.Relaxations) == 0) || c.ok != nil && !c.ok(p, &r.Relaxations[0]) {
				t.Fatalf("%+v", r)
			}
			for i := range r.Relaxations {
				again, err := search.Solve(t.Context(), relaxed(p, []fleet.Task{left}, &r.Relaxations[i]), search.Options{Seed: 1, Iterations: 500})
				if err != nil || len(again.Unassigned) > 0 {
					t.Errorf("with %+v: %v, %v", r.Relaxations[i], again, err)
				}
			}
		})
	}
}

// TestRelaxationsSuffice explains what is left out of drawn plans, and solves each problem
// with what it was given.
func TestRelaxationsSuffice(t *testing.T) {
	explained, served := 0, 0
	for seed := range uint64(40) {
		p := fleettest.Draw(3000+seed, 8, 3, 2)
		plan, err := search.Solve(t.Context(), p, search.Options{Seed: seed, Iterations: 500})
		if err != nil || len(plan.Unassigned) == 0 {
			continue
		}
		reasons, err := Tasks(t.Context(), p, plan, plan.Unassigned[:1], Options{Iterations: 50})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		explained++
		if len(reasons[0].Relaxations) == 0 {
			continue
		}
		served++
		r := &reasons[0].Relaxations[0]
		again, err := search.Solve(t.Context(), relaxed(p, []fleet.Task{reasons[0].Task}, r), search.Options{Seed: seed, Iterations: 2000})
		if err != nil || again.Priority < plan.Priority || len(again.Unassigned) >= len(plan.Unassigned) && again.Priority == plan.Priority {
			t.Errorf("seed %d: %+v serves no more", seed, r)
		}
	}
	if explained < 10 || served < explained/2 {
		t.Errorf("%d explained, %d of them by a relaxation", explained, served)
	}
}

// TestRelaxationsServeAll compares what is said of drawn problems with every plan there is: a
// relaxation has room for the task and for all that the plan serves, and a task said to lack
// only room could be served alone.
func TestRelaxationsServeAll(t *testing.T) {
	cases := uint64(250)
	if testing.Short() {
		cases = 20
	}
	held := 0
	for seed := range cases {
		drawn := fleettest.Draw
		if seed%2 == 1 {
			drawn = fleettest.Odd
		}
		p := drawn(6000+seed, 1+int(seed%4), int(seed/4%3), 1+int(seed/12%2))
		plan, err := search.Solve(t.Context(), p, search.Options{Seed: seed, Iterations: 500})
		if err != nil || len(plan.Unassigned) == 0 {
			continue
		}
		reasons, err := Tasks(t.Context(), p, plan, plan.Unassigned[:1], Options{Iterations: 50})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		x, tasks := reasons[0], []fleet.Task{reasons[0].Task}
		if (x.Cause == CauseNoRoom || x.Cause == CauseSearch) && !canServe(p, tasks) {
			t.Errorf("seed %d: %v has the cause %s, and no plan serves it", seed, x.Task, x.Cause)
		}
		for _, g := range p.SameVehicle {
			if slices.Contains(g, x.Task) {
				tasks = g
			}
		}
		all := append([]fleet.Task{x.Task}, servedBy(plan, p)...)
		for i := range x.Relaxations {
			held++
			if len(p.SameVehicle) < 2 && !canServe(relaxed(p, tasks, &x.Relaxations[i]), all) {
				t.Errorf("seed %d: no plan serves %v with %+v", seed, all, x.Relaxations[i])
			}
		}
	}
	if held < int(cases)/4 {
		t.Errorf("only %d relaxations were held", held)
	}
}

// canServe reports whether a plan serves all of some tasks.
func canServe(p *fleet.Problem, tasks []fleet.Task) bool {
	q := *p
	q.Jobs, q.Shipments = slices.Clone(p.Jobs), slices.Clone(p.Shipments)
	for i := range q.Jobs {
		q.Jobs[i].Priority = 0
	}
	for i := range q.Shipments {
		q.Shipments[i].Priority = 0
	}
	for _, t := range tasks {
		if t.Shipment {
			q.Shipments[t.Index].Priority = 1
		} else {
			q.Jobs[t.Index].Priority = 1
		}
	}
	e := fleettest.NewExhaust(&q)
	e.Try(0, 0, 0)
	return e.Any && e.Best.Priority == len(tasks)
}

func servedBy(plan *fleet.Plan, p *fleet.Problem) (tasks []fleet.Task) {
	for _, t := range fleettest.NewExhaust(p).Tasks {
		if !slices.Contains(plan.Unassigned, t) {
			tasks = append(tasks, t)
		}
	}
	return tasks
}
