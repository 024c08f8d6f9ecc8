package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
)

// day is a problem of two vehicles whose plan is being driven.
type day struct {
	g *apitest.Gateway
	k *account.Issued
}

func (d day) stop(lat, lon float64) string { return fmt.Sprintf(`{"lat":%g,"lon":%g}`, lat, lon) }

// body has jobs a to f along a line, a to c in the plan of v and d to f in that of w, and
// a shipment s in that of v.
func (d day) body(more string) string {
	var jobs []string
	for i, name := range strings.Split("abcdef", "") {
		jobs = append(jobs, fmt.Sprintf(`{"id":%q,"location":%s,"pickup":[1]}`, name, d.stop(47.1+float64(i)*0.1, 9.2)))
	}
	steps := func(names string) string {
		var list []string
		for _, n := range strings.Split(names, "") {
			list = append(list, `{"type":"job","id":"`+n+`"}`)
		}
		return strings.Join(list, ",")
	}
	return `{"vehicles":[
		{"id":"v","start":` + d.stop(47.05, 9.2) + `,"capacity":[8],"time_window":[0,86400],"steps":[` + steps("abc") + `,{"type":"pickup","id":"s"},{"type":"delivery","id":"s"}]},
		{"id":"w","start":` + d.stop(47.65, 9.2) + `,"capacity":[8],"time_window":[0,86400],"steps":[` + steps("fed") + `]}],
		"jobs":[` + strings.Join(jobs, ",") + `],
		"shipments":[{"id":"s","pickup":{"location":` + d.stop(47.2, 9.3) + `},"delivery":{"location":` + d.stop(47.3, 9.3) + `},"amount":[2]}],` + more + `}`
}

// replan asks with changes of the text of the body.
func (d day) replan(t *testing.T, more string, changes ...string) apitest.Reply {
	t.Helper()
	body := d.body(more)
	for i := 0; i < len(changes); i += 2 {
		body = strings.Replace(body, changes[i], changes[i+1], 1)
	}
	r := d.g.Send("POST", "/optimise/replan", body, apitest.Bearer(d.k.Secret)...)
	if r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	return r
}

// stops returns the ids of a vehicle's stops.
func stops(t *testing.T, r apitest.Reply, vehicle string) string {
	t.Helper()
	var ids []string
	for _, x := range r.At(t, "routes").([]any) {
		route := x.(map[string]any)
		if route["vehicle"] != vehicle {
			continue
		}
		for _, s := range route["steps"].([]any) {
			if id, _ := s.(map[string]any)["id"].(string); id != "" {
				ids = append(ids, id)
			}
		}
	}
	return strings.Join(ids, " ")
}

func notes(t *testing.T, r apitest.Reply) string {
	t.Helper()
	return fmt.Sprint(r.At(t, "replan", "notes"))
}

func TestReplan(t *testing.T) {
	g := apitest.Many(t, nil)
	d := day{g, g.Minted(t, account.Minting{})}
	t.Run("done stays done", func(t *testing.T) {
		r := d.replan(t, `"progress":[{"vehicle":"v","completed_stop_ids":["a","s"],"time_s":5000},{"vehicle":"w","completed_stop_ids":["f"],"current_position":`+d.stop(47.6, 9.25)+`}]`)
		all := stops(t, r, "v") + " " + stops(t, r, "w")
		for _, gone := range []string{"a", "f", "s/pickup"} {
			if strings.Contains(" "+all+" ", " "+gone+" ") {
				t.Errorf("%s is done and planned: %s", gone, all)
			}
		}
		// The load is on v, and stays there; the rest stays where it was.
		if !strings.Contains(stops(t, r, "v"), "s/delivery") || stops(t, r, "w") != "e d" {
			t.Errorf("%s", r.Body)
		}
		locked := r.At(t, "replan", "locked_stops_per_vehicle").([]any)
		v, w := locked[0].(map[string]any), locked[1].(map[string]any)
		if v["start_basis"] != "last_completed_stop" || w["start_basis"] != "current_position" || fmt.Sprint(v["stops"]) != "[a s/pickup]" {
			t.Errorf("%v %v", v, w)
		}
		first := r.At(t, "routes").([]any)[0].(map[string]any)["steps"].([]any)[0].(map[string]any)
		if first["arrival"].(float64) < 5000 || fmt.Sprint(first["load"]) != "[2]" { // a's pickup is in the narrowed capacity
			t.Errorf("%v", first)
		}
		if n := r.At(t, "replan", "changes_applied", "completed_stops"); n != 3.0 {
			t.Error(n)
		}
	})
	t.Run("changes", func(t *testing.T) {
		r := d.replan(t, `"changes":{"cancel_job_ids":["b","s"],"add_jobs":[{"id":"g","location":`+d.stop(47.62, 9.2)+`}]}`)
		if v, w := stops(t, r, "v"), stops(t, r, "w"); v != "a c" || !strings.Contains(w, "g") {
			t.Errorf("%s, %s", v, w)
		}
		if a := r.At(t, "replan", "changes_applied").(map[string]any); a["cancelled_jobs"] != 2.0 || a["added_jobs"] != 1.0 {
			t.Error(a)
		}
	})
	t.Run("unavailable", func(t *testing.T) {
		r := d.replan(t, `"progress":[{"vehicle":"v","completed_stop_ids":["a"],"unavailable":true}]`)
		if w := stops(t, r, "w"); !strings.Contains(w, "b") || !strings.Contains(w, "s/delivery") || strings.Contains(w, "a") {
			t.Errorf("%s", w)
		}
		if released := fmt.Sprint(r.At(t, "replan", "released_stops")); released != "[b c s/pickup s/delivery]" {
			t.Error(released)
		}
		r = d.replan(t, `"progress":[{"vehicle":"v","completed_stop_ids":["s"],"unavailable":true}]`)
		if u := r.At(t, "unassigned").([]any); len(u) != 1 || u[0].(map[string]any)["reason"] != "on_board" || r.At(t, "summary", "unassigned") != 1.0 {
			t.Errorf("%s", r.Body)
		}
		r = d.replan(t, `"progress":[{"vehicle":"v","unavailable":true},{"vehicle":"w","unavailable":true}]`)
		if len(r.At(t, "unassigned").([]any)) != 7 || r.At(t, "replan", "mechanism") != "no_vehicle_remains" || r.Header.Get("X-Svc-Quota-Units") != "0" {
			t.Errorf("%s", r.Body)
		}
	})
	t.Run("all done", func(t *testing.T) {
		r := d.replan(t, `"progress":[{"vehicle":"v","completed_stop_ids":["a","b","c","s","s"]},{"vehicle":"w","completed_stop_ids":["d","e","f"]}]`)
		if len(r.At(t, "routes").([]any)) != 0 || r.At(t, "replan", "mechanism") != "nothing_remains" || r.Header.Get("X-Svc-Quota-Units") != "0" {
			t.Errorf("%s", r.Body)
		}
	})
	t.Run("notes", func(t *testing.T) {
		r := d.replan(t, `"progress":[{"vehicle":"v","completed_stop_ids":["a","nothing","a","s/delivery"]}],"changes":{"cancel_job_ids":["a","none","s","b","b"]}`)
		for _, want := range []string{"nothing is the id of no stop", "a stands twice", "its pickup s/pickup counts as done", "a is done and cannot", "none is the id of no job", "s is done and cannot", "b stands twice", "has no time_s"} {
			if !strings.Contains(notes(t, r), want) {
				t.Errorf("no note that %s: %s", want, notes(t, r))
			}
		}
		r = d.replan(t, `"progress":[{"vehicle":"v","completed_stop_ids":["s"],"time_s":9}],"changes":{"cancel_job_ids":["s"]}`)
		if !strings.Contains(notes(t, r), "s is on board and cannot") || !strings.Contains(stops(t, r, "v"), "s/delivery") {
			t.Errorf("%s", r.Body)
		}
	})
	t.Run("more on board than there is room", func(t *testing.T) {
		r := d.replan(t, `"progress":[{"vehicle":"v","completed_stop_ids":["a","s"],"time_s":9}]`, `"capacity":[8]`, `"capacity":[1]`)
		if v := stops(t, r, "v"); !strings.Contains(v, "s/delivery") || !strings.Contains(notes(t, r), "vehicle v has more on board than its capacity") {
			t.Errorf("%s; %s", v, r.Body)
		}
	})
	t.Run("first stops of the plan", func(t *testing.T) {
		r := d.replan(t, `"progress":[{"vehicle":"v","completed_stop_ids":["a"],"time_s":9}]`, `"id":"v",`, `"id":"v","first_stop_ids":["a","c","f"],`)
		if v := stops(t, r, "v"); !strings.HasPrefix(v, "c f") {
			t.Errorf("%s; %s", v, r.Body)
		}
	})
	t.Run("first stops beyond max_tasks", func(t *testing.T) {
		r := d.replan(t, `"progress":[{"vehicle":"v","completed_stop_ids":["a"],"time_s":9}]`, `"id":"v",`, `"id":"v","max_tasks":1,"first_stop_ids":["a","c"],`)
		if v, w := stops(t, r, "v"), stops(t, r, "w"); v != "" || !strings.Contains(w, "c") || !strings.Contains(notes(t, r), "vehicle v has made") {
			t.Errorf("%s, %s; %s", v, w, notes(t, r))
		}
	})
	t.Run("breaks that may be over", func(t *testing.T) {
		r := d.replan(t, `"progress":[{"vehicle":"v","time_s":5000}]`, `"id":"v",`, `"id":"v","breaks":[{"id":"tea","time_windows":[[4000,4500]]},{"id":"lunch","time_windows":[[4900,9000]]},{"id":"nap","time_windows":[[6000,9000]]}],`)
		if n := notes(t, r); !strings.Contains(n, "the break tea is over") || !strings.Contains(n, "the break lunch could have been taken") || strings.Contains(n, "nap") {
			t.Error(n)
		}
	})
	t.Run("a break that the rest of the shift has no room for", func(t *testing.T) {
		const breaks = `"breaks":[{"id":"tea","time_windows":[[4000,9000]],"service_s":600},{"id":"lunch","time_windows":[[5000,9000]],"service_s":1800}],`
		r := d.replan(t, `"progress":[{"vehicle":"v","time_s":8000}]`, `"time_window":[0,86400]`, breaks+`"time_window":[0,10000]`)
		if n, v := notes(t, r), stops(t, r, "v"); !strings.Contains(n, "the break lunch does not end within") || strings.Contains(n, "break tea does not") || v == "" {
			t.Errorf("%s; %s", n, v)
		}
	})
	t.Run("groups", func(t *testing.T) {
		r := d.replan(t, `"together":[["a","d"]],"apart":[["b","e"]],"progress":[{"vehicle":"v","completed_stop_ids":["a"]},{"vehicle":"w","completed_stop_ids":["e"]}]`)
		if v := stops(t, r, "v"); !strings.Contains(v, "d") || !strings.Contains(v, "b") {
			t.Errorf("%s; %s", v, stops(t, r, "w"))
		}
	})
	job := `{"id":"a","location":` + d.stop(47.5, 9.2) + `}`
	for more, field := range map[string]string{
		`"progress":[]`:                                "progress",
		`"progress":[{"vehicle":"x"}]`:                 "progress[0].vehicle",
		`"progress":[{"vehicle":"v"},{"vehicle":"v"}]`: "progress[1].vehicle",
		`"progress":[{"vehicle":"v","completed_stop_ids":["a"]},{"vehicle":"w","completed_stop_ids":["a"]}]`: "progress[1].completed_stop_ids[0]",
		`"progress":[{"vehicle":"v","completed_stop_ids":["s"]},{"vehicle":"w","completed_stop_ids":["s"]}]`: "progress[1].completed_stop_ids[0]",
		`"changes":{"add_jobs":[` + job + `]}`: "changes.add_jobs[0].id",
		`"changes":{"add_shipments":[{"id":"s","pickup":{"location":` + d.stop(47.5, 9.2) + `},"delivery":{"location":` + d.stop(47.5, 9.2) + `}}]}`: "changes.add_shipments[0].id",
	} {
		p := g.Send("POST", "/optimise/replan", d.body(more), apitest.Bearer(d.k.Secret)...).Problem(t, 400, "bad-request")
		if errors, _ := p["errors"].([]any); len(errors) == 0 || errors[0].(map[string]any)["location"] != field {
			t.Errorf("%s: %v, want %s", more, p, field)
		}
	}
	reloads := strings.Replace(d.body(`"progress":[{"vehicle":"v"}]`), `"id":"v",`, `"id":"v","reloads":{"max_trips":2},`, 1)
	p := g.Send("POST", "/optimise/replan", reloads, apitest.Bearer(d.k.Secret)...).Problem(t, 400, "bad-request")
	if !strings.Contains(fmt.Sprint(p["errors"]), "vehicles[0].reloads") {
		t.Error(p)
	}
}

// A job that has nothing left to plan costs nothing, whatever quota is left, as the
// same call at once does.
func TestReplanJobOfNothing(t *testing.T) {
	g := apitest.Many(t, nil, func(o *api.Options) { o.UnitPrice = 0 })
	k := g.Minted(t, account.Minting{MonthlyQuota: 1})
	d := day{g, k}
	done := `"progress":[{"vehicle":"v","completed_stop_ids":["a","b","c","s","s"]},{"vehicle":"w","completed_stop_ids":["d","e","f"]}]`
	d.replan(t, `"changes":{"cancel_job_ids":["a"]}`) // the quota is used up
	for range 2 {
		r := g.Send("POST", "/v1/jobs/replan", d.body(done), append(apitest.Bearer(k.Secret), "Idempotency-Key", "one")...)
		if r.Status != 202 || r.Header.Get("X-Svc-Quota-Units") != "0" || r.At(t, "units") != 0.0 {
			t.Fatalf("%d, %q units: %s", r.Status, r.Header.Get("X-Svc-Quota-Units"), r.Body)
		}
	}
	cancelled := submitted(t, g, k, "/v1/jobs/replan", d.body(done))
	if r := g.Send("DELETE", "/v1/jobs/"+cancelled, "", apitest.Bearer(k.Secret)...); r.At(t, "refunded") != true {
		t.Errorf("%s", r.Body)
	}
	id := submitted(t, g, k, "/v1/jobs/replan", d.body(`"progress":[{"vehicle":"v","unavailable":true},{"vehicle":"w","unavailable":true}]`))
	g.Send("POST", "/v1/jobs/replan", d.body(`"changes":{"cancel_job_ids":["a"]}`), apitest.Bearer(k.Secret)...).Problem(t, 429, "quota-exceeded")
	g.Work(t)
	if r := ended(t, g, k, id); r.At(t, "state") != "succeeded" || r.At(t, "result", "replan", "mechanism") != "no_vehicle_remains" {
		t.Errorf("%s", r.Body)
	}
	if _, units := g.Units(t, k.Key.ID); units != 1 {
		t.Errorf("%d units were charged", units)
	}
}
