package transit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
)

// TestReach sends POST /matrix and POST /isochrone of the costing transit here, where there
// is a timetable.
func TestReach(t *testing.T) {
	g := apitest.Many(t, nil, with(t, drawn(t), func(*api.Options) {}))
	const ends = `"sources":[{"lat":47.5,"lon":9.5}],"targets":[{"lat":47.502,"lon":9.5},{"lat":47.5,"lon":9.5}],"costing":"transit"`
	ask := func(more string) apitest.Reply { return g.Send("POST", "/matrix", "{"+ends+more+"}") }
	const nine, few = `,"date_time":{"type":1,"value":"2026-03-02T08:50"}`, `,"transit":{"max_walk_m":150}`
	r := ask(nine + few)
	if r.Status != 200 || fmt.Sprint(r.At(t, "durations")) != "[[900 0]]" || fmt.Sprint(r.At(t, "distances")) != "[[<nil> <nil>]]" || len(r.At(t, "unreachable").([]any)) != 0 ||
		r.At(t, "transit", "at") != "2026-03-02T08:50:00Z" || r.At(t, "transit", "basis") != "timetable" || r.At(t, "transit", "label") == "" || fmt.Sprint(r.At(t, "transit", "attribution")) != "[Timetable: Town Council (http://t.example)]" {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	if r := ask(`,"date_time":{"type":2,"value":"2026-03-02T09:15"}` + few); r.Status != 200 || fmt.Sprint(r.At(t, "durations")) != "[[900 0]]" || r.At(t, "transit", "arrive_by") != true {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	// It is half past seven: the bus at eight arrives after 35 minutes.
	for _, now := range []string{"", `,"date_time":{"type":0}`} {
		if r := ask(now + few); r.Status != 200 || fmt.Sprint(r.At(t, "durations")) != "[[2100 0]]" || r.At(t, "transit", "at") != "2026-03-02T07:30:00Z" {
			t.Errorf("%d %s", r.Status, r.Body)
		}
	}
	if r := ask(nine + `,"transit":{"max_walk_m":150,"window_minutes":10,"share_percent":100}`); r.Status != 200 || fmt.Sprint(r.At(t, "durations")) != "[[900 0]]" || r.At(t, "transit", "share_percent") != 100.0 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if r := ask(nine + `,"transit":{"max_walk_m":150,"modes":["ferry"]}`); r.Status != 200 || fmt.Sprint(r.At(t, "durations")) != "[[<nil> 0]]" || r.At(t, "unreachable").([]any)[0].(apitest.Object)["reason"] != "no stop near the source" {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if r := g.Send("POST", "/sources_to_targets", "{"+ends+nine+few+"}"); r.Status != 200 || !strings.Contains(string(r.Body), `"time":900,"distance":null,"date_time":"2026-03-02T09:05"`) {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if r := ask(nine + few + `,"costing_options":{"auto":{"use_tolls":0}},"exclude_locations":[{"lat":47.5,"lon":9.5}],"colour":"red"`); r.Status != 200 ||
		!strings.Contains(fmt.Sprint(r.At(t, "warnings")), "costing_options") || !strings.Contains(fmt.Sprint(r.At(t, "warnings")), "exclude_locations") || !strings.Contains(fmt.Sprint(r.At(t, "warnings")), "colour") {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	for more, says := range map[string]string{
		`,"date_time":{"type":1,"value":"2026-05-02T08:50"}`: "date_time", `,"date_time":{"type":3,"value":"2026-03-02T08:50"}`: "date_time.type", `,"date_time":{"type":1}`: "date_time.value",
		`,"transit":{"window_minutes":121}`: "transit.window_minutes", `,"transit":{"window_minutes":-1}`: "transit.window_minutes", `,"transit":{"share_percent":0}`: "transit.share_percent", `,"transit":{"share_percent":101}`: "transit.share_percent",
		`,"transit":{"max_changes":7}`: "transit.max_changes", `,"transit":{"max_walk_m":5001}`: "transit.max_walk_m", `,"transit":{"min_change_s":-1}`: "transit.min_change_s", `,"transit":{"modes":["rocket"]}`: "transit.modes", `,"transit":[]`: "transit",
	} {
		if r := ask(more); !strings.Contains(string(r.Body), says) {
			t.Errorf("%s: %s", more, r.Body)
		} else {
			r.Problem(t, 400, "bad-request")
		}
	}
	places := func(n int) string {
		return "[" + strings.Repeat(`{"lat":47.5,"lon":9.5},`, n-1) + `{"lat":47.5,"lon":9.5}]`
	}
	for body, says := range map[string]string{
		`{"costing":"transit","sources":` + places(201) + `,"targets":` + places(1) + `}`:                                      "sources",
		`{"costing":"transit","sources":` + places(1) + `,"targets":` + places(201) + `}`:                                      "targets",
		`{"costing":"transit","locations":` + places(101) + `}`:                                                                "10000",
		`{"costing":"transit","sources":` + places(11) + `,"targets":` + places(1) + `,"transit":{"window_minutes":60}}`:       "transit.window_minutes",
		`{"costing":"auto","sources":` + places(1) + `,"targets":` + places(1) + `,"transit":{}}`:                              "needs the costing transit",
		`{"costing":"rocket","sources":` + places(1) + `,"targets":` + places(1) + `}`:                                         "transit",
		`{"costing":"transit","sources":` + places(1) + `,"targets":` + places(1) + `,"matrix_locations":3,"transit":{"x":1}}`: "matrix_locations",
	} {
		if r := g.Send("POST", "/matrix", body); r.Status != 400 && r.Status != 501 || !strings.Contains(string(r.Body), says) {
			t.Errorf("%.80s: %d %s", body, r.Status, r.Body)
		}
	}
	const place = `{"costing":"transit","locations":[{"lat":47.5,"lon":9.5}],"contours":[{`
	for more, says := range map[string]string{
		`"time":61}]`: "contours[0].time", `"distance":2}]`: "contours[0].distance", `"time":5}],"transit":{"window_minutes":121}`: "transit.window_minutes",
		`"time":5}],"date_time":{"type":3,"value":"2026-03-02T08:50"}`: "date_time.type", `"time":5}],"date_time":{"type":2,"value":"2026-03-02T08:50"}`: "reverse", `"time":5}],"date_time":{"type":1,"value":"2026-05-02T08:50"}`: "date_time",
	} {
		if r := g.Send("POST", "/isochrone", place+more+"}"); r.Status != 400 || !strings.Contains(string(r.Body), says) {
			t.Errorf("%s: %d %s", more, r.Status, r.Body)
		}
	}
	apitest.Many(t, nil, with(t, nil, func(*api.Options) {})).Send("POST", "/matrix", "{"+ends+"}").Problem(t, 501, "transit-not-enabled")
}
