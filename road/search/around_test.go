package search_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestManyWithOverlay compares the searches from one place to many and all
// around it with the slow search, on networks where edges are closed and slowed,
// for travellers of random options.
func TestManyWithOverlay(t *testing.T) {
	cases := searchtest.Cases(80)
	cells, bent, edges := 0, 0, 0
	for drawn := range searchtest.Draw(cases, 31, searchtest.Either) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		c, w := bentTraveller(drawn)
		plain := w.ApplyOverlay()
		spread, timed := search.NewTree(n.Graph), search.NewTimeDependent(n.Graph)
		from := []search.End{n.End(r, c)}
		targets := make([][]search.End, 4)
		for j := range targets {
			targets[j] = []search.End{n.End(r, c)}
		}
		arriving := make([][]search.End, len(targets))
		for j := range targets {
			arriving[j] = w.Arrivals(targets[j])
		}
		if err := errors.Join(
			spread.To(t.Context(), plain, w.Departures(from), arriving),
			timed.To(t.Context(), w, nil, from, targets),
		); err != nil {
			t.Fatal(err)
		}
		for j, to := range targets {
			want := n.SlowOverlay(c, w.Overlay, from[0], to[0])
			got, _, _ := spread.At(arriving[j])
			if cost, _, ok := w.Direct(from, to); ok {
				got = min(got, cost)
			}
			if got != want {
				t.Fatalf("seed %d: %v to %v costs %d, want %d", seed, from[0], to[0], got, want)
			}
			cost, _, _, ok := timed.At(j)
			if ok != (want != searchtest.Unreached) || ok && cost != want {
				t.Fatalf("seed %d: %v to %v costs %d by labels, want %d", seed, from[0], to[0], cost, want)
			}
			if ok {
				n.CheckOverlay(t, seed, c, w.Overlay, timed.Path(j))
				cells++
			}
			if want != n.Slow(c, from[0], to[0]) {
				bent++
			}
		}
		out, err := spread.From(t.Context(), plain, w.Departures(from), boundless)
		if err != nil {
			t.Fatal(err)
		}
		ahead := least(n.Graph, out)
		if out, err = spread.Back(t.Context(), plain, w.Arrivals(from), boundless); err != nil {
			t.Fatal(err)
		}
		back := least(n.Graph, out)
		if out, err = timed.Around(t.Context(), w, nil, false, from, boundless); err != nil {
			t.Fatal(err)
		}
		around := least(n.Graph, out)
		for e := graph.Edge(seed % 5); e < n.Graph.Base; e += 5 {
			if e == from[0].Edge || plain.Costing.Edge(e) == profile.Forbidden {
				if _, there := ahead[e]; there && e != from[0].Edge {
					t.Fatalf("seed %d: the closed edge %d is reached", seed, e)
				}
				continue
			}
			end := search.End{Edge: e, Along: 1}
			for name, x := range map[string][2]uint64{
				"from":   {costOf(ahead, e), n.SlowOverlay(c, w.Overlay, from[0], end)},
				"around": {costOf(around, e), n.SlowOverlay(c, w.Overlay, from[0], end)},
				"back":   {costOf(back, e), n.SlowOverlay(c, w.Overlay, end, from[0])},
			} {
				if x[0] != x[1] {
					t.Fatalf("seed %d: %s %v, edge %d: cost %d, want %d", seed, name, from[0], e, x[0], x[1])
				}
				if x[0] != searchtest.Unreached {
					edges++
				}
			}
		}
	}
	if cells < cases || bent < cases/10 || edges < 2*cases {
		t.Errorf("only %d cells, %d of them bent, and %d edges: the cases prove too little", cells, bent, edges)
	}
}

// TestManyAtATime compares them on networks that close and open around the
// journeys, set out on at a time, at one that stands still, and at one of
// arrival.
func TestManyAtATime(t *testing.T) {
	cases := searchtest.Cases(20)
	cells, waited, edges := 0, 0, 0
	for drawn := range searchtest.Draw(cases, 32, searchtest.Timed) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		c, conditions := timed(n.Graph, car)
		w := search.Weights{Costing: c}
		s := search.NewTimeDependent(n.Graph)
		hub := n.End(r, c)
		others := make([][]search.End, 4)
		for j := range others {
			others[j] = []search.End{n.End(r, c)}
		}
		for _, how := range []string{"depart", "frozen", "arrive"} {
			clock := clockOf(n.Graph, conditions, c)
			clock.Frozen, clock.Arrive = how == "frozen", how == "arrive"
			slow := func(other search.End) (uint64, bool) {
				if how == "arrive" {
					return slowArrive(n, c, clock, other, hub)
				}
				return n.SlowTimed(c, hub, other, clock.Frozen)
			}
			if err := s.To(t.Context(), w, clock, []search.End{hub}, others); err != nil {
				t.Fatal(err)
			}
			for j, other := range others {
				want, small := slow(other[0])
				if !small {
					continue
				}
				cost, _, waits, ok := s.At(j)
				if ok != (want != searchtest.Unreached) || ok && cost != want {
					t.Fatalf("seed %d, %s: %v and %v cost %d (found %v), want %d", seed, how, hub, other, cost, ok, want)
				}
				if !ok {
					continue
				}
				cells++
				if f := s.Path(j); f.Cost != cost {
					t.Fatalf("seed %d: %+v", seed, f)
				}
				if waits {
					waited++
				}
			}
			if how == "arrive" {
				continue // of an edge's start nothing is known to the slow search
			}
			out, err := s.Around(t.Context(), w, clock, clock.Backwards(), []search.End{hub}, boundless)
			if err != nil {
				t.Fatal(err)
			}
			around := least(n.Graph, out)
			for e := range n.Graph.Base {
				if e == hub.Edge || c.Edge(e) == profile.Forbidden {
					continue
				}
				want, small := slow(search.End{Edge: e, Along: 1})
				if !small {
					continue
				}
				if got := costOf(around, e); got != want {
					t.Fatalf("seed %d, %s: edge %d from %v: cost %d, want %d", seed, how, e, hub, got, want)
				}
				edges++
			}
		}
	}
	if cells < cases || waited < cases/20 || edges < 5*cases {
		t.Errorf("only %d cells, %d of them waited, and %d edges: the cases prove too little", cells, waited, edges)
	}
}

// TestAroundWhileNothingChanges compares what is within a bound with a search by the
// clock that does not try whether anything changes meanwhile.
func TestAroundWhileNothingChanges(t *testing.T) {
	still, edges, cases := 0, 0, 0
	for drawn := range searchtest.Draw(searchtest.Cases(150), 34, searchtest.Timed) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		c, conditions := timed(n.Graph, car)
		w, hub := search.Weights{Costing: c}, []search.End{n.End(r, c)}
		s := search.NewTimeDependent(n.Graph)
		for range 6 {
			clock := clockOf(n.Graph, conditions, c)
			clock.Arrive = r.IntN(2) == 0
			clock.Set(searchtest.Departure.Add(time.Duration(r.IntN(240)-120) * time.Minute))
			bound := search.Measure{Millis: uint32(1000 * (1 + r.IntN(1<<r.IntN(15))))}
			got, err := s.Around(t.Context(), w, clock, clock.Arrive, hub, bound)
			if err != nil {
				t.Fatal(err)
			}
			if cases++; s.IsStill() {
				still++
			}
			ours := map[graph.Edge]search.Reached{}
			for _, x := range got {
				ours[x.Edge] = x
			}
			want, err := s.AroundByTheClock(t.Context(), w, clock, clock.Arrive, hub, bound)
			if err != nil {
				t.Fatal(err)
			}
			if len(want) != len(ours) {
				t.Fatalf("seed %d, %v from %v, arrive %v: %d edges, want %d", seed, bound, hub, clock.Arrive, len(ours), len(want))
			}
			for _, x := range want {
				if y, ok := ours[x.Edge]; !ok || x.Cost != y.Cost {
					t.Fatalf("seed %d, %v from %v, arrive %v: edge %d: %+v, want %+v", seed, bound, hub, clock.Arrive, x.Edge, y, x)
				}
				edges++
			}
		}
	}
	if still < cases/10 || still > cases*9/10 || edges < 2*cases {
		t.Errorf("%d of %d stood still, %d edges in all: the cases prove too little", still, cases, edges)
	}
}

// TestAroundArrival checks that the edges from which a place is reached in time
// are those from whose ends the search for one pair finds a path, of that cost.
func TestAroundArrival(t *testing.T) {
	edges := 0
	for drawn := range searchtest.Draw(150, 33, searchtest.Timed) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		c, conditions := timed(n.Graph, car)
		clock := clockOf(n.Graph, conditions, c)
		clock.Arrive = true
		w, hub := search.Weights{Costing: c}, []search.End{n.End(r, c)}
		out, err := search.NewTimeDependent(n.Graph).Around(t.Context(), w, clock, true, hub, boundless)
		if err != nil {
			t.Fatal(err)
		}
		around := least(n.Graph, out)
		q := search.NewAStar(n.Graph)
		for e := range n.Graph.Base {
			if e == hub[0].Edge || c.Edge(e) == profile.Forbidden {
				continue
			}
			f, ok, err := q.Shortest(t.Context(), search.Request{Weights: w, Clock: clock, From: []search.End{{Edge: e, Along: 1}}, To: hub})
			if err != nil {
				t.Fatal(err)
			}
			var want uint64 = searchtest.Unreached
			if ok {
				want = f.Cost
				edges++
			}
			if got := costOf(around, e); got != want {
				t.Fatalf("seed %d: edge %d to %v: cost %d, want %d", seed, e, hub, got, want)
			}
		}
	}
	if edges < 500 {
		t.Errorf("only %d edges lead there", edges)
	}
}

// TestAroundKeepsToItsBound checks that a bound leaves out exactly the edges
// whose paths begin beyond it, and that the caller's going ends a search.
func TestAroundKeepsToItsBound(t *testing.T) {
	cut := 0
	for drawn := range searchtest.Draw(200, 34, searchtest.Timed) {
		r, n := drawn.Rand, drawn.Network
		c, conditions := timed(n.Graph, car)
		for _, arrive := range []bool{false, true} {
			clock := clockOf(n.Graph, conditions, c)
			clock.Arrive = arrive
			s, w, hub := search.NewTimeDependent(n.Graph), search.Weights{Costing: c}, []search.End{n.End(r, c)}
			all, err := s.Around(t.Context(), w, clock, arrive, hub, boundless)
			if err != nil {
				t.Fatal(err)
			}
			cut += checkBound(t, drawn, all,
				func(x search.Reached, bound search.Measure) bool {
					return x.Within(bound) || !arrive && x.Minus(x.Own).Within(bound)
				},
				func(bound search.Measure) ([]search.Reached, error) {
					return s.Around(t.Context(), w, clock, arrive, hub, bound)
				})
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := s.Around(ctx, w, clock, arrive, hub, boundless); !errors.Is(err, context.Canceled) {
				t.Errorf("Around ended with %v", err)
			}
			if err := s.To(ctx, w, clock, hub, [][]search.End{hub}); !errors.Is(err, context.Canceled) {
				t.Errorf("To ended with %v", err)
			}
		}
	}
	if cut < 500 {
		t.Errorf("only %d edges lay beyond the bound", cut)
	}
}
