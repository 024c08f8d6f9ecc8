package explain

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/search"
	"github.com/waygate/waygate/fleet/search/limit"
	"github.com/waygate/waygate/fleet/search/model"
)

// Cause is why a task is not served.
type Cause string

// The causes, in the order in which they are checked.
const (
	CauseUnreachable Cause = "unreachable" // no vehicle has a way to it and on to its end
	CauseSkills      Cause = "skills"      // no vehicle that could get there has the skills
	CauseTerritory   Cause = "territory"   // none of these may stop there
	CauseCapacity    Cause = "capacity"    // its load is above what each of these carries
	CauseLimits      Cause = "limits"      // windows or limits of each of these forbid it, even if it were all that the vehicle did
	CauseNoRoom      Cause = "no_room"     // a vehicle could, but not beside what the plan has it do
	CauseSearch      Cause = "search"      // nothing: a longer search serves it
)

// Reason explains why one task is not served.
type Reason struct {
	Task  fleet.Task
	Cause Cause
	// Relaxations lists changes, each of which alone would serve the task beside all
	// that the plan serves. Each was verified by a search and reduced to the smallest
	// that sufficed. The smallest comes first.
	Relaxations []Relaxation
}

// Options limit the work. The zero value has the defaults that Tasks documents.
type Options struct {
	Seed       uint64
	Iterations int64 // of the search in each attempt to serve a task; 0 is 100
	// Time limits the whole call, including the task under way; 0 is no limit.
	Time time.Duration
	// Next is called before each task with the number of tasks done, and returns
	// whether to go on; nil always goes on.
	Next func(done int) bool
}

// Tasks explains why tasks are missing from a plan of Solve, and what would serve each
// of them. It returns as many reasons, from the first task on, as there was time for,
// and the context's error if the context ends.
func Tasks(ctx context.Context, p *fleet.Problem, plan *fleet.Plan, tasks []fleet.Task, o Options) ([]Reason, error) {
	return explain(limit.NewWatch(ctx, limit.NewClock(0, o.Time, nil, nil)), p, plan, tasks, o)
}

func explain(w *limit.Watch, p *fleet.Problem, plan *fleet.Plan, tasks []fleet.Task, o Options) ([]Reason, error) {
	if err := limit.Checked(p, w); err != nil {
		return nil, err
	}
	if o.Iterations <= 0 {
		o.Iterations = 100
	}
	e := &explainer{watch: w, p: p, plan: plan, o: o, model: model.Compile(p, w)}
	out := []Reason{}
	for i, t := range tasks {
		if w.Look(true) || o.Next != nil && !o.Next(i) {
			break
		}
		if !slices.Contains(plan.Unassigned, t) {
			return nil, fmt.Errorf("fleet: task %v is not unassigned in the plan", t)
		}
		r := e.reason(t)
		if w.Over {
			break // this task's reasons are incomplete
		}
		out = append(out, r)
	}
	return out, w.Err()
}

// attempts limits the work that explains one task.
var attempts = search.Extensions{Attempts: 100, PerDimension: 20, Iterations: 3000}

// Estimate returns the most that Tasks will take for a number of tasks.
func Estimate(p *fleet.Problem, tasks int) search.Load {
	return search.EstimateExtensions(p, tasks, attempts)
}

type explainer struct {
	watch *limit.Watch
	p     *fleet.Problem
	plan  *fleet.Plan
	o     Options
	model *model.Model
}

func (e *explainer) reason(t fleet.Task) Reason {
	r := Reason{Task: t, Cause: e.cause(t)}
	if r.Cause == CauseUnreachable {
		return r
	}
	tasks := e.model.Group(t)
	widest := widest(e.p, tasks)
	if r.Cause == CauseNoRoom {
		if _, ok := e.attempt(tasks, &Relaxation{Vehicle: anyone}, e.o.Iterations); ok {
			r.Cause = CauseSearch
			return r
		}
	}
	for a := range aspects {
		if x, ok := e.relax(tasks, widest.only(func(b aspect) bool { return a == b })); ok {
			r.Relaxations = append(r.Relaxations, x)
		}
	}
	if len(r.Relaxations) == 0 {
		if x, ok := e.relax(tasks, widest); ok {
			r.Relaxations = append(r.Relaxations, x)
		}
	}
	slices.SortStableFunc(r.Relaxations, func(a, b Relaxation) int { return a.demand() - b.demand() })
	return r
}

// demand ranks relaxations: less time comes before more, and time before changes to
// what a vehicle is and has.
func (r *Relaxation) demand() (n int) {
	n = int(max(r.TimeWindows, r.Overtime, r.Ride, r.TravelTime))
	if r.Tasks > 0 || r.Distance > 0 {
		n += MostRelaxed
	}
	if r.Capacity != nil || len(r.Skills) > 0 || r.Anywhere {
		n += 2 * MostRelaxed
	}
	return n
}

// cause returns the first cause that holds, looking at every vehicle by itself.
func (e *explainer) cause(t fleet.Task) Cause {
	p := e.p
	var stops []*fleet.Place
	var skills []int32
	amount := make([]int32, len(p.Vehicles[0].Capacity))
	carrier := -1
	if t.Shipment {
		s := &p.Shipments[t.Index]
		stops, skills = []*fleet.Place{&s.Pickup, &s.Delivery}, s.Skills
		if carrier = p.Carrier(t.Index); carrier >= 0 {
			stops = stops[1:]
		} else {
			fleet.AddLoad(amount, s.Amount, 1)
		}
	} else {
		j := &p.Jobs[t.Index]
		stops, skills = []*fleet.Place{&j.Place}, j.Skills
		for d := range amount {
			if len(j.Delivery) > 0 {
				amount[d] = j.Delivery[d]
			}
			if len(j.Pickup) > 0 {
				amount[d] = max(amount[d], j.Pickup[d])
			}
		}
	}
	passed := map[Cause]bool{}
	for i := range p.Vehicles {
		v := &p.Vehicles[i]
		if e.watch.Spend(10 + 5*len(skills) + 5*len(v.Skills) + len(v.Territories)) {
			break
		}
		if carrier >= 0 && carrier != i || !p.Reaches(v, stops) {
			continue
		}
		passed[CauseUnreachable] = true
		if !fleet.HasSkills(v, skills) {
			continue
		}
		passed[CauseSkills] = true
		if slices.ContainsFunc(stops, func(pl *fleet.Place) bool { return !fleet.MayStop(v, pl) }) {
			continue
		}
		passed[CauseTerritory] = true
		if slices.ContainsFunc(v.Capacity, func(int32) bool { return exceeds(amount, v.Capacity) }) {
			continue
		}
		passed[CauseCapacity] = true
	}
	for _, c := range []Cause{CauseUnreachable, CauseSkills, CauseTerritory, CauseCapacity} {
		if !passed[c] {
			return c
		}
	}
	if search.FeasibleAlone(e.model, t, e.watch) {
		return CauseNoRoom
	}
	return CauseLimits
}

func exceeds(amount, capacity []int32) bool {
	for d, n := range amount {
		if n > capacity[d] {
			return true
		}
	}
	return false
}

// relax returns the smallest relaxation of the aspects of r that serves the tasks, with
// the vehicle that it concerns.
func (e *explainer) relax(tasks []fleet.Task, r *Relaxation) (Relaxation, bool) {
	at, ok := e.attempt(tasks, r, e.o.Iterations)
	if !ok {
		return Relaxation{}, false
	}
	r.Vehicle = at.Vehicle
	if !e.suffices(tasks, r, e.o.Iterations) {
		return Relaxation{}, false
	}
	// Each aspect is reduced in turn: first the task is inserted into the plan as it
	// is, then a search makes room for it.
	for _, iterations := range []int64{0, e.o.Iterations} {
		for a := range aspects {
			e.shrink(tasks, r, a, iterations)
		}
	}
	return *r, true
}

// suffices reports whether tasks can be served under a relaxation, and reduces the
// relaxation to what the plan found needs.
func (e *explainer) suffices(tasks []fleet.Task, r *Relaxation, iterations int64) bool {
	at, ok := e.attempt(tasks, r, iterations)
	if ok {
		r.shrinkTo(e.p, tasks, at.Plan)
		r.Cost = at.Cost - e.plan.Cost - e.plan.Disruption
	}
	return ok
}

// shrink reduces one aspect of a relaxation as far as the tasks can still be served.
func (e *explainer) shrink(tasks []fleet.Task, r *Relaxation, a aspect, iterations int64) {
	suffices := func() bool { return e.suffices(tasks, r, iterations) }
	switch a {
	case ofWindows:
		least(&r.TimeWindows, iterations, suffices)
	case ofRide:
		least(&r.Ride, iterations, suffices)
	case ofOvertime:
		least(&r.Overtime, iterations, suffices)
	case ofCapacity:
		for d := range r.Capacity {
			least(&r.Capacity[d], iterations, suffices)
		}
		if !slices.ContainsFunc(r.Capacity, func(n int32) bool { return n > 0 }) {
			r.Capacity = nil
		}
	case ofSkills:
		v := &e.p.Vehicles[r.Vehicle]
		r.Skills = slices.DeleteFunc(slices.Clone(r.Skills), func(n int32) bool { return slices.Contains(v.Skills, n) })
		slices.Sort(r.Skills)
		r.Skills = slices.Compact(r.Skills)
	case ofTerritories:
		if r.Anywhere {
			r.Anywhere = false
			r.Anywhere = !suffices()
		}
	case ofTasks:
		least(&r.Tasks, iterations, suffices)
	case ofTravelTime:
		least(&r.TravelTime, iterations, suffices)
	case ofDistance:
		least(&r.Distance, iterations, suffices)
	}
}

// tries is how many searches look for a smaller relaxation, beside the insertions
// without a search.
const tries = 5

// least reduces n to the smallest sufficient value by bisection; the value on entry
// suffices. With a search in each attempt it takes only a few steps.
func least[T int | int32 | int64](n *T, iterations int64, suffices func() bool) {
	low, high := T(-1), *n // low does not suffice
	for i := 0; low+1 < high && (iterations == 0 || i < tries); i++ {
		*n = low + (high-low)/2
		if i == 0 {
			*n = 0
		}
		if suffices() {
			high = *n
		} else {
			low = *n
		}
	}
	*n = high
}

// attempt tries to serve tasks, beside all that the plan serves, under a relaxation.
func (e *explainer) attempt(tasks []fleet.Task, r *Relaxation, iterations int64) (search.Extension, bool) {
	if e.watch.Over {
		return search.Extension{}, false
	}
	m := e.model.Like(relaxed(e.p, tasks, r), e.watch)
	return search.Extend(m, e.plan, tasks[0], e.o.Seed, iterations, e.watch)
}
