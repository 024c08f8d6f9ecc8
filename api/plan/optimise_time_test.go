package plan_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/feature/optimise"
	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/world"
)

// many returns a problem of so many jobs for so many vehicles, no two alike, of which ten jobs
// need what no vehicle has.
func many(town *towntest.Town, jobs, vehicles int, more string) string {
	at := func(i int) string { return apitest.At(town.Point(string("abcdefg"[i%7]))) }
	var list []string
	for i := range jobs {
		skills := ""
		if i < 10 {
			skills = `,"skills":[9],"time_windows":[[1,2]]`
		}
		list = append(list, fmt.Sprintf(`{"id":"j%d","location":%s,"service_s":60%s}`, i, at(i), skills))
	}
	var fleet []string
	for i := range vehicles {
		fleet = append(fleet, fmt.Sprintf(`{"id":"v%d","start":%s,"time_window":[0,%d],"costs":{"fixed":%d}}`, i, at(0), 20_000+i, i))
	}
	return `{"vehicles":[` + strings.Join(fleet, ",") + `],"jobs":[` + strings.Join(list, ",") + `]` + more + `}`
}

// An estimate has the search in it, and whatever else was asked for, and nothing is run.
func TestOptimiseEstimate(t *testing.T) {
	g, town := apitest.Drawn(t)
	k := g.Minted(t, account.Minting{})
	estimate := func(path, body string) (ms, bytes float64) {
		t.Helper()
		r := g.Send("POST", path+"?estimate=1", body, apitest.Bearer(k.Secret)...)
		if r.Status != 200 || r.At(t, "accepted") != true || r.At(t, "reason") != "" {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		return r.At(t, "estimated_ms").(float64), r.At(t, "memory_bytes").(float64)
	}
	var seven []string
	for _, p := range "abcdefg" {
		seven = append(seven, apitest.At(town.Point(string(p))))
	}
	list := "[" + strings.Join(seven, ",") + "]"
	matrix, held := estimate("/matrix", `{"sources":`+list+`,"targets":`+list+`}`)
	bare, memory := estimate("/optimise", many(town, 500, 30, `,"explain":false`))
	// Ten thousand iterations and more of two walkers take no less than this anywhere.
	if bare < matrix+200 || memory < held {
		t.Errorf("a plan is estimated at %g ms and %g bytes, and its matrix at %g ms and %g", bare, memory, matrix, held)
	}
	for more, least := range map[string]float64{
		"": bare + 10,
		`,"relax_if_unassigned":{"allow_overtime_s":600},"explain":false`: bare * 1.5,
		`,"geometry":true,"explain":false`:                                bare + 0.01,
		`,"time_limit_s":1,"explain":false`:                               200,
	} {
		if ms, _ := estimate("/optimise", many(town, 500, 30, more)); ms < least {
			t.Errorf("with %s it is estimated at %g ms, want %g or more", more, ms, least)
		}
	}
	// A search that ends by its time alone takes no longer than that.
	if ms, _ := estimate("/optimise", many(town, 1000, 300, `,"time_limit_s":2`)); ms > 2100 {
		t.Errorf("a plan that may take 2 s is estimated at %g ms", ms)
	}
	replan := strings.TrimSuffix(many(town, 500, 30, `,"explain":false`), "}") + `,"progress":[{"vehicle":"v0","completed_stop_ids":["j10"]}]}`
	if ms, _ := estimate("/optimise/replan", replan); ms < matrix+200 {
		t.Errorf("a plan of the rest is estimated at %g ms", ms)
	}
	if calls, _ := g.Units(t, k.Key.ID); calls != 0 {
		t.Errorf("%d calls are counted", calls)
	}
}

// A plan that has little time says what gave way, and comes all the same.
func TestOptimiseGivesWay(t *testing.T) {
	g, town := apitest.Drawn(t)
	k := g.Minted(t, account.Minting{})
	body := many(town, 990, 300, `,"time_limit_s":0.1`)
	held := func(r apitest.Reply, path ...string) {
		t.Helper()
		parts, _ := r.At(t, append(path, "search", "ended_by_time")...).([]any)
		if !slices.Contains(parts, any("explanations")) {
			t.Errorf("gave way: %v", parts)
		}
		missing := 0
		for _, u := range r.At(t, append(path, "unassigned")...).([]any) {
			if u.(map[string]any)["reason"] == "not_examined" {
				missing++
			}
		}
		if missing == 0 {
			t.Error("all was examined")
		}
		if hit := r.At(t, append(path, "search", "deadline_hit")...); hit != slices.Contains(parts, any("search")) {
			t.Errorf("deadline_hit is %v beside %v", hit, parts)
		}
	}
	r := g.Send("POST", "/optimise", body, apitest.Bearer(k.Secret)...)
	if r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	held(r)
	id := submitted(t, g, k, "/v1/jobs/optimise", body)
	g.Work(t)
	held(ended(t, g, k, id), "result")
	// A search that ends by itself reports no end by time.
	quick := g.Send("POST", "/optimise", many(town, 20, 2, ""), apitest.Bearer(k.Secret)...)
	if search := quick.Members(t, "search"); strings.Contains(search, "ended_by_time") || quick.At(t, "search", "deadline_hit") != false {
		t.Errorf("%s", search)
	}
}

// Ways are kept for each profile and speed: how many there may be is bounded by their size.
func TestOptimiseSpeeds(t *testing.T) {
	g := apitest.Many(t, nil)
	k := g.Minted(t, account.Minting{})
	problem := func(speeds, locations int) string {
		var vehicles, jobs []string
		for i := range speeds {
			vehicles = append(vehicles, fmt.Sprintf(`{"id":"v%d","start":{"lat":47,"lon":9},"speed_factor":%g}`, i, 1+float64(i)/1000))
		}
		for i := range locations - 1 {
			jobs = append(jobs, fmt.Sprintf(`{"id":"j%d","location":{"lat":47.1,"lon":%g}}`, i, 9+float64(i)/1000))
		}
		return `{"vehicles":[` + strings.Join(vehicles, ",") + `],"jobs":[` + strings.Join(jobs, ",") + `]}`
	}
	ask := func(body string) apitest.Reply {
		return g.Send("POST", "/optimise?estimate=1", body, apitest.Bearer(k.Secret)...)
	}
	p := ask(problem(101, 200)).Problem(t, 400, "bad-request")
	if text := fmt.Sprint(p["errors"]); !strings.Contains(text, "101") || !strings.Contains(text, "100 pairs") || !strings.Contains(text, "speed_factor") {
		t.Error(text)
	}
	for _, body := range []string{problem(100, 200), problem(101, 100)} {
		if r := ask(body); r.Status != 200 {
			t.Errorf("%d %s", r.Status, r.Body)
		}
	}
}

// leaving is a context that ends once it was looked at so often, by whichever goroutine.
type leaving struct {
	context.Context
	left  int64
	looks atomic.Int64
}

func (l *leaving) Err() error {
	if l.looks.Add(1) <= l.left {
		return nil
	}
	return context.Canceled
}

// A plan ends within few looks after its caller has left, whichever part it is at.
func TestOptimiseEndsSoonAfterItsCaller(t *testing.T) {
	var here *world.Region
	_, town := apitest.DrawnWith(t, func(_ *towntest.Town, r *world.Region) { here = r })
	problem := &fleet.Problem{}
	var points []geo.Point
	for _, p := range "abcdefg" {
		points = append(points, town.Point(string(p)))
	}
	for i := range 120 {
		j := fleet.Job{Place: fleet.Place{Location: i % 7, Service: 60}}
		if i < 3 {
			j.Skills, j.Windows = []int32{9}, []fleet.Window{{Start: 1, End: 2}}
		}
		problem.Jobs = append(problem.Jobs, j)
	}
	for range 10 {
		problem.Vehicles = append(problem.Vehicles, fleet.Vehicle{PerHour: 3600, MaxTasks: 15, Windows: []fleet.Window{{End: 40_000}}})
	}
	plan := func(left int64) (looks int64, seen map[string]bool, stage string, err error) {
		ctx, seen := &leaving{Context: t.Context(), left: left}, map[string]bool{}
		service := &optimise.Service{Engine: here.Engine, Solver: optimise.Embedded{}, Cells: 10_000}
		_, err = service.Plan(ctx, &optimise.Task{
			Problem: problem, Points: points, Profiles: []optimise.Profile{{Costing: costing.Auto}}, Explain: 3, Geometry: true,
			Relax: &optimise.Relax{Windows: 1}, Search: optimise.Search{Seed: 1, Work: time.Second / 20, Limit: time.Hour},
			Progress: func(p optimise.Progress) {
				if p.Stage != stage {
					stage = p.Stage
					seen[stage] = true
				}
			},
		})
		return ctx.looks.Load(), seen, stage, err
	}
	all, seen, _, err := plan(math.MaxInt64)
	if err != nil || !seen["matrix"] || !seen["search"] || !seen["explain"] || !seen["geometry"] {
		t.Fatalf("%v, %v", seen, err)
	}
	left := map[string]bool{}
	at := []int64{all - 1, all - 2}
	for looks := int64(0); looks < all; looks += max(1, all/20) {
		at = append(at, looks)
	}
	for _, leave := range at {
		looks, _, stage, err := plan(leave)
		if looks > leave && (!errors.Is(err, context.Canceled) || looks > leave+50) {
			t.Errorf("left at look %d of %d, at %q: %v after %d more looks", leave, all, stage, err, looks-leave)
		}
		left[stage] = true
	}
	if !left["search"] || !left["explain"] || !left["geometry"] {
		t.Errorf("left at %v alone", left)
	}
}
