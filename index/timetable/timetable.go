// Package timetable is the index of public transport timetables of a region: stops,
// lines, and when vehicles call where. All its arrays are flat and lie in one section.
//
// Trips of a line with the same stops are one pattern. Within a pattern no trip overtakes
// another, so that at each of its stops the trips are in the order of their times and a
// board is found by halving. Trips that repeat at a headway are kept as such.
package timetable

import (
	"time"

	"github.com/waygate/waygate/geo"
)

// The section of a region.
const (
	SectionName = "timetable"
	Version     = 3
)

// mostLag bounds the days that a trip goes on: two weeks of its times and of its headways.
const mostLag = 30

// None stands for no stop, trip, pattern or text.
const None = ^uint32(0)

// Index is read-only and safe for concurrent use, and lives as long as the region that it
// came from.
type Index struct {
	text     []byte
	feeds    []feed
	agencies []agency
	lines    []line
	stops    []stop
	stopRow  []uint32 // the first stop of each row of latitude; one more than there are rows
	southRow []int32  // one value: the row of stopRow[0]
	stopIDs  []named  // in the order of their ids

	services []uint64 // bits of days, serviceWords for each service
	span     []int32  // first day, number of days, and days that a trip can go on after its service day

	patterns     []pattern
	patternStops []uint32 // stops of each pattern
	patternRules []uint8  // boarding and alighting at each of patternStops
	patternSigns []uint32 // texts of headsigns at each of the stops; only of patterns that have some
	trips        []trip
	times        []Call
	headways     []Headway
	tripIDs      []named // in the order of their ids
	tripAccess   []uint8 // of each trip: Accessible, Inaccessible or 0; empty where no trip states it

	callAt  []uint32 // first of the calls of each stop; one more than there are stops
	calls   []StopCall
	childAt []uint32 // first of the children of each stop, in children
	child   []uint32

	transferAt []uint32 // first of the transfers of each stop; one more than there are stops
	transfers  []Transfer
	walkAt     []uint32 // first of the walks of each stop; one more than there are stops
	walks      []Walk
	stepFree   []uint16 // seconds of each of walks without stairs and escalators, noWay where none is known; empty where no feed states any
	onwardAt   []uint32 // first of the continuations of each trip; one more than there are trips, or none where no trip has one
	onward     []uint32 // trips

	translations []translation // in the order of the texts

	shapePoints  []geo.Fixed
	shapeAt      []uint32  // first of the points of each shape; one more than there are shapes
	patternShape []uint32  // the shape of each pattern, None where it has none; empty where no feed has shapes
	placings     []placing // of each of patternStops on the shape

	doors     [2][2]map[uint32][]Walk // by stop, to the street and from there: all, and those that are step-free
	zones     []*time.Location        // of each agency
	lineOf    map[string][]uint32     // by id
	lineNamed map[string][]uint32     // by name in small letters
	ofLineAt  []uint32                // first of the patterns of each line in ofLine; one more than there are lines
	ofLine    []uint32
}

type feed struct {
	Name, Publisher, Link, Version, Licence uint32 // texts
	First, Last                             int32  // days of service
	OnDemand                                uint32 // trips that are left out
}

type agency struct {
	ID, Code, Name, Link, Zone uint32
	Feed                       uint32
}

type line struct {
	ID, ShortName, LongName uint32
	Agency                  uint32
	Colour, Ink             uint32 // 0xRRGGBB, None where there is none
	Mode                    uint32
}

type stop struct {
	At                                            geo.Fixed
	ID, Code, Name, Indicator, Locality, Platform uint32
	Heading                                       uint32
	Parent                                        uint32
	Modes                                         uint16
	Kind                                          uint8
	Wheelchair                                    uint8
}

// Kinds of stop, as location_type of GTFS.
const (
	KindStop     = 0
	KindStation  = 1
	KindEntrance = 2
	KindNode     = 3
	KindArea     = 4
)

// What is known of getting on in a wheelchair, as wheelchair_boarding and
// wheelchair_accessible of GTFS; 0 where nothing is.
const (
	Accessible   = 1
	Inaccessible = 2
)

type pattern struct {
	Line      uint32
	Stops     uint32 // the first in patternStops
	Signs     uint32 // the first in patternSigns, or None
	Trips     uint32 // the first in trips; there Count of them, or one for each of the headways
	Times     uint32 // the first in times
	Count     uint32
	Headways  uint32 // the first in headways
	Repeats   uint32 // how many headways there are; 0 of trips with times of their own
	Length    uint16 // stops
	Direction uint8  // 0, 1, or 2 where it is not known
	_         uint8
}

type trip struct {
	ID, Sign, Block uint32
	Service         uint32
}

// named is an id of a stop or a trip. One that several feeds have can have an id of each.
type named struct {
	ID uint32 // text
	Of uint32
}

// Headway repeats a trip from Start until before End.
type Headway struct {
	Trip       uint32 // within its pattern
	Start, End int32  // seconds of the service day of the first departure and of what no departure reaches
	Every      int32  // seconds
	Exact      uint32 // 1 where the departures are at these times to the second
}

// StopCall is one visit of a pattern to a stop.
type StopCall struct {
	Pattern  uint32
	Position uint32
}

// Transfer is a rule of changing between vehicles. It is about all lines and trips where it
// names none.
type Transfer struct {
	From, To         uint32 // stops
	FromLine, ToLine uint32 // None for any
	FromTrip, ToTrip uint32 // None for any
	Seconds          int32  // that the change needs at least; -1 where that is not given
	Kind             uint8  // Recommended, Timed, Minimum or Impossible
	_                [3]uint8
}

// Kinds of Transfer, as transfer_type of GTFS.
const (
	Recommended = 0
	Timed       = 1 // the vehicle that is boarded waits for the one that is left
	Minimum     = 2 // the change needs the seconds that are given
	Impossible  = 3
)

// Walk is a way on foot between two stops, or a stop and an entrance, that a feed states.
type Walk struct {
	To      uint32
	Seconds uint16
	Metres  uint16
}

// Call is when a vehicle comes to a stop and leaves it, in seconds after its service day
// began.
type Call struct{ Arrive, Depart int32 }

// Rules of boarding and alighting, as pickup_type and drop_off_type of GTFS.
const (
	Regular   = 0
	Never     = 1
	ByPhone   = 2
	AskDriver = 3
)

// Boarding returns the rule of getting on of one of PatternRules.
func Boarding(rules uint8) uint8 { return rules & 3 }

// Alighting returns the rule of getting off of one of PatternRules.
func Alighting(rules uint8) uint8 { return rules >> 2 & 3 }
