package journey

import (
	"slices"

	"github.com/waygate/waygate/index/timetable"
)

// taken is a ride of a journey, with its positions in the pattern, the earlier ones first.
type taken struct {
	vehicles
	ride
	board, leave int
}

func (t *taken) departs() int32 { return t.departsFrom(t.board) }

func (t *taken) arrives() int32 { return t.arrivesAt(t.leave) }

func (t *taken) departsFrom(position int) int32 {
	c := t.times[int(t.ride.row)*t.length+position]
	if len(t.headways) > 0 {
		return t.start + c.Depart
	}
	return t.begin + c.Depart
}

func (t *taken) arrivesAt(position int) int32 {
	c := t.times[int(t.ride.row)*t.length+position]
	if len(t.headways) > 0 {
		return t.start + c.Arrive
	}
	return t.begin + c.Arrive
}

// journeys adds what the last run found.
func (s *search) journeys(found []Journey, tighten bool) []Journey {
	s.tight()
	for round := 1; round <= s.rides; round++ {
		row := round * s.levels
		for level := range s.levels {
			by, at := s.bestBy[row+level], s.best[row+level]
			if by == unruled || at > s.limit || at >= s.best[row-s.levels+level] || level > 0 && at >= s.best[row+level-1] {
				continue
			}
			found = append(found, s.journey(by, tighten))
		}
	}
	return found
}

// journey returns that of the rides up to a label.
func (s *search) journey(by int32, tighten bool) Journey {
	var rides []taken
	for by != unruled {
		l := &s.labels[by]
		t := taken{vehicles: s.vehicles(l.pattern, int(l.ride.day)), ride: l.ride, board: int(l.place), leave: int(l.leave)}
		if s.back == backward {
			t.board, t.leave = t.position(t.leave), t.position(t.board)
		}
		rides = append(rides, t)
		by = l.parent
	}
	if s.back == forward {
		slices.Reverse(rides)
	}
	if tighten {
		s.tighten(rides)
		s.shorten(rides)
	}
	for i := range len(rides) - 1 {
		s.shortenWalk(&rides[i], &rides[i+1])
	}
	return s.tell(rides)
}

// tighten moves rides of a search at one time to trips of the same patterns on the same day
// with which one departs later, or backward arrives earlier: the search takes the first that
// comes. Nor does one ride round a loop to come past where one boards.
func (s *frame) tighten(rides []taken) {
	if s.back == backward {
		for i := range rides {
			t := &rides[i]
			for n := t.leave - 1; n > t.board && !s.n.ruled(t.stops[n], forward); n-- {
				if t.stops[n] == t.stops[t.leave] && t.rules[n]>>backward&1 != 0 {
					t.leave = n
				}
			}
			if i > 0 {
				ready := rides[i-1].arrives() + s.between(&rides[i-1], t)
				s.move(t, t.board, ready, func(moved *taken) bool { return moved.departs() >= ready })
			}
		}
		return
	}
	for i := len(rides) - 1; i >= 0; i-- {
		t := &rides[i]
		for n := t.board + 1; n < t.leave && !s.n.ruled(t.stops[n], backward); n++ {
			if t.stops[n] == t.stops[t.board] && t.rules[n]>>forward&1 != 0 {
				t.board = n
			}
		}
		if i < len(rides)-1 {
			next := &rides[i+1]
			due := next.departs() - next.every - s.between(t, next)
			s.move(t, t.leave, -due, func(moved *taken) bool { return moved.arrives() <= due })
		}
	}
}

// shorten has the first ride of a search at one time begin at the stop of the origin from which
// one sets out last, and backward the last ride end where one arrives first, with no more steps
// of walking.
func (s *search) shorten(rides []taken) {
	t := &rides[0]
	at := func(position int, walk int32) int32 { return walk - t.departsFrom(position) }
	begins, step := &t.board, 1
	if s.back == backward {
		t = &rides[len(rides)-1]
		at = func(position int, walk int32) int32 { return walk + t.arrivesAt(position) }
		begins, step = &t.leave, -1
	}
	walk := seconds(s.origin, t.stops[*begins])
	best, most := at(*begins, walk), s.step(walk)
	for n := *begins + step; n != t.leave && n != t.board; n += step {
		if t.rules[n]>>s.back&1 == 0 {
			continue
		}
		i := slices.IndexFunc(s.origin, func(a Access) bool { return a.Stop == t.stops[n] })
		if i >= 0 && s.step(s.origin[i].Seconds) <= most && at(n, s.origin[i].Seconds) < best {
			*begins, best = n, at(n, s.origin[i].Seconds)
		}
	}
}

// shortenWalk makes a change with the least walking that the two rides allow: one stays in the first
// vehicle for longer, or boards the second one earlier on. A search takes what is first at the
// stop of the change, which may be who got off a stop before and walked.
func (s *frame) shortenWalk(from, to *taken) {
	if s.n.ruled(from.stops[from.leave], forward) || s.n.ruled(to.stops[to.board], backward) {
		return
	}
	least := s.n.walk(from.stops[from.leave], to.stops[to.board]).seconds
	fits := func(leave, board int) bool {
		if s.n.ruled(from.stops[leave], forward) || s.n.ruled(to.stops[board], backward) {
			return false
		}
		c := s.n.walk(from.stops[leave], to.stops[board])
		if c.least == never || c.seconds >= least || from.arrivesAt(leave)+s.needs(c.seconds, c.least) > to.departsFrom(board)-to.every {
			return false
		}
		least = c.seconds
		return true
	}
	for n := from.leave + 1; least > 0 && n < from.length; n++ {
		if from.rules[n]>>backward&1 != 0 && fits(n, to.board) {
			from.leave = n
		}
	}
	for n := to.board - 1; least > 0 && n >= 0; n-- {
		if to.rules[n]>>forward&1 != 0 && fits(from.leave, n) {
			to.board = n
		}
	}
}

// move takes the trip farthest from the end of the search that will do. It has to be at a
// position at a time.
func (s *frame) move(t *taken, position int, at int32, will func(*taken) bool) {
	if s.n.ruled(t.stops[t.leave], forward) || s.n.ruled(t.stops[t.board], backward) {
		return
	}
	if len(t.headways) > 0 {
		s.back = 1 - s.back
		start, every, ok := s.nextRepeat(&t.vehicles, int(t.ride.row), t.times[int(t.ride.row)*t.length+position], at)
		s.back = 1 - s.back
		if ok {
			t.start, t.every = start, every
		}
		return
	}
	n := 0
	for n < t.count && t.vehicles.row(n) != int(t.ride.row) {
		n++
	}
	for n++; n < t.count; n++ {
		moved := *t
		moved.ride.row = uint32(t.vehicles.row(n))
		if !will(&moved) {
			return
		}
		*t = moved
	}
}

// between returns how long the change between two rides takes, of stops without rules of their
// lines.
func (s *frame) between(from, to *taken) int32 {
	c := s.n.walk(from.stops[from.leave], to.stops[to.board])
	return s.needs(c.seconds, c.least)
}

// walk returns the walk between two stops on which one may change.
func (n *Network) walk(from, to uint32) change {
	for _, c := range n.changes[forward].of(from) {
		if c.to == to {
			return c
		}
	}
	return change{to, 0, never}
}

func seconds(list []Access, stop uint32) int32 {
	for _, a := range list {
		if a.Stop == stop {
			return a.Seconds
		}
	}
	return 0
}

// tell writes the legs of rides.
func (s *frame) tell(rides []taken) Journey {
	from, to := s.origin, s.target
	if s.back == backward {
		from, to = to, from
	}
	first, last := &rides[0], &rides[len(rides)-1]
	begin, end := seconds(from, first.stops[first.board]), seconds(to, last.stops[last.leave])
	depart, arrive := first.departs()-first.every-begin, last.arrives()+end
	j := Journey{Depart: s.time(depart), Arrive: s.time(arrive), Rides: len(rides)}
	foot := func(from, to uint32, at, walk int32) {
		if walk > 0 || from != to && from != timetable.None && to != timetable.None {
			j.Walk += walk
			j.Legs = append(j.Legs, Leg{Walk: walk, From: from, To: to, Depart: s.time(at), Arrive: s.time(at + walk)})
		}
	}
	foot(timetable.None, first.stops[first.board], depart, begin)
	for i := range rides {
		t := &rides[i]
		if i > 0 {
			p := &rides[i-1]
			c := s.n.walk(p.stops[p.leave], t.stops[t.board])
			foot(p.stops[p.leave], c.to, p.arrives(), c.seconds)
		}
		j.Legs = s.tellRide(j.Legs, t)
	}
	foot(last.stops[last.leave], timetable.None, last.arrives(), end)
	return j
}

// tellRide writes a ride: a leg for each of the trips that it is made of.
func (s *frame) tellRide(legs []Leg, t *taken) []Leg {
	leg := Leg{Ride: true, Day: s.services[t.ride.day].date, Every: t.every}
	if !t.all {
		leg.Trip, leg.FromPosition, leg.ToPosition = t.first+t.ride.row, t.board, t.leave
		leg.From, leg.To, leg.Depart, leg.Arrive = t.stops[t.board], t.stops[t.leave], s.time(t.departs()), s.time(t.arrives())
		leg.Pattern = s.n.of[leg.Trip]
		return append(legs, leg)
	}
	row := int(t.ride.row)
	parts := t.part[row*t.parts:][:t.parts]
	calls := t.times[row*t.length:][:t.length]
	for i, p := range parts {
		until := t.length
		if i+1 < len(parts) {
			until = int(parts[i+1].from)
		}
		board, leave := max(t.board, int(p.from)), min(t.leave, until-1)
		if board >= leave {
			continue
		}
		leg.Trip, leg.Pattern, leg.FromPosition, leg.ToPosition = p.trip, s.n.of[p.trip], board-int(p.from), leave-int(p.from)
		leg.From, leg.To = t.stops[board], t.stops[leave]
		leg.Depart, leg.Arrive = s.time(t.begin+calls[board].Depart), s.time(t.begin+calls[leave].Arrive)
		legs = append(legs, leg)
		leg.StaySeated = true
	}
	return legs
}

// onFoot returns the walk all the way.
func (s *frame) onFoot(walk int32) Journey {
	begin := int32(0)
	if s.back == backward {
		begin = -walk
	}
	return Journey{Depart: s.time(begin), Arrive: s.time(begin + walk), Walk: walk, Legs: []Leg{{
		Walk: walk, From: timetable.None, To: timetable.None, Depart: s.time(begin), Arrive: s.time(begin + walk),
	}}}
}
