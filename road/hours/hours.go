// Package hours reads the times at which restrictions hold and ferries sail:
// the part of OSM's opening_hours that stands in conditional tags, and the
// conditions themselves. Times are those of clocks where the road is.
//
// Not known here are public and school holidays, the sun's rising and setting,
// weeks of the year, the nth weekday of a month, and open ends. What depends on
// them is Unknown, except that a rule for holidays alone never holds.
package hours

import (
	"slices"
	"time"
)

// State is what a schedule says of a moment.
type State uint8

// The states. Unknown depends on what is not known here.
const (
	Closed State = iota
	Open
	Unknown
)

// day is the minutes of a day.
const day = 24 * 60

// Schedule is a set of times that comes round.
type Schedule struct {
	rules []rule
	// Holidays is true where the schedule speaks of public or school holidays,
	// which are not known here.
	Holidays bool
}

// rule is some times on some days.
type rule struct {
	additional bool // it adds to the rule before rather than taking its place
	dates      []dates
	weekdays   uint8 // a bit for each, Sunday first; 0 is any
	never      bool  // for holidays alone
	spans      []span
	off        bool
	unknown    bool
}

// dates is a range of days. Years are 0 where it comes every year.
type dates struct{ from, to date }

type date struct{ year, month, day int }

// span is a range of minutes from midnight of the day it begins; it may end on
// the next. unknown ones have an end that is not known here.
type span struct {
	from, to int
	unknown  bool
}

func (d date) number() int { return d.month*32 + d.day }

func (d *dates) holds(t date) bool {
	if d.from.year != 0 {
		from, to, at := d.from.year*512+d.from.number(), d.to.year*512+d.to.number(), t.year*512+t.number()
		return from <= at && at <= to
	}
	from, to, at := d.from.number(), d.to.number(), t.number()
	if from <= to {
		return from <= at && at <= to
	}
	return at >= from || at <= to
}

func (r *rule) holds(t time.Time) bool {
	if r.never || r.weekdays != 0 && r.weekdays>>t.Weekday()&1 == 0 {
		return false
	}
	at := date{t.Year(), int(t.Month()), t.Day()}
	return len(r.dates) == 0 || slices.ContainsFunc(r.dates, func(d dates) bool { return d.holds(at) })
}

// At tells what the schedule says of a moment of local time, to the minute.
func (s *Schedule) At(t time.Time) State {
	minute := t.Hour()*60 + t.Minute()
	today := s.on(t, minute)
	// What began yesterday may go on.
	yesterday := s.on(t.AddDate(0, 0, -1), minute+day)
	switch {
	case today == Open || yesterday == Open:
		return Open
	case today == Unknown || yesterday == Unknown:
		return Unknown
	}
	return Closed
}

// on tells what the rules of a day say of a minute from its midnight.
func (s *Schedule) on(t time.Time, minute int) State {
	var now [8]*rule
	in := now[:0]
	for i := range s.rules {
		r := &s.rules[i]
		if !r.holds(t) {
			continue
		}
		if !r.additional {
			in = in[:0]
		}
		in = append(in, r)
	}
	state := Closed
	for _, r := range in {
		for _, x := range r.spans {
			switch {
			case x.unknown && r.off: // it may be closed then, which it is anyway or another rule denies
			case x.unknown:
				if state == Closed && x.from <= minute && minute < x.to {
					state = Unknown
				}
			case x.from <= minute && minute < x.to:
				state = Open
				if r.off {
					return Closed
				}
				if r.unknown {
					state = Unknown
				}
			}
		}
	}
	return state
}

// Minutes lists, sorted, the minutes of a day at which what the schedule says
// may change, midnight among them.
func (s *Schedule) Minutes() []int {
	list := []int{0}
	for i := range s.rules {
		for _, x := range s.rules[i].spans {
			list = append(list, x.from%day, x.to%day)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
