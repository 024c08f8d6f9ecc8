package profile_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/costing/costingtest"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search/searchtest"
)

// roads draws roads, of which every second network has conditions about the vehicle.
func roads(r *rand.Rand) *searchtest.Network {
	if r.IntN(2) == 0 {
		return searchtest.Conditioned(r)
	}
	return searchtest.Varied(r)
}

// TestLowerBoundBoundsAllOptions compares the least with the costs of random
// options on random roads, edge by edge and turn by turn.
func TestLowerBoundBoundsAllOptions(t *testing.T) {
	compared, tight := 0, 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 7))
		g := roads(r).Graph
		k := costing.All[r.IntN(len(costing.All))]
		best := &overlay.BestTimes{Open: map[graph.Edge]bool{}, Limits: map[graph.Edge]graph.SpeedLimits{}}
		if g.Base > 0 && r.IntN(2) == 0 {
			best.Open[graph.Edge(r.Uint32N(uint32(g.Base)))] = true
			best.Limits[graph.Edge(r.Uint32N(uint32(g.Base)))] = graph.SpeedLimits{All: uint8(r.IntN(150)), Own: uint8(r.IntN(90))}
		}
		least := profile.NewLowerBound(g, profile.BoundedWith(k), func(costing.Costing) *overlay.BestTimes { return best })
		for range 4 {
			o := costingtest.Draw(r, k)
			scale, ok := profile.LeastScale(&o)
			if !ok {
				continue
			}
			c := profile.NewOpen(g, o, best)
			below := func(what string, e, f graph.Edge, least, cost uint32) {
				t.Helper()
				if cost == profile.Forbidden {
					return
				}
				compared++
				if scaled := math.Floor(float64(least) * scale); least == profile.Forbidden || scaled > float64(cost) {
					t.Fatalf("seed %d: %s %d, %d costs %d, its bound is %d times %g; %+v", seed, what, e, f, cost, least, scale, o)
				}
				if float64(least)*scale > 0.8*float64(cost) {
					tight++
				}
			}
			for e := range g.Base {
				below("edge", e, 0, least.Edge(e), c.Edge(e))
				for f := g.FirstOut[g.ByEdge[e].Head]; f < g.FirstOut[g.ByEdge[e].Head+1]; f++ {
					below("turn", e, f, least.Turn(e, f), c.Turn(e, f).Cost)
				}
			}
		}
	}
	if tight < compared/10 {
		t.Errorf("only %d of %d bounds are near the cost: they would lead no search", tight, compared)
	}
}

// TestAtLeast compares what AtLeast says of random options with the costs.
func TestAtLeast(t *testing.T) {
	said := 0
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 8))
		g := roads(r).Graph
		k := costing.All[r.IntN(len(costing.All))]
		base := costing.Default(k)
		if r.IntN(2) == 0 {
			base = costingtest.Draw(r, k)
		}
		o := base
		for range 1 + r.IntN(5) {
			dearer(r, &o)
		}
		if !o.AtLeast(base) {
			continue
		}
		said++
		low, high := profile.New(g, base), profile.New(g, o)
		for e := range g.Base {
			if low.Edge(e) > high.Edge(e) {
				t.Fatalf("seed %d: edge %d costs %d, with the options that must be cheaper %d\n%+v\n%+v", seed, e, high.Edge(e), low.Edge(e), o, base)
			}
		}
		for e := range graph.Edge(g.Edges()) {
			for f := g.FirstOut[g.ByEdge[e].Head]; f < g.FirstOut[g.ByEdge[e].Head+1]; f++ {
				if turn(low, e, f) > turn(high, e, f) {
					t.Fatalf("seed %d: turn %d, %d costs %d, with the options that must be cheaper %d", seed, e, f, turn(high, e, f), turn(low, e, f))
				}
			}
		}
	}
	if said < 1000 {
		t.Errorf("only %d cases compared", said)
	}
}

// dearer changes one option, mostly for the worse.
func dearer(r *rand.Rand, o *costing.Options) {
	all := costing.Of(o.Costing)
	x := all[r.IntN(len(all))]
	row, v := x.Row(), costingtest.Value(r, x)
	switch row.Effect {
	case costing.Dearer, costing.DearerClosing, costing.Multiplying:
		v = max(v, row.Get(o))
	case costing.Cheaper:
		v = min(v, row.Get(o))
	}
	row.Set(o, v)
}

// TestWaitingIsCheapest compares the price of waiting with that of travel on
// random roads.
func TestWaitingIsCheapest(t *testing.T) {
	near := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 9))
		g := roads(r).Graph
		c := profile.New(g, costingtest.Draw(r, costing.All[r.IntN(len(costing.All))]))
		wait := float64(c.Wait()) / 1024
		for e := range g.Base {
			if !c.Allowed(e) {
				continue
			}
			millis := c.Seconds(e) * 1000
			if cost := float64(c.EdgeAtEnd(e)) + 1; wait*millis > cost && cost < 1<<30 {
				t.Fatalf("seed %d: edge %d takes %.0f ms and costs %.0f, waiting %g a ms; %+v", seed, e, millis, cost, wait, c.Options())
			} else if wait*millis > cost/2 {
				near++
			}
		}
	}
	if near < 1000 {
		t.Errorf("waiting is far cheaper than all but %d edges", near)
	}
}
