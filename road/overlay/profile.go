package overlay

import (
	"time"

	"github.com/waygate/waygate/road/graph"
)

// HoursOfWeek is how many hours a profile distinguishes, from Monday 0:00.
const HoursOfWeek = 7 * 24

// Profile is how fast traffic usually moves by the hour of the week. It is immutable
// once it was made.
type Profile struct {
	row   []uint32 // by original edge, and one more; 0 is none
	hours [][HoursOfWeek]uint8
}

// NewProfile returns an empty profile of so many edges.
func NewProfile(edges int) *Profile { return &Profile{row: make([]uint32, edges)} }

// Set sets the speeds of an original edge, in km/h, 0 where not known. Only the
// maker of a profile may call it.
func (p *Profile) Set(e graph.Edge, hours [HoursOfWeek]uint8) {
	if at := p.row[e]; at > 0 {
		p.hours[at-1] = hours
		return
	}
	p.hours = append(p.hours, hours)
	p.row[e] = uint32(len(p.hours))
}

// Edges returns how many edges the profile has speeds of.
func (p *Profile) Edges() int {
	if p == nil {
		return 0
	}
	return len(p.hours)
}

// HasSpeeds reports whether the profile has speeds of an original edge.
func (p *Profile) HasSpeeds(e graph.Edge) bool {
	return p != nil && int(e) < len(p.row) && p.row[e] > 0
}

// Speed returns the usual speed of an original edge in an hour of the week, 0 where none
// is known.
func (p *Profile) Speed(e graph.Edge, hour int) uint8 {
	if p == nil || int(e) >= len(p.row) || p.row[e] == 0 {
		return 0
	}
	return p.hours[p.row[e]-1][hour]
}

// fill gives speeds with those of the profile where there are none.
func (p *Profile) fill(speeds []uint8, hour int) []uint8 {
	all := make([]uint8, max(len(p.row), len(speeds)))
	copy(all, speeds)
	for e, at := range p.row {
		if at > 0 && all[e] == 0 {
			all[e] = p.hours[at-1][hour]
		}
	}
	return all
}

// HourOfWeek returns the hour of the week of a local time, from Monday 0:00.
func HourOfWeek(local time.Time) int { return (int(local.Weekday())+6)%7*24 + local.Hour() }
