package search

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/waygate/waygate/fleet"
)

// county is jobs in the windows of a day around a depot.
func county(seed uint64, jobs, vehicles int) *fleet.Problem {
	r := rand.New(rand.NewPCG(seed, 2))
	n := jobs + 1
	x, y := make([]int, n), make([]int, n)
	for i := range n {
		x[i], y[i] = r.IntN(3600), r.IntN(3600)
	}
	m := fleet.Matrix{N: n, Seconds: make([]int32, n*n), Metres: make([]int32, n*n)}
	for a := range n {
		for b := range n {
			d := max(x[a]-x[b], x[b]-x[a]) + max(y[a]-y[b], y[b]-y[a])
			m.Seconds[a*n+b], m.Metres[a*n+b] = int32(d*(50+r.IntN(10))/100), int32(8*d)
		}
	}
	p := &fleet.Problem{Matrices: []fleet.Matrix{m}}
	for i := 1; i < n; i++ {
		from := int64(8*3600 + r.IntN(6*3600))
		p.Jobs = append(p.Jobs, fleet.Job{Place: fleet.Place{Location: i, Service: 300, Windows: []fleet.Window{{Start: from, End: from + 3*3600}}}, Delivery: []int32{int32(1 + r.IntN(20))}})
	}
	for range vehicles {
		p.Vehicles = append(p.Vehicles, fleet.Vehicle{Capacity: []int32{int32(14 * n / vehicles)}, PerHour: 3600, Windows: []fleet.Window{{Start: 8 * 3600, End: 18 * 3600}}})
	}
	return p
}

// TestLarge plans 2,000 jobs, and holds what that keeps of memory against its estimate.
func TestLarge(t *testing.T) {
	p := county(1, 2000, 200)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	o := Options{Seed: 1, Iterations: 2000, Walkers: 2, Workers: 2}
	plan, err := Solve(t.Context(), p, o)
	runtime.ReadMemStats(&after)
	if err != nil || len(plan.Unassigned) > 0 {
		t.Fatalf("%d unassigned, %v", len(plan.Unassigned), err)
	}
	taken := int64(after.TotalAlloc - before.TotalAlloc) // more than was there at once
	if want := Estimate(p, o).Bytes; taken > 500<<20 || taken > 3*want || want > 3*taken {
		t.Errorf("took %d MB of an estimate of %d MB", taken>>20, want>>20)
	}
}
