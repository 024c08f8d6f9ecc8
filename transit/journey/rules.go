package journey

import (
	"slices"

	"github.com/waygate/waygate/index/timetable"
)

// changeByRules boards what rules of lines and trips allow after a walk, if there is one that
// is about the trip that was left. It reports whether there is.
func (s *search) changeByRules(by int32, trip uint32, rules []timetable.Transfer, c change) bool {
	l := s.labels[by]
	about := func(r timetable.Transfer) bool {
		end := r.To
		if s.back == backward {
			end = r.From
		}
		return end == c.to && s.n.fits(r, trip, s.back == backward)
	}
	if !slices.ContainsFunc(rules, about) {
		return false
	}
	needs := func(other uint32) int32 {
		for _, r := range rules {
			if about(r) && s.n.fits(r, other, s.back == forward) {
				if n := least(r); n != never {
					return s.needs(c.seconds, n)
				}
				return never
			}
		}
		if c.least == never {
			return never
		}
		return s.needs(c.seconds, c.least)
	}
	board := func(calls []call, number, first, last int) {
		for _, k := range calls {
			for day := first; day < last; day++ {
				s.boardByRules(boarding{ride{pattern: k.pattern + uint32(number), day: uint16(day), place: uint16(k.place)}, by, uint8(s.add(l.level, c.seconds))}, l.at+c.seconds, needs)
			}
		}
	}
	board(s.n.board[s.back].of(c.to), 0, 0, len(s.services))
	for day := range s.services {
		board(s.services[day].board[s.back].of(c.to), s.services[day].number, day, day+1)
	}
	return true
}

// boardByRules boards the first trip of a pattern from a time on with which a change is
// possible.
func (s *search) boardByRules(b boarding, at int32, needs func(trip uint32) int32) {
	v := s.vehicles(b.pattern, int(b.day))
	if v.count == 0 || !s.modes.Has(v.mode) {
		return
	}
	left, place, position := s.labels[b.parent].at, int(b.place), v.position(int(b.place))
	if len(v.headways) > 0 {
		for _, row := range v.rows {
			b.row = row
			n := needs(v.first + row)
			if n == never {
				continue
			}
			var ok bool
			if b.start, b.every, ok = s.nextRepeat(&v, int(row), v.times[int(row)*v.length+position], left+n); ok {
				s.boards = append(s.boards, b)
			}
		}
		return
	}
	for n := v.earliest(place, v.count, at); n < v.count; n++ {
		row := v.row(n)
		at := v.boards(row, place)
		if at > s.limit {
			return
		}
		if n := needs(v.trip(row, position)); n != never && at >= left+n {
			b.row = uint32(row)
			s.boards = append(s.boards, b)
			return
		}
	}
}
