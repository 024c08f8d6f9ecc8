package journey

import (
	"math/bits"

	"github.com/waygate/waygate/index/timetable"
)

// scan rides a pattern from the places at which it can be boarded.
func (s *search) scan(number uint32, places extent, round int, earliest, latest int32) {
	if !s.modes.Has(s.mode(number)) {
		return
	}
	first, last := s.daysOf(number)
	covered := int32(never)
	for day := first; day < last; day++ {
		from, until, ok := s.span(number, day)
		if !ok || until < earliest || from > latest || from >= covered {
			continue
		}
		v := s.vehicles(number, day)
		if len(v.headways) > 0 {
			for _, row := range v.rows {
				s.repeat(&v, int(row), int(places.first), round)
			}
			continue
		}
		if s.levels == 1 {
			covered = min(covered, s.rideFirst(&v, places, round))
		} else {
			covered = min(covered, s.rideAlong(&v, places, round))
		}
	}
}

// boarded is a trip that is ridden.
type boarded struct {
	n, row int
	parent int32
	place  int
	until  int32 // when it is of use no more
}

// rideAlong rides the trips of a pattern. It returns the time from which on other trips of
// the pattern are no better, whatever they are.
func (s *search) rideAlong(v *vehicles, places extent, round int) (covered int32) {
	var on [MostSteps + 1]boarded
	aboard := uint32(0) // levels at which there is one; a higher one has an earlier trip
	covered = never
	tried, low, begun := false, s.levels, 0
	row := (round - 1) * s.across
	best := s.best[round*s.levels:][:s.levels]
	l := label{ride: ride{pattern: v.number, day: v.day}, round: uint8(round)}
	for place := int(places.first); place < v.length && (aboard != 0 || place <= int(places.last)); place++ {
		position := v.position(place)
		rule := v.rules[position]
		if aboard != 0 && rule>>(2+s.back)&1 != 0 {
			last := int32(never)
			for m := aboard; m != 0; m &= m - 1 {
				level := bits.TrailingZeros32(m)
				b := &on[level]
				at := v.leaves(b.row, place)
				if at >= best[level] || best[level] <= s.soonest || at > s.limit || at > b.until {
					aboard &^= 1 << level
					continue
				}
				if at >= last {
					continue
				}
				last = at
				stop := v.stops[position]
				if slot := s.slotOf[stop]; slot != 0 && rule>>(4+s.back)&1 == 0 && at >= s.left[int(slot)*s.stride+round*s.across+level] {
					continue
				}
				l.parent, l.row, l.place, l.leave, l.level, l.at = b.parent, uint32(b.row), uint16(b.place), uint16(place), uint8(level), at
				s.leave(&l, stop, rule>>(4+s.back)&1 != 0)
			}
		}
		if rule>>s.back&1 == 0 {
			continue
		}
		slot := s.slotOf[v.stops[position]]
		if slot == 0 || s.mark[slot] == 0 {
			continue
		}
		own := int(slot)*s.stride + row
		for m := uint32(s.mark[slot]); m != 0; m &= m - 1 {
			level := bits.TrailingZeros32(m)
			at := s.ready[own+level]
			if level > 0 && at >= s.ready[own+level-1] {
				continue
			}
			low = min(low, level)
			count := v.count
			if below := aboard & (2<<level - 1); below != 0 {
				count = on[31-bits.LeadingZeros32(below)].n
				if count == 0 || v.boards(v.row(count-1), place) < at {
					continue
				}
			}
			n := v.earliest(place, count, at)
			if n == count {
				continue
			}
			until := s.guide.until[v.numberOf(n)]
			if until == neverRidden {
				continue // nor is a later one of use
			}
			for above := aboard >> level; above != 0; above &= above - 1 {
				if w := level + bits.TrailingZeros32(above); on[w].n >= n {
					aboard &^= 1 << w
				}
			}
			on[level] = boarded{n, v.row(n), s.readyBy[own+level], place, until}
			aboard |= 1 << level
			if !tried && covered == never {
				covered, begun = v.leaves(on[level].row, v.length-1), level
			}
		}
		tried = true
	}
	if covered != never && begun > low {
		return never
	}
	return covered
}

// rideFirst is rideAlong of searches that do not keep levels apart, nor rounds.
func (s *search) rideFirst(v *vehicles, places extent, round int) (covered int32) {
	step, place := 1, int(places.first)
	position := place
	field := 0 // of calls: where one is on a row before the position
	if v.back == backward {
		step, position = -1, v.length-1-place
	}
	board, leave, ruled := uint8(1)<<s.back, uint8(4)<<s.back, uint8(16)<<s.back
	bound := min(s.best[round], s.limit+1)
	on, by, boarded := -1, int32(0), 0
	row := 0
	covered = never
	tried := false
	l := label{ride: ride{pattern: v.number, day: v.day}, round: uint8(round)}
	for ; place < v.length && (on >= 0 || place <= int(places.last)); place, position = place+1, position+step {
		rule, stop := v.rules[position], v.stops[position]
		slot := s.slotOf[stop]
		if on >= 0 && rule&leave != 0 {
			call := v.times[field+position]
			at := v.begin + call.Arrive
			if step < 0 {
				at = -v.begin - call.Depart
			}
			if at >= bound {
				if place == v.length-1 {
					break
				}
				on = -1
			} else if at < s.left[slot] || rule&ruled != 0 {
				l.parent, l.row, l.place, l.leave, l.at = by, uint32(row), uint16(boarded), uint16(place), at
				s.leave(&l, stop, rule&ruled != 0)
				slot = s.slotOf[stop]
			}
		}
		if s.mark[slot] == 0 || rule&board == 0 {
			continue
		}
		at, count := s.ready[slot], v.count
		if on >= 0 {
			if on == 0 || v.boards(v.row(on-1), place) < at {
				continue
			}
			count = on
		}
		if n := v.earliest(place, count, at); n < count {
			on, row, by, boarded = n, v.row(n), s.readyBy[slot], place
			field = row * v.length
			if !tried {
				covered = v.leaves(row, v.length-1)
			}
		}
		tried = true
	}
	return covered
}

// repeat rides a trip that repeats at headways.
func (s *search) repeat(v *vehicles, row, place, round int) {
	type repeated struct {
		start, every, parent int32
		from                 int32 // what is compared: when it begins, in the order of the search
		place                int
	}
	var on [MostSteps + 1]repeated
	aboard := uint32(0)
	cells := (round - 1) * s.across
	best := s.best[round*s.levels:][:s.levels]
	next := s.nextRepeat
	if round == 1 && s.shown {
		next = s.nextShown
	}
	for ; place < v.length; place++ {
		position := v.position(place)
		rule, call := v.rules[position], v.times[row*v.length+position]
		if aboard != 0 && rule>>(2+s.back)&1 != 0 {
			last := int32(never)
			for m := aboard; m != 0; m &= m - 1 {
				level := bits.TrailingZeros32(m)
				b := &on[level]
				at := s.repeatLeaves(b.start, b.every, call)
				if at >= best[level] || at > s.limit {
					aboard &^= 1 << level
					continue
				}
				if at >= last {
					continue
				}
				last = at
				l := label{ride: ride{v.number, uint32(row), b.start, b.every, v.day, uint16(b.place)}, parent: b.parent, at: at, leave: uint16(place), level: uint8(level), round: uint8(round)}
				s.leave(&l, v.stops[position], rule>>(4+s.back)&1 != 0)
			}
		}
		slot := s.slotOf[v.stops[position]]
		if rule>>s.back&1 == 0 || slot == 0 {
			continue
		}
		own := int(slot)*s.stride + cells
		for m := uint32(s.mark[slot]); m != 0; m &= m - 1 {
			level := bits.TrailingZeros32(m)
			start, every, ok := next(v, row, call, s.ready[own+level])
			if !ok {
				continue
			}
			from := s.repeatLeaves(start, every, timetable.Call{})
			if below := aboard & (2<<level - 1); below != 0 && on[31-bits.LeadingZeros32(below)].from <= from {
				continue
			}
			for above := aboard >> level; above != 0; above &= above - 1 {
				if w := level + bits.TrailingZeros32(above); on[w].from >= from {
					aboard &^= 1 << w
				}
			}
			on[level] = repeated{start, every, s.readyBy[own+level], from, place}
			aboard |= 1 << level
		}
	}
}

// follow takes a ride.
func (s *search) follow(b *boarding, round int) {
	v := s.vehicles(b.pattern, int(b.day))
	best := s.best[round*s.levels:][:s.levels]
	until := int32(never)
	if len(v.headways) == 0 && s.guide != nil {
		until = s.guide.until[v.numberAt(b.row)]
	}
	l := label{ride: b.ride, parent: b.parent, level: b.level, round: uint8(round)}
	for place := int(b.place) + 1; place < v.length; place++ {
		position := v.position(place)
		rule := v.rules[position]
		if rule>>(2+s.back)&1 == 0 {
			continue
		}
		if len(v.headways) > 0 {
			l.at = s.repeatLeaves(b.start, b.every, v.times[int(b.row)*v.length+position])
		} else {
			l.at = v.leaves(int(b.row), place)
		}
		if l.at >= best[b.level] || l.at > s.limit || l.at > until {
			return
		}
		l.leave = uint16(place)
		s.leave(&l, v.stops[position], rule>>(4+s.back)&1 != 0)
	}
}
