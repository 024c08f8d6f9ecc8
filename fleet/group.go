package fleet

import "slices"

// joined are the units that are to be together, through common members too, each group in
// their order.
func (p *Problem) joined() (groups [][]int32) {
	above := make([]int32, len(p.Jobs)+len(p.Shipments)) // the member that stands for those of a list, by steps
	for u := range above {
		above[u] = int32(u)
	}
	first := func(u int32) int32 {
		for above[u] != u {
			above[u] = above[above[u]]
			u = above[u]
		}
		return u
	}
	for _, g := range p.Together {
		for _, t := range g[min(1, len(g)):] {
			a, b := first(p.unit(g[0])), first(p.unit(t))
			above[max(a, b)] = min(a, b)
		}
	}
	number := make([]int32, len(above)) // from 1, of the groups of those that stand for others
	for _, g := range p.Together {
		if len(g) < 2 {
			continue
		}
		if u := first(p.unit(g[0])); number[u] == 0 {
			groups = append(groups, nil)
			number[u] = int32(len(groups))
		}
	}
	for u := range above {
		if n := number[first(int32(u))]; n > 0 {
			groups[n-1] = append(groups[n-1], int32(u))
		}
	}
	return groups
}

// unit is the number of a task: first come the jobs.
func (p *Problem) unit(t Task) int32 {
	if t.Shipment {
		return int32(len(p.Jobs) + t.Index)
	}
	return int32(t.Index)
}

// group reads what is to be together.
func (m *model) group() {
	m.groups = m.p.joined()
	for n, g := range m.groups {
		for _, u := range g {
			m.units[u].group = int32(n)
		}
	}
}

// separate numbers the lists of what is apart, and notes for each unit which it is in: one
// bit for each list.
func (m *model) separate() {
	lists := 0
	for _, g := range m.p.Apart {
		if len(g) > 1 {
			lists++
		}
	}
	m.words = (lists + 63) / 64
	m.apart = make([]uint64, len(m.units)*m.words)
	n := 0
	for _, g := range m.p.Apart {
		if len(g) < 2 {
			continue
		}
		for _, t := range g {
			m.apartOf(m.unitOfTask(t))[n/64] |= 1 << (n % 64)
		}
		n++
	}
}

// apartOf are the lists of what is apart that a unit is in.
func (m *model) apartOf(u int32) []uint64 { return m.apart[int(u)*m.words:][:m.words] }

// meets reports whether two sets of lists have one in common.
func meets(a, b []uint64) bool {
	for i, x := range a {
		if x&b[i] != 0 {
			return true
		}
	}
	return false
}

// held are the lists of what is apart that the stops of a route are in, as of its content.
func (s *state) held(r int32) []uint64 {
	set := s.holds[int(r)*s.m.words:][:s.m.words]
	rt := &s.routes[r]
	if s.holdsOf[r] != rt.content {
		s.holdsOf[r] = rt.content
		clear(set)
		for _, v := range rt.stops {
			for i, x := range s.m.apartOf(s.m.visits[v].unit) {
				set[i] |= x
			}
		}
	}
	return set
}

// parted reports whether a vehicle, of which a slot is given, serves something that a unit
// is to be apart from.
func (s *state) parted(u int32, sl *slot) bool {
	if s.m.words == 0 {
		return false
	}
	own := s.m.apartOf(u)
	for r := sl.first; r <= sl.last; r++ {
		if meets(own, s.held(r)) {
			return true
		}
	}
	return false
}

// crowded reports whether a vehicle is given what must not share one.
func (s *state) crowded(r int32) bool {
	if s.m.words == 0 {
		return false
	}
	sl := &s.m.slots[r]
	all := make([]uint64, s.m.words)
	for q := sl.first; q <= sl.last; q++ {
		for _, v := range s.routes[q].stops {
			u := s.m.visits[v].unit
			if v != s.m.units[u].first {
				continue // its pickup was counted
			}
			own := s.m.apartOf(u)
			if meets(own, all) {
				return true
			}
			for i, x := range own {
				all[i] |= x
			}
		}
	}
	return false
}

// given marks what must be served: shipments whose pickup is a first step of a vehicle and
// whose delivery is not, and what must be together with a first step.
func (m *model) given() {
	listed := make([]bool, len(m.groups))
	for i := range m.p.Vehicles {
		first := m.p.Vehicles[i].First
		for _, s := range first {
			u := m.unitOfTask(s.Task())
			if s.Kind == AtPickup && !slices.Contains(first, Stop{AtDelivery, s.Index}) {
				m.units[u].half = true
				m.must = append(m.must, u)
			}
			if g := m.units[u].group; g >= 0 && !listed[g] {
				listed[g] = true
				m.must = append(m.must, m.groups[g]...)
			}
		}
	}
}
