package stripe

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/waygate/waygate/fault"
)

// The parts of Stripe's events that are read. An endpoint may be pinned to another
// version of the API than the library: members that versions changed are read in their
// old and new form, all others are ignored. Source: https://docs.stripe.com/api/events
// and the objects named there.

// event is the envelope of a webhook.
type event struct {
	ID      string `json:"id"`
	Type    string `json:"type"`
	Created int64  `json:"created"` // unix seconds
	Data    struct {
		Object json.RawMessage `json:"object"`
	} `json:"data"`
}

// read reads the object of an event, which must have an id.
func (e *event) read(object any) error {
	var named struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(e.Data.Object, &named); err != nil {
		return fmt.Errorf("the object of %s: %w", e.Type, err)
	}
	if named.ID == "" {
		return fmt.Errorf("the object of %s has no id", e.Type)
	}
	if err := json.Unmarshal(e.Data.Object, object); err != nil {
		return fmt.Errorf("the object of %s: %w", e.Type, err)
	}
	return nil
}

// ref is the id of an object that is sent as an id, or whole.
type ref string

func (r *ref) UnmarshalJSON(text []byte) error {
	if len(text) == 0 || text[0] != '{' {
		return json.Unmarshal(text, (*string)(r))
	}
	var whole struct {
		ID string `json:"id"`
	}
	err := json.Unmarshal(text, &whole)
	*r = ref(whole.ID)
	return err
}

// amount is money in the smallest unit. A number that does not fit an int64 is read as
// the largest or the least, which nothing is credited for: a webhook that fails is sent
// again for days, with the same result.
type amount int64

func (a *amount) UnmarshalJSON(text []byte) error {
	var n json.Number
	if err := json.Unmarshal(text, &n); err != nil || n == "" {
		return err
	}
	v, err := strconv.ParseInt(n.String(), 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		f, _ := strconv.ParseFloat(n.String(), 64) // infinite where it is out of range
		if f != math.Trunc(f) {
			return fmt.Errorf("an amount of %s is no whole number", fault.Clip(n.String()))
		}
		v = int64(max(math.MinInt64, min(f, math.MaxInt64/2)))
	}
	*a = amount(v)
	return nil
}

// session is a checkout session.
type session struct {
	ID            string            `json:"id"`
	Mode          string            `json:"mode"`           // payment, subscription, setup
	PaymentStatus string            `json:"payment_status"` // paid, unpaid, no_payment_required
	Currency      string            `json:"currency"`
	AmountTotal   amount            `json:"amount_total"` // pence where the currency is gbp
	ClientRef     string            `json:"client_reference_id"`
	Customer      ref               `json:"customer"`
	Metadata      map[string]string `json:"metadata"`
}

// invoice is a bill, of a subscription or not.
type invoice struct {
	ID            string `json:"id"`
	Currency      string `json:"currency"`
	AmountPaid    amount `json:"amount_paid"`
	BillingReason string `json:"billing_reason"`
	Customer      ref    `json:"customer"`
	Subscription  ref    `json:"subscription"` // before the version basil of 2025
	Parent        struct {
		Details struct {
			Subscription ref               `json:"subscription"`
			Metadata     map[string]string `json:"metadata"`
		} `json:"subscription_details"`
	} `json:"parent"`
}

// subscribed reports whether an invoice bills a subscription.
func (i *invoice) subscribed() bool {
	return i.Subscription != "" || i.Parent.Details.Subscription != "" || strings.HasPrefix(i.BillingReason, "subscription")
}

// subscription is a customer's subscription to a plan.
type subscription struct {
	ID       string            `json:"id"`
	Status   string            `json:"status"`
	Customer ref               `json:"customer"`
	Metadata map[string]string `json:"metadata"`
	Items    struct {
		Data []struct {
			Price ref `json:"price"`
			Plan  ref `json:"plan"` // the same, before there were prices
		} `json:"data"`
	} `json:"items"`
}

// over reports whether a subscription has ended and cannot come back.
func (s *subscription) over() bool {
	return s.Status == "canceled" || s.Status == "incomplete_expired"
}

// granted reports whether a subscription grants its plan. One whose payment is late
// does, until Stripe gives up and makes it unpaid or canceled.
func (s *subscription) granted() bool {
	return s.Status == "active" || s.Status == "trialing" || s.Status == "past_due"
}

// reversal is a charge that was paid back, or a dispute of one.
type reversal struct {
	ID             string `json:"id"`
	Object         string `json:"object"` // charge, dispute
	Amount         amount `json:"amount"`
	AmountRefunded amount `json:"amount_refunded"`
	Currency       string `json:"currency"`
	Status         string `json:"status"`
	Charge         ref    `json:"charge"` // of a dispute
	PaymentIntent  ref    `json:"payment_intent"`
	Customer       ref    `json:"customer"` // of a charge
}
