package route

import (
	"context"
	"net/http"
	"reflect"
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

func service(ctx context.Context) (*directions.Service, error) {
	w, err := edge.WorldOf(ctx)
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
	w, err := edge.WorldOf(ctx)
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

func routeDoc() edge.Doc {
	return edge.Doc{
		Summary: "Find a route (native form)",
		Description: "Takes a native request and answers the engine's route object with the gateway's blocks at the top: adr, avoid, landmarks, rationale, warnings. " +
			"A member or costing option that is not known is reported in warnings; one of the wrong type or out of range is a 400 that names it. " +
			"A refusal by the engine is a 400 upstream-error with error_code (171 no road near a location, 442 no way between them) that names the location, the nearest road and what blocks.",
		Tags: []string{"routing"},
		Body: reflect.TypeFor[RouteRequest](),
		Answers: []edge.Answer{
			{Description: "a route; with format osrm in the compatible form", Type: reflect.TypeFor[RouteAnswer](), Open: true},
			{Type: reflect.TypeFor[CompatibleAnswer](), Open: true},
			{Status: http.StatusBadRequest, Description: "there is no such route, or the request is not valid", Media: edge.ProblemMedia, Type: reflect.TypeFor[RouteProblem](), Open: true},
		},
	}
}

func answerRoute(w http.ResponseWriter, r *http.Request) error {
	service, err := service(r.Context())
	if err != nil {
		return err
	}
	body, err := edge.Body(r)
	if err != nil {
		return err
	}
	req, err := service.Native(body)
	if err != nil {
		return err
	}
	here, err := placed(r.Context(), service, &req.Route)
	if err != nil {
		return err
	}
	if err := reserveRoute(r.Context(), req); err != nil {
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
		why, err := explain(w, r, service.Engine, req, answer)
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
		return edge.Send(w, body)
	}
}

// reserveRoute takes what a route costs, once it is known: for one that is to
// be explained the most that may take.
func reserveRoute(ctx context.Context, req *directions.Request) error {
	price := edge.Price{Features: req.Features()}
	if req.Rationale {
		price.Times = rationale.Most(&req.Route)
	}
	return edge.CallOf(ctx).Reserve(ctx, price)
}

// named gives the routes of an answer their landmarks, and the block that tells of
// them.
func named(here *world.Region, req *directions.Request, answer *directions.Answer) json.Block {
	return json.Block{Name: "landmarks", Value: here.Landmarks.Annotate(&req.Route.Output, answer.RouteAnswer)}
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

func compatibleDoc() edge.Doc {
	return edge.Doc{
		Summary: "Find a route (compatible form)",
		Description: "Coordinates are lon,lat pairs separated by semicolons. Every failure has the form {\"code\", \"message\"}: InvalidValue, InvalidUrl, " +
			"InvalidQuery, InvalidOptions, TooBig, NoSegment (400), NoRoute (442), Unauthorized (401), Forbidden (403), TooManyRequests (429), InternalError (500), " +
			"UpstreamError (502), UpstreamUnavailable (503), UpstreamTimeout (504). Lists take one entry for each coordinate.",
		Tags: []string{"routing"}, Params: compatibleParameters(),
		Answers: []edge.Answer{{Description: "routes", Type: reflect.TypeFor[CompatibleAnswer](), Open: true}},
	}
}

func answerOSRMRoute(w http.ResponseWriter, r *http.Request) error {
	service, err := service(r.Context())
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
	if err := reserveRoute(r.Context(), req); err != nil {
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
