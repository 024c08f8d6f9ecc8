// Package api is the HTTP API: it opens the edge and mounts the endpoints of
// every family on it.
package api

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/jobs"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/account/notice"
	"github.com/waygate/waygate/account/overview"
	"github.com/waygate/waygate/account/stripe"
	"github.com/waygate/waygate/account/x402"
	accountrows "github.com/waygate/waygate/api/account"
	"github.com/waygate/waygate/api/admin"
	"github.com/waygate/waygate/api/along"
	"github.com/waygate/waygate/api/edge"
	geocoderows "github.com/waygate/waygate/api/geocode"
	"github.com/waygate/waygate/api/maps"
	"github.com/waygate/waygate/api/place"
	"github.com/waygate/waygate/api/plan"
	"github.com/waygate/waygate/api/route"
	"github.com/waygate/waygate/api/site"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/feature/boundary"
	"github.com/waygate/waygate/feature/elevation"
	"github.com/waygate/waygate/feature/feedback"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/optimise"
	"github.com/waygate/waygate/feature/places"
	"github.com/waygate/waygate/feature/staticmap"
	"github.com/waygate/waygate/feature/styles"
	"github.com/waygate/waygate/feature/territories"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/job"
	"github.com/waygate/waygate/world"
)

// Options configure the API. Acquire and whoever keeps accounts, money and
// reports are required; the rest has good zero values.
type Options struct {
	// Acquire gives the World to answer from, nil while there is none, and
	// the function that lets go of it.
	Acquire func() (*world.World, func())

	Gate     *meter.Gate
	Accounts *account.Accounts
	Overview *overview.Overview
	Notices  *notice.Notices
	Billing  *stripe.Billing
	Payments *x402.Payments
	Feedback *feedback.Service
	Styles   *styles.Service
	Images   *staticmap.Service // nil draws none
	Places   *places.Service
	Queue    *job.Queue // of jobs, as plan.OpenQueue makes it
	Jobs     *jobs.Jobs // what they mean to an account

	Solver optimise.Solver // of plans; nil makes none

	Territories *territories.Service // offline packages; nil has none

	Geocode    *geocode.Service    // nil has the indexes of the regions in service alone
	Selections *geocode.Selections // of suggestions

	Metrics   *edge.Metrics        // what the engines are counted in too; nil makes them
	Scheduler *scheduled.Scheduler // that admits the engines' calls; nil where none does
	Version   string               // of the gateway
	Build     string               // source revision

	BaseURL    string // public address without a slash at the end; "" is relative
	WebsiteURL string // of the companion website; "" is BaseURL
	Website    fs.FS  // the built website; nil has a plain page instead

	AdminToken string // opens the operator's endpoints; "" leaves them shut
	DemoRPM    int    // keyless calls a minute for one client network, as the gate has it; 0 closes the lane
	UnitPrice  int64  // millipence for a unit beyond the quota, as the gate has it; 0 sells none

	// Backlog, where it is not nil, tells how many e-mails and webhooks wait
	// and how many were given up, for the metrics.
	Backlog func(context.Context) (waiting, failed int64, err error)

	Redis func() bool // whether the Redis that rates are counted in answers; nil counts in this process

	Feeds *feed.Set // what is told of the world at the moment, for operators; nil has none

	Live along.Live // what answers from feeds

	MetricsApart bool        // the metrics have a listener of their own: there is no GET /metrics here
	Stopping     func() bool // whether the server has been told to stop; nil never is

	Heights    *elevation.Service // of the ground; nil has none
	Boundaries *boundary.Service  // nil has those of the regions alone

	TrustedProxies []netip.Prefix // whose X-Forwarded-For is believed
	MaxBody        int64          // bytes; 0 is 1 MiB
	MaxPlacesBody  int64          // bytes of PUT /places; 0 is place.DefaultMaxOwn
	MatrixCells    int            // most of one matrix; 0 is route.DefaultCells
	RequestTimeout time.Duration  // 0 is 30 s
	Log            *slog.Logger   // nil is slog.Default
	Requests       *slog.Logger   // has a line for each request that did not fail here; nil is Log
	Now            func() time.Time
}

// New opens the API. It fails where a row is inconsistent, which is a defect.
func New(o Options) (*edge.Edge, error) {
	if o.Gate == nil || o.Accounts == nil || o.Overview == nil || o.Notices == nil || o.Billing == nil || o.Payments == nil || o.Feedback == nil || o.Styles == nil || o.Places == nil || o.Selections == nil || o.Queue == nil || o.Jobs == nil {
		return nil, errors.New("api: Gate, Accounts, Overview, Notices, Billing, Payments, Feedback, Styles, Places, Selections, Queue and Jobs are required")
	}
	if o.WebsiteURL == "" {
		o.WebsiteURL = o.BaseURL
	}
	if o.Geocode == nil {
		o.Geocode = &geocode.Service{}
	}
	if o.Images == nil {
		o.Images = &staticmap.Service{Why: "maps are not drawn here"}
	}
	o.Log = cmp.Or(o.Log, slog.Default())
	if o.Now == nil {
		o.Now = time.Now
	}
	e, err := edge.New(edge.Options{
		Acquire: o.Acquire, Gate: o.Gate, Session: o.Accounts.Session, Payments: o.Payments,
		Lost: site.Lost(o.Website, o.Version), Lacking: lacking, Metrics: o.Metrics, Scheduler: o.Scheduler, Version: o.Version, BaseURL: o.BaseURL, WebsiteURL: o.WebsiteURL, AdminToken: o.AdminToken, DemoRPM: o.DemoRPM, Backlog: o.Backlog, Jobs: o.jobs, Feeds: o.Feeds,
		TrustedProxies: o.TrustedProxies, MaxBody: o.MaxBody, RequestTimeout: o.RequestTimeout, Log: o.Log, Requests: o.Requests, Now: o.Now,
	})
	if err != nil {
		return nil, err
	}
	return e, e.Mount(rows(o, e))
}

// jobs tells how the queue stands.
func (o *Options) jobs(ctx context.Context) (edge.JobStats, error) {
	s, err := o.Queue.Stats(ctx)
	out := edge.JobStats{Queued: s.Queued, Running: s.Running, Oldest: s.Oldest, Here: s.Here, Outcomes: map[edge.JobOutcome]int64{}}
	for what, n := range s.Outcomes {
		out.Outcomes[edge.JobOutcome(what)] = n
	}
	return out, err
}

// planning is what plans are made with.
func (o *Options) planning() plan.Deps {
	return plan.Deps{
		Acquire: o.Acquire, Queue: o.Queue, Account: o.Jobs, Solver: o.Solver, Solved: o.Metrics.Solved, Scheduler: o.Scheduler,
		Geocoder: func(w *world.World) *geocode.Geocoder { return o.Geocode.With(geocoderows.Sources(w)) },
		Now:      o.Now, MatrixCells: cmp.Or(o.MatrixCells, route.DefaultCells),
	}
}

// Kinds are the kinds of jobs, for Options.Queue to work on.
func Kinds(o Options) map[string]job.Kind {
	o.Geocode = cmp.Or(o.Geocode, &geocode.Service{})
	return plan.Kinds(o.planning())
}

// metricsOn is what answers GET /metrics; nil where a listener of its own does.
func (o *Options) metricsOn(e *edge.Edge) http.Handler {
	if o.MetricsApart {
		return nil
	}
	return e.Metrics()
}

// stuck reports whether calls that should have ended keep every processor; nil where
// nothing admits calls.
func (o *Options) stuck() func() bool {
	if o.Scheduler == nil {
		return nil
	}
	limit := cmp.Or(o.RequestTimeout, edge.DefaultRequestTimeout)
	return func() bool { return o.Scheduler.Stuck(limit) }
}

// ground gives the heights of the ground; nil where there are none.
func (o *Options) ground() func(context.Context, []geo.Point) ([]float64, []error, error) {
	if o.Heights == nil {
		return nil
	}
	return o.Heights.Heights.Heights
}

// rows is the table of endpoints, family by family.
func rows(o Options, e *edge.Edge) []edge.Row {
	return slices.Concat(
		route.Rows(route.Deps{MatrixCells: o.MatrixCells, Now: o.Now}),
		along.Rows(along.Deps{Places: o.Places, Live: o.Live, Now: o.Now, Heights: o.ground()}),
		place.Rows(place.Deps{Feedback: o.Feedback, Places: o.Places, MaxOwn: o.MaxPlacesBody, Heights: o.Heights, Boundaries: o.Boundaries, Log: o.Log, Now: o.Now}),
		plan.Rows(o.planning()),
		geocoderows.Rows(geocoderows.Deps{Service: o.Geocode, Selections: o.Selections}),
		maps.Rows(maps.Deps{Base: e.Base, Styles: o.Styles, Website: o.WebsiteURL, Images: o.Images, Territories: o.Territories, Downloads: o.Accounts, Upgrade: o.Gate.Upgrade}),
		accountrows.Rows(accountrows.Deps{Accounts: o.Accounts, Gate: o.Gate, Billing: o.Billing, Feedback: o.Feedback, Caps: accountrows.Caps{
			MatrixCells: cmp.Or(o.MatrixCells, route.DefaultCells), MaxBody: o.MaxBody, RequestTimeout: o.RequestTimeout, DemoRPM: o.DemoRPM, UnitPrice: o.UnitPrice, Scheduler: o.Scheduler,
		}}),
		admin.Rows(admin.Deps{Accounts: o.Accounts, Notices: o.Notices, Overview: o.Overview, Feedback: o.Feedback, Styles: o.Styles, Feeds: o.Feeds}),
		site.Rows(site.Deps{
			Version: o.Version, Build: o.Build, BaseURL: o.BaseURL, WebsiteURL: o.WebsiteURL, Website: o.Website,
			TerritoryKey: o.Territories.PublicKey,
			UnitPrice:    o.UnitPrice, Heights: o.Heights != nil, DemoRPM: o.DemoRPM, PayWithCall: o.Payments.Open(),
			Rows: e.Rows, Document: e.Document, Older: e.OlderDocument, Metrics: o.metricsOn(e), Stopping: o.Stopping, Stuck: o.stuck(), Redis: o.Redis, Feeds: o.Feeds, Solver: o.Solver,
			Geocoder: func(w *world.World) string { return o.Geocode.With(geocoderows.Sources(w)).Name() },
		}),
	)
}
