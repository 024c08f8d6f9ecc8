package notice

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// Outreach is a notice as it would be sent now.
type Outreach struct {
	Payload Payload
	Subject string
	Body    string // of the e-mail, text
	HTML    string
	Message string // one sentence for the operator
}

// Render returns the notice that an identity would get now, at the highest threshold
// that it has reached (0 for none), and sends and writes nothing; not-found for an
// unknown address.
func (n *Notices) Render(ctx context.Context, email string) (*Outreach, error) {
	now := n.options.Now().UTC()
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	who, err := byEmail(ctx, n.options.DB, email, month)
	if err != nil {
		return nil, store.Unavailable(err)
	}
	if who == nil {
		return nil, fault.New(fault.NotFound, "no identity has the address %s", fault.Clip(email))
	}
	percent := 0
	for _, t := range Thresholds {
		if who.reached(t) {
			percent = max(percent, t)
		}
	}
	sent, err := sentAt(ctx, n.options.DB, who.id, month, percent)
	if err != nil {
		return nil, store.Unavailable(err)
	}
	p := n.payload(who, month, percent)
	w := n.write(p)
	return &Outreach{Payload: p, Subject: w.subject, Body: w.text, HTML: w.html, Message: message(who, p, month, sent)}, nil
}

// message describes to an operator the usage of an identity, and whether a notice was
// sent.
func message(who *figures, p Payload, month time.Time, sent *time.Time) string {
	sentNotice := fmt.Sprintf("no notice of %d%% has gone out yet", p.Percent)
	switch {
	case !who.verified:
		sentNotice = "it gets no notice, since nobody has confirmed the address"
	case p.Percent == 0:
		sentNotice = fmt.Sprintf("the first notice is due at %d%%", Thresholds[0])
	case sent != nil:
		sentNotice = fmt.Sprintf("the notice of %d%% was queued on %s", p.Percent, sent.UTC().Format("2 January 2006 at 15:04 UTC"))
	}
	return fmt.Sprintf("%s has used %s of %s units in %s (%d%%) and has %s of credit; %s.",
		p.Email, grouped(p.Used), grouped(p.MonthlyQuota), month.Format("January 2006"), percentOf(p.Used, p.MonthlyQuota), pounds(p.BalanceMillipence), sentNotice)
}

// sentAt returns when a notice was queued; nil for never.
func sentAt(ctx context.Context, db store.Querier, identityID string, month time.Time, percent int) (*time.Time, error) {
	var at int64
	err := db.QueryRow(ctx, "SELECT at FROM notices WHERE identity_id = $1 AND month = $2 AND percent = $3", identityID, month.Format(monthForm), percent).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	t := time.UnixMilli(at)
	return &t, err
}
