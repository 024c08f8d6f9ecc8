package fleet

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Cause is why a task is not served.
type Cause string

// The causes, the first that holds.
const (
	CauseUnreachable Cause = "unreachable" // no vehicle has a way to it and on to its end
	CauseSkills      Cause = "skills"      // no vehicle that could get there has the skills
	CauseTerritory   Cause = "territory"   // none of these may stop there
	CauseCapacity    Cause = "capacity"    // its load is above what each of these carries
	CauseLimits      Cause = "limits"      // windows or limits of each of these forbid it, even if it were all that the vehicle did
	CauseNoRoom      Cause = "no_room"     // a vehicle could, but not beside what the plan has it do
	CauseSearch      Cause = "search"      // nothing: a longer search serves it
)

// Reason explains one task.
type Reason struct {
	Task  Task
	Cause Cause
	// Relaxations would serve it, and whatever the plan serves, each alone. Each is as
	// small as it was found to suffice, and was solved. The first asks for least.
	Relaxations []Relaxation
}

// ExplainOptions bound the work. The zero value is as Explain says.
type ExplainOptions struct {
	Seed       uint64
	Iterations int64 // of the search in each attempt to serve a task; 0 is 100
	// Time ends it, and with it the task under way; 0 does not.
	Time time.Duration
	// Next is asked before each task, of which so many were before it, whether to go on;
	// nil always does.
	Next func(done int) bool
}

// Explain says why tasks are not in a plan that Solve gave for a problem, and what would
// serve each: of the first of them, as many as there was time for. It ends with the context's
// error where the context ends.
func Explain(ctx context.Context, p *Problem, plan *Plan, tasks []Task, o ExplainOptions) ([]Reason, error) {
	return explain(newWatch(ctx, newClock(&Options{Time: o.Time})), p, plan, tasks, o)
}

func explain(w *watch, p *Problem, plan *Plan, tasks []Task, o ExplainOptions) ([]Reason, error) {
	if err := p.check(w); err != nil {
		return nil, err
	}
	if o.Iterations <= 0 {
		o.Iterations = 100
	}
	e := &explainer{watch: w, p: p, plan: plan, o: o, model: compile(p, w)}
	out := []Reason{}
	for i, t := range tasks {
		if w.look(true) || o.Next != nil && !o.Next(i) {
			break
		}
		if !slices.Contains(plan.Unassigned, t) {
			return nil, fmt.Errorf("fleet: task %v is not unassigned in the plan", t)
		}
		r := e.reason(t)
		if w.over {
			break // with half of its reasons
		}
		out = append(out, r)
	}
	return out, w.ctx.Err()
}

type explainer struct {
	watch *watch
	p     *Problem
	plan  *Plan
	o     ExplainOptions
	model *model
}

func (e *explainer) reason(t Task) Reason {
	r := Reason{Task: t, Cause: e.cause(t)}
	if r.Cause == CauseUnreachable {
		return r
	}
	tasks := []Task{t}
	if g := e.model.units[e.model.unitOfTask(t)].group; g >= 0 {
		tasks = tasks[:0]
		for _, u := range e.model.groups[g] {
			tasks = append(tasks, e.model.units[u].task)
		}
	}
	widest := e.p.widest(tasks)
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

// demand orders relaxations: a little time before more of it, and time before what a vehicle
// is and has.
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

// cause looks at every vehicle alone.
func (e *explainer) cause(t Task) Cause {
	p := e.p
	var stops []*Place
	var skills []int32
	amount := make([]int32, len(p.Vehicles[0].Capacity))
	carrier := -1
	if t.Shipment {
		s := &p.Shipments[t.Index]
		stops, skills = []*Place{&s.Pickup, &s.Delivery}, s.Skills
		if carrier = int(e.model.carrier[t.Index]); carrier >= 0 {
			stops = stops[1:]
		} else {
			add(amount, s.Amount, 1)
		}
	} else {
		j := &p.Jobs[t.Index]
		stops, skills = []*Place{&j.Place}, j.Skills
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
		if e.watch.spend(10 + 5*len(skills) + 5*len(v.Skills) + len(v.Territories)) {
			break
		}
		if carrier >= 0 && carrier != i || !p.reaches(v, stops) {
			continue
		}
		passed[CauseUnreachable] = true
		if !skilled(v, skills) {
			continue
		}
		passed[CauseSkills] = true
		if slices.ContainsFunc(stops, func(pl *Place) bool { return !inside(v, pl) }) {
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
	if e.alone(t) {
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

// reaches reports whether there are ways for a vehicle along stops.
func (p *Problem) reaches(v *Vehicle, stops []*Place) bool {
	m, at := &p.Matrices[v.Profile], v.Start
	for i := 0; i <= len(stops); i++ {
		to := v.End
		if i < len(stops) {
			to = stops[i].Location
		}
		if at != None && to != None && m.Seconds[at*m.N+to] == Unreachable {
			return false
		}
		at = to
	}
	return true
}

// alone reports whether a vehicle could serve a task, and what must be together with it, if
// it did nothing else but its first steps.
func (e *explainer) alone(t Task) bool {
	s := newState(e.model)
	s.under(e.watch)
	if !s.starts() {
		return false
	}
	return s.putAny(e.model.unitOfTask(t))
}

// putAny puts a unit, and what must be together with it, wherever it is cheapest.
func (s *state) putAny(u int32) bool {
	if g := s.m.units[u].group; g >= 0 {
		s.putGroup(s.m.groups[g])
	} else if b, ok := s.best(u); ok {
		s.put(u, b)
	}
	return s.inList[u] < 0
}

// relax finds how little of a relaxation suffices, and of which vehicle.
func (e *explainer) relax(tasks []Task, r *Relaxation) (Relaxation, bool) {
	at, ok := e.attempt(tasks, r, e.o.Iterations)
	if !ok {
		return Relaxation{}, false
	}
	r.Vehicle = at.vehicle
	if !e.suffices(tasks, r, e.o.Iterations) {
		return Relaxation{}, false
	}
	// Each aspect in turn, as small as it can be by putting the task into the plan as it is,
	// and then by letting the search make room for it.
	for _, iterations := range []int64{0, e.o.Iterations} {
		for a := range aspects {
			e.shrink(tasks, r, a, iterations)
		}
	}
	return *r, true
}

// suffices reports whether tasks can be served under a relaxation, and makes that as small as
// the plan needs it that was found.
func (e *explainer) suffices(tasks []Task, r *Relaxation, iterations int64) bool {
	at, ok := e.attempt(tasks, r, iterations)
	if ok {
		r.shrinkTo(e.p, tasks, at.plan)
		r.Cost = at.cost - e.plan.Cost - e.plan.Disruption
	}
	return ok
}

// shrink makes one aspect of a relaxation smaller, as far as the tasks are still served.
func (e *explainer) shrink(tasks []Task, r *Relaxation, a aspect, iterations int64) {
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

// tries is how often a smaller relaxation is searched for, beside those that are looked up.
const tries = 5

// least finds the smallest value that suffices, which the present one does: by halves,
// and where each attempt is a search in few steps.
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

// served is a plan that serves the tasks in question.
type served struct {
	plan    *Plan
	vehicle int
	cost    int64
}

// attempt tries to serve tasks beside all that the plan serves, under a relaxation.
func (e *explainer) attempt(tasks []Task, r *Relaxation, iterations int64) (served, bool) {
	if e.watch.over {
		return served{}, false
	}
	m := compileLike(e.p.relaxed(tasks, r), e.model, e.watch)
	s := newState(m)
	s.under(e.watch)
	if !s.starts() {
		return served{}, false
	}
	s.drive(e.plan)
	var kept []int32
	for i := range s.inList {
		if s.inList[i] < 0 {
			kept = append(kept, int32(i)) //nolint:gosec // as many as units
		}
	}
	u := m.unitOfTask(tasks[0])
	done := func() bool {
		e.watch.spend(len(kept) / 4)
		return s.inList[u] < 0 && !slices.ContainsFunc(kept, func(k int32) bool { return s.inList[k] >= 0 })
	}
	if !s.putAny(u) && iterations > 0 {
		w := &walker{s: s}
		s.random, s.skip = newRandom(e.o.Seed, 0), 0
		w.best.keep(s)
		for i := int64(0); i < iterations && !done() && !e.watch.over; i++ {
			w.step(0)
		}
	}
	if !done() || e.watch.spend(40*len(m.visits)) {
		return served{}, false
	}
	plan := s.plan()
	if e.watch.over || len(Verify(m.p, plan)) > 0 {
		return served{}, false
	}
	return served{plan, m.slots[s.where[m.units[u].last()]].vehicle, s.cost}, true
}

// last is the visit that ends a unit.
func (u *unit) last() int32 {
	if u.pair {
		return u.first + 1
	}
	return u.first
}

// drive makes a plan for the same vehicles and tasks the current one.
func (s *state) drive(p *Plan) {
	first := map[int]int32{}
	for r := len(s.m.slots) - 1; r >= 0; r-- {
		first[s.m.slots[r].vehicle] = int32(r)
	}
	for r := range s.routes {
		s.empty(int32(r))
	}
	for i := range p.Routes {
		var stops []int32
		for _, st := range p.Routes[i].Steps {
			if st.Kind == StepStop {
				stops = append(stops, s.m.visitOf(st.Stop))
			}
		}
		s.fill(first[p.Routes[i].Vehicle]+int32(p.Routes[i].Trip), stops)
	}
}
