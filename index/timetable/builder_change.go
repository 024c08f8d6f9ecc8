package timetable

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
)

// Change is a rule of changing between vehicles, as a row of transfers.txt of GTFS. Its
// stops, lines and trips are -1 where it names none.
type Change struct {
	From, To         int // stops, or stations, whose stops they stand for
	FromLine, ToLine int
	FromTrip, ToTrip int
	Kind             uint8 // that of a Transfer, InSeat or NotInSeat
	Seconds          int32 // -1 where they are not given
}

// Kinds of Change between two trips of one vehicle.
const (
	InSeat    = 4 // passengers stay seated
	NotInSeat = 5 // passengers get off
)

const (
	mostPairs     = 10_000     // pairs of stops of two stations that one rule can be about
	mostTransfers = 10_000_000 // that are kept
	sameVehicle   = 200        // metres from the last stop of a trip to the first of the next of its block where passengers stay seated
	mostLater     = 1000       // trips of a block among which the next is looked for
)

// alias is a further id of a stop.
type alias struct {
	stop int
	id   string
}

// repeatedTrip is a trip, as it was added, some of whose days another trip has too.
type repeatedTrip struct {
	trip, by int
	id       string
}

// addedWalk is a walk between stops as they were added.
type addedWalk struct{ from, to, seconds, metres int }

// AddChange adds a rule.
func (b *Builder) AddChange(c Change) { b.changes = append(b.changes, c) }

// AddWalk adds a way on foot between two stops or entrances. Of two between the same the
// first counts.
func (b *Builder) AddWalk(from, to, seconds, metres int) {
	b.walks = append(b.walks, addedWalk{from, to, min(seconds, math.MaxUint16), min(metres, math.MaxUint16)})
}

// AddStepFree adds what a way of AddWalk takes without stairs and escalators.
func (b *Builder) AddStepFree(from, to, seconds int) {
	b.stepFree = append(b.stepFree, addedWalk{from: from, to: to, seconds: min(seconds, noWay-1)})
}

// AddID adds a further id to a stop.
func (b *Builder) AddID(stop int, id string) { b.aliases = append(b.aliases, alias{stop, id}) }

// listIDs lists stops and trips by their ids. A trip that repeats another is found by
// both ids.
func (b *packing) listIDs() {
	x := &b.x
	for n, s := range b.stops {
		x.stopIDs = append(x.stopIDs, named{b.put(s.ID), b.place[n]})
	}
	for _, a := range b.aliases {
		x.stopIDs = append(x.stopIDs, named{b.put(a.id), b.place[a.stop]})
	}
	for n, t := range x.trips {
		x.tripIDs = append(x.tripIDs, named{t.ID, uint32(n)})
	}
	for _, t := range b.repeats {
		x.tripIDs = append(x.tripIDs, named{b.put(t.id), b.at[t.by]})
	}
	order := func(p, q named) int {
		return cmp.Or(bytes.Compare(x.bytes(p.ID), x.bytes(q.ID)), cmp.Compare(p.Of, q.Of))
	}
	slices.SortFunc(x.stopIDs, order)
	slices.SortFunc(x.tripIDs, order)
	x.tripIDs = slices.Compact(x.tripIDs)
}

// changing packs what is said of changing between vehicles.
type changing struct {
	*packing
	own   []int32         // of each trip, as it was added, its place in b.trips; -1 where it was dropped
	other map[int][]int32 // of trips some of whose days others have, the places of these
}

func newChanging(b *packing) *changing {
	c := &changing{b, slices.Repeat([]int32{-1}, b.added), map[int][]int32{}}
	for i, t := range b.trips {
		c.own[t.number] = int32(i)
	}
	for _, t := range b.repeats {
		c.other[t.trip] = append(c.other[t.trip], c.own[t.by])
	}
	return c
}

// became lists the places in b.trips of what a trip, as it was added, became: itself, and
// those that tell some of its days.
func (b *changing) became(trip int) (list []int) {
	if own := b.own[trip]; own >= 0 {
		list = append(list, int(own))
	}
	for _, i := range b.other[trip] {
		list = append(list, int(i))
	}
	return list
}

// lies returns where the trip of a place in b.trips lies in the index.
func (b *changing) lies(i int) uint32 { return b.at[b.trips[i].number] }

// ranked is a transfer and how specific its rule is.
type ranked struct {
	Transfer
	rank int
}

// packChanges writes the rules of changing. It returns how many are left out because they
// are of too many pairs of stops.
func (b *changing) packChanges() (wide int) {
	x := &b.x
	var all []ranked
	trips := func(trip int) (list []uint32) {
		if trip < 0 {
			return []uint32{None}
		}
		for _, i := range b.became(trip) {
			list = append(list, b.lies(i))
		}
		return list
	}
	for _, c := range b.changes {
		if c.Kind > Impossible || c.From < 0 || c.To < 0 {
			continue
		}
		from, to := x.Within(b.place[c.From]), x.Within(b.place[c.To])
		if len(from)*len(to) > mostPairs || len(all) > mostTransfers {
			wide++
			continue
		}
		rank := b.rank(c)
		for _, f := range from {
			for _, t := range to {
				for _, fromTrip := range trips(c.FromTrip) {
					for _, toTrip := range trips(c.ToTrip) {
						all = append(all, ranked{Transfer{From: f, To: t, FromLine: lineNumber(c.FromLine), ToLine: lineNumber(c.ToLine), FromTrip: fromTrip, ToTrip: toTrip, Seconds: c.Seconds, Kind: c.Kind}, rank})
					}
				}
			}
		}
	}
	slices.SortStableFunc(all, func(p, q ranked) int {
		return cmp.Or(cmp.Compare(p.From, q.From), cmp.Compare(q.rank, p.rank), cmp.Compare(p.To, q.To))
	})
	x.transferAt = make([]uint32, len(x.stops)+1)
	for _, t := range all {
		x.transferAt[t.From+1]++
		x.transfers = append(x.transfers, t.Transfer)
	}
	sum(x.transferAt)
	return wide
}

// lineNumber returns that of a line in a Transfer.
func lineNumber(n int) uint32 {
	if n < 0 {
		return None
	}
	return uint32(n)
}

// rank returns how specific a rule is, as the reference of GTFS orders them: a trip before a
// line, both ends before one, and then a stop before a station. Where that is the same the
// rule whose first end is more specific comes first
// (https://github.com/google/transit/issues/298).
func (b *changing) rank(c Change) int {
	end := func(stop, line, trip int) (vehicle, stopsAround int) {
		switch {
		case trip >= 0:
			vehicle = 10
		case line >= 0:
			vehicle = 4
		}
		if b.stops[stop].Kind != KindStation {
			stopsAround = 1
		}
		return vehicle, stopsAround
	}
	from, fromPlace := end(c.From, c.FromLine, c.FromTrip)
	to, toPlace := end(c.To, c.ToLine, c.ToTrip)
	return (from+to)*1000 + (fromPlace+toPlace)*100 + from*2 + fromPlace
}

// sum turns the numbers of elements of owners, which lie one place on, into the first of
// each.
func sum(first []uint32) {
	for i := 1; i < len(first); i++ {
		first[i] += first[i-1]
	}
}

// Walkable reports whether somebody on foot can go so many metres in so many seconds, places of
// stops being only roughly where they are.
func Walkable(metres float64, seconds int32) bool {
	const fastest, roughly = 3.0, 100 // metres a second, and metres
	return metres <= roughly+fastest*float64(seconds)
}

// packWalks writes the ways on foot: those that were added, and changes between two stops
// that need a time that is given and is Walkable, over the straight distance.
func (b *changing) packWalks() {
	x := &b.x
	type walk struct {
		from uint32
		Walk
	}
	var all []walk
	for _, w := range b.walks {
		all = append(all, walk{b.place[w.from], Walk{b.place[w.to], uint16(w.seconds), uint16(w.metres)}})
	}
	for _, t := range x.transfers {
		if t.From != t.To && t.Kind == Minimum && t.any() && x.stops[t.From].Kind == KindStop && x.stops[t.To].Kind == KindStop {
			metres := geo.Distance(x.stops[t.From].At.Point(), x.stops[t.To].At.Point())
			if !Walkable(metres, t.Seconds) {
				continue
			}
			all = append(all, walk{t.From, Walk{t.To, uint16(min(t.Seconds, math.MaxUint16)), uint16(min(math.Ceil(metres), math.MaxUint16))}})
		}
	}
	slices.SortStableFunc(all, func(p, q walk) int { return cmp.Or(cmp.Compare(p.from, q.from), cmp.Compare(p.To, q.To)) })
	all = slices.CompactFunc(all, func(p, q walk) bool { return p.from == q.from && p.To == q.To })
	x.walkAt = make([]uint32, len(x.stops)+1)
	for _, w := range all {
		x.walkAt[w.from+1]++
		x.walks = append(x.walks, w.Walk)
	}
	sum(x.walkAt)
	if len(b.stepFree) > 0 {
		x.stepFree = slices.Repeat([]uint16{noWay}, len(all))
	}
	for _, w := range b.stepFree {
		at, there := slices.BinarySearchFunc(all, walk{b.place[w.from], Walk{To: b.place[w.to]}}, func(p, q walk) int { return cmp.Or(cmp.Compare(p.from, q.from), cmp.Compare(p.To, q.To)) })
		if there {
			x.stepFree[at] = uint16(w.seconds)
		}
	}
}

// any reports whether a rule is about all lines.
func (t *Transfer) any() bool {
	return t.FromLine == None && t.ToLine == None && t.FromTrip == None && t.ToTrip == None
}
