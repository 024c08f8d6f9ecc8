// Package plan is the endpoints that plan with places, and verify plans of others:
// errands on the way, claims of where somebody is when.
package plan

import (
	"net/http"
	"strings"
	"time"

	"github.com/waygate/waygate/account/jobs"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/optimise"
	"github.com/waygate/waygate/feature/zones"
	"github.com/waygate/waygate/hours/holiday"
	"github.com/waygate/waygate/job"
	"github.com/waygate/waygate/world"
)

// Deps is what the endpoints need.
type Deps struct {
	// Acquire gives the World that a job is worked on in, nil while there is none,
	// and the function that lets go of it.
	Acquire func() (*world.World, func())
	Queue   *job.Queue
	// Solver makes plans; nil where the operator switched it off.
	Solver    optimise.Solver
	Solved    optimise.Observe     // hears of its problems; nil does not
	Scheduler *scheduled.Scheduler // nil where none admits the engines' calls
	Account   *jobs.Jobs

	Geocoder func(*world.World) *geocode.Geocoder // of the deployment
	Now      func() time.Time

	MatrixCells int // most of one matrix
}

// mostBody is how many bytes a body of many stops and territories may have, from
// who sends a key.
const mostBody = 8 << 20

func (d *Deps) lane() *lane {
	return &lane{queue: d.Queue, account: d.Account, acquire: d.Acquire, cells: d.MatrixCells}
}

func (d *Deps) planner() *planner {
	return &planner{solver: d.Solver, solved: d.Solved, scheduler: d.Scheduler, zones: zones.Service{Holidays: holiday.In, Now: d.Now}, cells: d.MatrixCells}
}

// Kinds are the kinds of jobs that these endpoints take, for the queue to work on.
func Kinds(d Deps) map[string]job.Kind {
	l := d.lane()
	plans := long{d.planner(), l}
	return map[string]job.Kind{matrixKind: l.works(l.workMatrix), optimiseKind: l.works(plans.workOptimise), replanKind: l.works(plans.workReplan)}
}

// Rows are the endpoints.
func Rows(d Deps) []edge.Row {
	const post = http.MethodPost
	v, l, p := claims{d.Geocoder, d.Now}, d.lane(), d.planner()
	plans := long{p, l}
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
	cancel.Extra = true
	return []edge.Row{
		edge.On(edge.Row{Method: post, Path: "/v1/errands/plan", Auth: edge.Keyed, Class: edge.FlatTen, Needs: edge.Need{Call: engine.CallMatrix, Name: "errands"}, Doc: errandsDoc}, chain{d.Now}.plan),
		edge.On(edge.Row{Method: post, Path: "/v1/cluster", Auth: edge.Keyed, Class: edge.Standard, MaxBody: mostBody, Doc: clusterDoc}, clusters{d.MatrixCells}.divide),
		edge.On(edge.Prepared(sync("/optimise", optimiseDoc), p.prepare), p.optimise),
		edge.On(edge.Prepared(sync("/optimize", optimiseDoc), p.prepare), p.optimise),
		edge.On(edge.Prepared(sync("/optimise/replan", replanDoc), p.prepareReplan), p.replan),
		edge.On(edge.Prepared(sync("/optimize/replan", replanDoc), p.prepareReplan), p.replan),
		edge.On(edge.Prepared(taken("/v1/jobs/optimise", optimiseJobDoc), plans.prepareOptimise), plans.takeOptimise),
		edge.On(edge.Prepared(taken("/v1/jobs/replan", replanJobDoc), plans.prepareReplan), plans.takeReplan),
		edge.On(edge.Prepared(taken("/v1/jobs/matrix", matrixJobDoc), l.prepareMatrix), l.matrix),
		edge.On(kept(http.MethodGet, "/v1/jobs", jobsDoc), l.list),
		edge.Write(kept(http.MethodGet, "/v1/jobs/{id}", jobDoc), l.get),
		edge.On(cancel, l.cancel),
		edge.On(edge.Row{Method: post, Path: "/verify", Auth: edge.Keyed, Class: edge.PerCheck, Doc: verifyDoc}, v.keyed),
		edge.On(edge.Row{Method: post, Host: edge.Website, Path: "/api/verify", Auth: edge.Public, Keyless: true, Class: edge.Free, Doc: verifyDemoDoc}, v.keyless),
	}
}
