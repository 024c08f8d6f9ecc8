package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// problemOf is a body of POST /optimise with one job at there, a vehicle at here and more of
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
	g := county(t)
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
	const plan, replan = "POST /optimise", "POST /optimise/replan"
	for _, w := range []wrong{
		{"no vehicles", plan, `{"jobs":[` + j + `]}`, 400, bad, []string{"vehicles", "is missing"}},
		{"no vehicle", plan, problem("", `"jobs":[`+j+`]`), 400, bad, []string{"vehicles", "0"}},
		{"no job", plan, problem(v, `"jobs":[]`), 400, bad, []string{"jobs", "nothing to plan"}},
		{"no jobs and shipments", plan, problem(v, `"costing":"auto"`), 400, bad, []string{"jobs", "nothing to plan"}},
		{"a vehicle's id twice", plan, problem(v+","+v, `"jobs":[`+j+`]`), 400, bad, []string{"vehicles[1].id", `"v"`}},
		{"a job's id twice", plan, problem(v, `"jobs":[`+j+`,`+j+`]`), 400, bad, []string{"jobs[1].id", `"j"`}},
		{"a delivery before its pickup", plan, problem(v, shipment(`,"time_windows":[[100,200]]`, `,"time_windows":[[0,50]]`)), 400, bad, []string{"shipments[0].delivery.time_windows", "100"}},
		{"a window inverted", plan, problemOf("", `"time_windows":[[9,3]]`, ""), 400, bad, []string{"jobs[0].time_windows[0]", "9", "3"}},
		{"a shift inverted", plan, problemOf(`"time_window":[9,3]`, "", ""), 400, bad, []string{"vehicles[0].time_window", "9"}},
		{"windows that overlap", plan, problemOf("", `"time_windows":[[0,9],[5,12]]`, ""), 400, bad, []string{"jobs[0].time_windows[1]", "9"}},
		{"negative service", plan, problemOf("", `"service_s":-1`, ""), 400, bad, []string{"jobs[0].service_s", "-1", "0"}},
		{"amounts of another length", plan, problemOf("", `"delivery":[1,2]`, ""), 400, bad, []string{"jobs[0].delivery", "1"}},
		{"capacities of unlike length", plan, problem(v+`,{"id":"w","start":`+here+`,"capacity":[5,5]}`, `"jobs":[`+j+`]`), 400, bad, []string{"vehicles[1].capacity"}},
		{"65 territories", plan, problemOf("", "", territory(65, 4)), 400, bad, []string{"territories", "65", "64"}},
		{"a ring of 1,001 positions", plan, problemOf("", "", territory(1, 1001)), 400, bad, []string{"territories[0].polygon", "1000"}},
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
		{"a job without a key", "POST /v1/jobs/optimise", problemOf("", "", ""), 401, "unauthorized", nil},
	} {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			w.check(t, g)
		})
	}
	t.Run("all is done", func(t *testing.T) {
		t.Parallel()
		a := g.raw(t, replan, problemOf("", "", `"progress":[{"vehicle":"v","completed_stop_ids":["j"]}]`)).ok(t)
		var got struct {
			Routes []any
			Replan struct{ Mechanism string }
		}
		if a.into(t, &got); len(got.Routes) != 0 || got.Routes == nil || got.Replan.Mechanism != "nothing_remains" {
			t.Errorf("%s", a)
		}
	})
}

// What lies off the network or on an island is named with the way to its road, and the rest is
// planned. An island with a ferry is served, unless the matrix is to have none.
func TestPlansWithIslands(t *testing.T) {
	t.Parallel()
	g := county(t)
	at := func(id, place string) string { return `{"id":"` + id + `","location":` + place + `}` }
	jobs := strings.Join([]string{at("near", there), at("islet", island(t, "Tern Holm")), at("island", island(t, "Port Farrock")), at("sea", `{"lat":49.255,"lon":-12}`)}, ",")
	for _, c := range []struct{ more, want string }{
		{"", "islet unreachable, sea off_network"},
		{`,"costing_options":{"auto":{"exclude_ferries":true}}`, "islet unreachable, island unreachable, sea off_network"},
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
			if (u.Snap != nil) != (u.Reason == "unreachable") || u.Detail == "" {
				t.Errorf("%+v", u)
			}
		}
		if strings.Join(left, ", ") != c.want || len(got.Routes) != 1 || len(got.Routes[0].Steps) != 6-len(left) {
			t.Errorf("%s: %s", c.more, a)
		}
	}
}
