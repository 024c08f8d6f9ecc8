package embedded_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestMatrixClosesAtArrival closes roads in random towns at times of their own, which begin and
// end while one is on the way: the cells of a matrix at no time are the routes at no time.
func TestMatrixClosesAtArrival(t *testing.T) {
	t.Parallel()
	cells, passed, barred, unreached := 0, 0, 0, 0
	for seed := range uint64(searchtest.Cases(12)) {
		r := rand.New(rand.NewPCG(seed, 71))
		town := randomTown(t, r)
		e, err := embedded.New(town.Region(t))
		if err != nil {
			t.Fatal(err)
		}
		edges := e.EdgesOf
		if seed%4 == 3 {
			e = e.WithoutHierarchy()
		}
		for round := range 4 {
			now := time.Now()
			e.SetNow(now)
			var list []overlay.Change
			for _, w := range town.Data().Ways {
				if r.IntN(3) > 0 {
					continue
				}
				c := overlay.Change{Closed: true, From: now.Add(-time.Hour), Until: now.Add(time.Hour)}
				switch r.IntN(4) {
				case 0:
					c.Until = now.Add(time.Duration(5+r.IntN(120)) * time.Second)
				case 1:
					c.From = now.Add(time.Duration(5+r.IntN(120)) * time.Second)
				case 2:
					c.From, c.Until = time.Time{}, time.Time{}
				}
				for _, c.Edge = range edges(w.ID) {
					list = append(list, c)
				}
			}
			e.SetLive(overlay.NewSnapshot(overlay.Roads{Taken: now, Changes: list}, e.Live()))
			options, conditions := chosen(t, costing.Auto, ""), engine.Conditions{}
			if round == 3 {
				conditions.ExcludeLocations = near(r, town, 1)
			}
			from, to := near(r, town, 5), near(r, town, 6)
			ask := func(live *overlay.Snapshot) *engine.MatrixAnswer {
				e.SetLive(live)
				settled(t, e) // until then a metric of what was live before answers
				a, err := e.Matrix(t.Context(), &engine.MatrixRequest{Sources: from, Targets: to, Costing: costing.Auto, Options: options, Conditions: conditions})
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				return a
			}
			live := e.Live()
			var holding []overlay.Change
			for _, c := range list {
				if (c.From.IsZero() || c.From.Before(now)) && (c.Until.IsZero() || c.Until.After(now)) {
					holding = append(holding, overlay.Change{Edge: c.Edge, Closed: true})
				}
			}
			still := ask(overlay.NewSnapshot(overlay.Roads{Taken: now, Changes: holding}, nil))
			got := ask(live)
			settled(t, e)
			for i := range from {
				for j := range to {
					route, err := e.Route(t.Context(), &engine.RouteRequest{Costing: costing.Auto, Options: options, Conditions: conditions, Locations: []engine.Location{from[i], to[j]}, Want: engine.WantLine})
					c := got.Cells[i][j]
					if (err == nil) != c.Reached {
						t.Errorf("seed %d round %d, %d to %d: reached %v, and the route has %v; exclude closures %v %v, still %v", seed, round, i, j, c.Reached, err, from[i].Filter.ExcludeClosures, to[j].Filter.ExcludeClosures, still.Cells[i][j])
						continue
					}
					switch was := still.Cells[i][j]; {
					case !c.Reached:
						unreached++
					case !was.Reached || c.Seconds < was.Seconds-1:
						passed++
					case c.Seconds > was.Seconds+1:
						barred++
					}
					if cells++; err == nil && math.Abs(route.Routes[0].Seconds-c.Seconds) > 0.1 {
						t.Errorf("seed %d round %d, %d to %d: takes %g s, and the route %g s", seed, round, i, j, c.Seconds, route.Routes[0].Seconds)
					}
				}
			}
			settled(t, e)
		}
	}
	t.Logf("%d cells: %d past what has ended by then, %d round what has begun by then, %d unreached", cells, passed, barred, unreached)
	if need := searchtest.Cases(20); passed < need || barred < need {
		t.Errorf("the cases prove too little")
	}
}

// TestClosuresAreTold asks for a route and a matrix past a closure: both say that it counted,
// and neither does of one that is over by then, that is elsewhere or that is ignored.
func TestClosuresAreTold(t *testing.T) {
	for _, c := range []struct {
		what, way   string
		from, until time.Duration
		when        *engine.When
		options     string
		warned      bool
		path        string
	}{
		{"on the way", "bc", -time.Hour, time.Hour, nil, "", true, "aefd"},
		{"on the way, now", "bc", -time.Hour, time.Hour, &engine.When{}, "", true, "aefd"},
		{"for days", "bc", -time.Hour, 100 * time.Hour, nil, "", true, "aefd"},
		{"for days, now", "bc", -time.Hour, 100 * time.Hour, &engine.When{}, "", true, "aefd"},
		{"over by then", "bc", -time.Hour, 5 * time.Second, nil, "", false, "abcd"},
		{"begun by then", "bc", 5 * time.Second, time.Hour, nil, "", true, "aefd"},
		{"begun by then, now", "bc", 5 * time.Second, time.Hour, &engine.When{}, "", true, "aefd"},
		{"elsewhere", "ef", -time.Hour, time.Hour, nil, "", false, "abcd"},
		{"elsewhere, now", "ef", -time.Hour, time.Hour, &engine.When{}, "", false, "abcd"},
		{"ignored", "bc", -time.Hour, time.Hour, nil, `"ignore_closures":true`, false, "abcd"},
	} {
		t.Run(c.what, func(t *testing.T) {
			e, town := bypass(t)
			for turn := range 4 { // with and without metrics that know of the closure
				now := time.Now()
				e.SetNow(now)
				var list []overlay.Change
				for _, x := range e.EdgesOf(town.WayID(c.way)) {
					list = append(list, overlay.Change{Edge: x, Closed: true, From: now.Add(c.from), Until: now.Add(c.until)})
				}
				e.SetLive(overlay.NewSnapshot(overlay.Roads{Taken: now, Changes: list}, e.Live()))
				warned := func(list []engine.Warning) bool {
					return slices.ContainsFunc(list, func(w engine.Warning) bool { return w.Code == engine.WarnClosed })
				}
				conditions := engine.Conditions{When: c.when}
				route, a, err := ask(t, e, &engine.RouteRequest{Costing: costing.Auto, Locations: stops(town, "a", "d"), Conditions: conditions}, c.options)
				if err != nil {
					t.Fatal(err)
				}
				if path := a.Trip.passes(t, town); path != c.path || warned(route.Warnings) != c.warned {
					t.Errorf("turn %d: the route passes %s and says %v", turn, path, route.Warnings)
				}
				m, err := e.Matrix(t.Context(), &engine.MatrixRequest{Sources: stops(town, "a", "e"), Targets: stops(town, "d"), Costing: costing.Auto, Options: chosen(t, costing.Auto, c.options), Conditions: conditions})
				if err != nil {
					t.Fatal(err)
				}
				if got, want := m.Cells[0][0].Seconds, route.Routes[0].Seconds; math.Abs(got-want) > 0.1 || warned(m.Warnings) != c.warned {
					t.Errorf("turn %d: the cell has %g s, the route %g s; it says %v", turn, got, want, m.Warnings)
				}
				settled(t, e)
			}
		})
	}
}

// TestIsochroneClosesAtArrival asks for what is within reach at no time, in less time than the
// way round a closure takes: what is behind it is within reach where it is over on arrival there,
// and not where it has begun by then. In reverse those of now count, and the answer says so.
func TestIsochroneClosesAtArrival(t *testing.T) {
	e, town := bypass(t)
	options := chosen(t, costing.Auto, "")
	seconds := func() float64 {
		m, err := e.Matrix(t.Context(), &engine.MatrixRequest{Sources: stops(town, "a"), Targets: stops(town, "d"), Costing: costing.Auto, Options: options})
		if err != nil {
			t.Fatal(err)
		}
		return m.Cells[0][0].Seconds
	}
	closed := func(from, until time.Duration) {
		now := time.Now()
		e.SetNow(now)
		var list []overlay.Change
		for _, x := range e.EdgesOf(town.WayID("bc")) {
			list = append(list, overlay.Change{Edge: x, Closed: true, From: now.Add(from), Until: now.Add(until)})
		}
		e.SetLive(overlay.NewSnapshot(overlay.Roads{Taken: now, Changes: list}, e.Live()))
		settled(t, e) // until then a metric of what was live before answers
	}
	straight := seconds()
	closed(-time.Hour, 30*time.Hour)
	round := seconds()
	if round < straight+20 {
		t.Fatalf("%g s round the closure, %g s without it", round, straight)
	}
	for _, c := range []struct {
		what          string
		from, until   time.Duration
		reverse       bool
		within, warns bool
	}{
		{"over by then", -time.Hour, 5 * time.Second, false, true, false},
		{"begun by then", 5 * time.Second, time.Hour, false, false, false},
		{"over later", -time.Hour, time.Hour, false, false, false},
		{"begun later", time.Hour, 2 * time.Hour, false, true, false},
		{"over soon, in reverse", -time.Hour, 5 * time.Second, true, false, true},
		{"begun soon, in reverse", 5 * time.Second, time.Hour, true, true, true},
	} {
		t.Run(c.what, func(t *testing.T) {
			for turn := range 3 { // with and without metrics that know of the closure
				closed(c.from, c.until)
				from, to := "a", "d"
				if c.reverse {
					from, to = to, from
				}
				none := 0.0
				q := &engine.IsochroneRequest{Location: stops(town, from)[0], Costing: costing.Auto, Options: options, Contours: []engine.Contour{{Minutes: (straight + round) / 120}}, Polygons: true, Reverse: c.reverse, Denoise: &none}
				a, err := e.Isochrone(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				if in := enginetest.ReadArea(t, q, a)[0].Contains(town.Point(to)); in != c.within {
					t.Errorf("turn %d: within reach %v", turn, in)
				}
				if warned := slices.ContainsFunc(a.Warnings, func(w engine.Warning) bool { return w.Code == engine.WarnClosed }); warned != c.warns {
					t.Errorf("turn %d: it says %v", turn, a.Warnings)
				}
				settled(t, e)
			}
		})
	}
}
