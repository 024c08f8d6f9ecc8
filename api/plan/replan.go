package plan

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/optimise"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native/plan"
	"github.com/waygate/waygate/wire/schema"
)

type replanIn struct {
	edge.Regional
	Warnings schema.Warnings
	Body     plan.ReplanRequest

	rest *optimise.Remaining
}

// Points choose the region.
func (in *replanIn) Points() []geo.Point { return in.Body.Whole() }

// Price returns that of what remains.
func (in *replanIn) Price() edge.Price {
	return edge.Price{Features: in.rest.Request().Features()}
}

var replanDoc = edge.Doc{
	Summary: "Plan the rest of a day", Tags: []string{"planning"}, Fails: []int{422, 502, 503, 504},
	Example: `{"vehicles":[{"id":"van-1","start":{"lat":49.326622,"lon":-7.267471},"steps":[{"type":"job","id":"a"},{"type":"job","id":"b"}]},{"id":"van-2","start":{"lat":49.326622,"lon":-7.267471}}],"jobs":[{"id":"a","location":{"lat":49.324115,"lon":-7.251523}},{"id":"b","location":{"lat":49.321496,"lon":-7.235719}}],"progress":[{"vehicle":"van-1","completed_stop_ids":["a"],"current_position":{"lat":49.324115,"lon":-7.251523}}],"changes":{"add_jobs":[{"id":"c","location":{"lat":49.3221,"lon":-7.2361}}]}}`,
	Description: "The body of POST /optimise with progress and changes. Nothing is kept between calls. What is done is taken out and never moves; each vehicle that reports goes on from its current_position, or from its last completed stop; a load that is picked up and not delivered stays on its vehicle; the rest is planned as POST /optimise does. " +
		"With the steps of the plan that is being driven the new plan keeps to it, unless to depart pays for stability: 900 for another vehicle and 60 for another predecessor where nothing else is said. " +
		"What cannot be followed is left out with a note: an unknown id among what is done or cancelled, a cancelled stop that is done or a load that is on board. " +
		"A 400: no progress and no change; an unknown vehicle in progress, or one with two entries; two vehicles claiming one stop; an added id that is in the problem; reloads; and all that POST /optimise refuses. " +
		"When all is done the answer has no routes, and costs nothing. Billed as what remains.",
}

// ReplanAnswer is a plan of what remains.
type ReplanAnswer struct{ optimise.ReplanAnswer }

// prepareReplan takes what is done out of the problem before it is priced.
func (p planner) prepareReplan(_ context.Context, in *replanIn) (free bool, err error) {
	if in.rest, err = p.RemainingOf(&in.Body); err != nil || in.rest.Done() {
		return false, err
	}
	return false, p.Check(regionOf(in.Region), in.rest.Request(), optimise.CallLimits())
}

func (p planner) replan(ctx context.Context, in *replanIn) (*ReplanAnswer, error) {
	if in.rest.Done() {
		edge.CallOf(ctx).Use(0)
	}
	a, err := p.PlanRemaining(ctx, in.rest, called(in.Region, in.Warnings))
	if err != nil {
		return nil, err
	}
	return &ReplanAnswer{*a}, nil
}
