package search

import (
	"math"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/search/limit"
	"github.com/waygate/waygate/fleet/search/model"
)

// route is one trip of the current plan, with sums that answer in a few additions
// whether a visit can be inserted at some position. Position 0 is the start,
// len(stops)+1 the end.
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
	listed           bool  // as used, in routeLists
	touched          int64 // the change that it was kept before; see saved
	content          int64 // another number whenever anything of it changes; see cachedInsertion
}

func (rt *route) used() bool { return len(rt.stops) > 0 }

// routeSet has the stops of each trip of a plan, with what makes it quick to evaluate a
// change.
type routeSet struct {
	m       *model.Model
	routes  []route
	where   []int32 // route of a visit; -1 for none
	pos     []int32 // its position in the route, from 1
	cost    int64
	sched   schedule
	seq     []int32 // scratch: a route with something put in
	byUse   routeLists
	closed  []bool   // routes out of use
	content int64    // the last number of a route's content
	holds   []uint64 // by route and word: lists of incompatible tasks of which it serves one; see incompatibleLists
	holdsOf []int64  // by route: the content that this is of
	watch   *limit.Watch
}

// inserter finds the cheapest insertion of a task into the routes.
type inserter struct {
	routeSet
	random  random
	skip    int     // places until one is passed over by chance; see blink
	least   []int64 // scratch: least cost of a delivery from a position on
	near    []int64 // by route: the stamp of the task it is near to
	beside  []int32 // scratch: routes near a task
	stamp   int64
	cache   []cachedInsertion
	offered []bool // by kind: empty vehicles that tasks are offered; none of a fleet that is not mixed
}

// unassigned lists the tasks that no route serves.
type unassigned struct {
	model      *model.Model
	absent     []int32
	inList     []int32 // place of a task in absent, -1 where it is served
	missed     []int64 // by task: how often it was not served; what is hard to serve weighs more
	unservable []bool  // by task: no vehicle could serve it if it did nothing else
	priority   int     // sum of the tasks served
}

// state is the plan that the search works on; it can undo a change.
type state struct {
	inserter
	unassigned
	saved   saved
	lacking bool    // something was not served when the change began
	round   int64   // number of the last recreation
	tried   []int64 // by group: the last recreation that tried to put it in
	lent    route   // room that routes lend each other; see lend
}

func newState(m *model.Model) *state {
	s := &state{}
	s.m, s.model = m, m
	s.routes, s.where, s.pos, s.closed = make([]route, len(m.Slots)), make([]int32, len(m.Visits)), make([]int32, len(m.Visits)), make([]bool, len(m.Slots))
	s.inList, s.missed, s.unservable = make([]int32, len(m.Tasks)), make([]int64, len(m.Tasks)), make([]bool, len(m.Tasks))
	s.near, s.skip = make([]int64, len(m.Slots)), math.MaxInt
	for i := range s.where {
		s.where[i] = -1
	}
	for i := range m.Tasks {
		s.absent = append(s.absent, int32(i))
		s.inList[i] = int32(i)
	}
	s.seq = make([]int32, 0, len(m.Visits)+8)
	s.least = make([]int64, len(m.Visits)+3)
	s.holds, s.holdsOf = make([]uint64, len(m.Slots)*m.Words), make([]int64, len(m.Slots))
	s.tried = make([]int64, len(m.Groups))
	s.sched.init(m)
	s.under(limit.Unlimited())
	s.byUse.stale = true
	for r := range s.routes {
		rt := &s.routes[r]
		rt.ready, rt.due = m.Slots[r].Window.Start, m.Slots[r].Window.End
		rt.done, rt.latest, rt.hop = make([]int64, 2), make([]int64, 2), make([]int64, 2)
	}
	for r := range s.routes {
		s.update(int32(r))
	}
	return s
}

// under sets the watch over the work from now on.
func (s *routeSet) under(w *limit.Watch) { s.watch, s.sched.watch = w, w }

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2+8)
	}
	return s[:n]
}

// hard reports whether the trips of a vehicle can only be checked by the full schedule.
func (s *routeSet) hard(r int32) bool {
	sl := &s.m.Slots[r]
	if sl.Hard {
		return true
	}
	for q := sl.First; q <= sl.Last; q++ {
		if s.routes[q].rides {
			return true
		}
	}
	return false
}

// reach returns the time from one location to a visit, with the setup there.
func (s *routeSet) reach(sl *model.Slot, from int32, v int32) int64 {
	to := s.m.Visits[v].Location
	t := int64(sl.Network.Out[int(from)*sl.Network.N+int(to)].Sec)
	if from != to {
		t += s.m.Kinds[sl.Kind].Setup[v]
	}
	return t
}

// ends returns where a trip starts and ends. Between two trips of a vehicle that is the
// depot.
func (s *routeSet) ends(r int32) (start, end int32) {
	sl := &s.m.Slots[r]
	start, end = sl.Start, sl.End
	if !sl.DepotElsewhere {
		return start, end
	}
	for q := sl.First; q < r; q++ {
		if s.routes[q].used() {
			start = sl.Depot
		}
	}
	for q := r + 1; q <= sl.Last; q++ {
		if s.routes[q].used() {
			end = sl.Depot
		}
	}
	return start, end
}

// extra returns the cost of a visit that depends on the one before it, without the way:
// its setup, where the location is another, and the charge of stability, where it
// follows another than before. Visit before is -1 for the start.
func (s *routeSet) extra(sl *model.Slot, before, from, v int32) (cost int64) {
	if from != s.m.Visits[v].Location {
		k := &s.m.Kinds[sl.Kind]
		cost = k.Task * k.Setup[v]
	}
	return cost + s.m.Departure(sl, before, v)
}

// update recomputes a route whose stops have changed, and the trips of its vehicle
// before and after it.
func (s *routeSet) update(r int32) {
	sl := &s.m.Slots[r]
	s.rebuild(r)
	if sl.First == sl.Last {
		s.forward(r)
		s.backward(r)
		return
	}
	ready, due := sl.Window.Start, sl.Window.End
	for q := sl.First; q <= sl.Last; q++ {
		if sl.DepotElsewhere && q != r {
			s.rebuild(q)
		}
		rt := &s.routes[q]
		rt.ready = ready
		s.forward(q)
		if rt.used() {
			ready = min(fleet.Never, rt.done[len(rt.stops)+1]+sl.Of.Reloads.Seconds)
		}
	}
	for q := sl.Last; q >= sl.First; q-- {
		rt := &s.routes[q]
		rt.due = due
		s.backward(q)
		if rt.used() {
			due = rt.latest[0] - sl.Of.Reloads.Seconds
		}
	}
}

// rebuild recomputes all of a route but its times.
func (s *routeSet) rebuild(r int32) {
	rt, sl := &s.routes[r], &s.m.Slots[r]
	s.cost -= rt.cost
	k := len(rt.stops)
	s.watch.Spend(2 * (k + 2) * (2 + s.m.Dimensions))
	if (k > 0) != rt.listed {
		s.byUse.stale, rt.listed = true, k > 0
	}
	rt.loc, rt.arc, rt.hop, rt.done, rt.latest = grow(rt.loc, k+2), grow(rt.arc, k+2), grow(rt.hop, k+2), grow(rt.done, k+2), grow(rt.latest, k+2)
	rt.loc[0], rt.loc[k+1] = s.ends(r)
	rt.rides = false
	rt.cost, rt.travel, rt.distance = 0, 0, 0
	rt.arc[0], rt.arc[k+1], rt.hop[k+1] = 0, 0, 0
	if k > 0 {
		rt.cost = sl.Fixed
		setup := s.m.Kinds[sl.Kind].Setup
		from, before := rt.loc[0], int32(-1)
		for i, v := range rt.stops {
			x := &s.m.Visits[v]
			rt.loc[i+1] = x.Location
			s.where[v], s.pos[v] = r, int32(i+1)
			u := &s.m.Tasks[x.Task]
			rt.rides = rt.rides || u.Ride < fleet.Never
			w := sl.Network.Out[int(from)*sl.Network.N+int(x.Location)]
			rt.arc[i], rt.hop[i+1] = sl.Cost(w), int64(w.Sec)
			if from != x.Location {
				rt.hop[i+1] += setup[v]
			}
			if s.m.Edged {
				rt.arc[i] += s.extra(sl, before, from, v)
			}
			if v == u.First {
				rt.cost += s.m.Base(sl, x.Task)
			}
			rt.cost += rt.arc[i]
			rt.travel += int64(w.Sec)
			rt.distance += int64(w.Metre)
			from, before = x.Location, v
		}
		w := sl.Network.At(from, rt.loc[k+1])
		rt.arc[k], rt.hop[k+1] = sl.Cost(w), int64(w.Sec)
		rt.cost += rt.arc[k]
		rt.travel += int64(w.Sec)
		rt.distance += int64(w.Metre)
	}
	s.cost += rt.cost
	s.loads(rt, sl)
}

// forward computes the earliest times.
func (s *routeSet) forward(r int32) {
	rt, sl := &s.routes[r], &s.m.Slots[r]
	k := len(rt.stops)
	service := s.m.Kinds[sl.Kind].Service
	s.markChanged(rt)
	t := rt.ready
	rt.done[0] = t
	for i, v := range rt.stops {
		t = min(fleet.Never, s.m.Visits[v].Start(t+rt.hop[i+1])+service[v])
		rt.done[i+1] = t
	}
	rt.done[k+1] = t + rt.hop[k+1]
}

// backward computes the latest times.
func (s *routeSet) backward(r int32) {
	rt, sl := &s.routes[r], &s.m.Slots[r]
	k := len(rt.stops)
	if k == 0 {
		rt.latest[1], rt.latest[0] = rt.due, rt.due
		return
	}
	service := s.m.Kinds[sl.Kind].Service
	rt.latest[k+1] = rt.due
	t := rt.due - rt.hop[k+1]
	for i := k; i > 0; i-- {
		v := rt.stops[i-1]
		rt.latest[i] = s.m.Visits[v].Latest(t - service[v])
		t = rt.latest[i] - rt.hop[i]
	}
	rt.latest[0] = t
}

func (s *routeSet) loads(rt *route, sl *model.Slot) {
	d, k := s.m.Dimensions, len(rt.stops)
	if d == 0 {
		return
	}
	n := (k + 1) * d
	rt.load, rt.before, rt.after = grow(rt.load, n), grow(rt.before, n), grow(rt.after, n)
	for x := range d {
		l := int32(0)
		if sl.OnBoard != nil {
			l = sl.OnBoard[x]
		}
		for _, v := range rt.stops {
			l += s.m.Brings[int(v)*d+x]
		}
		rt.load[x] = l
		for i, v := range rt.stops {
			l += s.m.Takes[int(v)*d+x] - s.m.Brings[int(v)*d+x]
			rt.load[(i+1)*d+x] = l
		}
	}
	rt.peaks(d)
}

// sound reports whether the trips of a vehicle keep every limit that removing a stop
// can break: later stops may become later, or the way longer, where ways are no metric;
// and the load may grow where the stop's was on board from the start.
func (s *routeSet) sound(r int32) bool {
	sl := &s.m.Slots[r]
	d := s.m.Dimensions
	for q := sl.First; q <= sl.Last; q++ {
		rt := &s.routes[q]
		k := len(rt.stops)
		if k == 0 {
			continue
		}
		if rt.travel > sl.Travel || rt.distance > sl.Distance || k > sl.Tasks || rt.done[k+1] > rt.due || rt.done[k+1] >= fleet.Never {
			return false
		}
		for x := range d {
			if rt.before[k*d+x] > sl.Of.Capacity[x] {
				return false
			}
		}
	}
	return !s.hard(r) || s.alone(sl) || s.exactly(r, -1, 0, -1, 0)
}

// serve takes a task off the list of unserved ones; drop puts it on the list.
func (s *unassigned) serve(u int32) {
	i := s.inList[u]
	last := s.absent[len(s.absent)-1]
	s.absent[i] = last
	s.inList[last] = i
	s.absent = s.absent[:len(s.absent)-1]
	s.inList[u] = -1
	s.priority += s.model.Tasks[u].Priority
}

func (s *state) drop(u int32) {
	s.inList[u] = int32(len(s.absent))
	s.absent = append(s.absent, u)
	s.priority -= s.m.Tasks[u].Priority
	s.forget(u)
}

// forget clears the positions of the visits of a task that is not served.
func (s *routeSet) forget(u int32) {
	un := &s.m.Tasks[u]
	if !un.Half {
		s.where[un.First] = -1
	}
	if un.Pair {
		s.where[un.First+1] = -1
	}
}
