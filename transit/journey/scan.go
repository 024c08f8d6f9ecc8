package journey

import (
	"math/bits"
	"slices"

	"github.com/waygate/waygate/index/timetable"
)

// vehicles are the trips of a pattern on a day.
type vehicles struct {
	*pattern
	number uint32
	day    uint16
	rows   []uint32 // of times; all where all is set
	all    bool
	count  int
	begin  int32 // of the day
	back   int
	length int
}

// vehicles returns the trips of a pattern on a day.
func (s *search) vehicles(number uint32, day int) (v vehicles) {
	d := &s.services[day]
	v.number, v.day, v.back = number, uint16(day), s.back
	if int(number) < len(s.n.patterns) {
		v.pattern = &s.n.patterns[number]
		v.rows = d.rows[d.at[number]:d.at[number+1]]
		v.count = len(v.rows)
	} else {
		v.pattern = &d.extra[int(number)-d.number]
		v.all, v.count = true, len(v.times)/len(v.stops)
	}
	v.begin, v.length = d.begin[v.zone], len(v.stops)
	return v
}

// row is that of a trip, in the order of the search.
func (v *vehicles) row(n int) int {
	if v.back == backward {
		n = v.count - 1 - n
	}
	if v.all {
		return n
	}
	return int(v.rows[n])
}

// position is that of a place in the pattern.
func (v *vehicles) position(place int) int {
	if v.back == backward {
		return v.length - 1 - place
	}
	return place
}

// boards and leaves are when a vehicle can be boarded and left, in the order of the search.
func (v *vehicles) boards(row, place int) int32 {
	if v.back == backward {
		return -v.begin - v.times[row*v.length+v.length-1-place].Arrive
	}
	return v.begin + v.times[row*v.length+place].Depart
}

func (v *vehicles) leaves(row, place int) int32 {
	if v.back == backward {
		return -v.begin - v.times[row*v.length+v.length-1-place].Depart
	}
	return v.begin + v.times[row*v.length+place].Arrive
}

// earliest is the first of so many trips that can be boarded at a time or later.
func (v *vehicles) earliest(place, count int, at int32) int {
	low, high := 0, count
	for low < high {
		if mid := int(uint(low+high) / 2); v.boards(v.row(mid), place) < at {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// span is from the first departure to the last arrival of a pattern on a day, in the order
// of the search.
func (s *search) span(number uint32, day int) (from, until int32, ok bool) {
	d := &s.services[day]
	var of span
	var zone uint16
	if int(number) < len(s.n.patterns) {
		of, zone = d.span[number], s.n.patterns[number].zone
	} else {
		n := int(number) - d.number
		of, zone = d.extraSpan[n], d.extra[n].zone
	}
	if of == unused {
		return 0, 0, false
	}
	from, until = d.begin[zone]+of.from, d.begin[zone]+of.until
	if s.back == backward {
		from, until = -until, -from
	}
	return from, until, true
}

// scan rides a pattern from the first place at which it can be boarded.
func (s *search) scan(number uint32, place, round int, earliest, latest int32) {
	days := s.services
	first, last := 0, len(days)
	if int(number) >= len(s.n.patterns) {
		for int(number) >= days[first].number+len(days[first].extra) || int(number) < days[first].number {
			first++
		}
		last = first + 1
		if !s.modes.Has(days[first].extra[int(number)-days[first].number].mode) {
			return
		}
	} else if !s.modes.Has(s.n.patterns[number].mode) {
		return
	}
	covered := int32(never)
	for day := first; day < last; day++ {
		from, until, ok := s.span(number, day)
		if !ok || until < earliest || from > latest || from >= covered {
			continue
		}
		v := s.vehicles(number, day)
		if len(v.headways) > 0 {
			for _, row := range v.rows {
				s.repeat(&v, int(row), place, round)
			}
			continue
		}
		if s.levels == 1 {
			covered = min(covered, s.rideFirst(&v, place, round))
		} else {
			covered = min(covered, s.rideAlong(&v, place, round))
		}
	}
}

// aboard is a trip that is ridden.
type aboard struct {
	n, row int
	parent int32
	place  int
}

// rideAlong rides the trips of a pattern. It returns the time from which on other trips of
// the pattern are no better, whatever they are.
func (s *search) rideAlong(v *vehicles, place, round int) (covered int32) {
	var on [MostSteps + 1]aboard
	aboard := uint32(0) // levels at which there is one; a higher one has an earlier trip
	covered = never
	tried, low, boarded := false, s.levels, 0
	row := (round - 1) * s.across
	best := s.best[round*s.levels:][:s.levels]
	l := label{ride: ride{pattern: v.number, day: v.day}, round: uint8(round)}
	for ; place < v.length; place++ {
		position := v.position(place)
		rule := v.rules[position]
		if aboard != 0 && rule>>(2+s.back)&1 != 0 {
			last := int32(never)
			for m := aboard; m != 0; m &= m - 1 {
				level := bits.TrailingZeros32(m)
				b := &on[level]
				at := v.leaves(b.row, place)
				if at >= best[level] || at > s.limit {
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
			for above := aboard >> level; above != 0; above &= above - 1 {
				if w := level + bits.TrailingZeros32(above); on[w].n >= n {
					aboard &^= 1 << w
				}
			}
			on[level].n, on[level].row, on[level].parent, on[level].place = n, v.row(n), s.readyBy[own+level], place
			aboard |= 1 << level
			if !tried && covered == never {
				covered, boarded = v.leaves(on[level].row, v.length-1), level
			}
		}
		tried = true
	}
	if covered != never && boarded > low {
		return never
	}
	return covered
}

// rideFirst is rideAlong of searches that do not keep levels apart, nor rounds.
func (s *search) rideFirst(v *vehicles, place, round int) (covered int32) {
	step := 1
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
	for ; place < v.length; place, position = place+1, position+step {
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
			start, every, ok := s.nextRepeat(v, row, call, s.ready[own+level])
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

// repeatLeaves is when a trip that begins at a time is left at a call. Backward in time it
// is left a whole headway before it comes.
func (s *search) repeatLeaves(start, every int32, call timetable.Call) int32 {
	if s.back == backward {
		return -(start - every + call.Depart)
	}
	return start + call.Arrive
}

// nextRepeat finds the best beginning of a trip of headways that can be boarded at a call,
// in seconds after Query.At. A trip of a headway that is not exact begins a whole headway
// after one could board it at its first stop.
func (s *search) nextRepeat(v *vehicles, row int, call timetable.Call, at int32) (start, every int32, ok bool) {
	best := int32(never)
	for _, h := range v.headways {
		if int(h.Trip) != row || h.End <= h.Start {
			continue
		}
		begin, waits := int32(0), h.Every
		if h.Exact == 1 {
			waits = 0
		}
		last := h.Start + (h.End-1-h.Start)/h.Every*h.Every // of exact departures
		if s.back == forward {
			ready := at - v.begin - call.Depart
			switch {
			case ready <= h.Start:
				begin = h.Start + waits
			case waits > 0 && ready+waits <= h.End:
				begin = ready + waits
			case waits == 0 && ready <= last:
				begin = h.Start + (ready-h.Start+h.Every-1)/h.Every*h.Every
			default:
				continue
			}
		} else {
			due := -at - v.begin - call.Arrive
			switch {
			case due < h.Start+waits:
				continue
			case waits > 0:
				begin = min(due, max(h.End, h.Start+waits))
			default:
				begin = min(last, h.Start+(due-h.Start)/h.Every*h.Every)
			}
		}
		if from := s.repeatLeaves(v.begin+begin, waits, timetable.Call{}); from < best {
			best, start, every, ok = from, v.begin+begin, waits, true
		}
	}
	return start, every, ok
}

// follow takes a ride.
func (s *search) follow(b *boarding, round int) {
	v := s.vehicles(b.pattern, int(b.day))
	best := s.best[round*s.levels:][:s.levels]
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
		if l.at >= best[b.level] || l.at > s.limit {
			return
		}
		l.leave = uint16(place)
		s.leave(&l, v.stops[position], rule>>(4+s.back)&1 != 0)
	}
}

// trip is that of a ride at one of its places.
func (s *search) trip(r *ride, place int) uint32 {
	v := s.vehicles(r.pattern, int(r.day))
	return v.trip(int(r.row), v.position(place))
}

// trip is that of a row at a position.
func (v *vehicles) trip(row, position int) uint32 {
	if !v.all {
		return v.first + uint32(row)
	}
	return v.partAt(row, position).trip
}

func (v *vehicles) partAt(row, position int) part {
	parts := v.part[row*v.parts:][:v.parts]
	n := len(parts) - 1
	for n > 0 && int(parts[n].from) > position {
		n--
	}
	return parts[n]
}

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
