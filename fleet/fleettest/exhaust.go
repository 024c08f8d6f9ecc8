package fleettest

import (
	"math"
	"math/bits"
	"slices"

	"github.com/waygate/waygate/fleet"
)

// Exhaust finds the best plan by trying every one.
type Exhaust struct {
	p     *fleet.Problem
	Best  fleet.Score
	Any   bool
	seqs  [][]fleet.Stop
	Tasks []fleet.Task
}

// NewExhaust returns an Exhaust without a plan.
func NewExhaust(p *fleet.Problem) *Exhaust {
	e := &Exhaust{p: p, seqs: make([][]fleet.Stop, len(p.Vehicles))}
	for i := range p.Jobs {
		e.Tasks = append(e.Tasks, fleet.Task{Shipment: false, Index: i})
	}
	for i := range p.Shipments {
		e.Tasks = append(e.Tasks, fleet.Task{Shipment: true, Index: i})
	}
	return e
}

// Try tries every way to serve the tasks from number i on, beside those placed before.
// priority and absent are the sums over the tasks before i.
func (e *Exhaust) Try(i, priority, absent int) {
	if i == len(e.Tasks) {
		if !e.groups() {
			return
		}
		var cost int64
		for v, seq := range e.seqs {
			if len(seq) > 0 || len(e.p.Vehicles[v].First) > 0 {
				c, ok := slowCost(e.p, v, seq)
				if !ok {
					return
				}
				cost += c
			}
		}
		if s := (fleet.Score{Priority: priority, Absent: absent, Cost: cost}); !e.Any || s.Better(e.Best) {
			e.Best, e.Any = s, true
		}
		return
	}
	t := e.Tasks[i]
	e.Try(i+1, priority, absent+1)
	for v := range e.seqs {
		old := e.seqs[v]
		for a := 0; a <= len(old); a++ {
			if !t.Shipment {
				e.seqs[v] = slices.Insert(slices.Clone(old), a, fleet.Stop{Kind: fleet.AtJob, Index: t.Index})
				e.Try(i+1, priority+e.p.Jobs[t.Index].Priority, absent)
				continue
			}
			if e.p.Carrier(t.Index) >= 0 {
				e.seqs[v] = slices.Insert(slices.Clone(old), a, fleet.Stop{Kind: fleet.AtDelivery, Index: t.Index})
				e.Try(i+1, priority+e.p.Shipments[t.Index].Priority, absent)
				continue
			}
			for b := a; b <= len(old); b++ {
				seq := slices.Insert(slices.Clone(old), b, fleet.Stop{Kind: fleet.AtDelivery, Index: t.Index})
				e.seqs[v] = slices.Insert(seq, a, fleet.Stop{Kind: fleet.AtPickup, Index: t.Index})
				e.Try(i+1, priority+e.p.Shipments[t.Index].Priority, absent)
			}
		}
		e.seqs[v] = old
	}
}

func (e *Exhaust) vehicle(t fleet.Task) int {
	return slices.IndexFunc(e.seqs, func(seq []fleet.Stop) bool {
		return slices.ContainsFunc(seq, func(s fleet.Stop) bool { return s.Task() == t })
	})
}

func (e *Exhaust) groups() bool {
	for _, g := range e.p.SameVehicle {
		for _, t := range g {
			if e.vehicle(t) != e.vehicle(g[0]) {
				return false
			}
		}
	}
	for _, g := range e.p.Incompatible {
		for a := range g {
			for b := range a {
				if v := e.vehicle(g[a]); v >= 0 && v == e.vehicle(g[b]) {
					return false
				}
			}
		}
	}
	return true
}

// slowCost returns the cost of one vehicle's stops by the definition: it tries every
// way to cut them into trips and to place the breaks.
func slowCost(p *fleet.Problem, vehicle int, seq []fleet.Stop) (int64, bool) {
	v := &p.Vehicles[vehicle]
	if len(seq) < len(v.First) || !slices.Equal(seq[:len(v.First)], v.First) {
		return 0, false
	}
	trips := 1
	if v.Reloads != nil {
		trips = v.Reloads.MaxTrips
	}
	best, any := int64(0), false
	for cuts := range 1 << (len(seq) - 1) { // bit i: a reload after stop i
		if bits.OnesCount(uint(cuts)) >= trips || cuts&(1<<max(0, len(v.First)-1)-1) != 0 {
			continue
		}
		if c, ok := slowTrips(p, vehicle, seq, cuts); ok && (!any || c < best) {
			best, any = c, true
		}
	}
	return best, any
}

// slowTrips does the same for given cuts.
func slowTrips(p *fleet.Problem, vehicle int, seq []fleet.Stop, cuts int) (int64, bool) {
	v := &p.Vehicles[vehicle]
	load := make([]int32, len(v.Capacity))
	for _, s := range v.OnBoard {
		fleet.AddLoad(load, p.Shipments[s].Amount, 1)
	}
	bring := func(i int) { // loads what the trip of stop i delivers
		for ; i < len(seq); i++ {
			if seq[i].Kind == fleet.AtJob {
				fleet.AddLoad(load, p.Jobs[seq[i].Index].Delivery, 1)
			}
			if cuts>>i&1 == 1 {
				return
			}
		}
	}
	bring(0)
	loads := [][]int32{slices.Clone(load)} // before each leg
	at := v.Start
	var cost, sec, met int64
	var plan fleet.Plan
	route := fleet.Route{Vehicle: vehicle}
	gap, tripOf := false, map[fleet.Task]int{} // gap: some way does not exist
	ways := []int64{}
	drive := func(to int) {
		s, m, there := slowWay(p, v, at, to)
		gap = gap || !there
		sec, met, at = sec+s, met+m, to
		ways = append(ways, s)
		cost += v.PerHour*s*(fleet.CostUnit/3600) + v.PerKilometre*m*(fleet.CostUnit/1000)
	}
	within := func() bool {
		stops := len(route.Steps)
		plan.Routes = append(plan.Routes, route)
		route = fleet.Route{Vehicle: vehicle, Trip: route.Trip + 1}
		ok := !gap && (v.MaxTasks <= 0 || stops <= v.MaxTasks) && (v.MaxTravelTime == 0 || sec <= v.MaxTravelTime) && (v.MaxDistance == 0 || met <= v.MaxDistance)
		sec, met, cost = 0, 0, cost+v.Fixed*fleet.CostUnit
		return ok
	}
	for i, s := range seq {
		pl := p.PlaceOf(s)
		trip := len(plan.Routes)
		switch s.Kind {
		case fleet.AtJob:
			fleet.AddLoad(load, p.Jobs[s.Index].Delivery, -1)
			fleet.AddLoad(load, p.Jobs[s.Index].Pickup, 1)
		case fleet.AtPickup:
			if p.Carrier(s.Index) >= 0 {
				return 0, false
			}
			tripOf[s.Task()] = trip
			fleet.AddLoad(load, p.Shipments[s.Index].Amount, 1)
		case fleet.AtDelivery:
			if r, ok := tripOf[s.Task()]; (!ok || r != trip) && p.Carrier(s.Index) != vehicle {
				return 0, false
			}
			fleet.AddLoad(load, p.Shipments[s.Index].Amount, -1)
		}
		tripOf[s.Task()] = trip
		if !p.MayServe(vehicle, s.Task()) {
			return 0, false
		}
		service, setup := pl.Times(v.Type)
		if at == pl.Location {
			setup = 0
		}
		cost += v.PerTaskHour * (service + setup) * (fleet.CostUnit / 3600)
		drive(pl.Location)
		route.Steps = append(route.Steps, fleet.Step{Kind: fleet.StepStop, Stop: s})
		loads = append(loads, slices.Clone(load))
		if cuts>>i&1 == 1 {
			for _, x := range seq[:i+1] {
				if x.Kind == fleet.AtPickup && !slices.Contains(seq[:i+1], fleet.Stop{Kind: fleet.AtDelivery, Index: x.Index}) {
					return 0, false
				}
			}
			drive(v.Reloads.Depot)
			if !within() {
				return 0, false
			}
			clear(load)
			bring(i + 1)
			loads = append(loads, slices.Clone(load))
		}
	}
	drive(v.End)
	if !within() {
		return 0, false
	}
	for _, l := range loads {
		for d := range l {
			if l[d] > v.Capacity[d] {
				return 0, false
			}
		}
	}
	gaps := make([]int, len(v.Breaks))
	var place func(k, from int) bool
	place = func(k, from int) bool {
		if k == len(gaps) {
			return slowTimes(p, v, seq, cuts, ways, gaps)
		}
		for g := from; g < len(ways); g++ {
			light := true
			for d, n := range v.Breaks[k].MaxLoad {
				light = light && loads[g][d] <= n
			}
			gaps[k] = g
			if light && place(k+1, g) {
				return true
			}
		}
		return false
	}
	if !place(0, 0) {
		return 0, false
	}
	return cost + fleet.Disruption(p, &plan), true
}

// slowTimes reports whether stops can be timed with each break in its gap, second by second.
func slowTimes(p *fleet.Problem, v *fleet.Vehicle, seq []fleet.Stop, cuts int, ways []int64, gaps []int) bool {
	const late = 1000
	wait := make([]int64, len(seq)) // least start of each service
	for range 10000 {
		begin, end := make([]int64, len(seq)), make([]int64, len(seq))
		t, leg := int64(0), 0
		if len(v.Windows) > 0 {
			t = v.Windows[0].Start
		}
		drive := func() bool {
			left := ways[leg]
			for k, g := range gaps {
				if g != leg {
					continue
				}
				for !fleet.Within(v.Breaks[k].Windows, t) || !fleet.Works(v, t, t+v.Breaks[k].Service) {
					if fleet.Works(v, t, t+1) {
						left = max(0, left-1)
					}
					if t++; t > late {
						return false
					}
				}
				t += v.Breaks[k].Service
			}
			for ; left > 0; t++ {
				if fleet.Works(v, t, t+1) {
					left--
				}
				if t > late {
					return false
				}
			}
			leg++
			return true
		}
		do := func(d int64, ws []fleet.Window) bool {
			for ; !fleet.Within(ws, t) || !fleet.Works(v, t, t+d); t++ {
				if t > late {
					return false
				}
			}
			t += d
			return true
		}
		at := v.Start
		for i, s := range seq {
			pl := p.PlaceOf(s)
			service, setup := pl.Times(v.Type)
			if !drive() || at != pl.Location && !do(setup, nil) {
				return false
			}
			at = pl.Location
			t = max(t, wait[i])
			if !do(service, pl.Windows) {
				return false
			}
			begin[i], end[i] = t-service, t
			if cuts>>i&1 == 1 {
				if !drive() || !do(v.Reloads.Seconds, nil) {
					return false
				}
				at = v.Reloads.Depot
			}
		}
		if !drive() || !fleet.Works(v, t, t) {
			return false
		}
		again := false
		for i, s := range seq {
			if s.Kind != fleet.AtPickup || p.Shipments[s.Index].MaxRide == 0 {
				continue
			}
			d := slices.Index(seq, fleet.Stop{Kind: fleet.AtDelivery, Index: s.Index})
			if begin[d]-end[i] > p.Shipments[s.Index].MaxRide {
				wait[i], again = begin[i]+1, true
			}
		}
		if !again {
			return true
		}
	}
	return false
}

// slowWay returns the way of a vehicle from one location to another, and whether there
// is one.
func slowWay(p *fleet.Problem, v *fleet.Vehicle, a, b int) (seconds, metres int64, there bool) {
	if a == fleet.None || b == fleet.None {
		return 0, 0, true
	}
	m := &p.Matrices[v.Profile]
	s := float64(m.Seconds[a*m.N+b])
	if v.SpeedFactor != 0 {
		s = math.Round(s / v.SpeedFactor)
	}
	return int64(s), int64(m.Metres[a*m.N+b]), m.Seconds[a*m.N+b] != fleet.Unreachable
}
