package along

import (
	"context"
	"net/http"
	"slices"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/places"
	"github.com/waygate/waygate/feature/timezone"
	"github.com/waygate/waygate/hours/holiday"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/native/ahead"
)

var doc = edge.Doc{
	Summary: "Rank places along a route by their detour", Example: `{"locations":[{"lat":49.326622,"lon":-7.267471},{"lat":49.321496,"lon":-7.235719}],"costing":"auto","places":[{"id":"bridge","lat":49.324115,"lon":-7.251523}]}`,
	Description: "The route is given by locations, or as a line (shape or encoded_polyline). The detour to each place is measured on the network with a matrix: " +
		"the way by the place less the way without it, at the leg where that is least. In place of places, dataset takes those that the key has uploaded: " +
		"of those within corridor_m of the route the 500 nearest to it are measured, and excluded counts the others; 404 where there are none. kind takes the places of the region of a kind, in the words of any of the languages of narration (petrol station, Ladesäule, boulangerie): those within corridor_m, the 100 nearest to the route; they are looked for around 128 points of it at most. Other words are a 400 that names the nearest known ones, and 501 is the answer without an index of places. With a date_time detours are measured as if each leg began, or ended, then. 501 where the routing engine has no matrix.",
	Tags: []string{"analysis"}, Fails: []int{http.StatusNotFound},
}

// alongAnswer is the places in the order of their detours.
type alongAnswer struct {
	along.Answer
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

// service ranks places along a route.
type service struct{ places *places.Service }

func (s service) answer(ctx context.Context, in *edge.Question[ahead.AlongRequest]) (*alongAnswer, error) {
	b := &in.Body
	conditions, warnings, err := b.Heeded()
	if err != nil {
		return nil, err
	}
	req := &along.Request{Costing: b.Costing, Options: b.Settings(), Conditions: conditions, MaxDetour: b.MaxDetourS, Limit: b.Limit}
	req.Stops, req.Line = b.Way()
	for _, p := range b.Places {
		req.Places = append(req.Places, along.Place{ID: p.ID, Name: p.Name, Point: p.Point(), Properties: p.Properties})
	}
	if b.Dataset != "" {
		if err := s.own(ctx, b, req); err != nil {
			return nil, err
		}
	}
	if b.Kind != "" {
		var err error
		if req.Kind, err = kindOf(in); err != nil {
			return nil, err
		}
		req.Corridor = b.Corridor()
	}
	ranking := &along.Service{Engine: in.Region.Engine}
	if err := scheduled.Estimated(ctx, func() engine.Estimate { return ranking.Estimate(req) }); err != nil {
		return nil, err
	}
	answer, err := ranking.Rank(ctx, req)
	if err != nil {
		return nil, err
	}
	return &alongAnswer{*answer, native.AnswerWarnings(slices.Concat(in.Warnings, warnings)...)}, nil
}

var errNoKinds = fault.NotEnabled("geocoding", "places of a kind are not enabled here: the region has no index of places; import it again, or send places")

// kindOf returns the places of a kind of the region.
func kindOf(in *edge.Question[ahead.AlongRequest]) (*along.Kind, error) {
	index := in.Region.Places
	categories, wrong := geocode.Kind(in.Body.Kind, index, "kind")
	switch {
	case index == nil:
		return nil, errNoKinds
	case wrong != nil:
		return nil, fault.Invalid(*wrong)
	}
	kind := &along.Kind{Index: index, Categories: categories}
	if in.Body.OpenNow {
		kind.Opens = (&geocode.Service{Zone: timezone.Location, Holidays: holiday.In}).Opens()
	}
	return kind, nil
}

// own adds the places that the key has uploaded.
func (s service) own(ctx context.Context, b *ahead.AlongRequest, req *along.Request) error {
	key := edge.CallOf(ctx).Key()
	if key == nil {
		return fault.New(fault.Unauthorized, "dataset own needs an API key, whose places they are; send it as Authorization: Bearer KEY or as the query parameter api_key")
	}
	all, err := s.places.Of(ctx, key.ID, b.Categories...)
	if err != nil {
		return err
	}
	req.Corridor = b.Corridor()
	for _, p := range all {
		req.Places = append(req.Places, along.Place{ID: p.ID, Name: p.Name, Point: p.Point(), Properties: p.Properties})
	}
	return nil
}
