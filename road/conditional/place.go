package conditional

import (
	"math"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/hours/holiday"
)

// LocalTime is a local time where a road is, in the location UTC, with the place that times
// depend on. A nil Moment is that of a journey without a known time.
type LocalTime struct {
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

// NearTo returns the name of a place in a country; the country is packed in two bytes as in
// the graph.
func NearTo(country uint16, at geo.Point) Near {
	return Near{country, int16(math.Floor(4 * at.Lon)), int16(math.Floor(4 * at.Lat))}
}

// Place returns what is known of the place.
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
	// In a country with several zones the zone is not known: clocks show the sun's
	// time to an hour, with two more in summer and where a zone reaches far west.
	sun := int(math.Round(at.Lon / 15))
	for hour := sun - 1; hour <= sun+2; hour++ {
		p.zones = append(p.zones, time.FixedZone("", hour*3600))
	}
	return p
}

// state returns the state of a schedule at the moment. If it is not known whether a day is a
// holiday, it counts as none if that opens the schedule.
func (m *LocalTime) state(s *hours.Schedule) hours.State {
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
func (c *Condition) MinutesOn(list []int, m LocalTime) []int {
	for _, times := range [...][]*hours.Schedule{c.Times, c.Outside} {
		for _, s := range times {
			list = MinutesOn(list, s, m)
		}
	}
	return list
}

// MinutesOn appends the minutes of the day of a moment, and of the next one, at which
// what a schedule says may change.
func MinutesOn(list []int, s *hours.Schedule, m LocalTime) []int {
	if m.Place == nil || !s.Placed() {
		return append(list, s.MinutesOn(m.Local, nil)...)
	}
	for _, zone := range m.Place.zones {
		list = append(list, s.MinutesOn(inZone(m.Local, zone), &m.Place.of)...)
	}
	return list
}

// inZone returns the time at which the clocks of a zone show the local one.
func inZone(local time.Time, zone *time.Location) time.Time {
	y, m, d := local.Date()
	return time.Date(y, m, d, local.Hour(), local.Minute(), local.Second(), 0, zone)
}
