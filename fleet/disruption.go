package fleet

import "slices"

// Disruption returns what Problem.Stability charges for a plan, in units of CostUnit.
func Disruption(p *Problem, plan *Plan) (cost int64) {
	type stopPlace struct {
		vehicle int
		before  Stop
		start   bool
	}
	former := map[Stop]stopPlace{}
	of := map[Task]int{}
	for i := range p.Vehicles {
		v := &p.Vehicles[i]
		order := slices.Concat(v.First, v.Initial)
		for k := len(v.First); k < len(order); k++ {
			of[order[k].Task()] = i
			if k == 0 {
				former[order[k]] = stopPlace{i, Stop{}, true}
			} else {
				former[order[k]] = stopPlace{i, order[k-1], false}
			}
		}
	}
	by := map[Task]int{}
	for i := range plan.Routes {
		r := &plan.Routes[i]
		before, start := Stop{}, true
		for _, s := range r.Steps {
			if s.Kind != StepStop {
				continue
			}
			by[s.Stop.Task()] = r.Vehicle
			f, ok := former[s.Stop]
			same := f.start == start && (start && f.vehicle == r.Vehicle || !start && f.before == before)
			if ok && !same && !(start && p.Vehicles[r.Vehicle].Reloads != nil) {
				cost += p.Stability.Position
			}
			before, start = s.Stop, false
		}
	}
	for t, v := range by {
		if former, ok := of[t]; ok && former != v {
			cost += p.Stability.Vehicle
		}
	}
	return cost * CostUnit
}
