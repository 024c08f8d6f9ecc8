package explain

import (
	"slices"

	"github.com/waygate/waygate/fleet"
)

// Relaxation is a change to a problem that would let a task be served. Zero members
// stay unchanged.
type Relaxation struct {
	Vehicle     int     // the vehicle that would serve it; all that follows but the next two members concerns it
	TimeWindows int64   // seconds by which the windows of the task begin earlier and end later
	Ride        int64   // seconds that a shipment may be on board for longer
	Overtime    int64   // seconds by which the work of the vehicle ends later
	Capacity    []int32 // more of it; nil for none
	Skills      []int32 // that it lacks
	Anywhere    bool    // it may leave its territories
	Tasks       int     // above its MaxTasks
	TravelTime  int64   // seconds above its MaxTravelTime
	Distance    int64   // metres above its MaxDistance
	Cost        int64   // by which the plan is dearer, in units of CostUnit
}

// MostRelaxed is the most seconds by which windows, rides and ends of work are relaxed.
const MostRelaxed = 604_800

// aspect is one member of a Relaxation.
type aspect int

const (
	ofWindows aspect = iota
	ofRide
	ofOvertime
	ofCapacity
	ofSkills
	ofTerritories
	ofTasks
	ofTravelTime
	ofDistance
	aspects
)

// anyone stands for all vehicles.
const anyone = -1

// widest returns the largest relaxation of all aspects that may help the tasks.
func widest(p *fleet.Problem, tasks []fleet.Task) *Relaxation {
	r := &Relaxation{Vehicle: anyone, TimeWindows: MostRelaxed, Ride: MostRelaxed, Overtime: MostRelaxed, Anywhere: true, Tasks: 2 * len(tasks), TravelTime: fleet.MostWay, Distance: fleet.Most}
	r.Capacity = make([]int32, len(p.Vehicles[0].Capacity))
	for _, t := range tasks {
		if t.Shipment {
			fleet.AddLoad(r.Capacity, p.Shipments[t.Index].Amount, 1)
			r.Skills = append(r.Skills, p.Shipments[t.Index].Skills...)
			continue
		}
		fleet.AddLoad(r.Capacity, p.Jobs[t.Index].Delivery, 1)
		fleet.AddLoad(r.Capacity, p.Jobs[t.Index].Pickup, 1)
		r.Skills = append(r.Skills, p.Jobs[t.Index].Skills...)
	}
	slices.Sort(r.Skills)
	r.Skills = slices.Compact(r.Skills)
	return r
}

// only returns the aspects of a relaxation that keep selects.
func (r *Relaxation) only(keep func(aspect) bool) *Relaxation {
	o := &Relaxation{Vehicle: r.Vehicle}
	if keep(ofWindows) {
		o.TimeWindows = r.TimeWindows
	}
	if keep(ofRide) {
		o.Ride = r.Ride
	}
	if keep(ofOvertime) {
		o.Overtime = r.Overtime
	}
	if keep(ofCapacity) {
		o.Capacity = slices.Clone(r.Capacity)
	}
	if keep(ofSkills) {
		o.Skills = r.Skills
	}
	if keep(ofTerritories) {
		o.Anywhere = r.Anywhere
	}
	if keep(ofTasks) {
		o.Tasks = r.Tasks
	}
	if keep(ofTravelTime) {
		o.TravelTime = r.TravelTime
	}
	if keep(ofDistance) {
		o.Distance = r.Distance
	}
	return o
}

// relaxed returns a copy of a problem with a relaxation applied for some tasks.
func relaxed(p *fleet.Problem, tasks []fleet.Task, r *Relaxation) *fleet.Problem {
	q := *p
	q.Jobs, q.Shipments, q.Vehicles = slices.Clone(p.Jobs), slices.Clone(p.Shipments), slices.Clone(p.Vehicles)
	for _, t := range tasks {
		if !t.Shipment {
			q.Jobs[t.Index].Windows = widened(q.Jobs[t.Index].Windows, r.TimeWindows)
			continue
		}
		s := &q.Shipments[t.Index]
		s.Pickup.Windows, s.Delivery.Windows = widened(s.Pickup.Windows, r.TimeWindows), widened(s.Delivery.Windows, r.TimeWindows)
		if s.MaxRide > 0 {
			s.MaxRide += r.Ride
		}
	}
	for i := range q.Vehicles {
		if r.Vehicle == anyone || r.Vehicle == i {
			relaxVehicle(&q.Vehicles[i], r)
		}
	}
	if r.Vehicle == anyone {
		q.SharedSkills = r.Skills
	} else {
		v := &q.Vehicles[r.Vehicle]
		v.Skills = slices.Concat(v.Skills, r.Skills)
	}
	return &q
}

// relaxVehicle applies all of a relaxation but the skills to a vehicle.
func relaxVehicle(v *fleet.Vehicle, r *Relaxation) {
	if n := len(v.Windows); n > 0 && r.Overtime > 0 {
		v.Windows = slices.Clone(v.Windows)
		v.Windows[n-1].End += r.Overtime
	}
	if r.Capacity != nil {
		v.Capacity = slices.Clone(v.Capacity)
		fleet.AddLoad(v.Capacity, r.Capacity, 1)
	}
	if r.Anywhere {
		v.Territories = nil
	}
	if v.MaxTasks > 0 || v.MaxTasks == fleet.None && r.Tasks > 0 {
		v.MaxTasks = v.MostTasks() + r.Tasks
	}
	if v.MaxTravelTime > 0 {
		v.MaxTravelTime += r.TravelTime
	}
	if v.MaxDistance > 0 {
		v.MaxDistance += r.Distance
	}
}

// widened returns windows that begin earlier and end later by so much; windows that
// then overlap are joined.
func widened(ws []fleet.Window, by int64) []fleet.Window {
	if by == 0 || len(ws) == 0 {
		return ws
	}
	var out []fleet.Window
	for _, w := range ws {
		w = fleet.Window{Start: max(0, w.Start-by), End: w.End + by}
		if n := len(out); n > 0 && w.Start <= out[n-1].End {
			out[n-1].End = w.End
		} else {
			out = append(out, w)
		}
	}
	return out
}
