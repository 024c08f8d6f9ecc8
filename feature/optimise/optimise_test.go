package optimise_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/optimise"
	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// drawn returns a street of four junctions 300 m apart, an island that no road leads to, and a
// service that plans there.
func drawn(t *testing.T) (*optimise.Service, func(places string) []geo.Point) {
	t.Helper()
	town := towntest.Draw(t, `
		a---b---c---d     x--y
		                      `,
		towntest.Ways{{"abcd", "residential"}, {"xy", "residential"}}, towntest.Cell(75))
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	return &optimise.Service{Engine: e, Solver: optimise.Embedded{}, Cells: 10_000}, func(places string) (points []geo.Point) {
		for _, p := range places {
			points = append(points, town.Point(string(p)))
		}
		return points
	}
}

// visits returns a task of a job at each place but the first, where the one vehicle begins and
// ends.
func visits(points []geo.Point) *optimise.Task {
	p := &fleet.Problem{Vehicles: []fleet.Vehicle{{PerHour: 3600, MaxTasks: 100}}}
	for i := range points[1:] {
		p.Jobs = append(p.Jobs, fleet.Job{Place: fleet.Place{Location: i + 1, Service: 60}})
	}
	return &optimise.Task{
		Problem: p, Points: points, Profiles: []optimise.Profile{{Costing: costing.Auto}}, Anchors: map[int]string{0: "vehicles[0].start"}, Explain: 10,
		Search: optimise.Search{Seed: 1, Work: time.Millisecond, Limit: time.Hour},
	}
}

func plan(t *testing.T, s *optimise.Service, task *optimise.Task) *optimise.Outcome {
	t.Helper()
	o, err := s.Plan(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	if broken := fleet.Verify(o.Problem, o.Plan); len(broken) > 0 {
		t.Errorf("the plan breaks its constraints: %q", broken)
	}
	return o
}

// TestPlan checks what a plan is made of: ways as the engine measures them, in however small
// calls, an order along the street, lines through its stops, and the caller's problem untouched.
func TestPlan(t *testing.T) {
	s, at := drawn(t)
	task := visits(at("acdb"))
	task.Geometry = true
	var reports []optimise.Progress
	task.Progress = func(p optimise.Progress) { reports = append(reports, p) }
	o := plan(t, s, task)
	var order []int
	for _, step := range o.Plan.Routes[0].Steps {
		if step.Kind == fleet.StepStop {
			order = append(order, step.Location)
		}
	}
	if len(o.Plan.Unassigned) > 0 || len(order) != 3 || len(o.Snapped) != 4 || task.Problem.Matrices != nil {
		t.Errorf("stops %v, %v left over, %d places on the road, matrices %v", order, o.Plan.Unassigned, len(o.Snapped), task.Problem.Matrices)
	}
	m := o.Problem.Matrices[0]
	if there := m.Metres[2]; there < 850 || there > 950 || m.Metres[0] != 0 || m.Seconds[0] != 0 {
		t.Errorf("to the end of the street it is %d m, and to where one is %d m and %d s", there, m.Metres[0], m.Seconds[0])
	}
	// There and back along the street, whatever the order.
	if line := o.Lines[0]; len(o.Lines) != 1 || geo.Length(line) < 1700 || geo.Length(line) > 1900 || geo.Distance(line[0], task.Points[0]) > 20 {
		t.Errorf("the line of the route is %.0f m long", geo.Length(line))
	}
	stages, share := []string{}, 0.0
	for _, p := range reports {
		if !slices.Contains(stages, p.Stage) {
			stages = append(stages, p.Stage)
		}
		if p.Share < share-1e-9 || p.Share > 1 {
			t.Errorf("the work is at %g after %g", p.Share, share)
		}
		share = p.Share
	}
	if fmt.Sprint(stages) != "[matrix search geometry]" {
		t.Errorf("the stages are %v", stages)
	}
	s.Cells = 4
	if small := plan(t, s, visits(at("acdb"))); !slices.Equal(small.Problem.Matrices[0].Seconds, m.Seconds) || len(small.Snapped) != 4 {
		t.Errorf("in calls of four cells the ways are %v, and %v in one", small.Problem.Matrices[0].Seconds, m.Seconds)
	}
}

// TestLeftOver leaves work over: what no road leads to, and what no vehicle can do, each with
// its reason, as many as were asked for.
// warning is an engine that warns with each answer of a matrix.
type warning struct{ engine.Engine }

func (w warning) Matrix(ctx context.Context, r *engine.MatrixRequest) (*engine.MatrixAnswer, error) {
	a, err := w.Engine.Matrix(ctx, r)
	if err == nil {
		a.Warnings = append(a.Warnings, engine.Warning{Code: 1, Text: "once"})
	}
	return a, err
}

// TestWarnsOnce checks that a warning of the engine is written once, in however many calls it
// measures.
func TestWarnsOnce(t *testing.T) {
	s, points := drawn(t)
	s.Engine = warning{s.Engine}
	for _, cells := range []int{4, 10_000} {
		s.Cells = cells
		if o := plan(t, s, visits(points("abcd"))); len(o.Warnings) != 1 || o.Warnings[0].Text != "once" {
			t.Errorf("in calls of %d cells: %+v", cells, o.Warnings)
		}
	}
}

func TestLeftOver(t *testing.T) {
	s, at := drawn(t)
	build := func() *optimise.Task {
		task := visits(at("abxc"))
		task.Problem.Jobs[2].Skills = []int32{7}
		return task
	}
	for _, explain := range []int{0, 1, 10} {
		task := build()
		task.Explain = explain
		o := plan(t, s, task)
		if len(o.Plan.Unassigned) != 2 || len(o.Reasons) != min(explain, 2) || o.Relaxed || len(o.Ended) > 0 {
			t.Errorf("with %d to explain %v are left over, for %v; the time ended %v", explain, o.Plan.Unassigned, o.Reasons, o.Ended)
		}
	}
	// The relaxed problem is the one that the plan is of.
	task := visits(at("ab"))
	task.Problem.Jobs[0].Windows = []fleet.Window{{Start: 0, End: 1}, {Start: 10, End: 11}}
	task.Relax = &optimise.Relax{Windows: 600}
	o := plan(t, s, task)
	if o.Before != 1 || !o.Relaxed || len(o.Plan.Unassigned) != 0 || !slices.Equal(o.Problem.Jobs[0].Windows, []fleet.Window{{Start: 0, End: 611}}) {
		t.Errorf("%d were left over, then %v in windows %v", o.Before, o.Plan.Unassigned, o.Problem.Jobs[0].Windows)
	}
	if task.Problem.Jobs[0].Windows[1].End != 11 {
		t.Error("the caller's problem was relaxed")
	}
	task = visits(at("ab"))
	task.Relax = &optimise.Relax{Windows: 600}
	if o := plan(t, s, task); o.Relaxed || o.Before != 0 {
		t.Error("a problem of which nothing was left over is relaxed")
	}
}

// TestRefused checks that a problem without any possible plan is refused as a fault of the
// request.
func TestRefused(t *testing.T) {
	s, at := drawn(t)
	far := geo.Point{Lon: 100, Lat: -60}
	for what, c := range map[string]struct {
		change func(task *optimise.Task)
		slug   fault.Slug
		says   string
	}{
		"no place has a road": {func(task *optimise.Task) {
			for i := range task.Points {
				task.Points[i] = far
			}
		}, fault.Upstream, "vehicles[0].start"},
		"the vehicle begins where there is no road": {func(task *optimise.Task) { task.Points[0] = far }, fault.BadRequest, "vehicles[0].start"},
		"first stops that cannot be kept": {func(task *optimise.Task) {
			task.Problem.Vehicles[0].First = []fleet.Stop{{Index: 0}, {Index: 1}}
			task.Problem.Jobs[1].Windows = []fleet.Window{{Start: 0, End: 1}}
		}, fault.BadRequest, "first_stop_ids"},
		"a problem that the solver finds wrong": {func(task *optimise.Task) { task.Problem.Jobs[0].Location = 99 }, fault.BadRequest, "jobs"},
	} {
		task := visits(at("abc"))
		c.change(task)
		_, err := s.Plan(t.Context(), task)
		if !fault.Is(err, c.slug) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: it fails with %v, want %s of %s", what, err, c.slug, c.says)
		}
	}
}

// TestSeats checks that each part of the work has a slot, that all are given back, also by
// work that fails, and that nothing is searched for without one.
func TestSeats(t *testing.T) {
	s, at := drawn(t)
	taken, held, solved := 0, 0, 0
	refuse := errors.New("no seat")
	most := 100
	s.Slot = func(ctx context.Context, e engine.Estimate) (context.Context, func(), error) {
		if taken++; taken > most {
			return nil, nil, refuse
		}
		if e.Work <= 0 || e.Cores < 1 || e.Bytes <= 0 {
			t.Errorf("a seat is asked for %+v", e)
		}
		held++
		return ctx, func() { held-- }, nil
	}
	s.Observe = func(_ context.Context, solver string, _ time.Duration, _ error) {
		if solved++; solver != "embedded" || held != 1 {
			t.Errorf("%s searched in %d seats", solver, held)
		}
	}
	task := visits(at("abx")) // one is left over: a search, one of the relaxed problem, and its reason
	task.Relax = &optimise.Relax{Windows: 1}
	plan(t, s, task)
	if taken != 3 || solved != 2 || held != 0 {
		t.Errorf("%d seats were taken for %d searches, and %d are held", taken, solved, held)
	}
	for most = range 3 {
		taken, solved = 0, 0
		if _, err := s.Plan(t.Context(), task); !errors.Is(err, refuse) || held != 0 || solved != min(most, 2) {
			t.Errorf("without seat %d it fails with %v after %d searches, and %d seats are held", most+1, err, solved, held)
		}
	}
}

// TestStopAndLeave checks that a search that is stopped returns its best plan without
// reasons, and that a caller who leaves ends the work with the context's error.
func TestStopAndLeave(t *testing.T) {
	s, at := drawn(t)
	task := visits(at("abxcd"))
	stop := make(chan struct{})
	close(stop)
	task.Stop = stop
	o := plan(t, s, task)
	if !o.Stopped || len(o.Plan.Routes) != 1 || len(o.Plan.Unassigned) != 1 || len(o.Reasons) != 0 || len(o.Ended) != 0 {
		t.Errorf("stopped is %v, routes %d, left over %v for %v; the time ended %v", o.Stopped, len(o.Plan.Routes), o.Plan.Unassigned, o.Reasons, o.Ended)
	}
	task = visits(at("acdb")) // nothing is left over, so that the search alone can be stopped
	task.Stop = stop
	if o := plan(t, s, task); !o.Stopped || len(o.Plan.Unassigned) > 0 {
		t.Errorf("a search that was stopped says that it is %v, and leaves %v over", o.Stopped, o.Plan.Unassigned)
	}
	for _, stage := range []string{"matrix", "search", "explain", "geometry"} {
		ctx, leave := context.WithCancel(t.Context())
		task := visits(at("abxcd"))
		task.Geometry = true
		task.Progress = func(p optimise.Progress) {
			if p.Stage == stage {
				leave()
			}
		}
		if o, err := s.Plan(ctx, task); !errors.Is(err, context.Canceled) || o != nil {
			t.Errorf("a caller who leaves at %q gets %v, %v", stage, o, err)
		}
		leave()
	}
}

// TestEstimate checks that an estimate grows with each part of the request, and needs no
// ways.
func TestEstimate(t *testing.T) {
	s, at := drawn(t)
	estimate := func(change func(task *optimise.Task)) engine.Estimate {
		task := visits(at("abcd"))
		task.Explain = 0
		task.Search.Work = 10 * time.Second
		change(task)
		e := s.Estimate(task)
		if task.Problem.Matrices != nil {
			t.Error("an estimate fills in the matrices")
		}
		return e
	}
	bare := estimate(func(*optimise.Task) {})
	if bare.Work <= 0 || bare.Bytes <= 0 {
		t.Errorf("a plan is estimated at %+v", bare)
	}
	for what, change := range map[string]func(task *optimise.Task){
		"a second search": func(task *optimise.Task) { task.Relax = &optimise.Relax{Windows: 1} },
		"explanations":    func(task *optimise.Task) { task.Explain = 3 },
		"lines":           func(task *optimise.Task) { task.Geometry = true },
		"a profile more":  func(task *optimise.Task) { task.Profiles = append(task.Profiles, task.Profiles[0]) },
	} {
		if more := estimate(change); more.Work <= bare.Work {
			t.Errorf("with %s it is estimated at %v, and without at %v", what, more.Work, bare.Work)
		}
	}
	if short := estimate(func(task *optimise.Task) {
		task.Search.Limit = time.Second
		task.Explain = 3
		task.Relax = &optimise.Relax{}
	}); short.Work > 1100*time.Millisecond {
		t.Errorf("what ends after a second is estimated at %v", short.Work)
	}
}
