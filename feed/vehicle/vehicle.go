// Package vehicle reads where vehicles of public transport are: SIRI-VM and GTFS-Realtime.
package vehicle

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/feed/realtime"
	"github.com/waygate/waygate/geo"
)

// SIRI is the format of sources of SIRI-VM.
const SIRI = "siri-vm"

// StaleAfter is the age of the newest position from which a feed counts as stale.
const StaleAfter = 180 * time.Second

// oldest is how old a position may be that is taken: feeds keep vehicles that have been
// parked for days.
const oldest = time.Hour

// aheadAtMost is how far the time of a position may be ahead of ours.
const aheadAtMost = 2 * time.Minute

// Vehicle is where a vehicle was.
type Vehicle struct {
	ID          string // of the vehicle, as its operator numbers it
	Operator    string // code; "" where the source has none
	Line        string // as passengers know it; "" where the source has none
	Direction   string // outbound, inbound or ""
	Origin      string // name; "" where the source has none
	Destination string
	Trip        string // id in the timetable of the source; "" where it has none
	Route       string // id of the line in the timetable of the source
	StartDate   string // service day of the trip, YYYYMMDD; "" where the source has none
	At          geo.Point
	Bearing     int // degrees clockwise from north, -1 where it is not known
	Seen        time.Time
}

// Kind describes feeds of vehicles.
func Kind() feed.Kind[[]Vehicle] {
	return feed.Kind[[]Vehicle]{
		Read: read, Every: 30 * time.Second, StaleAfter: StaleAfter, MayBeEmpty: true, Check: realtime.Check(SIRI),
	}
}

// read reads a document of either format.
func read(ctx context.Context, in *feed.Input, _ []Vehicle) ([]Vehicle, int, error) {
	r := &reader{in: in, at: map[string]int{}}
	siri, err := realtime.IsSIRI(in, SIRI)
	if err != nil {
		return nil, 0, err
	}
	if siri {
		err = r.readSIRI(ctx)
	} else {
		err = r.readGTFSRealtime(ctx)
	}
	return r.list, len(r.list), err
}

// reader collects vehicles.
type reader struct {
	in   *feed.Input
	list []Vehicle
	at   map[string]int // in list, by what a vehicle is known by
}

// mostVehicles bounds the vehicles of a feed.
const mostVehicles = 200_000

// take adds a vehicle, or puts a newer position in the place of an older one.
func (r *reader) take(v Vehicle) error {
	if len(r.list) == mostVehicles {
		return fmt.Errorf("it has more than %d vehicles", mostVehicles)
	}
	if reason := r.wrong(&v); reason != "" {
		r.in.Report.Reject(reason, "%s:%s", v.Operator, v.ID)
		return nil
	}
	name := v.Operator + ":" + v.ID
	if v.Operator == "" { // ids of vehicles repeat between operators
		name = v.Route + ":" + v.ID
	}
	n, there := r.at[name]
	if !there {
		r.at[name] = len(r.list)
		r.list = append(r.list, v)
		return nil
	}
	if v.Seen.After(r.list[n].Seen) {
		r.list[n] = v
	}
	r.in.Report.Reject("a vehicle twice, of which the newer position counts", "%s", name)
	return nil
}

// wrong is why a vehicle is not taken, "" where it is.
func (r *reader) wrong(v *Vehicle) string {
	switch {
	case v.ID == "":
		return "a vehicle without an id"
	case !v.At.Valid() || v.At == geo.Point{}:
		return "a position that is none, or 0,0"
	case v.Seen.IsZero():
		return "a position without a time"
	case v.Seen.After(r.in.Now.Add(aheadAtMost)):
		return "a time that is still to come"
	case v.Seen.Before(r.in.Now.Add(-oldest)):
		return "a position more than an hour old"
	}
	return ""
}

// direction reads what feeds write of directions.
func direction(text string) string {
	switch strings.ToLower(text) {
	case "outbound", "1", "out", "o":
		return "outbound"
	case "inbound", "2", "in", "i":
		return "inbound"
	}
	return ""
}
