// Package plan has the endpoints that plan: routes of vehicles, errands on the way, clusters of
// stops, the jobs that do so later, and the verification of claims about places.
package plan

import (
	"net/http"
	"strings"
	"time"

	"github.com/waygate/waygate/account/jobs"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/feature/dispatch"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/optimise"
	"github.com/waygate/waygate/feature/optimise/work"
	"github.com/waygate/waygate/feature/zones"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/hours/holiday"
	"github.com/waygate/waygate/job"
	"github.com/waygate/waygate/world"
)

// Deps are the dependencies of the endpoints.
type Deps struct {
	// Acquire gives the World that a job is worked on in, nil while there is none,
	// and the function that lets go of it.
	Acquire func() (*world.World, func())
	Queue   *job.Queue
	// Solver makes plans; nil where the operator switched it off.
	Solver    optimise.Solver
	Solved    optimise.Observe     // is called after each problem; nil is not
	Scheduler *scheduled.Scheduler // nil where none admits the engines' calls
	Account   *jobs.Jobs

	Dispatch *dispatch.Service // keeps published plans

	Geocoder func(*world.World) *geocode.Geocoder // of the deployment
	Now      func() time.Time

	MatrixCells int // most of one matrix
}

// mostBody is how many bytes a body of many stops and territories may have, from
// who sends a key.
const mostBody = 8 << 20

func (d *Deps) planner() planner {
	return planner{&optimise.Planner{Solver: d.Solver, Observe: d.Solved, Scheduler: d.Scheduler, Zones: zones.Service{Holidays: holiday.In, Now: d.Now}, Cells: d.MatrixCells}}
}

func (d *Deps) worker(p planner) *work.Worker {
	return &work.Worker{Planner: p.Planner, Queue: d.Queue, Cells: d.MatrixCells, Acquire: func() (work.Regions, func()) {
		current, release := d.Acquire()
		if current == nil {
			return nil, release
		}
		return regions{current}, release
	}}
}

// regions are those of a World, for jobs.
type regions struct{ *world.World }

// At chooses the region of some places.
func (r regions) At(points ...geo.Point) (*optimise.Region, error) {
	here, err := r.World.At(points...)
	if err != nil {
		return nil, err
	}
	return regionOf(here), nil
}

// Kinds returns the kinds of jobs that these endpoints take, for the queue to work on.
func Kinds(d Deps) map[string]job.Kind { return d.worker(d.planner()).Kinds() }

// Rows returns the endpoints.
func Rows(d Deps) []edge.Row {
	const post = http.MethodPost
	v, p := verifier{d.Geocoder, d.Now}, d.planner()
	q := &jobQueue{queue: d.Queue, account: d.Account, worker: d.worker(p)}
	plans := planJobs{p, q}
	sync := func(path string, doc edge.Doc) edge.Row {
		if strings.HasPrefix(path, "/optimize") {
			doc.Summary += ", in American spelling"
		}
		return edge.Row{Method: post, Path: path, Auth: edge.Keyed, Class: edge.StandardOrPremium, MaxBody: mostBody, Doc: doc}
	}
	taken := func(path string, doc edge.Doc) edge.Row {
		return edge.Row{Method: post, Path: path, Auth: edge.Keyed, Class: edge.StandardOrPremium, Status: http.StatusAccepted, Cache: edge.NoStore, MaxBody: mostBody, Doc: doc}
	}
	kept := func(method, path string, doc edge.Doc) edge.Row {
		return edge.Row{Method: method, Path: path, Auth: edge.Keyed, Class: edge.Free, Account: true, Doc: doc}
	}
	cancel := kept(http.MethodDelete, "/v1/jobs/{id}", cancelDoc)
	cancel.BeyondContract = true
	return append(publishedRows(d.Dispatch),
		edge.On(edge.Row{Method: post, Path: "/v1/errands/plan", Auth: edge.Keyed, Class: edge.FlatTen, Needs: edge.Need{Call: engine.CallMatrix, Name: "errands"}, Doc: errandsDoc}, errandPlanner{d.Now}.plan),
		edge.On(edge.Row{Method: post, Path: "/v1/cluster", Auth: edge.Keyed, Class: edge.Standard, MaxBody: mostBody, Doc: clusterDoc}, clusters{d.MatrixCells}.divide),
		edge.On(edge.Prepared(sync("/optimise", optimiseDoc), p.prepare), p.optimise),
		edge.On(edge.Prepared(sync("/optimize", optimiseDoc), p.prepare), p.optimise),
		edge.On(edge.Prepared(sync("/optimise/replan", replanDoc), p.prepareReplan), p.replan),
		edge.On(edge.Prepared(sync("/optimize/replan", replanDoc), p.prepareReplan), p.replan),
		edge.On(edge.Prepared(taken("/v1/jobs/optimise", optimiseJobDoc), plans.prepareOptimise), plans.takeOptimise),
		edge.On(edge.Prepared(taken("/v1/jobs/replan", replanJobDoc), plans.prepareReplan), plans.takeReplan),
		edge.On(edge.Prepared(taken("/v1/jobs/matrix", matrixJobDoc), q.prepareMatrix), q.matrix),
		edge.On(kept(http.MethodGet, "/v1/jobs", jobsDoc), q.list),
		edge.Write(kept(http.MethodGet, "/v1/jobs/{id}", jobDoc), q.get),
		edge.On(cancel, q.cancel),
		edge.On(edge.Row{Method: post, Path: "/verify", Auth: edge.Keyed, Class: edge.PerCheck, Doc: verifyDoc}, v.keyed),
		edge.On(edge.Row{Method: post, Host: edge.Website, Path: "/api/verify", Auth: edge.Public, Keyless: true, Class: edge.Free, Doc: verifyDemoDoc}, v.keyless),
	)
}
