package search

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/fleet"
)

// mixedFleet has jobs round a depot, and vehicles of four sizes, of which the larger cost more,
// but less for what they carry.
func mixedFleet(seed uint64, jobs int) *fleet.Problem {
	r := rand.New(rand.NewPCG(seed, 14))
	x, y := make([]float64, jobs+1), make([]float64, jobs+1)
	for i := 1; i <= jobs; i++ {
		x[i], y[i] = r.NormFloat64()*30, r.NormFloat64()*30
	}
	m := fleet.Matrix{N: jobs + 1}
	for a := range x {
		for b := range x {
			m.Metres = append(m.Metres, int32(1000*math.Hypot(x[a]-x[b], y[a]-y[b])))
		}
	}
	m.Seconds = m.Metres
	p := &fleet.Problem{Matrices: []fleet.Matrix{m}}
	for i := 1; i <= jobs; i++ {
		p.Jobs = append(p.Jobs, fleet.Job{Place: fleet.Place{Location: i}, Delivery: []int32{20 + r.Int32N(50)}})
	}
	for _, kind := range []struct {
		n, capacity, fixed, kilometre int
	}{{2, 50, 100_000, 600}, {10, 200, 120_000, 1200}, {8, 500, 150_000, 1200}, {2, 1000, 180_000, 1700}} {
		for range kind.n {
			p.Vehicles = append(p.Vehicles, fleet.Vehicle{Capacity: []int32{int32(kind.capacity)}, Fixed: int64(kind.fixed), PerKilometre: int64(kind.kilometre)})
		}
	}
	return p
}

// TestMixedFleetsBySeed checks that the vehicles which a search chooses do not depend on its luck:
// the worst of several seeds is near the best.
func TestMixedFleetsBySeed(t *testing.T) {
	for problem := range uint64(2) {
		p := mixedFleet(problem, 90)
		best, worst := int64(math.MaxInt64), int64(0)
		for seed := range uint64(4) {
			plan, err := Solve(t.Context(), p, Options{Seed: seed, Iterations: 12_000})
			if err != nil {
				t.Fatal(err)
			}
			if len(plan.Unassigned) > 0 {
				t.Fatalf("problem %d, seed %d: %d tasks are left over", problem, seed, len(plan.Unassigned))
			}
			best, worst = min(best, plan.Cost), max(worst, plan.Cost)
		}
		t.Logf("problem %d: %d to %d", problem, best, worst)
		if spread := float64(worst)/float64(best) - 1; spread > 0.04 {
			t.Errorf("problem %d: the worst plan costs %.1f %% more than the best", problem, 100*spread)
		}
	}
}
