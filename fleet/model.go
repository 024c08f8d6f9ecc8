package fleet

import (
	"fmt"
	"math"
	"slices"
)

// never is a time that nothing happens at.
const never = math.MaxInt64 / 4

// far is the time of a way that does not exist.
const far = 1 << 27

// way is what it takes to get from one location to another.
type way struct{ sec, metre int32 }

// network holds the ways as vehicles of one profile and speed factor drive them. The
// location with the number n-1 is nowhere, and no way to it takes anything: open routes
// begin and end there.
type network struct {
	n   int
	out []way // by origin
	in  []way // by target: out[a*n+b] is in[b*n+a]
	gap bool  // some way does not exist
}

func (w *network) at(a, b int32) way { return w.out[int(a)*w.n+int(b)] }

// unit is what is served whole or not at all: a job, or a shipment. Its visits
// are first and, for a shipment that is not on board, first+1.
type unit struct {
	task     Task
	first    int32
	pair     bool
	priority int
	ride     int64 // most between pickup and delivery; never for none
	group    int32 // of units that one vehicle serves; -1 for none
	half     bool  // its pickup is given to a vehicle, and its delivery is not: it must be served there
	weight   int64 // for orders: what it takes of a vehicle
}

// visit is one stop.
type visit struct {
	loc, unit  int32
	open, shut int64    // hull of its windows
	windows    []Window // where there is more than one
}

// model is a problem in flat arrays. It does not change during a search.
type model struct {
	p        *Problem
	dims     int
	networks []network
	units    []unit
	visits   []visit
	groups   [][]int32
	words    int      // 64 lists of what is apart each
	apart    []uint64 // by unit and word: the lists of what is apart that it is in
	carrier  []int32  // by shipment: the vehicle that has it on board, -1 for none
	// By visit and dimension: what is on board from the start of the trip until the
	// visit, what it puts on board there, to its end. A shipment's pickup loads what its
	// delivery takes off.
	brings, takes []int32

	slots []slot // trips of vehicles; a route each
	kinds []kind // alike vehicles share one
	needs needs
	times map[string]*times // by type of vehicle; "" of those that no stop names

	former []int32 // by unit: the vehicle that stability is measured against, -1 for none
	before []int32 // by visit: what it followed; see state.extra
	edged  bool    // costs depend on more than the locations from and to
	near   [][]int32

	must    []int32 // units that first steps demand
	untimed bool    // no limit of time or distance can be broken
	dear    bool    // some places are dear to judge; see known
	mixed   bool    // the vehicles are not alike; see mix
}

// kind is what alike vehicles can do, and what it takes them.
type kind struct {
	of *Vehicle
	*times
	task    int64  // cost of a second of service or setup
	allowed []bool // by unit
}

// times are what stops take vehicles of a type, by visit.
type times struct{ service, setup []int64 }

// slot is a trip of a vehicle.
type slot struct {
	vehicle, trip     int
	v                 *Vehicle
	net               *network
	kind              int
	second, metre     int64 // costs of one
	start, end, depot int32
	apart             bool   // the depot is not where the vehicle starts and ends
	window            Window // hull of the vehicle's
	first, last       int32  // slots of the vehicle
	fixed             int64
	tasks             int
	travel, distance  int64
	board             []int32 // load that is on board and stays until it is delivered; nil for none
	hard              bool    // it has breaks or pauses
}

// cost of a way to the vehicle of a slot.
func (sl *slot) cost(w way) int64 { return sl.second*int64(w.sec) + sl.metre*int64(w.metre) }

// compile makes the model of a problem. It is not whole where its watch says that the work
// is to end.
func compile(p *Problem, w *watch) *model { return compileLike(p, &model{}, w) }

// compileLike makes the model of a problem that has the locations, ways and costs, times of
// service, needs and groups of an old one's, unless that is empty.
func compileLike(p *Problem, old *model, watch *watch) *model {
	m := &model{p: p, dims: len(p.Vehicles[0].Capacity)}
	m.stops()
	watch.spend(2 * len(m.visits) * (4 + m.dims))
	m.group()
	if m.words, m.apart = old.words, old.apart; old.p == nil {
		m.separate()
	}
	m.given()
	m.stability()
	if m.needs, m.times = old.needs, old.times; old.p == nil {
		m.needed(watch)
		m.timed(watch)
	}
	type drive struct {
		profile int
		factor  float64
	}
	nets := map[drive]int{}
	for i := range p.Vehicles {
		v := &p.Vehicles[i]
		d := drive{v.Profile, v.SpeedFactor}
		if _, ok := nets[d]; !ok {
			nets[d] = len(nets)
			if old.p == nil {
				m.networks = append(m.networks, newNetwork(&p.Matrices[v.Profile], v.SpeedFactor, watch))
			}
		}
	}
	if old.p != nil {
		m.networks = old.networks
	}
	kinds := map[string]int{}
	for i := range p.Vehicles {
		v := &p.Vehicles[i]
		key := m.likeness(v)
		k, known := kinds[key]
		if !known || key == "" {
			k = len(m.kinds)
			kinds[key] = k
			m.kinds = append(m.kinds, m.newKind(i, watch))
		}
		watch.spend(lookEvery / 20)
		m.trips(i, k, &m.networks[nets[drive{v.Profile, v.SpeedFactor}]])
	}
	if m.near = old.near; m.near == nil {
		m.neighbours(watch)
	}
	m.untimed, m.mixed = m.free(), m.mix()
	m.dear = len(m.visits) > len(m.units) || slices.ContainsFunc(m.slots, func(sl slot) bool { return sl.hard })
	return m
}

// free reports whether there is nothing in a problem that takes too long or goes too far.
func (m *model) free() bool {
	for i := range m.slots {
		sl := &m.slots[i]
		if sl.hard || sl.v.Reloads != nil || sl.window.End < never || sl.travel < far-1 || sl.distance < never {
			return false
		}
	}
	for i := range m.visits {
		if m.visits[i].shut < never || m.units[m.visits[i].unit].ride < never {
			return false
		}
	}
	for i := range m.networks {
		if m.networks[i].gap {
			return false
		}
	}
	return true
}

// trips adds the slots of a vehicle.
func (m *model) trips(i, k int, net *network) {
	v := &m.p.Vehicles[i]
	n := 1
	sl := slot{vehicle: i, v: v, net: net, kind: k, fixed: v.Fixed * CostUnit, second: v.PerHour * (CostUnit / 3600), metre: v.PerKilometre * (CostUnit / 1000)}
	sl.window = Window{0, never}
	if len(v.Windows) > 0 {
		sl.window = Window{v.Windows[0].Start, v.Windows[len(v.Windows)-1].End}
	}
	sl.hard = len(v.Breaks) > 0 || len(v.Windows) > 1
	somewhere := func(l int) int32 {
		if l == None {
			return int32(net.n - 1)
		}
		return int32(l)
	}
	sl.start, sl.end = somewhere(v.Start), somewhere(v.End)
	if v.Reloads != nil {
		n = v.Reloads.MaxTrips
		sl.depot = int32(v.Reloads.Depot)
		sl.apart = sl.depot != sl.start || sl.depot != sl.end
	}
	sl.tasks, sl.travel, sl.distance = math.MaxInt, far-1, never
	if v.MaxTasks > 0 {
		sl.tasks = v.MaxTasks
	}
	if v.MaxTravelTime > 0 {
		sl.travel = min(sl.travel, v.MaxTravelTime)
	}
	if v.MaxDistance > 0 {
		sl.distance = v.MaxDistance
	}
	for _, s := range v.OnBoard {
		if sl.board == nil {
			sl.board = make([]int32, m.dims)
		}
		add(sl.board, m.p.Shipments[s].Amount, 1)
	}
	sl.first = int32(len(m.slots))
	sl.last = sl.first + int32(n) - 1
	for t := range n {
		sl.trip = t
		m.slots = append(m.slots, sl)
	}
}

// likeness is the same text for vehicles that can do each other's work; "" of one that has
// work of its own.
func (m *model) likeness(v *Vehicle) string {
	if len(v.First)+len(v.OnBoard) > 0 || m.p.Stability != (Stability{}) && len(v.Initial) > 0 {
		return ""
	}
	x, reloads := *v, Reloads{}
	if v.Reloads != nil {
		reloads = *v.Reloads // in place of where it is kept
	}
	x.Initial, x.Begin, x.Type, x.Reloads = nil, nil, "", nil
	return fmt.Sprintf("%q %t %v %v", v.Type, v.Reloads != nil, reloads, x)
}

func newNetwork(of *Matrix, factor float64, watch *watch) network {
	n := of.N + 1
	w := network{n: n, out: make([]way, n*n), in: make([]way, n*n)}
	for a := range of.N {
		if watch.spend(4 * n) {
			break
		}
		for b := range of.N {
			x := way{far, 0}
			if s := of.Seconds[a*of.N+b]; s != Unreachable {
				x = way{scaled(s, factor), of.Metres[a*of.N+b]}
			} else {
				w.gap = true
			}
			w.out[a*n+b], w.in[b*n+a] = x, x
		}
	}
	return w
}

// scaled is a time of travel under a speed factor.
func scaled(s int32, factor float64) int32 {
	if factor == 0 {
		return s
	}
	return int32(min(far-1, math.Round(float64(s)/factor)))
}

// times are the service and the setup of a place for a type of vehicle.
func (pl *Place) times(kind string) (service, setup int64) {
	service, setup = pl.Service, pl.Setup
	if n, ok := pl.ServiceByType[kind]; ok && kind != "" {
		service = n
	}
	if n, ok := pl.SetupByType[kind]; ok && kind != "" {
		setup = n
	}
	return service, setup
}

// mayServe reports whether a vehicle may take on a task, has the skills for it, may go
// there and, where it is on board of one, is that one.
func (p *Problem) mayServe(vehicle int, t Task) bool {
	v := &p.Vehicles[vehicle]
	if !t.Shipment {
		j := &p.Jobs[t.Index]
		return v.MaxTasks != None && skilled(v, j.Skills) && inside(v, &j.Place)
	}
	s := &p.Shipments[t.Index]
	if !skilled(v, s.Skills) || !inside(v, &s.Delivery) {
		return false
	}
	if on := p.carrier(t.Index); on >= 0 {
		return on == vehicle
	}
	return v.MaxTasks != None && inside(v, &s.Pickup)
}

// carrier is the vehicle that has a shipment on board, -1 for none.
func (p *Problem) carrier(shipment int) int {
	return slices.IndexFunc(p.Vehicles, func(v Vehicle) bool { return slices.Contains(v.OnBoard, shipment) })
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
	const few = 64
	if len(needs)*len(v.Skills) <= few {
		return !slices.ContainsFunc(needs, func(n int32) bool { return !slices.Contains(v.Skills, n) })
	}
	has := setOf(v.Skills)
	return !slices.ContainsFunc(needs, func(n int32) bool { return !has[n] })
}

// setOf are the numbers of lists.
func setOf(lists ...[]int32) map[int32]bool {
	set := map[int32]bool{}
	for _, list := range lists {
		for _, n := range list {
			set[n] = true
		}
	}
	return set
}

// inside reports whether a vehicle may stop at a place.
func inside(v *Vehicle, p *Place) bool {
	return len(v.Territories) == 0 || slices.ContainsFunc(p.Territories, func(t int32) bool { return slices.Contains(v.Territories, t) })
}
