// Package api is the HTTP API: it opens the edge and mounts the endpoints of
// every family on it.
package api

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	accountrows "github.com/waygate/waygate/api/account"
	"github.com/waygate/waygate/api/admin"
	"github.com/waygate/waygate/api/along"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/edge/metrics"
	geocoderows "github.com/waygate/waygate/api/geocode"
	"github.com/waygate/waygate/api/maps"
	"github.com/waygate/waygate/api/place"
	"github.com/waygate/waygate/api/plan"
	"github.com/waygate/waygate/api/route"
	"github.com/waygate/waygate/api/site"
	"github.com/waygate/waygate/api/transit"
	voicerows "github.com/waygate/waygate/api/voice"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/job"
	"github.com/waygate/waygate/voice"
	"github.com/waygate/waygate/world"
)

// New opens the API. It fails where a row is inconsistent, which is a defect.
func New(o Options) (*edge.Edge, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	e, err := edge.New(edge.Options{
		Acquire: o.Acquire, Gate: o.Gate, Session: o.Accounts.Session, Payments: o.Payments,
		Lost: site.NotFoundPage(o.Website, o.Version), Metrics: o.Metrics, Scheduler: o.Scheduler, Version: o.Version, BaseURL: o.BaseURL, WebsiteURL: o.WebsiteURL, AdminToken: o.AdminToken, DemoRPM: o.DemoRPM, Backlog: o.Backlog, Jobs: o.jobStats, Feeds: o.Feeds,
		TrustedProxies: o.TrustedProxies, MaxBody: o.MaxBody, RequestTimeout: o.RequestTimeout, Log: o.Log, Requests: o.Requests, Now: o.Now,
	})
	if err != nil {
		return nil, err
	}
	return e, e.Mount(rows(o, e))
}

// jobStats returns the state of the queue, for the metrics.
func (o *Options) jobStats(ctx context.Context) (metrics.Jobs, error) {
	s, err := o.Queue.Stats(ctx)
	out := metrics.Jobs{Queued: s.Queued, Running: s.Running, Oldest: s.Oldest, Here: s.Here, Outcomes: map[metrics.JobOutcome]int64{}}
	for what, n := range s.Outcomes {
		out.Outcomes[metrics.JobOutcome(what)] = n
	}
	return out, err
}

// planDeps returns the dependencies of the endpoints and the jobs of plans.
func (o *Options) planDeps() plan.Deps {
	return plan.Deps{
		Acquire: o.Acquire, Queue: o.Queue, Account: o.Jobs, Solver: o.Solver, Solved: o.Metrics.Solved, Scheduler: o.Scheduler,
		Geocoder: func(w *world.World) *geocode.Geocoder { return o.Geocode.With(geocoderows.Sources(w)) },
		Dispatch: o.Dispatch, Now: o.Now, MatrixCells: cmp.Or(o.MatrixCells, route.DefaultCells),
	}
}

// Kinds returns the kinds of jobs that Options.Queue works on.
func Kinds(o Options) map[string]job.Kind {
	o.Geocode = cmp.Or(o.Geocode, &geocode.Service{})
	return plan.Kinds(o.planDeps())
}

// metricsOf returns the handler of GET /metrics; nil where the metrics have a listener of
// their own.
func (o *Options) metricsOf(e *edge.Edge) http.Handler {
	if o.MetricsApart {
		return nil
	}
	return e.Metrics()
}

// stuck returns what reports whether calls that should have ended keep every processor;
// nil where nothing admits calls.
func (o *Options) stuck() func() bool {
	if o.Scheduler == nil {
		return nil
	}
	limit := cmp.Or(o.RequestTimeout, edge.DefaultRequestTimeout)
	return func() bool { return o.Scheduler.Stuck(limit) }
}

// rows returns the table of endpoints, family by family.
func rows(o Options, e *edge.Edge) []edge.Row {
	return slices.Concat(
		route.Rows(route.Deps{MatrixCells: o.MatrixCells, Updates: o.Updates, Clearance: o.Clearance, Now: o.Now, Signer: o.Signer, Log: o.Log}),
		along.Rows(along.Deps{Places: o.Places, Live: o.Live, Voice: o.Voice, Now: o.Now, Elevation: o.Heights, Clearance: o.Clearance, Log: o.Log}),
		transit.Rows(transit.Deps{Vehicles: o.Vehicles, Updates: o.Updates, Now: o.Now}),
		voicerows.Rows(voicerows.Deps{Voice: o.Voice}),
		place.Rows(place.Deps{Feedback: o.Feedback, Places: o.Places, MaxOwn: o.MaxPlacesBody, Heights: o.Heights, Boundaries: o.Boundaries, Log: o.Log, Now: o.Now}),
		plan.Rows(o.planDeps()),
		geocoderows.Rows(geocoderows.Deps{Service: o.Geocode, Selections: o.Selections, Boundaries: o.Boundaries, Now: o.Now}),
		maps.Rows(maps.Deps{Base: e.Base, Styles: o.Styles, Website: o.WebsiteURL, Images: o.Images, Territories: o.Territories, Downloads: o.Accounts, Upgrade: o.Gate.Upgrade, Clouds: o.Clouds}),
		accountrows.Rows(accountrows.Deps{Accounts: o.Accounts, Gate: o.Gate, Billing: o.Billing, Feedback: o.Feedback, Base: e.Base, Signable: e.Signable, Now: o.Now, Caps: accountrows.Caps{
			MatrixCells: cmp.Or(o.MatrixCells, route.DefaultCells), MaxBody: o.MaxBody, RequestTimeout: o.RequestTimeout, DemoRPM: o.DemoRPM, UnitPrice: o.UnitPrice, Scheduler: o.Scheduler,
		}}),
		admin.Rows(admin.Deps{Accounts: o.Accounts, Notices: o.Notices, Overview: o.Overview, Feedback: o.Feedback, Styles: o.Styles, Feeds: o.Feeds, Clouds: o.Clouds, Clearance: o.Clearance}),
		site.Rows(site.Deps{
			Version: o.Version, Build: o.Build, BaseURL: o.BaseURL, WebsiteURL: o.WebsiteURL, Website: o.Website,
			TerritoryKey: o.Territories.PublicKey, AnswerKey: o.Signer.Public(),
			UnitPrice: o.UnitPrice, Heights: o.Heights != nil, Images: o.Images.Pool != nil, Voices: voicesOf(o.Voice), DemoRPM: o.DemoRPM, PayWithCall: o.Payments.Open(),
			Rows: e.Rows, Document: e.Document, Older: e.OlderDocument, Metrics: o.metricsOf(e), Stopping: o.Stopping, Stuck: o.stuck(), Redis: o.Redis, Feeds: o.Feeds, Solver: o.Solver,
			Geocoder: func(w *world.World) string { return o.Geocode.With(geocoderows.Sources(w)).Name() },
		}),
	)
}

// voicesOf lists the voices of a service, which may be nil.
func voicesOf(s *voice.Service) (list []site.Voice) {
	if s == nil {
		return nil
	}
	for _, v := range s.Engine.Voices() {
		list = append(list, site.Voice{ID: v.ID, Language: v.Language})
	}
	return list
}
