// Package fleettest makes problems for tests of planning, and finds the best plan by
// trying every one.
package fleettest

import (
	"math/rand/v2"

	"github.com/waygate/waygate/fleet"
)

// Draw makes a small problem that uses a little of everything.
func Draw(seed uint64, jobs, shipments, vehicles int) *fleet.Problem {
	r := rand.New(rand.NewPCG(seed, 1))
	n := jobs + 2*shipments + 2
	x, y := make([]int, n), make([]int, n)
	for i := range n {
		x[i], y[i] = r.IntN(60), r.IntN(60)
	}
	if n > 4 {
		x[2], y[2] = x[3], y[3]
	}
	m := fleet.Matrix{N: n, Seconds: make([]int32, n*n), Metres: make([]int32, n*n)}
	for a := range n {
		for b := range n {
			if a != b {
				d := max(x[a]-x[b], x[b]-x[a]) + max(y[a]-y[b], y[b]-y[a])
				m.Seconds[a*n+b] = int32(d + r.IntN(8)) // asymmetric, and no metric
				m.Metres[a*n+b] = int32(10 * d)
			}
		}
	}
	if r.IntN(4) == 0 {
		m.Seconds[1*n+2] = fleet.Unreachable
	}
	p := &fleet.Problem{Matrices: []fleet.Matrix{m}}
	dims := r.IntN(3)
	amount := func(most int) []int32 {
		a := make([]int32, dims)
		for i := range a {
			a[i] = int32(r.IntN(most))
		}
		return a
	}
	chance := func(n int) bool { return r.IntN(n) == 0 }
	windows := func() []fleet.Window {
		if chance(2) {
			return nil
		}
		a := int64(r.IntN(200))
		ws := []fleet.Window{{Start: a, End: a + int64(r.IntN(80))}}
		if chance(3) {
			b := ws[0].End + 1 + int64(r.IntN(60))
			ws = append(ws, fleet.Window{Start: b, End: b + int64(r.IntN(60))})
		}
		return ws
	}
	place := func(l int) fleet.Place {
		pl := fleet.Place{Location: l, Service: int64(r.IntN(15)), Windows: windows()}
		if chance(3) {
			pl.Setup = int64(r.IntN(10))
		}
		if chance(4) {
			pl.ServiceByType = map[string]int64{"van": 3}
		}
		if chance(2) {
			pl.Territories = []int32{int32(r.IntN(2))}
		}
		return pl
	}
	for i := range jobs {
		j := fleet.Job{Place: place(2 + i), Delivery: amount(5), Priority: r.IntN(3) * 10}
		if chance(3) {
			j.Pickup = amount(4)
		}
		if chance(4) {
			j.Skills = []int32{1}
		}
		p.Jobs = append(p.Jobs, j)
	}
	for i := range shipments {
		s := fleet.Shipment{Pickup: place(2 + jobs + 2*i), Delivery: place(3 + jobs + 2*i), Amount: amount(5)}
		if chance(2) {
			s.MaxRide = int64(60 + r.IntN(80))
		}
		p.Shipments = append(p.Shipments, s)
	}
	for range vehicles {
		v := fleet.Vehicle{Start: 0, End: r.IntN(3) - 1, Windows: []fleet.Window{{Start: int64(r.IntN(30)), End: int64(200 + r.IntN(200))}}, Capacity: amount(6), PerHour: 3600, PerKilometre: int64(r.IntN(2)) * 100, Fixed: int64(r.IntN(2)) * 50}
		for i := range v.Capacity {
			v.Capacity[i] += 4
		}
		if chance(5) {
			a := int64(60 + r.IntN(100))
			v.Windows = []fleet.Window{{Start: v.Windows[0].Start, End: a}, {Start: a + int64(1+r.IntN(40)), End: v.Windows[0].End + 40}}
		}
		if chance(4) {
			v.Reloads = &fleet.Reloads{MaxTrips: 2 + r.IntN(2), Seconds: int64(r.IntN(10)), Depot: r.IntN(2)}
		}
		if chance(4) {
			v.PerTaskHour = 1800
		}
		if chance(2) {
			v.Skills = []int32{1, 2}
		}
		if chance(3) {
			v.Type = "van"
		}
		if chance(4) {
			v.SpeedFactor = 1.3
		}
		if chance(5) {
			v.MaxTasks = 3
		}
		if chance(5) {
			v.MaxTravelTime = 200
		}
		if chance(5) {
			v.MaxDistance = 1500
		}
		if chance(5) {
			v.Territories = []int32{0}
		}
		for range r.IntN(3) * r.IntN(2) {
			a := int64(50 + r.IntN(100))
			b := fleet.Break{Windows: []fleet.Window{{Start: a, End: a + int64(20+r.IntN(60))}}, Service: int64(5 + r.IntN(20))}
			if chance(3) {
				b.MaxLoad = amount(6)
			}
			v.Breaks = append(v.Breaks, b)
		}
		p.Vehicles = append(p.Vehicles, v)
	}
	for i := range shipments {
		if v := &p.Vehicles[r.IntN(vehicles)]; chance(4) && v.Reloads == nil {
			v.OnBoard = append(v.OnBoard, i)
			for d := range v.Capacity {
				v.Capacity[d] += p.Shipments[i].Amount[d]
			}
		}
	}
	if v := &p.Vehicles[0]; jobs > 1 && chance(5) {
		v.First = []fleet.Stop{{Kind: fleet.AtJob, Index: 1}}
		if shipments > 0 && p.Carrier(0) < 0 && chance(2) {
			v.First = append(v.First, fleet.Stop{Kind: fleet.AtPickup, Index: 0})
		}
	}
	if chance(4) {
		p.Stability = fleet.Stability{Vehicle: int64(r.IntN(2) * 20), Position: int64(r.IntN(2) * 5)}
		for _, i := range r.Perm(jobs)[:jobs/2] {
			v := &p.Vehicles[r.IntN(vehicles)]
			if i != 1 {
				v.Initial = append(v.Initial, fleet.Stop{Kind: fleet.AtJob, Index: i})
			}
		}
	}
	if jobs > 2 && chance(3) {
		p.SameVehicle = [][]fleet.Task{{{Shipment: false, Index: 0}, {Shipment: false, Index: 1}}}
	}
	if jobs > 3 && chance(3) {
		p.Incompatible = [][]fleet.Task{{{Shipment: false, Index: 2}, {Shipment: false, Index: 3}}}
	}
	return p
}
