package errands

import (
	"slices"
	"time"

	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/index/place"
)

// opening has the schedule of a place around the time of the journey.
type opening struct {
	tag    string // "" without one
	zone   *time.Location
	starts []int64       // milliseconds from the departure at which what it says changes
	states []hours.State // from each of them on; none where the tag cannot be judged
}

// mostDays bounds the time after the departure that tags are judged for. Nobody
// is later: five errands of four hours, and drives within one region.
const mostDays = 7

// openingHours is the detail of a place that is judged.
const openingHours = "opening_hours"

// opens judges the tag of a place.
func (j *job) opens(p *place.Place) *opening {
	o := &opening{}
	for _, d := range p.Details {
		if d.Key == openingHours {
			o.tag = d.Value
		}
	}
	o.zone = j.Zone(p.At)
	if o.tag == "" || o.zone == nil {
		return o
	}
	schedule, err := hours.Parse(o.tag)
	if err != nil {
		return o
	}
	from := j.request.DepartAt
	to := from.AddDate(0, 0, mostDays)
	for _, x := range schedule.Stretches(from, to, o.zone, &hours.Place{At: &p.At, Holiday: j.holidays(p)}) {
		o.starts, o.states = append(o.starts, x.From.Sub(from).Milliseconds()), append(o.states, x.State)
	}
	o.starts, o.states = append(o.starts, to.Sub(from).Milliseconds()), append(o.states, hours.Unknown)
	return o
}

// holidays returns the public ones where a place is; nil where they are not known.
func (j *job) holidays(p *place.Place) hours.Holidays {
	if j.Holidays == nil {
		return nil
	}
	return j.Holidays(p.CountryCode, p.State)
}

// during returns the state of the schedule for a stay, in milliseconds from the departure: Closed
// where it is shut at any moment of it, Unknown where it is not known to be open
// at all of them.
func (o *opening) during(from, to int64) hours.State {
	if len(o.starts) == 0 {
		return hours.Unknown
	}
	i, exact := slices.BinarySearch(o.starts, from)
	if !exact {
		i--
	}
	state := o.states[i]
	for i++; i < len(o.starts) && o.starts[i] < to; i++ {
		switch o.states[i] {
		case hours.Closed:
			return hours.Closed
		case hours.Unknown:
			if state == hours.Open {
				state = hours.Unknown
			}
		}
	}
	return state
}

// shut reports whether the place is proven shut at all moments of a time.
func (o *opening) shut(from, to int64) bool {
	if len(o.starts) == 0 {
		return false
	}
	for i, at := range o.starts {
		ends := i+1 == len(o.starts) || o.starts[i+1] > from
		if o.states[i] != hours.Closed && at < max(to, from+1) && ends {
			return false
		}
	}
	return true
}
