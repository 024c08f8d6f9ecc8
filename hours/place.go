package hours

import (
	"time"

	"github.com/waygate/waygate/geo"
)

// Place has the facts that opening hours depend on besides the clock.
type Place struct {
	At      *geo.Point // for the sun; nil where it is not known
	Holiday Holidays   // public ones; nil where they are not known
}

// Holidays reports whether a day of local time, of which only the date counts,
// is a holiday.
type Holidays func(day time.Time) Fact

// Fact is a known or unknown yes or no.
type Fact uint8

// The facts that may be known.
const (
	Perhaps Fact = iota
	No
	Yes
)

// facts are whether today and yesterday are holidays.
type facts struct{ public, school [2]bool }

// yesterday returns the facts for a rule applied to the day before.
func (f facts) yesterday() facts {
	return facts{public: [2]bool{f.public[1]}, school: [2]bool{f.school[1]}}
}

// In returns the state at a moment at a place, to the minute. The time is in
// the place's zone. What is not known of holidays makes Unknown what depends on it;
// of school holidays nothing ever is.
func (s *Schedule) In(t time.Time, p *Place) State {
	var f facts
	if !s.Holidays {
		return s.judge(t, p, f)
	}
	var open []*bool
	for back := range f.public {
		fact := Perhaps
		if p.Holiday != nil {
			fact = p.Holiday(t.AddDate(0, 0, -back))
		}
		if f.public[back] = fact == Yes; fact == Perhaps {
			open = append(open, &f.public[back])
		}
		if s.schools {
			open = append(open, &f.school[back])
		}
	}
	state := Unknown
	for set := range 1 << len(open) {
		for i, fact := range open {
			*fact = set>>i&1 == 1
		}
		if said := s.judge(t, p, f); set == 0 {
			state = said
		} else if said != state {
			return Unknown
		}
	}
	return state
}

// on returns the span as it is on a day, where the sun is known there.
func (x span) on(p *Place, day time.Time) span {
	if p == nil || p.At == nil || x.rise.by == clock && x.set.by == clock {
		return x
	}
	minute := func(t timeOfDay) (int, bool) {
		if t.by == clock {
			return t.minute, true
		}
		at, ok := sunMinutes(t.by, *p.At, day)
		return at + t.minute, ok
	}
	from, rises := minute(x.rise)
	if !rises {
		return x
	}
	if x.endless {
		x.from, x.to = from, openEnd(from)
		return x
	}
	to, sets := minute(x.set)
	if !sets {
		return x
	}
	if to <= from {
		to += 24 * 60
	}
	x.from, x.to, x.unknown = from, to, false
	if x.openEnd > 0 {
		x.openEnd = openEnd(to)
	}
	return x
}
