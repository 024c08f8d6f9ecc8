// Package stripe sells credit and plans through Stripe: checkout links, the
// customer portal, and the webhook that books what was paid.
package stripe

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/waygate/waygate/account/ledger"
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

// Options make a Desk. DB and Ledger are required; without a Key it is closed.
type Options struct {
	DB            *store.DB
	Ledger        *ledger.Ledger
	Key           string // secret key of the API
	WebhookSecret string
	API           string // address of the API; "" is Stripe's
	WebsiteURL    string
	Plans         []Plan
	Changed       func(id string) // hears of an identity whose record changed
	Log           *slog.Logger
	Now           func() time.Time
}

// Desk sells.
type Desk struct{ options Options }

// New makes a desk.
func New(o Options) *Desk { return &Desk{o} }

// Open reports whether a key is set; without one the methods refuse with
// not-enabled.
func (d *Desk) Open() bool { return d.options.Key != "" }

// Plans are those on offer.
func (d *Desk) Plans() []Plan { return d.options.Plans }

// The least and the most credit that one checkout buys, in pence.
const (
	LeastPence = 500
	MostPence  = 1_000_000
)

// Credit makes a checkout page for pence of credit and gives its address.
func (d *Desk) Credit(ctx context.Context, identityID string, pence int64) (address string, err error) {
	return "", errors.ErrUnsupported
}

// Subscribe makes a checkout page for a plan by its name.
func (d *Desk) Subscribe(ctx context.Context, identityID, plan string) (address string, err error) {
	return "", errors.ErrUnsupported
}

// Portal gives the address of the customer's own page at Stripe.
func (d *Desk) Portal(ctx context.Context, identityID string) (address string, err error) {
	return "", errors.ErrUnsupported
}

// Event takes a webhook of Stripe's: it checks the signature and books what
// was paid, once for each event.
func (d *Desk) Event(ctx context.Context, body []byte, signature string) error {
	return errors.ErrUnsupported
}
