package fleet

import (
	"cmp"
	"math"
	"reflect"
	"slices"
)

// never is a time that nothing happens at.
const never = math.MaxInt64 / 4

// far is the cost of a way that does not exist.
const far = math.MaxInt32 / 2

// class is what vehicles have in common that drive alike: the ways as they
// drive them. The location with the number n-1 is nowhere, and no way to it
// takes anything: open routes begin and end there.
type class struct {
	n          int
	sec, metre []int32 // by origin
	cost       []int64 // by origin
	costTo     []int64 // by target: cost[a*n+b] is costTo[b*n+a]
}

// unit is what is served whole or not at all: a job, or a shipment. Its visits
// are first and, for a shipment, first+1.
type unit struct {
	task     Task
	first    int32
	pair     bool
	priority int
	ride     int64 // most between pickup and delivery; never for none
	group    int32 // of units that one vehicle serves; -1 for none
	apart    []int32
	weight   int64 // for orders: what it takes of a vehicle
}

// model is a problem in flat arrays. It does not change during a search.
type model struct {
	p       *Problem
	dims    int
	classes []class
	units   []unit
	groups  [][]int32

	// By visit.
	unitOf  []int32
	loc     []int32
	windows [][]Window
	// By visit and dimension: what is on board from the route's start until the
	// visit, what it puts on board there, to its end. A shipment's pickup loads what its
	// delivery takes off.
	brings, takes []int32

	// By route: a trip of a vehicle.
	slots []slot
	// By slot's kind and visit: alike vehicles share them.
	service, setup [][]int64
	allowed        [][]bool // by kind and unit
	near           [][]int32
}

// slot is a trip of a vehicle.
type slot struct {
	vehicle, trip int
	v             *Vehicle
	class         *class
	kind          int // vehicles of one kind do the same
	start, end    int32
	window        Window
	previous      int32 // trip of the vehicle, -1 for none
	next          int32
	fixed         int64
	tasks         int
	travel, metre int64
}

func compile(p *Problem) *model {
	m := &model{p: p, dims: len(p.Vehicles[0].Capacity)}
	m.visits()
	m.group()
	type drive struct {
		profile int
		factor  float64
		hour    int64
		km      int64
	}
	classes := map[drive]int{}
	of := make([]int, len(p.Vehicles))
	for i := range p.Vehicles {
		v := &p.Vehicles[i]
		d := drive{v.Profile, v.SpeedFactor, v.PerHour, v.PerKilometre}
		if _, ok := classes[d]; !ok {
			classes[d] = len(m.classes)
			m.classes = append(m.classes, newClass(&p.Matrices[v.Profile], v))
		}
		of[i] = classes[d]
	}
	var kinds []*Vehicle
	for i := range p.Vehicles {
		v := &p.Vehicles[i]
		kind := slices.IndexFunc(kinds, func(k *Vehicle) bool { return alike(k, v) })
		if kind < 0 {
			kind = len(kinds)
			kinds = append(kinds, v)
			m.kind(v)
		}
		for t := range max(1, v.Trips) {
			s := slot{vehicle: i, trip: t, v: v, class: &m.classes[of[i]], kind: kind, window: v.Window, previous: -1, next: -1, fixed: v.Fixed * CostUnit, tasks: v.MaxTasks, travel: v.MaxTravelTime, metre: v.MaxDistance}
			s.start, s.end = m.somewhere(s.class, v.Start), m.somewhere(s.class, v.End)
			if s.window.End == 0 {
				s.window.End = never
			}
			if s.tasks == 0 {
				s.tasks = math.MaxInt
			}
			if s.travel == 0 {
				s.travel = never
			}
			if s.metre == 0 {
				s.metre = never
			}
			if t > 0 {
				s.previous = int32(len(m.slots)) - 1
				m.slots[s.previous].next = int32(len(m.slots))
			}
			m.slots = append(m.slots, s)
		}
	}
	m.neighbours()
	return m
}

func (m *model) somewhere(c *class, l int) int32 {
	if l == None {
		return int32(c.n - 1)
	}
	return int32(l)
}

// alike reports whether two vehicles can do each other's work.
func alike(a, b *Vehicle) bool {
	if len(a.First)+len(b.First) > 0 {
		return false
	}
	x, y := *a, *b
	x.Initial, y.Initial = nil, nil
	return reflect.DeepEqual(x, y)
}

func newClass(of *Matrix, v *Vehicle) class {
	n := of.N + 1
	c := class{n: n, sec: make([]int32, n*n), metre: make([]int32, n*n), cost: make([]int64, n*n), costTo: make([]int64, n*n)}
	factor := v.SpeedFactor
	if factor == 0 {
		factor = 1
	}
	for a := range of.N {
		for b := range of.N {
			s, d := of.Seconds[a*of.N+b], of.Metres[a*of.N+b]
			at := a*n + b
			if s == Unreachable {
				c.sec[at], c.metre[at], c.cost[at] = far, far, int64(far)*CostUnit
			} else {
				s = int32(math.Min(far, math.Round(float64(s)/factor)))
				c.sec[at], c.metre[at] = s, d
				c.cost[at] = v.PerHour*int64(s)*(CostUnit/3600) + v.PerKilometre*int64(d)*(CostUnit/1000)
			}
			c.costTo[b*n+a] = c.cost[at]
		}
	}
	return c
}

func (m *model) visits() {
	p := m.p
	add := func(u int, pl *Place, brings, takes []int32, sign int32) {
		m.unitOf = append(m.unitOf, int32(u))
		m.loc = append(m.loc, int32(pl.Location))
		ws := pl.Windows
		if len(ws) == 0 {
			ws = []Window{{0, never}}
		}
		m.windows = append(m.windows, ws)
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
	weigh := func(a ...[]int32) (w int64) {
		for _, x := range a {
			for _, n := range x {
				w += int64(n)
			}
		}
		return w
	}
	for i := range p.Jobs {
		j := &p.Jobs[i]
		m.units = append(m.units, unit{task: Task{false, i}, first: int32(len(m.loc)), priority: j.Priority, ride: never, group: -1, weight: weigh(j.Delivery, j.Pickup)})
		add(len(m.units)-1, &j.Place, j.Delivery, j.Pickup, 1)
	}
	for i := range p.Shipments {
		s := &p.Shipments[i]
		ride := s.MaxRide
		if ride == 0 {
			ride = never
		}
		m.units = append(m.units, unit{task: Task{true, i}, first: int32(len(m.loc)), pair: true, priority: s.Priority, ride: ride, group: -1, weight: weigh(s.Amount)})
		add(len(m.units)-1, &s.Pickup, nil, s.Amount, 1)
		add(len(m.units)-1, &s.Delivery, nil, s.Amount, -1)
	}
}

func (m *model) unitOfTask(t Task) int32 {
	if t.Shipment {
		return int32(len(m.p.Jobs) + t.Index)
	}
	return int32(t.Index)
}

// visitOf is the visit of a stop.
func (m *model) visitOf(s Stop) int32 {
	if s.Kind == AtJob {
		return int32(s.Index)
	}
	v := m.units[len(m.p.Jobs)+s.Index].first
	if s.Kind == AtDelivery {
		v++
	}
	return v
}

// stopOf is the stop of a visit.
func (m *model) stopOf(v int32) Stop {
	u := &m.units[m.unitOf[v]]
	switch {
	case !u.pair:
		return Stop{AtJob, u.task.Index}
	case v == u.first:
		return Stop{AtPickup, u.task.Index}
	}
	return Stop{AtDelivery, u.task.Index}
}

// group joins what is to be together, through common members too.
func (m *model) group() {
	for _, g := range m.p.Together {
		if len(g) < 2 {
			continue
		}
		var all []int32
		for _, t := range g {
			u := m.unitOfTask(t)
			if old := m.units[u].group; old >= 0 {
				all = append(all, m.groups[old]...)
				m.groups[old] = nil
			} else {
				all = append(all, u)
			}
		}
		slices.Sort(all)
		all = slices.Compact(all)
		for _, u := range all {
			m.units[u].group = int32(len(m.groups))
		}
		m.groups = append(m.groups, all)
	}
	for _, g := range m.p.Apart {
		for _, a := range g {
			for _, b := range g {
				if a != b {
					u := &m.units[m.unitOfTask(a)]
					u.apart = append(u.apart, m.unitOfTask(b))
				}
			}
		}
	}
}

// kind works out what vehicles of a kind can do, and how long it takes them.
func (m *model) kind(v *Vehicle) {
	service, setup := make([]int64, len(m.loc)), make([]int64, len(m.loc))
	allowed := make([]bool, len(m.units))
	for i := range m.loc {
		pl := m.place(int32(i))
		service[i], setup[i] = pl.Service, pl.Setup
		if n, ok := pl.ServiceByType[v.Type]; ok && v.Type != "" {
			service[i] = n
		}
		if n, ok := pl.SetupByType[v.Type]; ok && v.Type != "" {
			setup[i] = n
		}
	}
	for i := range m.units {
		u := &m.units[i]
		allowed[i] = skilled(v, m.skills(u)) && inside(v, m.place(u.first)) && (!u.pair || inside(v, m.place(u.first+1)))
	}
	m.service, m.setup, m.allowed = append(m.service, service), append(m.setup, setup), append(m.allowed, allowed)
}

func (m *model) skills(u *unit) []int32 {
	if u.pair {
		return m.p.Shipments[u.task.Index].Skills
	}
	return m.p.Jobs[u.task.Index].Skills
}

func (m *model) place(visit int32) *Place {
	return m.p.place(m.stopOf(visit))
}

func (p *Problem) place(s Stop) *Place {
	switch s.Kind {
	case AtPickup:
		return &p.Shipments[s.Index].Pickup
	case AtDelivery:
		return &p.Shipments[s.Index].Delivery
	}
	return &p.Jobs[s.Index].Place
}

func skilled(v *Vehicle, needs []int32) bool {
	for _, n := range needs {
		if !slices.Contains(v.Skills, n) {
			return false
		}
	}
	return true
}

// inside reports whether a vehicle may stop at a place.
func inside(v *Vehicle, p *Place) bool {
	return len(v.Territories) == 0 || slices.ContainsFunc(p.Territories, func(t int32) bool { return slices.Contains(v.Territories, t) })
}

// mostNear is how many visits near each other one knows.
const mostNear = 250

// neighbours sorts, for each visit, the others by the way there and back.
func (m *model) neighbours() {
	c := &m.classes[0]
	n := len(m.loc)
	m.near = make([][]int32, n)
	type other struct {
		cost  int64
		visit int32
	}
	all := make([]other, n)
	flat := make([]int32, 0, n*min(n, mostNear))
	for v := range n {
		for w := range n {
			a, b := int(m.loc[v]), int(m.loc[w])
			all[w] = other{c.cost[a*c.n+b] + c.cost[b*c.n+a], int32(w)}
		}
		all[v].cost = -1 // itself first
		slices.SortFunc(all, func(x, y other) int { return cmp.Or(cmp.Compare(x.cost, y.cost), cmp.Compare(x.visit, y.visit)) })
		from := len(flat)
		for _, o := range all[:min(n, mostNear)] {
			flat = append(flat, o.visit)
		}
		m.near[v] = flat[from:len(flat):len(flat)]
	}
}

// start gives the first time in the windows at or after t; never if there is none.
func startIn(ws []Window, t int64) int64 {
	for i := range ws {
		if t <= ws[i].End {
			return max(t, ws[i].Start)
		}
	}
	return never
}

// latestIn gives the last arrival from which a start by t is possible; negative
// if there is none.
func latestIn(ws []Window, t int64) int64 {
	for i := len(ws) - 1; i >= 0; i-- {
		if t >= ws[i].Start {
			return min(t, ws[i].End)
		}
	}
	return -1
}
