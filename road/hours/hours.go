// Package hours reads the times at which restrictions hold and ferries sail: the
// part of OSM's opening_hours syntax
// (https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification) that
// stands in conditional tags, and the conditions themselves
// (https://wiki.openstreetmap.org/wiki/Conditional_restrictions). Times are local
// time where the road is; Zone gives the time zone of a country.
//
// Parse reads a Schedule, Clauses a conditional tag, and Rules all conditional
// tags of access on one direction of a way. State is what they say of a moment.
// Not known here are public and school holidays, sunrise and sunset, weeks of the
// year, the nth weekday of a month, and open ends. What depends on them is
// Unknown, except that a rule for holidays alone never holds.
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

// Schedule is a set of times that repeats, weekly or yearly.
type Schedule struct {
	rules []rule
	// Holidays is true where the schedule has rules for public or school
	// holidays, which are not known here.
	Holidays bool
}

// rule is times of day on some days.
type rule struct {
	additional bool // it adds to the rule before it instead of replacing it
	dates      []dates
	weekdays   uint8 // a bit for each, Sunday first; 0 is any
	never      bool  // for holidays alone
	spans      []span
	off        bool
	unknown    bool
}

// dates is a range of days. Years are 0 where it holds every year.
type dates struct{ from, to date }

type date struct{ year, month, day int }

// span is a range of minutes from midnight of the day it begins on; it may end on
// the next day. With unknown one of its ends is not known, and from and to are the
// widest it can be.
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

// At is what the schedule says of a moment of local time, to the minute.
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

// on is what the rules of the day of t say of a minute counted from its midnight.
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
			case x.unknown && r.off: // perhaps off: the state by the other rules stands
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
