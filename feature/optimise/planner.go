package optimise

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/zones"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/zone"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/native/plan"
)

// MostLocations is how many unique locations the problem of a call may have; a job may have
// ten times as many.
const MostLocations = 200

const moreLocations = 10

// Limits bound a problem and the work that goes into its plan.
type Limits struct {
	locations int // unique ones
	stops     int
	cells     int     // of the ways that are kept for each pair of profile and speed_factor, together
	seconds   float64 // of time_limit_s
	usual     float64 // seconds without time_limit_s; 0 is usualJobSeconds, or twice the work of the search
	longest   float64 // seconds of the search without time_limit_s; 0 has no bound
	explained int     // tasks
	shared    bool    // the search gives up its slot to others for a while
	instead   string  // what takes larger problems, as the end of a refusal
}

// CallLimits returns those of a plan that a caller waits for.
func CallLimits() Limits {
	return Limits{
		locations: MostLocations, stops: 1000, cells: 4_000_000, seconds: 10, usual: 20, longest: 10, explained: 10,
		instead: fmt.Sprintf("; POST /v1/jobs/optimise takes %d", MostLocations*moreLocations),
	}
}

// JobLimits returns those of a plan that nobody waits for.
func JobLimits() Limits {
	return Limits{locations: MostLocations * moreLocations, stops: 10_000, cells: 32_000_000, seconds: 600, explained: 50, shared: true}
}

const (
	usualJobSeconds = 45.0
	requestShare    = 0.9 // of the time that a request may take, which a plan may have
)

// ErrNoSolver refuses a problem where the operator switched the solver off.
var ErrNoSolver = fault.New(fault.NoOptimiser, "optimisation is switched off on this deployment (SVC_OPTIMISER=none)")

// Region is the region that a problem lies in.
type Region struct {
	Engine engine.Engine
	Bounds geo.Bounds  // of the roads; empty where unknown
	Zones  *zone.Index // nil where none are known
}

// Planner makes plans of requests. Solver and Cells are required.
type Planner struct {
	Solver    Solver               // nil where the operator switched it off
	Observe   Observe              // nil is not called
	Scheduler *scheduled.Scheduler // nil where nobody else works on this machine
	Zones     zones.Service
	Cells     int // most of one call of the engine
}

// Check refuses a problem that is too large, and one that the engine or the solver here cannot
// plan.
func (p *Planner) Check(here *Region, b *plan.OptimiseRequest, l Limits) error {
	if p.Solver == nil {
		return ErrNoSolver
	}
	if can := here.Engine.Can(); !can.Does(engine.CallMatrix) {
		return engine.NotEnabled("optimisation")
	}
	unique, _ := plan.UniquePlaces(b.Points())
	if len(unique) > l.locations {
		return plan.TooManyPlaces(len(unique), l.locations, l.instead)
	}
	if n := b.Stops(); n > l.stops {
		return fault.Invalid(fault.Violation{Location: "jobs", Message: fmt.Sprintf("and shipments make %d stops, and may make %d%s", n, l.stops, l.instead)})
	}
	if n, cells := b.Speeds(), len(unique)*len(unique); n > 1 && n > l.cells/cells {
		return fault.Invalid(fault.Violation{Location: "vehicles", Message: fmt.Sprintf("have %d different pairs of profile and speed_factor, for each of which the ways between %d locations are kept; with so many locations there may be %d pairs", n, len(unique), max(1, l.cells/cells))})
	}
	if b.TimeLimit != nil && *b.TimeLimit > l.seconds {
		return fault.Invalid(fault.Violation{Location: "time_limit_s", Value: *b.TimeLimit, Message: fmt.Sprintf("must be at most %g seconds here; a job may have 600", l.seconds)})
	}
	return b.Loaded()
}

// Refuses returns why the request is not a problem, or which part of it the solver cannot
// express.
func (p *Planner) Refuses(r *plan.OptimiseRequest) error {
	b, err := newBuilder(r, nil)
	if err != nil {
		return err
	}
	return p.Solver.Refuses(&b.problem)
}

// budget returns how long a plan may take. request is the time that a request may take, 0 where
// nobody waits for the answer. The same request gets the same budget, and so the same plan.
func (l *Limits) budget(b *plan.OptimiseRequest, request time.Duration) Search {
	seconds := max(0.3, float64(b.Stops())/100)
	if l.longest > 0 {
		seconds = min(seconds, l.longest)
	}
	limit := l.usual
	if limit == 0 {
		limit = max(usualJobSeconds, 2*seconds)
	}
	if b.TimeLimit != nil {
		seconds, limit = *b.TimeLimit, *b.TimeLimit
	}
	s := Search{Seed: b.Seed, Work: time.Duration(seconds * float64(time.Second)), Limit: time.Duration(limit * float64(time.Second))}
	if request > 0 {
		s.Limit = min(s.Limit, time.Duration(requestShare*float64(request)))
	}
	return s
}

// slotOf returns how a search gets its slot: for the whole of a request, or shared, where a job
// steps aside for others.
func (p *Planner) slotOf(l *Limits) Slot {
	if p.Scheduler == nil {
		return nil
	}
	if l.shared {
		return p.Scheduler.Share
	}
	return func(ctx context.Context, e engine.Estimate) (context.Context, func(), error) {
		working, done, err := p.Scheduler.Work(ctx, e)
		return working, func() { done(true) }, err
	}
}

// PlanRequest is one plan to be made. Region and Limits are required.
type PlanRequest struct {
	Region   *Region
	Limits   Limits
	Warnings []engine.Warning // of the request
	Progress func(Progress)   // nil is not called
	// Stop, once it is closed, ends the search with the best plan so far.
	Stop <-chan struct{}
}

// Optimise plans a request that Check has nothing against.
func (p *Planner) Optimise(ctx context.Context, r *plan.OptimiseRequest, x PlanRequest) (*Answer, error) {
	b, err := newBuilder(r, nil)
	if err != nil {
		return nil, err
	}
	return p.plan(ctx, b, x)
}

// plan plans a problem that was built.
func (p *Planner) plan(ctx context.Context, b *builder, x PlanRequest) (*Answer, error) {
	r := b.request
	task := &Task{
		Problem: &b.problem, Points: b.points, Anchors: b.anchors, Geometry: r.Geometry, Search: x.Limits.budget(r, scheduled.RequestOf(ctx).Limit), Progress: x.Progress, Stop: x.Stop,
		Conditions: engine.Conditions{When: r.When()},
	}
	warnings := append(slices.Clone(x.Warnings), p.keepOut(x.Region, r, &task.Conditions)...)
	for _, c := range r.Profiles() {
		task.Profiles = append(task.Profiles, Profile{Costing: c, Options: r.SettingsOf(c)})
	}
	if r.Explain == nil || *r.Explain {
		task.Explain = x.Limits.explained
	}
	if r.Relax != nil {
		task.Relax = &Relax{Windows: r.Relax.Windows, Overtime: r.Relax.Overtime}
	}
	service := &Service{Engine: x.Region.Engine, Solver: p.Solver, Slot: p.slotOf(&x.Limits), Observe: p.Observe, Cells: p.Cells}
	if err := p.Solver.Refuses(task.Problem); err != nil {
		return nil, err
	}
	if err := scheduled.Estimated(ctx, func() engine.Estimate { return service.Estimate(task) }); err != nil {
		return nil, err
	}
	o, err := service.Plan(ctx, task)
	if err != nil {
		return nil, engine.WithHint(err, x.Region.Bounds, b.points, nil)
	}
	a := b.answer(o)
	a.Zones = p.zonesOf(x.Region, b)
	a.Search.Solver, a.Search.Seed = p.Solver.Name(), r.Seed
	a.Warnings = native.AnswerWarnings(slices.Concat(warnings, b.named(o.Warnings), b.far(o))...)
	return a, nil
}
