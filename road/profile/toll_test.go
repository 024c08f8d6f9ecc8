package profile_test

import (
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/costing/costingtest"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestTollsByVehicle checks who pays toll for a road, of which some cost and some exclude.
func TestTollsByVehicle(t *testing.T) {
	road := func(l graph.Limits) *graph.Graph {
		b, far := graph.NewBuilder(), geo.Fixed{Lat: 100_000}
		s := graph.SegmentFacts{Class: graph.Trunk, Flags: graph.Toll | graph.CashToll}
		s.Forward = graph.Direction{Access: graph.AllModes, Speed: 80, Limits: b.Limits(l)}
		s.From, s.To = b.AddNode(graph.NodeFacts{Access: graph.AllModes}), b.AddNode(graph.NodeFacts{Access: graph.AllModes, Position: far})
		b.AddSegment(s, []geo.Fixed{{}, far})
		return b.Build()
	}
	lorries := graph.Limits{Toll: graph.Truck, Lorry: graph.Bounds{TollOver: 1200}}
	heavy := graph.Limits{Toll: graph.Auto | graph.Truck | graph.Bus, Car: graph.Bounds{TollOver: 350}, Lorry: graph.Bounds{TollOver: 350}, Bus: graph.Bounds{TollOver: 350}}
	for _, c := range []struct {
		what   string
		limits graph.Limits
		by     costing.Costing
		weight float64 // 0 is the usual one
		pays   bool
	}{
		{"lorries over 12 t", lorries, costing.Truck, 0, true},
		{"lorries over 12 t", lorries, costing.Truck, 12, false},
		{"lorries over 12 t", lorries, costing.Truck, 12.1, true},
		{"lorries over 12 t", lorries, costing.Auto, 0, false},
		{"lorries over 12 t", lorries, costing.Bus, 0, false},
		{"lorries over 12 t", lorries, costing.Bicycle, 0, false},
		{"what is heavy", heavy, costing.Auto, 0, false},
		{"what is heavy", heavy, costing.Auto, 8, true},
		{"what is heavy", heavy, costing.Bus, 0, true},
		{"what is heavy", heavy, costing.Motorcycle, 0, false},
		{"all but motorcycles", graph.Limits{Toll: graph.AllModes &^ graph.Motorcycle}, costing.Motorcycle, 0, false},
		{"all but motorcycles", graph.Limits{Toll: graph.AllModes &^ graph.Motorcycle}, costing.MotorScooter, 0, true},
	} {
		g := road(c.limits)
		o := costing.Default(c.by)
		if c.weight != 0 {
			o.Weight = c.weight
		}
		cost := func(change func(*costing.Options)) uint32 {
			o := o
			change(&o)
			return profile.New(g, o).Edge(g.Forward[0])
		}
		usual := cost(func(*costing.Options) {})
		if pays := profile.New(g, o).Tolled(g.Forward[0]); pays != c.pays {
			t.Errorf("toll for %s: %s of %g t pays is %v", c.what, c.by, o.Weight, pays)
		}
		if out := cost(func(o *costing.Options) { o.ExcludeTolls = true }) == profile.Forbidden; out != c.pays {
			t.Errorf("toll for %s: %s of %g t is kept off toll roads is %v", c.what, c.by, o.Weight, out)
		}
		if out := cost(func(o *costing.Options) { o.ExcludeCashTolls = true }) == profile.Forbidden; out != c.pays {
			t.Errorf("toll for %s: %s of %g t is kept off tolls in cash is %v", c.what, c.by, o.Weight, out)
		}
		if c.by.Motorised() {
			if dearer := cost(func(o *costing.Options) { o.UseTolls = 0 }) > usual; dearer != c.pays {
				t.Errorf("toll for %s: the road is dearer for %s of %g t who dislikes tolls is %v", c.what, c.by, o.Weight, dearer)
			}
		}
	}
}

// TestBoundsOfWeighedTolls checks that the lower bounds are at or below the costs of lorries,
// cars and buses of every weight, on roads and at turns where the weight decides who pays.
func TestBoundsOfWeighedTolls(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 23))
		g := searchtest.Varied(r).Graph
		for _, k := range []costing.Costing{costing.Auto, costing.Truck, costing.Bus} {
			none := func(costing.Costing) *overlay.BestTimes { return nil }
			least, usual := profile.NewLowerBound(g, []costing.Costing{k}, none), profile.NewUsualBound(g, k)
			for range 4 {
				o := costing.Cheapest(k)
				o.Weight = costingtest.Value(r, costing.Weight)
				heavier := costing.Default(k)
				heavier.Weight, heavier.TollBoothPenalty = o.Weight, float64(r.IntN(100))
				for _, x := range []struct {
					bound *profile.LowerBound
					of    *profile.Costing
				}{{least, profile.New(g, o)}, {usual, profile.New(g, heavier)}} {
					for e := range g.Base {
						if x.bound.Edge(e) > x.of.Edge(e) {
							t.Fatalf("network %d, %s of %g t: edge %d costs %d, and at least %d", seed, k, o.Weight, e, x.of.Edge(e), x.bound.Edge(e))
						}
						head := g.ByEdge[e].Head
						for f := g.FirstOut[head]; f < g.FirstOut[head+1]; f++ {
							if got := x.of.Turn(e, f).Cost; x.bound.Turn(e, f) > got {
								t.Fatalf("network %d, %s of %g t: turn %d, %d costs %d, and at least %d", seed, k, o.Weight, e, f, got, x.bound.Turn(e, f))
							}
						}
					}
				}
			}
		}
	}
}
