// Package x402 takes payment with the call itself, as the HTTP transport of
// x402 version 1 has it: a 402 that lists what is accepted, the header
// X-PAYMENT with a signed authorisation, a facilitator that verifies and
// settles it, and X-PAYMENT-RESPONSE with the outcome.
package x402

import (
	"context"
	"errors"
	"net/http"
)

// Options make a Till. Without a Facilitator it is closed.
type Options struct {
	Facilitator string // address
	Network     string // base, base-sepolia, …
	Asset       string // address of the token's contract
	AssetName   string // EIP-712 domain of the token
	AssetVer    string
	PayTo       string // address that is paid
	UnitPrice   int64  // of one unit in the token's atomic units
	Client      *http.Client
}

// Till takes payments.
type Till struct{ options Options }

// New makes a till.
func New(o Options) *Till { return &Till{o} }

// Open reports whether payments are taken.
func (t *Till) Open() bool { return t.options.Facilitator != "" && t.options.UnitPrice > 0 }

// Requirement is one way to pay for a call (PaymentRequirements).
type Requirement struct {
	Scheme            string         `json:"scheme"`
	Network           string         `json:"network"`
	MaxAmountRequired string         `json:"maxAmountRequired"`
	Resource          string         `json:"resource"`
	Description       string         `json:"description"`
	MimeType          string         `json:"mimeType"`
	PayTo             string         `json:"payTo"`
	MaxTimeoutSeconds int            `json:"maxTimeoutSeconds"`
	Asset             string         `json:"asset"`
	Extra             map[string]any `json:"extra,omitempty"`
}

// Demand is the body of a 402.
type Demand struct {
	Version int           `json:"x402Version"`
	Error   string        `json:"error"`
	Accepts []Requirement `json:"accepts"`
}

// Demand quotes units of a resource (its absolute address); reason says why
// payment is wanted.
func (t *Till) Demand(resource, description string, units int64, reason string) Demand {
	return Demand{}
}

// Payment is an authorisation that came with a call.
type Payment struct{}

// Read reads the header X-PAYMENT. A malformed one is a bad-request that names
// what is wrong.
func (t *Till) Read(header string) (*Payment, error) { return nil, errors.ErrUnsupported }

// Verify asks the facilitator whether a payment covers units of a resource.
// One that does not is a *Refused; a facilitator that fails is
// upstream-unavailable.
func (t *Till) Verify(ctx context.Context, p *Payment, resource string, units int64) error {
	return errors.ErrUnsupported
}

// Settle has the facilitator take the payment and gives the header
// X-PAYMENT-RESPONSE.
func (t *Till) Settle(ctx context.Context, p *Payment, resource string, units int64) (response string, err error) {
	return "", errors.ErrUnsupported
}

// Refused is a payment that is not taken.
type Refused struct{ Reason string }

func (r *Refused) Error() string { return "payment refused: " + r.Reason }
