package api

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/directions"
	"github.com/waygate/waygate/feature/rationale"
	"github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/osrm"
	"github.com/waygate/waygate/world"
)

func (a *API) directions(ctx context.Context) (*directions.Service, error) {
	w, err := worldOf(ctx)
	if err != nil {
		return nil, err
	}
	return reader(w), nil
}

// reader checks native requests for the engines of a World.
func reader(w *world.World) *directions.Service {
	return &directions.Service{Engine: w.Engine(), Bounds: w.Bounds()}
}

// placed has the region of a request's locations answer.
func placed(ctx context.Context, s *directions.Service, r *engine.RouteRequest) (*world.Region, error) {
	w, err := worldOf(ctx)
	if err != nil {
		return nil, err
	}
	here, err := w.At(r.Points()...)
	if err != nil {
		return nil, err
	}
	s.Engine, s.Bounds = here.Engine, here.Bounds
	return here, nil
}

func routeDoc(b *binding) huma.Operation {
	return huma.Operation{
		Summary: "Find a route (native form)",
		Description: "Takes a native request and answers the engine's route object with the gateway's blocks at the top: adr, avoid, landmarks, rationale, warnings. " +
			"A member or costing option that is not known is reported in warnings; one of the wrong type or out of range is a 400 that names it. " +
			"A refusal by the engine is a 400 upstream-error with error_code (171 no road near a location, 442 no way between them) that names the location, the nearest road and what blocks.",
		Tags:        []string{"routing"},
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": {Schema: openObject(schema[RouteRequest](b), b)}}},
		Responses: map[string]*huma.Response{"200": {
			Description: "a route; with format osrm in the compatible form",
			Content: map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{AnyOf: []*huma.Schema{
				openAll(schema[RouteAnswer](b), b), openAll(schema[CompatibleAnswer](b), b),
			}}}},
		}, "400": {
			Description: "there is no such route, or the request is not valid",
			Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: openAll(schema[RouteProblem](b), b)}},
		}},
	}
}

func (a *API) route(w http.ResponseWriter, r *http.Request) error {
	service, err := a.directions(r.Context())
	if err != nil {
		return err
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return unread(err)
	}
	req, err := service.Native(body)
	if err != nil {
		return err
	}
	here, err := placed(r.Context(), service, &req.Route)
	if err != nil {
		return err
	}
	if err := a.reserveRoute(r.Context(), req); err != nil {
		return err
	}
	answer, err := service.Route(r.Context(), req)
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
	blocks = append(blocks, told(answer.Warnings)...)
	if req.Landmarks {
		blocks = append(blocks, named(here, req, answer))
	}
	if req.Rationale {
		why, err := a.explain(w, r, service.Engine, req, answer)
		if err != nil {
			return err
		}
		blocks = append(blocks, json.Block{Name: "rationale", Value: why})
	}
	return write(w)(native.WriteRoute(&req.Route, answer.RouteAnswer, blocks...))
}

// told is the block of warnings; nothing without any.
func told(list []engine.Warning) []json.Block {
	if len(list) == 0 {
		return nil
	}
	return []json.Block{{Name: "warnings", Value: list, Join: true}}
}

// write sends what a writer has made.
func write(w http.ResponseWriter) func(body []byte, err error) error {
	return func(body []byte, err error) error {
		if err != nil {
			return err
		}
		return send(w, body)
	}
}

// reserveRoute takes what a route costs, once it is known: for one that is to
// be explained the most that may take.
func (a *API) reserveRoute(ctx context.Context, req *directions.Request) error {
	computations := 1
	if req.Rationale {
		computations = rationale.Most(&req.Route)
	}
	return visitOf(ctx).reserveTimes(ctx, computations, classOf(req), req.Features()...)
}

// named gives the routes of an answer their landmarks, and the block that tells of
// them.
func named(here *world.Region, req *directions.Request, answer *directions.Answer) json.Block {
	return json.Block{Name: "landmarks", Value: here.Landmarks.Annotate(&req.Route.Output, answer.RouteAnswer)}
}

func classOf(req *directions.Request) meter.Class {
	if req.Premium() {
		return meter.Premium
	}
	return meter.Standard
}

// Headers of a route that was explained, with figures of its metering block.
const (
	computationsHeader = "X-Svc-Rationale-Computations"
	reservedHeader     = "X-Svc-Rationale-Reserved"
)

// explain makes the rationale of a route, and gives back what it reserved and did
// not use.
func (a *API) explain(w http.ResponseWriter, r *http.Request, e engine.Engine, req *directions.Request, answer *directions.Answer) (*rationale.Rationale, error) {
	v := visitOf(r.Context())
	price := rationale.Price{Units: v.units(classOf(req)), Ceiling: v.lane == lanePayment}
	why, err := rationale.Explain(r.Context(), e, &req.Route, &answer.Routes[0], price)
	if err != nil {
		return nil, err
	}
	v.used(why.Metering.Engine)
	w.Header().Set(computationsHeader, itoa(why.Metering.Engine))
	w.Header().Set(reservedHeader, itoa(int(why.Metering.Most)))
	return why, nil
}

// unread says why a body could not be read.
func unread(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return err
	}
	return fault.Wrap(err, fault.BadRequest, "the body could not be read to its end")
}

// send passes on an answer that is JSON already.
func send(w http.ResponseWriter, body []byte) error {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", itoa(len(body)))
	_, err := w.Write(body)
	return err
}

func compatibleDoc(b *binding) huma.Operation {
	return huma.Operation{
		Summary: "Find a route (compatible form)",
		Description: "Coordinates are lon,lat pairs separated by semicolons. Every failure has the form {\"code\", \"message\"}: InvalidValue, InvalidUrl, " +
			"InvalidQuery, InvalidOptions, TooBig, NoSegment (400), NoRoute (442), Unauthorized (401), Forbidden (403), TooManyRequests (429), InternalError (500), " +
			"UpstreamError (502), UpstreamUnavailable (503), UpstreamTimeout (504). Lists take one entry for each coordinate.",
		Tags:       []string{"routing"},
		Parameters: compatibleParameters(),
		Responses: map[string]*huma.Response{
			"200":     {Description: "routes", Content: map[string]*huma.MediaType{"application/json": {Schema: openAll(schema[CompatibleAnswer](b), b)}}},
			"default": {Description: "a failure", Content: map[string]*huma.MediaType{"application/json": {Schema: schema[CompatibleError](b)}}},
		},
	}
}

func (a *API) compatibleRoute(w http.ResponseWriter, r *http.Request) error {
	service, err := a.directions(r.Context())
	if err != nil {
		return err
	}
	req, err := service.Compatible(r.PathValue("profile"), r.PathValue("coordinates"), r.URL.RawQuery)
	if err != nil {
		return err
	}
	here, err := placed(r.Context(), service, &req.Route)
	if err != nil {
		return err
	}
	if err := a.reserveRoute(r.Context(), req); err != nil {
		return err
	}
	answer, err := service.Route(r.Context(), req)
	if err != nil {
		return err
	}
	var blocks []json.Block
	if req.Landmarks {
		blocks = append(blocks, named(here, req, answer))
	}
	return write(w)(osrm.WriteRoute(&req.Route, answer.RouteAnswer, blocks...))
}
