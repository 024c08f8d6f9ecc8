package engine

import (
	"slices"
	"time"

	"github.com/waygate/waygate/geo"
)

// Conditions change the roads for one request. The zero value changes nothing.
type Conditions struct {
	ExcludePolygons  []geo.Ring // nothing in one or across it is travelled
	ExcludeAreas     []Area     // nor what lies in one of these
	ExcludeLocations []Location // nor the roads at these places; only where they are counts
	When             *When      // nil where the request has no time: what is closed at times is open
	SpeedTypes       []string   // sources of speed that count: "freeflow", "constrained", "predicted", "current"; nil is all
}

// Area is one that is kept out of, such as a zone that charges. Requests that name
// the same shape share what an engine works out for it.
type Area struct {
	Name  string // for failures
	Shape *geo.Area
}

// Wants reports whether a source of speed counts.
func (b *Conditions) Wants(speed string) bool {
	return b.SpeedTypes == nil || slices.Contains(b.SpeedTypes, speed)
}

// When is the time of a journey.
type When struct {
	Type  TimeType
	Local time.Time // date and time of day where the journey is, in the location UTC; not of Now
}

// TimeType says whether a time is the departure or the arrival.
type TimeType uint8

// The types, with Valhalla's numbers.
const (
	Now       TimeType = iota // setting out at once
	Depart                    // setting out
	Arrive                    // being there
	Invariant                 // the whole journey: time stands still
)

// TimeForm is how a local time is written.
const TimeForm = "2006-01-02T15:04"
