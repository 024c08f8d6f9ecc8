// Package notice warns an identity that its month nears its quota: by e-mail, and by
// the webhook quota.threshold if a key has one registered.
package notice

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/store"
)

// Thresholds are the percentages of a quota at which a notice is sent.
var Thresholds = []int{80, 100}

// EventType is the type of the webhook.
const EventType = "quota.threshold"

// Options configure Notices. DB and Outbox are required.
type Options struct {
	DB         *store.DB
	Outbox     *outbox.Outbox
	WebsiteURL string // absolute, without a slash at the end
	UnitPrice  int64  // millipence; 0 sells none
	Log        *slog.Logger
	Now        func() time.Time
}

// Notices writes quota notices and queues them.
type Notices struct{ options Options }

// New returns Notices over tables that schema.Apply has made.
func New(o Options) *Notices {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Notices{o}
}

// Crossed queues the notice of a threshold, once for each month (2026-11) and
// percentage, whichever replica calls it. It does nothing for a percentage that is no
// threshold, and for an identity that is unknown or whose address is not confirmed.
func (n *Notices) Crossed(ctx context.Context, identityID, month string, percent int) error {
	if !slices.Contains(Thresholds, percent) {
		return nil
	}
	begin, err := time.Parse(monthForm, month)
	if err != nil {
		return fmt.Errorf("notice: %q is no month as 2026-11", month)
	}
	var queued bool
	err = n.options.DB.Tx(ctx, func(tx *store.Tx) error {
		queued, err = n.cross(ctx, tx, identityID, begin, percent)
		return err
	})
	if queued && err == nil {
		n.options.Outbox.Wake()
	}
	return err
}

func (n *Notices) cross(ctx context.Context, tx *store.Tx, identityID string, month time.Time, percent int) (queued bool, err error) {
	who, err := byID(ctx, tx, identityID, month)
	if err != nil || who == nil || !who.verified {
		return false, err
	}
	first, err := tx.Exec(ctx, "INSERT INTO notices (identity_id, month, percent, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
		identityID, month.Format(monthForm), percent, n.options.Now().UnixMilli())
	if err != nil || first == 0 {
		return false, err
	}
	p := n.payload(who, month, percent)
	w := n.write(p)
	if err := n.ignoreRefused(n.options.Outbox.Mail(ctx, tx, outbox.Mail{To: p.Email, Subject: w.subject, Text: w.text, HTML: w.html}), "identity", identityID); err != nil {
		return false, err
	}
	hooks, err := hooksOf(ctx, tx, identityID, n.options.Now())
	if err != nil {
		return false, err
	}
	for _, h := range hooks {
		err := n.options.Outbox.Webhook(ctx, tx, outbox.Webhook{Owner: h.key, URL: h.url, Secret: h.secret, Type: EventType, Data: p})
		if err := n.ignoreRefused(err, "key", h.key); err != nil {
			return false, err
		}
	}
	return true, nil
}

// ignoreRefused logs and ignores a refused address, so that the remaining notices still
// go out; it returns every other error.
func (n *Notices) ignoreRefused(err error, kind, id string) error {
	if !errors.Is(err, outbox.ErrRefused) {
		return err
	}
	n.options.Log.Warn("a quota notice cannot be sent", kind, id, "reason", err)
	return nil
}

// Payload is the data of the webhook quota.threshold.
type Payload struct {
	IdentityID        string `json:"identity_id"`
	Email             string `json:"email"`
	Month             string `json:"month"`         // 2026-11
	Percent           int    `json:"percent"`       // the threshold
	Used              int64  `json:"used"`          // units, of credit too
	MonthlyQuota      int64  `json:"monthly_quota"` // units
	Remaining         int64  `json:"remaining"`     // units, at least 0
	BalanceMillipence int64  `json:"balance_millipence"`
	ResetsAt          string `json:"resets_at"` // RFC 3339
	Upgrade           string `json:"upgrade"`
}

func (n *Notices) payload(f *figures, month time.Time, percent int) Payload {
	return Payload{
		IdentityID: f.id, Email: f.email, Month: month.Format(monthForm), Percent: percent,
		Used: f.used, MonthlyQuota: f.quota, Remaining: max(f.quota-f.used, 0), BalanceMillipence: f.millipence,
		ResetsAt: month.AddDate(0, 1, 0).Format(time.RFC3339), Upgrade: n.options.WebsiteURL + "/console",
	}
}
