package profile

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// TestJunctionsChangeNothing asks for all turns of many junctions, in any order and
// by several goroutines, with a memory that they share and without: a place of the
// memory has several turns in turn.
func TestJunctionsChangeNothing(t *testing.T) {
	b := graph.NewBuilder()
	r := rand.New(rand.NewPCG(7, 7))
	g := drawnJunctions(b, r)
	var all Junctions
	var wait sync.WaitGroup
	for _, k := range []costing.Costing{costing.Auto, costing.Truck, costing.Bicycle, costing.Pedestrian} {
		wait.Go(func() {
			plain := New(g, usual(k))
			remembering := plain.Remembering(&all)
			r := rand.New(rand.NewPCG(7, uint64(k)))
			for range 2 {
				for _, i := range r.Perm(int(g.Base)) {
					e := graph.Edge(i)
					n := g.Head[e]
					for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
						if got, want := remembering.Turn(e, f), plain.Turn(e, f); got != want {
							t.Errorf("%v from %d into %d: %+v with a memory, %+v without", k, e, f, got, want)
							return
						}
					}
				}
			}
		})
	}
	wait.Wait()
}

// drawnJunctions is a grid of roads of all kinds, with more turns than Junctions has
// places.
func drawnJunctions(b *graph.Builder, r *rand.Rand) *graph.Graph {
	const side = 52
	var nodes [side][side]graph.AddedNode
	var at [side][side]geo.Fixed
	for y := range side {
		for x := range side {
			at[y][x] = geo.Point{Lon: 0.001 * (float64(x) + 0.4*r.Float64()), Lat: 0.001 * (float64(y) + 0.4*r.Float64())}.Fix()
			facts := graph.NodeFacts{Position: at[y][x], Access: graph.AllModes}
			if r.IntN(5) == 0 {
				facts.Flags = graph.Signal
			}
			nodes[y][x] = b.AddNode(facts)
		}
	}
	road := func(ax, ay, bx, by int) {
		s := graph.SegmentFacts{From: nodes[ay][ax], To: nodes[by][bx], Class: graph.Class(r.IntN(int(graph.Residential) + 1)), Use: []graph.Use{graph.Road, graph.Ramp, graph.TurnChannel, graph.ServiceRoad, graph.Cycleway}[r.IntN(5)]}
		s.Forward = graph.Direction{Access: graph.AllModes, Speed: 50}
		s.Backward = s.Forward
		if r.IntN(4) == 0 {
			s.Backward.Access = 0
		}
		b.AddSegment(s, []geo.Fixed{at[ay][ax], at[by][bx]})
	}
	for y := range side {
		for x := range side {
			if x+1 < side {
				road(x, y, x+1, y)
			}
			if y+1 < side {
				road(x, y, x, y+1)
			}
		}
	}
	return b.Build()
}
