package transit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/api/apitest"
)

// square is an area of the town of the tests, with its stops.
const square = `"polygon":[[[9.4,47.4],[9.6,47.4],[9.6,47.6],[9.4,47.6],[9.4,47.4]]]`

func TestReport(t *testing.T) {
	g := served(t, drawn(t), nil)
	r := g.Send("POST", "/v1/transit/report", `{`+square+`,"people":[{"lat":47.501,"lon":9.5,"people":12},{"lat":47.58,"lon":9.5,"people":5}]}`)
	stops := r.At(t, "stops").([]any)
	if r.Status != 200 || len(stops) != 2 || r.At(t, "days", "weekday") != "2026-03-03" || r.At(t, "days", "sunday") != "2026-03-08" || r.At(t, "coverage", "expired") != false {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	weekday := stops[0].(apitest.Object)["weekday"].(apitest.Object)
	if stops[0].(apitest.Object)["id"] != "N1" || weekday["departures"] != 26.0 || weekday["longest_gap_min"] != 60.0 || weekday["per_hour"].(apitest.Object)["all_day"] != 1.0 {
		t.Errorf("%s", r.Body)
	}
	if c := r.At(t, "area", "catchments").([]any)[0].(apitest.Object); c["of"] != "people" || c["total"] != 17.0 || c["hourly"] != 12.0 || c["half_hourly"] != 0.0 {
		t.Errorf("%s", r.Body)
	}
	if lines := strings.Split(strings.TrimSpace(string(g.Send("POST", "/v1/transit/report", `{`+square+`,"format":"csv"}`).Body)), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[1], "N1,North,opp,Town,47.5,9.5,10,26,2026-03-03T05:00:00Z,") {
		t.Errorf("%q", lines)
	}
	if r := g.Send("POST", "/v1/transit/report", `{`+square+`,"format":"geojson","modes":["tram"]}`); len(r.At(t, "features").([]any)) != 2 || r.Header.Get("Content-Type") != "application/geo+json" {
		t.Errorf("%s", r.Body)
	}
	for body, says := range map[string]string{
		`{}`: "polygon",
		`{"polygon":[[[9,47],[11.1,47],[11.1,49],[9,47]]]}`: "4.2 square degrees, and at most 4",
		`{"polygon":[]}`:                                                        "polygon",
		`{"polygon":[[1,2]]}`:                                                   "polygon",
		`{` + square + `,"day":"yesterday"}`:                                    "day",
		`{` + square + `,"day":"2026-03-07"}`:                                   "Monday to Friday",
		`{` + square + `,"day":"2027-03-02"}`:                                   "2026-03-12",
		`{` + square + `,"modes":["rocket"]}`:                                   "modes",
		`{` + square + `,"modes":["ferry"]}`:                                    "polygon: has no stop",
		`{` + square + `,"format":"pdf"}`:                                       "format",
		`{` + square + `,"people":[{"lat":47,"lon":9,"people":-1}]}`:            "people",
		`{` + square + fmt.Sprintf(`,"places":[%q]}`, strings.Repeat("x", 101)): "places",
	} {
		if r := g.Send("POST", "/v1/transit/report", body); !strings.Contains(string(r.Body), says) {
			t.Errorf("%s: %s", body, r.Body)
		} else {
			r.Problem(t, 400, "bad-request")
		}
	}
	served(t, nil, nil).Send("POST", "/v1/transit/report", `{`+square+`}`).Problem(t, 501, "transit-not-enabled")
}
