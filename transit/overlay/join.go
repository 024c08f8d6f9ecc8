package overlay

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/feed/tripupdate"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
)

// joiner joins updates to a timetable.
type joiner struct {
	x       *timetable.Index
	o       *Overlay
	stops   map[string][]uint32 // by id
	loops   map[*uint32]bool    // whether a trip calls somewhere twice, by the first of its stops
	at      []int               // position of each call of an update, none where it has none
	scratch aligner
}

// none stands for no position.
const none = -1

// Reasons why an update belongs to no trip.
const (
	noTrip      = "the timetable does not have the trip"
	noRun       = "the trip does not run on its day"
	noSuchStart = "no trip of the route leaves at that time"
	ambiguous   = "several trips fit"
	repeats     = "the trip repeats at a headway without times"
	noCall      = "the trip calls at none of the stops"
)

// found is the run that an update belongs to.
type found struct {
	timetable.Run
	day   gtfs.Date
	start int32
}

// join takes in an update of a document that was made at a time.
func (j *joiner) join(u *tripupdate.Update, made time.Time) {
	if u.Relation != tripupdate.Scheduled && u.Relation != tripupdate.Cancelled {
		j.o.counts.Added++
		return
	}
	seen := u.Seen
	if seen.IsZero() || seen.After(made) {
		seen = made
	}
	f, why := j.find(u, seen)
	if why == "" {
		why = j.take(u, f, seen)
	}
	if why != "" {
		j.o.counts.Unmatched[why]++
		return
	}
	j.o.counts.Joined++
}

// find finds the run of an update, or says why there is none.
func (j *joiner) find(u *tripupdate.Update, seen time.Time) (found, string) {
	if u.Trip != "" {
		if trips := j.x.TripsByID(u.Trip); len(trips) > 0 {
			return j.named(u, trips, seen)
		}
	}
	if u.StartTime != tripupdate.Unknown || u.Leaves.Stop != "" {
		return j.unnamed(u, seen)
	}
	return found{}, noTrip
}

// named chooses among the trips of an update's id.
func (j *joiner) named(u *tripupdate.Update, trips []uint32, seen time.Time) (best found, why string) {
	why = noTrip
	lines := j.lines(u)
	most := none
	for _, trip := range trips {
		r, there := j.x.RunOf(trip)
		// A short number of one operator may be the id of another's trip.
		if !there || len(lines) > 0 && !slices.Contains(lines, r.Line) {
			continue
		}
		f := found{Run: r, start: noStart}
		day, runs := j.dayOf(u, r, seen)
		switch {
		case !runs:
			why = noRun
			continue
		case r.Repeats && (u.StartTime == tripupdate.Unknown || !j.x.StartsAt(trip, u.StartTime)):
			why = repeats
			continue
		case r.Repeats:
			f.start = u.StartTime
		}
		f.day = day
		enough := math.MaxInt
		if len(trips) == 1 {
			enough = 1
		}
		if n := j.calling(u, r, enough); n > most {
			most, best = n, f
		}
	}
	if most == none {
		return best, why
	}
	if most == 0 && len(u.Calls) > 0 && u.Relation == tripupdate.Scheduled {
		return best, noCall
	}
	return best, ""
}

// calling counts the calls of an update at stops where a trip calls, up to what is enough.
// Those without a stop count as such.
func (j *joiner) calling(u *tripupdate.Update, r timetable.Run, enough int) (n int) {
	for i := range u.Calls {
		if n == enough {
			break
		}
		if u.Calls[i].Stop == "" || j.first(r, u.Calls[i].Stop, 0) != none {
			n++
		}
	}
	return n
}

// unnamed finds the trip of an update by its line, its direction and when it starts.
func (j *joiner) unnamed(u *tripupdate.Update, seen time.Time) (best found, why string) {
	candidates, most := 0, 0
	try := func(r timetable.Run, day gtfs.Date) {
		if u.Direction >= 0 && r.Direction < 2 && uint8(u.Direction) != r.Direction || !j.x.Runs(r.Trip, day) {
			return
		}
		switch n := j.calling(u, r, math.MaxInt); {
		case candidates == 0 || n > most:
			best, most, candidates = found{Run: r, day: day, start: noStart}, n, 1
		case n == most:
			candidates++
		}
	}
	for _, line := range j.lines(u) {
		zone := j.x.LineZone(line)
		first, last := j.x.DaysAround(seen.In(zone), nearDay)
		if day, ok := gtfs.ReadDate([]byte(u.StartDate)); ok {
			first, last = max(first, day), min(last, day)
		}
		for day := first; day <= last; day++ {
			begin := day.Begin(zone)
			if u.StartTime != tripupdate.Unknown {
				if after := seen.Sub(begin.Add(time.Duration(u.StartTime) * time.Second)); u.StartDate != "" || after.Abs() <= nearDay {
					j.x.Starting(line, u.StartTime, func(r timetable.Run) { try(r, day) })
					if candidates == 0 { // as the clock of the day after has it, which is the day of some updates and not of others
						service := day - 1
						if after > nearDay {
							service = day
						}
						j.x.Starting(line, u.StartTime+gtfs.Day, func(r timetable.Run) { try(r, service) })
					}
				}
				continue
			}
			for _, stop := range j.stopsOf(u.Leaves.Stop) {
				j.x.Leaving(line, stop, int32(u.Leaves.At.Sub(begin)/time.Second), func(r timetable.Run) {
					if j.arrives(u, r, begin) {
						try(r, day)
					}
				})
			}
		}
	}
	switch {
	case candidates == 0:
		return best, noSuchStart
	case candidates > 1:
		return best, ambiguous
	}
	return best, ""
}

// arrives reports whether a trip comes to the last stop of an update when the update says
// that the timetable has it.
func (j *joiner) arrives(u *tripupdate.Update, r timetable.Run, begin time.Time) bool {
	if u.Arrives.Stop == "" {
		return true
	}
	at := int32(u.Arrives.At.Sub(begin) / time.Second)
	for i, c := range r.Calls {
		if c.Arrive == at && slices.Contains(j.stopsOf(u.Arrives.Stop), r.Stops[i]) {
			return true
		}
	}
	return false
}

// lines returns those that an update names; none where the timetable has none of them.
func (j *joiner) lines(u *tripupdate.Update) []uint32 {
	if u.Route != "" {
		if lines := j.x.LineByID(u.Route); len(lines) > 0 {
			return lines
		}
	}
	name := u.Line
	if name == "" {
		name = u.Route
	}
	if name == "" {
		return nil
	}
	var lines []uint32
	for _, n := range j.x.LinesByName(strings.ToLower(name)) {
		if u.Operator == "" || strings.EqualFold(u.Operator, j.x.Agency(j.x.Line(n).Agency).Code) {
			lines = append(lines, n)
		}
	}
	return lines
}

// stopsOf lists the stops of an id.
func (j *joiner) stopsOf(id string) []uint32 {
	list, known := j.stops[id]
	if !known {
		if stop, there := j.x.Find(id); there {
			list = []uint32{stop}
		}
		j.stops[id] = list
	}
	return list
}

// away returns how far a time is from when a trip leaves on a day.
func (j *joiner) away(r timetable.Run, day gtfs.Date, at time.Time) time.Duration {
	return day.Begin(j.x.LineZone(r.Line)).Add(time.Duration(r.Calls[0].Depart) * time.Second).Sub(at).Abs()
}

// nearDay is how far from a trip's times an update without a date may be that is of it.
const nearDay = 12 * time.Hour

// dayOf returns the service day of an update's run: the one that it names, else the one on which
// the trip is nearest to the update's times, or to when it was made. A trip at 25:10 that is
// reported at 01:00 is yesterday's, and so is one that is said to start at 01:10 today.
func (j *joiner) dayOf(u *tripupdate.Update, r timetable.Run, seen time.Time) (gtfs.Date, bool) {
	if u.StartDate != "" {
		day, ok := gtfs.ReadDate([]byte(u.StartDate))
		runs := ok && j.x.Runs(r.Trip, day)
		if later := r.Calls[0].Depart - u.StartTime; ok && !r.Repeats && u.StartTime != tripupdate.Unknown && later > 0 && later%gtfs.Day == 0 {
			// Some name the day of the clock, and some the service day beside the time of the clock.
			before := day - gtfs.Date(later/gtfs.Day)
			if j.x.Runs(r.Trip, before) && (!runs || j.away(r, before, seen) <= j.away(r, day, seen)) {
				return before, true
			}
		}
		return day, runs
	}
	from, to := seen, seen
	for i := range u.Calls {
		for _, e := range [2]tripupdate.Event{u.Calls[i].Arrive, u.Calls[i].Depart} {
			if e.At == 0 {
				continue
			}
			if to = time.Unix(e.At, 0); from.Equal(seen) {
				from = to
			}
		}
	}
	zone := j.x.LineZone(r.Line)
	lag := time.Duration(r.Calls[len(r.Calls)-1].Arrive)*time.Second + nearDay
	if r.Repeats && u.StartTime != tripupdate.Unknown {
		lag += time.Duration(u.StartTime) * time.Second
	}
	first, last := j.x.DaysAround(from.In(zone), nearDay)
	first = max(first, gtfs.DateOf(from.In(zone).Add(-lag))-1)
	best, least := gtfs.Date(0), time.Duration(math.MaxInt64)
	for day := first; day <= last; day++ {
		if !j.x.Runs(r.Trip, day) {
			continue
		}
		begin := day.Begin(zone)
		if r.Repeats && u.StartTime != tripupdate.Unknown {
			begin = begin.Add(time.Duration(u.StartTime) * time.Second)
		}
		leaves, ends := begin.Add(time.Duration(r.Calls[0].Depart)*time.Second), begin.Add(time.Duration(r.Calls[len(r.Calls)-1].Arrive)*time.Second)
		away := max(0, leaves.Sub(from), to.Sub(ends))
		if away < least {
			best, least = day, away
		}
	}
	return best, least <= nearDay
}
