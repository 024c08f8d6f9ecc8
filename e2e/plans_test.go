package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/outbox/outboxtest"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

// atSea is a place without a road within 100 km.
const atSea = `{"lat":49.255,"lon":-12}`

// problemOf returns a body of POST /optimise with one job at there, a vehicle at here and more of
// either; "" keeps them as they are.
func problemOf(vehicle, job, more string) string {
	with := func(s string) string {
		if s == "" {
			return ""
		}
		return "," + s
	}
	return `{"vehicles":[{"id":"v","start":` + here + `,"capacity":[5]` + with(vehicle) + `}],"jobs":[{"id":"j","location":` + there + with(job) + `}]` + with(more) + `}`
}

func TestRefusalsOfPlans(t *testing.T) {
	t.Parallel()
	g := start(t, accounts(storetest.SQLite(t), outboxtest.SMTP(t)), "serve", "--region", countyDir(t))
	key, _ := mint(t, g, 1000, unlimitedRate)
	other, _ := mint(t, g, 1000, unlimitedRate)
	const v, j = `{"id":"v","start":` + here + `,"capacity":[5]}`, `{"id":"j","location":` + there + `,"delivery":[1]}`
	problem := func(vehicles, rest string) string { return `{"vehicles":[` + vehicles + `],` + rest + `}` }
	territory := func(n int, positions int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`{"id":"t%d","polygon":[[%s[-7.3,49.3]]]}`, i, strings.Repeat("[-7.3,49.3],", positions-3)+"[-7.2,49.3],[-7.2,49.4],"))
		}
		return `"territories":[` + strings.Join(list, ",") + `]`
	}
	shipment := func(pickup, delivery string) string {
		return `"shipments":[{"id":"s","pickup":{"location":` + here + pickup + `},"delivery":{"location":` + there + delivery + `}}]`
	}
	var many []string
	for i := range 201 {
		many = append(many, fmt.Sprintf(`{"id":"j%d","location":{"lat":%.6f,"lon":-7.2}}`, i, 49.31+float64(i)/10_000))
	}
	day := func(more string) string {
		return problem(v+`,{"id":"w","start":`+here+`,"capacity":[5]}`, `"jobs":[`+j+`],`+more)
	}
	const plan, replan, planJob, replanJob = "POST /optimise", "POST /optimise/replan", "POST /v1/jobs/optimise", "POST /v1/jobs/replan"
	withWebhook := func(address string) string { return problemOf("", "", `"webhook_url":"`+address+`"`) }
	list := []wrong{
		{"no vehicles", plan, `{"jobs":[` + j + `]}`, 400, bad, []string{"vehicles", "is missing"}},
		{"no vehicle", plan, problem("", `"jobs":[`+j+`]`), 400, bad, []string{"vehicles", "0"}},
		{"no job", plan, problem(v, `"jobs":[]`), 400, bad, []string{"jobs", "nothing to plan"}},
		{"no jobs and shipments", plan, problem(v, `"costing":"auto"`), 400, bad, []string{"jobs", "nothing to plan"}},
		{"a vehicle's id twice", plan, problem(v+","+v, `"jobs":[`+j+`]`), 400, bad, []string{"vehicles[1].id", `"v"`}},
		{"a job's id twice", plan, problem(v, `"jobs":[`+j+`,`+j+`]`), 400, bad, []string{"jobs[1].id", `"j"`}},
		{"a shipment's id twice", plan, problem(v, strings.Replace(shipment("", ""), `}}]`, `}},`+strings.TrimPrefix(shipment("", ""), `"shipments":[`), 1)), 400, bad, []string{"shipments[1].id", `"s"`}},
		{"a break's id twice", plan, problemOf(`"breaks":[{"id":"b","service_s":9},{"id":"b","service_s":9}]`, "", ""), 400, bad, []string{"vehicles[0].breaks[1].id", `"b"`}},
		{"a delivery before its pickup", plan, problem(v, shipment(`,"time_windows":[[100,200]]`, `,"time_windows":[[0,50]]`)), 400, bad, []string{"shipments[0].delivery.time_windows", "100"}},
		{"a window inverted", plan, problemOf("", `"time_windows":[[9,3]]`, ""), 400, bad, []string{"jobs[0].time_windows[0]", "9", "3"}},
		{"a shift inverted", plan, problemOf(`"time_window":[9,3]`, "", ""), 400, bad, []string{"vehicles[0].time_window", "9"}},
		{"a break's window inverted", plan, problemOf(`"breaks":[{"id":"b","time_windows":[[9,3]]}]`, "", ""), 400, bad, []string{"vehicles[0].breaks[0].time_windows[0]", "9", "3"}},
		{"windows that overlap", plan, problemOf("", `"time_windows":[[0,9],[5,12]]`, ""), 400, bad, []string{"jobs[0].time_windows[1]", "9"}},
		{"negative service", plan, problemOf("", `"service_s":-1`, ""), 400, bad, []string{"jobs[0].service_s", "-1", "0"}},
		{"amounts of another length", plan, problemOf("", `"delivery":[1,2]`, ""), 400, bad, []string{"jobs[0].delivery", "1"}},
		{"capacities of unlike length", plan, problem(v+`,{"id":"w","start":`+here+`,"capacity":[5,5]}`, `"jobs":[`+j+`]`), 400, bad, []string{"vehicles[1].capacity"}},
		{"65 territories", plan, problemOf("", "", territory(65, 4)), 400, bad, []string{"territories", "65", "64"}},
		{"a ring of 1,001 positions", plan, problemOf("", "", territory(1, 1001)), 400, bad, []string{"territories[0].polygon", "1001", "1000"}},
		{"a territory that is not there", plan, problemOf(`"territory_ids":["t9"]`, "", territory(1, 4)), 400, bad, []string{"vehicles[0].territory_ids[0]", "t9"}},
		{"one trip", plan, problemOf(`"time_window":[0,9],"reloads":{"max_trips":1}`, "", ""), 400, bad, []string{"vehicles[0].reloads.max_trips", "1", "2"}},
		{"six trips", plan, problemOf(`"time_window":[0,9],"reloads":{"max_trips":6}`, "", ""), 400, bad, []string{"vehicles[0].reloads.max_trips", "6", "5"}},
		{"reloads without a window", plan, problemOf(`"reloads":{"max_trips":2}`, "", ""), 400, bad, []string{"vehicles[0].reloads", "time_window"}},
		{"201 locations", plan, problem(v, `"jobs":[`+strings.Join(many, ",")+`]`), 422, "optimisation-too-large", []string{"202", `"max_locations": 200`, `"locations": 202`}},
		{"windows relaxed too far", plan, problemOf("", "", `"relax_if_unassigned":{"time_windows_by_s":604801}`), 400, bad, []string{"relax_if_unassigned.time_windows_by_s", "604801", "604800"}},
		{"too much overtime", plan, problemOf("", "", `"relax_if_unassigned":{"allow_overtime_s":604801}`), 400, bad, []string{"relax_if_unassigned.allow_overtime_s", "604801", "604800"}},
		{"a vehicle in the sea", plan, problem(`{"id":"v","start":{"lat":49.255,"lon":-12}}`, `"jobs":[`+j+`]`), 400, bad, []string{"vehicles[0].start"}},
		{"a longer search than may be", plan, problemOf("", "", `"time_limit_s":11`), 400, bad, []string{"time_limit_s", "11", "10"}},
		{"reloads in a re-plan", replan, problemOf(`"time_window":[0,9],"reloads":{"max_trips":2}`, "", `"progress":[{"vehicle":"v"}]`), 400, bad, []string{"vehicles[0].reloads"}},
		{"nothing happened", replan, problemOf("", "", `"progress":[]`), 400, bad, []string{"progress", "changes"}},
		{"two vehicles claim a stop", replan, day(`"progress":[{"vehicle":"v","completed_stop_ids":["j"]},{"vehicle":"w","completed_stop_ids":["j"]}]`), 400, bad, []string{"progress[1].completed_stop_ids[0]", `"j"`, "vehicle v"}},
		{"an added id that is there", replan, day(`"changes":{"add_jobs":[` + j + `]}`), 400, bad, []string{"changes.add_jobs[0].id", `"j"`}},
		{"progress of nobody", replan, day(`"progress":[{"vehicle":"x"}]`), 400, bad, []string{"progress[0].vehicle", `"x"`}},
		{"an added id that is there twice", replan, day(`"changes":{"add_jobs":[{"id":"n","location":` + here + `},{"id":"n","location":` + here + `}]}`), 400, bad, []string{"changes.add_jobs[1].id", "changes.add_jobs[0].id", `"n"`}},
		{"an added load of another length", replan, day(`"changes":{"add_jobs":[{"id":"n","location":` + here + `,"delivery":[1,2]}]}`), 400, bad, []string{"changes.add_jobs[0].delivery", "2", "1"}},
		{"all that there is in the sea", plan, strings.NewReplacer(here, atSea, there, atSea).Replace(problemOf("", "", "")), 400, upstream, []string{"vehicles[0].start", "-12", "35000 m"}},
		{"a job that is no plan", planJob, problem("", `"jobs":[`+j+`]`), 400, bad, []string{"vehicles", "empty"}},
		{"a job with reloads in a re-plan", replanJob, problemOf(`"time_window":[0,9],"reloads":{"max_trips":2}`, "", `"progress":[{"vehicle":"v"}]`), 400, bad, []string{"vehicles[0].reloads"}},
		{"a private webhook", planJob, withWebhook("http://10.0.0.1/x"), 400, bad, []string{"webhook_url", "http://10.0.0.1/x", "https"}},
		{"a private webhook by https", planJob, withWebhook("https://10.0.0.1/x"), 400, bad, []string{"webhook_url", "https://10.0.0.1/x", "private"}},
		{"a webhook to itself", planJob, withWebhook("https://[::ffff:127.0.0.1]/x"), 400, bad, []string{"webhook_url", "private"}},
		{"a webhook to a bare name", "POST /v1/jobs/matrix", `{"locations":[` + here + `],"webhook_url":"https://localhost/x"}`, 400, bad, []string{"webhook_url", "https://localhost/x", "public"}},
	}
	used := func() int64 { return self(t, g, key).Used }
	t.Run("refused", func(t *testing.T) {
		for _, w := range list {
			t.Run(w.name, func(t *testing.T) {
				t.Parallel()
				w.head += "?api_key=" + key
				w.check(t, g)
			})
		}
		(&wrong{"a job without a key", planJob, problemOf("", "", ""), 401, "unauthorized", nil}).check(t, g)
	})
	if n := used(); n != 0 {
		t.Errorf("what was refused cost %d", n)
	}
	a := g.raw(t, replan+"?api_key="+key, problemOf("", "", `"progress":[{"vehicle":"v","completed_stop_ids":["j"]}]`)).ok(t)
	var got struct {
		Routes []any
		Replan struct{ Mechanism string }
	}
	if a.into(t, &got); len(got.Routes) != 0 || got.Routes == nil || got.Replan.Mechanism != "nothing_remains" || used() != 0 {
		t.Errorf("%d used: %s", used(), a)
	}
	// A job is its key's alone.
	id := reply[struct{ ID string }](t, g, 202, "POST", "/v1/jobs/optimise", key, json.RawMessage(problemOf("", "", ""))).ID
	for _, w := range []wrong{
		{"another's job", "GET /v1/jobs/" + id + "?api_key=" + other, "", 404, "not-found", []string{id}},
		{"another's job to cancel", "DELETE /v1/jobs/" + id + "?api_key=" + other, "", 404, "not-found", []string{id}},
		{"another's best plan", "DELETE /v1/jobs/" + id + "?keep=best&api_key=" + other, "", 404, "not-found", []string{id}},
		{"another's matrix", "POST /v1/jobs/matrix?api_key=" + other, `{"base":{"job_id":"` + id + `","add":[` + here + `]}}`, 400, bad, []string{"base.job_id", id}},
		{"no job at all", "GET /v1/jobs/job_X?api_key=" + key, "", 404, "not-found", []string{"job_X"}},
	} {
		w.check(t, g)
	}
	waittest.Until(t, "the one job is counted", func() bool { return used() == 1 })
	if n := self(t, g, other).Used; n != 0 {
		t.Errorf("another's job cost %d", n)
	}
}

// A place off the network or on an island is named with the way to its road, and the rest is
// planned. An island with a ferry is served, unless the matrix is to have none.
func TestPlansWithIslands(t *testing.T) {
	t.Parallel()
	g := county(t)
	at := func(id, countyPlace string) string { return `{"id":"` + id + `","location":` + countyPlace + `}` }
	jobs := strings.Join([]string{at("near", there), at("islet", island(t, "Tern Holm")), at("island", island(t, "Port Farrock")), at("sea", atSea), at("skerry", `{"lat":49.33,"lon":-8.2}`)}, ",")
	for _, c := range []struct{ more, want string }{
		{"", "islet unreachable, sea off_network, skerry off_network"},
		{`,"costing_options":{"auto":{"exclude_ferries":true}}`, "islet unreachable, island unreachable, sea off_network, skerry off_network"},
	} {
		a := g.raw(t, "POST /optimise", `{"vehicles":[{"id":"v","start":`+here+`,"end":`+here+`}],"jobs":[`+jobs+`]`+c.more+`}`).ok(t)
		var got struct {
			Unassigned []struct {
				ID, Reason, Detail string
				Snap               *float64 `json:"snap_distance_m"`
			}
			Routes []struct{ Steps []struct{ ID string } }
		}
		a.into(t, &got)
		var left []string
		for _, u := range got.Unassigned {
			left = append(left, u.ID+" "+u.Reason)
			near, far := 0.0, 1000.0 // metres to its road
			if u.ID == "skerry" {
				near, far = 60_000, 63_000
			}
			// There is no road near the sea at all.
			if (u.Snap == nil) != (u.ID == "sea") || u.Snap != nil && (*u.Snap < near || *u.Snap > far) || u.Detail == "" {
				t.Errorf("%+v", u)
			}
		}
		if strings.Join(left, ", ") != c.want || len(got.Routes) != 1 || len(got.Routes[0].Steps) != 7-len(left) {
			t.Errorf("%s: %s", c.more, a)
		}
	}
}
