package timetable

import (
	"time"

	"github.com/waygate/waygate/gtfs"
)

// Patterns returns the number of patterns, which are numbered from 0.
func (x *Index) Patterns() int { return len(x.patterns) }

// PatternStops lists the stops of a pattern in the order of its calls. Neither this list nor
// one of the other lists of a pattern may be changed.
func (x *Index) PatternStops(pattern uint32) []uint32 {
	p := &x.patterns[pattern]
	return x.patternStops[p.Stops:][:p.Length:p.Length]
}

// PatternRules lists the rules of getting on and off at the calls of a pattern, which
// Boarding and Alighting take apart.
func (x *Index) PatternRules(pattern uint32) []uint8 {
	p := &x.patterns[pattern]
	return x.patternRules[p.Stops:][:p.Length:p.Length]
}

// PatternTrips returns the first of the trips of a pattern and how many follow each other from
// there. At each call of the pattern they are in the order of their times, unless the
// pattern has headways.
func (x *Index) PatternTrips(pattern uint32) (first, count uint32) {
	p := &x.patterns[pattern]
	return p.Trips, p.Count
}

// PatternLine returns the line of a pattern.
func (x *Index) PatternLine(pattern uint32) uint32 { return x.patterns[pattern].Line }

// PatternMode returns the kind of vehicle of a pattern.
func (x *Index) PatternMode(pattern uint32) Mode {
	return Mode(x.lines[x.patterns[pattern].Line].Mode)
}

// Times lists when a trip of a pattern, counted from 0 within it, calls at its stops. Those
// of a pattern with headways count from the first departure of the trip.
func (x *Index) Times(pattern, trip uint32) []Call {
	p := &x.patterns[pattern]
	n := uint32(p.Length)
	return x.times[p.Times+trip*n:][:n:n]
}

// Headways lists at which headways the trips of a pattern repeat; none of a pattern whose
// trips have times of their own.
func (x *Index) Headways(pattern uint32) []Headway {
	p := &x.patterns[pattern]
	return x.headways[p.Headways:][:p.Repeats:p.Repeats]
}

// CallsAt lists the visits of patterns to a stop.
func (x *Index) CallsAt(stop uint32) []StopCall {
	return x.calls[x.callAt[stop]:x.callAt[stop+1]:x.callAt[stop+1]]
}

// Runs reports whether a trip runs on a service day.
func (x *Index) Runs(trip uint32, day gtfs.Date) bool { return runs(x, x.trips[trip].Service, day) }

// LongestTrip is by how many days a trip can go on after its service day.
func (x *Index) LongestTrip() int { return int(x.span[2]) }

// LineZone returns the zone of the times of a line.
func (x *Index) LineZone(line uint32) *time.Location { return x.zones[x.lines[line].Agency] }

// Transfers lists the rules of changing from a stop to another or at it, those that a feed
// states for the stop's station included, the most specific first: that of two trips before
// that of a trip and a line, of a trip, of two lines and of a line, and that of a stop
// before that of a station. The first that fits is the one that counts.
func (x *Index) Transfers(from uint32) []Transfer {
	return x.transfers[x.transferAt[from]:x.transferAt[from+1]:x.transferAt[from+1]]
}

// Walks lists the ways on foot from a stop, or from an entrance, within its station.
func (x *Index) Walks(from uint32) []Walk {
	return x.walks[x.walkAt[from]:x.walkAt[from+1]:x.walkAt[from+1]]
}

// Next returns the trip that the vehicle of a trip goes on as on a service day while passengers
// may stay seated; None where there is none.
func (x *Index) Next(trip uint32, day gtfs.Date) uint32 {
	for _, next := range x.Continuations(trip) {
		if x.Runs(next, day) {
			return next
		}
	}
	return None
}

// Continuations lists the trips that the vehicle of a trip goes on as while passengers may
// stay seated. Of those that run on the service day of the trip the first is the one.
func (x *Index) Continuations(trip uint32) []uint32 {
	if len(x.onwardAt) == 0 {
		return nil
	}
	return x.onward[x.onwardAt[trip]:x.onwardAt[trip+1]:x.onwardAt[trip+1]]
}
