package profile_test

import (
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/costing/costingtest"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestEffects compares what the table says of each option with the costs of
// random roads, for a traveller whose other options are random: what more of it
// does is what its law says, and it does something.
func TestEffects(t *testing.T) {
	var roads []*graph.Graph
	for seed := range uint64(80) {
		roads = append(roads, searchtest.Varied(rand.New(rand.NewPCG(seed, 10))).Graph)
	}
	matters := map[costing.Option]bool{}
	for _, c := range costing.All {
		for _, x := range costing.Of(c) {
			if !x.Row().Costs() {
				continue
			}
			for seed, g := range roads {
				r := rand.New(rand.NewPCG(uint64(seed), 11))
				less := costingtest.Draw(r, c)
				if seed%2 == 0 {
					less = costing.Cheapest(c) // nothing else keeps off roads
				}
				more := less
				v, w := costingtest.Value(r, x), costingtest.Value(r, x)
				for w == v {
					w = costingtest.Value(r, x)
				}
				x.Row().Set(&less, min(v, w))
				x.Row().Set(&more, max(v, w))
				law := effect{row: x.Row(), less: profile.New(g, less), more: profile.New(g, more)}
				if !law.holds(t, g) {
					t.Fatalf("%s.%s, %v and %v, on network %d with %+v", c, x, min(v, w), max(v, w), seed, less)
				}
				matters[x] = matters[x] || law.matters
			}
		}
	}
	for _, c := range costing.All {
		for _, x := range costing.Of(c) {
			if x.Row().Costs() && !matters[x] {
				t.Errorf("%s makes no difference to any cost", x)
			}
		}
	}
}

// weighedTolls reports whether the options differ in who pays toll for an edge, which the
// weight of a vehicle decides. The law of what closes roads does not speak of that.
func (x *effect) weighedTolls(e graph.Edge) bool { return x.less.Tolled(e) != x.more.Tolled(e) }

// effect compares travellers who differ in one option.
type effect struct {
	row        *costing.Row
	less, more *profile.Costing
	matters    bool
}

func (x *effect) holds(t *testing.T, g *graph.Graph) bool {
	shuts := x.row.Effect == costing.DearerClosing && x.row.Get(ptr(x.less.Options())) != x.row.Max && x.row.Get(ptr(x.more.Options())) == x.row.Max
	for e := range g.Base {
		if !x.weighedTolls(e) && !x.ordered(x.less.Edge(e), x.more.Edge(e)) {
			t.Errorf("edge %d costs %d, with more %d", e, x.less.Edge(e), x.more.Edge(e))
			return false
		}
	}
	for e := range graph.Edge(g.Edges()) {
		for f := g.FirstOut[g.ByEdge[e].Head]; f < g.FirstOut[g.ByEdge[e].Head+1]; f++ {
			low, high := turn(x.less, e, f), turn(x.more, e, f)
			x.matters = x.matters || low != high
			if closes := shuts || x.row.Effect == costing.Closing || x.row.Effect == costing.Opening; !closes && !x.ordered(low, high) {
				t.Errorf("turn %d, %d costs %d, with more %d", e, f, low, high)
				return false
			}
		}
	}
	return true
}

// ordered reports whether costs with less and with more of the option are as the
// law says. What is forbidden costs the most.
func (x *effect) ordered(less, more uint32) bool {
	x.matters = x.matters || less != more
	switch x.row.Effect {
	case costing.Dearer, costing.DearerClosing, costing.Multiplying:
		return less <= more
	case costing.Cheaper:
		return less >= more
	case costing.Closing:
		if x.row.Kind == costing.Choice { // its codes have an order of their own
			return less == more || less == profile.Forbidden || more == profile.Forbidden
		}
		return less == more || more == profile.Forbidden
	case costing.Opening:
		return less == more || less == profile.Forbidden
	}
	return true
}

// turn returns the cost of a turn, the most where a restriction forbids it.
func turn(c *profile.Costing, e, f graph.Edge) uint32 {
	if _, ok := c.Follow(e, f); !ok {
		return profile.Forbidden
	}
	return c.Turn(e, f).Cost
}

func ptr[T any](v T) *T { return &v }
