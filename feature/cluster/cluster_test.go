package cluster_test

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/waygate/waygate/feature/cluster"
	"github.com/waygate/waygate/geo"
)

func stops(random *rand.Rand, n int) []cluster.Stop {
	list := make([]cluster.Stop, n)
	for i := range list {
		list[i] = cluster.Stop{At: geo.Point{Lon: 14 + random.Float64()/5, Lat: 36 + random.Float64()/5}, Weight: 1}
	}
	return list
}

func divide(t *testing.T, r *cluster.Request) []cluster.Cluster {
	t.Helper()
	list, err := cluster.Divide(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	seen := make([]bool, len(r.Stops))
	for _, c := range list {
		if len(c.Members) == 0 {
			t.Fatal("a cluster without stops")
		}
		for _, i := range c.Members {
			if seen[i] || r.Stops[i].Group != c.Group {
				t.Fatalf("stop %d of group %d is in a cluster of group %d, seen %v", i, r.Stops[i].Group, c.Group, seen[i])
			}
			seen[i] = true
		}
	}
	for i := range seen {
		if !seen[i] {
			t.Fatalf("stop %d is in no cluster", i)
		}
	}
	return list
}

// By count clusters differ by one stop at the most, whatever the numbers.
func TestEqualInCount(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + random.IntN(120)
		r := &cluster.Request{Stops: stops(random, n), Clusters: 1 + random.IntN(n), Seed: random.Uint64()}
		if random.IntN(3) == 0 { // many in one place
			for i := range r.Stops {
				r.Stops[i].At = r.Stops[0].At
			}
		}
		list := divide(t, r)
		if len(list) != r.Clusters {
			t.Fatalf("%d clusters of %d", len(list), r.Clusters)
		}
		for _, c := range list {
			if k := len(c.Members); k != n/r.Clusters && k != (n+r.Clusters-1)/r.Clusters {
				t.Fatalf("a cluster of %d: %d stops in %d clusters", k, n, r.Clusters)
			}
		}
		if again := divide(t, r); !reflect.DeepEqual(list, again) {
			t.Fatal("the same request gives other clusters")
		}
	}
}

// No cluster is heavier than the limit, and there are not many more than it takes.
func TestLimit(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n := 1 + random.IntN(200)
		r := &cluster.Request{Stops: stops(random, n), Most: 20}
		groups := 1 + random.IntN(4)
		sums := make([]float64, groups)
		for i := range r.Stops {
			g := random.IntN(groups)
			r.Stops[i].Weight, r.Stops[i].Group = random.Float64()*5, g
			sums[g] += r.Stops[i].Weight
		}
		least := 0
		for _, s := range sums {
			least += int(math.Ceil(s / r.Most))
		}
		list := divide(t, r)
		for _, c := range list {
			sum := 0.0
			for _, i := range c.Members {
				sum += r.Stops[i].Weight
			}
			if sum > r.Most+1e-6 {
				t.Fatalf("a cluster of %g", sum)
			}
		}
		if len(list) > 2*least+groups {
			t.Errorf("%d clusters where %d might do", len(list), least)
		}
	}
}

// Small sets are divided about as closely as can be, by straight lines and by any
// other distance.
func TestCloseToTheBest(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, road := range []bool{false, true} {
		worst, sum := 0.0, 0.0
		const cases = 60
		for range cases {
			r := &cluster.Request{Stops: stops(random, 10), Clusters: 2, Seed: 42}
			apart := func(i, j int) float64 { return geo.Distance(r.Stops[i].At, r.Stops[j].At) }
			if road {
				r.Apart = apart
			}
			list := divide(t, r)
			mask := 0
			for _, i := range list[0].Members {
				mask |= 1 << i
			}
			got, best := spread(mask, apart), math.Inf(1)
			for m := range 1 << 10 {
				if popcount(m) == 5 {
					best = min(best, spread(m, apart))
				}
			}
			sum += got / best
			worst = max(worst, got/best)
		}
		if worst > 1.3 || sum/cases > 1.02 {
			t.Errorf("road %v: %.3f of the best on average, %.3f at worst", road, sum/cases, worst)
		}
	}
}

func popcount(m int) (n int) {
	for ; m > 0; m &= m - 1 {
		n++
	}
	return n
}

// spread returns the sum of the squares of all distances within the two halves.
func spread(mask int, apart func(i, j int) float64) (sum float64) {
	for i := range 10 {
		for j := range i {
			if mask>>i&1 == mask>>j&1 {
				sum += apart(i, j) * apart(i, j)
			}
		}
	}
	return sum
}

func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := cluster.Divide(ctx, &cluster.Request{Stops: stops(rand.New(rand.NewPCG(7, 8)), 500), Clusters: 20}); err == nil {
		t.Error("it goes on after its caller left")
	}
}

func BenchmarkDivide(b *testing.B) {
	r := &cluster.Request{Stops: stops(rand.New(rand.NewPCG(9, 10)), cluster.MostStops), Clusters: 100, Seed: 42}
	for b.Loop() {
		if _, err := cluster.Divide(b.Context(), r); err != nil {
			b.Fatal(err)
		}
	}
}

// Stops over the antimeridian are divided as they are anywhere else on the globe.
func TestAntimeridian(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		n := 2 + random.IntN(60)
		here := &cluster.Request{Stops: stops(random, n), Clusters: 1 + random.IntN(n), Seed: 42}
		there := &cluster.Request{Stops: make([]cluster.Stop, n), Clusters: here.Clusters, Seed: 42}
		for i, s := range here.Stops {
			s.At.Lon += 180 - 14.1
			if s.At.Lon > 180 {
				s.At.Lon -= 360
			}
			there.Stops[i] = s
		}
		if want, got := divide(t, here), divide(t, there); !reflect.DeepEqual(got, want) {
			t.Fatalf("%v over the antimeridian, %v elsewhere", got, want)
		}
	}
}
