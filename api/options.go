package api

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/netip"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/jobs"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/account/notice"
	"github.com/waygate/waygate/account/overview"
	"github.com/waygate/waygate/account/stripe"
	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/api/along"
	"github.com/waygate/waygate/api/edge/metrics"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/feature/boundary"
	"github.com/waygate/waygate/feature/clearance"
	"github.com/waygate/waygate/feature/dispatch"
	"github.com/waygate/waygate/feature/elevation"
	"github.com/waygate/waygate/feature/evidence"
	"github.com/waygate/waygate/feature/feedback"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/optimise"
	"github.com/waygate/waygate/feature/places"
	"github.com/waygate/waygate/feature/pointclouds"
	"github.com/waygate/waygate/feature/staticmap"
	"github.com/waygate/waygate/feature/styles"
	"github.com/waygate/waygate/feature/territories"
	"github.com/waygate/waygate/feature/transit"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/job"
	"github.com/waygate/waygate/voice"
	"github.com/waygate/waygate/world"
)

// Options configure the API, in groups of what belongs together. Each group says
// which of its fields are required; the rest has good zero values.
type Options struct {
	Server
	AccountServices
	CallerServices
	PlaceServices
	MapServices
	PlanServices
	LiveServices
	Limits
	Voice *voice.Service // makes clips of speech; nil makes none
}

// Server is the process that serves. Acquire is required.
type Server struct {
	// Acquire returns the World to answer from, nil while there is none, and
	// the function that releases it.
	Acquire   func() (*world.World, func())
	Scheduler *scheduled.Scheduler // admits the engines' calls; nil where nothing does

	Version string // of the gateway
	Build   string // source revision

	BaseURL    string // public address without a slash at the end; "" is relative
	WebsiteURL string // of the companion website; "" is BaseURL
	Website    fs.FS  // the built website; nil has a plain page instead

	AdminToken     string         // opens the operator's endpoints; "" leaves them shut
	TrustedProxies []netip.Prefix // whose X-Forwarded-For is believed

	Metrics      *metrics.Metrics // in which the engines' calls are counted too; nil makes them
	MetricsApart bool             // the metrics have a listener of their own: there is no GET /metrics here
	Stopping     func() bool      // reports whether the server is ending; nil never is

	Log      *slog.Logger // nil is slog.Default
	Requests *slog.Logger // has a line for each request that did not fail here; nil is Log
	Now      func() time.Time
}

// AccountServices keep accounts, quotas and money. All but Backlog and Redis are
// required.
type AccountServices struct {
	Gate     *meter.Gate
	Accounts *account.Accounts
	Overview *overview.Overview
	Notices  *notice.Notices
	Billing  *stripe.Billing
	Payments *x402.Payments
	Signer   *evidence.Signer // of answers; nil signs none

	// Backlog returns how many e-mails and webhooks wait and how many were
	// given up, for the metrics; nil leaves these out.
	Backlog func(context.Context) (waiting, failed int64, err error)

	Redis func() bool // reports whether the Redis that counts rates answers; nil counts in this process
}

// CallerServices keep what callers send. All are required.
type CallerServices struct {
	Feedback   *feedback.Service
	Styles     *styles.Service
	Places     *places.Service
	Selections *geocode.Selections // of suggestions
	Dispatch   *dispatch.Service   // plans that drivers follow
}

// PlaceServices answer questions about places.
type PlaceServices struct {
	Geocode    *geocode.Service   // nil has the indexes of the regions in service alone
	Heights    *elevation.Service // of the ground; nil has none
	Boundaries *boundary.Service  // nil has those of the regions alone
}

// MapServices serve what maps are made of.
type MapServices struct {
	Images      *staticmap.Service   // nil draws none
	Territories *territories.Service // offline packages; nil has none
	Clouds      *pointclouds.Service // hosted point clouds; nil has none
	Clearance   *clearance.Service   // what was measured over roads; nil has nothing
}

// PlanServices make plans of routes and work on jobs. Queue and Jobs are required.
type PlanServices struct {
	Solver optimise.Solver // nil makes no plans
	Queue  *job.Queue      // as plan.OpenQueue makes it
	Jobs   *jobs.Jobs      // charges, refunds and webhooks of jobs
}

// LiveServices answer from feeds.
type LiveServices struct {
	Feeds *feed.Set // their state, for operators and metrics; nil has none
	Live  along.Live
	// Vehicles are those of public transport, and Updates what is new of its trips; nil has none.
	Vehicles *transit.Feeds
	Updates  *transit.UpdateFeeds
}

// Limits bound requests and set prices.
type Limits struct {
	MaxBody        int64         // bytes; 0 is 1 MiB
	MaxPlacesBody  int64         // bytes of PUT /places; 0 is place.DefaultMaxOwn
	MatrixCells    int           // most of one matrix; 0 is route.DefaultCells
	RequestTimeout time.Duration // 0 is 30 s
	DemoRPM        int           // keyless calls a minute for one client network, as the gate has it; 0 closes the lane
	UnitPrice      int64         // millipence for a unit beyond the quota, as the gate has it; 0 sells none
}

// withDefaults sets what is left out. It fails where something required is.
func (o Options) withDefaults() (Options, error) {
	if o.Gate == nil || o.Accounts == nil || o.Overview == nil || o.Notices == nil || o.Billing == nil || o.Payments == nil || o.Feedback == nil || o.Styles == nil || o.Places == nil || o.Selections == nil || o.Dispatch == nil || o.Queue == nil || o.Jobs == nil {
		return o, errors.New("api: Gate, Accounts, Overview, Notices, Billing, Payments, Feedback, Styles, Places, Selections, Dispatch, Queue and Jobs are required")
	}
	o.WebsiteURL = cmp.Or(o.WebsiteURL, o.BaseURL)
	o.Geocode = cmp.Or(o.Geocode, &geocode.Service{})
	o.Images = cmp.Or(o.Images, &staticmap.Service{Why: "maps are not drawn here"})
	o.Log = cmp.Or(o.Log, slog.Default())
	if o.Now == nil {
		o.Now = time.Now
	}
	return o, nil
}
