package journey_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
	"github.com/waygate/waygate/transit/journey"
)

// oracle finds journeys by trying all: every vehicle that can be boarded after every other.
type oracle struct {
	x       *timetable.Index
	walks   func(uint32) []journey.Walk
	changed map[string]journey.Change // by key
	first   gtfs.Date
	last    gtfs.Date
	of      map[uint32]uint32 // pattern by trip

	wheelchair bool // only what is known as accessible
}

func newOracle(x *timetable.Index, walks func(uint32) []journey.Walk, changes []journey.Change) *oracle {
	o := &oracle{x: x, walks: walks, changed: map[string]journey.Change{}, of: map[uint32]uint32{}}
	o.first, o.last, _ = x.Span()
	for _, c := range changes {
		o.changed[key(c.Trip, c.Day)] = c
	}
	for p := range uint32(x.Patterns()) {
		first, count := x.PatternTrips(p)
		for i := range count {
			o.of[first+i] = p
		}
	}
	return o
}

func key(trip uint32, day gtfs.Date) string { return fmt.Sprint(trip, day) }

// value has the figures that journeys are compared by. Times are seconds since 1970.
type value struct {
	depart, arrive int64
	rides, steps   int
}

func (v value) String() string {
	return fmt.Sprintf("%s-%s %d rides %d steps", time.Unix(v.depart, 0).UTC().Format("02T15:04:05"), time.Unix(v.arrive, 0).UTC().Format("02T15:04:05"), v.rides, v.steps)
}

func steps(seconds int32) int {
	return min(int(math.Floor(float64(seconds)/journey.WalkStep+0.5)), journey.MostSteps)
}

func sum(a, b int) int { return min(a+b, journey.MostSteps) }

// boarding is a place in a vehicle at a call.
type boarding struct {
	trip   uint32
	day    gtfs.Date
	start  int64 // when the trip begins, of one with headways
	pos    int
	seated int  // how many trips the vehicle was before, since it was boarded
	fresh  bool // it was boarded at this call
}

func (o *oracle) headways(trip uint32) (list []timetable.Headway) {
	p := o.of[trip]
	first, _ := o.x.PatternTrips(p)
	for _, h := range o.x.Headways(p) {
		if first+h.Trip == trip {
			list = append(list, h)
		}
	}
	return list
}

func (o *oracle) zero(trip uint32, day gtfs.Date) int64 {
	return day.Begin(o.x.LineZone(o.x.PatternLine(o.of[trip]))).Unix()
}

// call returns when a vehicle comes and leaves; false where it passes.
func (o *oracle) call(s boarding) (arrive, depart int64, ok bool) {
	p := o.of[s.trip]
	first, _ := o.x.PatternTrips(p)
	c := o.x.Times(p, s.trip-first)[s.pos]
	if len(o.headways(s.trip)) > 0 {
		return s.start + int64(c.Arrive), s.start + int64(c.Depart), true
	}
	if change, there := o.changed[key(s.trip, s.day)]; there {
		c = change.Calls[s.pos]
	}
	zero := o.zero(s.trip, s.day)
	return zero + int64(c.Arrive), zero + int64(c.Depart), c != journey.Skipped
}

func (o *oracle) runs(trip uint32, day gtfs.Date) bool {
	return o.x.Runs(trip, day) && !o.changed[key(trip, day)].Cancelled && (!o.wheelchair || o.x.TripAccessible(trip))
}

func (o *oracle) length(trip uint32) int { return len(o.x.PatternStops(o.of[trip])) }

func (o *oracle) mayBoard(s boarding) bool {
	return o.accessible(s) && timetable.Boarding(o.x.PatternRules(o.of[s.trip])[s.pos]) != timetable.Never && s.pos < o.length(s.trip)-1
}

func (o *oracle) mayAlight(s boarding) bool {
	return o.accessible(s) && timetable.Alighting(o.x.PatternRules(o.of[s.trip])[s.pos]) != timetable.Never && s.pos > 0
}

func (o *oracle) accessible(s boarding) bool {
	return !o.wheelchair || o.x.StopAccessible(o.x.PatternStops(o.of[s.trip])[s.pos])
}

// ways returns the walks on which one may change, with those that only rules have.
func (o *oracle) ways(stop uint32) map[uint32]int32 {
	ways := map[uint32]int32{}
	for _, w := range o.walks(stop) {
		if had, there := ways[w.To]; !there || w.Seconds < had {
			ways[w.To] = w.Seconds
		}
	}
	ways[stop] = 0
	for _, t := range o.x.Transfers(stop) {
		if _, there := ways[t.To]; !there {
			ways[t.To] = int32(math.Ceil(geo.Distance(o.x.Stop(stop).At, o.x.Stop(t.To).At)))
		}
	}
	return ways
}

// needs returns how long the change between two trips takes; false where it is forbidden.
func (o *oracle) needs(q *journey.Query, from, to uint32, left, boarded uint32, walk int32) (int64, bool) {
	any := func(named, is uint32) bool { return named == timetable.None || named == is }
	for _, t := range o.x.Transfers(from) {
		if t.To != to || !any(t.FromTrip, left) || !any(t.ToTrip, boarded) || !any(t.FromLine, o.x.PatternLine(o.of[left])) || !any(t.ToLine, o.x.PatternLine(o.of[boarded])) {
			continue
		}
		switch {
		case t.Kind == timetable.Impossible:
			return 0, false
		case t.Kind == timetable.Timed:
			return int64(walk), true
		case t.Kind == timetable.Minimum && t.Seconds >= 0:
			return int64(max(walk, t.Seconds)), true
		}
		return int64(max(walk, q.MinChange)), true
	}
	walks := from == to || slices.ContainsFunc(o.walks(from), func(w journey.Walk) bool { return w.To == to })
	return int64(max(walk, q.MinChange)), walks
}

// boardable returns the seats of vehicles that one can take at a stop from a time on.
func (o *oracle) boardable(q *journey.Query, stop uint32, ready func(trip uint32) (int64, bool), until int64) (list []boarding) {
	for _, c := range o.x.CallsAt(stop) {
		if !q.Modes.Has(o.x.Line(o.x.PatternLine(c.Pattern)).Mode) {
			continue
		}
		first, count := o.x.PatternTrips(c.Pattern)
		for i := range count {
			at, ok := ready(first + i)
			if !ok {
				continue
			}
			for day := o.first; day <= o.last; day++ {
				s := boarding{trip: first + i, day: day, pos: int(c.Position), fresh: true}
				if !o.runs(s.trip, day) || !o.mayBoard(s) {
					continue
				}
				if len(o.x.Headways(c.Pattern)) > 0 {
					if start, ok := o.comes(s, at); ok && start < until {
						s.start = start
						list = append(list, s)
					}
				} else if _, depart, ok := o.call(s); ok && depart >= at && depart < until {
					list = append(list, s)
				}
			}
		}
	}
	return list
}

// comes returns when a trip with headways begins at the latest for one who is at a call.
func (o *oracle) comes(s boarding, at int64) (start int64, ok bool) {
	zero := o.zero(s.trip, s.day)
	_, offset, _ := o.call(boarding{trip: s.trip, day: s.day, pos: s.pos})
	start = math.MaxInt64
	for _, h := range o.headways(s.trip) {
		if h.Exact == 1 {
			for n := h.Start; n < h.End; n += h.Every {
				if zero+int64(n)+offset >= at {
					start = min(start, zero+int64(n))
				}
			}
			continue
		}
		begins := max(at-offset, zero+int64(h.Start))
		if begins == zero+int64(h.Start) || begins+int64(h.Every) <= zero+int64(h.End) {
			start = min(start, begins+int64(h.Every))
		}
	}
	return start, start != math.MaxInt64
}

// from lists what can be come to by journeys that depart at a time. Where exact is set they
// depart just then, with the vehicle that is there then.
func (o *oracle) from(q *journey.Query, at, until int64, exact bool) (found []value) {
	return o.fromShown(q, at, until, exact, exact)
}

// fromShown is from. Where shown is set one boards what has a headway first at times that a
// board shows.
func (o *oracle) fromShown(q *journey.Query, at, until int64, exact, shown bool) (found []value) {
	cur := map[boarding]int{}
	enter := func(to map[boarding]int, s boarding, steps int) {
		if had, there := to[s]; !there || steps < had {
			to[s] = steps
		}
	}
	for _, a := range o.ends(q.From) {
		ready := at + int64(a.Seconds)
		for _, s := range o.boardable(q, a.Stop, func(uint32) (int64, bool) { return ready, true }, until) {
			if len(o.headways(s.trip)) > 0 && shown {
				var ok bool
				if s.start, ok = o.comesShown(s, ready); !ok {
					continue
				}
			}
			if _, depart, _ := o.call(s); exact && depart-o.waits(s) != ready {
				continue
			}
			enter(cur, s, steps(a.Seconds))
		}
	}
	rides := q.MaxRides
	if rides == 0 {
		rides = journey.DefaultRides
	}
	for ride := 1; ride <= rides && len(cur) > 0; ride++ {
		// Rides on.
		var list []boarding
		for s := range cur {
			list = append(list, s)
		}
		for len(list) > 0 {
			s := list[len(list)-1]
			list = list[:len(list)-1]
			next := s
			next.pos++
			next.fresh = false
			if s.pos == o.length(s.trip)-1 {
				on := o.onward(s)
				if on == timetable.None || s.seated == journey.MostSeated {
					continue
				}
				next = boarding{trip: on, day: s.day, seated: s.seated + 1}
			}
			if had, there := cur[next]; !there || cur[s] < had {
				cur[next] = cur[s]
				list = append(list, next)
			}
		}
		ahead := map[boarding]int{}
		for s, w := range cur {
			arrive, _, ok := o.call(s)
			if !ok || s.fresh || !o.mayAlight(s) || arrive > until {
				continue
			}
			stop := o.x.PatternStops(o.of[s.trip])[s.pos]
			for _, a := range o.ends(q.To) {
				if a.Stop == stop && arrive+int64(a.Seconds) <= until {
					found = append(found, value{at, arrive + int64(a.Seconds), ride, sum(w, steps(a.Seconds))})
				}
			}
			if ride == rides {
				continue
			}
			for to, walk := range o.ways(stop) {
				for _, b := range o.boardable(q, to, func(trip uint32) (int64, bool) {
					needs, ok := o.needs(q, stop, to, s.trip, trip, walk)
					return arrive + needs, ok
				}, until) {
					enter(ahead, b, sum(w, steps(walk)))
				}
			}
		}
		cur = ahead
	}
	return best(found)
}

// comesShown is comes at the times that a board shows.
func (o *oracle) comesShown(s boarding, at int64) (start int64, ok bool) {
	zero := o.zero(s.trip, s.day)
	_, offset, _ := o.call(boarding{trip: s.trip, day: s.day, pos: s.pos})
	start = math.MaxInt64
	for _, h := range o.headways(s.trip) {
		waits := int64(0)
		if h.Exact != 1 {
			waits = int64(h.Every)
		}
		for n := h.Start; n < h.End; n += h.Every {
			if zero+int64(n)+offset >= at && (n == h.Start || int64(n)+waits <= int64(h.End)) {
				start = min(start, zero+int64(n)+waits)
			}
		}
	}
	return start, start != math.MaxInt64
}

// waits returns how long one waits for a vehicle that is not promised.
func (o *oracle) waits(s boarding) int64 {
	zero := o.zero(s.trip, s.day)
	waits := int64(-1)
	for _, h := range o.headways(s.trip) {
		begins := s.start - zero
		if h.Exact == 1 {
			if begins >= int64(h.Start) && begins < int64(h.End) && (begins-int64(h.Start))%int64(h.Every) == 0 {
				return 0
			}
			continue
		}
		if begins == int64(h.Start)+int64(h.Every) || begins > int64(h.Start)+int64(h.Every) && begins <= int64(h.End) {
			waits = int64(h.Every)
		}
	}
	return max(waits, 0)
}

// onward returns the trip that a vehicle goes on as.
func (o *oracle) onward(s boarding) uint32 {
	for _, c := range o.x.Continuations(s.trip) {
		if o.x.Runs(c, s.day) {
			arrive := o.end(s)
			if !o.runs(c, s.day) || o.begin(boarding{trip: c, day: s.day}) < arrive {
				return timetable.None
			}
			return c
		}
	}
	return timetable.None
}

// end and begin are the times of the last and the first call that a vehicle does not pass.
func (o *oracle) end(s boarding) int64 {
	for s.pos = o.length(s.trip) - 1; ; s.pos-- {
		if _, depart, ok := o.call(s); ok {
			arrive, _, _ := o.call(s)
			if s.pos == o.length(s.trip)-1 {
				return arrive
			}
			return depart
		}
	}
}

func (o *oracle) begin(s boarding) int64 {
	for s.pos = 0; ; s.pos++ {
		if arrive, depart, ok := o.call(s); ok {
			if s.pos == 0 {
				return depart
			}
			return arrive
		}
	}
}

// ends are stops of an end, those of stations in their place.
func (o *oracle) ends(list []journey.Access) (out []journey.Access) {
	least := map[uint32]int32{}
	for _, a := range list {
		for _, s := range o.x.Within(a.Stop) {
			if had, there := least[s]; !there || a.Seconds < had {
				least[s] = a.Seconds
			}
		}
	}
	for s, seconds := range least {
		out = append(out, journey.Access{Stop: s, Seconds: seconds})
	}
	return out
}

const slack = int64(journey.Slack / time.Second)

// timely drops what another, or the walk all the way, arrives much earlier than.
func (o *oracle) timely(q *journey.Query, list []value) []value {
	return slices.DeleteFunc(slices.Clone(list), func(v value) bool {
		return slices.ContainsFunc(list, func(w value) bool { return w.depart >= v.depart && w.arrive+slack < v.arrive }) ||
			q.Direct >= 0 && v.depart+int64(q.Direct)+slack < v.arrive
	})
}

// leaving is timely of a search backward: it drops what departs much earlier than another
// that arrives no later.
func (o *oracle) leaving(q *journey.Query, list []value) []value {
	return slices.DeleteFunc(slices.Clone(list), func(v value) bool {
		return slices.ContainsFunc(list, func(w value) bool { return w.arrive <= v.arrive && w.depart-slack > v.depart }) ||
			q.Direct >= 0 && v.arrive-int64(q.Direct)-slack > v.depart
	})
}

// best returns the values that no other is better than, each once.
func best(list []value) (out []value) {
	for _, v := range list {
		if !slices.ContainsFunc(list, func(w value) bool {
			return w != v && w.depart >= v.depart && w.arrive <= v.arrive && w.rides <= v.rides && w.steps <= v.steps
		}) {
			out = append(out, v)
		}
	}
	order(out)
	return slices.Compact(out)
}

func order(list []value) {
	slices.SortFunc(list, func(a, b value) int {
		return cmp.Or(cmp.Compare(a.depart, b.depart), cmp.Compare(a.arrive, b.arrive), cmp.Compare(a.rides, b.rides), cmp.Compare(a.steps, b.steps))
	})
}

// moments are when journeys can depart between two times.
func (o *oracle) moments(q *journey.Query, from, until int64) (list []int64) {
	for _, a := range o.ends(q.From) {
		for _, c := range o.x.CallsAt(a.Stop) {
			first, count := o.x.PatternTrips(c.Pattern)
			for i := range count {
				for day := o.first; day <= o.last; day++ {
					s := boarding{trip: first + i, day: day, pos: int(c.Position)}
					if !o.runs(s.trip, day) {
						continue
					}
					hs := o.headways(s.trip)
					if len(hs) == 0 {
						if _, depart, ok := o.call(s); ok {
							list = append(list, depart-int64(a.Seconds))
						}
					}
					for _, h := range hs {
						for n := h.Start; n < h.End; n += h.Every {
							s.start = o.zero(s.trip, day) + int64(n)
							_, depart, _ := o.call(s)
							list = append(list, depart-int64(a.Seconds))
						}
					}
				}
			}
		}
	}
	list = slices.DeleteFunc(list, func(t int64) bool { return t < from || t >= until })
	slices.Sort(list)
	return slices.Compact(list)
}

const longest = int64(journey.Longest / time.Second)

// window finds the journeys that depart in a window, with a walk all the way that is better
// than some.
func (o *oracle) window(q *journey.Query) []value {
	from, until := q.At.Unix(), q.At.Add(q.Window).Unix()
	var all []value
	for _, at := range o.moments(q, from, until) {
		all = append(all, o.from(q, at, at+longest, true)...)
	}
	all = append(all, o.fromShown(q, until, until+longest, false, true)...)
	return slices.DeleteFunc(o.timely(q, best(all)), func(v value) bool { return v.depart >= until || o.walked(q, v) })
}

// walked reports whether walking all the way is as good.
func (o *oracle) walked(q *journey.Query, v value) bool {
	return q.Direct >= 0 && v.depart+int64(q.Direct) <= v.arrive && steps(q.Direct) <= v.steps
}

// arrivals finds the journeys that arrive in a window, of timetables without headways.
func (o *oracle) arrivals(q *journey.Query) []value {
	at := q.At.Unix()
	var all []value
	for _, d := range o.moments(q, at-int64(q.Window/time.Second)-longest, at) {
		all = append(all, o.from(q, d, min(at, d+longest), true)...)
	}
	return slices.DeleteFunc(o.leaving(q, best(all)), func(v value) bool { return v.arrive <= at-int64(q.Window/time.Second) || o.walked(q, v) })
}

// once finds the journeys from a time on: how early they arrive.
func (o *oracle) once(q *journey.Query) []value {
	at := q.At.Unix()
	return slices.DeleteFunc(o.timely(q, o.from(q, at, at+longest, false)), func(v value) bool { return o.walked(q, v) })
}

// latest finds the latest departures of journeys that arrive by a time, by halving: whoever
// departs earlier does not arrive later.
func (o *oracle) latest(q *journey.Query) (all []value) {
	at := q.At.Unix()
	rides := q.MaxRides
	if rides == 0 {
		rides = journey.DefaultRides
	}
	reach := map[int64][]value{}
	for ride := 1; ride <= rides; ride++ {
		for s := 0; s <= journey.MostSteps; s++ {
			does := func(d int64) bool {
				if _, there := reach[d]; !there {
					reach[d] = o.from(q, d, at, false)
				}
				return slices.ContainsFunc(reach[d], func(v value) bool { return v.rides <= ride && v.steps <= s })
			}
			low, high := at-longest, at+1
			if !does(low) {
				continue
			}
			for high-low > 1 {
				if mid := (low + high) / 2; does(mid) {
					low = mid
				} else {
					high = mid
				}
			}
			all = append(all, value{low, at, ride, s})
		}
	}
	return slices.DeleteFunc(o.leaving(q, best(all)), func(v value) bool {
		return q.Direct >= 0 && at-int64(q.Direct) >= v.depart && steps(q.Direct) <= v.steps
	})
}
