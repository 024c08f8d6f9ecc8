package fleet

// PlaceOf returns where and when a stop is.
func (p *Problem) PlaceOf(s Stop) *Place {
	switch s.Kind {
	case AtPickup:
		return &p.Shipments[s.Index].Pickup
	case AtDelivery:
		return &p.Shipments[s.Index].Delivery
	}
	return &p.Jobs[s.Index].Place
}

// SkillsOf returns the skills that a task demands.
func (p *Problem) SkillsOf(t Task) []int32 {
	if t.Shipment {
		return p.Shipments[t.Index].Skills
	}
	return p.Jobs[t.Index].Skills
}

// Times returns the service and the setup of a place for a type of vehicle, in seconds.
func (pl *Place) Times(kind string) (service, setup int64) {
	service, setup = pl.Service, pl.Setup
	if n, ok := pl.ServiceByType[kind]; ok && kind != "" {
		service = n
	}
	if n, ok := pl.SetupByType[kind]; ok && kind != "" {
		setup = n
	}
	return service, setup
}

// TaskNumber numbers the tasks from 0: jobs come first.
func (p *Problem) TaskNumber(t Task) int32 {
	if t.Shipment {
		return int32(len(p.Jobs) + t.Index)
	}
	return int32(t.Index)
}

// Groups returns the numbers of the tasks that one vehicle has to serve together, each
// group in rising order. Lists with a common member form one group.
func (p *Problem) Groups() (groups [][]int32) {
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
	for _, g := range p.SameVehicle {
		for _, t := range g[min(1, len(g)):] {
			a, b := first(p.TaskNumber(g[0])), first(p.TaskNumber(t))
			above[max(a, b)] = min(a, b)
		}
	}
	number := make([]int32, len(above)) // from 1, of the groups of those that stand for others
	for _, g := range p.SameVehicle {
		if len(g) < 2 {
			continue
		}
		if u := first(p.TaskNumber(g[0])); number[u] == 0 {
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
