package x402

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"strings"
	"time"

	"github.com/waygate/waygate/fault"
)

const (
	// notice is how long an authorisation must still be valid: a call has to run and a
	// block to be made meanwhile.
	notice = 6 * time.Second
	// verifying and settling are how long the facilitator may take.
	verifying = 10 * time.Second
	settling  = 30 * time.Second
	// maxAnswer bounds an answer of the facilitator.
	maxAnswer = 64 << 10
)

// Verify asks the facilitator whether a payment covers units of a resource. If not, the
// error is a *Refused; if the facilitator fails, upstream-unavailable. A verified
// payment is held for its call: another with the same nonce is refused until it is
// settled or released, or two minutes are over.
func (x *Payments) Verify(ctx context.Context, p *Payment, resource string, units int64) error {
	if err := x.covers(p, units); err != nil {
		return err
	}
	if err := timely(p, x.options.Now()); err != nil {
		return err
	}
	if err := x.nonces.take(p, x.options.Now(), false); err != nil {
		return err
	}
	if err := x.verify(ctx, p, resource, units); err != nil {
		x.Release(p)
		return err
	}
	return nil
}

// Release releases a verified payment that is not to be settled, for instance because
// its call failed. It may then pay for another.
func (x *Payments) Release(p *Payment) { x.nonces.drop(p, false) }

// covers checks that a payment is what is required.
func (x *Payments) covers(p *Payment, units int64) error {
	a := &p.wire.Payload.Authorization
	switch {
	case p.wire.Scheme != scheme:
		return &Refused{"invalid_scheme"}
	case p.wire.Network != x.options.Network:
		return &Refused{"invalid_network"}
	case !strings.EqualFold(a.To, x.options.PayTo):
		return &Refused{"invalid_exact_evm_payload_recipient_mismatch"}
	case p.value.Cmp(x.amount(units)) < 0:
		return &Refused{"invalid_exact_evm_payload_authorization_value"}
	}
	return nil
}

// timely checks that a payment is valid now and long enough to be settled.
func timely(p *Payment, now time.Time) error {
	switch {
	case p.after.Cmp(big.NewInt(now.Unix())) > 0:
		return &Refused{"invalid_exact_evm_payload_authorization_valid_after"}
	case p.before.Cmp(big.NewInt(now.Add(notice).Unix())) <= 0:
		return &Refused{"invalid_exact_evm_payload_authorization_valid_before"}
	}
	return nil
}

func (x *Payments) verify(ctx context.Context, p *Payment, resource string, units int64) error {
	ctx, cancel := context.WithTimeout(ctx, verifying)
	defer cancel()
	var answer struct {
		IsValid       *bool  `json:"isValid"`
		InvalidReason string `json:"invalidReason"`
		Payer         string `json:"payer"`
	}
	status, err := x.ask(ctx, "/verify", p, x.requirement(resource, "", units), &answer)
	if err == nil && (answer.IsValid == nil || *answer.IsValid && status != http.StatusOK) {
		err = fmt.Errorf("status %d and no verdict", status)
	}
	switch {
	case err != nil:
		return fault.Wrap(err, fault.UpstreamUnavailable, "the payment cannot be verified at the moment, and has not been taken; try again")
	case !*answer.IsValid:
		return &Refused{reason(answer.InvalidReason, "unexpected_verify_error")}
	case answer.Payer != "" && !strings.EqualFold(answer.Payer, p.wire.Payload.Authorization.From):
		return &Refused{"unexpected_verify_error"}
	}
	return nil
}

// outcome is a settlement on the wire (SettlementResponse).
type outcome struct {
	Success     bool   `json:"success"`
	ErrorReason string `json:"errorReason,omitempty"`
	Transaction string `json:"transaction"`
	Network     string `json:"network"`
	Payer       string `json:"payer"`
}

// Settle asks the facilitator to take the payment, and returns the header
// X-PAYMENT-RESPONSE. If the payment is refused, the error is a *Refused and the header
// says so. Settle continues when ctx ends, because the call has been served. If the
// facilitator does not say whether it took the payment (upstream-unavailable), the
// nonce is not used again.
func (x *Payments) Settle(ctx context.Context, p *Payment, resource string, units int64) (response string, err error) {
	// The chain decides whether it is still valid in time.
	if err := x.covers(p, units); err != nil {
		return "", err
	}
	if err := x.nonces.take(p, x.options.Now(), true); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settling)
	defer cancel()
	var answer struct {
		Success     *bool  `json:"success"`
		ErrorReason string `json:"errorReason"`
		Transaction string `json:"transaction"`
	}
	status, err := x.ask(ctx, "/settle", p, x.requirement(resource, "", units), &answer)
	if err == nil && (answer.Success == nil || *answer.Success && status != http.StatusOK) {
		err = fmt.Errorf("status %d and no outcome", status)
	}
	if err != nil {
		return "", fault.Wrap(err, fault.UpstreamUnavailable, "the payment cannot be settled at the moment")
	}
	o := outcome{Success: *answer.Success, Network: x.options.Network, Payer: p.wire.Payload.Authorization.From}
	if !o.Success {
		x.nonces.drop(p, true)
		o.ErrorReason = reason(answer.ErrorReason, "unexpected_settle_error")
		return o.header(), &Refused{o.ErrorReason}
	}
	o.Transaction = fault.Clip(answer.Transaction)
	return o.header(), nil
}

func (o outcome) header() string {
	text, err := json.Marshal(o)
	if err != nil {
		return "" // cannot fail: texts and a bool
	}
	return base64.StdEncoding.EncodeToString(text)
}

// ask sends a payment to the facilitator. An answer that is not JSON is an error.
func (x *Payments) ask(ctx context.Context, path string, p *Payment, r Requirement, answer any) (status int, err error) {
	body, err := json.Marshal(struct {
		Version      int         `json:"x402Version"`
		Payload      payload     `json:"paymentPayload"`
		Requirements Requirement `json:"paymentRequirements"`
	}{version, p.wire, r})
	if err != nil {
		return 0, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, x.options.Facilitator+path, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := x.options.Client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		return response.StatusCode, err
	case response.StatusCode >= http.StatusInternalServerError:
		return response.StatusCode, fmt.Errorf("status %d", response.StatusCode)
	case len(text) > maxAnswer:
		return response.StatusCode, fmt.Errorf("an answer of more than %d bytes", maxAnswer)
	}
	return response.StatusCode, json.Unmarshal(text, answer)
}

// reason returns the facilitator's reason, which callers see, if it has the form of the
// protocol's codes.
func reason(code, otherwise string) string {
	for i := range len(code) {
		if c := code[i]; (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return otherwise
		}
	}
	if code == "" || len(code) > 100 {
		return otherwise
	}
	return code
}
