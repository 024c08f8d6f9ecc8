package plan

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/errands"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/timezone"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/hours/holiday"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/native/plan"
	"github.com/waygate/waygate/wire/schema"
)

// errandPlanner plans errands.
type errandPlanner struct{ now func() time.Time }

type errandsIn struct {
	edge.Regional
	Warnings schema.Warnings
	Body     plan.ErrandsRequest
}

// Points choose the region.
func (in *errandsIn) Points() []geo.Point { return in.Body.Points() }

// ErrandsAnswer is a plan of errands.
type ErrandsAnswer struct {
	errands.Answer
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

var errandsDoc = edge.Doc{
	Summary: "Plan errands on the way to an appointment", Tags: []string{"analysis"},
	Example: `{"origin":{"lat":49.326622,"lon":-7.267471},"destination":{"lat":49.321496,"lon":-7.235719,"name":"Clinic"},"depart_at":"2099-06-01T09:00:00+01:00","arrive_by":"2099-06-01T10:00:00+01:00","errands":[{"category":"petrol station"},{"id":"parcel","place":{"lat":49.324115,"lon":-7.251523,"name":"Bridge"},"dwell_minutes":10}]}`,
	Description: "Each errand is run at a place of the request or at the best of up to 6 places of a category (24 in total) around the direct route. One matrix measures all drives, every order and choice is tried, and the plan that arrives first comes with the line of each leg: two routes at the most, and one matrix. " +
		"Tags of opening hours are judged by the clocks of the place from the arrival through the stay: what they prove shut is never planned, and what cannot be judged is planned and flagged. " +
		"A plan that is not feasible is a 200 that says why, with the plan of as many errands as can be run. The drives are free of traffic. " +
		"501 for a category on a deployment without places (geocoding-not-enabled), and where the routing engine has no matrix.",
}

var errNoPlaces = fault.NotEnabled("geocoding", "an errand by category is not enabled here: the deployment has no index of places; give each errand a place")

func (p errandPlanner) plan(ctx context.Context, in *errandsIn) (*ErrandsAnswer, error) {
	b := &in.Body
	now := p.now()
	if !b.ArriveBy.After(now) {
		return nil, fault.Invalid(fault.Violation{Location: "arrive_by", Value: b.ArriveBy.Format(time.RFC3339), Message: "is in the past: must be a time to come"})
	}
	r := &errands.Request{
		Origin: b.Origin.Point(), Destination: b.Destination.Point(), DestinationName: b.Destination.Name,
		ArriveBy: b.ArriveBy, DepartAt: now.Truncate(time.Second), MaxDetour: minutes(b.MaxDetourMinutes), Options: b.Settings(),
	}
	if b.DepartAt != nil {
		r.DepartAt = *b.DepartAt
	}
	service := &errands.Service{Engine: in.Region.Engine, Zone: timezone.Location, Holidays: holiday.In}
	if places := in.Region.Places; places != nil {
		service.Places = places
	}
	var bad []fault.Violation
	for i := range b.Errands {
		e := errands.Errand{ID: b.Errands[i].ID, Dwell: minutes(b.Errands[i].DwellMinutes)}
		if at := b.Errands[i].Place; at != nil {
			e.Place = &errands.Supplied{Point: at.Point(), Name: at.Name}
		} else {
			var wrong *fault.Violation
			if e.Categories, wrong = geocode.Kind(b.Errands[i].Category, in.Region.Places, fmt.Sprintf("errands[%d].category", i)); wrong != nil {
				bad = append(bad, *wrong)
			}
		}
		r.Errands = append(r.Errands, e)
	}
	if r.NeedsPlaces() && service.Places == nil {
		return nil, errNoPlaces
	}
	if err := fault.Invalid(bad...); err != nil {
		return nil, err
	}
	if err := scheduled.Estimated(ctx, func() engine.Estimate { return service.Estimate(r) }); err != nil {
		return nil, err
	}
	a, err := service.Plan(ctx, r)
	if err != nil {
		return nil, err
	}
	return &ErrandsAnswer{*a, native.AnswerWarnings(slices.Concat(in.Warnings, a.Engine)...)}, nil
}

func minutes(n float64) time.Duration {
	return time.Duration(n * float64(time.Minute)).Truncate(time.Second)
}
