package model

import (
	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/search/limit"
)

// needs has skills and territories as small numbers, so that one pass over the stops'
// needs finds what a vehicle can do.
type needs struct {
	skills      [][]int32 // by task: all of these
	territories [][]int32 // by visit: one of these, of a vehicle that has any
	skill       map[int32]int32
	territory   map[int32]int32
	able, there []bool // scratch: which of these a vehicle has
}

// numbered returns the small numbers of a list.
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
func (m *Model) needed(watch *limit.Watch) {
	x := &m.needs
	x.skills, x.territories = make([][]int32, len(m.Tasks)), make([][]int32, len(m.Visits))
	x.skill, x.territory = map[int32]int32{}, map[int32]int32{}
	for u := range m.Tasks {
		list := m.Problem.SkillsOf(m.Tasks[u].Of)
		if watch.Spend(10 * len(list)) {
			return
		}
		x.skills[u] = numbered(x.skill, list)
	}
	for v := range m.Visits {
		list := m.Problem.PlaceOf(m.StopOf(int32(v))).Territories
		if watch.Spend(10 * len(list)) {
			return
		}
		x.territories[v] = numbered(x.territory, list)
	}
	x.able, x.there = make([]bool, len(x.skill)), make([]bool, len(x.territory))
}

// mark sets or clears the numbers of a list in a set.
func mark(set []bool, of map[int32]int32, list []int32, in bool) {
	for _, x := range list {
		if n, ok := of[x]; ok {
			set[n] = in
		}
	}
}

// timed computes how long stops take, by type of vehicle.
func (m *Model) timed(watch *limit.Watch) {
	named := map[string]bool{}
	name := func(of map[string]int64) {
		for kind := range of {
			named[kind] = true
		}
		watch.Spend(20 * len(of))
	}
	for v := range m.Visits {
		pl := m.Problem.PlaceOf(m.StopOf(int32(v)))
		name(pl.ServiceByType)
		name(pl.SetupByType)
	}
	m.times = map[string]*Times{}
	for i := range m.Problem.Vehicles {
		kind := m.Problem.Vehicles[i].Type
		if !named[kind] {
			kind = ""
		}
		if m.times[kind] != nil {
			continue
		}
		t := &Times{make([]int64, len(m.Visits)), make([]int64, len(m.Visits))}
		for v := range m.Visits {
			t.Service[v], t.Setup[v] = m.Problem.PlaceOf(m.StopOf(int32(v))).Times(kind)
		}
		m.times[kind] = t
		watch.Spend(8 * len(m.Visits))
	}
}

// newKind computes what a vehicle can serve, and how long that takes.
func (m *Model) newKind(vehicle int, watch *limit.Watch) Kind {
	v := &m.Problem.Vehicles[vehicle]
	k := Kind{of: v, Times: m.times[v.Type], Task: v.PerTaskHour * (fleet.CostUnit / 3600), Allowed: make([]bool, len(m.Tasks))}
	if k.Times == nil {
		k.Times = m.times[""]
	}
	if v.PerTaskHour > 0 && !m.Edged {
		for _, setup := range k.Setup {
			m.Edged = m.Edged || setup > 0
		}
	}
	watch.Spend(len(m.Visits) + 8*len(v.Skills) + 8*len(v.Territories))
	x := &m.needs
	able := func(in bool) {
		mark(x.able, x.skill, m.Problem.SharedSkills, in)
		mark(x.able, x.skill, v.Skills, in)
		mark(x.there, x.territory, v.Territories, in)
	}
	able(true)
	defer able(false)
	inside := func(visit int32) bool {
		list := x.territories[visit]
		watch.Spend(len(list))
		for _, n := range list {
			if x.there[n] {
				return true
			}
		}
		return len(v.Territories) == 0
	}
	for i := range m.Tasks {
		u := &m.Tasks[i]
		if watch.Spend(1 + len(x.skills[i])) {
			break
		}
		if u.Of.Shipment && m.carrier[u.Of.Index] >= 0 {
			k.Allowed[i] = int(m.carrier[u.Of.Index]) == vehicle
		} else {
			k.Allowed[i] = v.MaxTasks != fleet.None
		}
		for _, n := range x.skills[i] {
			k.Allowed[i] = k.Allowed[i] && x.able[n]
		}
		k.Allowed[i] = k.Allowed[i] && inside(u.First) && (!u.Pair || inside(u.First+1))
	}
	return k
}
