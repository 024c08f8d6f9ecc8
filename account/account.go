package account

import (
	"context"
	"log/slog"
	"net/netip"
	"time"

	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/store"
)

// Options configure Accounts. DB, Ledger and Outbox are required.
type Options struct {
	DB                  *store.DB
	Ledger              *ledger.Ledger
	Outbox              *outbox.Outbox
	BaseURL             string // absolute, without a slash at the end; for links in e-mails
	WebsiteURL          string // likewise; "" is a deployment without a console
	MaxIssuancesPerHour int    // 0 is no ceiling
	IssuancesPerDay     int    // self-serve keys for one client network; 0 is DefaultIssuancesPerDay
	LoopbackExempt      bool   // callers on the machine itself have no such limit
	// Changed, if not nil, is called with the id of a key or an identity whose record
	// has changed, after the change is committed.
	Changed func(id string)
	Log     *slog.Logger
	Now     func() time.Time
}

// Accounts manages the identities and their keys. Its methods, and those of its parts, are
// safe for concurrent use; they return upstream-unavailable if the database does not
// answer.
type Accounts struct {
	*core
	Issuance
	SignIns
	Operators
}

// Issuance issues self-serve keys, and confirms or denies them by the links of e-mails.
type Issuance struct{ *core }

// SignIns signs identities in by links and claim pointers, and keeps their sessions.
type SignIns struct{ *core }

// Operators is for operators: it lists and adjusts keys and identities.
type Operators struct{ *core }

// core has what the parts of Accounts share.
type core struct{ options Options }

// New returns Accounts over tables that schema.Apply has made.
func New(o Options) *Accounts {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.IssuancesPerDay == 0 {
		o.IssuancesPerDay = DefaultIssuancesPerDay
	}
	c := &core{o}
	return &Accounts{c, Issuance{c}, SignIns{c}, Operators{c}}
}

// now returns the time as rows store it: UTC, to the millisecond.
func (a *core) now() time.Time { return a.options.Now().UTC().Truncate(time.Millisecond) }

func (a *core) tx(ctx context.Context, do func(*store.Tx) error) error {
	return store.Unavailable(a.options.DB.Tx(ctx, do))
}

// changed calls Options.Changed for each id that is not "".
func (a *core) changed(ids ...string) {
	if a.options.Changed == nil {
		return
	}
	for _, id := range ids {
		if id != "" {
			a.options.Changed(id)
		}
	}
}

// The formats in which rows name days, months and hours, in UTC.
const (
	dayForm   = "2006-01-02"
	monthForm = "2006-01"
	hourForm  = "2006-01-02T15"
)

// Application is a request for a key.
type Application struct {
	Email          string
	AcceptTOS      bool
	Label          string // "" makes one
	AllowedOrigins []string
	Scope          Scope // "" is Full
	Source         string
	Client         netip.Addr // the caller's; counted by network
	UserAgent      string
}

// Issued is a new key with its secret, which is shown this once. The claim pointer is
// left out if the deployment has no console.
type Issued struct {
	Key            Key
	Secret         string
	ClaimURL       string
	DisplayToUser  string
	ClaimExpiresIn time.Duration
}
