package e2e

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
)

var costings = []string{"auto", "truck", "bus", "motor_scooter", "motorcycle", "bicycle", "pedestrian"}

// profileOf is the word of a costing on the compatible endpoint.
var profileOf = map[string]string{
	"auto": "driving", "truck": "truck", "bus": "bus", "motor_scooter": "scooter", "motorcycle": "motorcycle", "bicycle": "bicycle", "pedestrian": "walking",
}

// lorry returns a British articulated lorry with a load of a tunnel code.
func lorry(code any) map[string]any {
	return map[string]any{
		"dimensions": map[string]any{"height_m": 4.1, "width_m": 2.55, "length_m": 16.5, "gross_weight_t": 38},
		"hazmat":     true, "tunnel_code": code,
	}
}

func TestEveryExample(t *testing.T) {
	t.Parallel()
	g := county(t)
	var facts struct {
		Examples []struct {
			Title, Costing string
			CostingOptions map[string]any `json:"costing_options"`
			ADR            map[string]any
			Points         [][2]float64
		}
	}
	g.get(t, "/explorer.json").ok(t).into(t, &facts)
	for _, e := range facts.Examples {
		t.Run(e.Title, func(t *testing.T) {
			a := ask{"costing": e.Costing}
			var locations []map[string]any
			for _, p := range e.Points {
				locations = append(locations, map[string]any{"lon": p[0], "lat": p[1]})
			}
			a["locations"] = locations
			if e.CostingOptions != nil {
				a["costing_options"] = map[string]any{e.Costing: e.CostingOptions}
			}
			if e.ADR != nil {
				a["adr"] = e.ADR
			}
			if strings.Contains(e.Title, "refused") {
				g.native(t, a).refused(t, http.StatusBadRequest, "upstream-error")
				return
			}
			s := g.route(t, a).Trip.Summary
			toll, ferry := strings.Contains(e.Title, "Over the toll"), strings.Contains(e.Title, "ferry")
			if s.Length < 1 || s.HasToll != (toll || ferry) || s.HasFerry != ferry {
				t.Errorf("%+v", s)
			}
		})
	}
}

func TestLowBridgeIsForCarsOnly(t *testing.T) {
	t.Parallel()
	g := county(t)
	bridge := countyPlace(t, "Low bridge")
	from, to := "Low bridge, west", "Low bridge, east"
	car := g.route(t, between(t, "auto", from, to))
	if d := passes(car.line(t), bridge); d > 20 {
		t.Errorf("the car passes the bridge at %.0f m", d)
	}
	for name, a := range map[string]ask{
		"a lorry as it is": between(t, "truck", from, to),
		"with adr":         between(t, "truck", from, to).with("adr", lorry(nil)),
		"back":             between(t, "truck", to, from),
		"shortest":         between(t, "truck", from, to).options("shortest", true),
		"alternates":       between(t, "truck", from, to).with("alternates", 3),
		"between towns":    between(t, "truck", "Stannerford", "Tarrowmouth"),
	} {
		r := g.route(t, a)
		for i, one := range append([]trip{r}, r.Alternates...) {
			if d := passes(one.line(t), bridge); d < 20 {
				t.Errorf("%s, route %d: a lorry passes at %.0f m from the low bridge", name, i, d)
			}
		}
	}
	if low := g.route(t, between(t, "truck", from, to).options("height", 3.0)); passes(low.line(t), bridge) > 20 {
		t.Error("a lorry of 3.0 m goes round a bridge of 3.4 m")
	}
	// A lorry that would stand in the way of nobody else: on the compatible face.
	a, b := countyPlace(t, from), countyPlace(t, to)
	var both [2]compatibleAnswer
	for i, profile := range []string{"truck", "driving"} {
		g.get(t, fmt.Sprintf("/route/v1/%s/%s;%s?overview=full&geometries=polyline6", profile, a, b)).ok(t).into(t, &both[i])
	}
	if d := passes(both[0].line(t), bridge); d < 20 {
		t.Errorf("compatible: a lorry passes at %.0f m", d)
	}
	if d := passes(both[1].line(t), bridge); d > 20 {
		t.Errorf("compatible: a car passes at %.0f m", d)
	}
}

func TestTunnels(t *testing.T) {
	t.Parallel()
	g := county(t)
	zawn := func(code any) ask { return between(t, "truck", "Marlowick", "Zawn Cove").with("adr", lorry(code)) }

	p := g.native(t, zawn("C")).refused(t, http.StatusBadRequest, "upstream-error")
	if p.ErrorCode != 442 || p.BlockedBy["constraint"] != "adr_tunnel_code" || p.BlockedBy["value"] != "C" || p.BlockedBy["way_id"] == nil || !strings.Contains(p.Detail, "ADR 8.6.4") {
		t.Errorf("a C load: %+v", p)
	}
	a, b := countyPlace(t, "Marlowick"), countyPlace(t, "Zawn Cove")
	refusal := g.get(t, fmt.Sprintf("/route/v1/truck/%s;%s?tunnel_code=C&hazmat=true", a, b)).refused(t, 442, "NoRoute")
	if !strings.Contains(refusal.Message, "ADR 8.6.4") {
		t.Errorf("compatible: %s", refusal.Message)
	}

	for _, code := range []any{"E", "D", "D/E", "(—)"} {
		r := g.route(t, zawn(code))
		if r.ADR == nil || len(r.ADR.Tunnels) != 1 || r.ADR.Tunnels[0].Category != "C" || r.ADR.Tunnels[0].Decision.Status != "allowed" || r.ADR.Tunnels[0].WayID == 0 {
			t.Errorf("%v: %+v", code, r.ADR)
			continue
		}
		if r.ADR.EnforcedBy != "engine" {
			t.Errorf("%v: enforced by %s", code, r.ADR.EnforcedBy)
		}
		if d := passes(r.line(t), countyPlace(t, "Zawn Tunnel")); d > 30 {
			t.Errorf("%v: passes the tunnel at %.0f m", code, d)
		}
	}
	// Dangerous goods without a code count as B.
	for _, code := range []any{"B", "B1000C", "B/D", "C/D", "C5000D", "C/E", nil} {
		g.native(t, zawn(code)).refused(t, http.StatusBadRequest, "upstream-error")
	}

	// The category E tunnel has a pass beside it.
	carn := countyPlace(t, "Carn Tunnel")
	for _, ride := range []ask{between(t, "truck", "Hethercombe", "Marlowick"), between(t, "truck", "Marlowick", "Hethercombe")} {
		free := g.route(t, ride.with("adr", lorry("(—)")))
		if d := passes(free.line(t), carn); d > 30 {
			t.Errorf("a load for which no tunnel is closed passes Carn Tunnel at %.0f m", d)
		}
		if len(free.ADR.Tunnels) != 1 || free.ADR.Tunnels[0].Category != "E" || free.ADR.Tunnels[0].Decision.Status != "allowed" {
			t.Errorf("%+v", free.ADR)
		}
		for _, code := range []string{"E", "D/E", "B"} {
			r := g.route(t, ride.with("adr", lorry(code)))
			if d := passes(r.line(t), carn); d < 30 || len(r.ADR.Tunnels) > 0 {
				t.Errorf("a load of code %s passes the category E tunnel at %.0f m: %+v", code, d, r.ADR.Tunnels)
			}
		}
	}
}

func TestLorryDataConflicts(t *testing.T) {
	t.Parallel()
	g := county(t)
	a := between(t, "truck", "Stannerford", "Port Gwillan").with("adr", lorry("E"))
	p := g.native(t, a.options("height", 3.5)).refused(t, http.StatusBadRequest, "costing-conflict")
	if !strings.Contains(p.Detail, "height is 3.5") || !strings.Contains(p.Detail, "4.1") {
		t.Error(p.Detail)
	}
	g.route(t, a.options("height", 4.1)) // the same twice is agreement
	g.native(t, a.with("costing", "auto")).refused(t, http.StatusBadRequest, "bad-request")
}

func TestTollBridge(t *testing.T) {
	t.Parallel()
	g := county(t)
	bridge := countyPlace(t, "Toll bridge")
	a := between(t, "auto", "Over Thorling", "Pengarrow")
	over := g.route(t, a)
	if d := passes(over.line(t), bridge); d > 30 || !over.Trip.Summary.HasToll {
		t.Fatalf("the quick way passes the bridge at %.0f m, has_toll %v", d, over.Trip.Summary.HasToll)
	}
	for name, a := range map[string]ask{
		"use_tolls 0": a.options("use_tolls", 0), "exclude": a.with("exclude", []string{"tolls"}), "avoid": a.with("avoid", []string{"tolls"}),
		"exclude_tolls": a.options("exclude_tolls", true),
	} {
		r := g.route(t, a)
		if d := passes(r.line(t), bridge); d < 30 || r.Trip.Summary.HasToll || r.Trip.Summary.Length <= over.Trip.Summary.Length {
			t.Errorf("%s: passes the bridge at %.0f m, has_toll %v, %.1f km against %.1f", name, d, r.Trip.Summary.HasToll, r.Trip.Summary.Length, over.Trip.Summary.Length)
		}
		if echoed := r.Avoid != nil; echoed != (name == "exclude" || name == "avoid") {
			t.Errorf("%s: avoid block %+v", name, r.Avoid)
		}
	}
	w, e := countyPlace(t, "Over Thorling"), countyPlace(t, "Pengarrow")
	for _, query := range []string{"avoid_tolls=true", "avoid=tolls", "exclude=tolls"} {
		var c compatibleAnswer
		g.get(t, fmt.Sprintf("/route/v1/driving/%s;%s?overview=full&geometries=polyline6&%s", w, e, query)).ok(t).into(t, &c)
		if d := passes(c.line(t), bridge); d < 30 {
			t.Errorf("%s passes the bridge at %.0f m", query, d)
		}
	}
	for _, conflicting := range []ask{a.with("avoid", []string{"tolls"}).options("use_tolls", 0.7), a.with("avoid", []string{"uturn"}), a.with("avoid", []string{"bridges"})} {
		p := g.native(t, conflicting).refused(t, http.StatusBadRequest, "invalid-avoid")
		if p.Fields["problems"] == nil || p.Fields["supported"] == nil {
			t.Errorf("%+v", p.Fields)
		}
	}
}

func TestFerryAndHighway(t *testing.T) {
	t.Parallel()
	g := county(t)
	ferry := between(t, "auto", "Tarrowmouth", "Port Farrock")
	if s := g.route(t, ferry).Trip.Summary; !s.HasFerry {
		t.Errorf("to an island: %+v", s)
	}
	p := g.native(t, ferry.with("exclude", []string{"ferries"})).refused(t, http.StatusBadRequest, "upstream-error")
	if p.ErrorCode != 442 || p.BlockedBy["constraint"] != "exclude_ferries" {
		t.Errorf("%+v", p)
	}
	if s := g.route(t, ferry.with("avoid", []string{"ferries"})).Trip.Summary; !s.HasFerry {
		t.Error("avoid is a preference: where the ferry is the only way it is taken")
	}
	land := between(t, "auto", "Stannerford", "Port Gwillan")
	motorway := g.route(t, land)
	if s := motorway.Trip.Summary; !s.HasHighway || s.HasFerry {
		t.Errorf("across the county: %+v", s)
	}
	if s := g.route(t, land.with("exclude", []string{"highways"})).Trip.Summary; s.HasHighway || s.Time <= motorway.Trip.Summary.Time {
		t.Errorf("without motorways: %+v", s)
	}
}

func TestStepsAreForFeet(t *testing.T) {
	t.Parallel()
	g := county(t)
	tried := 0
	for _, stairs := range linesOf(t, "steps") {
		ends := []any{at(stairs[0]), at(stairs[len(stairs)-1])}
		walk := g.native(t, ask{"costing": "pedestrian", "locations": ends})
		if walk.status != http.StatusOK {
			t.Errorf("steps at %s: %s", stairs[0], walk)
			continue
		}
		var foot trip
		walk.into(t, &foot)
		middle := stairs[len(stairs)/2]
		if passes(foot.line(t), middle) > 1 {
			continue // another path is as good
		}
		tried++
		for _, costing := range []string{"auto", "bicycle", "motor_scooter"} {
			a := g.native(t, ask{"costing": costing, "locations": ends})
			if a.status != http.StatusOK {
				continue
			}
			var r trip
			a.into(t, &r)
			if along(r.line(t), stairs) {
				t.Errorf("%s goes by the steps at %s", costing, stairs[0])
			}
		}
	}
	if tried == 0 {
		t.Error("nobody walked on steps")
	}
}

// along reports whether a line follows another for its whole length.
func along(line, other []geo.Point) bool {
	for _, p := range other {
		if passes(line, p) > 1 {
			return false
		}
	}
	return true
}

// linesOf returns the geometry of ways that show a feature of the county.
func linesOf(t *testing.T, feature string) [][]geo.Point {
	t.Helper()
	s := generated()
	ids := map[int64]bool{}
	for _, f := range s.Features {
		if f.Name == feature {
			for _, ref := range f.Refs {
				ids[ref.ID] = true
			}
		}
	}
	nodes := map[int64]geo.Point{}
	for i := range s.Data.Nodes {
		n := &s.Data.Nodes[i]
		nodes[n.ID] = geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point()
	}
	var lines [][]geo.Point
	for i := range s.Data.Ways {
		if w := &s.Data.Ways[i]; ids[w.ID] {
			var line []geo.Point
			for _, n := range w.Nodes {
				line = append(line, nodes[n])
			}
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		t.Fatalf("the county has no %s", feature)
	}
	return lines
}

func TestAlternates(t *testing.T) {
	t.Parallel()
	g := county(t)
	r := g.route(t, between(t, "auto", "Stannerford", "Tarrowmouth").with("alternates", 2))
	if n := len(r.Alternates); n < 1 || n > 2 {
		t.Fatalf("%d alternates", n)
	}
	best := r.line(t)
	for i, other := range r.Alternates {
		line := other.line(t)
		if along(best, line) {
			t.Errorf("alternate %d is the route itself", i)
		}
		if other.Trip.Summary.Time < r.Trip.Summary.Time*0.95 {
			t.Errorf("alternate %d takes %.0f s, the route %.0f s", i, other.Trip.Summary.Time, r.Trip.Summary.Time)
		}
	}
	r = g.route(t, between(t, "auto", "Stannerford", "Tarrowmouth", "Port Gwillan").with("alternates", 2))
	if n := len(r.Alternates); n < 1 || n > 2 || len(r.Warnings) > 0 {
		t.Errorf("with three locations: %d alternates, warnings %v", n, r.Warnings)
	}
	for i, other := range r.Alternates {
		if len(other.Trip.Legs) != 2 || other.Trip.Legs[0].Shape == r.Trip.Legs[0].Shape && other.Trip.Legs[1].Shape == r.Trip.Legs[1].Shape {
			t.Errorf("alternate %d over three locations has %d legs, or is the route itself", i, len(other.Trip.Legs))
		}
	}
}

func TestUnits(t *testing.T) {
	t.Parallel()
	g := county(t)
	a := between(t, "auto", "Stannerford", "Port Gwillan")
	metric, imperial := g.route(t, a), g.route(t, a.with("units", "miles"))
	if metric.Trip.Units != "kilometers" || imperial.Trip.Units != "miles" {
		t.Errorf("%s, %s", metric.Trip.Units, imperial.Trip.Units)
	}
	near(t, "miles", imperial.Trip.Summary.Length*1.609344, metric.Trip.Summary.Length, 0.001)
	near(t, "time", imperial.Trip.Summary.Time, metric.Trip.Summary.Time, 0)
	for i, m := range metric.Trip.Legs[0].Maneuvers {
		if d := m.Length - imperial.Trip.Legs[0].Maneuvers[i].Length*1.609344; math.Abs(d) > 0.002 {
			t.Errorf("manoeuvre %d: %.3f km", i, m.Length)
		}
	}
}

func near(t *testing.T, what string, got, want, share float64) {
	t.Helper()
	if math.Abs(got-want) > share*math.Abs(want)+1e-9 {
		t.Errorf("%s: %g and %g are further apart than %g", what, got, want, share)
	}
}

// compatibleAnswer is an answer of the compatible endpoint.
type compatibleAnswer struct {
	Code   string
	Routes []struct {
		Distance, Duration float64
		Geometry           string
		Legs               []struct {
			Distance, Duration float64
			Steps              []struct {
				Distance, Duration float64
				Mode, Name         string
				Maneuver           struct{ Type, Modifier string }
			}
		}
	}
	Waypoints []struct {
		Name     string
		Location [2]float64
	}
}

func (c *compatibleAnswer) line(t *testing.T) []geo.Point {
	t.Helper()
	line, err := geo.DecodePolyline(c.Routes[0].Geometry, 6)
	if err != nil {
		t.Fatal(err)
	}
	return line
}

func towns(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, p := range generated().Places {
		if p.About == "centre of the town" {
			all = append(all, p.Name)
		}
	}
	if len(all) < 2 {
		t.Fatal("the county has no towns")
	}
	return all
}

// Every way of travel joins every pair of towns, and both faces report the same
// of it.
func TestAllTownsByEveryCosting(t *testing.T) {
	t.Parallel()
	g := county(t)
	all := towns(t)
	for _, costing := range costings {
		t.Run(costing, func(t *testing.T) {
			for _, from := range all {
				for _, to := range all {
					if from == to {
						continue
					}
					r := g.route(t, between(t, costing, from, to))
					checkTrip(t, fmt.Sprintf("%s from %s to %s", costing, from, to), &r, countyPlace(t, from), countyPlace(t, to))
					var c compatibleAnswer
					g.get(t, fmt.Sprintf("/route/v1/%s/%s;%s?steps=true", profileOf[costing], countyPlace(t, from), countyPlace(t, to))).ok(t).into(t, &c)
					near(t, "distance of "+from+"-"+to, c.Routes[0].Distance, r.Trip.Summary.Length*1000, 0.01)
					near(t, "duration of "+from+"-"+to, c.Routes[0].Duration, r.Trip.Summary.Time, 0.01)
					var distance, duration float64
					for _, s := range c.Routes[0].Legs[0].Steps {
						distance, duration = distance+s.Distance, duration+s.Duration
					}
					near(t, "steps' distance", distance, c.Routes[0].Distance, 0.001)
					near(t, "steps' duration", duration, c.Routes[0].Duration, 0.005)
				}
			}
		})
	}
}

// checkTrip checks what must hold of any trip.
func checkTrip(t *testing.T, what string, r *trip, from, to geo.Point) {
	t.Helper()
	s := r.Trip.Summary
	line := r.line(t)
	if d := geo.Distance(line[0], from); d > 300 {
		t.Errorf("%s begins %.0f m off", what, d)
	}
	if d := geo.Distance(line[len(line)-1], to); d > 300 {
		t.Errorf("%s ends %.0f m off", what, d)
	}
	near(t, what+": length of its line", geo.Length(line)/1000, s.Length, 0.005)
	var length, time float64
	for _, l := range r.Trip.Legs {
		for _, m := range l.Maneuvers {
			length, time = length+m.Length, time+m.Time
			if m.Instruction == "" || strings.Contains(m.Instruction, "<") || strings.Contains(m.Instruction, "  ") {
				t.Errorf("%s: instruction %q", what, m.Instruction)
			}
		}
	}
	near(t, what+": lengths of its manoeuvres", length, s.Length, 0.005)
	near(t, what+": times of its manoeuvres", time, s.Time, 0.005)
	if kmh := s.Length / s.Time * 3600; kmh < 2 || kmh > 130 {
		t.Errorf("%s at %.0f km/h", what, kmh)
	}
}

func TestManyLocations(t *testing.T) {
	t.Parallel()
	g := county(t)
	stops := []string{"Stannerford", "Tarrowmouth", "Toll bridge, west", "Toll bridge, east", "Port Gwillan", "Marlowick"}
	r := g.route(t, between(t, "auto", stops...))
	if len(r.Trip.Legs) != len(stops)-1 || len(r.Trip.Locations) != len(stops) {
		t.Fatalf("%d legs, %d locations", len(r.Trip.Legs), len(r.Trip.Locations))
	}
	checkTrip(t, "round the county", &r, countyPlace(t, stops[0]), countyPlace(t, stops[len(stops)-1]))
	var length, time float64
	for _, l := range r.Trip.Legs {
		length, time = length+l.Summary.Length, time+l.Summary.Time
	}
	near(t, "legs' length", r.Trip.Summary.Length, length, 0.001)
	near(t, "legs' time", r.Trip.Summary.Time, time, 0.001)

	line := r.line(t)
	for _, kind := range []string{"through", "via", "break_through"} {
		a := between(t, "auto", stops...)
		locations := a["locations"].([]map[string]any)
		for i := 1; i < len(stops)-1; i++ {
			locations[i]["type"] = kind
		}
		passed := g.route(t, a)
		want := 1
		if kind == "break_through" {
			want = len(stops) - 1
		}
		if len(passed.Trip.Legs) != want {
			t.Errorf("%s: %d legs, want %d", kind, len(passed.Trip.Legs), want)
		}
		for _, name := range stops {
			if d := passes(passed.line(t), countyPlace(t, name)); d > passes(line, countyPlace(t, name))+5 && d > 50 {
				t.Errorf("%s: passes %s at %.0f m", kind, name, d)
			}
		}
		if passed.Trip.Summary.Length < r.Trip.Summary.Length*0.999 {
			t.Errorf("%s: %.2f km, shorter than with stops (%.2f km)", kind, passed.Trip.Summary.Length, r.Trip.Summary.Length)
		}
	}

	// Fifty locations, the most there may be, go both ways.
	all := towns(t)
	var fifty []string
	for i := range 50 {
		fifty = append(fifty, all[i%len(all)])
	}
	if r := g.route(t, between(t, "auto", fifty...)); len(r.Trip.Legs) != 49 {
		t.Errorf("%d legs of 49", len(r.Trip.Legs))
	}
}

func TestSameLocationTwice(t *testing.T) {
	t.Parallel()
	g := county(t)
	for _, costing := range costings {
		r := g.route(t, between(t, costing, "Stannerford", "Stannerford"))
		if s := r.Trip.Summary; s.Length > 0.05 || s.Time > 60 {
			t.Errorf("%s from a place to itself: %+v", costing, s)
		}
	}
}
