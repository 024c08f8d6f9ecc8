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
	done   []int64 // earliest end of the service
	latest []int64 // last arrival from which the rest can be done; setup comes before the service and counts as travel
	// By position and dimension, of the load on leaving it: the load, and the most of
	// it up to here and from here.
	load, before, after []int32

	cost          int64 // fixed cost included
	travel, metre int64
	ready, due    int64 // of the trips before and after it
	rides         bool  // it holds a shipment with a limit on its ride
	touched       int64 // the change that it was kept before; see saved
}

// state is a plan that the search works on.
type state struct {
	m         *model
	routes    []route
	where     []int32 // route of a visit; -1 for none
	pos       []int32 // its position in the route, from 1
	absent    []int32 // units that are not served
	inList    []int32 // place of a unit in absent, -1 where it is served
	cost      int64
	priority  int
	sched     schedule
	seq       []int32 // scratch: a route with something put in
	least     []int64 // scratch: least cost of a delivery from a position on
	forbidden []bool  // routes not to be used
	skip      int     // places until one is passed over by chance; see blink
	random    random
	near      []int64 // by route: the stamp of the unit it is near to
	stamp     int64
	saved     saved
}

func newState(m *model) *state {
	s := &state{m: m, routes: make([]route, len(m.slots)), where: make([]int32, len(m.loc)), pos: make([]int32, len(m.loc)), inList: make([]int32, len(m.units)), forbidden: make([]bool, len(m.slots)), near: make([]int64, len(m.slots)), skip: math.MaxInt}
	for i := range s.where {
		s.where[i] = -1
	}
	for i := range m.units {
		s.absent = append(s.absent, int32(i))
		s.inList[i] = int32(i)
	}
	s.seq = make([]int32, 0, len(m.loc)+2)
	s.least = make([]int64, len(m.loc)+3)
	s.sched.init(m)
	for r := range s.routes {
		s.routes[r].ready = m.slots[r].window.Start
		s.routes[r].due = m.slots[r].window.End
		s.routes[r].done, s.routes[r].latest = make([]int64, 2), make([]int64, 2)
	}
	for r := range s.routes {
		s.update(int32(r))
	}
	return s
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2+8)
	}
	return s[:n]
}

// complex reports whether a route needs the full schedule to be judged.
func (s *state) complex(r int32) bool {
	return len(s.m.slots[r].v.Breaks) > 0 || s.routes[r].rides
}

// reach is the time from one location to a visit, with the setup there.
func (s *state) reach(c *class, kind int, from int32, v int32) int64 {
	to := s.m.loc[v]
	t := int64(c.sec[int(from)*c.n+int(to)])
	if from != to {
		t += s.m.setup[kind][v]
	}
	return t
}

// update works everything out anew for a route whose stops have changed, and
// for the trips of its vehicle before and after it.
func (s *state) update(r int32) {
	rt, sl := &s.routes[r], &s.m.slots[r]
	s.cost -= rt.cost
	k := len(rt.stops)
	rt.loc, rt.arc, rt.done, rt.latest = grow(rt.loc, k+2), grow(rt.arc, k+2), grow(rt.done, k+2), grow(rt.latest, k+2)
	c := sl.class
	rt.loc[0], rt.loc[k+1] = sl.start, sl.end
	rt.rides = false
	for i, v := range rt.stops {
		rt.loc[i+1] = s.m.loc[v]
		s.where[v], s.pos[v] = r, int32(i+1)
		if s.m.units[s.m.unitOf[v]].ride < never {
			rt.rides = true
		}
	}
	rt.cost, rt.travel, rt.metre = 0, 0, 0
	if k > 0 {
		for i := 0; i <= k; i++ {
			at := int(rt.loc[i])*c.n + int(rt.loc[i+1])
			rt.arc[i] = c.cost[at]
			rt.cost += c.cost[at]
			rt.travel += int64(c.sec[at])
			rt.metre += int64(c.metre[at])
		}
		rt.cost += sl.fixed
	} else {
		rt.arc[0] = 0
	}
	rt.arc[k+1] = 0
	s.cost += rt.cost
	s.loads(rt)
	s.times(r)
	for q := sl.next; q >= 0; q = s.m.slots[q].next {
		before := &s.routes[s.m.slots[q].previous]
		s.routes[q].ready = before.done[len(before.stops)+1]
		if len(before.stops) > 0 {
			s.routes[q].ready += sl.v.Reload
		}
		s.times(q)
	}
	for q := sl.previous; q >= 0; q = s.m.slots[q].previous {
		after := &s.routes[s.m.slots[q].next]
		s.routes[q].due = after.latest[0]
		if len(after.stops) > 0 {
			s.routes[q].due -= sl.v.Reload
		}
		s.times(q)
	}
}

func (s *state) times(r int32) {
	rt, sl := &s.routes[r], &s.m.slots[r]
	k := len(rt.stops)
	c, service := sl.class, s.m.service[sl.kind]
	rt.done[0] = rt.ready
	t := rt.ready
	for i, v := range rt.stops {
		t = startIn(s.m.windows[v], t+s.reach(c, sl.kind, rt.loc[i], v)) + service[v]
		t = min(t, never)
		rt.done[i+1] = t
	}
	if k == 0 {
		rt.done[1] = rt.ready
		rt.latest[1], rt.latest[0] = rt.due, rt.due
		return
	}
	rt.done[k+1] = t + int64(c.sec[int(rt.loc[k])*c.n+int(rt.loc[k+1])])
	rt.latest[k+1] = rt.due
	t = rt.due - int64(c.sec[int(rt.loc[k])*c.n+int(rt.loc[k+1])])
	for i := k; i > 0; i-- {
		v := rt.stops[i-1]
		rt.latest[i] = latestIn(s.m.windows[v], t-service[v])
		t = rt.latest[i] - s.reach(c, sl.kind, rt.loc[i-1], v)
	}
	rt.latest[0] = t
}

func (s *state) loads(rt *route) {
	d, k := s.m.dims, len(rt.stops)
	if d == 0 {
		return
	}
	n := (k + 1) * d
	rt.load, rt.before, rt.after = grow(rt.load, n), grow(rt.before, n), grow(rt.after, n)
	for x := range d {
		l := int32(0)
		for _, v := range rt.stops {
			l += s.m.brings[int(v)*d+x]
		}
		rt.load[x], rt.before[x] = l, l
		for i, v := range rt.stops {
			l += s.m.takes[int(v)*d+x] - s.m.brings[int(v)*d+x]
			rt.load[(i+1)*d+x] = l
			rt.before[(i+1)*d+x] = max(rt.before[i*d+x], l)
		}
		rt.after[k*d+x] = l
		for i := k - 1; i >= 0; i-- {
			rt.after[i*d+x] = max(rt.after[(i+1)*d+x], rt.load[i*d+x])
		}
	}
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
	f := s.m.units[u].first
	s.where[f] = -1
	if s.m.units[u].pair {
		s.where[f+1] = -1
	}
}
