package fleettest

import "github.com/waygate/waygate/fleet"

// Line makes a problem of jobs along a street, ten seconds apart, and vehicles at its
// end.
func Line(jobs, vehicles int) *fleet.Problem {
	n := jobs + 1
	m := fleet.Matrix{N: n, Seconds: make([]int32, n*n), Metres: make([]int32, n*n)}
	for a := range n {
		for b := range n {
			m.Seconds[a*n+b] = int32(10 * max(a-b, b-a))
			m.Metres[a*n+b] = m.Seconds[a*n+b]
		}
	}
	p := &fleet.Problem{Matrices: []fleet.Matrix{m}}
	for i := range jobs {
		p.Jobs = append(p.Jobs, fleet.Job{Place: fleet.Place{Location: i + 1}})
	}
	for range vehicles {
		p.Vehicles = append(p.Vehicles, fleet.Vehicle{PerHour: 3600})
	}
	return p
}
