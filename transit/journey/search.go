package journey

import (
	"context"
	"math/bits"
	"slices"
	"time"

	"github.com/waygate/waygate/index/timetable"
)

// search is the scratch of one search.
type search struct {
	frame
	across int   // how many cells a row for one more ride lies after that before; 0 where all share one row
	stride int   // cells of a stop
	limit  int32 // latest arrival that counts

	// Stops that were come to have a slot. Slot 0 is none.
	slotOf []uint32 // by stop
	stopOf []uint32 // by slot
	// Of each slot, row and level: the earliest time at which a vehicle is left there, and at
	// which one can be boarded, with that many rides or fewer and that level or a lower one.
	left, ready []int32
	readyBy     []int32 // label from which ready comes
	mark        []uint8 // by slot: levels of ready that the last round changed
	walk        []int32 // by slot: seconds to the end of the search, or unruled
	marked      []uint32

	labels []label
	boards []boarding
	places []extent // by pattern: where it is to be boarded
	queue  []uint32

	soonest int32 // no earlier time at the end of the search is possible

	best   []int32 // of each row and level: the earliest time at the end of the search
	bestBy []int32 // label from which it comes

	guide *sweep // from the other end: until when one has to be where; nil in scouts
}

// extent is from the first place of a pattern to the last. First is never where there is none.
type extent struct{ first, last int32 }

var nowhere = extent{never, 0}

// label is a ride. Its places count in the order of the search.
type label struct {
	ride
	parent int32 // the label of the ride before, or unruled
	at     int32 // when the vehicle is left
	stop   uint32
	leave  uint16
	level  uint8
	round  uint8
}

// ride is a vehicle that is boarded.
type ride struct {
	pattern uint32
	row     uint32 // of the pattern's times
	start   int32  // of a headway: seconds after Query.At, really after, when its trip begins at the latest
	every   int32  // of a headway that is not exact, else 0
	day     uint16 // in services
	place   uint16 // where it is boarded
}

// boarding is a ride to be taken in the next round.
type boarding struct {
	ride
	parent int32
	level  uint8
}

func newSearch(n *Network) *search {
	return &search{frame: frame{n: n}, slotOf: make([]uint32, n.x.Stops())}
}

// begin makes a search ready for a query. With rows it keeps what is found with each number
// of rides apart, as departures one before another need.
func (s *search) begin(q *Query, levels int, rows bool, span time.Duration) {
	s.levels = levels
	s.ask(q, span)
	s.across, s.stride, s.soonest = 0, levels, -never
	if rows {
		s.across, s.stride = levels, levels*(s.rides+1)
	}
	for patterns, _ := s.counts(); len(s.places) < patterns; {
		s.places = append(s.places, nowhere)
	}
	s.reset()
}

// reset forgets what was found.
func (s *search) reset() {
	cells := s.levels * (s.rides + 1)
	s.best, s.bestBy = fill(s.best, cells, never), fill(s.bestBy, cells, unruled)
	for _, stop := range s.stopOf {
		if stop != timetable.None {
			s.slotOf[stop] = 0
		}
	}
	s.labels = s.labels[:0]
	s.left, s.ready, s.readyBy = s.left[:0], s.ready[:0], s.readyBy[:0]
	s.mark, s.walk, s.stopOf = s.mark[:0], s.walk[:0], s.stopOf[:0]
	s.slot(timetable.None)
	for _, a := range s.target {
		s.walk[s.slot(a.Stop)] = a.Seconds
	}
}

// tight lowers the limit to what counts beside the earliest arrival that is known.
func (s *search) tight() {
	s.limit = min(s.limit, later(s.best[len(s.best)-1]))
}

// end takes back what a search wrote to arrays that others use.
func (s *search) end() {
	for _, stop := range s.stopOf[1:] {
		s.slotOf[stop] = 0
	}
	s.stopOf = s.stopOf[:0]
	for _, p := range s.queue {
		s.places[p] = nowhere
	}
	s.queue, s.marked, s.boards, s.labels = s.queue[:0], s.marked[:0], s.boards[:0], s.labels[:0]
	s.unguide()
	clear(s.services)
	s.services = s.services[:0]
	s.n.scratch.Put(s)
}

func (s *search) unguide() {
	if s.guide != nil {
		s.guide.close()
		s.guide = nil
	}
}

func fill(list []int32, n int, v int32) []int32 {
	list = slices.Grow(list[:0], n)[:n]
	for i := range list {
		list[i] = v
	}
	return list
}

// slot returns that of a stop, which it gets if it has none.
func (s *search) slot(stop uint32) uint32 {
	if stop != timetable.None {
		if n := s.slotOf[stop]; n != 0 {
			return n
		}
		s.slotOf[stop] = uint32(len(s.stopOf))
	}
	s.left, s.ready, s.readyBy = more(s.left, s.stride), more(s.ready, s.stride), more(s.readyBy, s.stride)
	s.stopOf, s.mark, s.walk = append(s.stopOf, stop), append(s.mark, 0), append(s.walk, unruled)
	return uint32(len(s.stopOf) - 1)
}

// more adds cells that are never come to.
func more(list []int32, n int) []int32 {
	list = slices.Grow(list, n)[:len(list)+n]
	for i := len(list) - n; i < len(list); i++ {
		list[i] = never
	}
	return list
}

// lower notes a time in a row of cells for so many rides, and in those for more, from a
// level on where it is earlier.
func (s *search) lower(cells []int32, row, across, level int, at int32) {
	for {
		improved := false
		for w := row + level; w < row+s.levels && cells[w] > at; w++ {
			cells[w] = at
			improved = true
		}
		if row += across; !improved || across == 0 || row >= len(cells) {
			return
		}
	}
}

// start makes the stops of the origin ready from a time on.
func (s *search) start(at int32) {
	across := s.across
	if s.onBoards() {
		s.across = 0 // who comes back to the stop after a ride boards at any time
	}
	for _, a := range s.origin {
		s.makeReady(a.Stop, 0, s.step(a.Seconds), at+a.Seconds, unruled)
	}
	s.across = across
}

// onBoards reports whether a journey can begin by fewer departures than those after a ride.
func (s *search) onBoards() bool { return s.shown && s.n.waits }

// makeReady notes that a vehicle can be boarded after so many rides.
func (s *search) makeReady(stop uint32, round, level int, at, by int32) {
	best := s.best[(round+1)*s.levels+level]
	if at > s.limit || at >= best || best <= s.soonest {
		return
	}
	slot := s.slotOf[stop]
	if slot != 0 && at >= s.ready[int(slot)*s.stride+round*s.across+level] {
		return
	}
	if g := s.guide; g != nil && (at > -g.left[stop] || g.leads && !s.leads(stop, false, round, level, at)) {
		return
	}
	if slot == 0 {
		slot = s.slot(stop)
	}
	own := int(slot) * s.stride
	row := own + round*s.across
	for w := row + level; w < row+s.levels && s.ready[w] > at; w++ {
		s.readyBy[w] = by
	}
	s.lower(s.ready[:own+s.stride], row, s.across, level, at)
	if s.mark[slot] == 0 {
		s.marked = append(s.marked, slot)
	}
	s.mark[slot] |= 1 << level
}

// finish notes that the end of the search is come to.
func (s *search) finish(round, level int, at, by int32) {
	row := round * s.levels
	if at > s.limit || at >= s.best[row+level] {
		return
	}
	s.bestBy[row+level] = by
	s.lower(s.best, row, s.levels, level, at)
}

// leave notes that a vehicle is left.
func (s *search) leave(l *label, stop uint32, ruled bool) {
	if g := s.guide; g != nil && (l.at > -g.soonest[stop] || g.leads && !s.leads(stop, true, int(l.round), int(l.level), l.at)) {
		return
	}
	slot := s.slot(stop)
	own := int(slot) * s.stride
	row := own + int(l.round)*s.across
	if l.at >= s.left[row+int(l.level)] && !ruled {
		return
	}
	s.lower(s.left[:own+s.stride], row, s.across, int(l.level), l.at)
	l.stop = stop
	s.labels = append(s.labels, *l)
}

// run boards one more vehicle in each round until none is better.
func (s *search) run(ctx context.Context) error {
	for round := 1; round <= s.rides && (len(s.marked) > 0 || len(s.boards) > 0); round++ {
		if err := s.board(ctx, round); err != nil {
			return err
		}
	}
	s.unmark()
	s.boards = s.boards[:0]
	return nil
}

func (s *search) unmark() {
	for _, slot := range s.marked {
		s.mark[slot] = 0
	}
	s.marked = s.marked[:0]
}

// board rides the vehicles that can be boarded after a round, and walks from where they are
// left.
func (s *search) board(ctx context.Context, round int) error {
	earliest, latest := s.collect(round)
	before := len(s.labels)
	for n, p := range s.queue {
		if n%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		from := s.places[p]
		s.places[p] = nowhere
		s.scan(p, from, round, earliest, latest)
	}
	s.queue = s.queue[:0]
	s.unmark()
	for i := range s.boards {
		s.follow(&s.boards[i], round)
	}
	s.boards = s.boards[:0]
	for i := before; i < len(s.labels); i++ {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s.walkOn(int32(i))
	}
	return nil
}

// collect lists the patterns that can be boarded at stops that are marked. It returns the
// earliest time at one, and the latest that is of use.
func (s *search) collect(round int) (earliest, latest int32) {
	earliest = never
	low := s.levels
	for _, slot := range s.marked {
		row := int(slot)*s.stride + (round-1)*s.across
		earliest = min(earliest, s.ready[row+bits.Len8(s.mark[slot])-1])
		low = min(low, bits.TrailingZeros8(s.mark[slot]))
		stop := s.stopOf[slot]
		s.note(s.n.board[s.back].of(stop), 0)
		for i := range s.services {
			if v := &s.services[i]; len(v.extra) > 0 {
				s.note(v.board[s.back].of(stop), uint32(v.number))
			}
		}
	}
	if low < s.levels {
		latest = min(s.limit, s.best[round*s.levels+low])
	}
	return earliest, latest
}

func (s *search) note(calls []call, number uint32) {
	for _, c := range calls {
		pattern := c.pattern + number
		if s.guide != nil && !s.guide.useful[pattern] {
			continue
		}
		at := &s.places[pattern]
		if at.first == never {
			s.queue = append(s.queue, pattern)
		}
		at.first, at.last = min(at.first, int32(c.place)), max(at.last, int32(c.place))
	}
}

// walkOn notes where one can walk after a ride.
func (s *search) walkOn(by int32) {
	l := s.labels[by]
	slot := s.slotOf[l.stop]
	ruled := s.n.ruled(l.stop, s.back)
	if l.at > s.left[int(slot)*s.stride+int(l.round)*s.across+int(l.level)] && !ruled {
		return
	}
	if walk := s.walk[slot]; walk != unruled {
		s.finish(int(l.round), s.add(l.level, walk), l.at+walk, by)
	}
	if int(l.round) == s.rides {
		return
	}
	var rules []timetable.Transfer
	var trip uint32
	if ruled {
		trip = s.trip(&l.ride, int(l.leave))
		rules = s.n.rules[s.back][l.stop]
	}
	for _, c := range s.changes[s.back].of(l.stop) {
		if ruled && s.changeByRules(by, trip, rules, c) || c.least == never {
			continue
		}
		s.makeReady(c.to, int(l.round), s.add(l.level, c.seconds), l.at+s.needs(c.seconds, c.least), by)
	}
}

// ruled reports whether lines or trips have rules of their own where one is left.
func (n *Network) ruled(stop uint32, back int) bool {
	return len(n.rules[back]) > 0 && len(n.rules[back][stop]) > 0
}
