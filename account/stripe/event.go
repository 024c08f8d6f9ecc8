package stripe

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/stripe/stripe-go/v86/webhook"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// MostEvent is how many bytes the body of a webhook may have.
const MostEvent = 1 << 20

// Event processes a webhook of Stripe's: it checks the signature, which is valid for
// five minutes, and books what was paid, once for each event, in whatever order events
// come. Irrelevant events succeed too, so that Stripe does not send them again. Errors
// are billing-not-enabled, billing-events-not-enabled, body-too-large, bad-request
// (signature, shape) and upstream-unavailable.
//
// A refund or a dispute takes nothing from the credit: it is logged for the operator to
// decide.
func (d *Billing) Event(ctx context.Context, body []byte, signature string) error {
	if err := d.closed(); err != nil {
		return err
	}
	if d.options.WebhookSecret == "" {
		return fault.NotEnabled("billing-events", "this deployment takes no events of a payment processor: no secret to check them with is configured")
	}
	if len(body) > MostEvent {
		return fault.New(fault.TooLarge, "the event has %d bytes; at most %d are taken", len(body), MostEvent).With("limit", MostEvent)
	}
	if err := webhook.ValidatePayloadWithTolerance(body, signature, d.options.WebhookSecret, webhook.DefaultTolerance); err != nil {
		return unsigned(err)
	}
	e, book, err := d.open(body)
	if err != nil {
		return fault.Wrap(err, fault.BadRequest, "the event cannot be read")
	}
	if book == nil {
		return nil
	}
	identityID, err := d.once(ctx, e, book)
	if tie := (*undecided)(nil); errors.As(err, &tie) {
		var now *subscription
		if now, err = d.fetch(ctx, tie.subscription); err != nil {
			return err
		}
		identityID, err = d.once(ctx, e, d.plan(&change{now, tie.at, true}))
	}
	if err != nil {
		return store.Unavailable(err)
	}
	d.changed(identityID)
	return nil
}

// unsigned refuses a webhook whose signature is wrong or too old.
func unsigned(err error) error {
	switch {
	case errors.Is(err, webhook.ErrTooOld):
		return fault.Wrap(err, fault.BadRequest, "the timestamp in Stripe-Signature is more than %s old", webhook.DefaultTolerance)
	case errors.Is(err, webhook.ErrNotSigned):
		return fault.Wrap(err, fault.BadRequest, "the header Stripe-Signature is missing")
	default:
		return fault.Wrap(err, fault.BadRequest, "the header Stripe-Signature does not fit the body and the secret of this endpoint")
	}
}

// entry books an event in a transaction and returns the identity concerned, or "" if it
// changed nothing.
type entry func(ctx context.Context, tx *store.Tx) (identityID string, err error)

// open reads an event; the entry is nil if there is nothing to do.
func (d *Billing) open(body []byte) (*event, entry, error) {
	e := &event{}
	if err := json.Unmarshal(body, e); err != nil {
		return nil, nil, err
	}
	switch {
	case e.ID == "":
		return nil, nil, errors.New("the event has no id")
	case e.Type == "checkout.session.completed", e.Type == "checkout.session.async_payment_succeeded":
		s := &session{}
		return e, d.credit(s), e.read(s)
	case e.Type == "invoice.paid":
		i := &invoice{}
		return e, d.bill(i), e.read(i)
	case e.Type == "customer.subscription.deleted":
		s := &subscription{}
		err := e.read(s)
		s.Status = "canceled"
		return e, d.plan(&change{s, e.Created * ticks, false}), err
	case e.Type == "customer.subscription.created":
		s := &subscription{}
		return e, d.plan(&change{s, e.Created * ticks, false}), e.read(s)
	case e.Type == "customer.subscription.updated", e.Type == "customer.subscription.paused", e.Type == "customer.subscription.resumed":
		s := &subscription{}
		return e, d.plan(&change{s, e.Created*ticks + 1, false}), e.read(s)
	case e.Type == "charge.refunded", strings.HasPrefix(e.Type, "charge.dispute."):
		r := &reversal{}
		return e, d.reverse(e, r), e.read(r)
	}
	return e, nil, nil
}

// once books an event if it was not booked before.
func (d *Billing) once(ctx context.Context, e *event, book entry) (identityID string, err error) {
	err = d.options.DB.Tx(ctx, func(tx *store.Tx) (err error) {
		identityID = ""
		n, err := tx.Exec(ctx, "INSERT INTO processor_events (id, at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING", e.ID, d.options.Now().UnixMilli())
		if err != nil || n == 0 {
			return err
		}
		identityID, err = book(ctx, tx)
		return err
	})
	return identityID, err
}
