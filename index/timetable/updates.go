package timetable

import (
	"cmp"
	"slices"
	"time"

	"github.com/waygate/waygate/gtfs"
)

// Run describes a trip to what joins live data to it.
type Run struct {
	Trip      uint32
	Line      uint32
	Direction uint8    // 0, 1, or 2 where it is not known
	Repeats   bool     // at headways; its Calls count from its first departure then
	Stops     []uint32 // of the index, not to be changed
	Calls     []Call   // of the index, not to be changed
}

// TripsByID returns the trips of an id, of which several feeds can have one each.
func (x *Index) TripsByID(id string) []uint32 {
	list := x.ofID(x.tripIDs, id)
	trips := make([]uint32, len(list))
	for i, n := range list {
		trips[i] = n.Of
	}
	return trips
}

// RunOf describes a trip; false where no pattern has it.
func (x *Index) RunOf(trip uint32) (Run, bool) {
	n := x.PatternOf(trip)
	if n == None {
		return Run{}, false
	}
	return x.run(&x.patterns[n], trip), true
}

// PatternOf returns the pattern of a trip, None where no pattern has it.
func (x *Index) PatternOf(trip uint32) uint32 {
	n, there := slices.BinarySearchFunc(x.patterns, trip, func(p pattern, trip uint32) int { return cmp.Compare(p.Trips, trip) })
	if !there {
		n--
	}
	if n < 0 || trip-x.patterns[n].Trips >= x.patterns[n].Count {
		return None
	}
	return uint32(n)
}

func (x *Index) run(p *pattern, trip uint32) Run {
	n := int(p.Length)
	return Run{
		Trip: trip, Line: p.Line, Direction: p.Direction, Repeats: p.Repeats > 0,
		Stops: x.patternStops[p.Stops:][:n:n], Calls: x.times[int(p.Times)+int(trip-p.Trips)*n:][:n:n],
	}
}

// StartsAt reports whether a trip that repeats at headways has a run that departs at a second
// of the service day to the second.
func (x *Index) StartsAt(trip uint32, second int32) bool {
	n := x.PatternOf(trip)
	if n == None {
		return false
	}
	p := &x.patterns[n]
	for _, h := range x.headways[p.Headways:][:p.Repeats] {
		if p.Trips+h.Trip == trip && h.Exact == 1 && second >= h.Start && second < h.End && (second-h.Start)%h.Every == 0 {
			return true
		}
	}
	return false
}

// RunStart returns the second of the service day at which the run of a departure leaves its first
// stop.
func (x *Index) RunStart(d Departure) int32 {
	p := &x.patterns[d.Pattern]
	at := int32(d.At.Sub(d.Day.Begin(x.zones[x.lines[p.Line].Agency])) / time.Second)
	return at - departs(x, p, int(d.Trip-p.Trips), d.Position) + departs(x, p, int(d.Trip-p.Trips), 0)
}

// DaysAround returns the service days of which a trip can be under way within some time of a
// moment; last is before first where there is none.
func (x *Index) DaysAround(at time.Time, inList time.Duration) (first, last gtfs.Date) {
	return days(x, at.Add(-inList), at.Add(inList))
}

// Leaving calls yield for each trip of a line, without headways, that leaves a stop at a
// second of its service day.
func (x *Index) Leaving(line, stop uint32, second int32, yield func(Run)) {
	for _, n := range x.ofLine[x.ofLineAt[line]:x.ofLineAt[line+1]] {
		p := &x.patterns[n]
		if p.Repeats > 0 {
			continue
		}
		for position, s := range x.patternStops[p.Stops:][:p.Length] {
			if s == stop {
				x.leavingAt(p, position, second, yield)
			}
		}
	}
}

// Starting calls yield for each trip of a line, without headways, that leaves its first stop
// at a second of its service day.
func (x *Index) Starting(line uint32, second int32, yield func(Run)) {
	for _, n := range x.ofLine[x.ofLineAt[line]:x.ofLineAt[line+1]] {
		if p := &x.patterns[n]; p.Repeats == 0 {
			x.leavingAt(p, 0, second, yield)
		}
	}
}

func (x *Index) leavingAt(p *pattern, position int, second int32, yield func(Run)) {
	low, high := 0, int(p.Count)
	for low < high {
		if mid := (low + high) / 2; departs(x, p, mid, position) < second {
			low = mid + 1
		} else {
			high = mid
		}
	}
	for ; low < int(p.Count) && departs(x, p, low, position) == second; low++ {
		yield(x.run(p, p.Trips+uint32(low)))
	}
}

// SamePlace reports whether two stops are one, or in one station.
func (x *Index) SamePlace(a, b uint32) bool {
	return a == b || x.stops[a].Parent != None && (x.stops[a].Parent == x.stops[b].Parent || x.stops[a].Parent == b) || x.stops[b].Parent == a
}
