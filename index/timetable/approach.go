package timetable

import (
	"math"
	"slices"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
)

// LineByID returns the lines of an id, of which several feeds can have one each.
func (x *Index) LineByID(id string) []uint32 { return x.lineOf[id] }

// LinesByName returns the lines of a short or long name, in small letters.
func (x *Index) LinesByName(name string) []uint32 { return x.lineNamed[name] }

// HasTrip reports whether a feed has a trip of an id.
func (x *Index) HasTrip(id string) bool { return len(x.ofID(x.tripIDs, id)) > 0 }

// Sighting is where a vehicle was seen.
type Sighting struct {
	At        geo.Point
	Bearing   int // degrees, -1 where it is not known
	Seen      time.Time
	Trip      string // id, "" where it is not known
	StartDate string // service day of the trip, YYYYMMDD, "" where it is not known
	Direction string // outbound, inbound, "" where it is not known
}

// Running is a trip that a vehicle is on.
type Running struct {
	Pattern uint32
	Trip    uint32
	Day     gtfs.Date
	Next    int           // position of the stop that the vehicle comes to next
	Late    time.Duration // how long after its time in the timetable it is there
}

const (
	// A vehicle is between two stops if it is this near the shape between them, or, where
	// there is none, the straight line: roads go round, the more the farther the stops are
	// apart.
	offLine  = 150  // metres
	offStops = 300  // metres
	offEach  = 0.35 // metres for each metre between the stops
	// sameOff is by how many metres one of two visits to a street is nearer than the other
	// where it is the one.
	sameOff = 60
	// A vehicle goes against a trip if its bearing differs by more degrees than this both from
	// the line between the stops beside it and from that between the stops around these; where
	// the trip has a shape, from the shape beside it. Near a stop it turns as it must.
	againstStops = 120
	againstLine  = 90
	turningNear  = 100 // metres
	// A trip may be a vehicle's if the vehicle is at most so early and so late: in samples of
	// British buses whose trips are known, lines are up to 20 minutes late.
	earliest = 5 * time.Minute
	latest   = 30 * time.Minute
	// waiting is how long before its first departure a vehicle stands at the first stop.
	waiting = 15 * time.Minute
)

// Identify returns the trip of some lines that a vehicle is on: the one that it names, else
// the only one that goes by where it was seen, its way, at about that time. It returns false
// where no trip fits, or more than one, as on a line with a bus every ten minutes where buses
// are late: a guess between them would be a claim.
func (x *Index) Identify(lines []uint32, s Sighting) (Running, bool) {
	var found Running
	fitting := 0
	var trips []named
	if s.Trip != "" {
		trips = x.ofID(x.tripIDs, s.Trip)
	}
	named := len(trips) > 0
	for _, line := range lines {
		zone := x.zones[x.lines[line].Agency]
		first, last := days(x, s.Seen.In(zone).Add(-latest), s.Seen.In(zone).Add(waiting))
		for _, n := range x.ofLine[x.ofLineAt[line]:x.ofLineAt[line+1]] {
			p := &x.patterns[n]
			if p.Repeats > 0 || !named && s.Direction != "" && p.Direction < 2 && s.Direction != directions[p.Direction] {
				continue
			}
			for day := first; day <= last; day++ {
				at := s.Seen.Sub(day.Begin(zone)).Seconds()
				for trip := firstEnding(x, p, at-latest.Seconds()); trip < int(p.Count) && float64(departs(x, p, trip, 0)) <= at+waiting.Seconds(); trip++ {
					t := x.trips[int(p.Trips)+trip]
					if !runs(x, t.Service, day) || named && (!hasTrip(trips, p.Trips+uint32(trip)) || s.StartDate != "" && s.StartDate != day.Digits()) {
						continue
					}
					r, ok := stopsAround(x, n, trip, s, at)
					if !ok {
						continue
					}
					if fitting++; fitting > 1 && !named {
						return found, false
					}
					r.Pattern, r.Trip, r.Day = n, p.Trips+uint32(trip), day
					found = r
				}
			}
		}
	}
	return found, fitting > 0
}

func hasTrip(list []named, trip uint32) bool {
	return slices.ContainsFunc(list, func(n named) bool { return n.Of == trip })
}

var directions = [2]string{"outbound", "inbound"}

// firstEnding returns the first trip of a pattern that ends at a time of its day or later.
func firstEnding(x *Index, p *pattern, at float64) int {
	low, high := 0, int(p.Count)
	for low < high {
		mid := (low + high) / 2
		if float64(x.times[int(p.Times)+(mid+1)*int(p.Length)-1].Arrive) < at {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// stopsAround finds between which stops of a trip a vehicle was, at a time in seconds of its day.
func stopsAround(x *Index, n uint32, trip int, s Sighting, at float64) (best Running, found bool) {
	p := &x.patterns[n]
	stops := x.patternStops[p.Stops:][:p.Length]
	calls := x.times[int(p.Times)+trip*int(p.Length):][:p.Length]
	nearest := math.Inf(1)
	for i := range len(stops) - 1 {
		off, share, ok := beside(x, s, n, i)
		if !ok {
			continue
		}
		next := i + 1
		due := float64(calls[i].Depart) + share*float64(calls[i+1].Arrive-calls[i].Depart)
		late := at - due
		if i == 0 && share == 0 && late < 0 && late > -waiting.Seconds() {
			late, next = 0, 0
		}
		if late > latest.Seconds() || late < -earliest.Seconds() {
			continue
		}
		if off < nearest-sameOff || off < nearest+sameOff && math.Abs(late) < best.Late.Abs().Seconds() {
			nearest = min(off, nearest)
			best, found = Running{Next: next, Late: time.Duration(late) * time.Second}, true
		}
	}
	return best, found
}

// beside reports whether a vehicle is between a call of a pattern and the next: how many
// metres off the line between them, and which share of the way it has done.
func beside(x *Index, s Sighting, n uint32, i int) (off, share float64, ok bool) {
	stops := x.PatternStops(n)
	from, to := x.stops[stops[i]].At.Point(), x.stops[stops[i+1]].At.Point()
	foot, share, _ := geo.Nearest(s.At, from, to)
	off, length := geo.Distance(s.At, foot), geo.Distance(from, to)
	if off > offStops+offEach*length {
		return off, share, false
	}
	turning := math.Min(geo.Distance(s.At, from), geo.Distance(s.At, to)) <= turningNear
	shape, begin, end := x.leg(n, i)
	if shape == nil {
		return off, share, turning || !against(x, stops, i, s.Bearing)
	}
	off, share, bearing := nearestOn(shape, begin, end, s.At)
	if off > offLine {
		return off, share, false
	}
	turn := geo.Turn(float64(s.Bearing), bearing)
	return off, share, s.Bearing < 0 || turning || min(turn, 360-turn) <= againstLine
}

// nearestOn finds the place of a part of a shape that is nearest to a point: how many metres
// it is off, which share of the part lies before it, and the course there.
func nearestOn(shape []geo.Fixed, begin, end placing, p geo.Point) (off, share, bearing float64) {
	off = math.Inf(1)
	passed, before := 0.0, 0.0
	a := along(shape, begin)
	for piece := begin >> pieceBits; piece <= end>>pieceBits; piece++ {
		b := shape[piece+1].Point()
		if piece == end>>pieceBits {
			b = along(shape, end)
		}
		_, part, square := geo.Nearest(p, a, b)
		length := geo.Distance(a, b)
		if metres := math.Sqrt(square); metres < off && length > 0 {
			off, before, bearing = metres, passed+part*length, geo.Bearing(a, b)
		}
		passed += length
		a = b
	}
	if passed > 0 {
		share = before / passed
	}
	return off, share, bearing
}

// against reports whether a bearing is against the way from the stops before a place to
// those after it.
func against(x *Index, stops []uint32, i, bearing int) bool {
	if bearing < 0 {
		return false
	}
	for _, ends := range [2][2]int{{i, i + 1}, {max(0, i-1), min(len(stops)-1, i+2)}} {
		from, to := x.stops[stops[ends[0]]].At.Point(), x.stops[stops[ends[1]]].At.Point()
		if from == to {
			return false
		}
		if off := geo.Turn(float64(bearing), geo.Bearing(from, to)); min(off, 360-off) <= againstStops {
			return false
		}
	}
	return true
}
