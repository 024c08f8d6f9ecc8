package along_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/feature/along"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// street returns a street with a road beside it from b to c, a lane behind that, and
// one-way streets away from it and to it.
func street(t *testing.T) *towntest.Town {
	t.Helper()
	return towntest.Draw(t, `
		a---b---c---d---k
		    |   |   |   |
		    e---f   i   j
		    |
		    g`,
		towntest.Ways{
			{"abcdk", "residential"},
			{"befc", "residential"},
			{"eg", "residential"},
			{"di", "residential oneway=yes"},
			{"jk", "residential oneway=yes"},
		}, towntest.Cell(300))
}

// ranker returns the service on a town's own roads.
func ranker(t *testing.T, town *towntest.Town) *along.Service {
	t.Helper()
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	return &along.Service{Engine: e}
}

// request returns one of a costing with its usual options.
func request(t *testing.T, c costing.Costing, places ...along.Place) *along.Request {
	t.Helper()
	options, unknown, bad := costing.Parse(c, nil, "")
	if len(unknown)+len(bad) > 0 {
		t.Fatal(unknown, bad)
	}
	return &along.Request{Costing: c, Options: options, Places: places}
}

func rank(t *testing.T, s *along.Service, r *along.Request) *along.Answer {
	t.Helper()
	a, err := s.Rank(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func order(a *along.Answer) string {
	var ids []string
	for _, p := range a.Places {
		ids = append(ids, p.ID)
	}
	return strings.Join(ids, " ")
}

func points(town *towntest.Town, places string) []geo.Point {
	var list []geo.Point
	for _, p := range places {
		list = append(list, town.Point(string(p)))
	}
	return list
}

func near(got, want, within float64) bool { return math.Abs(got-want) <= within }

// walked returns the seconds that a walker takes for metres of level road.
func walked(metres float64) float64 { return metres / (5.1 / 3.6) }

// TestTheCheapestDetourIsFirst has walkers, who may turn anywhere, go along the
// street by its stops and as a line.
func TestTheCheapestDetourIsFirst(t *testing.T) {
	town := street(t)
	s := ranker(t, town)
	side := geo.Distance(town.Point("b"), town.Point("e"))
	places := []along.Place{
		{ID: "g", Point: town.Point("g")},
		{ID: "late", Point: town.Between("c", "d", 0.5)},
		{ID: "e", Name: "Corner", Point: town.Point("e"), Properties: json.RawMessage(`{"open":true}`)},
		{ID: "early", Point: town.Between("a", "b", 0.5)},
	}
	whole := geo.Length(points(town, "abcdk"))
	for name, way := range map[string]func(r *along.Request){
		"stops":  func(r *along.Request) { r.Stops = points(town, "ak") },
		"a line": func(r *along.Request) { r.Line = points(town, "abcdk") },
	} {
		t.Run(name, func(t *testing.T) {
			r := request(t, costing.Pedestrian, places...)
			way(r)
			a := rank(t, s, r)
			if got := order(a); got != "early late e g" {
				t.Fatalf("the order is %q", got)
			}
			if !near(a.Route.Distance, whole, 3) || !near(*a.Route.Duration, walked(whole), 5) {
				t.Errorf("the route is %g m in %g s, want %.0f in %.0f", a.Route.Distance, *a.Route.Duration, whole, walked(whole))
			}
			if line, err := geo.DecodePolyline(a.Route.Shape, 6); err != nil || !near(geo.Length(line), whole, 3) {
				t.Errorf("the shape has %.0f m, %v", geo.Length(line), err)
			}
			for i, want := range []struct {
				index       int
				detour, arc float64
				aside       float64
			}{
				{3, 0, geo.Distance(town.Point("a"), town.Between("a", "b", 0.5)), 0},
				{1, 0, geo.Distance(town.Point("a"), town.Between("c", "d", 0.5)), 0},
				{2, 2 * side, geo.Distance(town.Point("a"), town.Point("b")), side},
				{0, 4 * side, geo.Distance(town.Point("a"), town.Point("b")), 2 * side},
			} {
				p := a.Places[i]
				if p.Index != want.index || !near(p.DetourM, want.detour, 5) || !near(p.Detour, walked(want.detour), 5) || !near(p.Arc, want.arc, 3) || !near(p.OffLine, want.aside, 3) {
					t.Errorf("%+v, want %+v", p, want)
				}
				if asked := places[want.index]; p.Name != asked.Name || string(p.Properties) != string(asked.Properties) || p.Lat != asked.Point.Lat || p.Lon != asked.Point.Lon {
					t.Errorf("%+v is the answer for the place %+v", p, asked)
				}
				if d := geo.Distance(geo.Point{Lon: p.Snapped.Lon, Lat: p.Snapped.Lat}, geo.Point{Lon: p.Lon, Lat: p.Lat}); d > 1 {
					t.Errorf("%s is snapped %.1f m away, and lies on a road", p.ID, d)
				}
			}
		})
	}
}

// TestLegs checks the leg on which a place is called at.
func TestLegs(t *testing.T) {
	town := street(t)
	r := request(t, costing.Pedestrian, along.Place{ID: "0", Point: town.Between("a", "b", 0.5)}, along.Place{ID: "1", Point: town.Between("b", "c", 0.5)}, along.Place{ID: "2", Point: town.Between("d", "k", 0.5)})
	r.Stops = points(town, "abdk")
	a := rank(t, ranker(t, town), r)
	if len(a.Places) != 3 {
		t.Fatalf("%+v", a)
	}
	for _, p := range a.Places {
		if fmt.Sprint(p.Leg) != p.ID {
			t.Errorf("place %s is called at on leg %d", p.ID, p.Leg)
		}
	}
}

// TestStopsAreKept checks that a detour passes every stop, while on a line the
// way by a place may leave out the samples it goes round.
func TestStopsAreKept(t *testing.T) {
	town := towntest.Draw(t, `
		a--b---c--d
		   |   |
		   e---f`,
		towntest.Ways{{"abcd", "residential"}, {"befc", "residential"}}, towntest.Cell(450))
	s := ranker(t, town)
	beside := along.Place{ID: "beside", Point: town.Between("e", "f", 0.5)}
	length := func(places string) float64 { return geo.Length(points(town, places)) }
	round := length("befc") - length("bc")
	line := request(t, costing.Pedestrian, beside)
	line.Line = points(town, "abcd")
	if got := rank(t, s, line).Places[0].DetourM; !near(got, round, 5) {
		t.Errorf("the detour from the line is %g m, by the road beside it are %.0f", got, round)
	}
	// A stop in the middle of bc: one walks there and back from b or from c.
	stops := request(t, costing.Pedestrian, beside)
	stops.Stops = []geo.Point{town.Point("a"), town.Between("b", "c", 0.5), town.Point("d")}
	back := length("befc") // to the place from b, on to c and back to the stop
	if got := rank(t, s, stops).Places[0].DetourM; !near(got, back, 5) {
		t.Errorf("the detour between stops is %g m, want %.0f", got, back)
	}
}

// TestWhatIsLeftOut counts the places beyond the longest detour and the limit.
func TestWhatIsLeftOut(t *testing.T) {
	town := street(t)
	s := ranker(t, town)
	r := request(t, costing.Pedestrian)
	for _, id := range []string{"g", "e", "b", "c", "d"} {
		r.Places = append(r.Places, along.Place{ID: id, Point: town.Point(id)})
	}
	r.Stops = points(town, "ak")
	all := rank(t, s, r)
	if order(all) != "b c d e g" || all.Excluded != (along.Excluded{}) {
		t.Fatalf("%+v", all)
	}
	most := all.Places[3].Detour // that of e, as the answer has it, which is not over itself
	r.MaxDetour = &most
	if a := rank(t, s, r); order(a) != "b c d e" || a.Excluded != (along.Excluded{Detour: 1}) {
		t.Errorf("with the detour to e: %+v", a)
	}
	if most -= 0.1; order(rank(t, s, r)) != "b c d" {
		t.Errorf("with a bit less: %+v", rank(t, s, r))
	}
	r.Limit = 2
	if a := rank(t, s, r); order(a) != "b c" || a.Excluded != (along.Excluded{Detour: 2, Limit: 1}) {
		t.Errorf("two at most: %+v", a)
	}
}

// TestUnreachable checks the reason why a place cannot be called at.
func TestUnreachable(t *testing.T) {
	town := street(t)
	s := ranker(t, town)
	far := geo.Point{Lon: 10, Lat: 10}
	r := request(t, costing.Auto, along.Place{ID: "i", Point: town.Point("i")}, along.Place{ID: "far", Point: far}, along.Place{ID: "j", Point: town.Between("j", "k", 0.5)}, along.Place{ID: "b", Point: town.Point("b")})
	r.Stops = points(town, "ac")
	a := rank(t, s, r)
	if order(a) != "b" || len(a.Unreachable) != 3 {
		t.Fatalf("%+v", a)
	}
	for i, want := range []along.Unreachable{
		{Index: 0, ID: "i", Reason: "no way leads from the place back to the route"},
		{Index: 2, ID: "j", Reason: "no way leads from the route to the place"},
	} {
		if got := a.Unreachable[2*i]; got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if got := a.Unreachable[1]; got.Index != 1 || got.ID != "far" || !strings.Contains(got.Reason, "road") {
		t.Errorf("far away: %+v", got)
	}
	r.Places = []along.Place{{Point: far}}
	if a := rank(t, s, r); len(a.Places) != 0 || len(a.Unreachable) != 1 || a.Route.Distance == 0 {
		t.Errorf("with no place on the network: %+v", a)
	}
	// A line against a one-way street has no time that is known.
	r.Stops, r.Line = nil, points(town, "kj")
	if a := rank(t, s, r); a.Route.Duration != nil || !near(a.Route.Distance, geo.Length(r.Line), 3) {
		t.Errorf("against a one-way street: %+v", a.Route)
	}
}

// TestDetoursAreWhatRoutesSay compares detours of cars, which have one-way
// streets and turns to mind, with the routes by the places.
func TestDetoursAreWhatRoutesSay(t *testing.T) {
	town := street(t)
	s := ranker(t, town)
	seconds := func(stops ...geo.Point) float64 {
		r := request(t, costing.Auto)
		r.Stops = stops
		return *rank(t, s, r).Route.Duration
	}
	a, k := town.Point("a"), town.Point("k")
	for _, id := range []string{"b", "e", "f"} {
		p := town.Point(id)
		r := request(t, costing.Auto, along.Place{ID: id, Point: p})
		r.Stops = []geo.Point{a, k}
		if got, want := rank(t, s, r).Places[0].Detour, seconds(a, p, k)-seconds(a, k); !near(got, want, 0.3) {
			t.Errorf("by %s: the detour takes %g s, the routes say %.1f", id, got, want)
		}
	}
}

// TestRouteIsRefused passes an engine's refusal of the route itself on.
func TestRouteIsRefused(t *testing.T) {
	town := street(t)
	r := request(t, costing.Auto, along.Place{Point: town.Point("b")})
	r.Stops = []geo.Point{town.Point("a"), {Lon: 10, Lat: 10}}
	if _, err := ranker(t, town).Rank(t.Context(), r); engine.Code(err) != engine.CodeNoSegment {
		t.Errorf("no road near the end: %v", err)
	}
}
