// Package hours reads and judges opening hours: OSM's syntax of the tag
// opening_hours (https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification),
// which stands in conditional tags too. Times are local time where the place is.
//
// Parse reads a Schedule; State is its result at a moment. In uses what is
// known of a Place: where it is, for the sun, and its holidays. At judges without
// any: hours of the sun are Unknown, and a rule for holidays alone never holds. When
// what has an open end or only a remark is open is Unknown to both. How rules
// overrule one another is as in the reference implementation, opening_hours.js, with
// which a test compares all values of the extracts.
package hours

import (
	"slices"
	"time"
)

// State is whether a schedule is open at a moment.
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
	schools  bool // for school holidays
}

// Placed reports whether the schedule depends on the place: on the sun or
// on holidays there.
func (s *Schedule) Placed() bool {
	return s.Holidays || slices.ContainsFunc(s.rules, func(r rule) bool {
		return slices.ContainsFunc(r.spans, func(x span) bool { return x.rise.by != clock || x.set.by != clock })
	})
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
	public     bool  // or a public holiday
	school     bool  // or a day of school holidays
	spans      []span
	off        bool
	unknown    bool
}

// weeks is a range of weeks of the year by ISO 8601, each or each step-th.
type weeks struct{ from, to, step int }

// nthDay is a weekday by its number in the month, from its end if negative.
type nthDay struct{ day, n int }

// dates is a range of days. Years are 0 where it applies every year.
type dates struct{ from, to date }

// date is a day of a year, or of every year; by Easter it is so many days after its
// Sunday.
type date struct {
	year, month, day int
	easter           bool
	after            int
}

// span is a range of minutes from midnight of the day it begins on; it may end on
// the next day. With unknown one of its ends is not known, and from and to are the
// widest it can be.
type span struct {
	from, to int
	unknown  bool
	rise     timeOfDay // where unknown for the sun: when it begins and ends
	set      timeOfDay
	endless  bool // it has a begin alone
	openEnd  int  // minute up to which it may last beyond to; 0 for a plain end
}

// last returns the minute by which the span is over.
func (x *span) last() int { return max(x.to, x.openEnd) }

func (d date) dayNumber() int { return d.month*32 + d.day }

// in returns a date by Easter as one of a year.
func (d date) in(year int) date {
	if !d.easter {
		return d
	}
	e := easter(year)
	t := time.Date(e.year, time.Month(e.month), e.day+d.after, 0, 0, 0, 0, time.UTC)
	return date{month: int(t.Month()), day: t.Day()}
}

func (d dates) holds(t date) bool {
	d.from, d.to = d.from.in(t.year), d.to.in(t.year)
	if d.from.year != 0 {
		from, to, at := d.from.year*512+d.from.dayNumber(), d.to.year*512+d.to.dayNumber(), t.year*512+t.dayNumber()
		return from <= at && at <= to
	}
	from, to, at := d.from.dayNumber(), d.to.dayNumber(), t.dayNumber()
	if from <= to {
		return from <= at && at <= to
	}
	return at >= from || at <= to
}

// holds reports whether the rule applies to a day, by the known facts of its holidays.
func (r *rule) holds(t time.Time, f facts) bool {
	if r.weekdays != 0 || len(r.nth) > 0 || r.public || r.school {
		weekday := r.weekdays>>t.Weekday()&1 == 1 || slices.ContainsFunc(r.nth, func(d nthDay) bool { return d.holds(t) })
		if !weekday && !(r.public && f.public[0]) && !(r.school && f.school[0]) {
			return false
		}
	}
	if _, week := t.ISOWeek(); len(r.weeks) > 0 && !slices.ContainsFunc(r.weeks, func(w weeks) bool {
		return w.from <= week && week <= w.to && (week-w.from)%w.step == 0
	}) {
		return false
	}
	at := date{year: t.Year(), month: int(t.Month()), day: t.Day()}
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

// At returns the state at a moment of local time, to the minute, where
// nothing is known of the place.
func (s *Schedule) At(t time.Time) State { return s.judge(t, nil, facts{}) }

// judge returns the state at a moment by some facts. Of the rules that apply
// the last counts; what began yesterday goes on unless a rule for today replaces it.
func (s *Schedule) judge(t time.Time, p *Place, f facts) State {
	minute := t.Hour()*60 + t.Minute()
	yesterday := t.AddDate(0, 0, -1)
	before := f.yesterday()
	state := Closed
	first := 0 // the first rule that is not replaced
	for i := range s.rules {
		r := &s.rules[i]
		var previous *rule
		if i > 0 {
			previous = &s.rules[i-1]
		}
		if r.clears(previous) && r.holds(t, f) {
			first = i
		}
	}
	for i := first; i < len(s.rules); i++ {
		r := &s.rules[i]
		if r.fallback && state != Closed {
			continue
		}
		if r.holds(t, f) {
			state = r.at(minute, state, p, t)
		}
		if r.late() && r.holds(yesterday, before) {
			state = r.at(minute+day, state, p, yesterday)
		}
	}
	return state
}

// late reports whether some time of the rule goes on after midnight.
func (r *rule) late() bool {
	return slices.ContainsFunc(r.spans, func(x span) bool { return x.last() > day })
}

// at returns the state by a rule that applies, at a minute counted from the midnight of its
// day, and state what those before it do.
func (r *rule) at(minute int, state State, p *Place, on time.Time) State {
	for _, x := range r.spans {
		x = x.on(p, on)
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

// MinutesOn lists, sorted, the minutes of a day, and of the next one up to its end, at
// which the state at a place may change.
func (s *Schedule) MinutesOn(on time.Time, p *Place) []int {
	list := []int{0}
	for i := range s.rules {
		for _, x := range s.rules[i].spans {
			x = x.on(p, on)
			list = append(list, x.from, x.to, x.last())
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
