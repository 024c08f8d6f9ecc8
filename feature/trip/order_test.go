package trip

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// cheapest tries every order.
func cheapest(cost [][]float64, e Ends) float64 {
	n := len(cost)
	least := math.Inf(1)
	order := make([]int, 0, n)
	used := make([]bool, n)
	var try func()
	try = func() {
		if len(order) == n {
			least = min(least, price(cost, e, order))
			return
		}
		for i := range n {
			if !used[i] {
				used[i] = true
				order = append(order, i)
				try()
				order = order[:len(order)-1]
				used[i] = false
			}
		}
	}
	try()
	return least
}

// price returns the cost of an order; infinite where it breaks the request.
func price(cost [][]float64, e Ends, order []int) float64 {
	n := len(order)
	if e.First && order[0] != 0 || e.Last && order[n-1] != n-1 {
		return math.Inf(1)
	}
	sum := 0.0
	for i := 1; i < n; i++ {
		sum += cost[order[i-1]][order[i]]
	}
	if e.Round {
		sum += cost[order[n-1]][order[0]]
	}
	return sum
}

// random are costs of streets, some one-way and some closed altogether.
func random(rnd *rand.Rand, n int, closed float64) [][]float64 {
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = rnd.Float64()*1000, rnd.Float64()*1000
	}
	cost := make([][]float64, n)
	for i := range n {
		cost[i] = make([]float64, n)
		for j := range n {
			if i != j {
				cost[i][j] = math.Hypot(x[i]-x[j], y[i]-y[j]) * (1 + rnd.Float64()/2)
				if rnd.Float64() < closed {
					cost[i][j] = math.Inf(1)
				}
			}
		}
	}
	return cost
}

func allEnds() (all []Ends) {
	for i := range 8 {
		all = append(all, Ends{i&1 > 0, i&2 > 0, i&4 > 0})
	}
	return all
}

func TestVisitIsExactForFew(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	none := 0
	for range 300 {
		cost := random(rnd, 2+rnd.IntN(5), []float64{0, 0.2, 0.6}[rnd.IntN(3)])
		for _, e := range allEnds() {
			want, order := cheapest(cost, e), visit(context.Background(), cost, e)
			if order == nil {
				if !math.IsInf(want, 1) {
					t.Fatalf("%+v: no order of %v, and one costs %g", e, cost, want)
				}
				none++
				continue
			}
			sorted := slices.Sorted(slices.Values(order))
			for i := range sorted {
				if sorted[i] != i {
					t.Fatalf("%v is no order", order)
				}
			}
			if got := price(cost, e, order); math.IsInf(want, 1) || math.Abs(got-want) > 1e-6 {
				t.Fatalf("%+v: %v costs %g, the best %g", e, order, got, want)
			}
		}
	}
	if none == 0 {
		t.Error("every case had an order")
	}
}

// Above a dozen the order is a good one: held to the best of those that can
// still be worked out.
func TestImprovedOrdersAreGood(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	sum, worst := 0.0, 0.0
	const rounds = 60
	for range rounds {
		cost := random(rnd, 11, 0)
		best := length(cost, exact(cost))
		got := math.Inf(1)
		for start := range 4 {
			got = min(got, length(cost, improve(context.Background(), cost, inserted(cost, start))))
		}
		sum += got / best
		worst = max(worst, got/best)
	}
	t.Logf("%.4f of the best on average, %.4f at worst", sum/rounds, worst)
	if sum/rounds > 1.02 || worst > 1.15 {
		t.Errorf("%.4f of the best on average, %.4f at worst; want at most 1.02 and 1.15", sum/rounds, worst)
	}
}

func TestVisitFifty(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	cost := random(rnd, 50, 0.05)
	for _, e := range allEnds() {
		order := visit(context.Background(), cost, e)
		if order == nil || math.IsInf(price(cost, e, order), 1) {
			t.Errorf("%+v: %v", e, order)
		}
	}
}

func FuzzVisit(f *testing.F) {
	f.Add(uint64(1), 5, 3)
	f.Fuzz(func(t *testing.T, seed uint64, n, how int) {
		n = 1 + (n%20+20)%20
		cost := random(rand.New(rand.NewPCG(seed, 1)), n, float64((how%10+10)%10)/10)
		e := Ends{how&1 > 0, how&2 > 0, how&4 > 0}
		if order := visit(context.Background(), cost, e); order != nil {
			if len(order) != n || n > 1 && math.IsInf(price(cost, e, order), 1) {
				t.Fatalf("%+v: %v", e, order)
			}
		}
	})
}
