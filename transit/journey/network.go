package journey

import (
	"math"
	"slices"
	"sync"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
)

// Network has the parts of a timetable that searches share: the walks on which one may change, and
// which trips run on the days that were asked for. It is safe for concurrent use.
type Network struct {
	x        *timetable.Index
	patterns []pattern
	board    [2]callList
	repeats  [2]callList // the same, of patterns with headways alone
	changes  [2]changeList
	rules    [2]map[uint32][]timetable.Transfer // of lines and trips, by the stop where a vehicle is left
	single   map[uint32]bool                    // trips that a rule names
	of       []uint32                           // the pattern of each trip
	zones    []*time.Location

	waits      bool // there are headways that are not exact
	wheelchair bool // only of what is known as accessible
	accessible func() *Network
	inPlace    func() *[2]changeList // the changes of Query.InPlace

	mu      sync.Mutex
	days    map[gtfs.Date]func() *day
	swept   []*day // with hops, the one used last at the end
	scratch sync.Pool
	sweeps  sync.Pool
}

// A search has a direction: forward, or backward in time. What it boards backward is the
// vehicle that one leaves. Arrays of two have what is different for each.
const (
	forward  = 0
	backward = 1
)

// pattern is a pattern of the timetable, or one that a day has in addition.
type pattern struct {
	stops    []uint32
	rules    []uint8 // of boarding and alighting, with flags; see open
	times    []timetable.Call
	headways []timetable.Headway
	first    uint32 // trip
	zone     uint16
	mode     timetable.Mode
	part     []part // of a pattern that a day has: for each row the trips that it is made of
	parts    int    // in each row
}

// part is a trip within a row of times, which begins at a position of it.
type part struct {
	trip    uint32
	from    uint16
	changed bool
}

// open has a bit for each direction where vehicles can be boarded in it at a call of a
// pattern, and above these one where they can be left. Above these there will be one where
// rules of lines or trips are about those who leave.
func open(rules uint8, first, last bool) (bits uint8) {
	board, alight := timetable.Boarding(rules) != timetable.Never && !last, timetable.Alighting(rules) != timetable.Never && !first
	if board {
		bits |= 1<<forward | 4<<backward
	}
	if alight {
		bits |= 1<<backward | 4<<forward
	}
	return bits
}

// call is a visit of a pattern to a stop. Its place counts from the end where a search goes
// backward.
type call struct{ pattern, place uint32 }

// callList lists the calls at which a vehicle can be boarded, by stop.
type callList struct {
	at   []uint32
	list []call
}

func (c *callList) of(stop uint32) []call {
	if len(c.list) == 0 {
		return nil
	}
	return c.list[c.at[stop]:c.at[stop+1]]
}

// change is a walk to a stop where another vehicle can be boarded.
type change struct {
	to      uint32
	seconds int32
	least   int32 // seconds that the change needs; unruled for Query.MinChange, never where it is forbidden
}

const (
	unruled = -1
	never   = math.MaxInt32
)

type changeList struct {
	at   []uint32
	list []change
}

func (c *changeList) of(stop uint32) []change { return c.list[c.at[stop]:c.at[stop+1]] }

// NewNetwork prepares a timetable for searches. Walks lists the walks from a stop to others
// on which one may change, each within a bound that the caller chooses; it is called once
// for each stop. Where a rule of the timetable is about two stops between which there is no
// such walk, the walk is counted as the straight line at 1 m/s.
func NewNetwork(x *timetable.Index, walks func(stop uint32) []Walk) *Network {
	n := &Network{x: x, days: map[gtfs.Date]func() *day{}, single: map[uint32]bool{}}
	zones := map[*time.Location]uint16{}
	for p := range uint32(x.Patterns()) {
		line := x.PatternLine(p)
		zone := x.LineZone(line)
		if _, there := zones[zone]; !there {
			zones[zone] = uint16(len(n.zones))
			n.zones = append(n.zones, zone)
		}
		first, count := x.PatternTrips(p)
		stops, rules := x.PatternStops(p), slices.Clone(x.PatternRules(p))
		for i := range rules {
			rules[i] = open(rules[i], i == 0, i == len(rules)-1)
		}
		n.patterns = append(n.patterns, pattern{stops: stops, rules: rules, times: x.PatternTimes(p), headways: x.Headways(p), first: first, zone: zones[zone], mode: x.Line(line).Mode})
		for i := range count {
			for uint32(len(n.of)) <= first+i {
				n.of = append(n.of, timetable.None)
			}
			n.of[first+i] = p
		}
	}
	for back := range n.board {
		n.board[back] = listCalls(n.patterns, x.Stops(), back)
		n.repeats[back] = n.repeating(back)
	}
	n.waits = slices.ContainsFunc(n.patterns, func(p pattern) bool {
		return slices.ContainsFunc(p.headways, func(h timetable.Headway) bool { return h.Exact != 1 })
	})
	n.listChanges(walks)
	for _, p := range n.patterns {
		for i, stop := range p.stops {
			for back := range n.rules {
				if n.ruled(stop, back) {
					p.rules[i] |= 16 << back
				}
			}
		}
	}
	n.accessible = sync.OnceValue(n.newAccessible)
	n.makeReady()
	return n
}

// makeReady prepares what searches make when they first need it.
func (n *Network) makeReady() {
	n.inPlace = sync.OnceValue(func() *[2]changeList { return &[2]changeList{n.listInPlace(forward), n.listInPlace(backward)} })
	n.sweeps.New = func() any { return &sweep{} }
	n.scratch.New = func() any { return newSearch(n) }
}

// repeating lists where patterns with headways can be boarded.
func (n *Network) repeating(back int) (c callList) {
	if !slices.ContainsFunc(n.patterns, func(p pattern) bool { return len(p.headways) > 0 }) {
		return c
	}
	list := slices.Clone(n.patterns)
	for i := range list {
		if len(list[i].headways) == 0 {
			list[i].stops = nil
		}
	}
	return listCalls(list, n.x.Stops(), back)
}

// listCalls lists where patterns can be boarded.
func listCalls(patterns []pattern, stops, back int) callList {
	c := callList{at: make([]uint32, stops+1)}
	each := func(do func(stop uint32, c call)) {
		for n, p := range patterns {
			for i, s := range p.stops {
				if p.rules[i]>>back&1 != 0 {
					place := i
					if back == backward {
						place = len(p.stops) - 1 - i
					}
					do(s, call{uint32(n), uint32(place)})
				}
			}
		}
	}
	each(func(stop uint32, _ call) { c.at[stop+1]++ })
	for i := range stops {
		c.at[i+1] += c.at[i]
	}
	c.list = make([]call, c.at[stops])
	next := slices.Clone(c.at)
	each(func(stop uint32, l call) {
		c.list[next[stop]] = l
		next[stop]++
	})
	return c
}

// listChanges lists the changes from each stop, and to each.
func (n *Network) listChanges(walks func(stop uint32) []Walk) {
	x := n.x
	n.rules = [2]map[uint32][]timetable.Transfer{{}, {}}
	from := make([][]change, x.Stops())
	to := make([][]change, x.Stops())
	for s := range uint32(x.Stops()) {
		list := []change{{s, 0, unruled}}
		find := func(t uint32) *change {
			i := slices.IndexFunc(list, func(c change) bool { return c.to == t })
			if i < 0 {
				return nil
			}
			return &list[i]
		}
		for _, w := range walks(s) {
			if c := find(w.To); c == nil {
				list = append(list, change{w.To, max(w.Seconds, 0), unruled})
			} else if c.to != s {
				c.seconds = min(c.seconds, max(w.Seconds, 0))
			}
		}
		ruled := map[uint32]bool{}
		for _, r := range x.Transfers(s) {
			c := find(r.To)
			if c == nil {
				away := geo.Distance(x.Stop(s).At, x.Stop(r.To).At)
				list = append(list, change{r.To, int32(min(math.Ceil(away), Longest.Seconds())), never})
				c = &list[len(list)-1]
			}
			if specific(r) {
				n.rules[forward][s] = append(n.rules[forward][s], r)
				n.rules[backward][r.To] = append(n.rules[backward][r.To], r)
				for _, t := range [2]uint32{r.FromTrip, r.ToTrip} {
					if t != timetable.None {
						n.single[t] = true
					}
				}
				continue
			}
			if !ruled[r.To] {
				ruled[r.To] = true
				c.least = least(r)
			}
		}
		from[s] = list
		for _, c := range list {
			to[c.to] = append(to[c.to], change{s, c.seconds, c.least})
		}
	}
	n.changes = [2]changeList{flatten(from), flatten(to)}
}

// listInPlace lists the changes at a stop and by the ways within its station.
func (n *Network) listInPlace(back int) changeList {
	lists := make([][]change, n.x.Stops())
	for stop := range lists {
		for _, c := range n.changes[back].of(uint32(stop)) {
			from, to := uint32(stop), c.to
			if back == backward {
				from, to = to, from
			}
			if from == to || slices.ContainsFunc(n.x.Walks(from), func(w timetable.Walk) bool { return w.To == to }) {
				lists[stop] = append(lists[stop], c)
			}
		}
	}
	return flatten(lists)
}

func flatten(lists [][]change) changeList {
	c := changeList{at: make([]uint32, 1, len(lists)+1)}
	for _, l := range lists {
		c.list = append(c.list, l...)
		c.at = append(c.at, uint32(len(c.list)))
	}
	return c
}

// specific reports whether a rule is about some lines or trips only.
func specific(r timetable.Transfer) bool {
	return r.FromLine != timetable.None || r.ToLine != timetable.None || r.FromTrip != timetable.None || r.ToTrip != timetable.None
}

// least returns how long a change takes at least by a rule.
func least(r timetable.Transfer) int32 {
	switch {
	case r.Kind == timetable.Impossible:
		return never
	case r.Kind == timetable.Timed:
		return 0
	case r.Kind == timetable.Minimum && r.Seconds >= 0:
		return r.Seconds
	}
	return unruled
}

// fits reports whether a rule can be about a trip that is left, or with the other end one
// that is boarded.
func (n *Network) fits(r timetable.Transfer, trip uint32, boarded bool) bool {
	line, named := r.FromLine, r.FromTrip
	if boarded {
		line, named = r.ToLine, r.ToTrip
	}
	return (named == timetable.None || named == trip) && (line == timetable.None || line == n.x.PatternLine(n.of[trip]))
}
