package zones_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/zones"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/index/zone"
)

var london = func() *time.Location {
	l, err := time.LoadLocation("Europe/London")
	if err != nil {
		panic(err)
	}
	return l
}()

func at(text string) time.Time {
	t, err := time.ParseInLocation(engine.TimeForm, text, london)
	if err != nil {
		panic(err)
	}
	return t
}

func square(west, south, side float64) *zone.Geometry {
	return &zone.Geometry{Polygons: []geo.Polygon{{{{Lon: west, Lat: south}, {Lon: west + side, Lat: south}, {Lon: west + side, Lat: south + side}, {Lon: west, Lat: south + side}}}}}
}

func amount(v float64) *float64 { return &v }

// scheme charges old cars by day, bans old lorries at all times, and lets
// motorcycles go.
func scheme() zone.Zone {
	source := zone.Source{Publisher: "Town Council", URL: "https://example.org/zone", Licence: "OGL-UK-3.0", Checked: "2026-10-01"}
	return zone.Zone{
		ID: "town", Name: "Town Zone", Country: "GB", TimeZone: "Europe/London",
		Rules: []zone.Rule{
			{Effect: "free", Vehicles: []string{"hgv"}, Fuels: []string{"diesel"}, Until: "2026-11-30"},
			{Effect: "ban", Vehicles: []string{"hgv"}, Fuels: []string{"diesel", "petrol"}, MinimumEuro: map[string]int{"diesel": 6}},
			{Effect: "charge", Vehicles: []string{"car"}, Fuels: []string{"petrol", "diesel"}, MinimumEuro: map[string]int{"petrol": 4, "diesel": 6}, Hours: "Mo-Fr 07:00-18:00; PH off", Amount: amount(10), Currency: "GBP", Per: "day"},
			{Effect: "charge", Vehicles: []string{"van"}},
		},
		Charges: &source, Boundary: zone.Boundary{Source: source, Geometry: square(0, 51, 0.1)},
	}
}

func TestJudge(t *testing.T) {
	z := scheme()
	holidays := func(day time.Time) hours.Fact {
		if day.Format("01-02") == "12-25" {
			return hours.Yes
		}
		return hours.No
	}
	diesel := func(category string, euro int) *zones.Vehicle {
		return &zones.Vehicle{Category: category, Fuel: "diesel", Euro: euro}
	}
	for name, c := range map[string]struct {
		vehicle *zones.Vehicle
		at      string
		verdict zones.Verdict
		reason  zones.Reason
	}{
		"an old car by day":       {diesel("car", 5), "2026-11-24T08:00", zones.Charged, zones.ByRule},
		"at night":                {diesel("car", 5), "2026-11-24T06:59", zones.Free, zones.OutsideHours},
		"on Sunday":               {diesel("car", 5), "2026-11-22T12:00", zones.Free, zones.OutsideHours},
		"on a holiday":            {diesel("car", 5), "2026-12-25T12:00", zones.Free, zones.OutsideHours},
		"clean enough":            {diesel("car", 6), "2026-11-24T08:00", zones.Free, zones.StandardMet},
		"electric":                {&zones.Vehicle{Category: "car", Fuel: "electric"}, "2026-11-24T08:00", zones.Free, zones.NotCovered},
		"a motorcycle":            {diesel("motorcycle", 1), "2026-11-24T08:00", zones.Free, zones.NotCovered},
		"a lorry still exempt":    {diesel("hgv", 5), "2026-11-30T23:00", zones.Free, zones.ByRule},
		"a lorry no longer":       {diesel("hgv", 5), "2026-12-01T03:00", zones.Banned, zones.ByRule},
		"a petrol lorry":          {&zones.Vehicle{Category: "hgv", Fuel: "petrol", Euro: 6}, "2026-12-01T03:00", zones.Banned, zones.ByRule},
		"a van whatever it burns": {&zones.Vehicle{Category: "van", Fuel: "electric"}, "2026-12-01T03:00", zones.Charged, zones.ByRule},
		"nobody said what":        {nil, "2026-12-01T03:00", zones.Unknown, zones.NoVehicle},
	} {
		j := zones.Judge(&z, c.vehicle, at(c.at), holidays)
		if j.Verdict != c.verdict || j.Reason != c.reason {
			t.Errorf("%s: %s, %s; want %s, %s", name, j.Verdict, j.Reason, c.verdict, c.reason)
		}
	}
	if j := zones.Judge(&z, diesel("car", 5), at("2026-12-25T12:00"), nil); j.Verdict != zones.Unknown || j.Reason != zones.HoursUnknown {
		t.Errorf("without holidays: %s, %s", j.Verdict, j.Reason)
	}
	z.Rules = nil
	if j := zones.Judge(&z, diesel("car", 1), at("2026-11-24T08:00"), nil); j.Reason != zones.NoRules {
		t.Errorf("without rules: %s", j.Reason)
	}
}

func TestBetween(t *testing.T) {
	z, car := scheme(), &zones.Vehicle{Category: "car", Fuel: "diesel", Euro: 5}
	none := func(time.Time) hours.Fact { return hours.No }
	j, since := zones.Between(&z, car, at("2026-11-24T06:30"), at("2026-11-24T07:10"), none)
	if j.Verdict != zones.Charged || !since.Equal(at("2026-11-24T07:00")) {
		t.Errorf("in the zone when it begins: %s since %v", j.Verdict, since)
	}
	if j, _ := zones.Between(&z, car, at("2026-11-24T18:00"), at("2026-11-25T06:59"), none); j.Verdict != zones.Free {
		t.Errorf("by night: %s", j.Verdict)
	}
	lorry := &zones.Vehicle{Category: "hgv", Fuel: "diesel", Euro: 5}
	if j, since := zones.Between(&z, lorry, at("2026-11-30T23:00"), at("2026-12-01T01:00"), none); j.Verdict != zones.Banned || !since.Equal(at("2026-12-01T00:00")) {
		t.Errorf("over the end of an exemption: %s since %v", j.Verdict, since)
	}
}

func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*zone.Zone)
		want   string // "" is nothing wrong
	}{
		"as it is":             {func(*zone.Zone) {}, ""},
		"no source":            {func(z *zone.Zone) { z.Charges = nil }, "charges is missing"},
		"a source without URL": {func(z *zone.Zone) { z.Boundary.URL = "" }, "boundary.url"},
		"never checked":        {func(z *zone.Zone) { z.Charges.Checked = "recently" }, "charges.checked"},
		"Euro 7":               {func(z *zone.Zone) { z.Rules[1].MinimumEuro["diesel"] = 7 }, "is 7 for diesel: 1 to 6"},
		"a strange vehicle":    {func(z *zone.Zone) { z.Rules[0].Vehicles = []string{"tram"} }, `has "tram"`},
		"hours nobody reads":   {func(z *zone.Zone) { z.Rules[2].Hours = "daily" }, "rules[2].hours"},
		"an amount of nothing": {func(z *zone.Zone) { z.Rules[2].Amount = amount(0) }, "is 0: above 0"},
		"no currency":          {func(z *zone.Zone) { z.Rules[2].Currency = "" }, "currency"},
		"no boundary":          {func(z *zone.Zone) { z.Boundary.Geometry = nil }, "neither geometry nor"},
		"a bow": {func(z *zone.Zone) {
			r := z.Boundary.Geometry.Polygons[0][0]
			r[1], r[2] = r[2], r[1]
		}, "crosses itself at lat 51.05"},
		"swapped": {func(z *zone.Zone) {
			for i, p := range z.Boundary.Geometry.Polygons[0][0] {
				z.Boundary.Geometry.Polygons[0][0][i] = geo.Point{Lon: p.Lat, Lat: p.Lon}
			}
		}, "the two swapped lie in"},
		"another country": {func(z *zone.Zone) { z.TimeZone = "Europe/Berlin" }, "outside the time zone Europe/Berlin"},
		"no time zone":    {func(z *zone.Zone) { z.TimeZone = "BST" }, "time_zone"},
	} {
		z := scheme()
		charges := *z.Charges
		z.Charges = &charges
		c.change(&z)
		problems, _ := zones.Check([]zone.Zone{z})
		var all []string
		for _, p := range problems {
			all = append(all, p.String())
		}
		if got := strings.Join(all, "\n"); (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	z := scheme()
	z.Boundary.Geometry.Polygons = append(z.Boundary.Geometry.Polygons, square(0.5, 51, 1e-8).Polygons...)
	if problems, let := zones.Check([]zone.Zone{z, z}); let.Slivers != 1 || len(problems) != 1 || problems[0].Where != "id" {
		t.Errorf("a sliver and a doubled id: %+v, %v", let, problems)
	}
}

// straight returns a route of an hour along a latitude.
func straight(from, to float64) engine.Route {
	leg := engine.Leg{Sums: engine.Sums{Seconds: 3600}, Line: []geo.Point{{Lon: from, Lat: 51.05}, {Lon: (from + to) / 2, Lat: 51.05}, {Lon: to, Lat: 51.05}}}
	return engine.Route{Sums: leg.Sums, Legs: []engine.Leg{leg}}
}

func TestAlong(t *testing.T) {
	x := zone.NewIndex(zone.Place([]zone.Zone{scheme()}, false))
	s := &zones.Service{Holidays: func(string, string) hours.Holidays { return func(time.Time) hours.Fact { return hours.No } }}
	car := &zones.Vehicle{Category: "car", Fuel: "diesel", Euro: 5}
	when := func(kind engine.TimeType, text string) *engine.When {
		local, _ := time.Parse(engine.TimeForm, text)
		return &engine.When{Type: kind, Local: local}
	}
	for name, c := range map[string]struct {
		when    *engine.When
		verdict zones.Verdict
		enters  string
	}{
		// The zone is the second half of the hour.
		"arrives there by day":   {when(engine.Depart, "2026-11-24T06:31"), zones.Charged, "2026-11-24T07:01:00Z"},
		"leaves it before":       {when(engine.Depart, "2026-11-24T05:50"), zones.Free, "2026-11-24T06:20:00Z"},
		"while it begins":        {when(engine.Depart, "2026-11-24T06:10"), zones.Charged, "2026-11-24T06:40:00Z"},
		"by the time of arrival": {when(engine.Arrive, "2026-11-24T18:20"), zones.Charged, "2026-11-24T17:50:00Z"},
		"time stands still":      {when(engine.Invariant, "2026-11-24T06:50"), zones.Free, "2026-11-24T06:50:00Z"},
	} {
		b := s.Along(x, car, c.when, []engine.Route{straight(-0.1, 0.1)})
		if b == nil || len(b.Zones) != 1 || b.Zones[0].Verdict != c.verdict || b.Zones[0].Passages[0].Enters != c.enters {
			t.Errorf("%s: %+v", name, b)
		}
	}
	b := s.Along(x, car, when(engine.Depart, "2026-11-24T08:00"), []engine.Route{straight(-1, -0.5), straight(0.05, 1)})
	if len(b.Zones) != 1 || b.Zones[0].Route != 1 || !b.Zones[0].Starts || b.Zones[0].Ends || len(b.Charges) != 0 {
		t.Errorf("an alternate that begins in it: %+v", b)
	}
	if b := s.Along(x, car, nil, []engine.Route{straight(-1, -0.5)}); b != nil {
		t.Errorf("a route that crosses none: %+v", b)
	}
}

// Legs join in one point, and one that leads nowhere has its point twice: neither moves
// where a zone is entered and left.
func TestAlongLegs(t *testing.T) {
	x := zone.NewIndex(zone.Place([]zone.Zone{scheme()}, false))
	s := &zones.Service{Holidays: func(string, string) hours.Holidays { return func(time.Time) hours.Fact { return hours.No } }}
	car := &zones.Vehicle{Category: "car", Fuel: "diesel", Euro: 5}
	legs := engine.Route{}
	for _, part := range [][2]float64{{-0.3, -0.2}, {-0.2, -0.2}, {-0.2, 0.02}, {0.02, 0.02}, {0.02, 0.4}} {
		r := straight(part[0], part[1])
		legs.Legs = append(legs.Legs, r.Legs...)
		legs.Seconds += r.Seconds
	}
	depart := &engine.When{Type: engine.Depart, Local: at("2026-11-24T08:00")}
	one, many := s.Along(x, car, depart, []engine.Route{straight(-0.3, 0.4)}), s.Along(x, car, depart, []engine.Route{legs})
	if one == nil || many == nil || len(one.Zones) != 1 || len(many.Zones) != 1 || len(one.Zones[0].Passages) != 1 || len(many.Zones[0].Passages) != 1 {
		t.Fatalf("in one leg %+v, in five %+v", one, many)
	}
	p, q := one.Zones[0].Passages[0], many.Zones[0].Passages[0]
	if math.Abs(p.Enter-q.Enter) > 1 || math.Abs(p.Leave-q.Leave) > 1 || p.Leave-p.Enter < 1000 {
		t.Errorf("in one leg from %.1f to %.1f m, in five from %.1f to %.1f", p.Enter, p.Leave, q.Enter, q.Leave)
	}
	// It is entered after ten elevenths of the third hour.
	if q.Enters < "2026-11-24T10:53" || q.Enters > "2026-11-24T10:55" {
		t.Errorf("entered at %s", q.Enters)
	}
}

func TestAvoid(t *testing.T) {
	mapped := zone.Zone{ID: "osm:r1", TimeZone: "Europe/London", Boundary: zone.Boundary{Geometry: square(1, 51, 0.1)}}
	x := zone.NewIndex(zone.Place([]zone.Zone{scheme()}, false), zone.Place([]zone.Zone{mapped}, true))
	s := &zones.Service{Holidays: func(string, string) hours.Holidays { return func(time.Time) hours.Fact { return hours.No } }, Now: func() time.Time { return at("2026-11-24T06:30") }}
	car := &zones.Vehicle{Category: "car", Fuel: "diesel", Euro: 5}
	far := []geo.Point{{Lon: -0.1, Lat: 51.05}, {Lon: 0.2, Lat: 51.05}}
	if a := s.Avoid(x, car, nil, far); len(a.Areas) != 1 || a.Areas[0].Name != "town" || len(a.Inside) != 0 {
		t.Errorf("half an hour before it begins: %+v", a)
	}
	night, _ := time.Parse(engine.TimeForm, "2026-11-24T20:00")
	if a := s.Avoid(x, car, &engine.When{Type: engine.Depart, Local: night}, far); len(a.Areas) != 0 {
		t.Errorf("in the evening: %+v", a)
	}
	if a := s.Avoid(x, car, nil, append(far, geo.Point{Lon: 0.05, Lat: 51.05})); len(a.Areas) != 0 || len(a.Inside) != 1 || a.Inside[0] != (zones.Inside{Zone: "town", Location: 2}) {
		t.Errorf("to a place in it: %+v", a)
	}
	if a := s.Avoid(x, &zones.Vehicle{Category: "car", Fuel: "electric"}, nil, far); len(a.Areas) != 0 {
		t.Errorf("an electric car: %+v", a)
	}
}
