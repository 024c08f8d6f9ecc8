package search

// saved is the state from before a change.
type saved struct {
	change   int64
	routes   []savedRoute
	absent   []int32
	priority int
}

type savedRoute struct {
	route int32
	was   route
}

// beginChange starts a change that undo can revert.
func (s *state) beginChange() {
	s.saved.change++
	s.lacking = len(s.absent) > 0
	s.saved.routes = s.saved.routes[:0]
	s.saved.absent, s.saved.priority = append(s.saved.absent[:0], s.absent...), s.priority
}

// touch saves a route before it changes.
func (s *state) touch(r int32) {
	rt := &s.routes[r]
	if rt.touched == s.saved.change {
		return
	}
	rt.touched = s.saved.change
	n := len(s.saved.routes)
	if n == cap(s.saved.routes) {
		s.saved.routes = append(s.saved.routes, savedRoute{})
	}
	s.saved.routes = s.saved.routes[:n+1] // with the room that it had
	o := &s.saved.routes[n]
	o.route = r
	o.was.copy(rt)
}

// copy copies another route, into the memory of this one.
func (rt *route) copy(from *route) {
	own := *rt
	*rt = *from
	rt.stops, rt.loc = into(own.stops, from.stops), into(own.loc, from.loc)
	rt.arc, rt.hop = into(own.arc, from.arc), into(own.hop, from.hop)
	rt.done, rt.latest = into(own.done, from.done), into(own.latest, from.latest)
	rt.load, rt.before, rt.after = into(own.load, from.load), into(own.before, from.before), into(own.after, from.after)
}

func into[T any](room, of []T) []T { return append(room[:0], of...) }

// undo reverts what has changed since beginChange.
func (s *state) undo() {
	for _, u := range s.absent {
		s.inList[u] = -1
	}
	s.absent, s.priority = append(s.absent[:0], s.saved.absent...), s.saved.priority
	for i, u := range s.absent {
		s.inList[u] = int32(i)
		s.forget(u)
	}
	for i := range s.saved.routes {
		o := &s.saved.routes[i]
		rt := &s.routes[o.route]
		s.cost += o.was.cost - rt.cost
		s.byUse.stale = s.byUse.stale || rt.listed != o.was.listed
		*rt, o.was = o.was, *rt
		for j, v := range rt.stops {
			s.where[v], s.pos[v] = o.route, int32(j+1)
		}
	}
	for i := range s.saved.routes {
		if r := s.saved.routes[i].route; s.m.Slots[r].First != s.m.Slots[r].Last {
			s.update(r) // its vehicle's other trips have changed with it
		}
	}
}

// empty removes everything from a route, without update.
func (s *state) empty(r int32) {
	for _, v := range s.routes[r].stops {
		if u := s.m.Visits[v].Task; s.inList[u] < 0 {
			s.drop(u)
		}
	}
	s.routes[r].stops = s.routes[r].stops[:0]
}

// fill sets the stops of an empty route.
func (s *state) fill(r int32, stops []int32) {
	rt := &s.routes[r]
	rt.stops = append(rt.stops[:0], stops...)
	for _, v := range stops {
		if u := s.m.Visits[v].Task; s.inList[u] >= 0 {
			s.serve(u)
		}
	}
	s.update(r)
}
