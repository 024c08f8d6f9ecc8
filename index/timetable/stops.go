package timetable

import (
	"cmp"
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
)

// Stops returns the number of stops, stations and their parts, which are numbered from 0.
func (x *Index) Stops() int { return len(x.stops) }

// Stop describes a stop.
func (x *Index) Stop(n uint32) Stop {
	s := &x.stops[n]
	out := Stop{
		ID: x.string(s.ID), Code: x.string(s.Code), Name: x.string(s.Name), Indicator: x.string(s.Indicator), Locality: x.string(s.Locality), Platform: x.string(s.Platform), Heading: x.string(s.Heading),
		At: s.At.Point(), Parent: -1, Kind: s.Kind, Wheelchair: s.Wheelchair,
	}
	if s.Parent != None {
		out.Parent = int(s.Parent)
		if out.Wheelchair == 0 {
			out.Wheelchair = x.stops[s.Parent].Wheelchair
		}
	}
	return out
}

// StopAccessible reports whether it is known that one can board in a wheelchair at a stop.
func (x *Index) StopAccessible(n uint32) bool {
	s := &x.stops[n]
	if s.Wheelchair == 0 && s.Parent != None {
		s = &x.stops[s.Parent]
	}
	return s.Wheelchair == Accessible
}

// TripAccessible reports whether it is known that the vehicle of a trip takes a wheelchair.
func (x *Index) TripAccessible(trip uint32) bool {
	return len(x.tripAccess) > 0 && x.tripAccess[trip] == Accessible
}

// Modes returns the set of modes that call at a stop, or at the stops of a station.
func (x *Index) Modes(stop uint32) Modes { return Modes(x.stops[stop].Modes) }

// Find returns the stop of an id; false where there is none.
func (x *Index) Find(id string) (uint32, bool) {
	if list := x.ofID(x.stopIDs, id); len(list) > 0 {
		return list[0].Of, true
	}
	return None, false
}

// ofID returns the part of a list of an id.
func (x *Index) ofID(list []named, id string) []named {
	first, _ := slices.BinarySearchFunc(list, id, func(n named, id string) int { return cmp.Compare(x.string(n.ID), id) })
	last := first
	for last < len(list) && x.string(list[last].ID) == id {
		last++
	}
	return list[first:last]
}

// Within returns the stops whose departures are wanted for a stop: itself, or the stops of the station.
func (x *Index) Within(stop uint32) []uint32 {
	if list := x.child[x.childAt[stop]:x.childAt[stop+1]]; len(list) > 0 {
		return append([]uint32{stop}, list...)
	}
	return []uint32{stop}
}

// Near calls yield for every stop within so many metres of a point, in no order.
func (x *Index) Near(p geo.Point, metres float64, yield func(stop uint32, away float64)) {
	if len(x.stops) == 0 {
		return
	}
	south, north := geo.Destination(p, 180, metres).Fix().Lat, geo.Destination(p, 0, metres).Fix().Lat
	west, east := geo.Destination(p, 270, metres), geo.Destination(p, 90, metres)
	first, last := max(0, int(rowOf(south))-int(x.southRow[0])), min(len(x.stopRow)-2, int(rowOf(north))-int(x.southRow[0]))
	for r := first; r <= last; r++ {
		row := x.stops[x.stopRow[r]:x.stopRow[r+1]]
		if west.Lon <= east.Lon {
			scan(row, int(x.stopRow[r]), p, west.Fix().Lon, east.Fix().Lon, metres, yield)
			continue
		}
		scan(row, int(x.stopRow[r]), p, west.Fix().Lon, geo.Point{Lon: 180}.Fix().Lon, metres, yield)
		scan(row, int(x.stopRow[r]), p, geo.Point{Lon: -180}.Fix().Lon, east.Fix().Lon, metres, yield)
	}
}

func scan(row []stop, base int, p geo.Point, west, east int32, metres float64, yield func(uint32, float64)) {
	i, _ := slices.BinarySearchFunc(row, west, func(s stop, lon int32) int { return cmp.Compare(s.At.Lon, lon) })
	for ; i < len(row) && row[i].At.Lon <= east; i++ {
		if away := geo.Distance(p, row[i].At.Point()); away <= metres {
			yield(uint32(base+i), away)
		}
	}
}

// ServedBy reports whether vehicles of some modes call at a stop itself. A station whose
// vehicles call at its stops is none where one boards.
func (x *Index) ServedBy(stop uint32, of Modes) bool {
	for _, c := range x.calls[x.callAt[stop]:x.callAt[stop+1]] {
		if of.Has(Mode(x.lines[x.patterns[c.Pattern].Line].Mode)) {
			return true
		}
	}
	return false
}

// LinesAt lists the lines of some modes that call at a stop, or at the stops of a station:
// their short names, or the long ones where there is none, in a language where the feed has
// it, each once and in the order of their numbers.
func (x *Index) LinesAt(stop uint32, of Modes, language string) []string {
	var lines []uint32
	for _, s := range x.Within(stop) {
		for _, c := range x.calls[x.callAt[s]:x.callAt[s+1]] {
			if n := x.patterns[c.Pattern].Line; of.Has(Mode(x.lines[n].Mode)) && !slices.Contains(lines, n) {
				lines = append(lines, n)
			}
		}
	}
	names := make([]string, len(lines))
	for i, n := range lines {
		names[i] = x.LineNameIn(n, language)
	}
	slices.SortFunc(names, compareLines)
	return slices.Compact(names)
}

// compareLines puts line 2 before 10, and 10 before 10A.
func compareLines(a, b string) int {
	p, q := leadingNumber(a), leadingNumber(b)
	return cmp.Or(cmp.Compare(len(p), len(q)), cmp.Compare(p, q), cmp.Compare(a, b))
}

// leadingNumber returns the number that a name begins with; names without one come last.
func leadingNumber(name string) string {
	digits := name[:len(name)-len(strings.TrimLeft(name, "0123456789"))]
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		return strings.Repeat("9", 40)
	}
	return digits
}

// LineName returns the short name of a line, or its long one.
func (x *Index) LineName(n uint32) string { return x.LineNameIn(n, "") }

// Line describes a line.
func (x *Index) Line(n uint32) Line {
	l := &x.lines[n]
	return Line{ID: x.string(l.ID), ShortName: x.string(l.ShortName), LongName: x.string(l.LongName), Agency: int(l.Agency), Mode: Mode(l.Mode), Colour: l.Colour, Ink: l.Ink}
}

// Agency describes an agency.
func (x *Index) Agency(n int) Agency {
	a := &x.agencies[n]
	return Agency{ID: x.string(a.ID), Code: x.string(a.Code), Name: x.string(a.Name), Link: x.string(a.Link), Zone: x.string(a.Zone), Feed: int(a.Feed)}
}

// Feeds describes the sources of the timetable.
func (x *Index) Feeds() []Feed {
	out := make([]Feed, len(x.feeds))
	for i, f := range x.feeds {
		out[i] = Feed{Name: x.string(f.Name), Publisher: x.string(f.Publisher), Link: x.string(f.Link), Version: x.string(f.Version), Licence: x.string(f.Licence), OnDemand: int(f.OnDemand)}
	}
	return out
}
