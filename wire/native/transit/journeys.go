// Package transit is the requests about public transport.
package transit

import (
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
)

// JourneysRequest is the body of POST /v1/transit/journeys.
type JourneysRequest struct {
	From         native.Position `json:"from"`
	To           native.Position `json:"to"`
	At           *time.Time      `json:"at,omitempty" doc:"when to set out, or with arrive_by to be there: RFC 3339 with an offset from UTC; now without it"`
	ArriveBy     bool            `json:"arrive_by,omitempty" doc:"at is the latest arrival"`
	Window       *int            `json:"window_minutes,omitempty" minimum:"0" maximum:"180" default:"60" doc:"journeys that set out within so long from at, or with arrive_by arrive within so long before it; 0 asks for the best at that time alone, and has no pages"`
	Limit        int             `json:"limit,omitempty" minimum:"1" maximum:"10" default:"5" doc:"journeys of an answer; next has those that follow"`
	MaxChanges   *int            `json:"max_changes,omitempty" minimum:"0" maximum:"6" default:"4"`
	MaxWalk      *float64        `json:"max_walk_m,omitempty" minimum:"0" maximum:"5000" default:"1500" unit:"metres" doc:"of the walk to the first stop, of that from the last, and of one all the way"`
	WalkingSpeed float64         `json:"walking_speed,omitempty" minimum:"0.5" maximum:"25" default:"5.1" unit:"km/h" doc:"km/h, as the option of the costing pedestrian. Changes are given at least the time of the usual 5.1 km/h"`
	MinChange    *int            `json:"min_change_s,omitempty" minimum:"0" maximum:"1800" default:"60" unit:"seconds" doc:"least time between two vehicles, where the timetable has none"`
	Modes        []string        `json:"modes,omitempty" maxItems:"8" enum:"other,bus,coach,tram,metro,rail,ferry,cable_car" doc:"kinds of vehicle; all without it"`
	Wheelchair   bool            `json:"wheelchair,omitempty" doc:"only trips and stops that the timetable states to be accessible by wheelchair, and ways without steps; what is not known counts as not accessible. Within a station it goes by pathways of the timetable without stairs and escalators, with a slope of 1:12 at most and 0.75 m wide where that is stated"`
	Page         string          `json:"page,omitempty" maxLength:"100" doc:"previous or next of an answer, beside the same other members"`
}

// Points returns the places that the caller gives.
func (r *JourneysRequest) Points() []geo.Point { return []geo.Point{r.From.Point(), r.To.Point()} }
