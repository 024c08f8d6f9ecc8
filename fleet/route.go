package fleet

import "math"

// route is a trip under way to its final form, with what makes the question
// whether a visit can be put in at some place one of a few additions. Position
// 0 is the start, len(stops)+1 the end.
type route struct {
	stops []int32 // visits
	fixed int     // of them are given, and stay

	// By position.
	loc    []int32
	arc    []int64 // cost of the way from here to the next position
	hop    []int64 // time from the position before to here, with the setup
	done   []int64 // earliest end of the service
	latest []int64 // last arrival from which the rest can be done; setup comes before the service and counts as travel
	// By position and dimension, of the load on leaving it: the load, and the most of
	// it up to here and from here.
	load, before, after []int32

	cost             int64 // fixed cost included
	travel, distance int64
	ready, due       int64 // of the trips before and after it
	rides            bool  // it holds a shipment with a limit on its ride
	listed           bool  // as used, in spare
	touched          int64 // the change that it was kept before; see saved
	content          int64 // another number whenever anything of it changes; see known
}

func (rt *route) used() bool { return len(rt.stops) > 0 }

// state is a plan that the search works on.
type state struct {
	m        *model
	routes   []route
	where    []int32 // route of a visit; -1 for none
	pos      []int32 // its position in the route, from 1
	absent   []int32 // units that are not served
	inList   []int32 // place of a unit in absent, -1 where it is served
	missed   []int64 // by unit: how often it was not served; what is hard to serve weighs more
	hopeless []bool  // by unit: no vehicle could serve it if it did nothing else
	lacking  bool    // something was not served when the change began
	cost     int64
	priority int
	sched    schedule
	seq      []int32 // scratch: a route with something put in
	least    []int64 // scratch: least cost of a delivery from a position on
	spare    spare
	skip     int // places until one is passed over by chance; see blink
	random   random
	near     []int64 // by route: the stamp of the unit it is near to
	beside   []int32 // scratch: routes near a unit
	stamp    int64
	saved    saved
	closed   []bool // routes out of use
	content  int64  // the last number of a route's content
	known    []known
	holds    []uint64 // by route and word: what is apart of which it serves something; see held
	holdsOf  []int64  // by route: the content that this is of
	round    int64    // number of the last recreation
	tried    []int64  // by group: the last recreation that tried to put it in
	lent     route    // room that routes lend each other; see lend
	watch    *watch
	offered  []bool // by kind: empty vehicles that tasks are offered; none of a fleet that is not mixed
}

func newState(m *model) *state {
	s := &state{m: m, routes: make([]route, len(m.slots)), where: make([]int32, len(m.visits)), pos: make([]int32, len(m.visits)), inList: make([]int32, len(m.units)), missed: make([]int64, len(m.units)), closed: make([]bool, len(m.slots)), hopeless: make([]bool, len(m.units)), near: make([]int64, len(m.slots)), skip: math.MaxInt}
	for i := range s.where {
		s.where[i] = -1
	}
	for i := range m.units {
		s.absent = append(s.absent, int32(i))
		s.inList[i] = int32(i)
	}
	s.seq = make([]int32, 0, len(m.visits)+8)
	s.least = make([]int64, len(m.visits)+3)
	s.holds, s.holdsOf = make([]uint64, len(m.slots)*m.words), make([]int64, len(m.slots))
	s.tried = make([]int64, len(m.groups))
	s.sched.init(m)
	s.under(idle())
	s.spare.stale = true
	for r := range s.routes {
		rt := &s.routes[r]
		rt.ready, rt.due = m.slots[r].window.Start, m.slots[r].window.End
		rt.done, rt.latest, rt.hop = make([]int64, 2), make([]int64, 2), make([]int64, 2)
	}
	for r := range s.routes {
		s.update(int32(r))
	}
	return s
}

// under has a watch over what is done from now on.
func (s *state) under(w *watch) { s.watch, s.sched.watch = w, w }

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2+8)
	}
	return s[:n]
}

// hard reports whether the trips of a vehicle need the full schedule to be judged.
func (s *state) hard(r int32) bool {
	sl := &s.m.slots[r]
	if sl.hard {
		return true
	}
	for q := sl.first; q <= sl.last; q++ {
		if s.routes[q].rides {
			return true
		}
	}
	return false
}

// reach is the time from one location to a visit, with the setup there.
func (s *state) reach(sl *slot, from int32, v int32) int64 {
	to := s.m.visits[v].loc
	t := int64(sl.net.out[int(from)*sl.net.n+int(to)].sec)
	if from != to {
		t += s.m.kinds[sl.kind].setup[v]
	}
	return t
}

// ends are where a trip starts and ends. A trip before or after which the vehicle drives
// another has the depot there.
func (s *state) ends(r int32) (start, end int32) {
	sl := &s.m.slots[r]
	start, end = sl.start, sl.end
	if !sl.apart {
		return start, end
	}
	for q := sl.first; q < r; q++ {
		if s.routes[q].used() {
			start = sl.depot
		}
	}
	for q := r + 1; q <= sl.last; q++ {
		if s.routes[q].used() {
			end = sl.depot
		}
	}
	return start, end
}

// extra is what a visit costs by what comes before it, but for the way: its setup, where
// the location is another, and where the plan is to be like a former one, its not
// following what it followed there. Visit before is -1 for the start.
func (s *state) extra(sl *slot, before, from, v int32) (cost int64) {
	if from != s.m.visits[v].loc {
		k := &s.m.kinds[sl.kind]
		cost = k.task * k.setup[v]
	}
	return cost + s.m.departure(sl, before, v)
}

// departure is the charge for a visit that does not follow what it followed.
func (m *model) departure(sl *slot, before, v int32) int64 {
	if before < 0 {
		if sl.v.Reloads != nil { // the trips before it may have no stops
			return 0
		}
		before = atStart(sl.vehicle)
	}
	if m.before[v] == nothing || m.before[v] == before {
		return 0
	}
	return m.p.Stability.Position * CostUnit
}

// base is what a unit costs a vehicle wherever in its route it is.
func (m *model) base(sl *slot, u int32) (cost int64) {
	un := &m.units[u]
	k := &m.kinds[sl.kind]
	service := k.service[un.first]
	if un.pair {
		service += k.service[un.first+1]
	}
	cost = k.task * service
	if f := m.former[u]; f >= 0 && int(f) != sl.vehicle {
		cost += m.p.Stability.Vehicle * CostUnit
	}
	return cost
}

// update works everything out anew for a route whose stops have changed, and
// for the trips of its vehicle before and after it.
func (s *state) update(r int32) {
	sl := &s.m.slots[r]
	s.rebuild(r)
	if sl.first == sl.last {
		s.forward(r)
		s.backward(r)
		return
	}
	ready, due := sl.window.Start, sl.window.End
	for q := sl.first; q <= sl.last; q++ {
		if sl.apart && q != r {
			s.rebuild(q)
		}
		rt := &s.routes[q]
		rt.ready = ready
		s.forward(q)
		if rt.used() {
			ready = min(never, rt.done[len(rt.stops)+1]+sl.v.Reloads.Seconds)
		}
	}
	for q := sl.last; q >= sl.first; q-- {
		rt := &s.routes[q]
		rt.due = due
		s.backward(q)
		if rt.used() {
			due = rt.latest[0] - sl.v.Reloads.Seconds
		}
	}
}

// rebuild works out all of a route but its times.
func (s *state) rebuild(r int32) {
	rt, sl := &s.routes[r], &s.m.slots[r]
	s.cost -= rt.cost
	k := len(rt.stops)
	s.watch.spend(2 * (k + 2) * (2 + s.m.dims))
	if (k > 0) != rt.listed {
		s.spare.stale, rt.listed = true, k > 0
	}
	rt.loc, rt.arc, rt.hop, rt.done, rt.latest = grow(rt.loc, k+2), grow(rt.arc, k+2), grow(rt.hop, k+2), grow(rt.done, k+2), grow(rt.latest, k+2)
	rt.loc[0], rt.loc[k+1] = s.ends(r)
	rt.rides = false
	rt.cost, rt.travel, rt.distance = 0, 0, 0
	rt.arc[0], rt.arc[k+1], rt.hop[k+1] = 0, 0, 0
	if k > 0 {
		rt.cost = sl.fixed
		setup := s.m.kinds[sl.kind].setup
		from, before := rt.loc[0], int32(-1)
		for i, v := range rt.stops {
			x := &s.m.visits[v]
			rt.loc[i+1] = x.loc
			s.where[v], s.pos[v] = r, int32(i+1)
			u := &s.m.units[x.unit]
			rt.rides = rt.rides || u.ride < never
			w := sl.net.out[int(from)*sl.net.n+int(x.loc)]
			rt.arc[i], rt.hop[i+1] = sl.cost(w), int64(w.sec)
			if from != x.loc {
				rt.hop[i+1] += setup[v]
			}
			if s.m.edged {
				rt.arc[i] += s.extra(sl, before, from, v)
			}
			if v == u.first {
				rt.cost += s.m.base(sl, x.unit)
			}
			rt.cost += rt.arc[i]
			rt.travel += int64(w.sec)
			rt.distance += int64(w.metre)
			from, before = x.loc, v
		}
		w := sl.net.at(from, rt.loc[k+1])
		rt.arc[k], rt.hop[k+1] = sl.cost(w), int64(w.sec)
		rt.cost += rt.arc[k]
		rt.travel += int64(w.sec)
		rt.distance += int64(w.metre)
	}
	s.cost += rt.cost
	s.loads(rt, sl)
}

// forward works out the earliest times.
func (s *state) forward(r int32) {
	rt, sl := &s.routes[r], &s.m.slots[r]
	k := len(rt.stops)
	service := s.m.kinds[sl.kind].service
	s.renew(rt)
	t := rt.ready
	rt.done[0] = t
	for i, v := range rt.stops {
		t = min(never, s.m.visits[v].start(t+rt.hop[i+1])+service[v])
		rt.done[i+1] = t
	}
	rt.done[k+1] = t + rt.hop[k+1]
}

// backward works out the latest times.
func (s *state) backward(r int32) {
	rt, sl := &s.routes[r], &s.m.slots[r]
	k := len(rt.stops)
	if k == 0 {
		rt.latest[1], rt.latest[0] = rt.due, rt.due
		return
	}
	service := s.m.kinds[sl.kind].service
	rt.latest[k+1] = rt.due
	t := rt.due - rt.hop[k+1]
	for i := k; i > 0; i-- {
		v := rt.stops[i-1]
		rt.latest[i] = s.m.visits[v].latest(t - service[v])
		t = rt.latest[i] - rt.hop[i]
	}
	rt.latest[0] = t
}

func (s *state) loads(rt *route, sl *slot) {
	d, k := s.m.dims, len(rt.stops)
	if d == 0 {
		return
	}
	n := (k + 1) * d
	rt.load, rt.before, rt.after = grow(rt.load, n), grow(rt.before, n), grow(rt.after, n)
	for x := range d {
		l := int32(0)
		if sl.board != nil {
			l = sl.board[x]
		}
		for _, v := range rt.stops {
			l += s.m.brings[int(v)*d+x]
		}
		rt.load[x] = l
		for i, v := range rt.stops {
			l += s.m.takes[int(v)*d+x] - s.m.brings[int(v)*d+x]
			rt.load[(i+1)*d+x] = l
		}
	}
	rt.peaks(d)
}

// sound reports whether the trips of a vehicle keep every limit that what else is on them
// can break. Taking a stop out may make what follows later, or longer, where ways are no
// metric, and the load greater where it was on board from the start.
func (s *state) sound(r int32) bool {
	sl := &s.m.slots[r]
	d := s.m.dims
	for q := sl.first; q <= sl.last; q++ {
		rt := &s.routes[q]
		k := len(rt.stops)
		if k == 0 {
			continue
		}
		if rt.travel > sl.travel || rt.distance > sl.distance || k > sl.tasks || rt.done[k+1] > rt.due || rt.done[k+1] >= never {
			return false
		}
		for x := range d {
			if rt.before[k*d+x] > sl.v.Capacity[x] {
				return false
			}
		}
	}
	return !s.hard(r) || s.alone(sl) || s.exactly(r, -1, 0, -1, 0)
}

// serve takes a unit off the list of those not served; drop puts it there.
func (s *state) serve(u int32) {
	i := s.inList[u]
	last := s.absent[len(s.absent)-1]
	s.absent[i] = last
	s.inList[last] = i
	s.absent = s.absent[:len(s.absent)-1]
	s.inList[u] = -1
	s.priority += s.m.units[u].priority
}

func (s *state) drop(u int32) {
	s.inList[u] = int32(len(s.absent))
	s.absent = append(s.absent, u)
	s.priority -= s.m.units[u].priority
	s.gone(u)
}

// gone forgets where the visits of a unit were that is not served.
func (s *state) gone(u int32) {
	un := &s.m.units[u]
	if !un.half {
		s.where[un.first] = -1
	}
	if un.pair {
		s.where[un.first+1] = -1
	}
}
