// Package tripupdate reads trip updates: GTFS-Realtime and SIRI-ET.
//
// They say how trips of public transport differ from their timetable.
package tripupdate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/realtime"
)

// SIRI is the format of sources of SIRI-ET.
const SIRI = "siri-et"

// StaleAfter is the age of a document from which it says nothing live any more.
const StaleAfter = 180 * time.Second

// Relation is how a trip or a call is related to the timetable.
type Relation uint8

// The relations. Added, Duplicated and Unscheduled are of trips alone, Skipped and NoData of
// calls.
const (
	Scheduled Relation = iota
	Cancelled
	Added       // no trip of the timetable, or one in place of another
	Duplicated  // another run of a trip of the timetable
	Unscheduled // of a trip that has no times of its own
	Skipped     // the vehicle does not call there
	NoData      // nothing is known from there on
)

// Update is a document's report on one trip.
type Update struct {
	Trip      string // id in the timetable; "" where the document has none
	Route     string // id of the line in the timetable; "" where there is none
	Line      string // as passengers know it; "" where there is none
	Operator  string // code; "" where there is none
	Direction int8   // 0 outbound, 1 inbound, -1 not known
	StartDate string // service day, YYYYMMDD; "" where there is none
	StartTime int32  // seconds of the service day of the first departure, Unknown where there is none
	Relation  Relation
	Seen      time.Time // when this was so; zero where the document has no time of its own for it
	Delay     int32     // seconds, of the whole trip, Unknown where there is none
	Calls     []Call    // in the order of the trip
	// The first call that leaves and the last that arrives at a time of the timetable which the
	// document repeats, by which a trip without an id is found. Stop is "" where there is none.
	Leaves, Arrives Aimed
}

// Aimed is a time of the timetable.
type Aimed struct {
	Stop string
	At   time.Time
}

// Call is the report on a trip's call.
type Call struct {
	Stop     string // id; "" where it is known by its sequence alone
	Sequence int32  // stop_sequence of the timetable, Unknown where there is none
	Arrive   Event
	Depart   Event
	Relation Relation
}

// Event is when a vehicle comes or leaves: At, or where that is 0 so many seconds after the
// time of the timetable. Of the zero value and one with Delay Unknown nothing is known.
type Event struct {
	At    int64 // seconds since 1970
	Delay int32
	Known bool
}

// Unknown stands for a number that is not given.
const Unknown = math.MinInt32

// Kind describes feeds of trip updates.
func Kind() feed.Kind[[]Update] {
	return feed.Kind[[]Update]{
		Read: read, Every: 30 * time.Second, StaleAfter: StaleAfter, MayBeEmpty: true, Check: realtime.Check(SIRI),
	}
}

// read reads a document of either format.
func read(ctx context.Context, in *feed.Input, _ []Update) ([]Update, int, error) {
	r := &reader{in: in, words: map[string]string{}}
	siri, err := realtime.IsSIRI(in, SIRI)
	if err != nil {
		return nil, 0, err
	}
	if siri {
		err = r.readSIRI(ctx)
	} else {
		err = realtime.EachEntity(ctx, in, entityTripUpdate, r.update)
	}
	return r.list, len(r.list), err
}

// reader collects updates.
type reader struct {
	in    *feed.Input
	list  []Update
	calls int
	words map[string]string // ids that repeat, each kept once
	room  []Call            // in which the calls of an update are collected
}

// Bounds of a feed.
const (
	mostUpdates = 200_000
	mostCalls   = 1_500_000 // of all updates
	mostOfTrip  = 2_000     // calls of one update
)

// once returns a text that is kept once for all updates.
func (r *reader) once(text []byte) string {
	if known, there := r.words[string(text)]; there {
		return known
	}
	word := realtime.Word(text)
	r.words[word] = word
	return word
}

// take adds an update.
func (r *reader) take(u *Update) error {
	switch {
	case len(r.list) == mostUpdates:
		return fmt.Errorf("it has more than %d trips", mostUpdates)
	case r.calls+len(u.Calls) > mostCalls:
		return fmt.Errorf("its trips have more than %d calls", mostCalls)
	case u.Trip == "" && u.Route == "" && u.Line == "":
		r.in.Report.Reject("an update of no trip and no route", "at %s", u.Seen.UTC().Format(time.RFC3339))
		return nil
	case len(u.Calls) > mostOfTrip:
		r.in.Report.Reject("a trip of too many calls", "%s has %d, and at most %d are read", u.Trip, len(u.Calls), mostOfTrip)
		return nil
	}
	r.calls += len(u.Calls)
	r.room, u.Calls = u.Calls[:0], slices.Clone(u.Calls)
	r.list = append(r.list, *u)
	return nil
}
