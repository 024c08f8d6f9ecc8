package route

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/directions"
	"github.com/waygate/waygate/feature/rationale"
	"github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/osrm"
	"github.com/waygate/waygate/world"
)

func routeDoc() edge.Doc {
	return edge.Doc{
		Summary: "Find a route (native form)", Example: `{"locations":[{"lat":49.326622,"lon":-7.267471},{"lat":49.321496,"lon":-7.235719}],"costing":"auto"}`,
		Description: "Takes a native request and answers the engine's route object with the gateway's blocks at the top: adr, avoid, landmarks, rationale, scenic, warnings. " +
			"A member or costing option that is not known is reported in warnings; one of the wrong type or out of range is a 400 that names it. " +
			"A refusal by the engine is a 400 upstream-error with error_code (171 no road near a location, 442 no way between them) that names the location, the nearest road and what blocks.",
		Tags: []string{"routing"},
		Headers: map[string]string{
			computationsHeader: "with rationale: computations that were made, as metering.engine_computations of the block",
			reservedHeader:     "with rationale: units that were reserved for the most it could have taken",
		},
		Answers: []edge.Answer{
			{Description: "a route; with format osrm in the compatible form", Type: reflect.TypeFor[routeAnswer](), Open: true},
			{Type: reflect.TypeFor[OSRMRouteAnswer](), Open: true},
			refused(),
		},
	}
}

type routeIn struct {
	edge.Question[native.RouteRequest]
}

// Price is what a route costs: one that is to be explained the most that may
// take.
func (in *routeIn) Price() edge.Price {
	price := in.Question.Price()
	if !in.Body.Rationale {
		return price
	}
	if chosen, err := in.Body.Chosen(); err == nil {
		price.Times = rationale.Most(&engine.RouteRequest{Costing: in.Body.Costing, Options: chosen.Options})
	}
	return price
}

// request gives what is asked of a region's engine.
func (in *routeIn) request(can engine.Can) (*directions.Request, error) {
	b := &in.Body
	q, chosen, warnings, err := b.Route(can)
	if err != nil {
		return nil, err
	}
	req := &directions.Request{Route: *q, Rationale: b.Rationale, Scenic: b.Scenic.Wanted, Traffic: b.Traffic, Landmarks: b.Landmarks, Warnings: slices.Concat(in.Warnings, warnings)}
	if b.ADR != nil {
		req.Load = &directions.Load{TunnelCode: b.ADR.Code(), Hazmat: b.ADR.Hazmat, Options: chosen.Load}
	}
	if chosen.Avoided != nil {
		req.Avoid = &directions.Avoidance{Avoid: b.Avoid.List, Exclude: b.Exclude.List, CostingOptions: chosen.Avoided}
	}
	return req, nil
}

func (z zoning) answerRoute(w http.ResponseWriter, r *http.Request, in *routeIn) error {
	here := in.Region
	req, err := in.request(here.Engine.Can())
	if err != nil {
		return err
	}
	req.Warnings = append(req.Warnings, z.keepOut(here, &in.Body.Zoned, &req.Route.Conditions, in.Points())...)
	if len(here.Zones.All()) > 0 {
		req.Route.Want |= engine.WantLine | engine.WantPieces
	}
	answer, err := (&directions.Service{Engine: here.Engine, Bounds: here.Bounds, Coverage: here.Coverage, Known: here.KnownTraffic()}).Route(r.Context(), req)
	if err != nil {
		return err
	}
	var blocks []json.Block
	if answer.ADR != nil {
		blocks = append(blocks, json.Block{Name: "adr", Value: answer.ADR})
	}
	if answer.Avoid != nil {
		blocks = append(blocks, json.Block{Name: "avoid", Value: answer.Avoid})
	}
	if answer.Scenic != nil {
		blocks = append(blocks, json.Block{Name: "scenic", Value: answer.Scenic})
	}
	if answer.Coverage != nil {
		blocks = append(blocks, json.Block{Name: "restriction_coverage", Value: answer.Coverage})
	}
	if crossed := z.Along(here.Zones, vehicle(in.Body.Emissions), req.Route.When, answer.Routes); crossed != nil {
		blocks = append(blocks, json.Block{Name: "zones", Value: crossed})
		answer.Warnings = append(answer.Warnings, outdated(crossed.Warning())...)
	}
	blocks = append(blocks, native.Warned(answer.Warnings)...)
	if req.Landmarks {
		blocks = append(blocks, named(here, &req.Route, answer))
	}
	if req.Rationale {
		why, err := explain(w, r, here.Engine, req, answer)
		if err != nil {
			return err
		}
		if why.Context, err = around(r.Context(), here, answer.Routes[0].Line()); err != nil {
			return err
		}
		blocks = append(blocks, json.Block{Name: "rationale", Value: why})
	}
	body, err := native.WriteRoute(&req.Route, answer.RouteAnswer, blocks...)
	if err != nil {
		return err
	}
	if body, err = native.TellLegs(body, req.Route.Format, "traffic", answer.Traffic); err != nil {
		return err
	}
	return edge.Send(w, body)
}

// named gives the routes of an answer their landmarks, and the block that tells of
// them.
func named(here *world.Region, q *engine.RouteRequest, answer *directions.Answer) json.Block {
	return json.Block{Name: "landmarks", Value: here.Landmarks.Annotate(&q.Output, answer.RouteAnswer)}
}

// Headers of a route that was explained, with figures of its metering block.
const (
	computationsHeader = "X-Svc-Rationale-Computations"
	reservedHeader     = "X-Svc-Rationale-Reserved"
)

// explain makes the rationale of a route, and gives back what it reserved and did
// not use.
func explain(w http.ResponseWriter, r *http.Request, e engine.Engine, req *directions.Request, answer *directions.Answer) (*rationale.Rationale, error) {
	call := edge.CallOf(r.Context())
	price := rationale.Price{Units: call.Units(), Ceiling: call.PaysCeiling()}
	why, err := rationale.Explain(r.Context(), e, &req.Route, answer.Routes[0].Rounded(), price)
	if err != nil {
		return nil, err
	}
	call.Use(why.Metering.Engine)
	w.Header().Set(computationsHeader, strconv.Itoa(why.Metering.Engine))
	w.Header().Set(reservedHeader, strconv.Itoa(int(why.Metering.Most)))
	return why, nil
}

func osrmRouteDoc() edge.Doc {
	return edge.Doc{
		Summary: "Find a route (compatible form)",
		Description: "Coordinates are lon,lat pairs separated by semicolons. Every failure has the form {\"code\", \"message\"}: InvalidValue, InvalidUrl, " +
			"InvalidQuery, InvalidOptions, TooBig, NoSegment (400), NoRoute (442), Unauthorized (401), Forbidden (403), TooManyRequests (429), InternalError (500), " +
			"UpstreamError (502), UpstreamUnavailable (503), UpstreamTimeout (504). Lists take one entry for each coordinate.",
		Tags: []string{"routing"}, Params: osrm.RouteService.Parameters(),
		Answers: []edge.Answer{{Description: "routes", Type: reflect.TypeFor[OSRMRouteAnswer](), Open: true}}, Fails: []int{noRoute},
	}
}

func answerOSRMRoute(ctx context.Context, here *world.Region, req *osrm.Route) ([]byte, []engine.Warning, error) {
	q := &req.Route
	if len(q.Locations) > 2 && !here.Engine.Can().AlternatesVia {
		q.Alternates = 0
	}
	answer, err := (&directions.Service{Engine: here.Engine, Bounds: here.Bounds}).Route(ctx, &directions.Request{Route: *q, Landmarks: req.Landmarks})
	if err != nil {
		return nil, nil, err
	}
	var blocks []json.Block
	if req.Landmarks {
		blocks = append(blocks, named(here, q, answer))
	}
	body, err := osrm.WriteRoute(q, answer.RouteAnswer, blocks...)
	return body, answer.Warnings, err
}
