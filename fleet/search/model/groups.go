package model

import (
	"slices"

	"github.com/waygate/waygate/fleet"
)

// group reads the lists of tasks that must share a vehicle.
func (m *Model) group() {
	m.Groups = m.Problem.Groups()
	for n, g := range m.Groups {
		for _, u := range g {
			m.Tasks[u].Group = int32(n)
		}
	}
}

// separate numbers the lists of tasks that must not share a vehicle, and stores for
// each task the lists that it is in: one bit for each list.
func (m *Model) separate() {
	lists := 0
	for _, g := range m.Problem.Incompatible {
		if len(g) > 1 {
			lists++
		}
	}
	m.Words = (lists + 63) / 64
	m.incompatible = make([]uint64, len(m.Tasks)*m.Words)
	n := 0
	for _, g := range m.Problem.Incompatible {
		if len(g) < 2 {
			continue
		}
		for _, t := range g {
			m.IncompatibleOf(m.TaskNumber(t))[n/64] |= 1 << (n % 64)
		}
		n++
	}
}

// IncompatibleOf returns the lists of incompatible tasks that a task is in.
func (m *Model) IncompatibleOf(u int32) []uint64 { return m.incompatible[int(u)*m.Words:][:m.Words] }

// given marks what must be served: shipments whose pickup is a first step of a vehicle
// and whose delivery is not, and the groups of first steps.
func (m *Model) given() {
	listed := make([]bool, len(m.Groups))
	for i := range m.Problem.Vehicles {
		first := m.Problem.Vehicles[i].First
		for _, s := range first {
			u := m.TaskNumber(s.Task())
			if s.Kind == fleet.AtPickup && !slices.Contains(first, fleet.Stop{Kind: fleet.AtDelivery, Index: s.Index}) {
				m.Tasks[u].Half = true
				m.Must = append(m.Must, u)
			}
			if g := m.Tasks[u].Group; g >= 0 && !listed[g] {
				listed[g] = true
				m.Must = append(m.Must, m.Groups[g]...)
			}
		}
	}
}

// Group returns the tasks that one vehicle has to serve together with a task, itself among them.
func (m *Model) Group(t fleet.Task) []fleet.Task {
	g := m.Tasks[m.TaskNumber(t)].Group
	if g < 0 {
		return []fleet.Task{t}
	}
	var tasks []fleet.Task
	for _, u := range m.Groups[g] {
		tasks = append(tasks, m.Tasks[u].Of)
	}
	return tasks
}
