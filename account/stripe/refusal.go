package stripe

import (
	"errors"
	"fmt"
	"net/http"

	api "github.com/stripe/stripe-go/v86"

	"github.com/waygate/waygate/fault"
)

// refused turns an error of Stripe's API into one that a caller may read:
// upstream-unavailable if trying again may help, else upstream-error.
func refused(err error) error {
	if err == nil {
		return nil
	}
	var said *api.Error
	if !errors.As(err, &said) {
		return fault.Wrap(err, fault.UpstreamUnavailable, "the payment processor does not answer; try again shortly")
	}
	// If the key is wrong, Stripe's message contains parts of it.
	message := said.Msg
	if said.HTTPStatusCode == http.StatusUnauthorized {
		message = "the key of the API is not accepted"
	}
	cause := fmt.Errorf("stripe answers %d %s %s to request %s: %s", said.HTTPStatusCode, said.Type, said.Code, said.RequestID, message)
	switch {
	case said.HTTPStatusCode >= http.StatusInternalServerError, said.HTTPStatusCode == http.StatusTooManyRequests, said.HTTPStatusCode == http.StatusConflict:
		return fault.Wrap(cause, fault.UpstreamUnavailable, "the payment processor is busy; try again shortly")
	default:
		return fault.Wrap(cause, fault.Upstream, "the payment processor refused the request; the operator finds the reason in the log")
	}
}

// gone reports whether a customer is gone at Stripe: the operator has deleted it, or
// has gone from test mode to live.
func gone(err error) bool {
	var said *api.Error
	return errors.As(err, &said) && said.Code == api.ErrorCodeResourceMissing && said.Param == "customer"
}
