// Package optimise makes plans for fleets on the road: it measures the ways between
// the places of a problem, has a solver plan, explains what is left over, and draws
// the routes.
package optimise

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/explain"
	"github.com/waygate/waygate/fleet/search"
	"github.com/waygate/waygate/geo"
)

// Solver plans a problem. The plan keeps every constraint, and lists what it leaves
// out.
type Solver interface {
	Name() string
	// State is ok, failing where the last problem found no server that answers it, or unknown
	// before the first.
	State() string
	// Refuses names the parts of a problem that the solver cannot express; nil where it can
	// all.
	Refuses(p *fleet.Problem) error
	// Stable reports whether it honours fleet.Problem.Stability.
	Stable() bool
	// Load returns the use that Solve makes of this machine: of a server far away memory alone.
	Load(p *fleet.Problem, o search.Options) search.Load
	Solve(ctx context.Context, p *fleet.Problem, o search.Options) (*fleet.Plan, error)
}

// Embedded is our own solver.
type Embedded struct{}

// Name names it in answers.
func (Embedded) Name() string { return "embedded" }

// State is ok.
func (Embedded) State() string { return "ok" }

// Stable reports that it honours stability.
func (Embedded) Stable() bool { return true }

// Load returns that of the search.
func (Embedded) Load(p *fleet.Problem, o search.Options) search.Load { return search.Estimate(p, o) }

// Refuses nothing.
func (Embedded) Refuses(*fleet.Problem) error { return nil }

// Solve plans.
func (Embedded) Solve(ctx context.Context, p *fleet.Problem, o search.Options) (*fleet.Plan, error) {
	return search.Solve(ctx, p, o)
}

// Slot waits until work may begin, and returns the context to do it in. done must be
// called.
type Slot func(ctx context.Context, e engine.Estimate) (working context.Context, done func(), err error)

// Service plans. All fields but Slot and Observe are required.
type Service struct {
	Engine  engine.Engine
	Solver  Solver
	Slot    Slot    // nil works at once
	Observe Observe // nil is not called
	Cells   int     // most of one call of the engine
}

// Observe is called for a problem once a solver has ended with it.
type Observe func(ctx context.Context, solver string, took time.Duration, err error)

// Profile is a way to travel.
type Profile struct {
	Costing costing.Costing
	Options costing.Settings
}

// Task describes a plan to be made. Locations of the problem are indexes into Points; its
// matrices are by Profiles and are filled in.
type Task struct {
	Problem    *fleet.Problem
	Points     []geo.Point
	Profiles   []Profile
	Conditions engine.Conditions
	Anchors    map[int]string // points without which nothing can be planned, by the member that gives them
	Relax      *Relax         // nil relaxes nothing
	Explain    int            // tasks that are left over of which the reason is looked for
	Geometry   bool
	Search     Search
	// Progress, where it is not nil, is called with how far the work is.
	Progress func(Progress)
	// Stop, once it is closed, ends the search with the best plan so far, of which what is
	// left over is not explained.
	Stop <-chan struct{}

	began time.Time
}

// Relax is by how much to relax a problem that leaves work over.
type Relax struct{ Windows, Overtime int64 }

// Search bounds the work.
type Search struct {
	Seed  uint64
	Work  time.Duration // of the search, of one core, about
	Limit time.Duration // of the whole: the best plan so far is given after it, and what is left to do gives way
}

// Progress is how far the work is.
type Progress struct {
	Share      float64
	Stage      string // matrix, search, explain, geometry
	Unassigned int
	Cost       float64 // of the best plan, in the unit of costs
	Planned    bool    // there is one
}

// Outcome is the result of a task.
type Outcome struct {
	Plan     *fleet.Plan
	Problem  *fleet.Problem // that the plan is of: relaxed where Relaxed is
	Snapped  []engine.Snapped
	Reasons  map[fleet.Task]explain.Reason
	Relaxed  bool   // the plan is of the second solution
	Before   int    // tasks that the first one left over
	Stopped  bool   // Task.Stop ended the search, or the explanations
	Ended    []Part // that the time ended
	Lines    [][]geo.Point
	Warnings []engine.Warning
}

// Part is a part of the work that gives way when the time is up.
type Part string

// The parts.
const (
	PartSearch       Part = "search"
	PartRelaxation   Part = "relaxation"
	PartExplanations Part = "explanations"
)

// parts of the work, for its progress.
const (
	measured  = 0.3
	searched  = 0.9
	explained = 0.97
)

// Plan does the task, which the solver does not refuse.
func (s *Service) Plan(ctx context.Context, t *Task) (*Outcome, error) {
	t.began = time.Now()
	o := &Outcome{Problem: t.Problem, Reasons: map[fleet.Task]explain.Reason{}}
	if err := s.measure(ctx, t, o); err != nil {
		return nil, err
	}
	if err := s.search(ctx, t, o); err != nil {
		return nil, err
	}
	if t.Geometry {
		t.tell(o.progress(explained, "geometry"))
		if err := s.draw(ctx, t, o); err != nil {
			return nil, err
		}
	}
	return o, nil
}

func (t *Task) tell(p Progress) {
	if t.Progress != nil {
		t.Progress(p)
	}
}

// wrong makes a refusal of the solver one that a caller may read. Whoever made the
// problem has checked it: what is left are plans that cannot be.
func wrong(err error) error {
	switch e := err.(type) { //nolint:errorlint // it comes as it is
	case *fleet.InputError:
		return fault.Invalid(fault.Violation{Location: e.Field, Message: e.Message})
	case nil:
		return nil
	}
	switch {
	case errors.Is(err, search.ErrSteps):
		return fault.Invalid(fault.Violation{Location: "vehicles", Message: "the first_stop_ids of a vehicle cannot be done in their order within its limits and their windows"})
	case errors.Is(err, search.ErrTime):
		return fault.New(fault.UpstreamTimeout, "the time was over before the first_stop_ids of the vehicles were placed, without which there is no plan: give it more with time_limit_s, or ask for it as a job")
	}
	return err
}

// left returns the rest of the time, of which a tenth of what the caller waits is for the
// answer. Waiting for a slot counts.
func (t *Task) left(ctx context.Context) time.Duration {
	left := t.Search.Limit - time.Since(t.began)
	if limit, ok := ctx.Deadline(); ok {
		left = min(left, time.Until(limit)*9/10)
	}
	return left
}

const (
	// stepTime is about the time of a usual step of our search on one core; walkers search
	// beside each other, as many whatever the machine, so that the plan is the same.
	stepTime = 20 * time.Microsecond
	walkers  = 2
	// searching is the share of the time that the searches have on one core, by what their
	// steps take: the rest is for the matrices, explanations, and a machine that is slower
	// than usual. A search that ends by its steps gives the same plan every time.
	searching = 0.75
	// least is the time that a search has, however late it begins: there is no answer without a plan.
	least = 100 * time.Millisecond
)

// options returns those of a search of a problem that has so much time.
func (t *Task) options(p *fleet.Problem, seats int, from float64, limit time.Duration) search.Options {
	most := float64(t.Search.Limit) * searching / float64(max(1, search.StepTime(p))) / walkers
	if t.Relax != nil {
		most /= 2 // there may be two
	}
	return search.Options{
		Seed: t.Search.Seed, Iterations: max(1, min(int64(most), max(200, int64(t.Search.Work/stepTime/walkers)))), Time: max(limit, least), Walkers: walkers, Workers: seats, Stop: t.Stop,
		Progress: func(p search.Progress) {
			t.tell(Progress{Share: from + (searched-from)*p.Share, Stage: "search", Unassigned: p.Unassigned, Cost: float64(p.Cost) / fleet.CostUnit, Planned: true})
		},
	}
}

// search solves, once more where work is left over and that is to be relaxed, and
// explains what still is.
func (s *Service) search(ctx context.Context, t *Task, o *Outcome) (err error) {
	if o.Plan, err = s.solve(ctx, t, o.Problem, measured); err != nil {
		return err
	}
	o.ended(PartSearch, o.Plan.DeadlineHit)
	if o.Stopped = o.Plan.Stopped; o.Stopped {
		if err := s.cool(ctx, t, o); err != nil {
			return err
		}
	}
	o.Before = len(o.Plan.Unassigned)
	if o.Before > 0 && t.Relax != nil {
		if err := s.relax(ctx, t, o); err != nil {
			return err
		}
	}
	t.tell(o.progress(searched, "search"))
	return s.explain(ctx, t, o)
}

// relax solves the relaxed problem, from the plan that leaves work over.
func (s *Service) relax(ctx context.Context, t *Task, o *Outcome) error {
	if t.left(ctx) <= 0 {
		o.ended(PartRelaxation, true)
		return nil
	}
	relaxed := t.Relax.of(o.Problem, o.Plan)
	plan, err := s.solve(ctx, t, relaxed, (measured+searched)/2)
	if err != nil {
		return err
	}
	o.ended(PartRelaxation, plan.DeadlineHit)
	o.Plan, o.Problem, o.Relaxed, o.Stopped = plan, relaxed, true, o.Stopped || plan.Stopped
	return nil
}

// ended notes whether the time ended a part.
func (o *Outcome) ended(part Part, did bool) {
	if did {
		o.Ended = append(o.Ended, part)
	}
}

// solve has the solver plan, in a slot where it works on this machine.
func (s *Service) solve(ctx context.Context, t *Task, p *fleet.Problem, from float64) (*fleet.Plan, error) {
	working, done, err := s.takeSlot(ctx, s.searchEstimate(t, p, t.left(ctx)))
	if err != nil {
		return nil, err
	}
	defer done()
	began := time.Now()
	plan, err := s.Solver.Solve(working, p, t.options(p, max(1, engine.Workers(working)), from, t.left(ctx)))
	if s.Observe != nil {
		s.Observe(ctx, s.Solver.Name(), time.Since(began), err)
	}
	return plan, wrong(err)
}

// cooling is how much work goes into a plan whose search was stopped.
const cooling = 2 * time.Second

// cool goes on from a plan whose search was stopped, for as long as a short search takes: the
// best of a long one is rough until its temperature falls.
func (s *Service) cool(ctx context.Context, t *Task, o *Outcome) error {
	p := *o.Problem
	p.Vehicles = slices.Clone(p.Vehicles)
	for i := range p.Vehicles {
		p.Vehicles[i].Begin = following(o.Plan, i, &p.Vehicles[i])
	}
	short := *t
	short.Stop, short.Search.Work, short.Search.Limit, short.began = nil, min(t.Search.Work, cooling), 2*cooling, time.Now()
	plan, err := s.solve(ctx, &short, &p, measured)
	if err != nil {
		return err
	}
	plan.Iterations += o.Plan.Iterations
	plan.DeadlineHit = false
	o.Plan = plan
	return nil
}

// following returns the stops of a plan after those that a vehicle has to begin with; not nil.
func following(plan *fleet.Plan, i int, v *fleet.Vehicle) []fleet.Stop {
	return append([]fleet.Stop{}, plan.Stops(i)[len(v.First):]...)
}

// explain looks for what would serve the first of what is left over.
func (s *Service) explain(ctx context.Context, t *Task, o *Outcome) error {
	tasks := o.Plan.Unassigned[:min(len(o.Plan.Unassigned), t.Explain)]
	if len(tasks) == 0 {
		return nil
	}
	left := t.left(ctx)
	if left <= 0 {
		o.ended(PartExplanations, true)
		return nil
	}
	working, done, err := s.takeSlot(ctx, explainEstimate(o.Problem, len(tasks), left))
	if err != nil {
		return err
	}
	defer done()
	reasons, err := explain.Tasks(working, o.Problem, o.Plan, tasks, explain.Options{
		Seed: t.Search.Seed, Time: max(1, t.left(ctx)),
		Next: func(done int) bool {
			t.tell(o.progress(searched+(explained-searched)*float64(done)/float64(len(tasks)), "explain"))
			o.Stopped = o.Stopped || t.stopped()
			return !t.stopped()
		},
	})
	if err != nil {
		return fmt.Errorf("explain what is left over: %w", err)
	}
	for i := range reasons {
		o.Reasons[reasons[i].Task] = reasons[i]
	}
	o.ended(PartExplanations, len(reasons) < len(tasks) && !t.stopped())
	return nil
}

func (t *Task) stopped() bool {
	select {
	case <-t.Stop:
		return true
	default:
		return false
	}
}

// progress reports the best plan so far.
func (o *Outcome) progress(share float64, stage string) Progress {
	return Progress{Share: share, Stage: stage, Unassigned: len(o.Plan.Unassigned), Cost: float64(o.Plan.Cost) / fleet.CostUnit, Planned: true}
}

func (s *Service) takeSlot(ctx context.Context, e engine.Estimate) (context.Context, func(), error) {
	if s.Slot == nil {
		return ctx, func() {}, nil
	}
	return s.Slot(ctx, e)
}

// of returns the problem with the relaxation, which begins with the plan that was found.
func (r *Relax) of(p *fleet.Problem, plan *fleet.Plan) *fleet.Problem {
	q := *p
	wider := func(list []fleet.Window) (out []fleet.Window) {
		for _, w := range list {
			w = fleet.Window{Start: max(0, w.Start-r.Windows), End: w.End + r.Windows}
			if n := len(out); n > 0 && w.Start <= out[n-1].End {
				out[n-1].End = w.End
				continue
			}
			out = append(out, w)
		}
		return out
	}
	q.Jobs = append([]fleet.Job(nil), p.Jobs...)
	for i := range q.Jobs {
		q.Jobs[i].Windows = wider(q.Jobs[i].Windows)
	}
	q.Shipments = append([]fleet.Shipment(nil), p.Shipments...)
	for i := range q.Shipments {
		q.Shipments[i].Pickup.Windows, q.Shipments[i].Delivery.Windows = wider(q.Shipments[i].Pickup.Windows), wider(q.Shipments[i].Delivery.Windows)
	}
	q.Vehicles = append([]fleet.Vehicle(nil), p.Vehicles...)
	for i := range q.Vehicles {
		v := &q.Vehicles[i]
		if n := len(v.Windows); n > 0 {
			v.Windows = append([]fleet.Window(nil), v.Windows...)
			for k := range v.Windows {
				// A shift that would run into the next ends where that begins.
				end := v.Windows[k].End + r.Overtime
				if k+1 < n {
					end = min(end, v.Windows[k+1].Start-1)
				}
				v.Windows[k].End = max(v.Windows[k].End, end)
			}
		}
		v.Begin = following(plan, i, v)
	}
	return &q
}
