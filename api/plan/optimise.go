package plan

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/optimise"
	"github.com/waygate/waygate/feature/zones"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
	"github.com/waygate/waygate/world"
)

// Limits of one problem, and of one that is a job.
const (
	MostLocations    = 200 // unique ones
	mostStops        = 1000
	mostSeconds      = 10.0
	usualSeconds     = 20.0      // that a call takes at the most which was given no time_limit_s
	usualJobSeconds  = 45.0      // that such a job takes at the most, or twice the work of its search
	requestShare     = 0.9       // of the time that a request may take, which a plan may have
	mostWays         = 4_000_000 // cells of the ways that are kept for each profile and speed_factor
	mostJobWays      = 32_000_000
	mostExplained    = 10
	mostJobStops     = 10_000
	mostJobExplained = 50
)

// planner makes plans.
type planner struct {
	solver    optimise.Solver // nil where the operator switched it off
	solved    optimise.Observe
	scheduler *scheduled.Scheduler
	zones     zones.Service
	cells     int
}

type optimiseIn struct {
	edge.Regional
	Warnings schema.Warnings
	Body     native.OptimiseRequest
}

// Points choose the region.
func (in *optimiseIn) Points() []geo.Point { return in.Body.Points() }

// Price is that of the profiles.
func (in *optimiseIn) Price() edge.Price { return edge.Price{Features: in.Body.Features()} }

const optimiseExample = `{"vehicles":[{"id":"van-1","start":{"lat":49.326622,"lon":-7.267471},"end":{"lat":49.326622,"lon":-7.267471},"capacity":[4],"time_window":[28800,61200]}],"jobs":[{"id":"a","location":{"lat":49.324115,"lon":-7.251523},"service_s":300,"delivery":[2]},{"id":"b","location":{"lat":49.321496,"lon":-7.235719},"service_s":300,"delivery":[1],"time_windows":[[32400,36000]]}],"geometry":true}`

var optimiseDoc = edge.Doc{
	Summary: "Plan the routes of vehicles", Tags: []string{"planning"}, Fails: []int{422, 502, 503, 504}, Example: optimiseExample,
	Description: "Jobs and shipments are given to vehicles, in an order and at times that keep every constraint: first as many as can be by priority and number, then at the least cost. " +
		"One matrix is worked out for each profile, with its costing_options. Members have VROOM's names where they mean the same; times are whole seconds from any zero of yours, distances metres. " +
		"What cannot be served is in unassigned with the reason and the smallest relaxations that would serve it, each of which was solved. " +
		"At most 200 unique locations (422 optimisation-too-large; ten times as many as a job), 1,000 stops. The same body and seed give the same plan, unless search.deadline_hit. " +
		"time_limit_s, or 20 seconds without it, bounds the whole: when the time is up the best plan so far is given, relaxation and explanations give way, and search.ended_by_time says which did. One call, Premium for a truck or a load of dangerous goods. " +
		"search.solver tells what planned: this program, or a VROOM server that the operator set, of whose plans each is checked here; what VROOM cannot express is a 400 that names the member. " +
		"503 optimisation-not-enabled where the operator switched the solver off; 502, 503 and 504 where a VROOM server failed, is down or did not answer in time.",
}

var errNoSolver = fault.New(fault.NoOptimiser, "optimisation is switched off on this deployment (SVC_OPTIMISER=none)")

// prepare refuses what cannot be planned here before it is priced.
func (p *planner) prepare(_ context.Context, in *optimiseIn) (free bool, err error) {
	return false, p.check(in.Region, &in.Body, true)
}

// check refuses a problem that is too large, and one that the engine or the solver
// here cannot do.
func (p *planner) check(here *world.Region, b *native.OptimiseRequest, sync bool) error {
	if p.solver == nil {
		return errNoSolver
	}
	if can := here.Engine.Can(); !can.Does(engine.CallMatrix) {
		return engine.NotEnabled("optimisation")
	}
	most, stops, ways, seconds, instead := MostLocations*moreLocations, mostJobStops, mostJobWays, 600.0, ""
	if sync {
		most, stops, ways, seconds, instead = MostLocations, mostStops, mostWays, mostSeconds, fmt.Sprintf("; POST /v1/jobs/optimise takes %d", MostLocations*moreLocations)
	}
	unique, _ := native.UniquePlaces(b.Points())
	if len(unique) > most {
		return native.TooManyPlaces(len(unique), most, instead)
	}
	if n := b.Stops(); n > stops {
		return fault.Invalid(fault.Violation{Location: "jobs", Message: fmt.Sprintf("and shipments make %d stops, and may make %d%s", n, stops, instead)})
	}
	if n, cells := b.Speeds(), len(unique)*len(unique); n > 1 && n > ways/cells {
		return fault.Invalid(fault.Violation{Location: "vehicles", Message: fmt.Sprintf("have %d different pairs of profile and speed_factor, for each of which the ways between %d locations are kept; with so many locations there may be %d pairs", n, len(unique), max(1, ways/cells))})
	}
	if b.TimeLimit != nil && *b.TimeLimit > seconds {
		return fault.Invalid(fault.Violation{Location: "time_limit_s", Value: *b.TimeLimit, Message: fmt.Sprintf("must be at most %g seconds here; a job may have 600", seconds)})
	}
	return b.Loaded()
}

// budget says how long a plan may take. request is the time that a request may take, 0 where
// nobody waits for the answer. It is the same for the same request, and so is the plan.
func budget(b *native.OptimiseRequest, sync bool, request time.Duration) optimise.Search {
	seconds := max(0.3, float64(b.Stops())/100)
	if sync {
		seconds = min(seconds, mostSeconds)
	}
	limit := max(usualJobSeconds, 2*seconds)
	switch {
	case b.TimeLimit != nil:
		seconds, limit = *b.TimeLimit, *b.TimeLimit
	case sync:
		limit = usualSeconds
	}
	s := optimise.Search{Seed: b.Seed, Work: time.Duration(seconds * float64(time.Second)), Limit: time.Duration(limit * float64(time.Second))}
	if request > 0 {
		s.Limit = min(s.Limit, time.Duration(requestShare*float64(request)))
	}
	return s
}

// seats gives the search its seat: for the whole of a request, or shared, where a job
// steps aside for others.
func (p *planner) seats(sync bool) optimise.Seat {
	if p.scheduler == nil {
		return nil
	}
	if !sync {
		return p.scheduler.Share
	}
	return func(ctx context.Context, e engine.Estimate) (context.Context, func(), error) {
		working, done, err := p.scheduler.Work(ctx, e)
		return working, func() { done(true) }, err
	}
}

func (p *planner) optimise(ctx context.Context, in *optimiseIn) (*OptimiseAnswer, error) {
	b, err := newBoard(&in.Body)
	if err != nil {
		return nil, err
	}
	return p.plan(ctx, planning{here: in.Region, board: b, sync: true, warnings: in.Warnings})
}

// planning is one plan to be made.
type planning struct {
	here     *world.Region
	board    *board
	sync     bool
	warnings []engine.Warning
	progress func(optimise.Progress)
	stop     <-chan struct{}
}

// plan makes a plan of a board.
func (p *planner) plan(ctx context.Context, x planning) (*OptimiseAnswer, error) {
	b, r := x.board, x.board.body
	task := &optimise.Task{
		Problem: &b.problem, Points: b.points, Anchors: b.anchors, Geometry: r.Geometry, Search: budget(r, x.sync, scheduled.RequestOf(ctx).Limit), Progress: x.progress, Stop: x.stop,
		Conditions: engine.Conditions{When: r.When()},
	}
	x.warnings = append(slices.Clone(x.warnings), p.keepOut(x.here, r, &task.Conditions)...)
	for _, c := range r.Profiles() {
		task.Profiles = append(task.Profiles, optimise.Profile{Costing: c, Options: r.SettingsOf(c)})
	}
	if r.Explain == nil || *r.Explain {
		task.Explain = mostJobExplained
		if x.sync {
			task.Explain = mostExplained
		}
	}
	if r.Relax != nil {
		task.Relax = &optimise.Relax{Windows: r.Relax.Windows, Overtime: r.Relax.Overtime}
	}
	service := &optimise.Service{Engine: x.here.Engine, Solver: p.solver, Seat: p.seats(x.sync), Observe: p.solved, Cells: p.cells}
	if err := p.solver.Refuses(task.Problem); err != nil {
		return nil, err
	}
	if err := scheduled.Estimated(ctx, func() engine.Estimate { return service.Estimate(task) }); err != nil {
		return nil, err
	}
	o, err := service.Plan(ctx, task)
	if err != nil {
		return nil, engine.Hinted(err, x.here.Bounds, b.points, nil)
	}
	a := b.answer(o)
	a.Zones = p.zonesOf(x.here, b)
	a.Search.Solver, a.Search.Seed = p.solver.Name(), r.Seed
	a.Warnings = native.Told(slices.Concat(x.warnings, o.Warnings, b.far(o))...)
	return a, nil
}
