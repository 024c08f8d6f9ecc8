package route

import (
	"context"
	"log/slog"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/clearance"
	"github.com/waygate/waygate/feature/directions"
	"github.com/waygate/waygate/feature/evidence"
	"github.com/waygate/waygate/feature/opinion"
	"github.com/waygate/waygate/feature/pointclouds"
	"github.com/waygate/waygate/feature/rationale"
	"github.com/waygate/waygate/feature/scenic"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/osrm"
	"github.com/waygate/waygate/wire/schema"
	"github.com/waygate/waygate/wire/valhalla"
	"github.com/waygate/waygate/world"
)

func routeDoc() edge.Doc {
	return edge.Doc{
		Summary: "Find a route (native form)", Example: `{"locations":[{"lat":49.326622,"lon":-7.267471},{"lat":49.321496,"lon":-7.235719}],"costing":"auto"}`,
		Description: "Takes a native request and answers the engine's route object with the gateway's blocks at the top: adr, avoid, clearance, landmarks, rationale, scenic, warnings. " +
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

// Price returns the price of a route: one that is to be explained or compared with a scenic one the
// most that may take.
func (in *routeIn) Price() edge.Price {
	price := in.Question.Price()
	price.Times = 1
	if in.Body.Rationale {
		if chosen, err := in.Body.Chosen(); err == nil {
			price.Times = rationale.Most(&engine.RouteRequest{Costing: in.Body.Costing, Options: chosen.Options})
		}
	}
	if in.Body.Compare && in.Region.Other(in.Body.Costing, nil) != nil {
		price.Times++
	}
	if in.Body.Scenic.Wanted && in.Region.Surroundings != nil {
		price.Times += scenic.Most(len(in.Body.Locations), in.Body.Alternates)
	}
	return price
}

// request returns the request to the feature, for an engine with some capabilities.
func (in *routeIn) request(can engine.Can) (*directions.Request, error) {
	b := &in.Body
	q, chosen, warnings, err := b.Route(can)
	if err != nil {
		return nil, err
	}
	req := &directions.Request{Route: *q, Traffic: b.Traffic, Landmarks: b.Landmarks, Clearance: b.Clearance, Emissions: vehicle(b.Emissions), Warnings: slices.Concat(in.Warnings, warnings)}
	if b.Scenic.Wanted {
		req.Scenic = &b.Scenic.MaxExtraMinutes
	}
	if b.ADR != nil {
		req.Load = &directions.Load{TunnelCode: b.ADR.Code(), Hazmat: b.ADR.Hazmat, Options: chosen.Load}
	}
	if chosen.Avoided != nil {
		req.Avoid = &directions.Avoidance{Avoid: b.Avoid.List, Exclude: b.Exclude.List, CostingOptions: chosen.Avoided}
	}
	return req, nil
}

// router answers requests for a route.
type router struct {
	zoneService
	signer    *evidence.Signer // nil signs nothing
	log       *slog.Logger
	clearance *clearance.Service
}

// viewer returns the caller, for grants of datasets.
func viewer(call *edge.Call) (who pointclouds.Viewer) {
	if key := call.Key(); key != nil {
		who = pointclouds.Viewer{Key: key.ID, Identity: key.IdentityID}
	}
	return who
}

func (z router) answer(w http.ResponseWriter, r *http.Request, in *routeIn) error {
	here := in.Region
	if in.Body.Sign && z.signer == nil {
		return fault.NotEnabled("sign", "sign is not enabled on this deployment: it has no key for answers").With("field", "sign")
	}
	call := edge.CallOf(r.Context())
	if in.Body.Compare {
		switch {
		case call.Key() == nil:
			return fault.New(fault.Forbidden, "compare needs an API key of scope full").With("field", "compare")
		case here.Other(in.Body.Costing, nil) == nil:
			return fault.NotEnabled("compare", "compare is not enabled on this deployment: it has no second routing engine for these places").With("field", "compare")
		}
	}
	req, err := in.request(here.Engine.Can())
	if err != nil {
		return err
	}
	if in.Body.Compare {
		req.Route.Want |= engine.WantLine
	}
	req.Warnings = append(req.Warnings, z.keepOut(here, &in.Body.Zoned, &req.Route.Conditions, in.Points())...)
	if in.Body.Rationale {
		req.Rationale = &rationale.Price{Units: call.Units(), Ceiling: call.PaysCeiling()}
	}
	noting, note := engine.WithNote(r.Context())
	answer, err := (&directions.Service{
		Engine: here.Engine, Bounds: here.Bounds, Coverage: here.Coverage, Known: here.KnownTraffic(), Landmarks: here.Landmarks, Ground: here.Surroundings, Zones: &z.Service, Zoned: here.Zones,
		Surveys: func(ctx context.Context, q *clearance.Request) (*clearance.Report, error) {
			return z.clearance.Along(ctx, viewer(call), q)
		},
		Around: func(ctx context.Context, line []geo.Point) (*rationale.Context, error) {
			return around(ctx, here, line)
		},
	}).Route(noting, req)
	if err != nil {
		return err
	}
	by := note.Engine(here.Engine)
	for _, err := range answer.Damaged {
		z.log.Error("a tile of the map cannot be read", "error", err)
	}
	computations := 1
	if why := answer.Rationale; why != nil {
		computations += why.Metering.Probe
		w.Header().Set(computationsHeader, strconv.Itoa(why.Metering.Engine))
		w.Header().Set(reservedHeader, strconv.Itoa(int(why.Metering.Most)))
	}
	if scene := answer.Scenic; scene != nil && scene.Available {
		computations += scene.Metering.Probes
	}
	var second *opinion.Comparison
	if in.Body.Compare {
		if second, err = opinion.Compare(r.Context(), by, here.Other(req.Route.Costing, by), &req.Route, &answer.Routes[0]); err != nil {
			return err
		}
		if second.Answered {
			computations++
		}
	}
	if in.Body.Rationale || in.Body.Scenic.Wanted || in.Body.Compare { // what was reserved and not used is given back
		call.Use(computations)
	}
	if scene := answer.Scenery; scene != nil {
		one, err := valhalla.WriteOne(&req.Route, scene.Answer, scene.Index)
		if err != nil {
			return err
		}
		if answer.Scenic.Alternative, err = valhalla.AddToLegs(one, req.Route.Format, "traffic", answer.SceneryTraffic); err != nil {
			return err
		}
	}
	body, err := valhalla.WriteRoute(&req.Route, answer.RouteAnswer, answer.Blocks()...)
	if err != nil {
		return err
	}
	if body, err = valhalla.AddToLegs(body, req.Route.Format, "traffic", answer.Traffic); err != nil {
		return err
	}
	if second != nil {
		if body, err = json.Blend(body, []json.Block{{Name: "comparison", Value: second}}, nil); err != nil {
			return err
		}
	}
	if in.Body.Receipt {
		if body, err = addReceipt(body, in.Sent, req.Route.Options, by.Can(), answer.Audit); err != nil {
			return err
		}
	}
	if in.Body.Sign {
		if body, err = z.sign(r.Context(), body, in.Sent, here, by); err != nil {
			return err
		}
	}
	return edge.Send(w, body)
}

// sign signs an answer of an engine.
func (z router) sign(ctx context.Context, body, sent []byte, here *world.Region, by engine.Engine) ([]byte, error) {
	about := evidence.Signed{Call: "POST /route", Request: string(sent), Region: here.Hash(), Engine: by.Can().Name, Version: "unknown"}
	if status, err := by.Status(ctx); err == nil && status.Version != "" {
		about.Version = status.Version
	}
	return z.signer.Sign(body, about)
}

// Replay answers the body of a POST /route again, as far as the answer rests on the region
// alone: without traffic, a rationale and a scenic route.
func Replay(ctx context.Context, here *world.Region, body []byte) ([]byte, error) {
	in := &routeIn{}
	warnings, err := schema.Of[native.RouteRequest]().Read(ctx, body, &in.Body, schema.Options{Bounds: here.Bounds})
	if err != nil {
		return nil, err
	}
	in.Warnings, in.Body.Scenic.Wanted, in.Body.Traffic = warnings, false, false
	req, err := in.request(here.Engine.Can())
	if err != nil {
		return nil, err
	}
	a, err := (&directions.Service{Engine: here.Engine, Bounds: here.Bounds, Coverage: here.Coverage, Landmarks: here.Landmarks, Ground: here.Surroundings}).Route(ctx, req)
	if err != nil {
		return nil, err
	}
	return valhalla.WriteRoute(&req.Route, a.RouteAnswer, a.Blocks()...)
}

// NotReplayed returns the members of an answer that Replay does not give.
func NotReplayed() []string { return []string{"zones", "rationale", "scenic", "receipt", "warnings"} }

// Headers of a route that was explained, with figures of its metering block.
const (
	computationsHeader = "X-Svc-Rationale-Computations"
	reservedHeader     = "X-Svc-Rationale-Reserved"
)

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
	answer, err := (&directions.Service{Engine: here.Engine, Bounds: here.Bounds, Landmarks: here.Landmarks}).Route(ctx, &directions.Request{Route: *q, Landmarks: req.Landmarks})
	if err != nil {
		return nil, nil, err
	}
	warnings := answer.Warnings
	answer.Warnings = nil // which its form has elsewhere
	body, err := osrm.WriteRoute(q, answer.RouteAnswer, answer.Blocks()...)
	return body, warnings, err
}
