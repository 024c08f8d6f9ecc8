package fleet

import "slices"

// Relaxation is what would have to be otherwise for a task to be served. What is zero may
// stay as it is.
type Relaxation struct {
	Vehicle     int     // that would serve it, and has what follows but for the first two
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

// MostRelaxed is the most seconds by which windows, rides and the ends of work are relaxed.
const MostRelaxed = 604_800

// aspect is one of the things that can be relaxed.
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

// anyone is in the place of a vehicle for all of them.
const anyone = -1

// widest is the relaxation of all aspects as far as it may help tasks.
func (p *Problem) widest(tasks []Task) *Relaxation {
	r := &Relaxation{Vehicle: anyone, TimeWindows: MostRelaxed, Ride: MostRelaxed, Overtime: MostRelaxed, Anywhere: true, Tasks: 2 * len(tasks), TravelTime: mostWay, Distance: most}
	r.Capacity = make([]int32, len(p.Vehicles[0].Capacity))
	for _, t := range tasks {
		if t.Shipment {
			add(r.Capacity, p.Shipments[t.Index].Amount, 1)
			r.Skills = append(r.Skills, p.Shipments[t.Index].Skills...)
			continue
		}
		add(r.Capacity, p.Jobs[t.Index].Delivery, 1)
		add(r.Capacity, p.Jobs[t.Index].Pickup, 1)
		r.Skills = append(r.Skills, p.Jobs[t.Index].Skills...)
	}
	slices.Sort(r.Skills)
	r.Skills = slices.Compact(r.Skills)
	return r
}

// only is a relaxation of some aspects.
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

// relaxed is a problem with a relaxation for tasks.
func (p *Problem) relaxed(tasks []Task, r *Relaxation) *Problem {
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
			q.Vehicles[i].relax(r)
		}
	}
	if r.Vehicle == anyone {
		q.everyones = r.Skills
	} else {
		v := &q.Vehicles[r.Vehicle]
		v.Skills = slices.Concat(v.Skills, r.Skills)
	}
	return &q
}

// relax relaxes a vehicle in all but its skills.
func (v *Vehicle) relax(r *Relaxation) {
	if n := len(v.Windows); n > 0 && r.Overtime > 0 {
		v.Windows = slices.Clone(v.Windows)
		v.Windows[n-1].End += r.Overtime
	}
	if r.Capacity != nil {
		v.Capacity = slices.Clone(v.Capacity)
		add(v.Capacity, r.Capacity, 1)
	}
	if r.Anywhere {
		v.Territories = nil
	}
	if v.MaxTasks > 0 || v.MaxTasks == None && r.Tasks > 0 {
		v.MaxTasks = v.mostTasks() + r.Tasks
	}
	if v.MaxTravelTime > 0 {
		v.MaxTravelTime += r.TravelTime
	}
	if v.MaxDistance > 0 {
		v.MaxDistance += r.Distance
	}
}

// mostTasks is how many stops a vehicle may make; 0 where that has no limit.
func (v *Vehicle) mostTasks() int {
	if v.MaxTasks == None {
		return len(v.OnBoard)
	}
	return v.MaxTasks
}

// widened are windows that begin earlier and end later, those that meet in one.
func widened(ws []Window, by int64) []Window {
	if by == 0 || len(ws) == 0 {
		return ws
	}
	var out []Window
	for _, w := range ws {
		w = Window{max(0, w.Start-by), w.End + by}
		if n := len(out); n > 0 && w.Start <= out[n-1].End {
			out[n-1].End = w.End
		} else {
			out = append(out, w)
		}
	}
	return out
}
