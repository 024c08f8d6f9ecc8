package fleettest

import (
	"math/rand/v2"
	"slices"

	"github.com/waygate/waygate/fleet"
)

// Odd makes a small problem of unusual parts: ways that do not exist or take no time,
// vehicles that can hardly do anything, given stops of every kind, groups of anything.
// Check refuses some of these problems, because a given stop occurs twice.
func Odd(seed uint64, jobs, shipments, vehicles int) *fleet.Problem {
	p := Draw(seed, jobs, shipments, vehicles)
	r := rand.New(rand.NewPCG(seed, 77))
	chance := func(n int) bool { return r.IntN(n) == 0 }
	m := &p.Matrices[0]
	switch r.IntN(12) {
	case 0:
		clear(m.Seconds)
		clear(m.Metres)
	case 1:
		for range 1 + r.IntN(5) {
			m.Seconds[r.IntN(len(m.Seconds))] = fleet.Unreachable
		}
	case 2:
		a := r.IntN(m.N)
		for b := range m.N {
			m.Seconds[a*m.N+b] = fleet.Unreachable
		}
	case 3:
		a := r.IntN(m.N)
		for b := range m.N {
			m.Seconds[b*m.N+a] = fleet.Unreachable
		}
	}
	for a := range m.N {
		if m.Seconds[a*m.N+a] == fleet.Unreachable {
			m.Seconds[a*m.N+a] = 0
		}
	}
	if chance(4) { // another profile
		o := fleet.Matrix{N: m.N, Seconds: slices.Clone(m.Seconds), Metres: slices.Clone(m.Metres)}
		for i := range o.Seconds {
			if o.Seconds[i] > 0 {
				o.Seconds[i] += int32(r.IntN(20))
			} else if chance(20) {
				o.Seconds[i] = 0
			}
		}
		p.Matrices = append(p.Matrices, o)
		p.Vehicles[r.IntN(vehicles)].Profile = 1
	}
	for i := range p.Vehicles {
		v := &p.Vehicles[i]
		if chance(5) && v.Reloads == nil {
			v.Windows = nil
		}
		if chance(5) {
			v.Start = fleet.None
			if v.End == fleet.None {
				v.End = 0
			}
		}
		if chance(6) {
			v.Start = r.IntN(m.N)
		}
		if chance(6) {
			v.End = r.IntN(m.N)
		}
		if chance(8) {
			v.SpeedFactor = []float64{0.5, 2, 5, 0.77}[r.IntN(4)]
		}
		if chance(8) {
			v.MaxTasks = []int{fleet.None, 1, 2, 3}[r.IntN(4)]
		}
		if chance(8) {
			v.MaxDistance = int64(r.IntN(900))
		}
		if chance(8) {
			v.MaxTravelTime = int64(1 + r.IntN(150))
		}
		if chance(8) {
			v.PerHour, v.PerKilometre, v.Fixed, v.PerTaskHour = 0, 0, 0, 0
		}
		if chance(8) {
			v.Fixed = 5000
		}
		if v.Reloads != nil && chance(2) {
			v.Reloads.Depot = r.IntN(m.N)
		}
		for k := range v.Breaks {
			b := &v.Breaks[k]
			if chance(4) {
				b.Windows = nil
			} else if chance(4) {
				e := b.Windows[0].End + 1 + int64(r.IntN(30))
				b.Windows = append(b.Windows, fleet.Window{Start: e, End: e + int64(r.IntN(30))})
			}
			if chance(6) {
				b.Service = 0
			}
		}
		for d := range v.Capacity {
			if chance(8) && len(v.OnBoard) == 0 {
				v.Capacity[d] = int32(r.IntN(4))
			}
		}
	}
	for i := range p.Shipments {
		s := &p.Shipments[i]
		s.Priority = r.IntN(3) * 10
		if chance(4) {
			s.Skills = []int32{2}
		}
		if chance(4) {
			s.MaxRide = int64(1 + r.IntN(40))
		}
		if chance(6) {
			s.Delivery.Location = s.Pickup.Location
		}
		if chance(5) {
			s.Pickup.SetupByType = map[string]int64{"van": 7}
		}
	}
	// First steps of any vehicle.
	used := map[fleet.Stop]bool{}
	for i := range p.Vehicles {
		for _, s := range p.Vehicles[i].First {
			used[s] = true
		}
	}
	for i := range p.Vehicles {
		v := &p.Vehicles[i]
		if !chance(4) {
			continue
		}
		for range 1 + r.IntN(2) {
			if jobs > 0 && chance(2) {
				s := fleet.Stop{Kind: fleet.AtJob, Index: r.IntN(jobs)}
				if !used[s] {
					used[s] = true
					v.First = append(v.First, s)
				}
			} else if shipments > 0 {
				k := r.IntN(shipments)
				pick, drop := fleet.Stop{Kind: fleet.AtPickup, Index: k}, fleet.Stop{Kind: fleet.AtDelivery, Index: k}
				on := p.Carrier(k)
				switch {
				case on == i && !used[drop]:
					used[drop] = true
					v.First = append(v.First, drop)
				case on < 0 && !used[pick]:
					used[pick] = true
					v.First = append(v.First, pick)
					if chance(2) {
						used[drop] = true
						v.First = append(v.First, drop)
					}
				}
			}
		}
	}
	// A former plan, with shipments.
	if chance(3) {
		p.Stability = fleet.Stability{Vehicle: int64(r.IntN(3) * 20), Position: int64(r.IntN(3) * 5)}
		for i := range p.Vehicles {
			p.Vehicles[i].Initial = nil
		}
		var order []fleet.Task
		for i := range jobs {
			order = append(order, fleet.Task{Shipment: false, Index: i})
		}
		for i := range shipments {
			order = append(order, fleet.Task{Shipment: true, Index: i})
		}
		for _, k := range r.Perm(len(order))[:r.IntN(len(order)+1)] {
			t := order[k]
			i := r.IntN(vehicles)
			v := &p.Vehicles[i]
			switch {
			case !t.Shipment:
				if !used[fleet.Stop{Kind: fleet.AtJob, Index: t.Index}] {
					v.Initial = append(v.Initial, fleet.Stop{Kind: fleet.AtJob, Index: t.Index})
				}
			case p.Carrier(t.Index) >= 0:
				if p.Carrier(t.Index) == i && !used[fleet.Stop{Kind: fleet.AtDelivery, Index: t.Index}] {
					v.Initial = append(v.Initial, fleet.Stop{Kind: fleet.AtDelivery, Index: t.Index})
				}
			default:
				switch {
				case used[fleet.Stop{Kind: fleet.AtDelivery, Index: t.Index}]:
				case used[fleet.Stop{Kind: fleet.AtPickup, Index: t.Index}]:
					v.Initial = append(v.Initial, fleet.Stop{Kind: fleet.AtDelivery, Index: t.Index})
				default:
					a := r.IntN(len(v.Initial) + 1)
					v.Initial = slices.Insert(v.Initial, a, fleet.Stop{Kind: fleet.AtPickup, Index: t.Index})
					b := a + 1 + r.IntN(len(v.Initial)-a)
					v.Initial = slices.Insert(v.Initial, b, fleet.Stop{Kind: fleet.AtDelivery, Index: t.Index})
				}
			}
		}
	}
	// Groups of anything.
	task := func() fleet.Task {
		k := r.IntN(jobs + shipments)
		if k < jobs {
			return fleet.Task{Shipment: false, Index: k}
		}
		return fleet.Task{Shipment: true, Index: k - jobs}
	}
	group := func() (g []fleet.Task) {
		for range 2 + r.IntN(2) {
			if t := task(); !slices.Contains(g, t) {
				g = append(g, t)
			}
		}
		return g
	}
	if chance(5) {
		p.SameVehicle = append(p.SameVehicle, group())
	}
	if chance(5) {
		p.Incompatible = append(p.Incompatible, group())
	}
	return p
}
