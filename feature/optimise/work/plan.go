package work

import (
	"context"
	"encoding/json"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/optimise"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/job"
	"github.com/waygate/waygate/wire/native/plan"
	"github.com/waygate/waygate/wire/schema"
)

// Plan is the input of a job of a plan.
type Plan struct {
	Request json.RawMessage `json:"request"`
}

var (
	optimisePlan = schema.Of[plan.OptimiseRequest]()
	replanPlan   = schema.Of[plan.ReplanRequest]()
)

// optimise plans the routes of vehicles.
func (x *Worker) optimise(ctx context.Context, w *job.Work, current Regions) ([]byte, error) {
	var r plan.OptimiseRequest
	asked, err := x.begin(w, current, func(body []byte, o schema.Options) ([]engine.Warning, error) {
		return optimisePlan.Read(ctx, body, &r, o)
	}, r.Points)
	if err != nil {
		return nil, err
	}
	if err := x.Planner.Check(asked.Region, &r, asked.Limits); err != nil {
		return nil, err
	}
	a, err := x.Planner.Optimise(ctx, &r, asked)
	if err != nil {
		return nil, err
	}
	return optimise.JSON(a)
}

// replan plans what remains of a day.
func (x *Worker) replan(ctx context.Context, w *job.Work, current Regions) ([]byte, error) {
	var r plan.ReplanRequest
	asked, err := x.begin(w, current, func(body []byte, o schema.Options) ([]engine.Warning, error) {
		return replanPlan.Read(ctx, body, &r, o)
	}, r.Whole)
	if err != nil {
		return nil, err
	}
	rest, err := x.Planner.RemainingOf(&r)
	if err == nil && !rest.Done() {
		err = x.Planner.Check(asked.Region, rest.Request(), asked.Limits)
	}
	if err != nil {
		return nil, err
	}
	a, err := x.Planner.PlanRemaining(ctx, rest, asked)
	if err != nil {
		return nil, err
	}
	return optimise.JSON(a)
}

// begin reads what a job is given, and chooses its region. points are read after the request.
func (x *Worker) begin(w *job.Work, current Regions, read func([]byte, schema.Options) ([]engine.Warning, error), points func() []geo.Point) (asked optimise.PlanRequest, err error) {
	if x.Planner.Solver == nil {
		return asked, optimise.ErrNoSolver
	}
	var stored Plan
	if err := json.Unmarshal(w.Request, &stored); err != nil {
		return asked, err
	}
	asked = optimise.PlanRequest{Limits: optimise.JobLimits(), Stop: w.Stop(), Progress: func(p optimise.Progress) {
		now := JobProgress{Share: p.Share, Stage: p.Stage}
		if p.Planned {
			now.BestCost, now.Unassigned = &p.Cost, &p.Unassigned
		}
		report(w, now)
	}}
	if asked.Warnings, err = read(stored.Request, schema.Options{Bounds: current.Bounds()}); err != nil {
		return asked, err
	}
	asked.Region, err = current.At(points()...)
	return asked, err
}
