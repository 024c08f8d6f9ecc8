package evplan_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/ev"
	"github.com/waygate/waygate/feature/evplan"
	"github.com/waygate/waygate/feed/charging"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// road returns a straight road of 160 km from a to i with stations at some letters, and
// the service on it.
func road(t *testing.T, stations map[string]charging.Station) (*evplan.Service, *towntest.Town) {
	t.Helper()
	town := towntest.Draw(t, `a-b-c-d-e-f-g-h-i`, towntest.Ways{{"abcdefghi", "primary maxspeed=100"}}, towntest.Cell(10_000))
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	var list []charging.Station
	for at, s := range stations {
		s.ID, s.Name, s.At = at, at, town.Point(at)
		list = append(list, s)
	}
	return &evplan.Service{Engine: e, Mapped: charging.MapOf(list, "the map", nil)}, town
}

func station(kw float64, standard charging.Standard) charging.Station {
	return charging.Station{Points: []charging.Point{{Connectors: []charging.Connector{{Standard: standard, KW: kw}}}}}
}

// journey returns a small car on the road from a to i.
func journey(town *towntest.Town) *evplan.Request {
	return &evplan.Request{
		Locations: []evplan.Location{{Point: town.Point("a")}, {Point: town.Point("i")}}, Options: costing.Settings{}, Vehicle: ev.Usual(),
		Battery: ev.Battery{Capacity: 16_000, Curve: ev.UsualCurve(50_000)}, MostAC: 11_000, MostDC: 50_000,
		Weather: ev.Weather{Temperature: 20}, Start: 0.9, MinStop: 0.1, MinEnd: 0.2, MaxCharge: 0.9, Overhead: 5 * time.Minute, MinCharge: 5 * time.Minute, Corridor: 5000,
	}
}

// holds judges a plan by its own account.
func holds(t *testing.T, r *evplan.Request, a *evplan.Answer) {
	t.Helper()
	if !a.Feasible || len(a.Legs) != len(a.Stops)+1 || a.Summary == nil || a.Reason != nil {
		t.Fatalf("%+v", a)
	}
	if math.Abs(a.Legs[0].Departure-100*r.Start) > 0.1 || a.Summary.Arrival < 100*r.MinEnd-0.1 {
		t.Errorf("from %.1f %% to %.1f %%", a.Legs[0].Departure, a.Summary.Arrival)
	}
	for i, s := range a.Stops {
		if s.Location != nil {
			if s.Arrival < 100*r.Locations[*s.Location].Least-0.1 || s.Charged < 0 {
				t.Errorf("call %d: %+v", i, s)
			}
		} else if s.Arrival < 100*r.MinStop-0.1 || s.Charged <= 0 || s.Charging < r.MinCharge.Seconds()-1 || s.Depart > 100*r.MaxCharge+0.1 {
			t.Errorf("stop %d: %+v", i, s)
		}
		if math.Abs(a.Legs[i].Arrival-s.Arrival) > 0.1 || math.Abs(a.Legs[i+1].Departure-s.Depart) > 0.1 {
			t.Errorf("stop %d does not join its legs", i)
		}
	}
	for i := 1; i < len(a.Profile); i++ {
		if p, q := a.Profile[i-1], a.Profile[i]; q.Metres < p.Metres || q.Charge < 0 || q.Charge > 100 {
			t.Fatalf("profile: %+v then %+v", p, q)
		}
	}
	total := 0.0
	for _, l := range a.Legs {
		total += l.Energy
	}
	if math.Abs(total-a.Summary.Energy) > 0.01 {
		t.Errorf("legs take %.3f kWh and the journey %.3f", total, a.Summary.Energy)
	}
}

func TestPlanStopsWhereItPays(t *testing.T) {
	s, town := road(t, map[string]charging.Station{
		"c": station(50, charging.CCS2), "d": station(22, charging.Type2), "e": station(50, charging.CCS2), "f": station(50, charging.CHAdeMO), "g": station(50, charging.CCS2),
		"h": {Private: true, Points: station(50, charging.CCS2).Points},
	})
	r := journey(town)
	r.Standards = []charging.Standard{charging.CCS2, charging.Type2}
	a, err := s.Plan(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, r, a)
	if len(a.Stops) == 0 || a.Search.Excluded["private"] != 1 || a.Search.Excluded["connector"] != 1 || a.Search.Stations != 6 || len(a.Attribution) != 1 {
		t.Errorf("%d stops, %+v, %v", len(a.Stops), a.Search, a.Attribution)
	}
	for _, stop := range a.Stops {
		if stop.Station.ID == "d" || stop.Station.ID == "f" || stop.Station.ID == "h" {
			t.Errorf("stops at %s", stop.Station.ID)
		}
	}
	r.Battery.Capacity = 80_000
	if a, err = s.Plan(context.Background(), r); err != nil || len(a.Stops) != 0 {
		t.Errorf("a large battery stops: %v %v", a.Stops, err)
	}
	holds(t, r, a)
}

func TestNoPlanSaysWhy(t *testing.T) {
	for name, c := range map[string]struct {
		stations map[string]charging.Station
		change   func(*evplan.Request)
		code     string
		least    float64 // kilometres that the vehicle comes
		most     float64
	}{
		"no station that fits": {map[string]charging.Station{"c": station(50, charging.CHAdeMO)}, func(r *evplan.Request) { r.Standards = []charging.Standard{charging.CCS2} }, "no_stations", 50, 110},
		"none within reach":    {map[string]charging.Station{"e": station(50, charging.CCS2)}, func(r *evplan.Request) { r.Start = 0.3 }, "start_too_low", 5, 40},
		"a gap after the last": {map[string]charging.Station{"b": station(50, charging.CCS2)}, func(r *evplan.Request) { r.Battery.Capacity = 12_000 }, "gap", 50, 130},
		"too little is left":   {map[string]charging.Station{"e": station(50, charging.CCS2)}, func(r *evplan.Request) { r.Battery.Capacity, r.MinEnd = 18_000, 0.9 }, "destination_minimum", 100, 161},
	} {
		s, town := road(t, c.stations)
		r := journey(town)
		c.change(r)
		a, err := s.Plan(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		if a.Feasible || a.Reason == nil || a.Reason.Code != c.code || a.Furthest == nil || a.Furthest.Metres < c.least*1000 || a.Furthest.Metres > c.most*1000 {
			t.Errorf("%s: %v %+v %+v", name, a.Feasible, a.Reason, a.Furthest)
		}
	}
}

// Where the journey calls it charges while it stays, at a charger that is known to
// stand there or that the request has; more than that is asked for on arrival is left there.
func TestCalls(t *testing.T) {
	watts := 50_000.0
	for name, c := range map[string]struct {
		stations map[string]charging.Station
		call     evplan.Location
		stops    int
		charged  bool
		reason   string
	}{
		"no charger, and a stop besides": {map[string]charging.Station{"f": station(50, charging.CCS2)}, evplan.Location{}, 2, false, ""},
		"a charger of the request":       {map[string]charging.Station{"i": station(50, charging.CCS2)}, evplan.Location{Watts: &watts, Dwell: time.Hour}, 1, true, ""},
		"a known station":                {map[string]charging.Station{"e": station(50, charging.CCS2)}, evplan.Location{Dwell: 10 * time.Minute}, 1, true, ""},
		"much is left on arrival":        {map[string]charging.Station{"c": station(50, charging.CCS2), "g": station(50, charging.CCS2)}, evplan.Location{Least: 0.55}, 3, false, ""},
		"too much is to be left":         {map[string]charging.Station{"f": station(50, charging.CCS2)}, evplan.Location{Least: 0.6}, 0, false, "stop_minimum"},
	} {
		t.Run(name, func(t *testing.T) {
			s, town := road(t, c.stations)
			r := journey(town)
			r.Battery.Capacity = 20_000
			call := c.call
			call.Point = town.Point("e")
			r.Locations = []evplan.Location{r.Locations[0], call, r.Locations[1]}
			a, err := s.Plan(context.Background(), r)
			if err != nil {
				t.Fatal(err)
			}
			if c.reason != "" {
				if a.Feasible || a.Reason.Code != c.reason || a.Furthest == nil {
					t.Errorf("%+v", a.Reason)
				}
				return
			}
			holds(t, r, a)
			if len(a.Stops) != c.stops {
				t.Fatalf("%d stops: %+v", len(a.Stops), a.Stops)
			}
			for _, stop := range a.Stops {
				if stop.Location == nil {
					continue
				}
				if *stop.Location != 1 || c.charged != (stop.Charged > 0) || stop.Dwell != call.Dwell.Seconds() {
					t.Errorf("%+v", stop)
				}
				// Who stays for an hour with less than that to charge takes no longer.
				if sum := a.Summary; call.Dwell == time.Hour && (sum.Charging != 0 || math.Abs(sum.Seconds-sum.Driving-3600) > 1 || stop.Charging > 3600 || stop.Depart < 80) {
					t.Errorf("%+v %+v", sum, stop)
				}
			}
		})
	}
}

// A leg uphill takes more than the same downhill, and the profile has heights.
func TestHeightsCount(t *testing.T) {
	s, town := road(t, map[string]charging.Station{"e": station(50, charging.CCS2)})
	west := town.Point("a").Lon
	s.Heights = func(_ context.Context, places []geo.Point) ([]float64, []error, error) {
		metres := make([]float64, len(places))
		for i, p := range places {
			metres[i] = (p.Lon - west) * 300
		}
		return metres, nil, nil
	}
	r := journey(town)
	r.Battery.Capacity = 60_000
	up, err := s.Plan(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, r, up)
	r.Locations[0], r.Locations[1] = r.Locations[1], r.Locations[0]
	down, err := s.Plan(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, r, down)
	if up.Summary.Energy < down.Summary.Energy+2 || up.Profile[0].Height == nil || *up.Legs[0].Ascent < 500 {
		t.Errorf("%.2f kWh up, %.2f down", up.Summary.Energy, down.Summary.Energy)
	}
}

func TestWithoutDirectory(t *testing.T) {
	if _, err := (&evplan.Service{Engine: engine.Unimplemented{}}).Plan(context.Background(), &evplan.Request{}); err != evplan.ErrNone {
		t.Error(err)
	}
}

// slots admits all work and counts it by kind. What is done in it has admitted in its context.
type slots struct{ kinds map[string]int }

type admitted struct{}

func (s *slots) Work(ctx context.Context, e engine.Estimate) (context.Context, func(bool), error) {
	s.kinds[e.Kind]++
	return context.WithValue(ctx, admitted{}, true), func(bool) {}, nil
}

// TestSlots checks that every long part of a plan is done in a slot, where there is no plan
// as where there is one: heights, energies, stations near the way, and every search.
func TestSlots(t *testing.T) {
	s, town := road(t, map[string]charging.Station{"b": station(50, charging.CCS2)})
	s.Heights = func(ctx context.Context, places []geo.Point) ([]float64, []error, error) {
		if ctx.Value(admitted{}) == nil {
			t.Error("heights are looked up without a slot")
		}
		return make([]float64, len(places)), nil, nil
	}
	for _, c := range []struct {
		name     string
		feasible bool
		capacity float64
		searches int // beside those that count in the answer
	}{{"a plan", true, 100_000, 0}, {"none", false, 8_000, 1}} {
		counts := &slots{map[string]int{}}
		r := journey(town)
		r.Standards, r.Battery.Capacity = []charging.Standard{charging.CCS2}, c.capacity
		a, err := s.Plan(engine.WithAdmission(t.Context(), counts), r)
		if err != nil || a.Feasible != c.feasible {
			t.Fatalf("%s: %v, %+v", c.name, err, a)
		}
		if n := counts.kinds["ev-plan"]; n < a.Search.Rounds+c.searches {
			t.Errorf("%s: %d slots for %d searches", c.name, n, a.Search.Rounds+c.searches)
		}
		if counts.kinds["ev-drive"] == 0 || counts.kinds["ev-near"] == 0 || counts.kinds["ev-heights"] == 0 || (counts.kinds["ev-furthest"] == 1) == c.feasible {
			t.Errorf("%s: %v", c.name, counts.kinds)
		}
	}
}

// TestPlanHeedsItsCaller checks that planning ends when its caller has left.
func TestPlanHeedsItsCaller(t *testing.T) {
	s, town := road(t, map[string]charging.Station{"b": station(50, charging.CCS2)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if a, err := s.Plan(ctx, journey(town)); err == nil {
		t.Errorf("%+v", a)
	}
}
