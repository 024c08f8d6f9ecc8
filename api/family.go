package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/osrm"
	"github.com/waygate/waygate/geo"
	wire "github.com/waygate/waygate/wire/osrm"
	"github.com/waygate/waygate/world"
)

// CompatibleTable is an answer of the table service.
type CompatibleTable struct {
	Code         string               `json:"code" enum:"Ok"`
	Durations    [][]*float64         `json:"durations,omitempty" doc:"seconds, a row for each source; null where there is no way"`
	Distances    [][]*float64         `json:"distances,omitempty" doc:"metres of the same ways"`
	Fallback     [][]int              `json:"fallback_speed_cells,omitempty" doc:"[row, column] of the cells that fallback_speed filled"`
	Sources      []CompatibleWaypoint `json:"sources,omitempty"`
	Destinations []CompatibleWaypoint `json:"destinations,omitempty"`
}

// CompatibleNearest is an answer of the nearest service.
type CompatibleNearest struct {
	Code      string               `json:"code" enum:"Ok"`
	Waypoints []CompatibleNearRoad `json:"waypoints,omitempty" doc:"the nearest first"`
}

// CompatibleNearRoad is a road near a coordinate.
type CompatibleNearRoad struct {
	Name     string    `json:"name" doc:"always empty"`
	Location []float64 `json:"location" minItems:"2" maxItems:"2" doc:"lon, lat on the road"`
	Distance float64   `json:"distance" doc:"metres"`
	Nodes    []int64   `json:"nodes" minItems:"2" maxItems:"2" doc:"OpenStreetMap nodes beside the place, in the direction of the way, or of travel where there is but one; 0 where not known"`
}

// CompatibleMatch is an answer of the match service.
type CompatibleMatch struct {
	Code        string            `json:"code" enum:"Ok"`
	Matchings   []CompatibleRoute `json:"matchings" minItems:"1" doc:"a route for each stretch without a gap, with confidence from 0 to 1"`
	Tracepoints []tracepoint      `json:"tracepoints,omitempty" doc:"one for each coordinate; null where it was not matched"`
}

// tracepoint describes where a position of a trace was matched, or null.
type tracepoint struct{}

// Schema describes it.
func (tracepoint) Schema(huma.Registry) *huma.Schema {
	whole, lowest := huma.TypeInteger, 0.0
	two := 2
	return &huma.Schema{
		Type: huma.TypeObject, Nullable: true, AdditionalProperties: true, Required: []string{"matchings_index", "alternatives_count", "name", "location", "distance"},
		Properties: map[string]*huma.Schema{
			"matchings_index":    {Type: whole, Minimum: &lowest},
			"waypoint_index":     {Type: whole, Minimum: &lowest, Nullable: true, Description: "among those of its matching; null where no leg begins or ends at it"},
			"alternatives_count": {Type: whole, Minimum: &lowest},
			"name":               {Type: huma.TypeString, Description: "always empty"},
			"location":           {Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeNumber}, MinItems: &two, MaxItems: &two, Description: "lon, lat on the road"},
			"distance":           {Type: huma.TypeNumber, Description: "metres from the position"},
		},
	}
}

// CompatibleTrip is an answer of the trip service.
type CompatibleTrip struct {
	Code      string            `json:"code" enum:"Ok"`
	Trips     []CompatibleRoute `json:"trips" minItems:"1" maxItems:"1"`
	Waypoints []any             `json:"waypoints,omitempty" doc:"in the order of the request: name, location, distance, trips_index and waypoint_index, the place in the trip"`
}

func familyDoc[T any](b *binding, summary, description, coordinates string, parameters []string) huma.Operation {
	return huma.Operation{
		Summary: summary,
		Description: description + " Beyond the contract, for clients of OSRM's family. Every failure has the form {\"code\", \"message\"}, " +
			"as of GET /route/v1/{profile}/{coordinates}.",
		Tags:       []string{"compatible"},
		Parameters: familyParameters(coordinates, parameters),
		Responses: map[string]*huma.Response{
			"200":     {Description: "Ok", Content: map[string]*huma.MediaType{"application/json": {Schema: openAll(schema[T](b), b)}}},
			"default": {Description: "a failure", Content: map[string]*huma.MediaType{"application/json": {Schema: schema[CompatibleError](b)}}},
		},
	}
}

func tableDoc(b *binding) huma.Operation {
	return familyDoc[CompatibleTable](b, "Table of times and distances (compatible form)",
		"The cheapest way from every source to every destination. A pair without a way is null, unless fallback_speed estimates it in a straight line.",
		"lon,lat;lon,lat… (2 to 1,000)", osrm.TableParameters())
}

func nearestDoc(b *binding) huma.Operation {
	return familyDoc[CompatibleNearest](b, "Roads near a coordinate (compatible form)", "The usable roads nearest to a coordinate.", "lon,lat", osrm.NearestParameters())
}

func matchDoc(b *binding) huma.Operation {
	return familyDoc[CompatibleMatch](b, "Match a trace to the roads (compatible form)",
		"The way that a trace of positions was taken along the roads, with a leg between each two of its positions, or of those that waypoints names.",
		"lon,lat;lon,lat… in order (2 to 1,000)", osrm.MatchParameters())
}

func tripDoc(b *binding) huma.Operation {
	return familyDoc[CompatibleTrip](b, "Order of a round of visits (compatible form)",
		"The route through all coordinates in the order that takes the least time: for certain up to about ten of them, close to it above.",
		"lon,lat;lon,lat… (2 to 50)", osrm.TripParameters())
}

// travelling is a request of someone who travels in some way between places.
type travelling interface {
	Costing() costing.Costing
	Points() []geo.Point
}

// sibling is a service beside the route: it checks a request and answers it.
type sibling[R travelling, A any] interface {
	Read(profile, coordinates, query string) (R, error)
	Answer(ctx context.Context, req R) (A, error)
}

// kin is a request to a sibling on its way: settle has the region that it is
// for answer it, and text writes the answer.
type kin[R travelling, A any] struct {
	service sibling[R, A]
	settle  func(*world.Region)
	text    func(R, A) ([]byte, error)
}

// answer serves a request of a sibling's, at the price of its costing.
func answer[R travelling, A any](a *API, w http.ResponseWriter, r *http.Request, c kin[R, A]) error {
	req, err := c.service.Read(r.PathValue("profile"), r.PathValue("coordinates"), r.URL.RawQuery)
	if err != nil {
		return err
	}
	current, err := worldOf(r.Context())
	if err != nil {
		return err
	}
	here, err := current.At(req.Points()...)
	if err != nil {
		return err
	}
	c.settle(here)
	if req.Costing() == costing.Truck {
		err = a.reserve(r.Context(), meter.Premium, "truck")
	} else {
		err = a.reserve(r.Context(), meter.Standard)
	}
	if err != nil {
		return err
	}
	found, err := c.service.Answer(r.Context(), req)
	if err != nil {
		return err
	}
	return write(w)(c.text(req, found))
}

// asWritten is an answer that is text already.
func asWritten[R any](_ R, body []byte) ([]byte, error) { return body, nil }

func (a *API) compatibleTable(w http.ResponseWriter, r *http.Request) error {
	current, err := able(r.Context(), engine.CallMatrix, "table")
	if err != nil {
		return err
	}
	s := &osrm.Tables{Engine: current.Engine(), Bounds: current.Bounds(), Cells: a.options.MatrixCells}
	return answer(a, w, r, kin[*osrm.Table, []byte]{s, func(here *world.Region) { s.Engine, s.Bounds = here.Engine, here.Bounds }, asWritten[*osrm.Table]})
}

func (a *API) compatibleNearest(w http.ResponseWriter, r *http.Request) error {
	current, err := able(r.Context(), engine.CallNearest, "nearest")
	if err != nil {
		return err
	}
	s := &osrm.Roads{Engine: current.Engine(), Bounds: current.Bounds()}
	return answer(a, w, r, kin[*osrm.Near, []byte]{s, func(here *world.Region) { s.Engine, s.Bounds = here.Engine, here.Bounds }, asWritten[*osrm.Near]})
}

func (a *API) compatibleMatch(w http.ResponseWriter, r *http.Request) error {
	current, err := able(r.Context(), engine.CallTraceRoute, "match")
	if err != nil {
		return err
	}
	s := &osrm.Traces{Engine: current.Engine(), Bounds: current.Bounds()}
	return answer(a, w, r, kin[*osrm.Trace, *engine.TraceAnswer]{
		s, func(here *world.Region) { s.Engine, s.Bounds = here.Engine, here.Bounds },
		func(t *osrm.Trace, found *engine.TraceAnswer) ([]byte, error) { return wire.WriteMatch(&t.Match, found) },
	})
}

func (a *API) compatibleTrip(w http.ResponseWriter, r *http.Request) error {
	current, err := able(r.Context(), engine.CallMatrix, "trip")
	if err != nil {
		return err
	}
	s := &osrm.Trips{Engine: current.Engine(), Bounds: current.Bounds()}
	return answer(a, w, r, kin[*osrm.Trip, *osrm.Tour]{
		s, func(here *world.Region) { s.Engine, s.Bounds = here.Engine, here.Bounds },
		func(t *osrm.Trip, tour *osrm.Tour) ([]byte, error) {
			return wire.WriteTrip(&t.Route, tour.RouteAnswer, tour.Order)
		},
	})
}
