package fleet

// saved keeps routes as they were before a change.
type saved struct {
	change int64
	stops  []int32
	routes []savedRoute
}

type savedRoute struct {
	route    int32
	from, to int
}

// begin starts a change that undo can take back.
func (s *state) begin() {
	s.saved.change++
	s.lacking = len(s.absent) > 0
	s.saved.stops, s.saved.routes = s.saved.stops[:0], s.saved.routes[:0]
}

// touch keeps a route before it changes.
func (s *state) touch(r int32) {
	rt := &s.routes[r]
	if rt.touched == s.saved.change {
		return
	}
	rt.touched = s.saved.change
	from := len(s.saved.stops)
	s.saved.stops = append(s.saved.stops, rt.stops...)
	s.saved.routes = append(s.saved.routes, savedRoute{r, from, len(s.saved.stops)})
}

// undo takes back what has changed since begin.
func (s *state) undo() {
	for _, o := range s.saved.routes {
		s.empty(o.route)
	}
	for _, o := range s.saved.routes {
		s.fill(o.route, s.saved.stops[o.from:o.to])
	}
}

// empty takes everything out of a route, without update.
func (s *state) empty(r int32) {
	for _, v := range s.routes[r].stops {
		if u := s.m.visits[v].unit; s.inList[u] < 0 {
			s.drop(u)
		}
	}
	s.routes[r].stops = s.routes[r].stops[:0]
}

// fill gives an empty route its stops.
func (s *state) fill(r int32, stops []int32) {
	rt := &s.routes[r]
	rt.stops = append(rt.stops[:0], stops...)
	for _, v := range stops {
		if u := s.m.visits[v].unit; s.inList[u] >= 0 {
			s.serve(u)
		}
	}
	s.update(r)
}
