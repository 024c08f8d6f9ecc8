package plan

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/optimise"
	"github.com/waygate/waygate/feature/optimise/work"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native/plan"
	"github.com/waygate/waygate/wire/schema"
)

// OptimiseJobRequest is the body of POST /v1/jobs/optimise.
type OptimiseJobRequest struct {
	plan.OptimiseRequest
	plan.JobOptions
}

// Check checks the problem.
func (r *OptimiseJobRequest) Check(c *schema.Context) { r.OptimiseRequest.Check(c) }

// ReplanJobRequest is the body of POST /v1/jobs/replan.
type ReplanJobRequest struct {
	plan.ReplanRequest
	plan.JobOptions
}

// Check checks the problem.
func (r *ReplanJobRequest) Check(c *schema.Context) { r.ReplanRequest.Check(c) }

// JobHeaders are the headers of a request for a job.
type JobHeaders struct {
	Idempotency string `header:"Idempotency-Key" maxLength:"200" doc:"sent again with the same body it gives the same job, and costs nothing"`
}

type optimiseJobIn struct {
	edge.Regional
	JobHeaders
	Warnings schema.Warnings
	Sent     schema.RawBody
	Body     OptimiseJobRequest
}

// Points choose the region.
func (in *optimiseJobIn) Points() []geo.Point { return in.Body.Points() }

// Price returns a call for each 200 unique locations begun.
func (in *optimiseJobIn) Price() edge.Price { return jobPrice(&in.Body.OptimiseRequest) }

func (in *optimiseJobIn) sent() (kind, idempotency string, body []byte) {
	return work.Optimise, in.Idempotency, in.Sent
}

func jobPrice(r *plan.OptimiseRequest) edge.Price {
	unique, _ := plan.UniquePlaces(r.Points())
	return edge.Price{Features: r.Features(), Times: max(1, (len(unique)+optimise.MostLocations-1)/optimise.MostLocations)}
}

type replanJobIn struct {
	edge.Regional
	JobHeaders
	Warnings schema.Warnings
	Sent     schema.RawBody
	Body     ReplanJobRequest

	rest *optimise.Remaining
}

// Points choose the region.
func (in *replanJobIn) Points() []geo.Point { return in.Body.Whole() }

// Price returns that of what remains.
func (in *replanJobIn) Price() edge.Price { return jobPrice(in.rest.Request()) }

func (in *replanJobIn) sent() (kind, idempotency string, body []byte) {
	return work.Replan, in.Idempotency, in.Sent
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

// planJobs takes plans that are made as jobs.
type planJobs struct {
	planner
	*jobQueue
}

func (j planJobs) prepareOptimise(ctx context.Context, in *optimiseJobIn) (again bool, err error) {
	if again, err = j.again(ctx, in); err != nil || again {
		return again, err
	}
	if err := j.Check(regionOf(in.Region), &in.Body.OptimiseRequest, optimise.JobLimits()); err != nil {
		return false, err
	}
	return false, j.Refuses(&in.Body.OptimiseRequest)
}

// prepareReplan finds out what remains. Where that is nothing the job is free, as the
// call is that waits for its answer.
func (j planJobs) prepareReplan(ctx context.Context, in *replanJobIn) (free bool, err error) {
	if free, err = j.again(ctx, in); err != nil || free {
		return free, err
	}
	if in.rest, err = j.RemainingOf(&in.Body.ReplanRequest); err != nil || in.rest.Done() {
		return err == nil, err
	}
	return false, j.Check(regionOf(in.Region), in.rest.Request(), optimise.JobLimits())
}

func (j planJobs) takeOptimise(ctx context.Context, in *optimiseJobIn) (*JobRecord, error) {
	return j.take(ctx, in, in.Body.Job())
}

func (j planJobs) takeReplan(ctx context.Context, in *replanJobIn) (*JobRecord, error) {
	return j.take(ctx, in, in.Body.Job())
}

func (j planJobs) take(ctx context.Context, in asked, o plan.JobOptions) (*JobRecord, error) {
	_, _, body := in.sent()
	request, err := work.WithoutQueueMembers(body)
	if err != nil {
		return nil, err
	}
	return j.submit(ctx, in, o, &work.Plan{Request: request})
}
