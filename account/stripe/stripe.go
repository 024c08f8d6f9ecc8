// Package stripe sells credit and plans through Stripe: checkout links, the
// customer portal, and the webhook that books what was paid.
package stripe

import (
	"log/slog"
	"net/http"
	"strings"
	"time"

	api "github.com/stripe/stripe-go/v86"

	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// Plan is a subscription on offer.
type Plan struct {
	Name         string
	Price        string // id of the price in Stripe
	MonthlyQuota int64  // units
	RatePerMin   int64
	MonthlyPence int64
}

// Options configure Billing. DB and Ledger are required; without a Key nothing is sold.
type Options struct {
	DB            *store.DB
	Ledger        *ledger.Ledger
	Key           string // secret key of the API
	WebhookSecret string // of the endpoint in Stripe that calls Event; without one Event refuses
	API           string // address of the API; "" is Stripe's
	WebsiteURL    string // absolute, without a slash at the end; where a checkout returns to
	Plans         []Plan
	Changed       func(id string) // called with an identity whose record or credit changed
	Log           *slog.Logger
	Now           func() time.Time
}

// Billing sells credit and plans. Its methods are safe for concurrent use.
type Billing struct {
	options Options
	client  *api.Client
}

// callTimeout limits one call of Stripe's API; the library repeats a lost one.
const callTimeout = 15 * time.Second

// New returns Billing.
func New(o Options) *Billing {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	config := &api.BackendConfig{
		EnableTelemetry: new(bool),
		HTTPClient:      &http.Client{Timeout: callTimeout},
		// The error is returned, and logged with the request.
		LeveledLogger:     &api.LeveledLogger{Level: api.LevelNull},
		MaxNetworkRetries: api.Int64(1),
	}
	if o.API != "" {
		config.URL = api.String(strings.TrimSuffix(o.API, "/"))
	}
	return &Billing{o, api.NewClient(o.Key, api.WithBackends(api.NewBackendsWithConfig(config)))}
}

// Open reports whether a key is set; without one the methods refuse with
// billing-not-enabled.
func (d *Billing) Open() bool { return d.options.Key != "" }

// Plans returns the plans on offer.
func (d *Billing) Plans() []Plan { return d.options.Plans }

// closed returns the refusal if nothing is sold.
func (d *Billing) closed() error {
	if d.Open() {
		return nil
	}
	return fault.NotEnabled("billing", "this deployment sells no credit and no plans: no key of a payment processor is configured")
}

// changed reports to Options.Changed that an identity has changed.
func (d *Billing) changed(identityID string) {
	if identityID != "" && d.options.Changed != nil {
		d.options.Changed(identityID)
	}
}
