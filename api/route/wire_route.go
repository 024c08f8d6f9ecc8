package route

import (
	"net/http"
	"reflect"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/directions"
	"github.com/waygate/waygate/feature/landmarks"
	"github.com/waygate/waygate/feature/rationale"
	"github.com/waygate/waygate/feature/zones"
	"github.com/waygate/waygate/wire/native"
)

// The types in this file describe answers in OpenAPI. The engine's own come
// through and ours are written in wire, so nothing is made of them.

// routeAnswer is a native answer; the engine's further members come through.
type routeAnswer struct {
	Trip       Trip                   `json:"trip"`
	Alternates []routeAnswer          `json:"alternates,omitempty"`
	Via        *alternateVia          `json:"via,omitempty" doc:"of an alternate, where it is known: the middle of a road on it, of all ways that travel this road in the same direction it is the best; the trip has none"`
	ID         string                 `json:"id,omitempty"`
	ADR        *routeADR              `json:"adr,omitempty" doc:"present when the request had adr"`
	Avoid      *routeAvoid            `json:"avoid,omitempty" doc:"present when the request used avoid or exclude"`
	Landmarks  *landmarks.Block       `json:"landmarks,omitempty" doc:"present when the request asked for them"`
	Rationale  *rationale.Rationale   `json:"rationale,omitempty" doc:"present when the request asked for it"`
	Scenic     *directions.Scenic     `json:"scenic,omitempty" doc:"present when the request asked for it"`
	Zones      *zones.Block           `json:"zones,omitempty" doc:"present when a route runs through a clean-air zone"`
	Coverage   *directions.Coverage   `json:"restriction_coverage,omitempty" doc:"present with the costing truck where the region has a grid"`
	Warnings   []native.AnswerWarning `json:"warnings,omitempty"`
}

// alternateVia is where an alternate leads.
type alternateVia struct {
	Lat float64 `json:"lat"`
	Lon float64 `json:"lon"`
}

// Trip is one route.
type Trip struct {
	Status        int            `json:"status" doc:"0 is success"`
	StatusMessage string         `json:"status_message"`
	Units         string         `json:"units" enum:"kilometers,miles"`
	Language      string         `json:"language"`
	Legs          []Leg          `json:"legs"`
	Summary       Summary        `json:"summary"`
	Locations     []TripLocation `json:"locations"`
}

// Leg is the way between two locations.
type Leg struct {
	Maneuvers []Maneuver `json:"maneuvers,omitempty" doc:"absent with directions_type none"`
	Summary   Summary    `json:"summary"`
	Shape     any        `json:"shape,omitempty" doc:"encoded polyline with 6 digits unless shape_format says otherwise; with geojson a LineString"`

	Traffic *directions.Traffic `json:"traffic,omitempty" doc:"on POST /route, present when the request asked for it"`
}

// Summary is the length, the time and what is on the way.
type Summary struct {
	Length     float64 `json:"length" doc:"in units"`
	Time       float64 `json:"time" doc:"seconds"`
	Cost       float64 `json:"cost,omitempty" doc:"what the costing weighs"`
	HasToll    bool    `json:"has_toll,omitempty"`
	HasHighway bool    `json:"has_highway,omitempty" doc:"a motorway is on the way"`
	HasFerry   bool    `json:"has_ferry,omitempty"`
	HasTimes   bool    `json:"has_time_restrictions,omitempty" doc:"a road on the way is closed or changed at times"`
	MinLat     float64 `json:"min_lat,omitempty"`
	MinLon     float64 `json:"min_lon,omitempty"`
	MaxLat     float64 `json:"max_lat,omitempty"`
	MaxLon     float64 `json:"max_lon,omitempty"`

	LevelChanges [][]float64       `json:"level_changes,omitempty" doc:"of a leg: pairs of a point of its shape and the floor of a building from there on"`
	Admins       []SummaryAdmin    `json:"admins,omitempty" doc:"of legs, with admin_crossings: the countries in the order travelled"`
	Crossings    []SummaryCrossing `json:"admin_crossings,omitempty" doc:"of legs, with admin_crossings, where it crosses borders"`
}

// SummaryAdmin is a country of a leg.
type SummaryAdmin struct {
	CountryCode string `json:"country_code" doc:"ISO 3166-1, two letters"`
	CountryText string `json:"country_text"`
	StateCode   string `json:"state_code" doc:"empty where not known, as always with the embedded engine"`
	StateText   string `json:"state_text"`
}

// SummaryCrossing is a border on the way.
type SummaryCrossing struct {
	From  int `json:"from_admin_index" doc:"of admins"`
	To    int `json:"to_admin_index"`
	Begin int `json:"begin_shape_index" doc:"the border lies between two points of the leg's line"`
	End   int `json:"end_shape_index"`
}

// routeADR is the adr extension of an answer.
type routeADR struct {
	EnforcedBy     string         `json:"enforced_by" enum:"engine,gateway,none" doc:"who kept the load out of tunnels closed to it"`
	TunnelCode     *string        `json:"tunnel_code"`
	Hazmat         bool           `json:"hazmat"`
	CostingOptions map[string]any `json:"costing_options" doc:"what the profile became under costing_options.truck"`
	Tunnels        []routeTunnel  `json:"tunnels" doc:"tunnels with a category along the route, in order"`
	Caveats        []string       `json:"caveats"`
}

// routeTunnel is one tunnel on a route.
type routeTunnel struct {
	Category string          `json:"category" enum:"A,B,C,D,E"`
	Decision TunnelDecision  `json:"decision"`
	Location native.Position `json:"location" doc:"where the route enters"`
	WayID    int64           `json:"way_id" doc:"OpenStreetMap way"`
}

// TunnelDecision says whether the load may pass.
type TunnelDecision struct {
	Status string `json:"status" enum:"allowed,blocked"`
	Reason string `json:"reason,omitempty"`
}

// routeAvoid echoes avoid and exclude.
type routeAvoid struct {
	Avoid          []string       `json:"avoid"`
	Exclude        []string       `json:"exclude"`
	CostingOptions map[string]any `json:"costing_options" doc:"the exact options the lists became"`
	Caveats        []string       `json:"caveats"`
}

// OSRMRouteAnswer is an answer in OSRM's form.
type OSRMRouteAnswer struct {
	Code      string                 `json:"code" enum:"Ok"`
	Routes    []OSRMRoute            `json:"routes" minItems:"1"`
	Waypoints []OSRMWaypoint         `json:"waypoints,omitempty" doc:"absent with skip_waypoints"`
	Landmarks *landmarks.Block       `json:"landmarks,omitempty" doc:"present when the request asked for them"`
	ADR       *routeADR              `json:"adr,omitempty" doc:"on POST /route, as in the native form"`
	Avoid     *routeAvoid            `json:"avoid,omitempty" doc:"on POST /route, as in the native form"`
	Rationale *rationale.Rationale   `json:"rationale,omitempty" doc:"on POST /route, as in the native form"`
	Scenic    *directions.Scenic     `json:"scenic,omitempty" doc:"on POST /route, as in the native form"`
	Zones     *zones.Block           `json:"zones,omitempty" doc:"on POST /route, as in the native form"`
	Coverage  *directions.Coverage   `json:"restriction_coverage,omitempty" doc:"on POST /route, as in the native form"`
	Warnings  []native.AnswerWarning `json:"warnings,omitempty" doc:"of what in the request had no effect, and what the routing engine has to say, as in the native form"`
}

// routeProblem is why there is no route; further members depend on its type.
type routeProblem struct {
	edge.Problem
	Problems  []string        `json:"problems,omitempty" doc:"of invalid-avoid: each word or list that does not do"`
	Supported *routeAvoidable `json:"supported,omitempty" doc:"of invalid-avoid: the words that the costing has"`
	Conflicts []routeConflict `json:"conflicts,omitempty" doc:"of costing-conflict: the options that adr contradicts"`
	BlockedBy *routeBlock     `json:"blocked_by,omitempty" doc:"what keeps from the road or the way; absent where nothing that the request could change does, or it was not found within the bound of the search"`
}

// refused is the answer that there is no such route.
func refused() edge.Answer {
	return edge.Answer{
		Status: http.StatusBadRequest, Description: "the request is not valid, or there is no road or no way", Media: edge.ProblemMedia,
		Type: reflect.TypeFor[routeProblem](), Open: true,
	}
}

// routeAvoidable lists the words of avoid and exclude.
type routeAvoidable struct {
	Avoid   []string `json:"avoid"`
	Exclude []string `json:"exclude"`
}

// routeConflict is an option that adr and costing_options set to different values.
type routeConflict struct {
	Option         string `json:"option"`
	CostingOptions any    `json:"costing_options" doc:"the value there"`
	ADR            any    `json:"adr" doc:"the value that adr becomes"`
}

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
	Distance   float64         `json:"distance" doc:"metres"`
	Duration   float64         `json:"duration" doc:"seconds"`
	Weight     float64         `json:"weight"`
	Summary    string          `json:"summary" doc:"the two longest roads; empty without steps"`
	Steps      []OSRMStep      `json:"steps" doc:"empty without steps=true"`
	Annotation *OSRMAnnotation `json:"annotation,omitempty" doc:"with annotations"`
	Via        []OSRMVia       `json:"via_waypoints,omitempty" doc:"coordinates passed within the leg"`
	Admins     []OSRMAdmin     `json:"admins,omitempty" doc:"countries in the order travelled; empty where none is known"`

	Traffic *directions.Traffic `json:"traffic,omitempty" doc:"on POST /route, as in the native form"`
}

// OSRMVia is a coordinate that is passed within a leg.
type OSRMVia struct {
	Distance float64 `json:"distance_from_start" doc:"metres along the leg"`
	Geometry int     `json:"geometry_index" doc:"point of the leg's line"`
	Waypoint int     `json:"waypoint_index"`
}

// OSRMAnnotation tells of each piece of a leg's line: the lists asked for.
type OSRMAnnotation struct {
	Distance []float64    `json:"distance,omitempty" doc:"metres"`
	Duration []float64    `json:"duration,omitempty" doc:"seconds, junctions apart"`
	Speed    []float64    `json:"speed,omitempty" doc:"metres a second"`
	Weight   []float64    `json:"weight,omitempty"`
	Nodes    []*int64     `json:"nodes,omitempty" doc:"OpenStreetMap nodes of the points, one more than pieces; null for an end within a road"`
	Sources  []int        `json:"datasources,omitempty" doc:"index into metadata.datasource_names"`
	Limits   []OSRMLimit  `json:"maxspeed,omitempty" doc:"as posted"`
	Metadata *OSRMSources `json:"metadata,omitempty"`
}

// OSRMLimit is a posted limit, or that none is known.
type OSRMLimit struct {
	Speed   int    `json:"speed,omitempty"`
	Unit    string `json:"unit,omitempty" enum:"km/h,mph"`
	Unknown bool   `json:"unknown,omitempty" doc:"true where no limit is known"`
}

// OSRMSources names where speeds are from.
type OSRMSources struct {
	Names []string `json:"datasource_names"`
}

// OSRMStep is a manoeuvre and the way to the next.
type OSRMStep struct {
	Distance      float64            `json:"distance" doc:"metres"`
	Duration      float64            `json:"duration" doc:"seconds"`
	Weight        float64            `json:"weight"`
	Geometry      any                `json:"geometry"`
	Name          string             `json:"name" doc:"of the road; empty where it has none"`
	Ref           string             `json:"ref,omitempty" doc:"its numbers"`
	Destinations  string             `json:"destinations,omitempty" doc:"as signed"`
	Exits         string             `json:"exits,omitempty" doc:"number of the exit"`
	RotaryName    string             `json:"rotary_name,omitempty"`
	Mode          string             `json:"mode" enum:"driving,cycling,walking,pushing bike,ferry"`
	DrivingSide   string             `json:"driving_side" enum:"left,right"`
	LimitSign     string             `json:"speedLimitSign,omitempty" enum:"vienna,mutcd" doc:"of the country the step begins in"`
	LimitUnit     string             `json:"speedLimitUnit,omitempty" enum:"km/h,mph"`
	Maneuver      OSRMManeuver       `json:"maneuver"`
	Landmark      string             `json:"landmark_instruction,omitempty" doc:"with landmarks, near a place that is well recognised"`
	Intersections []OSRMIntersection `json:"intersections" minItems:"1"`
	Voice         []OSRMVoice        `json:"voiceInstructions,omitempty" doc:"with voice_instructions"`
	Banners       []OSRMBanner       `json:"bannerInstructions,omitempty" doc:"with banner_instructions"`
}

// OSRMManeuver is something to do.
type OSRMManeuver struct {
	Type          string    `json:"type" enum:"depart,arrive,turn,continue,new name,end of road,fork,merge,on ramp,off ramp,roundabout,rotary,exit roundabout,exit rotary,notification"`
	Modifier      string    `json:"modifier,omitempty" enum:"uturn,sharp right,right,slight right,straight,slight left,left,sharp left"`
	Location      []float64 `json:"location" minItems:"2" maxItems:"2" doc:"lon, lat"`
	BearingBefore int       `json:"bearing_before" minimum:"0" maximum:"359"`
	BearingAfter  int       `json:"bearing_after" minimum:"0" maximum:"359"`
	Exit          int       `json:"exit,omitempty" doc:"of a roundabout, counted from the entry"`
	Instruction   string    `json:"instruction" doc:"in words, in the language asked for"`
}

// OSRMIntersection is a junction on the way.
type OSRMIntersection struct {
	Location []float64  `json:"location" minItems:"2" maxItems:"2" doc:"lon, lat"`
	Bearings []int      `json:"bearings" doc:"of the roads there, clockwise from north"`
	Entry    []bool     `json:"entry" doc:"which of them may be entered"`
	In       *int       `json:"in,omitempty" doc:"index of the road travelled before; its bearing leads back"`
	Out      *int       `json:"out,omitempty" doc:"index of the road travelled on"`
	Classes  []string   `json:"classes,omitempty" enum:"toll,motorway,ferry,tunnel,restricted"`
	Lanes    []OSRMLane `json:"lanes,omitempty" doc:"on the first intersection of the step before a manoeuvre; absent where nothing is known"`
	Geometry int        `json:"geometry_index" doc:"point of the leg's line"`

	Duration     *float64 `json:"duration,omitempty" doc:"seconds to the next intersection, with what is lost at this one; those of a step add up to its duration"`
	Weight       *float64 `json:"weight,omitempty" doc:"likewise"`
	TurnDuration float64  `json:"turn_duration,omitempty" doc:"seconds lost at this intersection"`
	TurnWeight   float64  `json:"turn_weight,omitempty"`
	Admin        *int     `json:"admin_index,omitempty" doc:"of the leg's admins; absent where the country is not known"`

	TunnelName      string       `json:"tunnel_name,omitempty"`
	TollCollection  *OSRMTolling `json:"toll_collection,omitempty"`
	TrafficSignal   bool         `json:"traffic_signal,omitempty" doc:"as the next three: present where it stands on the map and faces the traveller"`
	StopSign        bool         `json:"stop_sign,omitempty"`
	YieldSign       bool         `json:"yield_sign,omitempty"`
	RailwayCrossing bool         `json:"railway_crossing,omitempty"`
	Urban           *bool        `json:"is_urban,omitempty" doc:"on POST /route where filters include edge.is_urban"`
}

// OSRMTolling is where a toll is paid.
type OSRMTolling struct {
	Type string `json:"type" enum:"toll_booth,toll_gantry"`
}

// OSRMAdmin is a country.
type OSRMAdmin struct {
	Code   string `json:"iso_3166_1" doc:"two letters"`
	Alpha3 string `json:"iso_3166_1_alpha3,omitempty" doc:"three letters"`
}

// OSRMLane is a lane before a manoeuvre, from left to right.
type OSRMLane struct {
	Indications []string `json:"indications"`
	Valid       bool     `json:"valid" doc:"leads on along the route"`
	Active      bool     `json:"active" doc:"is the one to be in; implies valid"`
	Take        string   `json:"valid_indication,omitempty"`
}

// OSRMVoice is something to say.
type OSRMVoice struct {
	At           float64 `json:"distanceAlongGeometry" doc:"metres before the next manoeuvre; falling within a step"`
	Announcement string  `json:"announcement"`
	SSML         string  `json:"ssmlAnnouncement"`
}

// OSRMBanner is something to show.
type OSRMBanner struct {
	At        float64         `json:"distanceAlongGeometry" doc:"metres before the next manoeuvre; falling within a step"`
	Primary   OSRMBannerText  `json:"primary"`
	Secondary *OSRMBannerText `json:"secondary,omitempty"`
	Sub       *OSRMBannerText `json:"sub,omitempty" doc:"lanes, or what follows at once"`
}

// OSRMBannerText is a line of a banner.
type OSRMBannerText struct {
	Text       string           `json:"text"`
	Components []OSRMBannerPart `json:"components"`
	Type       string           `json:"type,omitempty"`
	Modifier   string           `json:"modifier,omitempty"`
	Degrees    int              `json:"degrees,omitempty" doc:"round a roundabout; 180 is straight through"`
	Side       string           `json:"driving_side,omitempty" enum:"left,right"`
}

// OSRMBannerPart is a piece of a line.
type OSRMBannerPart struct {
	Text       string   `json:"text"`
	Type       string   `json:"type" enum:"text,icon,delimiter,exit,exit-number,lane"`
	Directions []string `json:"directions,omitempty"`
	Active     bool     `json:"active,omitempty"`
	Take       string   `json:"active_direction,omitempty"`
}

// OSRMWaypoint is a coordinate on the road.
type OSRMWaypoint struct {
	Name     string    `json:"name" doc:"always empty"`
	Location []float64 `json:"location" minItems:"2" maxItems:"2" doc:"lon, lat"`
	Distance float64   `json:"distance" doc:"metres from the coordinate"`
}
