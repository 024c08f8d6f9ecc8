package explain

import "github.com/waygate/waygate/fleet"

// shrinkTo reduces a relaxation to what a plan needs for some tasks.
func (r *Relaxation) shrinkTo(p *fleet.Problem, tasks []fleet.Task, plan *fleet.Plan) {
	v := &p.Vehicles[r.Vehicle]
	var windows, ride, overtime, travel, distance int64
	stops := 0
	capacity := make([]int32, len(v.Capacity))
	picked := map[int]int64{} // when the service of a pickup ends, by shipment
	of := map[fleet.Task]bool{}
	for _, t := range tasks {
		of[t] = true
	}
	for i := range plan.Routes {
		route := &plan.Routes[i]
		n := 0
		for k := range route.Steps {
			s := &route.Steps[k]
			if route.Vehicle == r.Vehicle {
				for d, load := range s.Load {
					capacity[d] = max(capacity[d], load-v.Capacity[d])
				}
			}
			if s.Kind != fleet.StepStop {
				continue
			}
			n++
			if !of[s.Stop.Task()] {
				continue
			}
			windows = max(windows, apartFrom(p.PlaceOf(s.Stop).Windows, s.Begins()))
			if s.Stop.Kind == fleet.AtPickup {
				picked[s.Stop.Index] = s.Ends()
			}
			if t, ok := picked[s.Stop.Index]; ok && s.Stop.Kind == fleet.AtDelivery {
				ride = max(ride, s.Begins()-t-p.Shipments[s.Stop.Index].MaxRide)
			}
		}
		if route.Vehicle != r.Vehicle {
			continue
		}
		stops = max(stops, n)
		travel, distance = max(travel, route.Travel), max(distance, route.Distance)
		if w := v.Windows; len(w) > 0 {
			overtime = max(overtime, route.Steps[len(route.Steps)-1].Ends()-w[len(w)-1].End)
		}
	}
	r.TimeWindows, r.Ride, r.Overtime = min(r.TimeWindows, windows), min(r.Ride, ride), min(r.Overtime, overtime)
	r.Tasks, r.TravelTime, r.Distance = min(r.Tasks, max(0, stops-v.MostTasks())), min(r.TravelTime, max(0, travel-v.MaxTravelTime)), min(r.Distance, max(0, distance-v.MaxDistance))
	for d := range r.Capacity {
		r.Capacity[d] = min(r.Capacity[d], capacity[d])
	}
}

// apartFrom returns how far a time is from the nearest window.
func apartFrom(ws []fleet.Window, t int64) int64 {
	least := int64(fleet.Never)
	for _, w := range ws {
		least = min(least, max(0, w.Start-t, t-w.End))
	}
	if len(ws) == 0 {
		return 0
	}
	return least
}
