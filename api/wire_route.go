package api

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/waygate/waygate/feature/landmarks"
	"github.com/waygate/waygate/feature/rationale"
)

// The types in this file describe POST /route in OpenAPI. The body is read by
// the feature and the answer is the engine's own, so nothing decodes into them.

// RouteRequest is a native request.
type RouteRequest struct {
	Locations      []RouteLocation           `json:"locations" minItems:"2" maxItems:"50" doc:"places in order"`
	Costing        string                    `json:"costing" enum:"auto,truck,bus,motor_scooter,motorcycle,bicycle,pedestrian" doc:"way of travel"`
	CostingOptions map[string]map[string]any `json:"costing_options,omitempty" doc:"options by costing; names, ranges and defaults are the routing engine's documented ones"`
	ADR            *ADRProfile               `json:"adr,omitempty" doc:"lorry and dangerous goods; truck only; merged into costing_options.truck"`
	Avoid          []string                  `json:"avoid,omitempty" doc:"preference: tolls, highways (motorised), ferries"`
	Exclude        []string                  `json:"exclude,omitempty" doc:"hard: tolls, highways, ferries, bridges, tunnels"`
	Alternates     int                       `json:"alternates,omitempty" minimum:"0" maximum:"3" doc:"other routes wanted; with more than two locations each differs in one stretch between them (a remote engine: between two locations only)"`
	Units          string                    `json:"units,omitempty" enum:"kilometers,km,miles,mi" doc:"of lengths in the answer"`
	Language       string                    `json:"language,omitempty" doc:"BCP 47 tag of the narration; the embedded engine words it in cy, de, en-GB (the default), en-US, es, fr, it, nl, pl, pt-BR, pt-PT and sv, takes the nearest for any other and says so"`
	DirectionsType string                    `json:"directions_type,omitempty" enum:"none,maneuvers,instructions"`
	Options        *DirectionsOptions        `json:"directions_options,omitempty" doc:"former place of units, language and directions_type"`
	ShapeFormat    string                    `json:"shape_format,omitempty" enum:"polyline6,polyline5,geojson,no_shape"`
	Format         string                    `json:"format,omitempty" enum:"json,osrm" doc:"osrm answers in the compatible form"`
	ID             string                    `json:"id,omitempty" maxLength:"256" doc:"echoed"`

	DateTime         *RouteTime      `json:"date_time,omitempty" doc:"when the journey is: restrictions and ferries that are open at times only bind"`
	SpeedTypes       []string        `json:"speed_types,omitempty" enum:"freeflow,constrained,predicted,current" doc:"sources of speed that count; without current live traffic does not"`
	ExcludeLocations []RouteLocation `json:"exclude_locations,omitempty" maxItems:"50" doc:"places whose roads no route passes"`
	ExcludePolygons  [][][]float64   `json:"exclude_polygons,omitempty" doc:"rings of [lon, lat] that no route touches: open ones are closed, none may cross itself, together at most 10,000 m round and 1,000 corners"`
	AvoidLocations   []RouteLocation `json:"avoid_locations,omitempty" doc:"older name of exclude_locations"`
	AvoidPolygons    [][][]float64   `json:"avoid_polygons,omitempty" doc:"older name of exclude_polygons"`
	Recostings       any             `json:"recostings,omitempty" doc:"a 501 on engines that cannot honour it"`
	Elevation        any             `json:"elevation_interval,omitempty" doc:"a 501 on engines that cannot honour it"`
	LinearReferences any             `json:"linear_references,omitempty" doc:"a 501 on engines that cannot honour it"`
	Bidirectional    any             `json:"prioritize_bidirectional,omitempty" doc:"passed to a remote engine"`
	RoundaboutExits  any             `json:"roundabout_exits,omitempty" doc:"passed to a remote engine"`
	Banners          any             `json:"banner_instructions,omitempty" doc:"passed to a remote engine"`
	Voice            any             `json:"voice_instructions,omitempty" doc:"passed to a remote engine"`
	AdminCrossings   any             `json:"admin_crossings,omitempty" doc:"passed to a remote engine"`
	TurnLanes        any             `json:"turn_lanes,omitempty" doc:"passed to a remote engine"`
	Rationale        bool            `json:"rationale,omitempty" doc:"adds the rationale block: which declarations changed the route, at up to eight computations; truck, auto, bicycle, pedestrian and motor_scooter"`
	Scenic           any             `json:"scenic,omitempty" doc:"a 501 scenic-not-enabled for now"`
	Landmarks        bool            `json:"landmarks,omitempty" doc:"adds landmark_instruction to turns and forks within 40 m of a place that is well recognised"`
	Traffic          any             `json:"traffic,omitempty" doc:"a 501 traffic-not-enabled for now"`
	Emissions        any             `json:"emissions,omitempty" doc:"a 501 emissions-not-enabled for now"`
	AvoidZones       any             `json:"avoid_zones,omitempty" doc:"a 501 avoid-zones-not-enabled for now"`
}

// RouteTime is when a journey is.
type RouteTime struct {
	Type  int    `json:"type" enum:"0,1,2,3" doc:"0 now, 1 time of departure, 2 of arrival, 3 one time for the whole journey"`
	Value string `json:"value,omitempty" example:"2026-09-01T08:00" doc:"local date and time where the journey is, YYYY-MM-DDTHH:MM, from 1970 on; not with type 0"`
}

// DirectionsOptions is the former place of three members.
type DirectionsOptions struct {
	Units          string `json:"units,omitempty" enum:"kilometers,km,miles,mi"`
	Language       string `json:"language,omitempty"`
	DirectionsType string `json:"directions_type,omitempty" enum:"none,maneuvers,instructions"`
	Format         string `json:"format,omitempty" enum:"json,osrm"`
}

// RouteLocation is a place a route goes through.
type RouteLocation struct {
	Lat                   float64       `json:"lat" minimum:"-90" maximum:"90"`
	Lon                   float64       `json:"lon" minimum:"-180" maximum:"180"`
	Type                  string        `json:"type,omitempty" enum:"break,through,via,break_through" default:"break"`
	Heading               *float64      `json:"heading,omitempty" minimum:"0" maximum:"360" doc:"degrees clockwise from north"`
	HeadingTolerance      *float64      `json:"heading_tolerance,omitempty" minimum:"1" maximum:"180" default:"60" doc:"degrees"`
	Radius                *float64      `json:"radius,omitempty" minimum:"0" maximum:"10000" doc:"metres within which every road is as good as the nearest"`
	SearchCutoff          *float64      `json:"search_cutoff,omitempty" minimum:"1" maximum:"35000" default:"35000" doc:"metres beyond which no road counts"`
	SearchFilter          *SearchFilter `json:"search_filter,omitempty"`
	PreferredSide         string        `json:"preferred_side,omitempty" enum:"same,opposite,either,curb,unrestricted" default:"either" doc:"curb is same, unrestricted is either"`
	StreetSideTolerance   *float64      `json:"street_side_tolerance,omitempty" minimum:"0" default:"5" doc:"metres from the centre line below which there is no side"`
	StreetSideMaxDistance *float64      `json:"street_side_max_distance,omitempty" minimum:"0" default:"1000" doc:"metres beyond which there is no side; above the tolerance"`
	StreetSideCutoff      string        `json:"street_side_cutoff,omitempty" enum:"motorway,trunk,primary,secondary,tertiary,unclassified,residential,service_other" default:"service_other"`
	Name                  string        `json:"name,omitempty" maxLength:"256"`
}

// SearchFilter narrows the roads a location may snap to.
type SearchFilter struct {
	ExcludeTunnel   bool   `json:"exclude_tunnel,omitempty"`
	ExcludeBridge   bool   `json:"exclude_bridge,omitempty"`
	ExcludeRamp     bool   `json:"exclude_ramp,omitempty"`
	ExcludeToll     bool   `json:"exclude_toll,omitempty"`
	ExcludeFerry    bool   `json:"exclude_ferry,omitempty"`
	ExcludeClosures *bool  `json:"exclude_closures,omitempty" default:"true"`
	MinRoadClass    string `json:"min_road_class,omitempty" enum:"motorway,trunk,primary,secondary,tertiary,unclassified,residential,service_other"`
	MaxRoadClass    string `json:"max_road_class,omitempty" enum:"motorway,trunk,primary,secondary,tertiary,unclassified,residential,service_other"`
}

// RouteAnswer is a native answer; the engine's further members come through.
type RouteAnswer struct {
	Trip       Trip                 `json:"trip"`
	Alternates []RouteAnswer        `json:"alternates,omitempty"`
	ID         string               `json:"id,omitempty"`
	ADR        *RouteADR            `json:"adr,omitempty" doc:"present when the request had adr"`
	Avoid      *RouteAvoid          `json:"avoid,omitempty" doc:"present when the request used avoid or exclude"`
	Landmarks  *landmarks.Block     `json:"landmarks,omitempty" doc:"present when the request asked for them"`
	Rationale  *rationale.Rationale `json:"rationale,omitempty" doc:"present when the request asked for it"`
	Warnings   []AnswerWarning      `json:"warnings,omitempty"`
}

// AnswerWarning says that something in the request had no effect.
type AnswerWarning struct {
	Code int    `json:"code" doc:"901 a member that is not known, 902 a costing option that is not known, 903 a known member without effect here, 904 instructions in another language than was asked for, 905 a costing option the engine knows and cannot honour, 906 a place without a road or a meeting point by another rule, 907 the way waits for something to open, 908 a restriction at times was not heeded, 909 times are UTC; other codes are the engine's"`
	Text string `json:"text"`
}

// Trip is one route.
type Trip struct {
	Status        int     `json:"status" doc:"0 is success"`
	StatusMessage string  `json:"status_message"`
	Units         string  `json:"units" enum:"kilometers,miles"`
	Language      string  `json:"language"`
	Legs          []Leg   `json:"legs"`
	Summary       Summary `json:"summary"`
	Locations     []any   `json:"locations"`
}

// Leg is the way between two locations.
type Leg struct {
	Maneuvers []any   `json:"maneuvers,omitempty"`
	Summary   Summary `json:"summary"`
	Shape     any     `json:"shape,omitempty" doc:"encoded polyline with 6 digits unless shape_format says otherwise"`
}

// Summary is the length, the time and what is on the way.
type Summary struct {
	Length     float64 `json:"length" doc:"in units"`
	Time       float64 `json:"time" doc:"seconds"`
	HasToll    bool    `json:"has_toll,omitempty"`
	HasHighway bool    `json:"has_highway,omitempty"`
	HasFerry   bool    `json:"has_ferry,omitempty"`
}

// RouteADR is the adr extension of an answer.
type RouteADR struct {
	EnforcedBy     string         `json:"enforced_by" enum:"engine,gateway,none" doc:"who kept the load out of tunnels closed to it"`
	TunnelCode     *string        `json:"tunnel_code"`
	Hazmat         bool           `json:"hazmat"`
	CostingOptions map[string]any `json:"costing_options" doc:"what the profile became under costing_options.truck"`
	Tunnels        []RouteTunnel  `json:"tunnels" doc:"tunnels with a category along the route, in order"`
	Caveats        []string       `json:"caveats"`
}

// RouteTunnel is one tunnel on a route.
type RouteTunnel struct {
	Category string         `json:"category" enum:"A,B,C,D,E"`
	Decision TunnelDecision `json:"decision"`
	Location Position       `json:"location" doc:"where the route enters"`
	WayID    int64          `json:"way_id" doc:"OpenStreetMap way"`
}

// TunnelDecision says whether the load may pass.
type TunnelDecision struct {
	Status string `json:"status" enum:"allowed,blocked"`
	Reason string `json:"reason,omitempty"`
}

// Position is a place in degrees.
type Position struct {
	Lat float64 `json:"lat" minimum:"-90" maximum:"90"`
	Lon float64 `json:"lon" minimum:"-180" maximum:"180"`
}

// RouteAvoid echoes avoid and exclude.
type RouteAvoid struct {
	Avoid          []string       `json:"avoid"`
	Exclude        []string       `json:"exclude"`
	CostingOptions map[string]any `json:"costing_options" doc:"the exact options the lists became"`
	Caveats        []string       `json:"caveats"`
}

// CompatibleAnswer is an answer of the compatible form.
type CompatibleAnswer struct {
	Code      string               `json:"code" enum:"Ok"`
	Routes    []CompatibleRoute    `json:"routes" minItems:"1"`
	Waypoints []CompatibleWaypoint `json:"waypoints,omitempty" doc:"absent with skip_waypoints"`
}

// CompatibleRoute is one route.
type CompatibleRoute struct {
	Distance   float64         `json:"distance" doc:"metres"`
	Duration   float64         `json:"duration" doc:"seconds"`
	Weight     float64         `json:"weight"`
	WeightName string          `json:"weight_name"`
	Geometry   any             `json:"geometry,omitempty"`
	Legs       []CompatibleLeg `json:"legs"`
}

// CompatibleLeg is the way between two waypoints.
type CompatibleLeg struct {
	Distance float64 `json:"distance" doc:"metres"`
	Duration float64 `json:"duration" doc:"seconds"`
	Weight   float64 `json:"weight"`
	Summary  string  `json:"summary"`
	Steps    []any   `json:"steps"`
}

// CompatibleWaypoint is a coordinate on the road.
type CompatibleWaypoint struct {
	Name     string    `json:"name"`
	Location []float64 `json:"location" minItems:"2" maxItems:"2" doc:"lon, lat"`
}

// openAll lets every object under s have members beyond those listed, as an
// engine's answer does.
func openAll(s *huma.Schema, b *binding) *huma.Schema {
	seen := map[string]bool{}
	var open func(*huma.Schema)
	open = func(s *huma.Schema) {
		if s == nil {
			return
		}
		if s.Ref != "" {
			if seen[s.Ref] {
				return
			}
			seen[s.Ref] = true
			open(b.huma.OpenAPI().Components.Schemas.SchemaFromRef(s.Ref))
			return
		}
		if s.Type == huma.TypeObject && s.AdditionalProperties == false {
			s.AdditionalProperties = true
		}
		for _, p := range s.Properties {
			open(p)
		}
		open(s.Items)
	}
	open(s)
	return s
}
