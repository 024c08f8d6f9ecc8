// Package hours reads and judges opening hours: OSM's syntax of the tag
// opening_hours (https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification),
// which stands in conditional tags too. Times are local time where the place is.
//
// Parse reads a Schedule; State is what one says of a moment. Not known here are
// public and school holidays, sunrise and sunset, and when what has an open end or
// only a remark is open. What depends on them is Unknown, except that a rule for
// holidays alone never holds. How rules overrule one another is as in the reference
// implementation, opening_hours.js, with which a test compares all values of the
// extracts.
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
	additional bool // it adds to the rules before it instead of replacing them
	fallback   bool // it counts where the rules before it are closed
	dated      bool // it is for some days
	dates      []dates
	weeks      []weeks
	nth        []nthDay
	weekdays   uint8 // a bit for each, Sunday first; 0 is any
	never      bool  // for holidays alone
	spans      []span
	off        bool
	unknown    bool
}

// weeks is a range of weeks of the year by ISO 8601, each or each step-th.
type weeks struct{ from, to, step int }

// nthDay is a weekday by its number in the month, from its end if negative.
type nthDay struct{ day, n int }

// dates is a range of days. Years are 0 where it holds every year.
type dates struct{ from, to date }

type date struct{ year, month, day int }

// span is a range of minutes from midnight of the day it begins on; it may end on
// the next day. With unknown one of its ends is not known, and from and to are the
// widest it can be.
type span struct {
	from, to int
	unknown  bool
	openEnd  int // minute up to which it may last beyond to; 0 for a plain end
}

// last is the minute by which the span is over.
func (x *span) last() int { return max(x.to, x.openEnd) }

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
	if r.never {
		return false
	}
	if (r.weekdays != 0 || len(r.nth) > 0) && r.weekdays>>t.Weekday()&1 == 0 && !slices.ContainsFunc(r.nth, func(d nthDay) bool { return d.holds(t) }) {
		return false
	}
	if _, week := t.ISOWeek(); len(r.weeks) > 0 && !slices.ContainsFunc(r.weeks, func(w weeks) bool {
		return w.from <= week && week <= w.to && (week-w.from)%w.step == 0
	}) {
		return false
	}
	at := date{t.Year(), int(t.Month()), t.Day()}
	return len(r.dates) == 0 || slices.ContainsFunc(r.dates, func(d dates) bool { return d.holds(at) })
}

func (d nthDay) holds(t time.Time) bool {
	if int(t.Weekday()) != d.day {
		return false
	}
	if d.n > 0 {
		return (t.Day()+6)/7 == d.n
	}
	left := t.AddDate(0, 1, -t.Day()).Day() - t.Day() // days after this one in the month
	return left/7+1 == -d.n
}

// clears reports whether on its days a rule replaces those before it, of which
// before is the last. A rule that is off, or for any day after one for some days,
// leaves them: it counts at its times alone.
func (r *rule) clears(before *rule) bool {
	return !r.additional && !r.fallback && (!r.off || r.unknown) && (r.dated || before != nil && !before.dated)
}

// At is what the schedule says of a moment of local time, to the minute. Of the
// rules that hold the last counts; what began yesterday goes on unless a rule for
// today replaces it.
func (s *Schedule) At(t time.Time) State {
	minute := t.Hour()*60 + t.Minute()
	yesterday := t.AddDate(0, 0, -1)
	state := Closed
	first := 0 // the first rule of today that is not replaced, and of yesterday that is not
	firstLate := 0
	for i := range s.rules {
		r := &s.rules[i]
		var before *rule
		if i > 0 {
			before = &s.rules[i-1]
		}
		if r.clears(before) && r.holds(t) {
			first, firstLate = i, i
		}
	}
	for i := range s.rules {
		r := &s.rules[i]
		if r.fallback && state != Closed {
			continue
		}
		if i >= first && r.holds(t) {
			state = r.at(minute, state)
		}
		if i >= firstLate && r.late() && r.holds(yesterday) {
			state = r.at(minute+day, state)
		}
	}
	return state
}

// late reports whether some time of the rule goes on after midnight.
func (r *rule) late() bool {
	return slices.ContainsFunc(r.spans, func(x span) bool { return x.last() > day })
}

// at is what a rule that holds says of a minute counted from the midnight of its
// day, and state what those before it do.
func (r *rule) at(minute int, state State) State {
	for _, x := range r.spans {
		switch {
		case minute < x.from || minute >= x.last():
		case r.off && (x.unknown || minute >= x.to): // perhaps off: the state by the other rules stands
		case r.off:
			state = Closed
		case r.unknown:
			state = Unknown
		case x.unknown, minute >= x.to:
			if state == Closed {
				state = Unknown
			}
		default:
			state = Open
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
			list = append(list, x.from%day, x.to%day, x.last()%day)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
