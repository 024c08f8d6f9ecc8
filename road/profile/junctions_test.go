package profile

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// TestJunctionsChangeNothing asks for all turns of many junctions of up to six roads,
// where they were worked out before and where not, as they are once they were written.
func TestJunctionsChangeNothing(t *testing.T) {
	g := drawnJunctions(graph.NewBuilder(), rand.New(rand.NewPCG(7, 7)))
	all, err := Junctions(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	known := *g
	known.Junctions = all
	if err := known.Verify(); err != nil {
		t.Fatal(err)
	}
	various, later := map[graph.Junction]bool{}, 0
	for _, k := range everyone {
		with, without := New(&known, usual(k)), New(g, usual(k))
		for e := range g.Base {
			n := g.ByEdge[e].Head
			for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
				if got, want := with.Turn(e, f), without.Turn(e, f); got != want {
					t.Errorf("%v from %d into %d: %+v by what was worked out, %+v without", k, e, f, got, want)
				}
				if j, ok := known.Junction(e, uint32(f-g.FirstOut[n])); ok {
					various[j] = true
				} else {
					later++
				}
			}
		}
	}
	if len(various) < 20 || later == 0 {
		t.Errorf("%d kinds of junctions, %d turns into later edges: too few to tell", len(various), later)
	}
}

func TestJunctionsEndWithTheirContext(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Junctions(gone, drawnJunctions(graph.NewBuilder(), rand.New(rand.NewPCG(7, 7)))); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller who has gone: %v", err)
	}
}

// drawnJunctions returns a grid of roads of all kinds, of names and none, with some that
// cross it.
func drawnJunctions(b *graph.Builder, r *rand.Rand) *graph.Graph {
	const side = 24
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
		if r.IntN(2) == 0 {
			s.Name = b.Set("name", []string{"High Street", "Quay Street"}[r.IntN(2)])
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
			if x+1 < side && y+1 < side && r.IntN(3) == 0 {
				road(x, y, x+1, y+1)
			}
		}
	}
	return b.Build()
}
