package embedded_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/road/link"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/search/searchtest"
	"github.com/waygate/waygate/towntest"
)

// TestLiveMetricIsExact compares routes of now in random towns, on a hierarchy that
// was made anew with what is live, with searches on the roads themselves.
func TestLiveMetricIsExact(t *testing.T) {
	routes, changed := 0, 0
	for seed := range uint64(searchtest.Cases(6)) {
		r := rand.New(rand.NewPCG(seed, 53))
		town := randomTown(t, r)
		e, err := embedded.New(town.Region(t))
		if err != nil {
			t.Fatal(err)
		}
		slow := e.WithoutHierarchy()
		for round := range 3 {
			live := snapshot(r, e, town)
			e.SetLive(live)
			slow.SetLive(live)
			for i := range 12 {
				ends := near(r, town, 2)
				ask := func(x *embedded.Engine, when *engine.When) (*engine.RouteAnswer, error) {
					return x.Route(t.Context(), &engine.RouteRequest{Costing: costing.Auto, Options: chosen(t, costing.Auto, ""), Locations: ends, Conditions: engine.Conditions{When: when}, Want: engine.WantLine})
				}
				if i == 3 {
					settled(t, e) // the first routes had it made
				}
				// A road that opens at times costs the waiting from now on: both requests are
				// sent in the same second.
				var got, want *engine.RouteAnswer
				var err, err2 error
				for second := int64(0); second != time.Now().Unix(); {
					second = time.Now().Unix()
					got, err = ask(e, &engine.When{})
					want, err2 = ask(slow, &engine.When{})
				}
				if round > 0 && i < 3 {
					continue // answered by what was live before, until it is made anew
				}
				if (err == nil) != (err2 == nil) {
					t.Fatalf("seed %d: %v and %v", seed, err, err2)
				}
				if err != nil {
					continue
				}
				routes++
				if got.Routes[0].Cost != want.Routes[0].Cost {
					t.Errorf("seed %d, route %d of %v: costs %g, not %g", seed, i, ends, got.Routes[0].Cost, want.Routes[0].Cost)
				}
				if plain, err := ask(e, nil); err == nil && plain.Routes[0].Seconds != got.Routes[0].Seconds {
					changed++
				}
			}
		}
	}
	t.Logf("%d routes, %d of them changed by what is live", routes, changed)
	if need := searchtest.Cases(50); routes < need || changed < need/5 {
		t.Errorf("%d routes, %d of them changed by what is live: the cases prove too little", routes, changed)
	}
}

// TestLiveMemory checks that renewing metrics again and again keeps to the limit and
// loses no byte.
func TestLiveMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 54))
	town := randomTown(t, r)
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		e.SetLive(snapshot(r, e, town))
		for _, k := range []costing.Costing{costing.Auto, costing.Truck, costing.Auto} {
			_, _ = e.Route(t.Context(), &engine.RouteRequest{Costing: k, Options: chosen(t, k, ""), Locations: near(r, town, 2), Conditions: engine.Conditions{When: &engine.When{}}})
		}
		settled(t, e)
		if bytes, own, _ := e.Audit(); bytes != e.Memory() {
			t.Fatalf("%d bytes are kept, %d are counted, of %d metrics", bytes, e.Memory(), own)
		}
	}
	e.SetMetricMemory(1)
	e.SetLive(snapshot(r, e, town))
	if bytes, own, _ := e.Audit(); bytes != 0 || own != 0 {
		t.Errorf("without memory %d bytes of %d metrics are kept", bytes, own)
	}
}

// TestClosedAtArrival closes a road at times of its own: who is there while it is
// closed goes another way.
func TestClosedAtArrival(t *testing.T) {
	e, town := bypass(t)
	edges := e.EdgesOf(town.WayID("bc"))
	now := time.Now()
	closed := func(from, until time.Duration) *overlay.Snapshot {
		var list []overlay.Change
		for _, x := range edges {
			list = append(list, overlay.Change{Edge: x, Closed: true, From: now.Add(from), Until: now.Add(until)})
		}
		return overlay.NewSnapshot(overlay.Roads{Taken: now, Changes: list}, nil)
	}
	wall := func(d time.Duration) *engine.When {
		at := now.Add(d).In(london(t))
		return &engine.When{Type: engine.Depart, Local: time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), 0, 0, time.UTC)}
	}
	for _, c := range []struct {
		what string
		live *overlay.Snapshot
		when *engine.When
		path string
	}{
		{"closed for an hour", closed(-time.Hour, time.Hour), &engine.When{}, "aefd"},
		{"over before the journey", closed(-time.Hour, -time.Minute), &engine.When{}, "abcd"},
		{"from tomorrow on", closed(20*time.Hour, 30*time.Hour), &engine.When{}, "abcd"},
		{"from tomorrow on, for who sets out then", closed(20*time.Hour, 30*time.Hour), wall(24 * time.Hour), "aefd"},
		{"over when he sets out", closed(-time.Hour, time.Hour), wall(3 * time.Hour), "abcd"},
		{"for days", closed(-time.Hour, 100*time.Hour), &engine.When{}, "aefd"},
		{"for an hour, no time given", closed(-time.Hour, time.Hour), nil, "aefd"},
		{"over when he comes there, no time given", closed(-time.Hour, time.Second), nil, "abcd"},
		{"begun when he comes there, no time given", closed(time.Second, time.Hour), nil, "aefd"},
		{"from tomorrow on, no time given", closed(20*time.Hour, 30*time.Hour), nil, "abcd"},
	} {
		e.SetLive(c.live)
		for range 3 { // at first without a metric of what is live
			_, a, err := ask(t, e, &engine.RouteRequest{Costing: costing.Auto, Locations: stops(town, "a", "d"), Conditions: engine.Conditions{When: c.when}}, "")
			if err != nil {
				t.Fatal(err)
			}
			if path := a.Trip.passes(t, town); path != c.path {
				t.Errorf("%s: it passes %s", c.what, path)
			}
			settled(t, e)
		}
	}
}

// TestClosuresReachTheHierarchy requests a way past a closure, at no time given: once the
// detours have cost as much as a metric with the closure in it, there is one, and the next
// closure has it made anew without that.
func TestClosuresReachTheHierarchy(t *testing.T) {
	for name, fromOneEnd := range map[string]int{"searched from one end": 512, "searched from both ends": 0} {
		t.Run(name, func(t *testing.T) { closuresReachTheHierarchy(t, fromOneEnd) })
	}
}

func closuresReachTheHierarchy(t *testing.T, fromOneEnd int) {
	e, town := bypass(t)
	e.SetSearches(512, fromOneEnd)
	way := func(path string) {
		t.Helper()
		_, a, err := ask(t, e, &engine.RouteRequest{Costing: costing.Auto, Locations: stops(town, "a", "d")}, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Trip.passes(t, town); got != path {
			t.Fatalf("it passes %s, not %s", got, path)
		}
	}
	knows := func() int {
		settled(t, e)
		_, own, _ := e.Audit()
		return own
	}
	shut := func(way string) {
		var list []overlay.Change
		for _, x := range e.EdgesOf(town.WayID(way)) {
			list = append(list, overlay.Change{Edge: x, Closed: true})
		}
		e.SetLive(overlay.NewSnapshot(overlay.Roads{Taken: time.Now(), Changes: list}, e.Live()))
	}
	shut("ef")
	for range 100 {
		way("abcd")
	}
	if knows() > 0 {
		t.Error("there is a metric for a closure that nobody meets")
	}
	shut("bc")
	for i := 0; knows() == 0; i++ {
		if i == 100 {
			t.Fatal("there is no metric after 100 detours of a dozen edges")
		}
		way("aefd")
	}
	way("aefd")
	shut("ef")
	if knows() != 1 {
		t.Error("the metric was not made anew")
	}
	way("abcd")
	if bytes, _, _ := e.Audit(); bytes != e.Memory() {
		t.Errorf("%d bytes are kept, %d are counted", bytes, e.Memory())
	}
}

// TestSlowTurns has traffic slow a turn: routes of now know of it, with the metric of
// what is live and without.
func TestSlowTurns(t *testing.T) {
	e, town := bypass(t)
	turns, missed, err := link.Turns(t.Context(), e.Graph(), []link.Turn{{From: town.NodeID("a"), Via: town.NodeID("b"), To: town.NodeID("c"), Seconds: 1}})
	if err != nil || missed != 0 || len(turns) != 1 {
		t.Fatalf("%v, %d missed, %v", turns, missed, err)
	}
	seconds := map[float32]float64{}
	for _, c := range []struct {
		seconds float32
		live    bool
		k       costing.Costing
		path    string
	}{{0, true, costing.Auto, "abcd"}, {10, true, costing.Auto, "abcd"}, {600, true, costing.Auto, "aefd"}, {600, false, costing.Auto, "abcd"}, {600, true, costing.Truck, "aefd"}} {
		e.SetLive(overlay.NewSnapshot(overlay.Roads{Taken: time.Now(), Turns: map[overlay.Turn]float32{{From: turns[0].From, To: turns[0].To}: c.seconds}}, e.Live()))
		var when *engine.When
		if c.live {
			when = &engine.When{}
		}
		settled(t, e)
		for range 4 { // at first without a metric of what is live
			_, a, err := ask(t, e, &engine.RouteRequest{Costing: c.k, Locations: stops(town, "a", "d"), Conditions: engine.Conditions{When: when}}, "")
			if err != nil {
				t.Fatal(err)
			}
			settled(t, e)
			path := a.Trip.passes(t, town)
			if path != c.path {
				t.Errorf("%v s, now %v: it passes %s", c.seconds, c.live, path)
			}
			if c.k == costing.Auto && path == "abcd" && c.live {
				seconds[c.seconds] = a.Trip.Summary.Time
			}
		}
	}
	if late := seconds[10] - seconds[0]; late < 9.99 || late > 10.01 {
		t.Errorf("a turn of 10 s takes %v s more", late)
	}
}

func TestUsualSpeeds(t *testing.T) {
	e, town := bypass(t)
	p := overlay.NewProfile(e.Graph().Edges())
	var hours [overlay.HoursOfWeek]uint8
	hours[8] = 2 // Monday from eight to nine
	for _, x := range e.EdgesOf(town.WayID("bc")) {
		p.Set(x, hours)
	}
	e.SetLive(overlay.NewSnapshot(overlay.Roads{Taken: time.Now(), Profile: p}, nil))
	for _, c := range []struct {
		at     string
		speeds []string
		path   string
	}{
		{"2026-05-04T08:30", nil, "aefd"}, {"2026-05-04T08:30", []string{"current"}, "abcd"}, {"2026-05-04T10:30", nil, "abcd"}, {"2026-05-05T08:30", nil, "abcd"}, {"", nil, "abcd"},
	} {
		var when *engine.When
		if c.at != "" {
			at, err := time.Parse(engine.TimeForm, c.at)
			if err != nil {
				t.Fatal(err)
			}
			when = &engine.When{Type: engine.Depart, Local: at}
		}
		_, a, err := ask(t, e, &engine.RouteRequest{Costing: costing.Auto, Locations: stops(town, "a", "d"), Conditions: engine.Conditions{When: when, SpeedTypes: c.speeds}}, "")
		if err != nil {
			t.Fatal(err)
		}
		if path := a.Trip.passes(t, town); path != c.path {
			t.Errorf("at %q with %v: it passes %s", c.at, c.speeds, path)
		}
	}
}

func london(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/London")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// bypass returns a main road from a to d over b and c, and a longer one past it.
func bypass(t *testing.T) (*embedded.Engine, *towntest.Town) {
	t.Helper()
	town := towntest.Draw(t, `
		a----b----c----d
		|              |
		e--------------f`,
		towntest.Ways{{"ab", "primary"}, {"bc", "primary"}, {"cd", "primary"}, {"ae", "residential"}, {"ef", "residential"}, {"fd", "residential"}})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	return e, town
}

// TestLivePieces checks that the times of a way are marked live only for travellers that live
// speeds slow.
func TestLivePieces(t *testing.T) {
	e, town := bypass(t)
	e.SetLive(overlay.NewSnapshot(overlay.Roads{Taken: time.Now(), Speeds: slices.Repeat([]uint8{5}, e.Edges())}, nil))
	for _, of := range []costing.Costing{costing.Auto, costing.Bicycle, costing.Pedestrian} {
		a, err := e.Route(t.Context(), &engine.RouteRequest{Costing: of, Options: chosen(t, of, ""), Locations: stops(town, "b", "c"), Conditions: engine.Conditions{When: &engine.When{}}, Want: engine.WantPieces})
		if err != nil {
			t.Fatal(err)
		}
		live := false
		for _, p := range a.Routes[0].Legs[0].Pieces {
			live = live || p.Live
		}
		if live != of.Motorised() {
			t.Errorf("%s: live is %v", of, live)
		}
	}
}
