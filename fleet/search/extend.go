package search

import (
	"slices"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/search/limit"
	"github.com/waygate/waygate/fleet/search/model"
)

// FeasibleAlone reports whether a vehicle could serve a task and its group if it did nothing
// else but its given first steps.
func FeasibleAlone(m *model.Model, t fleet.Task, w *limit.Watch) bool {
	s := newState(m)
	s.under(w)
	if !(start{s}).placeFirst() {
		return false
	}
	return s.putAny(m.TaskNumber(t))
}

// putAny inserts a task and its group wherever that is cheapest.
func (s *state) putAny(u int32) bool {
	if g := s.m.Tasks[u].Group; g >= 0 {
		groups{s}.putGroup(s.m.Groups[g])
	} else if b, ok := s.best(u); ok {
		s.insert(u, b)
	}
	return s.inList[u] < 0
}

// Extension is a plan that serves a task which another plan leaves out.
type Extension struct {
	Plan    *fleet.Plan
	Vehicle int   // that serves the task
	Cost    int64 // of the plan, with what stability charges
}

// Extend serves a task and its group beside all that a plan serves. The plan may be of
// another problem with the same tasks and vehicles. The task is inserted where it is
// cheapest; where there is no room, a search of so many iterations may make some.
// Extend reports whether that was possible before the watch ended.
func Extend(m *model.Model, plan *fleet.Plan, t fleet.Task, seed uint64, iterations int64, watch *limit.Watch) (Extension, bool) {
	s := newState(m)
	s.under(watch)
	if !(start{s}).placeFirst() {
		return Extension{}, false
	}
	s.drive(plan)
	var kept []int32
	for i := range s.inList {
		if s.inList[i] < 0 {
			kept = append(kept, int32(i)) //nolint:gosec // as many as tasks
		}
	}
	u := m.TaskNumber(t)
	done := func() bool {
		watch.Spend(len(kept) / 4)
		return s.inList[u] < 0 && !slices.ContainsFunc(kept, func(k int32) bool { return s.inList[k] >= 0 })
	}
	if !s.putAny(u) && iterations > 0 {
		w := &walker{s: s}
		s.random, s.skip = newRandom(seed, 0), 0
		w.best.save(s)
		for i := int64(0); i < iterations && !done() && !watch.Over; i++ {
			w.step(0)
		}
	}
	if !done() || watch.Spend(40*len(m.Visits)) {
		return Extension{}, false
	}
	extended := s.plan()
	if watch.Over || len(fleet.Verify(m.Problem, extended)) > 0 {
		return Extension{}, false
	}
	return Extension{extended, m.Slots[s.where[m.Tasks[u].Last()]].Vehicle, s.cost}, true
}

// drive makes a plan for the same vehicles and tasks the current plan.
func (s *state) drive(p *fleet.Plan) {
	first := map[int]int32{}
	for r := len(s.m.Slots) - 1; r >= 0; r-- {
		first[s.m.Slots[r].Vehicle] = int32(r)
	}
	for r := range s.routes {
		s.empty(int32(r))
	}
	for i := range p.Routes {
		var stops []int32
		for _, st := range p.Routes[i].Steps {
			if st.Kind == fleet.StepStop {
				stops = append(stops, s.m.VisitOf(st.Stop))
			}
		}
		s.fill(first[p.Routes[i].Vehicle]+int32(p.Routes[i].Trip), stops)
	}
}
