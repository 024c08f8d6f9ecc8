package profile_test

import (
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestSlowedTurnsCost slows turns down: they cost more where time counts, and the same
// where the shortest way is looked for.
func TestSlowedTurnsCost(t *testing.T) {
	const late = 1000 // seconds, more than any turn takes
	slowed := 0
	for seed := range uint64(10) {
		g := searchtest.Varied(rand.New(rand.NewPCG(seed, 14))).Graph
		for _, shortest := range []bool{false, true} {
			o := costing.Default(costing.Auto)
			o.Shortest = shortest
			c := profile.New(g, o)
			for e := range g.Base {
				n := g.ByEdge[e].Head
				for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
					plain, got := c.Turn(e, f), c.TurnSlowed(e, f, late)
					if plain.Cost == profile.Forbidden {
						continue
					}
					slowed++
					if got.Seconds != late || (got.Cost == plain.Cost) != shortest {
						t.Fatalf("seed %d, shortest %v: %+v becomes %+v", seed, shortest, plain, got)
					}
				}
			}
		}
	}
	if slowed < 100 {
		t.Errorf("only %d turns were slowed", slowed)
	}
}
