package valhalla

// The types of this file describe the parts of routes in the document. The writer in answer_route.go
// writes the members one by one; TestRoutesAreDescribed compares both.

// AlternateVia is where an alternate leads.
type AlternateVia struct {
	Lat float64 `json:"lat"`
	Lon float64 `json:"lon"`
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

// TripLocation is a place that a route goes through, as it was asked for.
type TripLocation struct {
	Lat      float64  `json:"lat"`
	Lon      float64  `json:"lon"`
	Type     string   `json:"type" enum:"break,through,via,break_through"`
	Name     string   `json:"name,omitempty"`
	Heading  *float64 `json:"heading,omitempty" doc:"degrees"`
	DateTime string   `json:"date_time,omitempty" doc:"with date_time: when one is there, local"`
	Offset   string   `json:"time_zone_offset,omitempty" doc:"of that time, such as +02:00"`
	Zone     string   `json:"time_zone_name,omitempty" doc:"of that time, such as Europe/Paris"`
	Side     string   `json:"side_of_street,omitempty" enum:"left,right" doc:"where it lies as one passes; absent where that is not known"`
	Index    int      `json:"original_index" minimum:"0" doc:"place in the request"`
}

// Maneuver is something to do, and the way to the next.
type Maneuver struct {
	Type        int            `json:"type" minimum:"0" doc:"kind, as Valhalla numbers them"`
	Instruction string         `json:"instruction,omitempty" doc:"to read"`
	Alert       string         `json:"verbal_transition_alert_instruction,omitempty" doc:"to say well before"`
	Succinct    string         `json:"verbal_succinct_transition_instruction,omitempty" doc:"to say where there is little time"`
	Pre         string         `json:"verbal_pre_transition_instruction,omitempty" doc:"to say just before"`
	Post        string         `json:"verbal_post_transition_instruction,omitempty" doc:"to say after"`
	MultiCue    bool           `json:"verbal_multi_cue,omitempty" doc:"the next follows at once and is said too"`
	Names       []string       `json:"street_names,omitempty"`
	BeginNames  []string       `json:"begin_street_names,omitempty" doc:"where the first stretch has others"`
	Before      *int           `json:"bearing_before,omitempty" minimum:"0" maximum:"360" doc:"degrees"`
	After       *int           `json:"bearing_after,omitempty" minimum:"0" maximum:"360" doc:"degrees"`
	Time        float64        `json:"time" doc:"seconds"`
	Length      float64        `json:"length" doc:"in units"`
	Cost        float64        `json:"cost" doc:"what the costing weighs"`
	Begin       int            `json:"begin_shape_index" minimum:"0"`
	End         int            `json:"end_shape_index" minimum:"0"`
	Toll        bool           `json:"toll,omitempty"`
	Highway     bool           `json:"highway,omitempty"`
	Ferry       bool           `json:"ferry,omitempty"`
	Rough       bool           `json:"rough,omitempty" doc:"unpaved"`
	Gate        bool           `json:"gate,omitempty"`
	Timed       bool           `json:"has_time_restrictions,omitempty"`
	Sign        *ManeuverSign  `json:"sign,omitempty"`
	Exits       int            `json:"roundabout_exit_count,omitempty" doc:"of a roundabout, counted from the entry"`
	Mode        string         `json:"travel_mode" enum:"drive,pedestrian,bicycle"`
	Kind        string         `json:"travel_type" doc:"kind of vehicle or walker"`
	Lanes       []ManeuverLane `json:"lanes,omitempty" doc:"with turn_lanes, from left to right"`
	Landmark    string         `json:"landmark_instruction,omitempty" doc:"with landmarks, near a place that is well recognised"`
}

// ManeuverSign has the texts of signs.
type ManeuverSign struct {
	Number []SignElement `json:"exit_number_elements,omitempty"`
	Branch []SignElement `json:"exit_branch_elements,omitempty"`
	Toward []SignElement `json:"exit_toward_elements,omitempty"`
	Name   []SignElement `json:"exit_name_elements,omitempty"`
}

// SignElement is a line of a sign.
type SignElement struct {
	Text  string `json:"text"`
	Count int    `json:"consecutive_count,omitempty" doc:"on how many signs in a row"`
}

// ManeuverLane is a lane before a manoeuvre; its arrows are bits, as Valhalla has
// them.
type ManeuverLane struct {
	Directions int `json:"directions" doc:"all arrows"`
	Valid      int `json:"valid,omitempty" doc:"the arrow to follow, of a lane that leads on"`
	Active     int `json:"active,omitempty" doc:"the arrow to follow, of a lane to be in"`
}
