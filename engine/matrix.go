package engine

import (
	"encoding/json"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
)

// MatrixRequest is a request for the ways from every source to every target. It is
// checked before an engine sees it.
type MatrixRequest struct {
	Sources, Targets []Location // one or more of each; stops and sides as at the ends of a route
	Costing          costing.Costing
	Options          costing.Settings
	// Conditions hold for all ways. A time of departure is that of every source, one
	// of arrival that of every target.
	Conditions
	// Times are those of departure of each source or, of type Arrive, those of arrival at each
	// target, in place of that of the conditions; nil where the places have none of their own.
	Times []When
	// Extra holds members of a native request that the gateway has no use
	// for; see RouteRequest.
	Extra map[string]json.RawMessage
}

// MatrixAnswer has the times and lengths of the ways.
type MatrixAnswer struct {
	Cells   [][]MatrixCell // by source, then target
	Sources []Snapped
	Targets []Snapped
	// Begin are the local times of departure by source, or with Arrives those of arrival by
	// target, held in UTC; nil where the request has none.
	Begin    []time.Time
	Arrives  bool
	Warnings []Warning
}

// At returns the local time at the other end of a way that begins, or with Arrives ends, at its
// time of Begin. Where the time zones of both ends are known it is in that of the other end; else
// zoned is false, and the clocks are those at the end whose time the request has.
func (a *MatrixAnswer) At(source, target int) (at time.Time, zoned bool) {
	took := time.Duration(a.Cells[source][target].Seconds * float64(time.Second))
	known, other, b := a.Sources[source].Zone, a.Targets[target].Zone, time.Time{}
	if a.Arrives {
		known, other, took, b = other, known, -took, a.Begin[target]
	} else {
		b = a.Begin[source]
	}
	if known == nil || other == nil {
		return b.Add(took), false
	}
	return time.Date(b.Year(), b.Month(), b.Day(), b.Hour(), b.Minute(), b.Second(), b.Nanosecond(), known).Add(took).In(other), true
}

// MatrixCell is the way from a source to a target.
type MatrixCell struct {
	Seconds, Metres float64 // of the cheapest way; nothing where there is none
	Reached         bool
}

// Snapped is a location on the network.
type Snapped struct {
	Point geo.Point // nothing where Miss is set
	// Miss says why the location is not on the network; "" where it is.
	Miss string
	// RoadM is how far a location that is not has it to the nearest road that it could use,
	// in metres; 0 where that is not known.
	RoadM float64
	// Zone is the time zone there, where the request has a time and the zone is known; else nil.
	Zone *time.Location
}

// Arrives reports whether the request has times of arrival.
func (r *MatrixRequest) Arrives() bool {
	if r.Times != nil {
		return r.Times[0].Type == Arrive
	}
	return r.When != nil && r.When.Type == Arrive
}
