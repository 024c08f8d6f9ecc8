package api

import (
	"context"
	"errors"

	"github.com/waygate/waygate/account/meter"
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
	Upgrade string             `json:"upgrade" doc:"address where credit or a plan is bought"`
	Version int                `json:"x402Version,omitempty" doc:"of the payment protocol"`
	Error   string             `json:"error,omitempty" doc:"why a payment is wanted or was not taken"`
	Accepts []x402.Requirement `json:"accepts,omitempty" nullable:"false" doc:"ways to pay for this call with the header X-PAYMENT"`
}

// resource is the address that a payment is for: without the query, which may
// hold a key.
func (v *visit) resource() string {
	return v.api.base(v.request).URL + v.request.URL.EscapedPath()
}

// demand makes a 402 that lists what is accepted for units. err is the 402 of
// a key without quota and credit; nil for a call without a key.
func (v *visit) demand(err error, units int64, reason string) error {
	var e *fault.Error
	if !errors.As(err, &e) {
		site := v.api.options.WebsiteURL
		if site == "" {
			site = v.api.base(v.request).URL
		}
		e = fault.New(fault.PaymentRequired, "%s", reason).With("balance_millipence", int64(0)).With("upgrade", site+"/keys")
	}
	d := v.api.office.Till.Demand(v.resource(), v.row.label(), units, reason)
	return e.With("x402Version", d.Version).With("error", d.Error).With("accepts", d.Accepts)
}

// pay has the payment of a call verified for what it costs. Nothing is taken
// before there is an answer to give.
func (v *visit) pay(ctx context.Context, class meter.Class, units int64, features []string) error {
	v.quoted = units
	if v.payment == nil {
		return v.demand(nil, units, "an API key or a payment is needed: the keyless demo lane is closed here")
	}
	if err := v.office().Till.Verify(ctx, v.payment, v.resource(), units); err != nil {
		return v.unpaid(err)
	}
	v.verified = true
	return v.pass.Reserve(ctx, class, units, features...)
}

func (v *visit) office() *Office { return &v.api.office }

// settlePayment takes the payment and gives the header that tells of it, also
// where it is refused after all.
func (v *visit) settlePayment() (response string, err error) {
	v.verified = false
	response, err = v.office().Till.Settle(v.request.Context(), v.payment, v.resource(), v.quoted)
	if err != nil {
		err = v.unpaid(err)
		v.api.metrics.refused(v.lane, err)
	}
	return response, err
}

// unpaid asks anew where a payment was refused.
func (v *visit) unpaid(err error) error {
	var refused *x402.Refused
	if errors.As(err, &refused) {
		return v.demand(v.owed, v.quoted, refused.Reason)
	}
	return err
}
