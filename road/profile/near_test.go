package profile_test

import (
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/costing/costingtest"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
)

// TestNearUsualBounds compares the weighed sums of costs that NearUsual speaks of with
// those by options not far from the usual ones, edge by edge and turn by turn.
func TestNearUsualBounds(t *testing.T) {
	wished, between, faster, tight, compared := 0, 0, 0, 0, 0
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 8))
		g := roads(r).Graph
		k := costing.All[r.IntN(len(costing.All))]
		o := costingtest.Near(r, k)
		near, ok := profile.NearUsual(&o)
		if !ok {
			continue
		}
		usual, far, c := profile.New(g, costing.Default(k)), profile.New(g, profile.Far(k)), profile.New(g, o)
		// Scaled costs may be off by what rounding takes from the shortest edges.
		slack := 0.0
		if sum := near.Usual + near.Far; sum < 1 {
			slack = 1
		}
		below := func(what string, e, f graph.Edge, usual, far, cost uint32) {
			t.Helper()
			if cost == profile.Forbidden {
				return
			}
			sum := near.Usual * float64(usual)
			if near.Far > 0 {
				sum += near.Far * float64(far)
			}
			if usual == profile.Forbidden || sum > float64(cost)+slack+1e-6 {
				t.Fatalf("seed %d: %s %d, %d costs %d, its bound is %g: usual %d, far %d, %+v; %+v", seed, what, e, f, cost, sum, usual, far, near, o)
			}
			compared++
			if sum > 0.95*float64(cost) {
				tight++
			}
		}
		for e := range g.Base {
			below("edge", e, 0, usual.Edge(e), far.Edge(e), c.Edge(e))
			for f := g.FirstOut[g.ByEdge[e].Head]; f < g.FirstOut[g.ByEdge[e].Head+1]; f++ {
				below("turn", e, f, usual.Turn(e, f).Cost, far.Turn(e, f).Cost, c.Turn(e, f).Cost)
			}
		}
		for counted, is := range map[*int]bool{
			&wished: near.Usual+near.Far < 1 && k.Motorised(), &between: near.Far > 0,
			&faster: o.WalkingSpeed+o.CyclingSpeed > usual.Options().WalkingSpeed+usual.Options().CyclingSpeed,
		} {
			if is {
				*counted++
			}
		}
	}
	if wished < 100 || between < 500 || faster < 60 || tight < compared/2 {
		t.Errorf("%d wishes, %d between, %d faster, %d of %d tight: the cases prove too little", wished, between, faster, tight, compared)
	}
}

// TestSameRoads compares what SameRoads says of random options with the roads and turns
// that they open.
func TestSameRoads(t *testing.T) {
	said := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 11))
		g := roads(r).Graph
		k := costing.All[r.IntN(len(costing.All))]
		base, o := costing.Default(k), costingtest.Near(r, k)
		if r.IntN(2) == 0 {
			base = costingtest.Draw(r, k)
			o = base
			for range 1 + r.IntN(3) {
				dearer(r, &o)
			}
		}
		if !o.SameRoads(base) {
			continue
		}
		said++
		a, b := profile.New(g, base), profile.New(g, o)
		for e := range g.Base {
			if a.Allowed(e) != b.Allowed(e) {
				t.Fatalf("seed %d: edge %d is open by some of the options alone\n%+v\n%+v", seed, e, base, o)
			}
		}
		for e := range graph.Edge(g.Edges()) {
			for f := g.FirstOut[g.ByEdge[e].Head]; f < g.FirstOut[g.ByEdge[e].Head+1]; f++ {
				x, follows := a.Follow(e, f)
				y, alike := b.Follow(e, f)
				if a.MayTurn(e, f) != b.MayTurn(e, f) || x != y || follows != alike {
					t.Fatalf("seed %d: turn %d, %d is open by some of the options alone\n%+v\n%+v", seed, e, f, base, o)
				}
			}
		}
	}
	if said < 1500 {
		t.Errorf("only %d cases compared", said)
	}
}

// TestUsualBoundWhateverTheVehicle compares the usual costs of the vehicle that fits most
// roads with those of others by options not far from the usual ones.
func TestUsualBoundWhateverTheVehicle(t *testing.T) {
	kinds := []costing.Costing{costing.Auto, costing.Truck, costing.Bus}
	others, closed, compared := 0, 0, 0
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 21))
		g := roads(r).Graph
		k := kinds[r.IntN(len(kinds))]
		o := costingtest.Near(r, k)
		for _, x := range costing.Of(k) {
			if row := x.Row(); row.Effect == costing.Closing && r.IntN(2) == 0 {
				row.Set(&o, costingtest.Value(r, x))
			}
		}
		near, ok := profile.NearUsual(new(o.UsualVehicle()))
		if !ok {
			continue
		}
		if o != o.UsualVehicle() {
			others++
		}
		least, c, usual := profile.NewUsualBound(g, k), profile.New(g, o), profile.New(g, costing.Default(k))
		slack := 0.0
		if near.Usual+near.Far < 1 {
			slack = 1
		}
		below := func(what string, e, f graph.Edge, bound, cost, usual uint32) {
			t.Helper()
			if usual != profile.Forbidden && cost == profile.Forbidden {
				closed++
			}
			if cost == profile.Forbidden {
				return
			}
			compared++
			if bound == profile.Forbidden || (near.Usual+near.Far)*float64(bound) > float64(cost)+slack+1e-6 {
				t.Fatalf("seed %d: %s %d, %d costs %d, its bound is %d; %+v; %+v", seed, what, e, f, cost, bound, near, o)
			}
		}
		for e := range g.Base {
			below("edge", e, 0, least.Edge(e), c.Edge(e), usual.Edge(e))
			for f := g.FirstOut[g.ByEdge[e].Head]; f < g.FirstOut[g.ByEdge[e].Head+1]; f++ {
				below("turn", e, f, least.Turn(e, f), c.Turn(e, f).Cost, usual.Turn(e, f).Cost)
			}
		}
	}
	if others < 1000 || closed < 1000 {
		t.Errorf("%d of other vehicles, %d closed to them: the cases prove too little (%d compared)", others, closed, compared)
	}
}
