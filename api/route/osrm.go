package route

import (
	"context"
	"net/http"
	"reflect"

	"github.com/waygate/waygate/api/edge"
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
	Code        string                 `json:"code" enum:"Ok"`
	Matchings   []CompatibleRoute      `json:"matchings" minItems:"1" doc:"a route for each stretch without a gap, with confidence from 0 to 1"`
	Tracepoints []CompatibleTracepoint `json:"tracepoints,omitempty" doc:"one for each coordinate; null where it was not matched"`
}

// CompatibleTracepoint is where a position of a trace was matched, or null.
type CompatibleTracepoint struct {
	_            struct{}  `nullable:"true"`
	Matching     int       `json:"matchings_index" minimum:"0"`
	Waypoint     *int      `json:"waypoint_index,omitempty" nullable:"true" minimum:"0" doc:"among those of its matching; null where no leg begins or ends at it"`
	Alternatives int       `json:"alternatives_count" minimum:"0"`
	Name         string    `json:"name" doc:"always empty"`
	Location     []float64 `json:"location" minItems:"2" maxItems:"2" doc:"lon, lat on the road"`
	Distance     float64   `json:"distance" doc:"metres from the position"`
}

// CompatibleTrip is an answer of the trip service.
type CompatibleTrip struct {
	Code      string            `json:"code" enum:"Ok"`
	Trips     []CompatibleRoute `json:"trips" minItems:"1" maxItems:"1"`
	Waypoints []any             `json:"waypoints,omitempty" doc:"in the order of the request: name, location, distance, trips_index and waypoint_index, the place in the trip"`
}

func familyDoc[T any](summary, description, coordinates string, parameters []string) edge.Doc {
	return edge.Doc{
		Summary: summary,
		Description: description + " Beyond the contract, for clients of OSRM's family. Every failure has the form {\"code\", \"message\"}, " +
			"as of GET /route/v1/{profile}/{coordinates}.",
		Tags: []string{"compatible"}, Params: familyParameters(coordinates, parameters),
		Answers: []edge.Answer{{Description: "Ok", Type: reflect.TypeFor[T](), Open: true}},
	}
}

func tableDoc() edge.Doc {
	return familyDoc[CompatibleTable]("Table of times and distances (compatible form)",
		"The cheapest way from every source to every destination. A pair without a way is null, unless fallback_speed estimates it in a straight line.",
		"lon,lat;lon,lat… (2 to 1,000)", osrm.TableParameters())
}

func nearestDoc() edge.Doc {
	return familyDoc[CompatibleNearest]("Roads near a coordinate (compatible form)", "The usable roads nearest to a coordinate.", "lon,lat", osrm.NearestParameters())
}

func matchDoc() edge.Doc {
	return familyDoc[CompatibleMatch]("Match a trace to the roads (compatible form)",
		"The way that a trace of positions was taken along the roads, with a leg between each two of its positions, or of those that waypoints names.",
		"lon,lat;lon,lat… in order (2 to 1,000)", osrm.MatchParameters())
}

func tripDoc() edge.Doc {
	return familyDoc[CompatibleTrip]("Order of a round of visits (compatible form)",
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

// answerOSRM serves a request of a sibling's, at the price of its costing.
func answerOSRM[R travelling, A any](w http.ResponseWriter, r *http.Request, c kin[R, A]) error {
	req, err := c.service.Read(r.PathValue("profile"), r.PathValue("coordinates"), r.URL.RawQuery)
	if err != nil {
		return err
	}
	current, err := edge.WorldOf(r.Context())
	if err != nil {
		return err
	}
	here, err := current.At(req.Points()...)
	if err != nil {
		return err
	}
	c.settle(here)
	if err := reserve(r.Context(), req.Costing()); err != nil {
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

func (m matrices) table(w http.ResponseWriter, r *http.Request) error {
	current, err := edge.WorldOf(r.Context())
	if err != nil {
		return err
	}
	s := &osrm.Tables{Engine: current.Engine(), Bounds: current.Bounds(), Cells: m.cells}
	return answerOSRM(w, r, kin[*osrm.Table, []byte]{s, func(here *world.Region) { s.Engine, s.Bounds = here.Engine, here.Bounds }, asWritten[*osrm.Table]})
}

func answerOSRMNearest(w http.ResponseWriter, r *http.Request) error {
	current, err := edge.WorldOf(r.Context())
	if err != nil {
		return err
	}
	s := &osrm.Roads{Engine: current.Engine(), Bounds: current.Bounds()}
	return answerOSRM(w, r, kin[*osrm.Near, []byte]{s, func(here *world.Region) { s.Engine, s.Bounds = here.Engine, here.Bounds }, asWritten[*osrm.Near]})
}

func answerOSRMMatch(w http.ResponseWriter, r *http.Request) error {
	current, err := edge.WorldOf(r.Context())
	if err != nil {
		return err
	}
	s := &osrm.Traces{Engine: current.Engine(), Bounds: current.Bounds()}
	return answerOSRM(w, r, kin[*osrm.Trace, *engine.TraceAnswer]{
		s, func(here *world.Region) { s.Engine, s.Bounds = here.Engine, here.Bounds },
		func(t *osrm.Trace, found *engine.TraceAnswer) ([]byte, error) {
			return wire.WriteMatch(&t.Match, found)
		},
	})
}

func answerOSRMTrip(w http.ResponseWriter, r *http.Request) error {
	current, err := edge.WorldOf(r.Context())
	if err != nil {
		return err
	}
	s := &osrm.Trips{Engine: current.Engine(), Bounds: current.Bounds()}
	return answerOSRM(w, r, kin[*osrm.Trip, *osrm.Tour]{
		s, func(here *world.Region) { s.Engine, s.Bounds = here.Engine, here.Bounds },
		func(t *osrm.Trip, tour *osrm.Tour) ([]byte, error) {
			return wire.WriteTrip(&t.Route, tour.RouteAnswer, tour.Order)
		},
	})
}
