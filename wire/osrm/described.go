package osrm

// The types of this file describe the parts of answers in the document, where their names
// begin with OSRM. The writers in answer_*.go write the members one by one;
// TestAnswersAreDescribed compares both.

// Via is a coordinate that is passed within a leg.
type Via struct {
	Distance float64 `json:"distance_from_start" doc:"metres along the leg"`
	Geometry int     `json:"geometry_index" doc:"point of the leg's line"`
	Waypoint int     `json:"waypoint_index"`
}

// Annotation describes each piece of a leg's line, in the lists of the request.
type Annotation struct {
	Distance []float64 `json:"distance,omitempty" doc:"metres"`
	Duration []float64 `json:"duration,omitempty" doc:"seconds, junctions apart"`
	Speed    []float64 `json:"speed,omitempty" doc:"metres a second"`
	Weight   []float64 `json:"weight,omitempty"`
	Nodes    []*int64  `json:"nodes,omitempty" doc:"OpenStreetMap nodes of the points, one more than pieces; null for an end within a road"`
	Sources  []int     `json:"datasources,omitempty" doc:"index into metadata.datasource_names"`
	Limits   []Limit   `json:"maxspeed,omitempty" doc:"as posted"`
	Metadata *Sources  `json:"metadata,omitempty"`
}

// Limit is a posted limit, or that none is known.
type Limit struct {
	Speed   int    `json:"speed,omitempty"`
	Unit    string `json:"unit,omitempty" enum:"km/h,mph"`
	Unknown bool   `json:"unknown,omitempty" doc:"true where no limit is known"`
}

// Sources names where speeds are from.
type Sources struct {
	Names []string `json:"datasource_names"`
}

// Step is a manoeuvre and the way to the next.
type Step struct {
	Distance      float64        `json:"distance" doc:"metres"`
	Duration      float64        `json:"duration" doc:"seconds"`
	Weight        float64        `json:"weight"`
	Geometry      any            `json:"geometry"`
	Name          string         `json:"name" doc:"of the road; empty where it has none"`
	Ref           string         `json:"ref,omitempty" doc:"its numbers"`
	Destinations  string         `json:"destinations,omitempty" doc:"as signed"`
	Exits         string         `json:"exits,omitempty" doc:"number of the exit"`
	RotaryName    string         `json:"rotary_name,omitempty"`
	Mode          string         `json:"mode" enum:"driving,cycling,walking,pushing bike,ferry"`
	DrivingSide   string         `json:"driving_side" enum:"left,right"`
	LimitSign     string         `json:"speedLimitSign,omitempty" enum:"vienna,mutcd" doc:"of the country the step begins in"`
	LimitUnit     string         `json:"speedLimitUnit,omitempty" enum:"km/h,mph"`
	Maneuver      Maneuver       `json:"maneuver"`
	Landmark      string         `json:"landmark_instruction,omitempty" doc:"with landmarks, near a place that is well recognised"`
	Intersections []Intersection `json:"intersections" minItems:"1"`
	Voice         []Voice        `json:"voiceInstructions,omitempty" doc:"with voice_instructions"`
	Banners       []Banner       `json:"bannerInstructions,omitempty" doc:"with banner_instructions"`
}

// Maneuver is something to do.
type Maneuver struct {
	Type          string    `json:"type" enum:"depart,arrive,turn,continue,new name,end of road,fork,merge,on ramp,off ramp,roundabout,rotary,exit roundabout,exit rotary,notification"`
	Modifier      string    `json:"modifier,omitempty" enum:"uturn,sharp right,right,slight right,straight,slight left,left,sharp left"`
	Location      []float64 `json:"location" minItems:"2" maxItems:"2" doc:"lon, lat"`
	BearingBefore int       `json:"bearing_before" minimum:"0" maximum:"359"`
	BearingAfter  int       `json:"bearing_after" minimum:"0" maximum:"359"`
	Exit          int       `json:"exit,omitempty" doc:"of a roundabout, counted from the entry"`
	Instruction   string    `json:"instruction" doc:"in words, in the language asked for"`
}

// Intersection is a junction on the way.
type Intersection struct {
	Location []float64 `json:"location" minItems:"2" maxItems:"2" doc:"lon, lat"`
	Bearings []int     `json:"bearings" doc:"of the roads there, clockwise from north"`
	Entry    []bool    `json:"entry" doc:"which of them may be entered"`
	In       *int      `json:"in,omitempty" doc:"index of the road travelled before; its bearing leads back"`
	Out      *int      `json:"out,omitempty" doc:"index of the road travelled on"`
	Classes  []string  `json:"classes,omitempty" enum:"toll,motorway,ferry,tunnel,restricted"`
	Lanes    []Lane    `json:"lanes,omitempty" doc:"on the first intersection of the step before a manoeuvre; absent where nothing is known"`
	Geometry int       `json:"geometry_index" doc:"point of the leg's line"`

	Duration     *float64 `json:"duration,omitempty" doc:"seconds to the next intersection, with what is lost at this one; those of a step add up to its duration"`
	Weight       *float64 `json:"weight,omitempty" doc:"likewise"`
	TurnDuration float64  `json:"turn_duration,omitempty" doc:"seconds lost at this intersection"`
	TurnWeight   float64  `json:"turn_weight,omitempty"`
	Admin        *int     `json:"admin_index,omitempty" doc:"of the leg's admins; absent where the country is not known"`

	TunnelName      string   `json:"tunnel_name,omitempty"`
	TollCollection  *Tolling `json:"toll_collection,omitempty"`
	TrafficSignal   bool     `json:"traffic_signal,omitempty" doc:"as the next three: present where it stands on the map and faces the traveller"`
	StopSign        bool     `json:"stop_sign,omitempty"`
	YieldSign       bool     `json:"yield_sign,omitempty"`
	RailwayCrossing bool     `json:"railway_crossing,omitempty"`
	Urban           *bool    `json:"is_urban,omitempty" doc:"on POST /route where filters include edge.is_urban"`
}

// Tolling is where a toll is paid.
type Tolling struct {
	Type string `json:"type" enum:"toll_booth,toll_gantry"`
}

// Admin is a country.
type Admin struct {
	Code   string `json:"iso_3166_1" doc:"two letters"`
	Alpha3 string `json:"iso_3166_1_alpha3,omitempty" doc:"three letters"`
}

// Lane is a lane before a manoeuvre, from left to right.
type Lane struct {
	Indications []string `json:"indications"`
	Valid       bool     `json:"valid" doc:"leads on along the route"`
	Active      bool     `json:"active" doc:"is the one to be in; implies valid"`
	Take        string   `json:"valid_indication,omitempty"`
}

// Voice is something to say.
type Voice struct {
	At           float64 `json:"distanceAlongGeometry" doc:"metres before the next manoeuvre; falling within a step"`
	Announcement string  `json:"announcement"`
	SSML         string  `json:"ssmlAnnouncement"`
}

// Banner is something to show.
type Banner struct {
	At        float64     `json:"distanceAlongGeometry" doc:"metres before the next manoeuvre; falling within a step"`
	Primary   BannerText  `json:"primary"`
	Secondary *BannerText `json:"secondary,omitempty"`
	Sub       *BannerText `json:"sub,omitempty" doc:"lanes, or what follows at once"`
}

// BannerText is a line of a banner.
type BannerText struct {
	Text       string       `json:"text"`
	Components []BannerPart `json:"components"`
	Type       string       `json:"type,omitempty"`
	Modifier   string       `json:"modifier,omitempty"`
	Degrees    int          `json:"degrees,omitempty" doc:"round a roundabout; 180 is straight through"`
	Side       string       `json:"driving_side,omitempty" enum:"left,right"`
}

// BannerPart is a piece of a line.
type BannerPart struct {
	Text       string   `json:"text"`
	Type       string   `json:"type" enum:"text,icon,delimiter,exit,exit-number,lane"`
	Directions []string `json:"directions,omitempty"`
	Active     bool     `json:"active,omitempty"`
	Take       string   `json:"active_direction,omitempty"`
}

// Waypoint is a coordinate on the road.
type Waypoint struct {
	Name     string    `json:"name" doc:"always empty"`
	Location []float64 `json:"location" minItems:"2" maxItems:"2" doc:"lon, lat"`
	Distance float64   `json:"distance" doc:"metres from the coordinate"`
}

// NearRoad is a road near a coordinate.
type NearRoad struct {
	Name     string    `json:"name" doc:"always empty"`
	Location []float64 `json:"location" minItems:"2" maxItems:"2" doc:"lon, lat on the road"`
	Distance float64   `json:"distance" doc:"metres"`
	Nodes    []int64   `json:"nodes" minItems:"2" maxItems:"2" doc:"OpenStreetMap nodes beside the place, in the direction of the way, or of travel where there is but one; 0 where not known"`
}

// Tracepoint is where a position of a trace was matched, or null.
type Tracepoint struct {
	_            struct{}  `nullable:"true"`
	Matching     int       `json:"matchings_index" minimum:"0"`
	Waypoint     *int      `json:"waypoint_index,omitempty" nullable:"true" minimum:"0" doc:"among those of its matching; null where no leg begins or ends at it"`
	Alternatives int       `json:"alternatives_count" minimum:"0"`
	Name         string    `json:"name" doc:"always empty"`
	Location     []float64 `json:"location" minItems:"2" maxItems:"2" doc:"lon, lat on the road"`
	Distance     float64   `json:"distance" doc:"metres from the position"`
}

// TripWaypoint is a coordinate and its place in the trip.
type TripWaypoint struct {
	Waypoint
	Trip  int `json:"trips_index" minimum:"0"`
	Place int `json:"waypoint_index" minimum:"0" doc:"place in the trip"`
}
