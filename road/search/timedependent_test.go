package search_test

import (
	"math"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

func clockOf(g *graph.Graph, conditions *overlay.Conditions, c *profile.Costing) *overlay.Clock {
	k := overlay.NewClock(conditions, overlay.Traveller{
		Mode: c.Mode(), HasAccess: c.HasAccess, Always: c.OpenAlways, Vehicle: vehicleOf(c),
	}, searchtest.Departure)
	k.Wait = c.Wait()
	return k
}

func vehicleOf(c *profile.Costing) *conditional.Vehicle {
	o := c.Options()
	return profile.Vehicle(&o)
}

// timed returns a traveller to whom what opens at times is open.
func timed(g *graph.Graph, o costing.Options) (*profile.Costing, *overlay.Conditions) {
	conditions := overlay.ReadConditions(g)
	return profile.NewOpen(g, o, conditions.BestTimes(profile.Mode(o.Costing))), conditions
}

// TestTimedAgainstSlowSearch compares journeys through networks that close and
// open around them, set out on at a time, and at a time that stands still.
func TestTimedAgainstSlowSearch(t *testing.T) {
	cases := searchtest.Cases(90)
	reached, waited := 0, 0
	for drawn := range searchtest.Draw(cases, 21, searchtest.Timed) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		opt := car
		if r.IntN(3) == 0 {
			opt.Costing = costing.Truck
		}
		c, conditions := timed(n.Graph, opt)
		plain, _ := timed(n.Graph, opt)
		q := search.NewAStar(n.Graph)
		for range 3 {
			from, to := n.End(r, c), n.End(r, c)
			for _, frozen := range []bool{false, true} {
				want, small := n.SlowTimed(c, from, to, frozen)
				if !small {
					continue
				}
				clock := clockOf(n.Graph, conditions, c)
				clock.Frozen = frozen
				got, ok, err := q.Shortest(t.Context(), search.Request{Weights: search.Weights{Costing: c}, Clock: clock, From: []search.End{from}, To: []search.End{to}})
				if err != nil {
					t.Fatal(err)
				}
				if ok != (want != searchtest.Unreached) || ok && got.Cost != want {
					t.Fatalf("seed %d, frozen %v: %v to %v costs %d (found %v), want %d", seed, frozen, from, to, got.Cost, ok, want)
				}
				if ok {
					reached++
					if got.Cost != n.Slow(plain, from, to) {
						waited++
					}
				}
			}
		}
	}
	if reached < cases || waited < cases/20 {
		t.Errorf("only %d paths found, %d of them other than those without times: the cases prove too little", reached, waited)
	}
}

// slowArrive finds what a journey costs that is there at Moment, by a search of
// all walks against the direction of travel. ok is false where there are too
// many.
func slowArrive(n *searchtest.Network, c *profile.Costing, clock *overlay.Clock, from, to search.End) (best uint64, ok bool) {
	type state struct {
		edge graph.Edge
		time int64
	}
	g := n.Graph
	travel := func(e graph.Edge, share float64, at int64) (uint64, int64) {
		return n.Travel(c, e, share, at, false, true)
	}
	best = math.MaxUint64
	if from.Edge == to.Edge && from.Along <= to.Along {
		best, _ = travel(from.Edge, to.Along-from.Along, 0)
	}
	cost := map[state]uint64{}
	var queue []state
	for e := range graph.Edge(g.Edges()) {
		if g.Original(e) == to.Edge {
			last, took := travel(to.Edge, to.Along, 0)
			s := state{e, -took}
			cost[s] = last
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		f := g.Original(s.edge)
		for e := range graph.Edge(g.Edges()) {
			if g.ByEdge[e].Head != g.ByEdge[f].Tail {
				continue
			}
			next, ok := c.Follow(e, f)
			d := c.Turn(e, f)
			if !ok || next != s.edge || d.Cost == profile.Forbidden {
				continue
			}
			latest := s.time - clock.TurnMillis(d.Seconds, d.Cost)
			when, open := clock.Enter(e, f, latest)
			if !open {
				continue
			}
			reached := cost[s] + uint64(d.Cost)<<10 + uint64(latest-when)*c.Wait()
			if e == from.Edge {
				first, _ := travel(e, 1-from.Along, when)
				best = min(best, reached+first)
			}
			o := g.Original(e)
			w, took := travel(o, 1, when)
			if c.Edge(o) == profile.Forbidden || reached+w >= best {
				continue
			}
			x := state{e, when - took}
			if old, seen := cost[x]; !seen || reached+w < old {
				cost[x] = reached + w
				queue = append(queue, x)
				if len(cost) > 600 {
					return 0, false
				}
			}
		}
	}
	if best == math.MaxUint64 {
		return searchtest.Unreached, true
	}
	return best >> 10, true
}

// TestArrivalAgainstSlowSearch compares journeys that are to arrive at a time.
func TestArrivalAgainstSlowSearch(t *testing.T) {
	cases := searchtest.Cases(90)
	reached, waited := 0, 0
	for drawn := range searchtest.Draw(cases, 22, searchtest.Timed) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		c, conditions := timed(n.Graph, car)
		q := search.NewAStar(n.Graph)
		for range 3 {
			from, to := n.End(r, c), n.End(r, c)
			clock := clockOf(n.Graph, conditions, c)
			clock.Arrive = true
			want, small := slowArrive(n, c, clock, from, to)
			if !small {
				continue
			}
			got, ok, err := q.Shortest(t.Context(), search.Request{Weights: search.Weights{Costing: c}, Clock: clock, From: []search.End{from}, To: []search.End{to}})
			if err != nil {
				t.Fatal(err)
			}
			if ok != (want != searchtest.Unreached) || ok && got.Cost != want {
				t.Fatalf("seed %d: %v to %v costs %d (found %v), want %d", seed, from, to, got.Cost, ok, want)
			}
			if ok {
				reached++
				if got.Cost != n.Slow(c, from, to) {
					waited++
				}
			}
		}
	}
	if reached < cases || waited < cases/20 {
		t.Errorf("only %d paths found, %d of them other than those without times: the cases prove too little", reached, waited)
	}
}
