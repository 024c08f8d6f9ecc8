package fleettest

import "github.com/waygate/waygate/fleet"

// Load makes every job deliver one unit, and gives each vehicle the capacity.
func Load(p *fleet.Problem, capacity int32) {
	for i := range p.Vehicles {
		p.Vehicles[i].Capacity = []int32{capacity}
	}
	for i := range p.Jobs {
		p.Jobs[i].Delivery = []int32{1}
	}
}
