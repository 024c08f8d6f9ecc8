// Package notice tells an identity that its month nears its quota: by e-mail,
// and by the webhook quota.threshold where a key has one registered.
package notice

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/store"
)

// Thresholds are the percentages of a quota at which an identity is told.
var Thresholds = []int{80, 100}

// Options make Notices. DB and Outbox are required.
type Options struct {
	DB         *store.DB
	Outbox     *outbox.Outbox
	WebsiteURL string
	UnitPrice  int64 // millipence; 0 sells none
	Log        *slog.Logger
	Now        func() time.Time
}

// Notices writes and queues them.
type Notices struct{ options Options }

// New makes Notices.
func New(o Options) *Notices { return &Notices{o} }

// Crossed queues the notice of a threshold, once for each month and
// percentage whatever replica asks.
func (n *Notices) Crossed(ctx context.Context, identityID, month string, percent int) error {
	return errors.ErrUnsupported
}

// Payload is the data of the webhook quota.threshold.
type Payload struct {
	IdentityID        string `json:"identity_id"`
	Email             string `json:"email"`
	Month             string `json:"month"`
	Percent           int    `json:"percent"`
	Used              int64  `json:"used"`
	MonthlyQuota      int64  `json:"monthly_quota"`
	Remaining         int64  `json:"remaining"`
	BalanceMillipence int64  `json:"balance_millipence"`
	ResetsAt          string `json:"resets_at"` // RFC 3339
	Upgrade           string `json:"upgrade"`
}

// Outreach is a notice as it would go out now.
type Outreach struct {
	Payload Payload
	Subject string
	Body    string // of the e-mail, text
	HTML    string
	Message string // one sentence for the operator
}

// Render gives the notice that an identity would get now, at the highest
// threshold it has reached (0 for none), and sends and writes nothing;
// not-found for an unknown address.
func (n *Notices) Render(ctx context.Context, email string) (*Outreach, error) {
	return nil, errors.ErrUnsupported
}
