package edge

import (
	"context"
	"errors"

	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/fault"
)

// The headers of x402 over HTTP.
const (
	paymentHeader   = "X-Payment"
	paymentResponse = "X-Payment-Response"
)

// PaymentRequired is the body of a 402. The members of x402 are there where
// this deployment takes payment with the call.
type PaymentRequired struct {
	Code    string             `json:"code" enum:"payment_required"`
	Balance int64              `json:"balance_millipence" doc:"credit left, in thousandths of a penny"`
	Upgrade *string            `json:"upgrade" doc:"address where credit or a plan is bought, or a key is had; null where the operator alone gives them"`
	Version int                `json:"x402Version,omitempty" doc:"of the payment protocol"`
	Error   string             `json:"error,omitempty" doc:"why a payment is wanted or was not taken"`
	Accepts []x402.Requirement `json:"accepts,omitempty" nullable:"false" doc:"ways to pay for this call with the header X-PAYMENT"`
}

// resource returns the address that a payment is for: without the query, which may
// hold a key.
func (c *Call) resource() string {
	return c.edge.Base(c.request) + c.request.URL.EscapedPath()
}

// demand makes a 402 that lists what is accepted for units. err is the 402 of
// a key without quota and credit; nil for a call without a key.
func (c *Call) demand(err error, units int64, reason string) error {
	var e *fault.Error
	if !errors.As(err, &e) {
		site := c.edge.options.WebsiteURL
		if site == "" {
			site = c.edge.Base(c.request)
		}
		e = fault.New(fault.PaymentRequired, "%s", reason).With("balance_millipence", int64(0)).With("upgrade", site+"/keys")
	}
	d := c.edge.options.Payments.Require(c.resource(), c.row.Label(), units, reason)
	return e.With("x402Version", d.Version).With("error", d.Error).With("accepts", d.Accepts)
}

// pay has the payment of a call verified for what it costs. Nothing is taken
// before there is an answer to give.
func (c *Call) pay(ctx context.Context, units int64, features []string) error {
	c.quoted = units
	if c.payment == nil {
		return c.demand(nil, units, "an API key or a payment is needed: the keyless demo lane is closed here")
	}
	if err := c.edge.options.Payments.Verify(ctx, c.payment, c.resource(), units); err != nil {
		return c.unpaid(err)
	}
	c.verified = true
	return c.admission.Reserve(ctx, c.class, units, features...)
}

// settlePayment takes the payment and returns the header that describes it, also where the
// payment is refused after all.
func (c *Call) settlePayment() (response string, err error) {
	c.verified = false
	response, err = c.edge.options.Payments.Settle(c.request.Context(), c.payment, c.resource(), c.quoted)
	if err != nil {
		err = c.unpaid(err)
		c.edge.metrics.Refused(c.lane, err)
	}
	return response, err
}

// unpaid requires another payment where one was refused.
func (c *Call) unpaid(err error) error {
	var refused *x402.Refused
	if errors.As(err, &refused) {
		return c.demand(c.owed, c.quoted, refused.Reason)
	}
	return err
}
