package plan

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/optimise"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native/plan"
	"github.com/waygate/waygate/wire/schema"
	"github.com/waygate/waygate/world"
)

// planner makes plans that a caller waits for.
type planner struct{ *optimise.Planner }

// regionOf returns the parts of a region that a plan needs.
func regionOf(r *world.Region) *optimise.Region {
	return &optimise.Region{Engine: r.Engine, Bounds: r.Bounds, Zones: r.Zones}
}

type optimiseIn struct {
	edge.Regional
	Warnings schema.Warnings
	Body     plan.OptimiseRequest
}

// Points choose the region.
func (in *optimiseIn) Points() []geo.Point { return in.Body.Points() }

// Price returns that of the profiles.
func (in *optimiseIn) Price() edge.Price { return edge.Price{Features: in.Body.Features()} }

const optimiseExample = `{"vehicles":[{"id":"van-1","start":{"lat":49.326622,"lon":-7.267471},"end":{"lat":49.326622,"lon":-7.267471},"capacity":[4],"time_window":[28800,61200]}],"jobs":[{"id":"a","location":{"lat":49.324115,"lon":-7.251523},"service_s":300,"delivery":[2]},{"id":"b","location":{"lat":49.321496,"lon":-7.235719},"service_s":300,"delivery":[1],"time_windows":[[32400,36000]]}],"geometry":true}`

var optimiseDoc = edge.Doc{
	Summary: "Plan the routes of vehicles", Tags: []string{"planning"}, Fails: []int{422, 502, 503, 504}, Example: optimiseExample,
	Description: "Jobs and shipments are given to vehicles, in an order and at times that keep every constraint: first as many as can be by priority and number, then at the least cost. " +
		"One matrix is worked out for each profile, with its costing_options. Members have VROOM's names where they mean the same; times are whole seconds from any zero of yours, distances metres. " +
		"What cannot be served is in unassigned with the reason and the smallest relaxations that would serve it, each of which was solved. " +
		"At most 200 unique locations (422 optimisation-too-large; ten times as many as a job), 1,000 stops. The same body and seed give the same plan, unless search.deadline_hit. " +
		"time_limit_s, or 20 seconds without it, bounds the whole: when the time is up the best plan so far is given, relaxation and explanations give way, and search.ended_by_time says which did. One call, Premium for a truck or a load of dangerous goods. " +
		"search.solver names what planned: this program, or a VROOM server that the operator set, of whose plans each is checked here; what VROOM cannot express is a 400 that names the member. " +
		"503 optimisation-not-enabled where the operator switched the solver off; 502, 503 and 504 where a VROOM server failed, is down or did not answer in time.",
}

// OptimiseAnswer is a plan.
type OptimiseAnswer struct{ optimise.Answer }

// prepare refuses what cannot be planned here before it is priced.
func (p planner) prepare(_ context.Context, in *optimiseIn) (free bool, err error) {
	return false, p.Check(regionOf(in.Region), &in.Body, optimise.CallLimits())
}

func (p planner) optimise(ctx context.Context, in *optimiseIn) (*OptimiseAnswer, error) {
	a, err := p.Optimise(ctx, &in.Body, called(in.Region, in.Warnings))
	if err != nil {
		return nil, err
	}
	return &OptimiseAnswer{*a}, nil
}

// called returns a plan that somebody waits for.
func called(here *world.Region, warnings schema.Warnings) optimise.PlanRequest {
	return optimise.PlanRequest{Region: regionOf(here), Limits: optimise.CallLimits(), Warnings: warnings}
}
