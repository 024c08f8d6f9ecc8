package model

import "github.com/waygate/waygate/fleet"

// stops makes tasks and visits of the tasks.
func (m *Model) stops() {
	p := m.Problem
	m.carrier = make([]int32, len(p.Shipments))
	for i := range m.carrier {
		m.carrier[i] = -1
	}
	for i := range p.Vehicles {
		for _, s := range p.Vehicles[i].OnBoard {
			m.carrier[s] = int32(i)
		}
	}
	for i := range p.Jobs {
		j := &p.Jobs[i]
		m.newTask(Task{Of: fleet.Task{Shipment: false, Index: i}, Priority: j.Priority, Weight: totalOf(j.Delivery, j.Pickup)})
		m.newVisit(&j.Place, j.Delivery, j.Pickup, 1)
	}
	for i := range p.Shipments {
		s := &p.Shipments[i]
		u := Task{Of: fleet.Task{Shipment: true, Index: i}, Pair: m.carrier[i] < 0, Priority: s.Priority, Ride: s.MaxRide, Weight: totalOf(s.Amount)}
		if !u.Pair {
			u.Ride = 0
		}
		m.newTask(u)
		if u.Pair {
			m.newVisit(&s.Pickup, nil, s.Amount, 1)
		}
		m.newVisit(&s.Delivery, nil, s.Amount, -1)
	}
}

func (m *Model) newTask(u Task) {
	u.First, u.Group = int32(len(m.Visits)), -1
	if u.Ride == 0 {
		u.Ride = fleet.Never
	}
	m.Tasks = append(m.Tasks, u)
}

func (m *Model) newVisit(pl *fleet.Place, brings, takes []int32, sign int32) {
	v := Visit{Location: int32(pl.Location), Task: int32(len(m.Tasks) - 1), Shut: fleet.Never}
	if n := len(pl.Windows); n > 0 {
		v.Open, v.Shut = pl.Windows[0].Start, pl.Windows[n-1].End
		if n > 1 {
			v.windows = pl.Windows
		}
	}
	m.Visits = append(m.Visits, v)
	for d := range m.Dimensions {
		b, t := int32(0), int32(0)
		if len(brings) > 0 {
			b = brings[d]
		}
		if len(takes) > 0 {
			t = sign * takes[d]
		}
		m.Brings, m.Takes = append(m.Brings, b), append(m.Takes, t)
	}
}

func totalOf(amounts ...[]int32) (w int64) {
	for _, a := range amounts {
		for _, n := range a {
			w += int64(n)
		}
	}
	return w
}

// TaskNumber returns the number of a task in Tasks.
func (m *Model) TaskNumber(t fleet.Task) int32 { return m.Problem.TaskNumber(t) }

// VisitOf returns the visit of a stop.
func (m *Model) VisitOf(s fleet.Stop) int32 {
	u := &m.Tasks[m.TaskNumber(s.Task())]
	if s.Kind == fleet.AtDelivery && u.Pair {
		return u.First + 1
	}
	return u.First
}

// StopOf returns the stop of a visit.
func (m *Model) StopOf(v int32) fleet.Stop {
	u := &m.Tasks[m.Visits[v].Task]
	switch {
	case !u.Of.Shipment:
		return fleet.Stop{Kind: fleet.AtJob, Index: u.Of.Index}
	case u.Pair && v == u.First:
		return fleet.Stop{Kind: fleet.AtPickup, Index: u.Of.Index}
	}
	return fleet.Stop{Kind: fleet.AtDelivery, Index: u.Of.Index}
}

// nothing is the predecessor of a visit that was in no plan before.
const nothing = -1 << 30

// atStart returns the predecessor of the first visit of a vehicle.
func atStart(vehicle int) int32 { return int32(-2 - vehicle) }

// stability reads the plan from which departures are counted.
func (m *Model) stability() {
	m.former, m.before = make([]int32, len(m.Tasks)), make([]int32, len(m.Visits))
	for i := range m.former {
		m.former[i] = -1
	}
	for i := range m.before {
		m.before[i] = nothing
	}
	for i := range m.Problem.Vehicles {
		v := &m.Problem.Vehicles[i]
		last := atStart(i)
		if n := len(v.First); n > 0 {
			last = m.VisitOf(v.First[n-1])
		}
		for _, s := range v.Initial {
			x := m.VisitOf(s)
			m.former[m.Visits[x].Task] = int32(i)
			m.before[x] = last
			last = x
		}
	}
	m.Edged = m.Edged || m.Problem.Stability.Position > 0
}

// Start returns the first time at or after t at which a visit's service may start;
// never if there is none.
func (v *Visit) Start(t int64) int64 {
	if v.windows != nil {
		return fleet.StartIn(v.windows, t)
	}
	if t > v.Shut {
		return fleet.Never
	}
	return max(t, v.Open)
}

// Latest returns the last arrival from which a start by t is possible; negative if there
// is none.
func (v *Visit) Latest(t int64) int64 {
	if v.windows != nil {
		return fleet.LatestIn(v.windows, t)
	}
	if t < v.Open {
		return -1
	}
	return min(t, v.Shut)
}

// Last returns the last visit of a task.
func (u *Task) Last() int32 {
	if u.Pair {
		return u.First + 1
	}
	return u.First
}
