// Package model compiles a problem of fleets into flat arrays that a search reads: tasks,
// visits, trips of vehicles, ways between locations, what each kind of vehicle may serve,
// and neighbours. Times are in seconds, distances in metres, costs in fleet.CostUnit.
package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/search/limit"
)

// far is the time of a way that does not exist.
const far = 1 << 27

// Way is the time and distance from one location to another.
type Way struct{ Sec, Metre int32 }

// Network has the ways as vehicles of one profile and speed factor drive them. Location
// N-1 is nowhere: all its ways take nothing, and open routes begin and end there.
type Network struct {
	N   int
	Out []Way // by origin
	In  []Way // by target: Out[a*N+b] is In[b*N+a]
	gap bool  // some way does not exist
}

// At returns the way from a to b.
func (w *Network) At(a, b int32) Way { return w.Out[int(a)*w.N+int(b)] }

// Task is a job or a shipment, which is served whole or not at all. Its visits are
// First and, for a shipment that is not on board, First+1.
type Task struct {
	Of       fleet.Task
	First    int32
	Pair     bool
	Priority int
	Ride     int64 // most between pickup and delivery; never for none
	Group    int32 // of tasks that one vehicle serves; -1 for none
	Half     bool  // its pickup is given to a vehicle, and its delivery is not: it must be served there
	Weight   int64 // for orders: what it takes of a vehicle
}

// Visit is one stop.
type Visit struct {
	Location, Task int32
	Open, Shut     int64          // hull of its windows
	windows        []fleet.Window // where there is more than one
}

// Model is a problem compiled into flat arrays. It does not change during a search.
type Model struct {
	Problem      *fleet.Problem
	Dimensions   int
	networks     []Network
	Tasks        []Task
	Visits       []Visit
	Groups       [][]int32
	Words        int      // 64 lists of incompatible tasks each
	incompatible []uint64 // by task and word: the lists of incompatible tasks that it is in
	carrier      []int32  // by shipment: the vehicle that has it on board, -1 for none
	// By visit and dimension: what is on board from the start of the trip until the
	// visit, and what the visit loads, which is on board until the end. The delivery
	// of a shipment takes off what its pickup loads.
	Brings, Takes []int32

	Slots []Slot // trips of vehicles; a route each
	Kinds []Kind // alike vehicles share one
	needs needs
	times map[string]*Times // by type of vehicle; "" of those that no stop names

	former []int32 // by task: the vehicle that stability is measured against, -1 for none
	before []int32 // by visit: what it followed; see extra of package search
	Edged  bool    // costs depend on more than the locations from and to
	Near   [][]int32

	Must    []int32 // tasks that first steps demand
	Untimed bool    // no limit of time or distance can be broken
	Dear    bool    // some places are dear to judge; see cachedInsertion of package search
	Mixed   bool    // the vehicles are not alike; see mix
}

// Kind has what alike vehicles can serve, and what that takes them.
type Kind struct {
	of *fleet.Vehicle
	*Times
	Task    int64  // cost of a second of service or setup
	Allowed []bool // by task
}

// Times has how long stops take vehicles of a type, by visit.
type Times struct{ Service, Setup []int64 }

// Slot is a trip of a vehicle.
type Slot struct {
	Vehicle, Trip     int
	Of                *fleet.Vehicle
	Network           *Network
	Kind              int
	Second, Metre     int64 // costs of one
	Start, End, Depot int32
	DepotElsewhere    bool         // the depot is not where the vehicle starts and ends
	Window            fleet.Window // hull of the vehicle's
	First, Last       int32        // slots of the vehicle
	Fixed             int64
	Tasks             int
	Travel, Distance  int64
	OnBoard           []int32 // load that is on board and stays until it is delivered; nil for none
	Hard              bool    // it has breaks or pauses
}

// Compile makes the model of a problem. It is incomplete if the watch ends meanwhile.
func Compile(p *fleet.Problem, w *limit.Watch) *Model { return compileLike(p, &Model{}, w) }

// Like makes the model of a problem that has the locations, ways, costs, service times,
// needs and groups of this one's: a relaxation of it.
func (m *Model) Like(p *fleet.Problem, watch *limit.Watch) *Model { return compileLike(p, m, watch) }

// compileLike makes the model of a problem and takes the locations, ways, costs,
// service times, needs and groups from an old one's, unless that is empty.
func compileLike(p *fleet.Problem, old *Model, watch *limit.Watch) *Model {
	m := &Model{Problem: p, Dimensions: len(p.Vehicles[0].Capacity)}
	m.stops()
	watch.Spend(2 * len(m.Visits) * (4 + m.Dimensions))
	m.group()
	if m.Words, m.incompatible = old.Words, old.incompatible; old.Problem == nil {
		m.separate()
	}
	m.given()
	m.stability()
	if m.needs, m.times = old.needs, old.times; old.Problem == nil {
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
			if old.Problem == nil {
				m.networks = append(m.networks, newNetwork(&p.Matrices[v.Profile], v.SpeedFactor, watch))
			}
		}
	}
	if old.Problem != nil {
		m.networks = old.networks
	}
	kinds := map[string]int{}
	for i := range p.Vehicles {
		v := &p.Vehicles[i]
		key := m.likeness(v)
		k, known := kinds[key]
		if !known || key == "" {
			k = len(m.Kinds)
			kinds[key] = k
			m.Kinds = append(m.Kinds, m.newKind(i, watch))
		}
		watch.Spend(limit.LookEvery / 20)
		m.trips(i, k, &m.networks[nets[drive{v.Profile, v.SpeedFactor}]])
	}
	if m.Near = old.Near; m.Near == nil {
		m.neighbours(watch)
	}
	m.Untimed, m.Mixed = m.free(), m.mix()
	m.Dear = len(m.Visits) > len(m.Tasks) || slices.ContainsFunc(m.Slots, func(sl Slot) bool { return sl.Hard })
	return m
}

// free reports whether no limit of time or distance in a problem can be exceeded.
func (m *Model) free() bool {
	for i := range m.Slots {
		sl := &m.Slots[i]
		if sl.Hard || sl.Of.Reloads != nil || sl.Window.End < fleet.Never || sl.Travel < far-1 || sl.Distance < fleet.Never {
			return false
		}
	}
	for i := range m.Visits {
		if m.Visits[i].Shut < fleet.Never || m.Tasks[m.Visits[i].Task].Ride < fleet.Never {
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
func (m *Model) trips(i, k int, net *Network) {
	v := &m.Problem.Vehicles[i]
	n := 1
	sl := Slot{Vehicle: i, Of: v, Network: net, Kind: k, Fixed: v.Fixed * fleet.CostUnit, Second: v.PerHour * (fleet.CostUnit / 3600), Metre: v.PerKilometre * (fleet.CostUnit / 1000)}
	sl.Window = fleet.Window{Start: 0, End: fleet.Never}
	if len(v.Windows) > 0 {
		sl.Window = fleet.Window{Start: v.Windows[0].Start, End: v.Windows[len(v.Windows)-1].End}
	}
	sl.Hard = len(v.Breaks) > 0 || len(v.Windows) > 1
	somewhere := func(l int) int32 {
		if l == fleet.None {
			return int32(net.N - 1)
		}
		return int32(l)
	}
	sl.Start, sl.End = somewhere(v.Start), somewhere(v.End)
	if v.Reloads != nil {
		n = v.Reloads.MaxTrips
		sl.Depot = int32(v.Reloads.Depot)
		sl.DepotElsewhere = sl.Depot != sl.Start || sl.Depot != sl.End
	}
	sl.Tasks, sl.Travel, sl.Distance = math.MaxInt, far-1, fleet.Never
	if v.MaxTasks > 0 {
		sl.Tasks = v.MaxTasks
	}
	if v.MaxTravelTime > 0 {
		sl.Travel = min(sl.Travel, v.MaxTravelTime)
	}
	if v.MaxDistance > 0 {
		sl.Distance = v.MaxDistance
	}
	for _, s := range v.OnBoard {
		if sl.OnBoard == nil {
			sl.OnBoard = make([]int32, m.Dimensions)
		}
		fleet.AddLoad(sl.OnBoard, m.Problem.Shipments[s].Amount, 1)
	}
	sl.First = int32(len(m.Slots))
	sl.Last = sl.First + int32(n) - 1
	for t := range n {
		sl.Trip = t
		m.Slots = append(m.Slots, sl)
	}
}

// likeness returns the same text for vehicles that can replace each other; "" for one
// with stops of its own.
func (m *Model) likeness(v *fleet.Vehicle) string {
	if len(v.First)+len(v.OnBoard) > 0 || m.Problem.Stability != (fleet.Stability{}) && len(v.Initial) > 0 {
		return ""
	}
	x, reloads := *v, fleet.Reloads{}
	if v.Reloads != nil {
		reloads = *v.Reloads // in place of where it is kept
	}
	x.Initial, x.Begin, x.Type, x.Reloads = nil, nil, "", nil
	return fmt.Sprintf("%q %t %v %v", v.Type, v.Reloads != nil, reloads, x)
}

func newNetwork(of *fleet.Matrix, factor float64, watch *limit.Watch) Network {
	n := of.N + 1
	w := Network{N: n, Out: make([]Way, n*n), In: make([]Way, n*n)}
	for a := range of.N {
		if watch.Spend(4 * n) {
			break
		}
		for b := range of.N {
			x := Way{far, 0}
			if s := of.Seconds[a*of.N+b]; s != fleet.Unreachable {
				x = Way{scaled(s, factor), of.Metres[a*of.N+b]}
			} else {
				w.gap = true
			}
			w.Out[a*n+b], w.In[b*n+a] = x, x
		}
	}
	return w
}

// scaled returns a travel time under a speed factor.
func scaled(s int32, factor float64) int32 {
	if factor == 0 {
		return s
	}
	return int32(min(far-1, math.Round(float64(s)/factor)))
}

// mix reports whether vehicles differ in what they carry, cost, or are limited to.
func (m *Model) mix() bool {
	a := &m.Slots[0]
	return slices.ContainsFunc(m.Slots, func(b Slot) bool {
		return a.Fixed != b.Fixed || a.Second != b.Second || a.Metre != b.Metre || a.Tasks != b.Tasks || a.Travel != b.Travel || a.Distance != b.Distance ||
			!slices.Equal(a.Of.Capacity, b.Of.Capacity)
	})
}
