package cch_test

import (
	"iter"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/costing/costingtest"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

// someConditioned draws networks, of which a quarter have conditions about the vehicle.
func someConditioned(cases int) iter.Seq[searchtest.Drawn] {
	return func(yield func(searchtest.Drawn) bool) {
		for drawn := range searchtest.Draw(cases, 12, searchtest.Either) {
			if !yield(drawn) {
				return
			}
		}
		for drawn := range searchtest.Draw(cases/3, 13, searchtest.Conditioned) {
			if !yield(drawn) {
				return
			}
		}
	}
}

// TestPotentials searches, led by the metric of other options than those asked
// for, on networks where edges are closed and slowed, and compares with the
// slow search.
func TestPotentials(t *testing.T) {
	cases := searchtest.Cases(120)
	reached, led, saved, fromBoth, scaled, summed := 0, 0, 0, 0, 0, 0
	for drawn := range someConditioned(cases) {
		seed, r, n, g := drawn.Seed, drawn.Rand, drawn.Network, drawn.Graph
		topology := cch.Contracted(g)
		index, astar, potential := profile.NewTurnIndex(g), search.NewAStar(g), cch.NewPotential(topology)
		both, begun := search.NewQuery(g), cch.NewPotential(topology)
		k := costing.All[r.IntN(len(costing.All))]
		usual := profile.New(g, costing.Default(k))
		least := lowerBound(g, k, nil)
		usualMetric := cch.Customised(topology, g, usual, usual.Metric(index))
		leastMetric := cch.Customised(topology, g, least, least)
		far := profile.New(g, profile.Far(k))
		farMetric := cch.Customised(topology, g, far, far.Metric(index))
		for range 3 {
			o := costingtest.Draw(r, k)
			switch r.IntN(4) {
			case 0:
				o = costing.Default(k)
			case 1, 2:
				o = costingtest.Near(r, k)
			}
			c := profile.New(g, o)
			var bounds []cch.Bound
			if near, ok := profile.NearUsual(&o); ok && !near.AnyVehicle {
				b := cch.OfCosting(usual, usualMetric, near.Usual)
				switch {
				case near.Far > 0:
					with := cch.OfCosting(far, farMetric, near.Far)
					b.With = &with
					summed++
				case near.Usual < 1:
					scaled++
				}
				bounds = append(bounds, b)
			}
			if scale, ok := profile.LeastScale(&o); ok {
				bounds = append(bounds, cch.OfLowerBound(least, leastMetric, scale))
			}
			j := search.Request{Weights: search.Weights{Costing: c, Overlay: n.Overlay(r)}}
			for range 3 {
				j.From, j.To = []search.End{n.End(r, c)}, []search.End{n.End(r, c)}
				j.Potential = nil
				want, there, err := astar.Shortest(t.Context(), j)
				if err != nil {
					t.Fatal(err)
				}
				if slow := n.SlowOverlay(c, j.Weights.Overlay, j.From[0], j.To[0]); there != (slow != searchtest.Unreached) || there && want.Cost != slow {
					t.Fatalf("seed %d: costs %d (found %v), want %d", seed, want.Cost, there, slow)
				}
				settled := astar.Settled
				for _, b := range bounds {
					potential.To(b, g, j.To)
					j.Potential = potential.LowerBound
					got, ok, err := astar.Shortest(t.Context(), j)
					if err != nil {
						t.Fatal(err)
					}
					if ok != there || ok && got.Cost != want.Cost {
						t.Fatalf("seed %d: %v to %v costs %d (found %v), want %d; %+v", seed, j.From, j.To, got.Cost, ok, want.Cost, o)
					}
					led++
					if astar.Settled < settled {
						saved++
					}
					if ok {
						n.CheckOverlay(t, seed, c, j.Weights.Overlay, got)
						reached++
					}
					begun.From(b, g, j.From)
					j.Potential, j.Begun = potential.FineLowerBound, begun.FineLowerBound
					got, ok, err = both.BidirectionalAStar(t.Context(), j)
					if err != nil {
						t.Fatal(err)
					}
					if ok != there || ok && got.Cost != want.Cost {
						t.Fatalf("seed %d, from both ends: %v to %v costs %d (found %v), want %d; %+v", seed, j.From, j.To, got.Cost, ok, want.Cost, o)
					}
					if ok {
						n.CheckOverlay(t, seed, c, j.Weights.Overlay, got)
						fromBoth++
					}
				}
			}
		}
	}
	if reached < cases || fromBoth < cases/2 || scaled < cases/16 || summed < cases/6 || saved < led/4 {
		t.Errorf("%d searches led, %d found a path, %d from both ends, %d by scaled usual costs, %d by sums, %d looked at less: the cases prove too little", led, reached, fromBoth, scaled, summed, saved)
	}
}

// TestPotentialsInTime leads journeys of a time of departure and of arrival,
// and compares with the same search without a lead.
func TestPotentialsInTime(t *testing.T) {
	cases := searchtest.Cases(900)
	reached, led, saved := 0, 0, 0
	for drawn := range searchtest.Draw(cases, 23, searchtest.Timed) {
		seed, r, n, g := drawn.Seed, drawn.Rand, drawn.Network, drawn.Graph
		topology := cch.Contracted(g)
		index, astar, potential := profile.NewTurnIndex(g), search.NewAStar(g), cch.NewPotential(topology)
		conditions := overlay.ReadConditions(g)
		k := []costing.Costing{costing.Auto, costing.Truck, costing.Pedestrian}[r.IntN(3)]
		best := conditions.BestTimes(profile.Mode(k))
		c := profile.NewOpen(g, costing.Default(k), best)
		least := lowerBound(g, k, best)
		bounds := []cch.Bound{
			cch.OfCosting(c, cch.Customised(topology, g, c, c.Metric(index)), 1),
			cch.OfLowerBound(least, cch.Customised(topology, g, least, least), 1),
		}
		options := c.Options()
		clock := overlay.NewClock(conditions, overlay.Traveller{Mode: c.Mode(), HasAccess: c.HasAccess, Always: c.OpenAlways, Vehicle: profile.Vehicle(&options)}, searchtest.Departure)
		clock.Wait = c.Wait()
		j := search.Request{Weights: search.Weights{Costing: c, Overlay: n.Overlay(r)}, Clock: clock}
		for range 4 {
			clock.Arrive = r.IntN(2) == 0
			j.From, j.To = []search.End{n.End(r, c)}, []search.End{n.End(r, c)}
			j.Potential = nil
			want, there, err := astar.Shortest(t.Context(), j)
			if err != nil {
				t.Fatal(err)
			}
			settled := astar.Settled
			for _, b := range bounds {
				if clock.Arrive {
					potential.From(b, g, j.From)
				} else {
					potential.To(b, g, j.To)
				}
				j.Potential = potential.LowerBound
				got, ok, err := astar.Shortest(t.Context(), j)
				if err != nil {
					t.Fatal(err)
				}
				if ok != there || ok && got.Cost != want.Cost {
					t.Fatalf("seed %d, to arrive %v: %v to %v costs %d (found %v), want %d", seed, clock.Arrive, j.From, j.To, got.Cost, ok, want.Cost)
				}
				led++
				if astar.Settled < settled {
					saved++
				}
				if ok {
					reached++
				}
			}
		}
	}
	if reached < cases || saved < led/4 {
		t.Errorf("%d searches led, %d found a path, %d looked at less: the cases prove too little", led, reached, saved)
	}
}

// lowerBound returns that of a kind and those that share it, with edges open at times.
func lowerBound(g *graph.Graph, k costing.Costing, best *overlay.BestTimes) *profile.LowerBound {
	return profile.NewLowerBound(g, profile.BoundedWith(k), func(costing.Costing) *overlay.BestTimes { return best })
}
