// Package api is the HTTP edge: the table of endpoints, admission, problems,
// OpenAPI, metrics. A handler decodes, checks, calls one feature and returns;
// what went wrong is written in one place.
package api

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/account/notice"
	"github.com/waygate/waygate/account/overview"
	"github.com/waygate/waygate/account/stripe"
	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/feature/feedback"
	"github.com/waygate/waygate/world"
)

// Options configure the edge. Acquire and Office are required; the rest has
// good zero values.
type Options struct {
	// Acquire gives the World to answer from, nil while there is none, and
	// the function that lets go of it.
	Acquire func() (*world.World, func())

	Metrics *Metrics // what the engines are counted in too; nil makes them
	Version string   // of the gateway
	Build   string   // source revision

	BaseURL    string // public address without a slash at the end; "" is relative
	WebsiteURL string // of the companion website; "" is BaseURL
	Website    fs.FS  // the built website; nil has a plain page instead

	Office     Office // keys, money and reports
	AdminToken string // opens the operator's endpoints; "" leaves them shut
	DemoRPM    int    // keyless calls a minute for one client network, as the gate has it; 0 closes the lane
	UnitPrice  int64  // millipence for a unit beyond the quota, as the gate has it; 0 sells none

	// Backlog, where it is not nil, tells how many e-mails and webhooks wait
	// and how many were given up, for the metrics.
	Backlog func(context.Context) (waiting, failed int64, err error)

	TrustedProxies []netip.Prefix // whose X-Forwarded-For is believed
	MaxBody        int64          // bytes; 0 is 1 MiB
	MatrixCells    int            // most of one matrix; 0 is matrix.DefaultCells
	RequestTimeout time.Duration  // 0 is 30 s
	Log            *slog.Logger   // nil is slog.Default
	Now            func() time.Time
}

// Office is whom the edge asks about keys, money and reports. All of it is
// required.
type Office struct {
	Gate     *meter.Gate
	Accounts *account.Accounts
	Overview *overview.Overview
	Notices  *notice.Notices
	Desk     *stripe.Desk
	Till     *x402.Till
	Feedback *feedback.Desk
}

func (o Office) staffed() bool {
	return o.Gate != nil && o.Accounts != nil && o.Overview != nil && o.Notices != nil && o.Desk != nil && o.Till != nil && o.Feedback != nil
}

const (
	defaultMaxBody        = 1 << 20
	defaultRequestTimeout = 30 * time.Second
)

// API is the edge, ready to serve.
type API struct {
	options Options
	log     *slog.Logger
	metrics *Metrics
	office  Office
	crowd   *crowd    // of public endpoints that write
	payers  *crowd    // of keyless calls that pay
	keypad  *operator // of the admin token
	rows    []row
	mux     *http.ServeMux
	openapi []byte
	handler http.Handler
}

// New builds the edge. It fails where the table of endpoints is inconsistent,
// which is a defect.
func New(o Options) (*API, error) {
	if !o.Office.staffed() {
		return nil, errors.New("api: the Office lacks a member")
	}
	if o.MaxBody == 0 {
		o.MaxBody = defaultMaxBody
	}
	if o.RequestTimeout == 0 {
		o.RequestTimeout = defaultRequestTimeout
	}
	if o.WebsiteURL == "" {
		o.WebsiteURL = o.BaseURL
	}
	if o.Metrics == nil {
		o.Metrics = NewMetrics(o.Version)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	a := &API{
		options: o, office: o.Office, log: o.Log, mux: http.NewServeMux(), metrics: o.Metrics,
		crowd: newCrowd(publicPerMinute, o.Now), payers: newCrowd(payersPerMinute, o.Now), keypad: newOperator(o.AdminToken, o.Now),
	}
	if a.log == nil {
		a.log = slog.Default()
	}
	if o.Backlog != nil {
		a.metrics.registry.MustRegister(newBacklog(o.Backlog, o.Now))
	}
	a.metrics.registry.MustRegister(newMemory(o.Acquire))
	if err := a.mount(); err != nil {
		return nil, err
	}
	// Tiles come packed from the archive and pass as they are.
	packed, err := gzhttp.NewWrapper(gzhttp.MinSize(1024))
	if err != nil {
		return nil, err
	}
	a.handler = packed(a.observe(a.recovered(a.crossOrigin(http.HandlerFunc(a.dispatch)))))
	return a, nil
}

// ServeHTTP answers a request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.handler.ServeHTTP(w, r) }
