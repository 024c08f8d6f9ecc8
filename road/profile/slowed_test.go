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

// TestSlowedTurns checks that traffic makes turns as slow as it says, of motor traffic
// alone, and never cheaper; and that a costing or metric with an overlay says the
// same.
func TestSlowedTurns(t *testing.T) {
	slowed := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 12))
		g := searchtest.Varied(r).Graph
		for _, k := range costing.All {
			c := profile.New(g, costingtest.Draw(r, k))
			for e := range min(g.Base, 40) {
				n := g.ByEdge[e].Head
				for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
					least, plain := float32(r.IntN(300)), c.Turn(e, f)
					got := c.TurnSlowed(e, f, least)
					want := max(plain.Seconds, float64(least))
					if !k.Motorised() || plain.Cost == profile.Forbidden {
						want = plain.Seconds
					}
					if math.Abs(got.Seconds-want) > 1e-9 || got.Cost < plain.Cost || want == plain.Seconds && got != plain {
						t.Fatalf("seed %d, %s: %+v becomes %+v with %v s", seed, k, plain, got, least)
					}
					if got != plain {
						slowed++
					}
					o := &overlay.Overlay{}
					o.SetTurn(overlay.Turn{From: e, To: f}, least)
					with := c.WithOverlay(o)
					if with.Turn(e, f) != got {
						t.Fatalf("seed %d, %s: with an overlay %+v, not %+v", seed, k, with.Turn(e, f), got)
					}
				}
			}
		}
		c := profile.New(g, costing.Default(costing.Auto))
		o, m := &overlay.Overlay{}, c.Metric(profile.NewTurnIndex(g))
		if e := graph.Edge(r.IntN(int(g.Base))); g.FirstOut[g.ByEdge[e].Head] < g.FirstOut[g.ByEdge[e].Head+1] {
			f := g.FirstOut[g.ByEdge[e].Head]
			o.SetTurn(overlay.Turn{From: e, To: f}, 500)
			if with := c.WithOverlay(o); m.WithOverlay(with).Turn(e, f) != with.Turn(e, f).Cost {
				t.Fatalf("seed %d: the metric says %d, the costing %+v", seed, m.WithOverlay(with).Turn(e, f), with.Turn(e, f))
			}
		}
	}
	if slowed < 1000 {
		t.Errorf("only %d turns were slowed", slowed)
	}
}
