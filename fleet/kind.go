package fleet

// needs are skills and territories by small numbers, so that what a vehicle can do is known
// in one pass over what its stops need.
type needs struct {
	skills      [][]int32 // by unit: all of these
	territories [][]int32 // by visit: one of these, of a vehicle that has any
	skill       map[int32]int32
	territory   map[int32]int32
	able, there []bool // scratch: which of these a vehicle has
}

// numbered are the small numbers of a list.
func numbered(of map[int32]int32, list []int32) []int32 {
	if len(list) == 0 {
		return nil
	}
	out := make([]int32, len(list))
	for i, x := range list {
		n, ok := of[x]
		if !ok {
			n = int32(len(of))
			of[x] = n
		}
		out[i] = n
	}
	return out
}

// needed reads what tasks need.
func (m *model) needed(watch *watch) {
	x := &m.needs
	x.skills, x.territories = make([][]int32, len(m.units)), make([][]int32, len(m.visits))
	x.skill, x.territory = map[int32]int32{}, map[int32]int32{}
	for u := range m.units {
		list := m.p.skills(m.units[u].task)
		if watch.spend(10 * len(list)) {
			return
		}
		x.skills[u] = numbered(x.skill, list)
	}
	for v := range m.visits {
		list := m.p.place(m.stopOf(int32(v))).Territories
		if watch.spend(10 * len(list)) {
			return
		}
		x.territories[v] = numbered(x.territory, list)
	}
	x.able, x.there = make([]bool, len(x.skill)), make([]bool, len(x.territory))
}

// mark says of the numbers of a list whether they are in a set.
func mark(set []bool, of map[int32]int32, list []int32, in bool) {
	for _, x := range list {
		if n, ok := of[x]; ok {
			set[n] = in
		}
	}
}

// timed works out what stops take vehicles, by their types.
func (m *model) timed(watch *watch) {
	named := map[string]bool{}
	name := func(of map[string]int64) {
		for kind := range of {
			named[kind] = true
		}
		watch.spend(20 * len(of))
	}
	for v := range m.visits {
		pl := m.p.place(m.stopOf(int32(v)))
		name(pl.ServiceByType)
		name(pl.SetupByType)
	}
	m.times = map[string]*times{}
	for i := range m.p.Vehicles {
		kind := m.p.Vehicles[i].Type
		if !named[kind] {
			kind = ""
		}
		if m.times[kind] != nil {
			continue
		}
		t := &times{make([]int64, len(m.visits)), make([]int64, len(m.visits))}
		for v := range m.visits {
			t.service[v], t.setup[v] = m.p.place(m.stopOf(int32(v))).times(kind)
		}
		m.times[kind] = t
		watch.spend(8 * len(m.visits))
	}
}

// newKind works out what a vehicle can do, and what it takes it.
func (m *model) newKind(vehicle int, watch *watch) kind {
	v := &m.p.Vehicles[vehicle]
	k := kind{of: v, times: m.times[v.Type], task: v.PerTaskHour * (CostUnit / 3600), allowed: make([]bool, len(m.units))}
	if k.times == nil {
		k.times = m.times[""]
	}
	if v.PerTaskHour > 0 && !m.edged {
		for _, setup := range k.setup {
			m.edged = m.edged || setup > 0
		}
	}
	watch.spend(len(m.visits) + 8*len(v.Skills) + 8*len(v.Territories))
	x := &m.needs
	able := func(in bool) {
		mark(x.able, x.skill, m.p.everyones, in)
		mark(x.able, x.skill, v.Skills, in)
		mark(x.there, x.territory, v.Territories, in)
	}
	able(true)
	defer able(false)
	inside := func(visit int32) bool {
		list := x.territories[visit]
		watch.spend(len(list))
		for _, n := range list {
			if x.there[n] {
				return true
			}
		}
		return len(v.Territories) == 0
	}
	for i := range m.units {
		u := &m.units[i]
		if watch.spend(1 + len(x.skills[i])) {
			break
		}
		if u.task.Shipment && m.carrier[u.task.Index] >= 0 {
			k.allowed[i] = int(m.carrier[u.task.Index]) == vehicle
		} else {
			k.allowed[i] = v.MaxTasks != None
		}
		for _, n := range x.skills[i] {
			k.allowed[i] = k.allowed[i] && x.able[n]
		}
		k.allowed[i] = k.allowed[i] && inside(u.first) && (!u.pair || inside(u.first+1))
	}
	return k
}

// skills are those that a task demands.
func (p *Problem) skills(t Task) []int32 {
	if t.Shipment {
		return p.Shipments[t.Index].Skills
	}
	return p.Jobs[t.Index].Skills
}
