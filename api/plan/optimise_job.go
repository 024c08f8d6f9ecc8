package plan

import (
	"context"
	"encoding/json"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/optimise"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/job"
	wire "github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
	"github.com/waygate/waygate/world"
)

// OptimiseJobRequest is the body of POST /v1/jobs/optimise.
type OptimiseJobRequest struct {
	native.OptimiseRequest
	native.JobOptions
}

// Check checks the problem.
func (r *OptimiseJobRequest) Check(c *schema.Context) { r.OptimiseRequest.Check(c) }

// ReplanJobRequest is the body of POST /v1/jobs/replan.
type ReplanJobRequest struct {
	native.ReplanRequest
	native.JobOptions
}

// Check checks the problem.
func (r *ReplanJobRequest) Check(c *schema.Context) { r.ReplanRequest.Check(c) }

// JobHeaders are the headers that a job is asked for with.
type JobHeaders struct {
	Idempotency string `header:"Idempotency-Key" maxLength:"200" doc:"sent again with the same body it gives the same job, and costs nothing"`
}

type optimiseJobIn struct {
	edge.Regional
	JobHeaders
	Warnings schema.Warnings
	Sent     schema.Sent
	Body     OptimiseJobRequest
}

// Points choose the region.
func (in *optimiseJobIn) Points() []geo.Point { return in.Body.Points() }

// Price is a call for each 200 unique locations begun.
func (in *optimiseJobIn) Price() edge.Price { return jobPrice(&in.Body.OptimiseRequest) }

func (in *optimiseJobIn) sent() (kind, idempotency string, body []byte) {
	return optimiseKind, in.Idempotency, in.Sent
}

func jobPrice(r *native.OptimiseRequest) edge.Price {
	unique, _ := native.UniquePlaces(r.Points())
	return edge.Price{Features: r.Features(), Times: max(1, (len(unique)+MostLocations-1)/MostLocations)}
}

type replanJobIn struct {
	edge.Regional
	JobHeaders
	Warnings schema.Warnings
	Sent     schema.Sent
	Body     ReplanJobRequest

	rest *remaining
}

// Points choose the region.
func (in *replanJobIn) Points() []geo.Point { return in.Body.Whole() }

// Price is that of what remains.
func (in *replanJobIn) Price() edge.Price { return jobPrice(in.rest.body) }

func (in *replanJobIn) sent() (kind, idempotency string, body []byte) {
	return replanKind, in.Idempotency, in.Sent
}

const jobText = "The answer is a job, whose result GET /v1/jobs/{id} gives. Up to 2,000 unique locations and 10,000 stops, and time_limit_s up to 600; it costs one call for each 200 unique locations begun, charged when it is taken and given back where it fails."

var (
	optimiseJobDoc = edge.Doc{
		Summary: "Plan the routes of vehicles, as a job", Tags: []string{"planning"}, Fails: []int{409, 422, 503}, Example: optimiseExample,
		Description: "As POST /optimise. " + jobText,
	}
	replanJobDoc = edge.Doc{
		Summary: "Plan the rest of a day, as a job", Tags: []string{"planning"}, Fails: []int{409, 422, 503}, Example: replanDoc.Example,
		Description: "As POST /optimise/replan, and free as that is when all is done. " + jobText,
	}
)

// long is plans that are made as jobs.
type long struct {
	*planner
	*lane
}

func (l long) prepareOptimise(ctx context.Context, in *optimiseJobIn) (again bool, err error) {
	if again, err = l.again(ctx, in); err != nil || again {
		return again, err
	}
	if err := l.check(in.Region, &in.Body.OptimiseRequest, false); err != nil {
		return false, err
	}
	b, err := newBoard(&in.Body.OptimiseRequest)
	if err != nil {
		return false, err
	}
	return false, l.solver.Refuses(&b.problem)
}

// prepareReplan finds out what remains. Where that is nothing the job is free, as the
// call is that waits for its answer.
func (l long) prepareReplan(ctx context.Context, in *replanJobIn) (free bool, err error) {
	if free, err = l.again(ctx, in); err != nil || free {
		return free, err
	}
	if l.solver == nil {
		return false, errNoSolver
	}
	if in.rest, err = remainderOf(&in.Body.ReplanRequest, l.solver); err != nil || in.rest.done() {
		return err == nil, err
	}
	return false, l.check(in.Region, in.rest.body, false)
}

// storedPlan is what a job of a plan is given.
type storedPlan struct {
	Request json.RawMessage `json:"request"`
}

func (l long) takeOptimise(ctx context.Context, in *optimiseJobIn) (*JobRecord, error) {
	return l.take(ctx, in, in.Body.Job())
}

func (l long) takeReplan(ctx context.Context, in *replanJobIn) (*JobRecord, error) {
	return l.take(ctx, in, in.Body.Job())
}

func (l long) take(ctx context.Context, in asked, o native.JobOptions) (*JobRecord, error) {
	_, _, body := in.sent()
	request, err := bare(body)
	if err != nil {
		return nil, err
	}
	return l.submit(ctx, in, o, &storedPlan{request})
}

var (
	optimisePlan = schema.Of[native.OptimiseRequest]()
	replanPlan   = schema.Of[native.ReplanRequest]()
)

// workOptimise does the work of a plan.
func (l long) workOptimise(ctx context.Context, w *job.Work, current *world.World) ([]byte, error) {
	var r native.OptimiseRequest
	x, err := l.begin(ctx, w, current, func(body []byte, o schema.Options) (p planning, err error) {
		p.warnings, err = optimisePlan.Read(ctx, body, &r, o)
		return p, err
	}, r.Points)
	if err != nil {
		return nil, err
	}
	if err := l.check(x.here, &r, false); err != nil {
		return nil, err
	}
	if x.board, err = newBoard(&r); err != nil {
		return nil, err
	}
	a, err := l.plan(ctx, x)
	if err != nil {
		return nil, err
	}
	return written(a)
}

// workReplan does the work of a plan of the rest.
func (l long) workReplan(ctx context.Context, w *job.Work, current *world.World) ([]byte, error) {
	var r native.ReplanRequest
	x, err := l.begin(ctx, w, current, func(body []byte, o schema.Options) (p planning, err error) {
		p.warnings, err = replanPlan.Read(ctx, body, &r, o)
		return p, err
	}, r.Whole)
	if err != nil {
		return nil, err
	}
	rest, err := remainderOf(&r, l.solver)
	if err == nil && !rest.done() {
		err = l.check(x.here, rest.body, false)
	}
	if err != nil {
		return nil, err
	}
	a, err := l.planRest(ctx, rest, x)
	if err != nil {
		return nil, err
	}
	return written(a)
}

// begin reads what a job is given, and chooses its region.
func (l long) begin(_ context.Context, w *job.Work, current *world.World, read func([]byte, schema.Options) (planning, error), points func() []geo.Point) (planning, error) {
	if l.solver == nil {
		return planning{}, errNoSolver
	}
	var stored storedPlan
	if err := json.Unmarshal(w.Request, &stored); err != nil {
		return planning{}, err
	}
	x, err := read(stored.Request, schema.Options{Bounds: current.Bounds()})
	if err != nil {
		return x, err
	}
	if x.here, err = current.At(points()...); err != nil {
		return x, err
	}
	x.stop = w.Stop()
	x.progress = func(p optimise.Progress) {
		told := JobProgress{Share: p.Share, Stage: p.Stage}
		if p.Planned {
			told.BestCost, told.Unassigned = &p.Cost, &p.Unassigned
		}
		progress(w, told)
	}
	return x, nil
}

// written is an answer as the synchronous endpoint writes it.
func written(a any) ([]byte, error) {
	wire.Shorten(a)
	return json.Marshal(a)
}
