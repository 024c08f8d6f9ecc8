package journey

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"sync"

	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
)

const (
	// mostDays bounds the days whose trips are kept.
	mostDays = 12
	// MostSeated is how many times one can stay seated in a vehicle that goes on as another
	// trip, within one ride.
	MostSeated = 2
)

// day is which trips run on a service day.
type day struct {
	date  gtfs.Date
	begin []int64  // seconds since 1970, in each zone of the network
	at    []uint32 // first of rows of each pattern; one more than there are patterns
	rows  []uint32 // the trips of each pattern that run, counted within it
	span  []span   // of each pattern
	// extra are patterns that are there on this day only: trips together with those that
	// their vehicles go on as, trips that a rule of changing names, and trips that changed.
	// All their rows run.
	extra     []pattern
	extraSpan []span
	extraTrip []int        // the first trip of each, those of other patterns counted before
	board     [2]callList  // of extra
	running   int          // trips
	hops      func() *hops // while it is among Network.swept
	all       span         // of all patterns
}

// span is from the first departure to the last arrival of a pattern on a day, in seconds of
// the day. From is after until where nothing runs.
type span struct{ from, until int32 }

var unused = span{never, -never}

// day returns what runs on a day as the timetable has it.
func (n *Network) day(date gtfs.Date) *day {
	n.mu.Lock()
	find := n.days[date]
	if find == nil {
		if len(n.days) >= mostDays { // drops the one that is farthest away
			far := date
			for d := range n.days {
				if abs(d-date) > abs(far-date) {
					far = d
				}
			}
			delete(n.days, far)
		}
		find = sync.OnceValue(func() *day { return n.newDay(date, nil) })
		n.days[date] = find
	}
	n.mu.Unlock()
	return find()
}

func abs(d gtfs.Date) gtfs.Date { return max(d, -d) }

// newDay works out what runs on a day, with changes by trip.
func (n *Network) newDay(date gtfs.Date, changed map[uint32]Change) *day {
	d := &day{date: date, at: make([]uint32, 1, len(n.patterns)+1), span: make([]span, len(n.patterns))}
	for _, z := range n.zones {
		d.begin = append(d.begin, date.Begin(z).Unix())
	}
	t := trips{n, date, changed}
	var apart []uint32 // trips that are not among those of their patterns
	for p := range n.patterns {
		q := &n.patterns[p]
		length := len(q.stops)
		d.span[p] = unused
		last := timetable.None
		for i := range uint32(len(q.times) / length) {
			trip := q.first + i
			if !t.runs(trip) {
				continue
			}
			if len(q.headways) == 0 {
				_, moved := changed[trip]
				if moved || n.single[trip] || t.next(trip) != timetable.None {
					apart = append(apart, trip)
					continue
				}
				if d.span[p] == unused {
					d.span[p].from = q.times[int(i)*length].Depart
				}
				last = i
			}
			d.rows = append(d.rows, i)
		}
		if last != timetable.None {
			d.span[p].until = q.times[int(last+1)*length-1].Arrive
		}
		for _, h := range q.headways {
			if t.runs(q.first + h.Trip) {
				d.span[p].from = min(d.span[p].from, h.Start)
				d.span[p].until = max(d.span[p].until, max(h.End, h.Start+h.Every)+q.times[int(h.Trip+1)*length-1].Arrive)
			}
		}
		d.at = append(d.at, uint32(len(d.rows)))
	}
	t.addExtra(d, apart)
	d.running = len(d.rows)
	for _, p := range d.extra {
		d.extraTrip = append(d.extraTrip, d.running)
		d.running += len(p.times) / len(p.stops)
	}
	d.all = unused
	for _, list := range [][]span{d.span, d.extraSpan} {
		for _, s := range list {
			d.all.from, d.all.until = min(d.all.from, s.from), max(d.all.until, s.until)
		}
	}
	return d
}

// trips are those of a day, with changes.
type trips struct {
	*Network
	date    gtfs.Date
	changed map[uint32]Change
}

func (t *trips) runs(trip uint32) bool {
	return t.x.Runs(trip, t.date) && !t.changed[trip].Cancelled && (!t.wheelchair || t.x.TripAccessible(trip))
}

// next returns the trip that a vehicle goes on as with its passengers, or None.
func (t *trips) next(trip uint32) uint32 {
	if next := t.x.Next(trip, t.date); next != timetable.None && t.runs(next) {
		return next
	}
	return timetable.None
}

// row is the calls of a row of an extra pattern.
type row struct {
	parts []part
	calls []timetable.Call
	rules []uint8
	stops []uint32
}

// addExtra makes the patterns that are there on a day only.
func (t *trips) addExtra(d *day, apart []uint32) {
	groups := map[string][]row{}
	for _, trip := range apart {
		r := t.row(d, trip)
		key := []byte{}
		for _, p := range r.parts {
			key = binary.BigEndian.AppendUint32(key, t.of[p.trip])
			if t.single[p.trip] {
				key = binary.BigEndian.AppendUint32(append(key, 1), p.trip)
			}
		}
		key = append(append(key, 0), r.rules...)
		groups[string(key)] = append(groups[string(key)], r)
	}
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		list := groups[key]
		slices.SortStableFunc(list, func(a, b row) int {
			return cmp.Or(cmp.Compare(a.calls[0].Depart, b.calls[0].Depart), cmp.Compare(a.calls[len(a.calls)-1].Arrive, b.calls[len(b.calls)-1].Arrive))
		})
		for len(list) > 0 {
			list = t.addPattern(d, list)
		}
	}
	if len(d.extra) > 0 {
		for back := range d.board {
			d.board[back] = listCalls(d.extra, t.x.Stops(), back)
		}
	}
}

// row joins a trip with those that its vehicle goes on as.
func (t *trips) row(d *day, trip uint32) (r row) {
	zero := d.begin[t.patterns[t.of[trip]].zone]
	for seated := 0; ; seated++ {
		p := &t.patterns[t.of[trip]]
		length := len(p.stops)
		calls := p.times[int(trip-p.first)*length:][:length]
		rules := p.rules
		c, moved := t.changed[trip]
		if moved {
			calls, rules = passing(c.Calls, rules)
		}
		if off := int32(d.begin[p.zone] - zero); off != 0 { // the trip counts in another zone
			calls = slices.Clone(calls)
			for i := range calls {
				calls[i].Arrive += off
				calls[i].Depart += off
			}
		}
		if seated > 0 {
			// The vehicle does not leave before it has come, whatever is known of only one of
			// its trips.
			if calls[0].Depart < r.calls[len(r.calls)-1].Arrive {
				return r
			}
			rules = slices.Clone(rules)
			for i := range rules { // those who board here are in the row of the trip itself
				rules[i] &^= 1<<forward | 4<<backward
			}
		}
		r.parts = append(r.parts, part{trip, uint16(len(r.stops)), moved})
		r.stops, r.calls, r.rules = append(r.stops, p.stops...), append(r.calls, calls...), append(r.rules, rules...)
		next := t.next(trip)
		if next == timetable.None || seated == MostSeated || len(r.stops)+len(t.patterns[t.of[next]].stops) > 1<<16-1 {
			return r
		}
		trip = next
	}
}

// passing gives calls that are skipped the times of the one before, and the rules of one
// where nobody boards or gets off.
func passing(calls []timetable.Call, rules []uint8) ([]timetable.Call, []uint8) {
	calls, rules = slices.Clone(calls), slices.Clone(rules)
	latest := int32(-never)
	for i := range calls {
		if calls[i] == Skipped {
			rules[i] = 0
			continue
		}
		latest = max(latest, calls[i].Arrive)
		calls[i].Arrive = latest
		latest = max(latest, calls[i].Depart)
		calls[i].Depart = latest
	}
	begin := slices.IndexFunc(calls, func(c timetable.Call) bool { return c != Skipped })
	for i := range calls {
		switch {
		case calls[i] != Skipped:
		case i < begin:
			calls[i] = timetable.Call{Arrive: calls[begin].Arrive, Depart: calls[begin].Arrive}
		default:
			calls[i] = timetable.Call{Arrive: calls[i-1].Depart, Depart: calls[i-1].Depart}
		}
	}
	return calls, rules
}

// addPattern makes a pattern of rows in the order of their first departures. It leaves out
// those that overtake, and returns them.
func (t *trips) addPattern(d *day, list []row) (left []row) {
	model := list[0]
	of := &t.patterns[t.of[model.parts[0].trip]]
	p := pattern{stops: model.stops, rules: model.rules, zone: of.zone, mode: of.mode, first: timetable.None, parts: len(model.parts)}
	kept := model
	for i, r := range list {
		if i > 0 && !follows(kept.calls, r.calls) {
			left = append(left, r)
			continue
		}
		kept = r
		p.times, p.part = append(p.times, r.calls...), append(p.part, r.parts...)
	}
	d.extra = append(d.extra, p)
	d.extraSpan = append(d.extraSpan, span{p.times[0].Depart, p.times[len(p.times)-1].Arrive})
	return left
}

// follows reports whether each call of a trip is not before that of another.
func follows(before, after []timetable.Call) bool {
	for i := range before {
		if after[i].Arrive < before[i].Arrive || after[i].Depart < before[i].Depart {
			return false
		}
	}
	return true
}

// Skipped is the call of a stop that a changed trip passes.
var Skipped = timetable.Call{Arrive: -never, Depart: -never}

// Live has changes of trips. It belongs to one Network, is read-only and safe for
// concurrent use.
type Live struct{ days map[gtfs.Date]*day }

// Live works out what changes of trips mean. Of two changes of a trip on one day the last
// counts. Changes of trips that do not run on the day or have headways, and those whose
// calls are not as many as the trip's, are left out. It takes as long as to list the trips
// of each day that has changes.
func (n *Network) Live(changes []Change) *Live {
	of := map[gtfs.Date]map[uint32]Change{}
	for _, c := range changes {
		if int(c.Trip) >= len(n.of) || n.of[c.Trip] == timetable.None || !n.x.Runs(c.Trip, c.Day) {
			continue
		}
		p := &n.patterns[n.of[c.Trip]]
		if !c.Cancelled && (len(p.headways) > 0 || len(c.Calls) != len(p.stops)) {
			continue
		}
		if !c.Cancelled && !slices.ContainsFunc(c.Calls, func(call timetable.Call) bool { return call != Skipped }) {
			c.Cancelled = true
		}
		if of[c.Day] == nil {
			of[c.Day] = map[uint32]Change{}
		}
		of[c.Day][c.Trip] = c
	}
	l := &Live{days: map[gtfs.Date]*day{}}
	for date, changed := range of {
		l.days[date] = n.newDay(date, changed)
	}
	return l
}
