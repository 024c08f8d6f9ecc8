package plan_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/waittest"
	"github.com/waygate/waygate/world"
)

// A plan has the contract's shape, is the same each time and under both spellings, and
// says of what it leaves out how little would serve it.
func TestOptimise(t *testing.T) {
	g, town := apitest.Drawn(t)
	k := g.Minted(t, account.Minting{})
	at := func(p string) string { return apitest.At(town.Point(p)) }
	body := `{"vehicles":[{"id":"v","start":` + at("a") + `,"end":` + at("a") + `,"capacity":[4],"time_window":[0,3600]}],"jobs":[
		{"id":"c","location":` + at("c") + `,"service_s":60,"delivery":[1]},{"id":7,"location":` + at("g") + `,"service":30,"delivery":[3],"description":"at the mill"},
		{"id":"heavy","location":` + at("d") + `,"delivery":[9]}],"geometry":true}`
	var first string
	for _, path := range []string{"/optimise", "/optimize", "/optimise"} {
		r := g.Send("POST", path, body, apitest.Bearer(k.Secret)...)
		if r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "1" {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		if first == "" {
			first = string(r.Body)
		} else if first != string(r.Body) {
			t.Errorf("%s\n%s", first, r.Body)
		}
	}
	var a struct {
		Code       int
		Profile    string
		Summary    struct{ Routes, Unassigned, Distance, Service int }
		Unassigned []struct {
			ID, Reason  string
			Relaxations []struct{ Capacity []int }
		}
		Routes []struct {
			Vehicle, Geometry string
			Steps             []struct {
				Type, ID, Description string
				Arrival, Distance     int
				Load                  []int
			}
		}
	}
	if err := json.Unmarshal([]byte(first), &a); err != nil {
		t.Fatal(err)
	}
	if a.Code != 0 || a.Profile != "auto" || a.Summary.Routes != 1 || a.Summary.Unassigned != 1 || a.Summary.Service != 90 || a.Summary.Distance != 3200 {
		t.Errorf("%+v", a.Summary)
	}
	if u := a.Unassigned; len(u) != 1 || u[0].ID != "heavy" || u[0].Reason != "capacity" || len(u[0].Relaxations) != 1 || u[0].Relaxations[0].Capacity[0] != 9 {
		t.Errorf("%+v", u)
	}
	steps := a.Routes[0].Steps
	if a.Routes[0].Vehicle != "v" || a.Routes[0].Geometry == "" || len(steps) != 4 || steps[0].Load[0] != 4 || steps[3].Load[0] != 0 || steps[3].Distance != 3200 {
		t.Errorf("%+v", a.Routes)
	}
	for _, s := range steps[1:3] {
		if s.Type != "job" || s.ID == "7" != (s.Description == "at the mill") {
			t.Errorf("%+v", s)
		}
	}
	// A relaxation that is asked for serves what shifts and windows kept out.
	late := strings.NewReplacer(`"time_window":[0,3600]`, `"time_window":[0,20]`, `"delivery":[9]`, `"delivery":[0]`, `"geometry":true`, `"relax_if_unassigned":{"allow_overtime_s":3600}`).Replace(body)
	r := g.Send("POST", "/optimise", late, apitest.Bearer(k.Secret)...)
	if r.At(t, "relaxation", "applied") != true || r.At(t, "relaxation", "unassigned_before") != 3.0 || r.At(t, "relaxation", "unassigned_after") != 0.0 {
		t.Errorf("%s", r.Body)
	}
	// So does one beside stops that the vehicle has to begin with.
	held := strings.NewReplacer(`"id":"v",`, `"id":"v","first_stop_ids":["7"],`, `"geometry":true`, `"relax_if_unassigned":{"allow_overtime_s":3600}`).Replace(body)
	if r := g.Send("POST", "/optimise", held, apitest.Bearer(k.Secret)...); r.At(t, "relaxation", "applied") != true || r.At(t, "routes").([]any)[0].(map[string]any)["steps"].([]any)[1].(map[string]any)["id"] != "7" {
		t.Errorf("%s", r.Body)
	}
	// A truck is Premium.
	if r := g.Send("POST", "/optimise", strings.Replace(body, `"id":"v",`, `"id":"v","profile":"truck",`, 1), apitest.Bearer(k.Secret)...); r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "20" {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	// Reloads: three loads of three are three trips.
	trips := `{"vehicles":[{"id":"v","start":` + at("a") + `,"capacity":[3],"time_window":[0,36000],"reloads":{"max_trips":3,"reload_time_s":300}}],"jobs":[`
	for i := range 3 {
		trips += fmt.Sprintf(`{"id":"j%d","location":%s,"delivery":[3]},`, i, at(string("cdg"[i])))
	}
	r = g.Send("POST", "/optimise", strings.TrimSuffix(trips, ",")+`]}`, apitest.Bearer(k.Secret)...)
	if n := len(r.At(t, "routes").([]any)); n != 3 || r.At(t, "reloads").([]any)[0].(map[string]any)["trips"] != 3.0 || r.At(t, "routes").([]any)[2].(map[string]any)["trip"] != 3.0 {
		t.Errorf("%s", r.Body)
	}
}

func TestOptimiseRefusals(t *testing.T) {
	g := apitest.Many(t, nil)
	k := g.Minted(t, account.Minting{})
	const (
		home = `{"lat":47.5,"lon":9.5}`
		v    = `{"id":"v","start":` + home + `,"capacity":[5]}`
		j    = `{"id":"j","location":` + home + `,"delivery":[1]}`
	)
	problem := func(vehicles, rest string) string { return `{"vehicles":[` + vehicles + `],` + rest + `}` }
	jobs := func(list string) string { return problem(v, `"jobs":[`+list+`]`) }
	vehicle := func(more string) string {
		return problem(`{"id":"v","start":`+home+`,"capacity":[5],`+more+`}`, `"jobs":[`+j+`]`)
	}
	ring := "[" + strings.TrimSuffix(strings.Repeat("[9,47],", 1001), ",") + "]"
	var territories []string
	for i := range 65 {
		territories = append(territories, fmt.Sprintf(`{"id":"t%d","polygon":[[[9,47],[10,47],[10,48],[9,47]]]}`, i))
	}
	shipment := `{"id":"s","pickup":{"location":` + home + `},"delivery":{"location":` + home + `}}`
	for body, field := range map[string]string{
		`{"jobs":[` + j + `]}`:             "vehicles",
		problem("", `"jobs":[`+j+`]`):      "vehicles",
		problem(v, `"jobs":[]`):            "jobs",
		problem(v, `"costing":"auto"`):     "jobs",
		problem(v+`,`+v, `"jobs":[`+j+`]`): "vehicles[1].id",
		jobs(j + `,` + j):                  "jobs[1].id",
		problem(v, `"jobs":[`+j+`],"shipments":[{"pickup":{"id":"j","location":`+home+`},"delivery":{"location":`+home+`}}]`):                            "shipments[0].pickup.id",
		problem(v, `"shipments":[{"pickup":{"location":`+home+`,"time_windows":[[100,200]]},"delivery":{"location":`+home+`,"time_windows":[[0,50]]}}]`): "shipments[0].delivery.time_windows",
		jobs(`{"id":"j","location":` + home + `,"time_windows":[[9,3]]}`):                                                                                "jobs[0].time_windows[0]",
		jobs(`{"id":"j","location":` + home + `,"time_windows":[[0,9],[5,12]]}`):                                                                         "jobs[0].time_windows[1]",
		jobs(`{"id":"j","location":` + home + `,"service_s":-1}`):                                                                                        "jobs[0].service_s",
		jobs(`{"id":"j","location":` + home + `,"delivery":[1,2]}`):                                                                                      "jobs[0].delivery",
		jobs(`{"id":"j","location":{"lat":97,"lon":9}}`):                                                                                                 "jobs[0].location.lat",
		jobs(`{"id":"j","location":[9]}`):                                                                                                                "jobs[0].location",
		jobs(`{"id":"","location":` + home + `}`):                                                                                                        "jobs[0].id",
		vehicle(`"time_window":[100,200],"breaks":[{"time_windows":[[250,300]],"service_s":30}]`):                                                        "vehicles[0].breaks[0].time_windows",
		vehicle(`"time_window":[100,200],"breaks":[{"time_windows":[[171,300]],"service_s":30}]`):                                                        "vehicles[0].breaks[0].time_windows",
		vehicle(`"time_window":[100,200],"breaks":[{"service_s":20},{"time_windows":[[0,119]]}]`):                                                        "vehicles[0].breaks[1].time_windows",
		vehicle(`"time_window":[100,200],"breaks":[{"service":101}]`):                                                                                    "vehicles[0].breaks[0].service_s",
		vehicle(`"time_windows":[[100,200],[300,400]],"breaks":[{"time_windows":[[210,290]]}]`):                                                          "vehicles[0].breaks[0].time_windows",
		vehicle(`"breaks":[{"time_windows":[[50,60]]},{"time_windows":[[10,20]]}]`):                                                                      "vehicles[0].breaks[1].time_windows",
		problem(v, `"jobs":[`+j+`],"matrices":{"car":{"durations":[[0]]}}`):                                                                              "matrices",
		problem(v, `"jobs":[`+j+`],"matrix":[[0]]`):                                                                                                      "matrix",
		vehicle(`"time_window":[9,3]`):                                                                                                                   "vehicles[0].time_window",
		vehicle(`"reloads":{"max_trips":2}`):                                                                                                             "vehicles[0].reloads",
		vehicle(`"time_window":[0,9],"reloads":{"max_trips":1}`):                                                                                         "vehicles[0].reloads.max_trips",
		vehicle(`"time_window":[0,9],"reloads":{"max_trips":6}`):                                                                                         "vehicles[0].reloads.max_trips",
		vehicle(`"territory_ids":["none"]`):                                                                                                              "vehicles[0].territory_ids[0]",
		vehicle(`"profile":"rocket"`):                                                                                                                    "vehicles[0].profile",
		vehicle(`"first_stop_ids":["x"]`):                                                                                                                "vehicles[0].first_stop_ids[0]",
		vehicle(`"steps":[{"type":"job","id":"x"}]`):                                                                                                     "vehicles[0].steps[0].id",
		vehicle(`"speed_factor":9`):                                                                                                                      "vehicles[0].speed_factor",
		problem(`{"id":"v"}`, `"jobs":[`+j+`]`):                                                                                                          "vehicles[0].start",
		problem(`{"id":"v","start":`+home+`,"first_stop_ids":["s/delivery"]}`, `"shipments":[`+shipment+`]`):                                             "vehicles[0].first_stop_ids[0]",
		problem(`{"id":"v","start":`+home+`,"first_stop_ids":["j"]},{"id":"w","start":`+home+`,"first_stop_ids":["j"]}`, `"jobs":[`+j+`]`):               "vehicles[1].first_stop_ids[0]",
		problem(v, `"jobs":[`+j+`],"territories":[`+strings.Join(territories, ",")+`]`):                                                                  "territories",
		problem(v, `"jobs":[`+j+`],"territories":[{"id":"x","polygon":[`+ring+`]}]`):                                                                     "territories[0].polygon",
		problem(v, `"jobs":[`+j+`],"relax_if_unassigned":{"time_windows_by_s":604801}`):                                                                  "relax_if_unassigned.time_windows_by_s",
		problem(v, `"jobs":[`+j+`],"relax_if_unassigned":{"allow_overtime_s":604801}`):                                                                   "relax_if_unassigned.allow_overtime_s",
		problem(v, `"jobs":[`+j+`],"relax_if_unassigned":[]`):                                                                                            "relax_if_unassigned",
		problem(v, `"jobs":[`+j+`],"time_limit_s":11`):                                                                                                   "time_limit_s",
		problem(v, `"jobs":[`+j+`],"adr":{"dimensions":{"height_m":4,"width_m":2.5,"length_m":16.5,"gross_weight_t":40},"tunnel_code":null,"hazmat":true}`): "adr",
		problem(v, `"jobs":[`+j+`],"costing_options":{"truck":{"height":4}}`):                                                                               "costing_options.truck",
		problem(v, `"jobs":[`+j+`],"avoid_zones":true`):                                                                                                     "avoid_zones",
		problem(v, `"jobs":[`+j+`],"together":[["j","k"]]`):                                                                                                 "together[0][1]",
		problem(v, `"jobs":[`+j+`],"apart":[["j"]]`):                                                                                                        "apart[0]",
	} {
		p := g.Send("POST", "/optimise", body, apitest.Bearer(k.Secret)...).Problem(t, 400, "bad-request")
		if errors, _ := p["errors"].([]any); len(errors) == 0 || errors[0].(map[string]any)["location"] != field {
			t.Errorf("%.300s: %v, want %s", body, p, field)
		}
	}
	var many []string
	for i := range 200 {
		many = append(many, fmt.Sprintf(`{"id":"j%d","location":{"lat":%g,"lon":9.1}}`, i, 47.1+float64(i)/1000))
	}
	p := g.Send("POST", "/optimise", jobs(strings.Join(many, ",")), apitest.Bearer(k.Secret)...).Problem(t, 422, "optimisation-too-large")
	if p["max_locations"] != 200.0 || p["locations"] != 201.0 {
		t.Error(p)
	}
	if _, units := g.Units(t, k.Key.ID); units != 0 {
		t.Errorf("%d units were charged", units)
	}
	off := apitest.Many(t, nil, apitest.NoSolver)
	o := off.Minted(t, account.Minting{})
	for _, path := range []string{"/optimise", "/optimize", "/optimise/replan", "/optimize/replan", "/v1/jobs/optimise", "/v1/jobs/replan"} {
		body := strings.TrimSuffix(jobs(j), "}") + map[bool]string{true: `,"progress":[{"vehicle":"v"}]}`, false: "}"}[strings.HasSuffix(path, "replan")]
		off.Send("POST", path, body, apitest.Bearer(o.Secret)...).Problem(t, 503, "optimisation-not-enabled")
	}
}

// A break that its vehicle cannot take is refused with the limits of its start, and keeps no
// other vehicle from the work; one at the very end of the shift is planned.
func TestOptimiseBreaksOutsideTheShift(t *testing.T) {
	g := apitest.Many(t, nil)
	k := g.Minted(t, account.Minting{})
	body := func(window string) string {
		return `{"vehicles":[{"id":"v","start":{"lat":47.5,"lon":9.5},"time_window":[28800,43200],"breaks":[{"id":"lunch","time_windows":[` + window + `],"service_s":1800}]},{"id":"w","start":{"lat":47.5,"lon":9.5}}],"jobs":[{"id":"j","location":{"lat":47.6,"lon":9.5}}]}`
	}
	for _, path := range []string{"/optimise", "/v1/jobs/optimise"} {
		p := g.Send("POST", path, body("[46800,50400]"), apitest.Bearer(k.Secret)...).Problem(t, 400, "bad-request")
		e := p["errors"].([]any)[0].(map[string]any)
		if message := fmt.Sprint(e["message"]); fmt.Sprint(e["value"]) != "[[46800 50400]]" || !strings.Contains(message, "28800") || !strings.Contains(message, "41400") {
			t.Errorf("%s: %v", path, e)
		}
	}
	if r := g.Send("POST", "/optimise", body("[41400,50400]"), apitest.Bearer(k.Secret)...); r.At(t, "summary", "unassigned") != 0.0 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}

// The matrices of a body of VROOM's are named wherever a plan is made, beside what such a body
// lacks; its other members bring a warning.
func TestOptimiseBodiesOfVROOM(t *testing.T) {
	g := apitest.Many(t, nil)
	k := g.Minted(t, account.Minting{})
	const matrices = `"matrices":{"car":{"durations":[[0,9],[9,0]]}}`
	named := func(path, body string) (list []string) {
		p := g.Send("POST", path, body, apitest.Bearer(k.Secret)...).Problem(t, 400, "bad-request")
		for _, e := range p["errors"].([]any) {
			list = append(list, e.(map[string]any)["location"].(string))
		}
		return list
	}
	if list := named("/optimise", `{"vehicles":[{"id":1,"start_index":0}],"jobs":[{"id":1,"location_index":1}],`+matrices+`}`); !slices.Contains(list, "matrices") || !slices.Contains(list, "jobs[0].location") {
		t.Errorf("%v", list)
	}
	for _, path := range []string{"/optimise", "/optimise/replan", "/v1/jobs/optimise", "/v1/jobs/replan"} {
		more := "}"
		if strings.HasSuffix(path, "replan") {
			more = `,"progress":[{"vehicle":1}]}`
		}
		if list := named(path, `{"vehicles":[{"id":1,"start":[9.5,47.5]}],"jobs":[{"id":1,"location":[9.5,47.6]}],`+matrices+more); len(list) != 1 || list[0] != "matrices" {
			t.Errorf("%s: %v", path, list)
		}
	}
	const placed = `{"vehicles":[{"id":1,"profile":"car","start":[9.5,47.5],"speed_factor":0.9,"costs":{"fixed":7,"per_km":2},"steps":[{"type":"start"},{"type":"job","id":1,"service_at":5}]}],"jobs":[{"id":1,"location":[9.5,47.6],"location_index":1}],"options":{"g":true}}`
	r := g.Send("POST", "/optimise", placed, apitest.Bearer(k.Secret)...)
	if r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	for _, member := range []string{"options", "vehicles[0].steps[1].service_at", "jobs[0].location_index"} {
		if !strings.Contains(fmt.Sprint(r.At(t, "warnings")), member+" is not known here") {
			t.Errorf("no warning of %s: %v", member, r.At(t, "warnings"))
		}
	}
}

// A task off the network is named with its position; the rest is planned.
func TestOptimiseOffTheNetwork(t *testing.T) {
	g := apitest.Many(t, nil)
	k := g.Minted(t, account.Minting{})
	body := `{"vehicles":[{"id":"v","start":{"lat":47.5,"lon":9.5}}],"jobs":[{"id":"near","location":{"lat":47.6,"lon":9.5}},{"id":"far","location":{"lat":46,"lon":9.5}}]}`
	r := g.Send("POST", "/optimise", body, apitest.Bearer(k.Secret)...)
	u, _ := r.At(t, "unassigned").([]any)
	if r.Status != 200 || len(u) != 1 || u[0].(map[string]any)["id"] != "far" || u[0].(map[string]any)["reason"] != "off_network" {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	p := g.Send("POST", "/optimise", strings.Replace(body, `"start":{"lat":47.5`, `"start":{"lat":46.2`, 1), apitest.Bearer(k.Secret)...).Problem(t, 400, "bad-request")
	if errors, _ := p["errors"].([]any); len(errors) == 0 || errors[0].(map[string]any)["location"] != "vehicles[0].start" {
		t.Error(p)
	}
}

// waits is an engine whose matrices wait.
type waits struct {
	engine.Engine
	release chan struct{}
}

func (w *waits) Matrix(ctx context.Context, r *engine.MatrixRequest) (*engine.MatrixAnswer, error) {
	select {
	case <-w.release:
	case <-ctx.Done():
	}
	return w.Engine.Matrix(ctx, r)
}

// A job that is to keep its best ends with the plan it has, long before its work is
// done, also where that keeps to a plan of before; a matrix has nothing to keep.
func TestOptimiseJobKeepsItsBest(t *testing.T) {
	for path, more := range map[string][2]string{
		"/v1/jobs/optimise": {`,"first_stop_ids":["j5","j3"]`, ``},
		"/v1/jobs/replan":   {`,"steps":[{"type":"job","id":"j9"},{"type":"job","id":"j2"},{"type":"job","id":"j7"}]`, `,"progress":[{"vehicle":"v","completed_stop_ids":["j9"]}]`},
	} {
		t.Run(path, func(t *testing.T) { keepsItsBest(t, path, more[0], more[1]) })
	}
}

// keepsItsBest asks for a plan with more of its vehicle and of itself.
func keepsItsBest(t *testing.T, path, vehicle, more string) {
	release := make(chan struct{})
	g, town := apitest.DrawnWith(t, func(_ *towntest.Town, r *world.Region) { r.Engine = &waits{r.Engine, release} })
	k := g.Minted(t, account.Minting{})
	at := func(i int) string { return apitest.At(town.Point(string("abcdefg"[i%7]))) }
	body := `{"vehicles":[{"id":"v","start":` + at(0) + `,"capacity":[60]` + vehicle + `}],"time_limit_s":600,"jobs":[{"id":"heavy","location":` + at(1) + `,"delivery":[99]}`
	for i := range 40 {
		body += fmt.Sprintf(`,{"id":"j%d","location":%s,"delivery":[1]}`, i, at(i))
	}
	body += `]` + more + `}`
	id := submitted(t, g, k, path, body)
	matrix := submitted(t, g, k, "/v1/jobs/matrix", `{"locations":[`+at(0)+`]}`)
	waiting := submitted(t, g, k, path, body)
	keep := func(id string) apitest.Reply {
		return g.Send("DELETE", "/v1/jobs/"+id+"?keep=best", "", apitest.Bearer(k.Secret)...)
	}
	if p := keep(matrix).Problem(t, 400, "bad-request"); !strings.Contains(fmt.Sprint(p["errors"]), "keep") {
		t.Error(p)
	}
	if r := keep(waiting); r.Status != 200 || r.At(t, "state") != "cancelled" || r.At(t, "refunded") != true {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	g.Send("DELETE", "/v1/jobs/"+matrix, "", apitest.Bearer(k.Secret)...)
	g.Work(t)
	waittest.Until(t, "the job is worked on", func() bool {
		return g.Send("GET", "/v1/jobs/"+id, "", apitest.Bearer(k.Secret)...).At(t, "state") == "running"
	})
	if r := keep(id); r.Status != 200 || r.At(t, "state") != "running" || r.At(t, "stopping") != true {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	close(release) // the matrix goes on: it is wanted for the plan
	r := ended(t, g, k, id)
	if r.At(t, "state") != "succeeded" || r.At(t, "result", "search", "stopped") != true || r.At(t, "result", "search", "deadline_hit") != false || r.At(t, "refunded") != false {
		t.Errorf("%s", r.Body)
	}
	if u := r.At(t, "result", "unassigned").([]any); len(u) != 1 || u[0].(map[string]any)["reason"] != "not_examined" || len(r.At(t, "result", "routes").([]any)) != 1 {
		t.Errorf("%s", r.Body)
	}
	keep(id).Problem(t, 409, "job-ended")
	forget := func(more string) apitest.Reply {
		return g.Send("DELETE", "/v1/jobs/"+id+"?forget=true"+more, "", apitest.Bearer(k.Secret)...)
	}
	if p := forget("&keep=best").Problem(t, 400, "bad-request"); !strings.Contains(fmt.Sprint(p["errors"]), "forget") {
		t.Error(p)
	}
	if r := forget(""); r.Status != 200 || r.At(t, "state") != "succeeded" || r.At(t, "refunded") != false {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	forget("").Problem(t, 404, "not-found")
	g.Send("GET", "/v1/jobs/"+id, "", apitest.Bearer(k.Secret)...).Problem(t, 404, "not-found")
}

// The same problem as a job comes to the same plan.
func TestOptimiseJob(t *testing.T) {
	g, town := apitest.Drawn(t)
	k := g.Minted(t, account.Minting{})
	at := func(p string) string { return apitest.At(town.Point(p)) }
	body := `{"vehicles":[{"id":"v","start":` + at("a") + `}],"jobs":[{"id":"c","location":` + at("c") + `},{"id":"g","location":` + at("g") + `}]}`
	sync := g.Send("POST", "/optimise", body, apitest.Bearer(k.Secret)...)
	id := submitted(t, g, k, "/v1/jobs/optimise", body)
	rest := submitted(t, g, k, "/v1/jobs/replan", strings.TrimSuffix(body, "}")+`,"progress":[{"vehicle":"v","completed_stop_ids":["c"]}]}`)
	g.Work(t)
	r := ended(t, g, k, id)
	if apitest.Body(r.At(t, "result", "routes")) != apitest.Body(sync.At(t, "routes")) || r.At(t, "progress", "best_cost") != r.At(t, "result", "summary", "cost") || r.At(t, "units") != 1.0 {
		t.Errorf("%s\n%s", r.Body, sync.Body)
	}
	if r := ended(t, g, k, rest); r.At(t, "result", "replan", "changes_applied", "completed_stops") != 1.0 {
		t.Errorf("%s", r.Body)
	}
}
