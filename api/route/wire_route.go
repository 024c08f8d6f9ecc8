package route

import (
	"net/http"
	"reflect"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/problem"
	"github.com/waygate/waygate/feature/clearance"
	"github.com/waygate/waygate/feature/directions"
	"github.com/waygate/waygate/feature/evidence"
	"github.com/waygate/waygate/feature/landmarks"
	"github.com/waygate/waygate/feature/opinion"
	"github.com/waygate/waygate/feature/rationale"
	"github.com/waygate/waygate/feature/receipt"
	"github.com/waygate/waygate/feature/scenic"
	"github.com/waygate/waygate/feature/zones"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/osrm"
	"github.com/waygate/waygate/wire/valhalla"
)

// The types in this file describe answers in the document: the parts that wire writes, and
// the blocks of features that stand beside them.

// routeAnswer is a native answer; the engine's further members come through.
type routeAnswer struct {
	Trip       Trip                   `json:"trip"`
	Alternates []routeAnswer          `json:"alternates,omitempty"`
	Via        *valhalla.AlternateVia `json:"via,omitempty" doc:"of an alternate, where it is known: the middle of a road on it, of all ways that travel this road in the same direction it is the best; the trip has none"`
	ID         string                 `json:"id,omitempty"`
	ADR        *routeADR              `json:"adr,omitempty" doc:"present when the request had adr"`
	Avoid      *routeAvoid            `json:"avoid,omitempty" doc:"present when the request used avoid or exclude"`
	Clearance  *clearance.Report      `json:"clearance,omitempty" doc:"of the first route, where the request asked for it and surveys cover any of it; beyond the contract"`
	Landmarks  *landmarks.Block       `json:"landmarks,omitempty" doc:"present when the request asked for them"`
	Rationale  *rationale.Rationale   `json:"rationale,omitempty" doc:"present when the request asked for it"`
	Scenic     *routeScenic           `json:"scenic,omitempty" doc:"present when the request asked for it"`
	Zones      *zones.Block           `json:"zones,omitempty" doc:"present when a route runs through a clean-air zone"`
	Coverage   *directions.Coverage   `json:"restriction_coverage,omitempty" doc:"present with the costing truck where the region has a grid"`
	Warnings   []native.AnswerWarning `json:"warnings,omitempty"`
	Receipt    *receipt.Receipt       `json:"receipt,omitempty" doc:"present when the request asked for it"`
	Comparison *opinion.Comparison    `json:"comparison,omitempty" doc:"present when the request asked to compare"`
	Signed     *evidence.Signed       `json:"signed,omitempty" doc:"present when the request asked to sign; the last member"`
}

// Trip is one route.
type Trip struct {
	Status        int                     `json:"status" doc:"0 is success"`
	StatusMessage string                  `json:"status_message"`
	Units         string                  `json:"units" enum:"kilometers,miles"`
	Language      string                  `json:"language"`
	Legs          []Leg                   `json:"legs"`
	Summary       valhalla.Summary        `json:"summary"`
	Locations     []valhalla.TripLocation `json:"locations"`
}

// Leg is the way between two locations.
type Leg struct {
	Maneuvers []valhalla.Maneuver `json:"maneuvers,omitempty" doc:"absent with directions_type none"`
	Summary   valhalla.Summary    `json:"summary"`
	Shape     any                 `json:"shape,omitempty" doc:"encoded polyline with 6 digits unless shape_format says otherwise; with geojson a LineString"`

	Traffic *directions.Traffic `json:"traffic,omitempty" doc:"on POST /route, present when the request asked for it"`
}

// routeScenic is the scenic block of an answer.
type routeScenic struct {
	scenic.Block
	Alternative *scenicTrip `json:"alternative,omitempty" doc:"the scenic route, present only where there is one"`
}

type scenicTrip struct {
	Trip Trip `json:"trip"`
}

// osrmScenic is the scenic block of an answer in OSRM's form.
type osrmScenic struct {
	scenic.Block
	Alternative *osrmScenicRoute `json:"alternative,omitempty" doc:"the scenic route, present only where there is one"`
}

type osrmScenicRoute struct {
	Code      string          `json:"code" enum:"Ok"`
	Routes    []OSRMRoute     `json:"routes" minItems:"1" maxItems:"1"`
	Waypoints []osrm.Waypoint `json:"waypoints,omitempty" doc:"absent with skip_waypoints"`
}

// routeADR is the adr extension of an answer.
type routeADR struct{ directions.ADR }

// routeAvoid echoes avoid and exclude.
type routeAvoid struct{ directions.Avoidance }

// OSRMRouteAnswer is an answer in OSRM's form.
type OSRMRouteAnswer struct {
	Code       string                 `json:"code" enum:"Ok"`
	Routes     []OSRMRoute            `json:"routes" minItems:"1"`
	Waypoints  []osrm.Waypoint        `json:"waypoints,omitempty" doc:"absent with skip_waypoints"`
	Clearance  *clearance.Report      `json:"clearance,omitempty" doc:"on POST /route, as in the native form; beyond the contract"`
	Landmarks  *landmarks.Block       `json:"landmarks,omitempty" doc:"present when the request asked for them"`
	ADR        *routeADR              `json:"adr,omitempty" doc:"on POST /route, as in the native form"`
	Avoid      *routeAvoid            `json:"avoid,omitempty" doc:"on POST /route, as in the native form"`
	Rationale  *rationale.Rationale   `json:"rationale,omitempty" doc:"on POST /route, as in the native form"`
	Scenic     *osrmScenic            `json:"scenic,omitempty" doc:"on POST /route, as in the native form"`
	Zones      *zones.Block           `json:"zones,omitempty" doc:"on POST /route, as in the native form"`
	Coverage   *directions.Coverage   `json:"restriction_coverage,omitempty" doc:"on POST /route, as in the native form"`
	Warnings   []native.AnswerWarning `json:"warnings,omitempty" doc:"of what in the request had no effect, and what the routing engine has to say, as in the native form"`
	Receipt    *receipt.Receipt       `json:"receipt,omitempty" doc:"present when the request asked for it"`
	Comparison *opinion.Comparison    `json:"comparison,omitempty" doc:"on POST /route, as in the native form"`
	Signed     *evidence.Signed       `json:"signed,omitempty" doc:"on POST /route, as in the native form"`
}

// routeProblem is why there is no route; further members depend on its type.
type routeProblem struct {
	problem.Problem
	Problems  []string        `json:"problems,omitempty" doc:"of invalid-avoid: each word or list that does not do"`
	Supported *routeAvoidable `json:"supported,omitempty" doc:"of invalid-avoid: the words that the costing has"`
	Conflicts []routeConflict `json:"conflicts,omitempty" doc:"of costing-conflict: the options that adr contradicts"`
	BlockedBy *routeBlock     `json:"blocked_by,omitempty" doc:"what keeps from the road or the way; absent where nothing that the request could change does, or it was not found within the bound of the search"`
}

// refused returns the answer that there is no such route.
func refused() edge.Answer {
	return edge.Answer{
		Status: http.StatusBadRequest, Description: "the request is not valid, or there is no road or no way", Media: problem.Media,
		Type: reflect.TypeFor[routeProblem](), Open: true,
	}
}

// routeAvoidable lists the words of avoid and exclude.
type routeAvoidable struct {
	Avoid   []string `json:"avoid"`
	Exclude []string `json:"exclude"`
}

// routeConflict is an option that adr and costing_options set to different values.
type routeConflict struct{ native.Conflict }

// routeBlock is the constraint without which there were a way.
type routeBlock struct {
	Constraint string           `json:"constraint" doc:"a costing option, or exclude_polygons, exclude_locations, live_closures, date_time, heading, search_filter or costing; several, with commas between, where none is enough alone"`
	Value      any              `json:"value" doc:"as declared; of several, an object with the value of each"`
	Location   *native.Position `json:"location,omitempty" doc:"where the first road begins that is closed by it"`
	WayID      int64            `json:"way_id,omitempty" doc:"its OpenStreetMap way"`
}

// OSRMRoute is one route.
type OSRMRoute struct {
	Distance   float64   `json:"distance" doc:"metres"`
	Duration   float64   `json:"duration" doc:"seconds"`
	Weight     float64   `json:"weight"`
	WeightName string    `json:"weight_name"`
	Via        []float64 `json:"via,omitempty" minItems:"2" maxItems:"2" doc:"of an alternative, where it is known: the longitude and latitude of the middle of a road on it, of all ways that travel this road in the same direction it is the best"`
	Geometry   any       `json:"geometry,omitempty" doc:"of the whole route: a polyline, or a LineString with geometries=geojson; absent with overview=false"`
	Legs       []OSRMLeg `json:"legs"`
	Locale     string    `json:"voiceLocale,omitempty" doc:"language of what is said"`
	Confidence *float64  `json:"confidence,omitempty" minimum:"0" maximum:"1" doc:"of a matching: how certain it is"`
}

// OSRMLeg is the way between two waypoints.
type OSRMLeg struct {
	Distance   float64          `json:"distance" doc:"metres"`
	Duration   float64          `json:"duration" doc:"seconds"`
	Weight     float64          `json:"weight"`
	Summary    string           `json:"summary" doc:"the two longest roads; empty without steps"`
	Steps      []osrm.Step      `json:"steps" doc:"empty without steps=true"`
	Annotation *osrm.Annotation `json:"annotation,omitempty" doc:"with annotations"`
	Via        []osrm.Via       `json:"via_waypoints,omitempty" doc:"coordinates passed within the leg"`
	Admins     []osrm.Admin     `json:"admins,omitempty" doc:"countries in the order travelled; empty where none is known"`

	Traffic *directions.Traffic `json:"traffic,omitempty" doc:"on POST /route, as in the native form"`
}
