package conditional

import (
	"math"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/hours/holiday"
)

// Moment is a time on the clocks where a road is, in the location UTC, and what else
// times depend on there. A nil Moment is of a journey that no time is known of.
type Moment struct {
	Local time.Time
	Place *Place // nil where nothing is known of it
}

// Place is where a road is, as far as times depend on it: on its holidays, and on when
// the sun rises and sets there. It is immutable.
type Place struct {
	of hours.Place
	// zones are those that its clocks may be in, of which one is.
	zones []*time.Location
}

// Near names a place by its country and by squares of a quarter of a degree, in which
// the sun rises and sets at much the same time.
type Near struct {
	country uint16
	x, y    int16
}

// NearTo gives the name of a place in a country, packed in two bytes as the graph has it.
func NearTo(country uint16, at geo.Point) Near {
	return Near{country, int16(math.Floor(4 * at.Lon)), int16(math.Floor(4 * at.Lat))}
}

// Place gives what is known there.
func (n Near) Place() *Place {
	at := geo.Point{Lon: (float64(n.x) + 0.5) / 4, Lat: (float64(n.y) + 0.5) / 4}
	p := &Place{of: hours.Place{At: &at}}
	if n.country != 0 {
		p.of.Holiday = holiday.In(string([]byte{byte(n.country >> 8), byte(n.country)}), "")
	}
	if zone, ok := Zone(n.country); ok {
		p.zones = []*time.Location{zone}
		return p
	}
	// Of a country with several zones the one is not known: clocks show the sun's
	// time to an hour, with two more in summer and where a zone reaches far west.
	sun := int(math.Round(at.Lon / 15))
	for hour := sun - 1; hour <= sun+2; hour++ {
		p.zones = append(p.zones, time.FixedZone("", hour*3600))
	}
	return p
}

// state is what a schedule says of the moment. A day of which it is not known whether
// it is a holiday counts as none where that opens the schedule.
func (m *Moment) state(s *hours.Schedule) hours.State {
	if m == nil {
		return hours.Unknown
	}
	if m.Place == nil || !s.Placed() {
		return s.At(m.Local)
	}
	state := hours.Unknown
	for i, zone := range m.Place.zones {
		said := s.In(inZone(m.Local, zone), &m.Place.of)
		if said == hours.Unknown && s.At(m.Local) == hours.Open {
			said = hours.Open
		}
		if i > 0 && said != state {
			return hours.Unknown
		}
		state = said
	}
	return state
}

// MinutesOn appends the minutes of the day of a moment, and of the next one, at which
// the condition may begin or cease to be met.
func (c *Condition) MinutesOn(list []int, m Moment) []int {
	for _, times := range [...][]*hours.Schedule{c.Times, c.Outside} {
		for _, s := range times {
			list = MinutesOn(list, s, m)
		}
	}
	return list
}

// MinutesOn appends the minutes of the day of a moment, and of the next one, at which
// what a schedule says may change.
func MinutesOn(list []int, s *hours.Schedule, m Moment) []int {
	if m.Place == nil || !s.Placed() {
		return append(list, s.MinutesOn(m.Local, nil)...)
	}
	for _, zone := range m.Place.zones {
		list = append(list, s.MinutesOn(inZone(m.Local, zone), &m.Place.of)...)
	}
	return list
}

// inZone gives the time that the clocks of a zone show as the local one.
func inZone(local time.Time, zone *time.Location) time.Time {
	y, m, d := local.Date()
	return time.Date(y, m, d, local.Hour(), local.Minute(), local.Second(), 0, zone)
}
