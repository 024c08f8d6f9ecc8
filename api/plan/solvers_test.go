package plan_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/fleet/vroom"
)

// One suite for every solver: whatever plans, an answer has the same shape and keeps the same
// constraints.
func TestSolvers(t *testing.T) {
	apitest.EachSolver(t, func(t *testing.T, name string, with func(*api.Options)) {
		g := apitest.Many(t, nil, with)
		k := g.Minted(t, account.Minting{})
		ask := func(t *testing.T, path, body string) apitest.Reply {
			t.Helper()
			r := g.Send("POST", path, body, apitest.Bearer(k.Secret)...)
			if r.Status != 200 {
				t.Fatalf("%d %s", r.Status, r.Body)
			}
			if r.At(t, "search", "solver") != name {
				t.Errorf("solved by %v", r.At(t, "search", "solver"))
			}
			return r
		}
		t.Run("constraints", func(t *testing.T) { suiteOfConstraints(t, ask) })
		t.Run("left over", func(t *testing.T) { suiteOfTheLeftOver(t, ask) })
		t.Run("the rest of a day", func(t *testing.T) { suiteOfReplans(t, ask, day{g, k}) })
		t.Run("as many stops as may be", func(t *testing.T) { suiteOfTheExhausted(t, ask, day{g, k}) })
		t.Run("job", func(t *testing.T) {
			id := submitted(t, g, k, "/v1/jobs/optimise", suiteBody(""))
			g.Work(t)
			if r := ended(t, g, k, id); r.At(t, "result", "search", "solver") != name || r.At(t, "result", "summary", "unassigned") != 0.0 {
				t.Errorf("%s", r.Body)
			}
		})
		if optimiser, far := g.Send("GET", "/health", "").JSON(t)["optimiser"].(map[string]any); far != (name == "vroom") || far && (optimiser["solver"] != name || optimiser["state"] != "ok") {
			t.Errorf("health: %v", optimiser)
		}
	})
}

type asks func(t *testing.T, path, body string) apitest.Reply

// suiteBody returns a problem of everything that all solvers can express.
func suiteBody(more string) string {
	at := func(lat, lon float64) string { return fmt.Sprintf(`{"lat":%g,"lon":%g}`, lat, lon) }
	return `{"costing":"auto","vehicles":[
		{"id":"v","start":` + at(47.1, 9.1) + `,"end":` + at(47.1, 9.1) + `,"capacity":[5,9],"skills":[3],"type":"van","speed_factor":1.25,"time_window":[28800,61200],"costs":{"per_km":200,"fixed":30},
		 "breaks":[{"id":"tea","service_s":600},{"id":"lunch","time_windows":[[43200,46800]],"service_s":1800,"max_load":[4,9]}],"max_tasks":9},
		{"id":"w","start":` + at(47.7, 9.3) + `,"capacity":[4,9],"profile":"truck","territory_ids":["north"],"time_window":[28800,61200],"max_travel_time":20000,"max_distance":400000}],
		"territories":[{"id":"north","polygon":[[[8,47.42],[11,47.42],[11,49],[8,49],[8,47.42]]]}],
		"jobs":[
		{"id":"a","location":` + at(47.2, 9.2) + `,"service_s":300,"service_per_type":{"van":120},"delivery":[1,2],"time_windows":[[30000,33000],[50000,52000]]},
		{"id":"b","location":` + at(47.3, 9.2) + `,"setup":60,"service_s":300,"pickup":[2,1],"priority":10},
		{"id":"c","location":` + at(47.6, 9.2) + `,"service_s":300,"skills":[3]},
		{"id":"d","location":` + at(47.65, 9.2) + `,"service_s":300,"delivery":[3,0]},
		{"id":"e","location":` + at(47.25, 9.4) + `,"service_s":300,"delivery":[1,0]}],
		"shipments":[
		{"id":"s","pickup":{"location":` + at(47.5, 9.2) + `,"service_s":60},"delivery":{"location":` + at(47.6, 9.4) + `,"service_s":60},"amount":[1,1]},
		{"id":"u","pickup":{"location":` + at(47.15, 9.2) + `},"delivery":{"location":` + at(47.5, 9.4) + `,"time_windows":[[40000,60000]]},"amount":[1,0]}]` + more + `}`
}

type suitePlan struct {
	Summary struct{ Routes, Unassigned int }
	Routes  []struct {
		Vehicle, Geometry  string
		Duration, Distance int
		Steps              []struct {
			Type, ID                string
			Arrival, Service, Setup int
			Waiting                 int `json:"waiting_time"`
			Load                    []int
			Shipment                string
			Duration                int
			Distance                int
			Location                *struct{ Lat, Lon float64 }
		}
	}
}

func suiteOfConstraints(t *testing.T, ask asks) {
	r := ask(t, "/optimise", suiteBody(`,"geometry":true`))
	var p suitePlan
	if err := json.Unmarshal(r.Body, &p); err != nil {
		t.Fatal(err)
	}
	if p.Summary.Unassigned != 0 || p.Summary.Routes != 2 {
		t.Fatalf("%s", r.Body)
	}
	var done []string
	for _, route := range p.Routes {
		most := map[string][]int{"v": {5, 9}, "w": {4, 9}}[route.Vehicle]
		breaks := ""
		if route.Geometry == "" {
			t.Error("no line")
		}
		for i, s := range route.Steps {
			begins := s.Arrival + s.Setup + s.Waiting
			for d := range s.Load {
				if s.Load[d] > most[d] {
					t.Errorf("%s carries %v", route.Vehicle, s.Load)
				}
			}
			switch {
			case s.Type == "break":
				breaks += s.ID + " "
				if s.ID == "lunch" && (begins < 43200 || begins > 46800 || s.Service != 1800 || s.Load[0] > 4) {
					t.Errorf("%+v", s)
				}
			case s.ID == "a":
				if want := map[string]int{"v": 120, "w": 300}[route.Vehicle]; s.Service != want || begins < 30000 || begins > 33000 && begins < 50000 {
					t.Errorf("%+v", s)
				}
			case s.ID == "u/delivery" && begins < 40000, s.ID == "c" && route.Vehicle != "v", s.ID == "b" && s.Setup != 60:
				t.Errorf("%s: %+v", route.Vehicle, s)
			}
			if s.Type == "end" && (s.Arrival > 61200 || i != len(route.Steps)-1) {
				t.Errorf("%+v", s)
			}
			if s.ID != "" && s.Type != "break" {
				done = append(done, s.ID)
				if route.Vehicle == "w" && s.Location.Lat < 47.42 {
					t.Errorf("%s is out of the territory", s.ID)
				}
			}
		}
		if route.Vehicle == "v" && breaks != "tea lunch " {
			t.Errorf("breaks %s", breaks)
		}
	}
	for _, s := range []string{"s", "u"} {
		if slices.Index(done, s+"/pickup") > slices.Index(done, s+"/delivery") {
			t.Errorf("%v", done)
		}
	}
	if slices.Sort(done); strings.Join(done, " ") != "a b c d e s/delivery s/pickup u/delivery u/pickup" {
		t.Errorf("%v", done)
	}
}

func suiteOfTheLeftOver(t *testing.T, ask asks) {
	extra := `{"id":"far","location":{"lat":46,"lon":9.2}},{"id":"heavy","location":{"lat":47.3,"lon":9.3},"delivery":[99,0]},{"id":"skilled","location":{"lat":47.3,"lon":9.3},"skills":[8]},{"id":"early","location":{"lat":47.3,"lon":9.3},"time_windows":[[0,9]]},`
	r := ask(t, "/optimise", strings.Replace(suiteBody(""), `"jobs":[`, `"jobs":[`+extra, 1))
	var got []string
	for _, u := range r.At(t, "unassigned").([]any) {
		x := u.(map[string]any)
		got = append(got, x["id"].(string)+" "+x["reason"].(string))
		if n := len(x["relaxations"].([]any)); (n > 0) != (x["id"] != "far") {
			t.Errorf("%v: %d relaxations", x["id"], n)
		}
	}
	if slices.Sort(got); strings.Join(got, ", ") != "early limits, far off_network, heavy capacity, skilled skills" {
		t.Errorf("%v", got)
	}
	r = ask(t, "/optimise", strings.Replace(suiteBody(`,"relax_if_unassigned":{"time_windows_by_s":40000}`), `"jobs":[`, `"jobs":[{"id":"early","location":{"lat":47.3,"lon":9.3},"time_windows":[[0,9]]},`, 1))
	if r.At(t, "relaxation", "applied") != true || r.At(t, "relaxation", "unassigned_after") != 0.0 {
		t.Errorf("%s", r.Body)
	}
}

func suiteOfReplans(t *testing.T, ask asks, d day) {
	r := ask(t, "/optimise/replan", d.body(`"progress":[{"vehicle":"v","completed_stop_ids":["a","s"],"time_s":5000},{"vehicle":"w","completed_stop_ids":["f"],"current_position":`+d.stop(47.6, 9.25)+`}],
		"changes":{"cancel_job_ids":["b"],"add_jobs":[{"id":"g","location":`+d.stop(47.62, 9.2)+`}]}`))
	v, w := stops(t, r, "v"), stops(t, r, "w")
	all := strings.Fields(v + " " + w)
	if slices.Sort(all); strings.Join(all, " ") != "c d e g s/delivery" || !strings.Contains(v, "s/delivery") {
		t.Errorf("v %s, w %s", v, w)
	}
	for _, x := range r.At(t, "routes").([]any) {
		route := x.(map[string]any)
		first := route["steps"].([]any)[0].(map[string]any)
		if route["vehicle"] == "v" && (first["arrival"].(float64) < 5000 || fmt.Sprint(first["load"]) != "[2]") {
			t.Errorf("%v", first)
		}
	}
	if a := r.At(t, "replan", "changes_applied").(map[string]any); a["completed_stops"] != 3.0 || a["cancelled_jobs"] != 1.0 || a["added_jobs"] != 1.0 {
		t.Error(a)
	}
	stable := r.At(t, "replan", "stability", "vehicle") != 0.0
	if stable == strings.Contains(notes(t, r), "holds no plan to another") {
		t.Errorf("stability %t: %s", stable, notes(t, r))
	}
}

// Tasks that a vehicle has done count against its max_tasks; loads on board are delivered all
// the same.
func suiteOfTheExhausted(t *testing.T, ask asks, d day) {
	for _, c := range []struct{ most, done, v, left string }{
		{"1", `"a"`, "", "b c d e f s"},
		{"2", `"a"`, "b", "c d e f s"},
		{"1", `"s"`, "s/delivery", "a b c d e f"},
		{"2", `"s"`, "s/delivery", "a b c d e f"},
		{"2", `"a","s"`, "s/delivery", "b c d e f"},
	} {
		body := strings.Replace(d.body(`"progress":[{"vehicle":"v","completed_stop_ids":[`+c.done+`],"time_s":9},{"vehicle":"w","unavailable":true}]`), `"id":"v",`, `"id":"v","max_tasks":`+c.most+`,`, 1)
		r := ask(t, "/optimise/replan", body)
		var left []string
		for _, x := range r.At(t, "unassigned").([]any) {
			u := x.(map[string]any)
			left = append(left, u["id"].(string))
		}
		if slices.Sort(left); stops(t, r, "v") != c.v || strings.Join(left, " ") != c.left {
			t.Errorf("max_tasks %s after %s: %s; without %v", c.most, c.done, stops(t, r, "v"), left)
		}
	}
}

// A member that VROOM cannot express is refused by the caller's name for it, before anything
// is done; so is one in the original body of a re-plan.
func TestVroomRefuses(t *testing.T) {
	asked := httptest.NewServer(nil)
	asked.Close() // nobody is to be asked
	g := apitest.Many(t, nil, func(o *api.Options) { o.Solver = vroom.New(asked.URL, nil) })
	d := day{g, g.Minted(t, account.Minting{})}
	const home = `{"lat":47.5,"lon":9.5}`
	for old, changed := range map[string][2]string{
		`"id":"w",`: {`"id":"w","reloads":{"max_trips":2},`, "vehicles[1].reloads"},
		`"time_window":[0,86400],"steps":[{"type":"job","id":"f"}`: {`"time_windows":[[0,9000],[10000,20000]],"steps":[{"type":"job","id":"f"}`, "vehicles[1].time_windows"},
		`"id":"v",`:               {`"id":"v","first_stop_ids":["a"],`, "vehicles[0].first_stop_ids"},
		`"id":"s",`:               {`"id":"s","max_ride_time_s":600,`, "shipments[0].max_ride_time_s"},
		`"id":"c",`:               {`"id":"c","setup":5,"time_windows":[[0,9]],`, "jobs[2].setup"},
		`"shipments":[`:           {`"together":[["a","b"]],"shipments":[`, "together"},
		`"jobs":[`:                {`"apart":[["a","b"]],"jobs":[`, "apart"},
		`"vehicles":[` + "\n\t\t": {`"stability":{"vehicle":5},"vehicles":[`, "stability"},
	} {
		body := strings.Replace(d.body(`"explain":true`), old, changed[0], 1)
		replan := strings.TrimSuffix(body, "}") + `,"progress":[{"vehicle":"w","completed_stop_ids":["f"],"current_position":` + home + `}]}`
		for path, body := range map[string]string{"/optimise": body, "/v1/jobs/optimise": body, "/optimise/replan": replan, "/v1/jobs/replan": replan} {
			p := g.Send("POST", path, body, apitest.Bearer(d.k.Secret)...).Problem(t, 400, "bad-request")
			errors, _ := p["errors"].([]any)
			if len(errors) == 0 || errors[0].(map[string]any)["location"] != changed[1] {
				t.Errorf("%s: %v, want %s", path, p, changed[1])
			}
		}
	}
	r := g.Send("POST", "/optimise", d.body(`"explain":true`), apitest.Bearer(d.k.Secret)...)
	if p := r.Problem(t, 503, "upstream-unavailable"); strings.Contains(fmt.Sprint(p), "127.0.0.1") {
		t.Error(p)
	}
	if r := g.Send("GET", "/health", ""); r.At(t, "optimiser", "state") != "failing" || r.At(t, "status") != "ok" {
		t.Errorf("%s", r.Body)
	}
	if _, units := g.Units(t, d.k.Key.ID); units != 0 {
		t.Errorf("%d units were charged", units)
	}
}
