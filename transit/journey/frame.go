package journey

import (
	"slices"
	"time"

	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
)

// frame has the parts of a query that all searches share: the direction of time, the vehicles. Its times are
// seconds after Query.At, and before it where it goes backward: either way an earlier one
// is better. What comes first on the way from where the search begins has the lower place.
type frame struct {
	n              *Network
	back           int
	levels         int // of walking that are kept apart
	rides          int // most of them
	modes          timetable.Modes
	change         int32 // seconds that one needs at least
	changes        *[2]changeList
	shown          bool  // journeys begin when a board has a departure, whatever has a headway
	zero           int64 // Query.At since 1970
	services       []service
	origin, target []Access // in the order of the search
}

// ask reads a query. Trips count that can be under way in a span of time.
func (s *frame) ask(q *Query, span time.Duration) {
	s.back, s.rides, s.modes, s.change, s.changes, s.shown = forward, q.MaxRides, q.Modes, max(q.MinChange, 0), &s.n.changes, false
	if q.InPlace {
		s.changes = s.n.inPlace()
	}
	if s.rides <= 0 {
		s.rides = DefaultRides
	}
	s.rides = min(s.rides, MostRides)
	s.zero = q.At.Unix()
	s.origin, s.target = s.n.platforms(s.origin[:0], q.From), s.n.platforms(s.target[:0], q.To)
	if q.ArriveBy {
		s.back, s.origin, s.target = backward, s.target, s.origin
	} else if q.At.Nanosecond() > 0 {
		s.zero++
	}
	s.listServices(q.Live, int64(span/time.Second))
}

// service has the trips that run on a service day.
type service struct {
	*day
	begin  []int32 // of each zone, after Query.At
	number int     // of the first pattern of extra
	trips  int     // of the first trip, among those of all days
}

// platforms lists stops once each, with the shortest walk, and those of stations in place of
// the stations.
func (n *Network) platforms(list, of []Access) []Access {
	for _, a := range of {
		if int(a.Stop) >= n.x.Stops() || a.Seconds < 0 || a.Seconds > int32(Longest.Seconds()) {
			continue
		}
		for _, stop := range n.x.Within(a.Stop) {
			list = append(list, Access{stop, a.Seconds})
		}
	}
	slices.SortFunc(list, func(a, b Access) int {
		if a.Stop != b.Stop {
			return int(int64(a.Stop) - int64(b.Stop))
		}
		return int(a.Seconds - b.Seconds)
	})
	return slices.CompactFunc(list, func(a, b Access) bool { return a.Stop == b.Stop })
}

// listServices lists the days on which a trip can be under way in so many seconds.
func (s *frame) listServices(live *Live, seconds int64) {
	from, until := s.zero, s.zero+seconds
	if s.back == backward {
		from, until = s.zero-seconds, s.zero
	}
	first, last, ok := s.n.x.Span()
	if !ok {
		return
	}
	const slack = 2 // of zones, and of trips that are late
	begin := max(first, gtfs.Date(floorDays(from))-gtfs.Date(s.n.x.LongestTrip())-slack)
	last = min(last, gtfs.Date(floorDays(until))+slack)
	number := len(s.n.patterns)
	trips := 0
	for date := begin; date <= last; date++ {
		var d *day
		if live != nil {
			d = live.days[date]
		}
		if d == nil {
			d = s.n.day(date)
		}
		if !slices.ContainsFunc(d.begin, func(b int64) bool {
			return b+int64(d.all.from) <= until && b+int64(d.all.until) >= from
		}) {
			continue
		}
		v := service{day: d, number: number, trips: trips, begin: make([]int32, len(d.begin))}
		for z, b := range d.begin {
			v.begin[z] = int32(b - s.zero)
		}
		number += len(d.extra)
		trips += d.running
		s.services = append(s.services, v)
	}
	if s.back == backward {
		slices.Reverse(s.services)
	}
}

// counts returns the numbers of patterns and of trips on all days.
func (s *frame) counts() (patterns, trips int) {
	patterns = len(s.n.patterns)
	for _, d := range s.services {
		patterns, trips = max(patterns, d.number+len(d.extra)), max(trips, d.trips+d.running)
	}
	return patterns, trips
}

// daysOf returns the days on which there is a pattern, the first and the one after the last.
func (s *frame) daysOf(number uint32) (first, last int) {
	if int(number) < len(s.n.patterns) {
		return 0, len(s.services)
	}
	for int(number) >= s.services[first].number+len(s.services[first].extra) || int(number) < s.services[first].number {
		first++
	}
	return first, first + 1
}

func (s *frame) mode(number uint32) timetable.Mode {
	if int(number) < len(s.n.patterns) {
		return s.n.patterns[number].mode
	}
	day, _ := s.daysOf(number)
	return s.services[day].extra[int(number)-s.services[day].number].mode
}

func floorDays(unix int64) int64 {
	if unix < 0 {
		return -((-unix + gtfs.Day - 1) / gtfs.Day)
	}
	return unix / gtfs.Day
}

// step returns how many steps of walking a walk counts.
func (s *frame) step(seconds int32) int {
	return min(int(seconds+WalkStep/2)/WalkStep, s.levels-1)
}

func (s *frame) add(level uint8, walk int32) int {
	return min(int(level)+s.step(walk), s.levels-1)
}

// needs returns how long a change takes.
func (s *frame) needs(walk, least int32) int32 {
	if least == unruled {
		least = s.change
	}
	return max(walk, least)
}

func (s *frame) time(at int32) time.Time { return time.Unix(s.zero+int64(at), 0).UTC() }

// vehicles are the trips of a pattern on a day.
type vehicles struct {
	*pattern
	number uint32
	day    uint16
	rows   []uint32 // of times; all where all is set
	all    bool
	count  int
	begin  int32 // of the day
	trip0  int   // of its first trip, among those of all days
	back   int
	length int
}

// vehicles returns the trips of a pattern on a day.
func (s *frame) vehicles(number uint32, day int) (v vehicles) {
	d := &s.services[day]
	v.number, v.day, v.back = number, uint16(day), s.back
	if int(number) < len(s.n.patterns) {
		v.pattern = &s.n.patterns[number]
		v.rows = d.rows[d.at[number]:d.at[number+1]]
		v.count = len(v.rows)
		v.trip0 = d.trips + int(d.at[number])
	} else {
		v.pattern = &d.extra[int(number)-d.number]
		v.all, v.count = true, len(v.times)/len(v.stops)
		v.trip0 = d.trips + d.extraTrip[int(number)-d.number]
	}
	v.begin, v.length = d.begin[v.zone], len(v.stops)
	return v
}

// row returns that of a trip, in the order of the search.
func (v *vehicles) row(n int) int {
	if v.back == backward {
		n = v.count - 1 - n
	}
	if v.all {
		return n
	}
	return int(v.rows[n])
}

// numberOf returns that of a trip, in the order of the search, among those of all days.
func (v *vehicles) numberOf(n int) int {
	if v.back == backward {
		n = v.count - 1 - n
	}
	return v.trip0 + n
}

// numberAt returns that of the trip of a row.
func (v *vehicles) numberAt(row uint32) int {
	if v.all {
		return v.trip0 + int(row)
	}
	n, _ := slices.BinarySearch(v.rows, row)
	return v.trip0 + n
}

// position returns that of a place in the pattern.
func (v *vehicles) position(place int) int {
	if v.back == backward {
		return v.length - 1 - place
	}
	return place
}

// boards and leaves are when a vehicle can be boarded and left, in the order of the search.
func (v *vehicles) boards(row, place int) int32 {
	if v.back == backward {
		return -v.begin - v.times[row*v.length+v.length-1-place].Arrive
	}
	return v.begin + v.times[row*v.length+place].Depart
}

func (v *vehicles) leaves(row, place int) int32 {
	if v.back == backward {
		return -v.begin - v.times[row*v.length+v.length-1-place].Depart
	}
	return v.begin + v.times[row*v.length+place].Arrive
}

// earliest returns the first of so many trips that can be boarded at a time or later.
func (v *vehicles) earliest(place, count int, at int32) int {
	low, high := 0, count
	for low < high {
		if mid := int(uint(low+high) / 2); v.boards(v.row(mid), place) < at {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// span is from the first departure to the last arrival of a pattern on a day, in the order
// of the search.
func (s *frame) span(number uint32, day int) (from, until int32, ok bool) {
	d := &s.services[day]
	var of span
	var zone uint16
	if int(number) < len(s.n.patterns) {
		of, zone = d.span[number], s.n.patterns[number].zone
	} else {
		n := int(number) - d.number
		of, zone = d.extraSpan[n], d.extra[n].zone
	}
	if of == unused {
		return 0, 0, false
	}
	from, until = d.begin[zone]+of.from, d.begin[zone]+of.until
	if s.back == backward {
		from, until = -until, -from
	}
	return from, until, true
}

// trip returns that of a ride at one of its places.
func (s *frame) trip(r *ride, place int) uint32 {
	v := s.vehicles(r.pattern, int(r.day))
	return v.trip(int(r.row), v.position(place))
}

// trip returns that of a row at a position.
func (v *vehicles) trip(row, position int) uint32 {
	if !v.all {
		return v.first + uint32(row)
	}
	return v.partAt(row, position).trip
}

// changed reports whether one of the trips of a row that call from a position to another is
// not as the timetable has it.
func (v *vehicles) changed(row, first, last int) bool {
	if !v.all {
		return false
	}
	parts := v.part[row*v.parts:][:v.parts]
	for i, p := range parts {
		if p.changed && int(p.from) <= last && (i+1 == len(parts) || int(parts[i+1].from) > first) {
			return true
		}
	}
	return false
}

func (v *vehicles) partAt(row, position int) part {
	parts := v.part[row*v.parts:][:v.parts]
	n := len(parts) - 1
	for n > 0 && int(parts[n].from) > position {
		n--
	}
	return parts[n]
}
