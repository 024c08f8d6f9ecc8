package timetable

import (
	"cmp"
	"slices"
	"time"

	"github.com/waygate/waygate/gtfs"
)

// Departure is one departure of a vehicle from a stop.
type Departure struct {
	At       time.Time // in the zone of the agency
	Stop     uint32
	Pattern  uint32
	Position int    // of the stop in the pattern
	Trip     uint32 // as TripID takes it
	Every    int32  // seconds between vehicles where the time is one of a headway that is not exact, else 0
	Day      gtfs.Date
}

// DepartureQuery is a query for departures.
type DepartureQuery struct {
	Stops  []uint32
	Modes  Modes
	From   time.Time
	Window time.Duration // departures at From and later, before From and Window
	Limit  int
}

// Departures returns the first departures from some stops in the order of their times.
// A trip does not depart from its last stop, nor where nobody may board.
func (x *Index) Departures(b DepartureQuery) []Departure {
	var found []Departure
	for _, s := range b.Stops {
		for _, c := range x.calls[x.callAt[s]:x.callAt[s+1]] {
			p := &x.patterns[c.Pattern]
			if !b.Modes.Has(Mode(x.lines[p.Line].Mode)) || c.Position == uint32(p.Length)-1 || Boarding(x.patternRules[p.Stops+c.Position]) == Never {
				continue
			}
			zone := x.zones[x.lines[p.Line].Agency]
			first, last := days(x, b.From.In(zone), b.From.Add(b.Window).In(zone))
			before := len(found)
			for day := first; day <= last; day++ {
				d := Departure{Stop: s, Pattern: c.Pattern, Position: int(c.Position), Day: day}
				if p.Repeats > 0 {
					found = repeated(x, found, b, p, d, zone)
				} else {
					found = timed(x, found, b, p, d, zone)
				}
			}
			if list := found[before:]; len(list) > b.Limit {
				sortDepartures(list)
				found = found[:before+b.Limit]
			}
		}
	}
	sortDepartures(found)
	return found[:min(len(found), b.Limit)]
}

func sortDepartures(list []Departure) {
	slices.SortFunc(list, func(a, b Departure) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Pattern, b.Pattern), cmp.Compare(a.Position, b.Position), cmp.Compare(a.Trip, b.Trip))
	})
}

// days returns the service days of which a trip can be under way between two times.
func days(x *Index, from, to time.Time) (first, last gtfs.Date) {
	first = max(gtfs.DateOf(from)-gtfs.Date(x.span[2]), gtfs.Date(x.span[0]))
	return first, min(gtfs.DateOf(to)+1, gtfs.Date(x.span[0]+x.span[1]-1))
}

// Runs reports whether a service runs on a day.
func runs(x *Index, service uint32, day gtfs.Date) bool {
	n := int(day) - int(x.span[0])
	return n >= 0 && n < int(x.span[1]) && x.services[int(service)*serviceWords(x)+n/64]>>(n%64)&1 != 0
}

// departs returns when a trip of a pattern leaves one of its stops, in seconds of its day.
func departs(x *Index, p *pattern, trip, position int) int32 {
	return x.times[int(p.Times)+trip*int(p.Length)+position].Depart
}

// timed adds the departures of one day of a pattern without headways.
func timed(x *Index, found []Departure, b DepartureQuery, p *pattern, d Departure, zone *time.Location) []Departure {
	begin := d.Day.Begin(zone)
	from, to := int64(ceilSeconds(b.From.Sub(begin))), int64(ceilSeconds(b.From.Add(b.Window).Sub(begin)))
	if to <= 0 {
		return found
	}
	low, high := 0, int(p.Count)
	for low < high {
		if mid := (low + high) / 2; int64(departs(x, p, mid, d.Position)) < from {
			low = mid + 1
		} else {
			high = mid
		}
	}
	for n := 0; low < int(p.Count) && n < b.Limit; low++ {
		at := int64(departs(x, p, low, d.Position))
		if at >= to {
			break
		}
		if runs(x, x.trips[int(p.Trips)+low].Service, d.Day) {
			d.At, d.Trip = begin.Add(time.Duration(at)*time.Second), p.Trips+uint32(low)
			found = append(found, d)
			n++
		}
	}
	return found
}

// repeated adds the departures of one day of a pattern with headways.
func repeated(x *Index, found []Departure, b DepartureQuery, p *pattern, d Departure, zone *time.Location) []Departure {
	begin := d.Day.Begin(zone)
	from, to := int64(ceilSeconds(b.From.Sub(begin))), int64(ceilSeconds(b.From.Add(b.Window).Sub(begin)))
	for _, h := range x.headways[p.Headways:][:p.Repeats] {
		if !runs(x, x.trips[p.Trips+h.Trip].Service, d.Day) {
			continue
		}
		first := int64(h.Start) + int64(departs(x, p, int(h.Trip), d.Position))
		last := int64(h.End) + first - int64(h.Start) // which no departure reaches
		if from > first {
			first += (from - first + int64(h.Every) - 1) / int64(h.Every) * int64(h.Every)
		}
		for n := 0; first < min(last, to) && n < b.Limit; n++ {
			d.At, d.Trip, d.Every = begin.Add(time.Duration(first)*time.Second), p.Trips+h.Trip, h.Every
			if h.Exact == 1 {
				d.Every = 0
			}
			found = append(found, d)
			first += int64(h.Every)
		}
	}
	return found
}

func ceilSeconds(d time.Duration) time.Duration { return (d + time.Second - 1) / time.Second }

// Sign returns the text on a vehicle at a departure: its headsign at the stop, that of its trip,
// or the name of its last stop.
func (x *Index) Sign(d Departure) string { return x.SignIn(d, "") }

// TripID returns the id of a trip in its feed.
func (x *Index) TripID(trip uint32) string { return x.string(x.trips[trip].ID) }

// LineOf returns the line of a departure.
func (x *Index) LineOf(d Departure) uint32 { return x.patterns[d.Pattern].Line }

// Boarding returns the rule of boarding at a departure: Regular, ByPhone or AskDriver.
func (x *Index) Boarding(d Departure) uint8 {
	return Boarding(x.patternRules[x.patterns[d.Pattern].Stops+uint32(d.Position)])
}

// Span returns the first and the last day that the timetable has; false where it has no trip.
func (x *Index) Span() (first, last gtfs.Date, ok bool) {
	return gtfs.Date(x.span[0]), gtfs.Date(x.span[0] + x.span[1] - 1), x.span[1] > 0
}

// Zone returns the time zone of a stop's first line, else of the first agency, else UTC.
func (x *Index) Zone(stop uint32) *time.Location {
	for _, s := range x.Within(stop) {
		if calls := x.calls[x.callAt[s]:x.callAt[s+1]]; len(calls) > 0 {
			return x.zones[x.lines[x.patterns[calls[0].Pattern].Line].Agency]
		}
	}
	if len(x.zones) > 0 {
		return x.zones[0]
	}
	return time.UTC
}
