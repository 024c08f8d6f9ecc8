package route_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/apitest"
)

// TestAskedByGET asks every endpoint in Valhalla's form with the body in the
// query: the answer is that of the POST.
func TestAskedByGET(t *testing.T) {
	g, town := apitest.Drawn(t)
	asked := everyBody(town)
	maps.DeleteFunc(asked, func(path, _ string) bool { return strings.HasPrefix(path, "/route/") })
	asked["/sources_to_targets"] = asked["/matrix"]
	for path, body := range asked {
		for _, members := range []string{"", `,"colour":"a;b&c+d%"`, `,"costing_options":{"truck":{"height":4}}`, `,"costing":7`} {
			body := "{" + body + members + "}"
			if members == `,"costing":7` {
				body = strings.Replace(body, `"costing":"auto",`, "", 1)
			}
			post, get := g.Send("POST", path, body), g.Send("GET", path+"?json="+url.QueryEscape(body), "")
			if post.Status != get.Status || !bytes.Equal(post.Body, get.Body) || post.Header.Get("X-Svc-Quota-Units") != get.Header.Get("X-Svc-Quota-Units") {
				t.Errorf("%s: %d %s, by GET %d %s", body, post.Status, post.Body, get.Status, get.Body)
			}
		}
		for query, says := range map[string]string{
			"":                          "the parameter json of the query is missing",
			"?json=":                    "the parameter json of the query is missing",
			"?json=%7B":                 "not JSON",
			"?json=[]":                  "must be a JSON object",
			"?json=%7B%7D&json=%7B%7D":  "json: stands 2 times",
			"?colour=red":               "the parameter json of the query is missing",
			"?json=%7B%22costing%22%3A": "not JSON",
		} {
			if p := g.Send("GET", path+query, "").Problem(t, 400, "bad-request"); !strings.Contains(p["detail"].(string), says) {
				t.Errorf("%s%s: %v", path, query, p)
			}
		}
		escaped := "?json=" + url.QueryEscape("{"+body+"}")
		if r := g.Send("GET", path+escaped+"&colour=red", ""); r.Status != 200 || !strings.Contains(string(r.Body), "colour is not known here") {
			t.Errorf("%s: %d %s", path, r.Status, r.Body)
		}
		g.Send("GET", path+"?json="+url.QueryEscape("{"+body+`,"api_key":"x"}`), "").Problem(t, 401, "unauthorized")
		g.Send("GET", path+escaped+"&api_key=wg_wrong", "").Problem(t, 401, "unauthorized")
		if r := g.Send("PUT", path, "{}"); r.Status != 405 {
			t.Errorf("PUT %s: %d", path, r.Status)
		}
	}
}

// TestSourcesToTargets asks for a matrix by Valhalla's name: the answer is that
// of /matrix, and Valhalla's besides.
func TestSourcesToTargets(t *testing.T) {
	g, town := apitest.Drawn(t)
	body := `"costing":"auto","id":"mine","sources":[` + apitest.At(town.Point("a")) + `],"targets":[` + apitest.At(town.Point("d")) + `,{"lat":1,"lon":1}]`
	own := g.Send("POST", "/matrix", "{"+body+"}").JSON(t)
	if own["id"] != "mine" {
		t.Errorf("/matrix does not echo the id: %v", own)
	}
	for _, c := range []struct {
		members, units string
		unit           float64
		brief          bool
	}{
		{``, "kilometers", 1000, false},
		{`,"units":"km","verbose":true`, "kilometers", 1000, false},
		{`,"units":"miles","verbose":false`, "miles", 1609.344, true},
		{`,"directions_options":{"units":"mi"}`, "miles", 1609.344, false},
	} {
		v := g.Send("POST", "/sources_to_targets", "{"+body+c.members+"}").JSON(t)
		seconds, metres := own["durations"].([]any)[0].([]any)[0].(float64), own["distances"].([]any)[0].([]any)[0].(float64)
		var time, distance, missing any
		if cells, ok := v["sources_to_targets"].(map[string]any); ok {
			time, distance, missing = cells["durations"].([]any)[0].([]any)[0], cells["distances"].([]any)[0].([]any)[0], cells["durations"].([]any)[0].([]any)[1]
		} else {
			row := v["sources_to_targets"].([]any)[0].([]any)
			time, distance, missing = row[0].(map[string]any)["time"], row[0].(map[string]any)["distance"], row[1].(map[string]any)["time"]
			if last := row[1].(map[string]any); last["to_index"] != 1.0 || last["from_index"] != 0.0 || last["distance"] != nil {
				t.Errorf("%v", row)
			}
			if c.brief {
				t.Errorf("%s: %v", c.members, v)
			}
		}
		if v["units"] != c.units || missing != nil || time.(float64)-seconds > 0.51 || seconds-time.(float64) > 0.51 || !apitest.Near(distance.(float64)*c.unit, metres) {
			t.Errorf("%s: %v", c.members, v)
		}
		delete(v, "sources_to_targets")
		delete(v, "units")
		if !reflect.DeepEqual(v, own) {
			t.Errorf("%s: %v is not %v", c.members, v, own)
		}
	}
	if w := g.Send("POST", "/sources_to_targets", "{"+body+`,"directions_options":{"units":"mi","language":"de"},"shape_format":"geojson"}`).At(t, "warnings").([]any); len(w) != 3 {
		t.Errorf("%v", w)
	}
}

// TestSourcesToTargetsAtATime checks that a cell has the time at the other end of its way that
// the route has.
func TestSourcesToTargetsAtATime(t *testing.T) {
	g, town := apitest.Drawn(t)
	from, to := apitest.At(town.Point("a")), apitest.At(town.Point("d"))
	for when, end := range map[string]int{
		`{"type":1,"value":"2026-07-01T08:00"}`: 1,
		`{"type":2,"value":"2026-01-31T00:01"}`: 0,
		`{"type":1,"value":"2026-12-31T23:59"}`: 1,
	} {
		matrix := g.Send("POST", "/sources_to_targets", `{"costing":"pedestrian","sources":[`+from+`],"targets":[`+to+`,{"lat":1,"lon":1}],"date_time":`+when+`}`)
		route := g.Send("POST", "/route", `{"costing":"pedestrian","locations":[`+from+`,`+to+`],"date_time":`+when+`}`)
		row := matrix.At(t, "sources_to_targets").([]any)[0].([]any)
		cell, want := row[0].(map[string]any), route.At(t, "trip", "locations").([]any)[end].(map[string]any)
		for _, member := range []string{"date_time", "time_zone_offset", "time_zone_name"} {
			if cell[member] == nil || cell[member] != want[member] {
				t.Errorf("%s: the cell has the %s %v, the route %v", when, member, cell[member], want[member])
			}
			if none := row[1].(map[string]any)[member]; none != nil {
				t.Errorf("%s: a cell without a way has the %s %v", when, member, none)
			}
		}
	}
	if cell := g.Send("POST", "/sources_to_targets", `{"costing":"auto","sources":[`+from+`],"targets":[`+to+`]}`).At(t, "sources_to_targets").([]any)[0].([]any)[0].(map[string]any); cell["date_time"] != nil {
		t.Errorf("a cell at no time has %v", cell)
	}
}

// TestMatrixLocationsWithTimes gives sources and targets times of their own: each cell is that of
// the matrix of its time, and what does not go together is refused by name.
func TestMatrixLocationsWithTimes(t *testing.T) {
	g, town := apitest.Drawn(t)
	at := func(place, time string) string {
		p := strings.TrimSuffix(apitest.At(town.Point(place)), "}")
		if time != "" {
			p += `,"date_time":"` + time + `"`
		}
		return p + "}"
	}
	cell := func(body string, i, j int) string {
		row := g.Send("POST", "/sources_to_targets", `{"costing":"pedestrian",`+body+`}`).At(t, "sources_to_targets").([]any)[i].([]any)[j].(map[string]any)
		return fmt.Sprint(row["time"], row["distance"], row["date_time"], row["time_zone_name"])
	}
	const early, late = "2026-07-01T08:00", "2026-12-31T23:59"
	own := `"sources":[` + at("a", early) + `,` + at("a", late) + `,` + at("b", "") + `],"targets":[` + at("d", "") + `],"date_time":{"type":1,"value":"2026-07-02T09:00"}`
	for i, c := range []struct{ place, time string }{{"a", early}, {"a", late}, {"b", "2026-07-02T09:00"}} {
		if got, want := cell(own, i, 0), cell(`"sources":[`+at(c.place, "")+`],"targets":[`+at("d", "")+`],"date_time":{"type":1,"value":"`+c.time+`"}`, 0, 0); got != want {
			t.Errorf("source %d has %s, and by itself %s", i, got, want)
		}
	}
	if got, want := cell(`"sources":[`+at("a", "")+`],"targets":[`+at("d", early)+`]`, 0, 0), cell(`"sources":[`+at("a", "")+`],"targets":[`+at("d", "")+`],"date_time":{"type":2,"value":"`+early+`"}`, 0, 0); got != want {
		t.Errorf("the target has %s, and by itself %s", got, want)
	}
	if now := cell(`"sources":[`+at("a", "current")+`],"targets":[`+at("d", "")+`]`, 0, 0); strings.Contains(now, "nil") {
		t.Errorf("now is %s", now)
	}
	var many []string
	for i := range 501 {
		many = append(many, at("a", time.Date(2026, 7, 1, 0, i, 0, 0, time.UTC).Format("2006-01-02T15:04")))
	}
	for body, names := range map[string]string{
		`"sources":[` + strings.Join(many, ",") + `],"targets":[` + at("d", "") + `]`:                                                                                    "sources[500].date_time",
		`"sources":[` + at("a", "08:00") + `],"targets":[` + at("d", "") + `]`:                                                                                           "sources[0].date_time",
		`"sources":[` + at("a", early) + `],"targets":[` + at("d", early) + `]`:                                                                                          "targets[0].date_time",
		`"sources":[` + at("a", early) + `,` + at("b", "") + `],"targets":[` + at("d", "") + `]`:                                                                         "sources[1].date_time",
		`"sources":[` + at("a", early) + `],"targets":[` + at("d", "") + `],"date_time":{"type":2,"value":"` + early + `"}`:                                              "date_time.type",
		`"sources":[` + at("a", "") + `],"targets":[` + at("d", early) + `],"date_time":{"type":1,"value":"` + early + `"}`:                                              "date_time.type",
		`"sources":[` + at("a", "") + `],"targets":[` + at("d", "current") + `]`:                                                                                         "targets[0].date_time",
		`"avoid_zones":true,"emissions":{"vehicle_category":"car","fuel":"diesel","euro_standard":5},"sources":[` + at("a", early) + `],"targets":[` + at("d", "") + `]`: "sources[0].date_time",
	} {
		if r := g.Send("POST", "/matrix", `{"costing":"auto",`+body+`}`); r.Status != 400 || !strings.Contains(string(r.Body), `"`+names+`"`) {
			t.Errorf("%s: %d %s, want 400 that names %s", body, r.Status, r.Body, names)
		}
	}
}

// A client of Valhalla's family sends its key as access_token.
func TestKeyAsAccessToken(t *testing.T) {
	g, town := apitest.Drawn(t)
	k := g.Minted(t, account.Minting{})
	body := `{"costing":"auto","locations":[` + apitest.At(town.Point("a")) + `,` + apitest.At(town.Point("d")) + `]}`
	r := g.Send("POST", "/route?access_token="+k.Secret, body)
	if r.Status != 200 || strings.Contains(string(r.Body), "access_token") {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if _, units := g.Units(t, k.Key.ID); units != 1 {
		t.Errorf("the key used %d units", units)
	}
	g.Send("POST", "/route?access_token="+k.Secret+"&api_key=other", body).Problem(t, 401, "unauthorized")
	if r := g.Send("POST", "/route?access_token=pk.somebody-elses", body); r.Status != 200 || !strings.Contains(string(r.Body), "access_token is not known here") {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}
