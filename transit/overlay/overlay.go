// Package overlay has the changes of trip updates to a timetable.
//
// Trips do not run, calls are left out, and vehicles are expected at other times.
package overlay

import (
	"iter"
	"time"

	"github.com/waygate/waygate/feed/tripupdate"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
)

// Overlay is made for one timetable, never changes, and has nothing of the timetable's
// memory. A nil Overlay changes nothing.
type Overlay struct {
	runs   map[key]*run
	late   int32 // seconds, of the latest departure that is known
	counts Counts
}

// key is one run of a trip. Start is that of a run of a headway, else noStart.
type key struct {
	trip  uint32
	day   gtfs.Date
	start int32
}

const noStart = -1

// run has the known calls of one run of a trip.
type run struct {
	cancelled bool
	seen      time.Time // when this was so
	calls     []timetable.Call
	marks     []uint8 // of each call
}

// Marks of a call.
const (
	arrivalKnown = 1 << iota
	departureKnown
	skipped
)

// Counts says what became of updates.
type Counts struct {
	Joined    int            // updates of trips of the timetable
	Added     int            // of trips that the timetable does not have: added, duplicated, replaced, and without times
	Unmatched map[string]int // of no trip that was found, by reason
	Surplus   int            // calls of joined updates at stops where the trip does not call
}

// Count returns how the updates were treated; the zero value of a nil Overlay.
func (o *Overlay) Count() Counts {
	if o == nil {
		return Counts{}
	}
	return o.counts
}

// Cancelled reports whether a trip does not run on a service day.
func (o *Overlay) Cancelled(trip uint32, day gtfs.Date) bool {
	r := o.run(trip, day, noStart)
	return r != nil && r.cancelled
}

// Calls returns the calls of a whole trip on a service day with what is known of its delay,
// in seconds of that day; nil where the timetable is all that is known. They are in order,
// also where the updates are not. A call that is left out has the time at which the vehicle
// goes by: Skips reports it. The slice must not be changed. A trip that repeats at headways
// has none: it is many runs.
func (o *Overlay) Calls(trip uint32, day gtfs.Date) []timetable.Call {
	if r := o.run(trip, day, noStart); r != nil {
		return r.calls
	}
	return nil
}

// Skips reports whether a trip leaves out one of its calls on a service day.
func (o *Overlay) Skips(trip uint32, day gtfs.Date, position int) bool {
	r := o.run(trip, day, noStart)
	return r != nil && position < len(r.marks) && r.marks[position]&skipped != 0
}

// HasPrediction reports whether the times of one call of a trip on a service day are expected ones,
// and not those of the timetable.
func (o *Overlay) HasPrediction(trip uint32, day gtfs.Date, position int) bool {
	r := o.run(trip, day, noStart)
	return r != nil && position < len(r.marks) && r.marks[position]&departureKnown != 0
}

// Trips yields the trips of which something is known, with the service day, in no order.
func (o *Overlay) Trips() iter.Seq2[uint32, gtfs.Date] {
	return func(yield func(uint32, gtfs.Date) bool) {
		if o == nil {
			return
		}
		for k, r := range o.runs {
			if k.start == noStart && (r.cancelled || r.calls != nil) && !yield(k.trip, k.day) {
				return
			}
		}
	}
}

// Latest is by how long the latest departure that is known is late.
func (o *Overlay) Latest() time.Duration {
	if o == nil {
		return 0
	}
	return time.Duration(o.late) * time.Second
}

// DepartureUpdate is the report of updates on one departure.
type DepartureUpdate struct {
	Cancelled bool      // the trip does not run
	Skipped   bool      // it leaves the call out
	At        time.Time // when the vehicle is expected to leave; zero where that is not known
	Seen      time.Time // when this was so
}

// Departure returns what updates say of a departure of the timetable; false where they say
// nothing of it.
func (o *Overlay) Departure(x *timetable.Index, d timetable.Departure) (DepartureUpdate, bool) {
	r := o.run(d.Trip, d.Day, noStart)
	if r == nil && o != nil && len(o.runs) > 0 {
		r = o.run(d.Trip, d.Day, x.RunStart(d))
	}
	if r == nil {
		return DepartureUpdate{}, false
	}
	n := DepartureUpdate{Cancelled: r.cancelled, Seen: r.seen}
	if n.Cancelled || d.Position >= len(r.marks) {
		return n, n.Cancelled
	}
	mark := r.marks[d.Position]
	n.Skipped = mark&skipped != 0
	if mark&departureKnown != 0 && !n.Skipped {
		zone := x.LineZone(x.LineOf(d))
		n.At = d.Day.Begin(zone).Add(time.Duration(r.calls[d.Position].Depart) * time.Second)
	}
	return n, n.Skipped || !n.At.IsZero()
}

func (o *Overlay) run(trip uint32, day gtfs.Date, start int32) *run {
	if o == nil {
		return nil
	}
	return o.runs[key{trip, day, start}]
}

// Source is the updates of one document.
type Source struct {
	Updates []tripupdate.Update
	At      time.Time // when it was made
}

// Build joins updates to a timetable. Of several updates of one run the newest counts, and
// of equally new ones the last.
func Build(x *timetable.Index, sources []Source) *Overlay {
	j := &joiner{x: x, o: &Overlay{runs: map[key]*run{}, counts: Counts{Unmatched: map[string]int{}}}, stops: map[string][]uint32{}, loops: map[*uint32]bool{}}
	for _, s := range sources {
		for i := range s.Updates {
			j.join(&s.Updates[i], s.At)
		}
	}
	return j.o
}
