package timetable

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/gtfs"
)

// Feed is one source of timetables.
type Feed struct {
	Name, Publisher, Link, Version, Licence string
	OnDemand                                int // trips on demand, which are counted only
}

// Agency runs lines. Its times are those of its zone.
type Agency struct {
	ID, Code, Name, Link string
	Zone                 string // of the tz database
	Feed                 int
}

// Line is a route of GTFS.
type Line struct {
	ID, ShortName, LongName string
	ShortIn, LongIn         []Name
	Agency                  int
	Mode                    Mode
	Colour, Ink             uint32 // 0xRRGGBB, or None
}

// Stop is a place where vehicles call, or a station that has such places.
type Stop struct {
	ID, Code, Name, Indicator, Locality, Platform string
	Heading                                       string // N, NE and so on: where vehicles leave towards
	NameIn                                        []Name
	At                                            geo.Point
	Parent                                        int // -1 where it has none
	Kind                                          uint8
	Wheelchair                                    uint8 // Accessible, Inaccessible or 0, which is that of the parent
}

// Trip is one journey of a vehicle, or one of many where it has Headways.
type Trip struct {
	ID, Block     string
	Sign          string // headsign
	SignIn        []Name
	Line, Service int
	Direction     uint8 // 0, 1, or 2 where it is not known
	Wheelchair    uint8 // Accessible, Inaccessible or 0
	Shape         int   // as AddShape returned it, 0 where there is none
	Visits        []Visit
	Headways      []Headway // whose Trip is not read

	number int // of those that were added
}

// Visit is a trip's call at a stop.
type Visit struct {
	Stop  int32
	Call  Call
	Sign  Text  // where it differs from the trip's, else 0
	Rules uint8 // boarding, and alighting times four
}

// Text is a text that an index has.
type Text uint32

// Builder collects timetables. What is added is referred to by its number from 0.
type Builder struct {
	x          Index
	texts      map[string]uint32
	translated map[string]uint32 // texts with translations, by both
	feeds      []Feed
	stops      []Stop
	services   [][]gtfs.Date
	trips      []Trip
	known      map[string]bool // zones

	changes  []Change
	walks    []addedWalk
	stepFree []addedWalk
	aliases  []alias        // of stops
	added    int            // trips
	at       []uint32       // where each trip that was added lies, None where it was dropped
	repeats  []repeatedTrip // trips of which others have days
	shapes   map[string]int
	lines    [][]geo.Fixed // shapes
}

// NewBuilder makes one without anything in it.
func NewBuilder() *Builder {
	b := &Builder{texts: map[string]uint32{}, translated: map[string]uint32{}, shapes: map[string]int{}, known: map[string]bool{}}
	b.put("") // lies at 0
	return b
}

// AddFeed adds a feed.
func (b *Builder) AddFeed(f Feed) int {
	b.feeds = append(b.feeds, f)
	b.x.feeds = append(b.x.feeds, feed{Name: b.put(f.Name), Publisher: b.put(f.Publisher), Link: b.put(f.Link), Version: b.put(f.Version), Licence: b.put(f.Licence), First: math.MaxInt32, Last: math.MinInt32})
	return len(b.feeds) - 1
}

// AddAgency adds an agency, whose zone must be one of the tz database.
func (b *Builder) AddAgency(a Agency) (int, error) {
	if !b.known[a.Zone] {
		if _, err := time.LoadLocation(a.Zone); err != nil || a.Zone == "" {
			return 0, fmt.Errorf("agency %s: %q is no time zone", a.ID, a.Zone)
		}
		b.known[a.Zone] = true
	}
	b.x.agencies = append(b.x.agencies, agency{ID: b.put(a.ID), Code: b.put(a.Code), Name: b.put(a.Name), Link: b.put(a.Link), Zone: b.put(a.Zone), Feed: uint32(a.Feed)})
	return len(b.x.agencies) - 1, nil
}

// AddLine adds a line.
func (b *Builder) AddLine(l Line) int {
	b.x.lines = append(b.x.lines, line{ID: b.put(l.ID), ShortName: uint32(b.Text(l.ShortName, l.ShortIn...)), LongName: uint32(b.Text(l.LongName, l.LongIn...)), Agency: uint32(l.Agency), Colour: l.Colour, Ink: l.Ink, Mode: uint32(l.Mode)})
	return len(b.x.lines) - 1
}

// AddStop adds a stop.
func (b *Builder) AddStop(s Stop) int {
	b.stops = append(b.stops, s)
	return len(b.stops) - 1
}

// SetParent says in which station a stop is.
func (b *Builder) SetParent(stop, parent int) { b.stops[stop].Parent = parent }

// AddService adds a set of days in their order, each once.
func (b *Builder) AddService(days []gtfs.Date) int {
	b.services = append(b.services, days)
	return len(b.services) - 1
}

// AddTrip adds a trip of two visits or more in the order of their times, and returns its
// number among trips.
func (b *Builder) AddTrip(t Trip) int {
	t.number = b.added
	b.trips = append(b.trips, t)
	b.added++
	return t.number
}

// put returns where a text lies.
func (b *Builder) put(s string) uint32 {
	at, there := b.texts[s]
	if !there {
		at = b.add(s)
		b.texts[s] = at
	}
	return at
}

// add returns where a text lies of its own. Texts longer than 65,535 bytes are cut.
func (b *Builder) add(s string) uint32 {
	if len(s) > math.MaxUint16 {
		s = strings.ToValidUTF8(s[:math.MaxUint16], "")
	}
	at := uint32(len(b.x.text))
	b.x.text = append(binary.LittleEndian.AppendUint16(b.x.text, uint16(len(s))), s...)
	return at
}

// CountOnDemand notes how many trips on demand a feed has.
func (b *Builder) CountOnDemand(feed, trips int) { b.x.feeds[feed].OnDemand = uint32(trips) }

// BuildCounts counts what an index was made of.
type BuildCounts struct {
	Stops, Lines, Patterns, Trips, Calls int
	Transfers, Walks, Continuations      int
	Repeated                             int // trips that another tells too, on all their days
	OffShape                             int // patterns whose stops their shape does not lead past
	Wide                                 int // rules of changing that are left out, as they are of too many pairs of stops
	First, Last                          gtfs.Date
}

// Build makes the index.
func (b *Builder) Build() (*Index, BuildCounts) { return (&packing{Builder: b}).build() }

// packing turns what was added into an index.
type packing struct {
	*Builder
	place []uint32 // of each stop, as it was added, its number
	near  []visit  // scratch of placeStops
}

func (b *packing) build() (*Index, BuildCounts) {
	x := &b.x
	b.orderStops()
	made := BuildCounts{Repeated: b.dropRepeated()}
	b.packServices()
	made.OffShape = b.packShapes(b.packPatterns())
	b.listCalls()
	b.listIDs()
	c := newChanging(b)
	made.Wide = c.packChanges()
	c.packWalks()
	c.packOnward()
	b.sumModes()
	slices.SortStableFunc(x.translations, func(p, q translation) int { return cmp.Compare(p.Of, q.Of) })
	made.Stops, made.Lines, made.Patterns, made.Trips, made.Calls = len(x.stops), len(x.lines), len(x.patterns), len(x.trips), len(x.times)
	made.Transfers, made.Walks, made.Continuations = len(x.transfers), len(x.walks), len(x.onward)
	made.First, made.Last = gtfs.Date(x.span[0]), gtfs.Date(x.span[0]+x.span[1]-1)
	return x, made
}

// rowHeight is the height of a row of stops in units of geo.Fixed: about 220 m.
const rowHeight = 20_000

func rowOf(lat int32) int32 { return int32(math.Floor(float64(lat) / rowHeight)) }

// orderStops lays stops out by rows from south to north and in them from west to east,
// and gives each its number.
func (b *packing) orderStops() {
	x := &b.x
	order := make([]int, len(b.stops))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		p, q := b.stops[i].At.Fix(), b.stops[j].At.Fix()
		return cmp.Or(cmp.Compare(rowOf(p.Lat), rowOf(q.Lat)), cmp.Compare(p.Lon, q.Lon), cmp.Compare(p.Lat, q.Lat))
	})
	b.place = make([]uint32, len(b.stops))
	for to, from := range order {
		b.place[from] = uint32(to)
	}
	if len(order) > 0 {
		x.southRow = []int32{rowOf(b.stops[order[0]].At.Fix().Lat)}
	}
	children := make([][]uint32, len(order))
	for to, from := range order {
		s := b.stops[from]
		at := s.At.Fix()
		for int32(len(x.stopRow)) <= rowOf(at.Lat)-x.southRow[0] {
			x.stopRow = append(x.stopRow, uint32(to))
		}
		parent := None
		if s.Parent >= 0 && s.Parent < len(b.place) && s.Parent != from {
			parent = b.place[s.Parent]
			children[parent] = append(children[parent], uint32(to))
		}
		x.stops = append(x.stops, stop{
			At: at, ID: b.put(s.ID), Code: b.put(s.Code), Name: uint32(b.Text(s.Name, s.NameIn...)), Indicator: b.put(s.Indicator), Locality: b.put(s.Locality), Platform: b.put(s.Platform), Heading: b.put(s.Heading),
			Parent: parent, Kind: s.Kind, Wheelchair: s.Wheelchair,
		})
	}
	x.stopRow = append(x.stopRow, uint32(len(order)))
	for _, list := range children {
		x.childAt = append(x.childAt, uint32(len(x.child)))
		x.child = append(x.child, list...)
	}
	x.childAt = append(x.childAt, uint32(len(x.child)))
}

// dropRepeated takes from trips the days on which another trip of the same operator and
// line has the same stops at the same times, as where two feeds have one line or one feed has
// it twice, and drops those that have no day left. The other trip must let people get on and
// off wherever this one does.
func (b *packing) dropRepeated() (dropped int) {
	first := map[string][]int{} // trips by what they do
	slices.SortStableFunc(b.trips, func(p, q Trip) int { return cmp.Compare(p.closed(), q.closed()) })
	kept := b.trips[:0]
	var key []byte
	for _, t := range b.trips {
		l := b.x.lines[t.Line]
		a := b.x.agencies[l.Agency]
		key = append(append(append(key[:0], strings.ToLower(b.x.string(a.Name))...), 0), strings.ToLower(b.x.string(l.ShortName))...)
		key = append(key, 0, byte(l.Mode), byte(len(t.Headways)))
		for _, v := range t.Visits {
			key = binary.LittleEndian.AppendUint32(key, uint32(v.Stop))
			key = binary.LittleEndian.AppendUint32(key, uint32(v.Call.Depart))
		}
		for _, h := range t.Headways {
			key = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(key, uint32(h.Start)), uint32(h.Every))
		}
		days := b.services[t.Service]
		for _, other := range first[string(key)] {
			if !kept[other].opensAs(&t) {
				continue
			}
			if left := without(days, b.services[kept[other].Service]); len(left) < len(days) {
				days = left
				b.repeats = append(b.repeats, repeatedTrip{t.number, kept[other].number, t.ID})
			}
		}
		if len(days) == 0 {
			dropped++
			continue
		}
		if len(days) < len(b.services[t.Service]) {
			t.Service = b.AddService(days)
		}
		first[string(key)] = append(first[string(key)], len(kept))
		kept = append(kept, t)
	}
	b.trips = kept
	return dropped
}

// closed counts the calls of a trip where nobody gets on, and those where nobody gets off.
func (t *Trip) closed() (n int) {
	for _, v := range t.Visits {
		if Boarding(v.Rules) == Never {
			n++
		}
		if Alighting(v.Rules) == Never {
			n++
		}
	}
	return n
}

// opensAs reports whether one gets on and off wherever one does on another trip of the same
// calls.
func (t *Trip) opensAs(other *Trip) bool {
	for i, v := range t.Visits {
		o := other.Visits[i].Rules
		if Boarding(v.Rules) == Never && Boarding(o) != Never || Alighting(v.Rules) == Never && Alighting(o) != Never {
			return false
		}
	}
	return true
}

// without returns the days of a sorted list that are not in another.
func without(days, others []gtfs.Date) []gtfs.Date {
	var left []gtfs.Date
	for _, d := range days {
		if _, there := slices.BinarySearch(others, d); !there {
			left = append(left, d)
		}
	}
	return left
}

// packServices writes the days of services that trips have as bits, equal ones once.
func (b *packing) packServices() {
	x := &b.x
	used := make([]bool, len(b.services))
	first, last := gtfs.Date(math.MaxInt32), gtfs.Date(math.MinInt32)
	for _, t := range b.trips {
		used[t.Service] = true
		days := b.services[t.Service]
		first, last = min(first, days[0]), max(last, days[len(days)-1])
		f := &x.feeds[x.agencies[x.lines[t.Line].Agency].Feed]
		f.First, f.Last = min(f.First, int32(days[0])), max(f.Last, int32(days[len(days)-1]))
	}
	for i := range x.feeds {
		if f := &x.feeds[i]; f.First > f.Last {
			f.First, f.Last = 0, -1
		}
	}
	if first > last {
		x.span = []int32{0, 0, 0}
		return
	}
	x.span = []int32{int32(first), int32(last-first) + 1, b.lag()}
	words := serviceWords(x)
	at := map[string]int{}
	lineNumber := make([]int, len(b.services))
	bits := make([]uint64, words)
	for i, days := range b.services {
		if !used[i] {
			continue
		}
		clear(bits)
		for _, d := range days {
			bits[(d-first)/64] |= 1 << ((d - first) % 64)
		}
		key := fmt.Sprint(bits)
		n, there := at[key]
		if !there {
			n = len(at)
			at[key] = n
			x.services = append(x.services, bits...)
		}
		lineNumber[i] = n
	}
	for i := range b.trips {
		b.trips[i].Service = lineNumber[b.trips[i].Service]
	}
}

// lag returns the number of days that a trip can go on after its service day.
func (b *packing) lag() int32 {
	latest := int32(0)
	for _, t := range b.trips {
		last := t.last().Arrive
		for _, h := range t.Headways {
			latest = max(latest, last-t.Visits[0].Call.Depart+h.End)
		}
		latest = max(latest, last)
	}
	return min(latest/gtfs.Day, mostLag)
}
