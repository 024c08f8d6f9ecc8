package cch

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
)

// bent are costs of which some are others.
type bent struct {
	costs
	edge map[graph.Edge]uint32    // profile.Forbidden, or added
	turn map[[2]graph.Edge]uint32 // added
}

func (b bent) Edge(e graph.Edge) uint32 {
	switch cost, more := b.costs.Edge(e), b.edge[e]; {
	case cost == profile.Forbidden || more == profile.Forbidden:
		return profile.Forbidden
	default:
		return cost + more
	}
}

func (b bent) Turn(e, f graph.Edge) uint32 {
	if cost := b.costs.Turn(e, f); cost != profile.Forbidden {
		return cost + b.turn[[2]graph.Edge{e, f}]
	}
	return profile.Forbidden
}

// TestKeptIsTheSame has one metric follow another, each with other roads closed or
// slow and other turns dear, and holds each against one that is worked out as a whole.
func TestKeptIsTheSame(t *testing.T) {
	copied, again, other := 0, 0, 0
	for name, g := range networks(30, 250, 15) {
		topology := Contracted(g)
		random := rand.New(rand.NewPCG(uint64(len(topology.Above)), 3))
		c := profile.New(g, costing.Default(costing.Auto))
		plain := c.Metric(profile.NewTurnIndex(g))
		most := max(1, uint32(len(topology.Edge)/[]int{3, 12, 40}[random.IntN(3)]))
		var last *PieceCache
		was := bent{}
		for range 8 {
			now := bent{plain, map[graph.Edge]uint32{}, map[[2]graph.Edge]uint32{}}
			for e, more := range was.edge {
				if random.IntN(2) == 0 {
					now.edge[e] = more // as before
				}
			}
			for range random.IntN(4) {
				now.edge[graph.Edge(random.IntN(int(g.Base)))] = []uint32{profile.Forbidden, 1, 60_000}[random.IntN(3)]
			}
			if e := graph.Edge(random.IntN(int(g.Base))); random.IntN(2) == 0 {
				n := g.ByEdge[e].Head
				if out := g.FirstOut[n+1] - g.FirstOut[n]; out > 0 {
					now.turn[[2]graph.Edge{e, g.FirstOut[n] + graph.Edge(random.IntN(int(out)))}] = 1 + random.Uint32N(90_000)
				}
			}
			changed := func(yield func(graph.Edge)) {
				for e := range g.Base {
					if was.edge[e] != now.edge[e] {
						yield(e)
					}
				}
				for turn, more := range was.turn {
					if now.turn[turn] != more {
						yield(turn[0])
						yield(turn[1])
					}
				}
				for turn := range now.turn {
					yield(turn[0])
					yield(turn[1])
				}
			}
			turns := newRespect(topology, g, c, now)
			x := newCustomiser(topology, most)
			var touched []bool
			if last != nil {
				touched = x.touched(g, changed)
			}
			kept := without(x.customise(t.Context(), turns, last, touched))
			if want := topology.inPieces(turns, pieceRanks); !reflect.DeepEqual(want, kept.metric) {
				t.Fatalf("%s: what follows a metric is another than what is worked out as a whole", name)
			}
			for i := range touched {
				switch {
				case touched[i]:
					again++
				case reflect.DeepEqual(last.pieces[i].lent, kept.pieces[i].lent):
					copied++
				default:
					other++
				}
			}
			last, was = kept, now
		}
	}
	t.Logf("%d pieces copied, %d worked out again, %d because of what is above", copied, again, other)
	if copied < 1000 || again < 1000 || other < 100 {
		t.Errorf("%d pieces copied, %d worked out again, %d because of what is above: the cases prove too little", copied, again, other)
	}
}
