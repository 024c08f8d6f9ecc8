package fleet

// stops makes units and visits of the tasks.
func (m *model) stops() {
	p := m.p
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
		m.newUnit(unit{task: Task{false, i}, priority: j.Priority, weight: weigh(j.Delivery, j.Pickup)})
		m.newVisit(&j.Place, j.Delivery, j.Pickup, 1)
	}
	for i := range p.Shipments {
		s := &p.Shipments[i]
		u := unit{task: Task{true, i}, pair: m.carrier[i] < 0, priority: s.Priority, ride: s.MaxRide, weight: weigh(s.Amount)}
		if !u.pair {
			u.ride = 0
		}
		m.newUnit(u)
		if u.pair {
			m.newVisit(&s.Pickup, nil, s.Amount, 1)
		}
		m.newVisit(&s.Delivery, nil, s.Amount, -1)
	}
}

func (m *model) newUnit(u unit) {
	u.first, u.group = int32(len(m.visits)), -1
	if u.ride == 0 {
		u.ride = never
	}
	m.units = append(m.units, u)
}

func (m *model) newVisit(pl *Place, brings, takes []int32, sign int32) {
	v := visit{loc: int32(pl.Location), unit: int32(len(m.units) - 1), shut: never}
	if n := len(pl.Windows); n > 0 {
		v.open, v.shut = pl.Windows[0].Start, pl.Windows[n-1].End
		if n > 1 {
			v.windows = pl.Windows
		}
	}
	m.visits = append(m.visits, v)
	for d := range m.dims {
		b, t := int32(0), int32(0)
		if len(brings) > 0 {
			b = brings[d]
		}
		if len(takes) > 0 {
			t = sign * takes[d]
		}
		m.brings, m.takes = append(m.brings, b), append(m.takes, t)
	}
}

func weigh(amounts ...[]int32) (w int64) {
	for _, a := range amounts {
		for _, n := range a {
			w += int64(n)
		}
	}
	return w
}

func (m *model) unitOfTask(t Task) int32 { return m.p.unit(t) }

// visitOf is the visit of a stop.
func (m *model) visitOf(s Stop) int32 {
	u := &m.units[m.unitOfTask(s.Task())]
	if s.Kind == AtDelivery && u.pair {
		return u.first + 1
	}
	return u.first
}

// stopOf is the stop of a visit.
func (m *model) stopOf(v int32) Stop {
	u := &m.units[m.visits[v].unit]
	switch {
	case !u.task.Shipment:
		return Stop{AtJob, u.task.Index}
	case u.pair && v == u.first:
		return Stop{AtPickup, u.task.Index}
	}
	return Stop{AtDelivery, u.task.Index}
}

// nothing is what a visit followed that was in no plan before.
const nothing = -1 << 30

// atStart is what the first visit of a vehicle followed.
func atStart(vehicle int) int32 { return int32(-2 - vehicle) }

// stability reads the plan that departures are counted from.
func (m *model) stability() {
	m.former, m.before = make([]int32, len(m.units)), make([]int32, len(m.visits))
	for i := range m.former {
		m.former[i] = -1
	}
	for i := range m.before {
		m.before[i] = nothing
	}
	for i := range m.p.Vehicles {
		v := &m.p.Vehicles[i]
		last := atStart(i)
		if n := len(v.First); n > 0 {
			last = m.visitOf(v.First[n-1])
		}
		for _, s := range v.Initial {
			x := m.visitOf(s)
			m.former[m.visits[x].unit] = int32(i)
			m.before[x] = last
			last = x
		}
	}
	m.edged = m.edged || m.p.Stability.Position > 0
}

// start gives the first time at or after t at which a visit's service may start;
// never if there is none.
func (v *visit) start(t int64) int64 {
	if v.windows != nil {
		return startIn(v.windows, t)
	}
	if t > v.shut {
		return never
	}
	return max(t, v.open)
}

// latest gives the last arrival from which a start by t is possible; negative if there
// is none.
func (v *visit) latest(t int64) int64 {
	if v.windows != nil {
		return latestIn(v.windows, t)
	}
	if t < v.open {
		return -1
	}
	return min(t, v.shut)
}

// startIn gives the first time in the windows at or after t; never if there is none.
func startIn(ws []Window, t int64) int64 {
	if i := endsFrom(ws, t); i < len(ws) {
		return max(t, ws[i].Start)
	}
	return never
}

// endsFrom is the first window that ends at t or later; len(ws) where none does.
func endsFrom(ws []Window, t int64) int {
	low := 0
	for n := len(ws); n > 0; {
		if half := n / 2; ws[low+half].End < t {
			low, n = low+half+1, n-half-1
		} else {
			n = half
		}
	}
	return low
}

// latestIn gives the last arrival from which a start by t is possible; negative
// if there is none.
func latestIn(ws []Window, t int64) int64 {
	// It lies in the first window that ends after t, or at the end of the one before.
	i := endsFrom(ws, t)
	if i < len(ws) && t >= ws[i].Start {
		return t
	}
	if i > 0 {
		return ws[i-1].End
	}
	return -1
}
