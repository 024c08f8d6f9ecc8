package route_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/geo"
)

func TestProgress(t *testing.T) {
	g, town := apitest.Drawn(t)
	a, b, d := town.Point("a"), town.Point("b"), town.Point("d")
	plan := `"encoded_polyline":"` + strings.ReplaceAll(geo.EncodePolyline([]geo.Point{a, b, town.Point("c"), d}, 6), `\`, `\\`) + `"`
	total := geo.Distance(a, b) + geo.Distance(b, town.Point("c")) + geo.Distance(town.Point("c"), d)
	for _, c := range []struct {
		name, body string
		behind     float64
		off        bool
		by         float64
	}{
		{"at the start", plan + `,"position":` + apitest.At(a), 0, false, 0},
		{"half-way to b", plan + `,"position":` + apitest.At(town.Between("a", "b", 0.5)), geo.Distance(a, b) / 2, false, 0},
		{"at the end", plan + `,"position":` + apitest.At(d), total, false, 0},
		{"points in place of a polyline", `"shape":[` + apitest.At(a) + `,` + apitest.At(d) + `],"position":` + apitest.At(b), geo.Distance(a, b), false, 0},
		{"origin and destination", `"origin":` + apitest.At(a) + `,"destination":` + apitest.At(d) + `,"position":` + apitest.At(b), geo.Distance(a, b), false, 0},
		{"beside the road", plan + `,"position":` + apitest.At(geo.Destination(b, 0, 30)), geo.Distance(a, b), false, 30},
		{"off the road", plan + `,"position":` + apitest.At(geo.Destination(b, 0, 60)), geo.Distance(a, b), true, 60},
		{"far off, by its own bound", plan + `,"off_route_threshold_m":100,"position":` + apitest.At(geo.Destination(b, 0, 60)), geo.Distance(a, b), false, 60},
		{"all behind", plan + `,"travelled_m":1e6,"position":` + apitest.At(d), total, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := g.Send("POST", "/route/progress", `{"at":"2026-05-01T10:00:00Z",`+c.body+`}`)
			if r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "1" {
				t.Fatalf("%d %s", r.Status, r.Body)
			}
			if !apitest.Near(r.At(t, "travelled_m"), c.behind) || !apitest.Near(r.At(t, "plan_remaining_m"), total-c.behind) || !apitest.Near(r.At(t, "plan_distance_m"), total) {
				t.Errorf("want %.0f of %.0f m behind: %s", c.behind, total, r.Body)
			}
			if f := r.At(t, "progress_fraction").(float64); math.Abs(f-c.behind/total) > 0.01 {
				t.Errorf("the fraction is %g, want %g", f, c.behind/total)
			}
			if r.At(t, "off_route") != c.off || !apitest.Near(r.At(t, "off_route_distance_m"), c.by) {
				t.Errorf("want off the route %v by %.0f m: %s", c.off, c.by, r.Body)
			}
			if !apitest.Near(r.At(t, "remaining_distance_m"), total-c.behind) {
				t.Errorf("want %.0f m to go: %s", total-c.behind, r.Body)
			}
			eta, err := time.Parse(time.RFC3339, r.At(t, "eta").(string))
			took := eta.Sub(time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)).Seconds()
			if err != nil || !apitest.Near(r.At(t, "remaining_duration_s"), took) {
				t.Errorf("the ETA is %v after the position: %s", took, r.Body)
			}
			if fmt.Sprint(r.At(t, "traffic", "sources")) != "[default]" || r.At(t, "traffic", "live") != false || r.At(t, "traffic", "covered_pct") != 0.0 {
				t.Errorf("traffic is %v", r.At(t, "traffic"))
			}
		})
	}
}

// TestProgressKeepsToThePlan has a plan that no fastest route follows, and one
// that passes a place twice.
func TestProgressKeepsToThePlan(t *testing.T) {
	g, town := apitest.Drawn(t)
	line := func(places string) string {
		var list []string
		for _, p := range places {
			list = append(list, apitest.At(town.Point(string(p))))
		}
		return `"shape":[` + strings.Join(list, ",") + `]`
	}
	r := g.Send("POST", "/route/progress", `{`+line("abefcd")+`,"position":`+apitest.At(town.Between("a", "b", 0.5))+`}`)
	if r.At(t, "remaining_follows_plan") != true || !apitest.Near(r.At(t, "remaining_distance_m"), r.At(t, "plan_remaining_m").(float64)) {
		t.Errorf("the rest of the plan is left aside: %s", r.Body)
	}
	out := g.Send("POST", "/route/progress", `{`+line("abef")+`,"position":`+apitest.At(town.Between("a", "b", 0.25), `,"heading":90`)+`}`)
	there := `{` + line("bcb") + `,"position":` + apitest.At(town.Between("b", "c", 0.25), `,"heading":%d`) + `}`
	if out.Status != 200 {
		t.Fatalf("%s", out.Body)
	}
	way := geo.Distance(town.Point("b"), town.Point("c"))
	for heading, want := range map[int]float64{90: way / 4, 270: way * 7 / 4} {
		if r := g.Send("POST", "/route/progress", fmt.Sprintf(there, heading)); !apitest.Near(r.At(t, "travelled_m"), want) {
			t.Errorf("heading %d: want %.0f m behind: %s", heading, want, r.Body)
		}
	}
}

func TestProgressRefusals(t *testing.T) {
	g, town := apitest.Drawn(t)
	a, d := apitest.At(town.Point("a")), apitest.At(town.Point("d"))
	ends := `"origin":` + a + `,"destination":` + d
	for name, c := range map[string]struct{ body, slug, says string }{
		"no plan":               {`"position":` + a, "bad-request", "is missing: the plan is given by one of"},
		"no position":           {ends, "bad-request", "current_position: is missing"},
		"two plans":             {ends + `,"shape":[` + a + `,` + d + `],"position":` + a, "bad-request", "origin and destination: stands beside shape"},
		"two lines":             {`"encoded_polyline":"__c~@_c~@??","shape":[` + a + `,` + d + `],"position":` + a, "bad-request", "shape: stands beside encoded_polyline"},
		"an origin only":        {`"origin":` + a + `,"position":` + a, "bad-request", "destination: is missing"},
		"one point":             {`"shape":[` + a + `],"position":` + a, "bad-request", "shape"},
		"a broken polyline":     {`"encoded_polyline":"~","position":` + a, "bad-request", "encoded_polyline: is not a polyline"},
		"a polyline of a point": {`"encoded_polyline":"??","position":` + a, "bad-request", "1 of at least two"},
		"a heading of 400":      {ends + `,"position":` + apitest.At(town.Point("a"), `,"heading":400`), "bad-request", "position.heading"},
		"a threshold of 0":      {ends + `,"position":` + a + `,"off_route_threshold_m":0.5`, "bad-request", "off_route_threshold_m"},
		"a time that is none":   {ends + `,"position":` + a + `,"at":"tomorrow"`, "bad-request", "at"},
		"a time without clocks": {ends + `,"position":` + a + `,"at":"9999-12-31T23:59:59Z"`, "bad-request", "at: must be"},
		"a destination at sea":  {`"origin":` + a + `,"destination":{"lat":40,"lon":-30},"position":` + a, "upstream-error", "destination: "},
		"an origin at sea":      {`"destination":` + a + `,"origin":{"lat":40,"lon":-30},"position":` + a, "upstream-error", "origin: "},
		"a traveller at sea":    {ends + `,"position":{"lat":40,"lon":-30}`, "upstream-error", "position: "},
	} {
		t.Run(name, func(t *testing.T) {
			r := g.Send("POST", "/route/progress", `{`+c.body+`}`)
			if p := r.Problem(t, 400, c.slug); !strings.Contains(p["detail"].(string), c.says) {
				t.Errorf("%v, want %q", p["detail"], c.says)
			}
			if units := r.Header.Get("X-Svc-Quota-Units"); units != "" {
				t.Errorf("a refusal costs %s units", units)
			}
		})
	}
}

// TestProgressByTheFamilysNames checks that geometry_polyline6 and current_position are taken
// as encoded_polyline and position are, that both names may say the same, and the answer to a
// traveller who has arrived.
func TestProgressByTheFamilysNames(t *testing.T) {
	g, town := apitest.Drawn(t)
	encoded := strings.ReplaceAll(geo.EncodePolyline([]geo.Point{town.Point("a"), town.Point("b"), town.Point("c"), town.Point("d")}, 6), `\`, `\\`)
	half, end := apitest.At(town.Between("a", "d", 0.5)), apitest.At(town.Point("d"))
	const at = `"at":"2026-05-01T10:00:00Z",`
	older := g.Send("POST", "/route/progress", `{`+at+`"encoded_polyline":"`+encoded+`","position":`+half+`}`)
	for _, body := range []string{
		`"geometry_polyline6":"` + encoded + `","current_position":` + half,
		`"geometry_polyline6":"` + encoded + `","encoded_polyline":"` + encoded + `","position":` + half + `,"current_position":` + half,
	} {
		if r := g.Send("POST", "/route/progress", `{`+at+body+`}`); r.Status != 200 || string(r.Body) != string(older.Body) {
			t.Errorf("%s: %d %s, but %s", body, r.Status, r.Body, older.Body)
		}
	}
	if older.At(t, "arrived") != false || older.At(t, "method") != "nearest" {
		t.Errorf("half-way: %s", older.Body)
	}
	for where, arrived := range map[string]bool{
		end: true, apitest.At(geo.Destination(town.Point("d"), 0, 40)): true, apitest.At(geo.Destination(town.Point("d"), 0, 60)): false,
		apitest.At(geo.Destination(town.Point("d"), 270, 25)): true, apitest.At(geo.Destination(town.Point("d"), 270, 45)): false,
	} {
		if r := g.Send("POST", "/route/progress", `{"geometry_polyline6":"`+encoded+`","current_position":`+where+`}`); r.At(t, "arrived") != arrived {
			t.Errorf("at %s: %s", where, r.Body)
		}
	}
	if r := g.Send("POST", "/route/progress", `{"geometry_polyline6":"`+encoded+`","current_position":`+apitest.At(town.Between("a", "b", 0.5), `,"heading":90`)+`}`); r.At(t, "method") != "heading" {
		t.Errorf("with a heading: %s", r.Body)
	}
}

// TestProgressByTrace has a plan that goes out and back, with traces from which the way out
// and the way back can be told apart, and traces from which they cannot.
func TestProgressByTrace(t *testing.T) {
	g, town := apitest.Drawn(t)
	way := geo.Distance(town.Point("b"), town.Point("c"))
	line := `"shape":[` + apitest.At(town.Point("b")) + `,` + apitest.At(town.Point("c")) + `,` + apitest.At(town.Point("b")) + `]`
	timed := func(share float64, second int) string {
		return apitest.At(town.Between("b", "c", share), fmt.Sprintf(`,"time":%d`, second))
	}
	here := `,"current_position":` + apitest.At(town.Between("b", "c", 0.25))
	for name, c := range map[string]struct {
		trace, method string
		behind        float64
		warned        bool
	}{
		"out":             {timed(0.05, 0) + `,` + timed(0.15, 10), "trace", way / 4, false},
		"back":            {timed(0.6, 0) + `,` + timed(0.4, 10), "trace", way * 7 / 4, false},
		"out and back":    {timed(0.5, 0) + `,` + timed(0.9, 20) + `,` + timed(0.6, 40), "trace", way * 7 / 4, false},
		"without times":   {apitest.At(town.Between("b", "c", 0.6)) + `,` + apitest.At(town.Between("b", "c", 0.4)), "trace", way * 7 / 4, false},
		"standing still":  {timed(0.6, 0) + `,` + timed(0.25, 10) + `,` + timed(0.25, 20), "trace", way * 7 / 4, false},
		"after a break":   {timed(0.6, 0) + `,` + timed(0.1, 1000) + `,` + timed(0.2, 1010), "trace", way / 4, false},
		"one far off":     {timed(0.6, 0) + `,{"lat":12,"lon":34,"time":5},` + timed(0.4, 10), "trace", way * 7 / 4, true},
		"all far off":     {`{"lat":12,"lon":34}`, "nearest", way / 4, true},
		"of no positions": {"", "nearest", way / 4, false},
	} {
		r := g.Send("POST", "/route/progress", `{`+line+here+`,"recent_trace":[`+c.trace+`]}`)
		if r.Status != 200 || r.At(t, "method") != c.method || !apitest.Near(r.At(t, "travelled_m"), c.behind) {
			t.Errorf("%s: want %.0f m behind by %s: %s", name, c.behind, c.method, r.Body)
		}
		if warned := strings.Contains(string(r.Body), "recent_trace[0]") || strings.Contains(string(r.Body), "recent_trace[1]"); warned != c.warned {
			t.Errorf("%s: warned %v: %s", name, warned, r.Body)
		}
	}
	// Twice round a block: the distance between the positions determines the lap where it
	// can, and travelled_m where it cannot.
	round := "befcbefcb"
	var laps []string
	lap := 0.0
	for i, p := range round {
		laps = append(laps, apitest.At(town.Point(string(p))))
		if i > 0 && i <= 4 {
			lap += geo.Distance(town.Point(round[i-1:i]), town.Point(round[i:i+1]))
		}
	}
	ask := `{"shape":[` + strings.Join(laps, ",") + `],"current_position":` + apitest.At(town.Between("b", "e", 0.5)) + `,"recent_trace":[` + apitest.At(town.Between("c", "b", 0.5)) + `,` + apitest.At(town.Between("c", "b", 0.9)) + `]`
	halfDown := geo.Distance(town.Point("b"), town.Point("e")) / 2
	if r := g.Send("POST", "/route/progress", ask+`}`); !apitest.Near(r.At(t, "travelled_m"), lap+halfDown) {
		t.Errorf("want the second lap, %.0f m behind: %s", lap+halfDown, r.Body)
	}
}

// TestProgressRefusesTraces checks that a refusal names what is wrong with a trace, or is
// given twice with different values.
func TestProgressRefusesTraces(t *testing.T) {
	g, town := apitest.Drawn(t)
	a, b := apitest.At(town.Point("a")), apitest.At(town.Point("b"))
	ends, there := `"origin":`+a+`,"destination":`+b, `,"current_position":`+a
	line := geo.EncodePolyline([]geo.Point{town.Point("a"), town.Point("b")}, 6)
	other := geo.EncodePolyline([]geo.Point{town.Point("b"), town.Point("a")}, 6)
	quoted := func(s string) string { return `"` + strings.ReplaceAll(s, `\`, `\\`) + `"` }
	timed := func(times ...string) string {
		var all []string
		for _, at := range times {
			all = append(all, apitest.At(town.Point("a"), `,"time":`+at))
		}
		return `,"recent_trace":[` + strings.Join(all, ",") + `]`
	}
	for name, c := range map[string]struct{ body, location, says string }{
		"101 positions":           {ends + there + `,"recent_trace":[` + strings.TrimSuffix(strings.Repeat(a+",", 101), ",") + `]`, "recent_trace", "100"},
		"times that go backwards": {ends + there + timed("10", "20", "19.5"), "recent_trace[2].time", "recent_trace[1]"},
		"dates that go backwards": {ends + there + timed(`"2026-05-01T10:00:00Z"`, `"2026-05-01T11:59:00+02:00"`), "recent_trace[1].time", "recent_trace[0]"},
		"two kinds of times":      {ends + there + timed("10", `"2026-05-01T10:00:00Z"`), "recent_trace[1].time", "recent_trace[0]"},
		"a time after at":         {ends + there + timed(`"2026-05-01T10:00:00Z"`) + `,"at":"2026-05-01T09:00:00Z"`, "recent_trace[0].time", "at"},
		"a time that is none":     {ends + there + timed(`"ten"`), "recent_trace[0].time", "RFC 3339"},
		"a time that is true":     {ends + there + timed(`true`), "recent_trace[0].time", "seconds"},
		"no longitude":            {ends + there + `,"recent_trace":[{"lat":1}]`, "recent_trace[0].lon", "missing"},
		"a latitude of 91":        {ends + there + `,"recent_trace":[{"lat":91,"lon":1}]`, "recent_trace[0].lat", "90"},
		"two positions":           {ends + there + `,"position":` + b, "position", "current_position"},
		"two headings":            {ends + there + `,"position":` + apitest.At(town.Point("a"), `,"heading":90`), "position", "current_position"},
		"two lines":               {`"geometry_polyline6":` + quoted(line) + `,"encoded_polyline":` + quoted(other) + there, "encoded_polyline", "geometry_polyline6"},
		"a line and ends":         {`"geometry_polyline6":` + quoted(line) + `,` + ends + there, "origin and destination", "geometry_polyline6"},
	} {
		p := g.Send("POST", "/route/progress", `{`+c.body+`}`).Problem(t, 400, "bad-request")
		detail := p["detail"].(string)
		if !strings.HasPrefix(detail, c.location+": ") || !strings.Contains(detail, c.says) {
			t.Errorf("%s: %s", name, detail)
		}
	}
	g.Send("POST", "/route/progress", `{`+ends+`,"current_position":{"lat":NaN,"lon":1}}`).Problem(t, 400, "bad-request")
	if p := g.Send("POST", "/route/progress", `{`+ends+`,"current_position":{"lat":40,"lon":-30}}`).Problem(t, 400, "upstream-error"); !strings.HasPrefix(p["detail"].(string), "current_position: ") {
		t.Errorf("a traveller at sea: %v", p)
	}
}
