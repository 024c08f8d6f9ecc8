package answer

import (
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/guidance"
)

// The native answer as its clients read it.

type nativeAnswer struct {
	Trip       nativeTrip        `json:"trip"`
	Alternates []nativeAlternate `json:"alternates,omitempty"`
	ID         string            `json:"id,omitempty"`
}

type nativeAlternate struct {
	Trip nativeTrip `json:"trip"`
}

type nativeTrip struct {
	Locations     []nativeLocation `json:"locations"`
	Legs          []nativeLeg      `json:"legs"`
	Summary       nativeSummary    `json:"summary"`
	StatusMessage string           `json:"status_message"`
	Status        int              `json:"status"`
	Units         string           `json:"units"`
	Language      string           `json:"language"`
}

type nativeLocation struct {
	Type          engine.Stop `json:"type"`
	Lat           float64     `json:"lat"`
	Lon           float64     `json:"lon"`
	Name          string      `json:"name,omitempty"`
	Heading       *float64    `json:"heading,omitempty"`
	DateTime      string      `json:"date_time,omitempty"`
	ZoneOffset    string      `json:"time_zone_offset,omitempty"`
	ZoneName      string      `json:"time_zone_name,omitempty"`
	SideOfStreet  string      `json:"side_of_street,omitempty"`
	OriginalIndex int         `json:"original_index"`
}

type nativeLeg struct {
	Maneuvers []nativeManeuver `json:"maneuvers,omitempty"`
	Summary   nativeSummary    `json:"summary"`
	Shape     any              `json:"shape,omitempty"` // string or lineString
}

type nativeSummary struct {
	Admins              []nativeAdmin    `json:"admins,omitzero"` // of legs, where asked for
	Crossings           []nativeCrossing `json:"admin_crossings,omitempty"`
	HasTimeRestrictions bool             `json:"has_time_restrictions"`
	HasToll             bool             `json:"has_toll"`
	HasHighway          bool             `json:"has_highway"`
	HasFerry            bool             `json:"has_ferry"`
	MinLat              float64          `json:"min_lat"`
	MinLon              float64          `json:"min_lon"`
	MaxLat              float64          `json:"max_lat"`
	MaxLon              float64          `json:"max_lon"`
	Time                float64          `json:"time"`
	Length              float64          `json:"length"`
	Cost                float64          `json:"cost"`

	// Of a leg alone: points of its shape and the floors from there on.
	LevelChanges [][2]float64 `json:"level_changes,omitempty"`
}

type nativeManeuver struct {
	Type                guidance.Type `json:"type"`
	Instruction         string        `json:"instruction,omitempty"`
	Alert               string        `json:"verbal_transition_alert_instruction,omitempty"`
	Succinct            string        `json:"verbal_succinct_transition_instruction,omitempty"`
	Pre                 string        `json:"verbal_pre_transition_instruction,omitempty"`
	Post                string        `json:"verbal_post_transition_instruction,omitempty"`
	StreetNames         []string      `json:"street_names,omitempty"`
	BeginStreetNames    []string      `json:"begin_street_names,omitempty"`
	BearingBefore       *int          `json:"bearing_before,omitempty"`
	BearingAfter        *int          `json:"bearing_after,omitempty"`
	Time                float64       `json:"time"`
	Length              float64       `json:"length"`
	Cost                float64       `json:"cost"`
	BeginShapeIndex     int           `json:"begin_shape_index"`
	EndShapeIndex       int           `json:"end_shape_index"`
	Toll                bool          `json:"toll,omitempty"`
	Highway             bool          `json:"highway,omitempty"`
	Ferry               bool          `json:"ferry,omitempty"`
	Rough               bool          `json:"rough,omitempty"`
	Gate                bool          `json:"gate,omitempty"`
	HasTimeRestrictions bool          `json:"has_time_restrictions,omitempty"`
	Sign                *nativeSign   `json:"sign,omitempty"`
	RoundaboutExitCount int           `json:"roundabout_exit_count,omitempty"`
	VerbalMultiCue      bool          `json:"verbal_multi_cue,omitempty"`
	TravelMode          string        `json:"travel_mode"`
	TravelType          string        `json:"travel_type"`
	Lanes               []nativeLane  `json:"lanes,omitempty"`
}

type nativeLane struct {
	Directions guidance.Directions `json:"directions"`
	Valid      guidance.Directions `json:"valid,omitempty"`
	Active     guidance.Directions `json:"active,omitempty"`
}

type nativeSign struct {
	Number []signText `json:"exit_number_elements,omitempty"`
	Branch []signText `json:"exit_branch_elements,omitempty"`
	Toward []signText `json:"exit_toward_elements,omitempty"`
	Name   []signText `json:"exit_name_elements,omitempty"`
}

type signText struct {
	Text  string `json:"text"`
	Count int    `json:"consecutive_count,omitempty"`
}

type nativeAdmin struct {
	CountryCode string `json:"country_code"`
	CountryText string `json:"country_text"`
	StateCode   string `json:"state_code"`
	StateText   string `json:"state_text"`
}

type nativeCrossing struct {
	From  int `json:"from_admin_index"`
	To    int `json:"to_admin_index"`
	Begin int `json:"begin_shape_index"`
	End   int `json:"end_shape_index"`
}
