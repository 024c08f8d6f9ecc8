package fleettest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/waygate/waygate/fleet"
)

// Wide returns a problem of so many stops, in which no vehicle makes more than twice its share.
func Wide(stops, vehicles, locations int) *fleet.Problem {
	r := rand.New(rand.NewPCG(7, 7))
	x, y := make([]int, locations), make([]int, locations)
	for i := range locations {
		x[i], y[i] = r.IntN(3600), r.IntN(3600)
	}
	m := fleet.Matrix{N: locations, Seconds: make([]int32, locations*locations), Metres: make([]int32, locations*locations)}
	for a := range locations {
		for b := range locations {
			d := max(x[a]-x[b], x[b]-x[a]) + max(y[a]-y[b], y[b]-y[a])
			m.Seconds[a*locations+b], m.Metres[a*locations+b] = int32(d), int32(8*d)
		}
	}
	p := &fleet.Problem{Matrices: []fleet.Matrix{m}}
	for i := range stops {
		p.Jobs = append(p.Jobs, fleet.Job{Place: fleet.Place{Location: i % locations, Service: 60}})
	}
	for range vehicles {
		p.Vehicles = append(p.Vehicles, fleet.Vehicle{PerHour: 3600, Windows: []fleet.Window{{Start: 0, End: 40_000}}, MaxTasks: max(1, 2*stops/vehicles)})
	}
	return p
}

// Widening makes a member of a problem as large as a request may have it.
type Widening func(p *fleet.Problem)

func ofVehicles(do func(i int, v *fleet.Vehicle)) Widening {
	return func(p *fleet.Problem) {
		for i := range p.Vehicles {
			do(i, &p.Vehicles[i])
		}
	}
}

func ofJobs(do func(i int, j *fleet.Job)) Widening {
	return func(p *fleet.Problem) {
		for i := range p.Jobs {
			do(i, &p.Jobs[i])
		}
	}
}

func upTo(n int) (list []int32) {
	for i := range n {
		list = append(list, int32(i))
	}
	return list
}

// spans returns so many windows of a length, one in each span.
func spans(n int, span, length int64) (list []fleet.Window) {
	for i := range int64(n) {
		list = append(list, fleet.Window{Start: i * span, End: i*span + length})
	}
	return list
}

// lists returns so many lists of the first jobs.
func lists(n, jobs int) (all [][]fleet.Task) {
	var list []fleet.Task
	for i := range jobs {
		list = append(list, fleet.Task{Index: i})
	}
	return slices.Repeat([][]fleet.Task{list}, n)
}

// inParts are lists of so many jobs each.
func inParts(p *fleet.Problem, n int) (all [][]fleet.Task) {
	for part := range slices.Chunk(lists(1, len(p.Jobs))[0], n) {
		all = append(all, part)
	}
	return all
}

// What is at its bound.
var (
	Unlike = ofVehicles(func(i int, v *fleet.Vehicle) { v.Fixed = int64(i) })
	Roomy  = ofVehicles(func(_ int, v *fleet.Vehicle) { v.MaxTasks, v.Windows = 0, nil })
	Alone  = Widening(func(p *fleet.Problem) { p.Vehicles = p.Vehicles[:1]; Roomy(p) })
	Shifts = ofVehicles(func(_ int, v *fleet.Vehicle) { v.Windows = spans(31, 86_400, 30_000) })
	Breaks = ofVehicles(func(_ int, v *fleet.Vehicle) { v.Breaks = slices.Repeat([]fleet.Break{{Service: 60}}, 16) })
	Rests  = ofVehicles(func(_ int, v *fleet.Vehicle) {
		v.Breaks = slices.Repeat([]fleet.Break{{Service: 60, Windows: spans(64, 600, 500)}}, 16)
	})
	Windows = ofJobs(func(_ int, j *fleet.Job) { j.Windows = spans(64, 1200, 600) })
	Trips   = ofVehicles(func(_ int, v *fleet.Vehicle) { v.Reloads, v.Start, v.End = &fleet.Reloads{MaxTrips: 5}, 1, 2 })
	Pairs   = Widening(func(p *fleet.Problem) {
		for i := 0; i+1 < len(p.Jobs); i += 2 {
			p.Shipments = append(p.Shipments, fleet.Shipment{Pickup: p.Jobs[i].Place, Delivery: p.Jobs[i+1].Place})
		}
		p.Jobs = nil
	})
	Rides = Widening(func(p *fleet.Problem) {
		Pairs(p)
		for i := range p.Shipments {
			p.Shipments[i].MaxRide = 9000
		}
	})
	Skills = Widening(func(p *fleet.Problem) {
		ofVehicles(func(_ int, v *fleet.Vehicle) { v.Skills = upTo(256) })(p)
		ofJobs(func(_ int, j *fleet.Job) { j.Skills = upTo(256) })(p)
	})
	Territories = Widening(func(p *fleet.Problem) {
		ofVehicles(func(_ int, v *fleet.Vehicle) { v.Territories = upTo(64) })(p)
		ofJobs(func(_ int, j *fleet.Job) { j.Territories = upTo(64) })(p)
	})
	Types = Widening(func(p *fleet.Problem) {
		ofVehicles(func(i int, v *fleet.Vehicle) { v.Type = fmt.Sprint(i) })(p)
		ofJobs(func(i int, j *fleet.Job) {
			j.ServiceByType = map[string]int64{fmt.Sprint(i): 5, fmt.Sprint(i % 100): 3}
		})(p)
	})
	Dimensions = Widening(func(p *fleet.Problem) {
		ofVehicles(func(_ int, v *fleet.Vehicle) { v.Capacity = slices.Repeat([]int32{10_000}, 16) })(p)
		ofJobs(func(_ int, j *fleet.Job) { j.Delivery, j.Pickup = upTo(16), upTo(16) })(p)
	})
	Speeds = ofVehicles(func(i int, v *fleet.Vehicle) { v.SpeedFactor = 1 + float64(i)/1000 })
	Steps  = Widening(func(p *fleet.Problem) {
		for i := range p.Jobs {
			p.Vehicles[0].Initial = append(p.Vehicles[0].Initial, fleet.Stop{Kind: fleet.AtJob, Index: i})
		}
	})
	Held = ofVehicles(func(_ int, v *fleet.Vehicle) { v.Territories = []int32{1} }) // nothing can be served
)

// Incompatible has n lists of tasks that must not share a vehicle, over so many jobs.
func Incompatible(n, jobs int) Widening {
	return func(p *fleet.Problem) { p.Incompatible = lists(n, jobs) }
}

// SameVehicle has n lists of tasks that one vehicle serves, over so many jobs.
func SameVehicle(n, jobs int) Widening {
	return func(p *fleet.Problem) { p.SameVehicle = lists(n, jobs) }
}

// Parts has the jobs in groups of n, each of which one vehicle serves.
func Parts(n int) Widening { return func(p *fleet.Problem) { p.SameVehicle = inParts(p, n) } }
