package stripe

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"

	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// credit books the credit that a checkout session has paid. Two events may report the
// same session, when it completes and when a slow payment arrives; the reason in the
// ledger is the session's id.
func (d *Billing) credit(s *session) entry {
	return func(ctx context.Context, tx *store.Tx) (string, error) {
		log := d.options.Log.With("session", s.ID)
		if s.Mode != "payment" || s.Metadata[metaPence] == "" {
			return "", nil // a plan's first payment comes as an invoice; other sessions were not made here
		}
		if s.PaymentStatus != "paid" {
			log.InfoContext(ctx, "a checkout is done and not paid yet", "status", s.PaymentStatus)
			return "", nil
		}
		if s.Currency != currency || s.AmountTotal < 1 {
			log.ErrorContext(ctx, "a checkout paid no pence: nothing is credited", "currency", s.Currency, "amount", s.AmountTotal)
			return "", nil
		}
		if asked := s.Metadata[metaPence]; asked != strconv.FormatInt(int64(s.AmountTotal), 10) {
			log.WarnContext(ctx, "a checkout paid another amount than was asked: what was paid is credited", "asked", asked, "paid", s.AmountTotal)
		}
		identityID, err := d.owner(ctx, tx, s.Metadata[metaIdentity], s.Customer)
		if err != nil || identityID == "" {
			return "", err
		}
		if s.ClientRef != "" && s.ClientRef != identityID {
			log.ErrorContext(ctx, "a checkout names two identities: nothing is credited", "identity", identityID, "reference", fault.Clip(s.ClientRef))
			return "", nil
		}
		if s.AmountTotal > ledger.MaxCredit/1000 {
			// An error would make Stripe send it again for days, with the same
			// result.
			log.ErrorContext(ctx, "a checkout paid more than one credit can be: nothing is credited", "identity", identityID, "amount", s.AmountTotal)
			return "", nil
		}
		if _, err := d.options.Ledger.CreditIn(ctx, tx, identityID, int64(s.AmountTotal)*1000, "stripe:"+s.ID, "stripe"); fault.Is(err, fault.BadRequest) {
			log.ErrorContext(ctx, "a checkout was paid that the balance cannot hold: nothing is credited", "identity", identityID, "amount", s.AmountTotal, "reason", err)
			return "", nil
		} else if err != nil {
			return "", err
		}
		return identityID, d.paid(ctx, tx, payment{s.ID, identityID, "credit", int64(s.AmountTotal)})
	}
}

// bill records what was paid for an invoice of a subscription.
func (d *Billing) bill(i *invoice) entry {
	return func(ctx context.Context, tx *store.Tx) (string, error) {
		if !i.subscribed() || i.AmountPaid < 1 {
			return "", nil
		}
		if i.Currency != currency {
			d.options.Log.ErrorContext(ctx, "an invoice was not paid in pence: it is in no figures", "invoice", i.ID, "currency", i.Currency)
			return "", nil
		}
		if i.AmountPaid > ledger.MaxCredit/1000 {
			d.options.Log.ErrorContext(ctx, "an invoice was paid more than can be: it is in no figures", "invoice", i.ID, "amount", i.AmountPaid)
			return "", nil
		}
		identityID, err := d.owner(ctx, tx, i.Parent.Details.Metadata[metaIdentity], i.Customer)
		if err != nil || identityID == "" {
			return "", err
		}
		return identityID, d.paid(ctx, tx, payment{i.ID, identityID, "subscription", int64(i.AmountPaid)})
	}
}

// reverse logs a refund or a dispute for the operator.
func (d *Billing) reverse(e *event, r *reversal) entry {
	return func(ctx context.Context, tx *store.Tx) (string, error) {
		identityID := ""
		if r.Customer != "" {
			var err error
			if identityID, err = d.owner(ctx, tx, "", r.Customer); err != nil {
				return "", err
			}
		}
		d.options.Log.WarnContext(ctx, "money went back or may go: no credit was taken, decide about it", "event", e.Type, r.Object, r.ID,
			"of_charge", r.Charge, "payment", r.PaymentIntent, "identity", identityID, "status", r.Status,
			"amount", r.Amount, "refunded", r.AmountRefunded, "currency", r.Currency)
		return "", nil
	}
}

// payment is a row of payments, for the operator's figures.
type payment struct {
	id, identityID string
	kind           string // credit, subscription
	pence          int64
}

func (d *Billing) paid(ctx context.Context, tx *store.Tx, p payment) error {
	_, err := tx.Exec(ctx, "INSERT INTO payments (id, identity_id, at, kind, pence) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING",
		p.id, p.identityID, d.options.Now().UnixMilli(), p.kind, p.pence)
	if err != nil {
		return fmt.Errorf("keep a payment: %w", err)
	}
	return nil
}

// owner finds the identity of an event: by the id in its metadata, or else by the
// customer. "" is an unknown owner, which is logged and is no error, because sending
// the event again would change nothing.
func (d *Billing) owner(ctx context.Context, tx *store.Tx, identityID string, customer ref) (string, error) {
	var id string
	err := tx.QueryRow(ctx, `SELECT id FROM identities WHERE id = $1 OR stripe_customer_id = $2
		ORDER BY CASE WHEN id = $1 THEN 0 ELSE 1 END LIMIT 1`, identityID, string(customer)).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		d.options.Log.WarnContext(ctx, "an event of the payment processor is about nobody here", "identity", fault.Clip(identityID), "customer", fault.Clip(string(customer)))
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("find the owner of a payment: %w", err)
	}
	return id, nil
}
