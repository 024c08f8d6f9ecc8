// Package journey finds journeys by public transport in a timetable.
//
// The search is RAPTOR (Delling, Pajor and Werneck, Round-Based Public Transit Routing,
// ALENEX 2012): in each round one more vehicle is boarded. Journeys of a window of time are
// found departure by departure, the last first, with labels that stay (rRAPTOR, the same
// paper). A search for the latest departure before an arrival is the same search with the
// time turned round, from the destination.
//
// Before the rounds the vehicles of the day are swept in the order of their departures, once
// from either end: rounds board only trips that can still be of use by that.
//
// # What is best
//
// A journey is in the answer if no other is at least as good in all of these and better in
// one:
//
//   - it departs later (in a Window only),
//   - it arrives earlier (with ArriveBy and no Window: it departs later),
//   - it has fewer rides,
//   - it walks less, in steps: each walk counts its time divided by WalkStep and rounded,
//     and a sum of MostSteps or more counts as MostSteps.
//
// What arrives more than Slack later than another that departs no earlier does not count
// (with ArriveBy and no Window: what departs as much earlier), however few its rides are.
// Of journeys that are equal in all these the answer has one. The walk all the way
// (Query.Direct) counts as a journey without rides. No journey is longer than Longest,
// waiting included.
//
// # Times
//
// Times of a trip count from noon minus twelve hours of its service day in the zone of its
// agency. Trips of yesterday that go on after midnight are there beside those of today.
//
// Where a line has a headway and no exact times (exact_times=0 in frequencies.txt), no
// vehicle is promised: who comes to the stop is counted to wait a whole headway, the
// longest wait that the timetable allows, and to ride as long as the trip takes. The
// departures that a Window has of such a line are at the times that its board shows: one
// comes to the stop then, and Leg.Every gives the headway.
//
// # Changes
//
// A change from a vehicle to another takes the walk between their stops, or
// Query.MinChange where that is longer. Where the timetable gives a time for it
// (transfer_type 2), that takes the place of MinChange; where the other vehicle waits
// (transfer_type 1) only the walk counts. Rules of stops are overridden by those of lines
// and of trips, and changes that a rule forbids are not made. Who stays seated in a
// vehicle that goes on as another trip does not change, and the two are one ride.
package journey

import (
	"time"

	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
)

// Bounds of a search.
const (
	Longest      = 24 * time.Hour // of a journey from its departure, or in a search at one time from there
	Slack        = time.Hour
	MostRides    = 10
	DefaultRides = 6
	LongestAhead = 24 * time.Hour // Window
	WalkStep     = 300            // seconds of walking that count as one step
	MostSteps    = 7              // more steps of walking count as that many
)

// Access is a stop that can be walked to from the origin, or from which the destination can
// be reached on foot. A station stands for its stops.
type Access struct {
	Stop    uint32
	Seconds int32
}

// Walk is a way on foot to another stop.
type Walk struct {
	To      uint32
	Seconds int32
}

// Query is a search for journeys.
type Query struct {
	From, To []Access
	Direct   int32         // seconds of walking all the way; -1 where that is not possible
	At       time.Time     // of the departure from the origin, or of the arrival at the destination
	ArriveBy bool          // At is the latest arrival
	Window   time.Duration // 0: the best from At on, or until At; else all that depart from At until before At+Window, or that arrive until At and after At-Window
	MaxRides int           // vehicles to board; 0 for DefaultRides
	Modes    timetable.Modes
	// MinChange is the least seconds between leaving a vehicle and boarding another, where
	// the timetable does not have a time for that.
	MinChange int32
	// InPlace allows changes at one stop and by the ways within stations that the timetable
	// states, and in Reach no other walk after the last vehicle.
	InPlace bool
	Live    *Live // nil where everything is as the timetable has it
}

// Journey is a way from the origin to the destination.
type Journey struct {
	Depart, Arrive time.Time // in UTC
	Rides          int       // vehicles boarded
	Walk           int32     // seconds
	Legs           []Leg
}

// Leg is a walk, or a ride on one trip.
type Leg struct {
	Ride           bool
	Walk           int32     // seconds of a walk
	From, To       uint32    // stops, timetable.None for the origin or the destination
	Depart, Arrive time.Time // in UTC
	// The rest is of rides alone.
	Pattern, Trip            uint32
	Day                      gtfs.Date // of service
	FromPosition, ToPosition int       // calls of the pattern
	// Every is the headway in seconds where the times are not exact, else 0. Depart is then
	// the latest: the vehicle comes at any time in the headway before.
	Every      int32
	StaySeated bool // the vehicle of the ride before went on as this trip
}

// Change is a change of a trip on a day.
type Change struct {
	Trip      uint32
	Day       gtfs.Date
	Cancelled bool
	// Calls has the times of each call of the trip's pattern, or Skipped. It is not read of
	// a trip that is cancelled, and not taken of trips that have a headway.
	Calls []timetable.Call
}
