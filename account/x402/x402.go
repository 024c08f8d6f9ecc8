// Package x402 takes payment with the call itself, by the HTTP transport of x402
// version 1: a 402 that lists what is accepted, the header X-PAYMENT with a signed
// authorisation, a facilitator that verifies and settles it, and X-PAYMENT-RESPONSE
// with the outcome.
//
// The scheme is exact on EVM chains: an EIP-3009 TransferWithAuthorization. All that
// needs no chain is checked here; the facilitator checks the signature, the balance and
// the chain's own record of nonces.
//
// Source: github.com/coinbase/x402, specs/x402-specification-v1.md,
// transports-v1/http.md and schemes/exact/scheme_exact_evm.md.
package x402

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Protocol is the protocol version.
const (
	version = 1
	scheme  = "exact"
	// maxTimeoutSeconds is the announced time that a payment may take; authorisations
	// should be valid as long.
	maxTimeoutSeconds = 60
)

// Options configure Payments. Without a Facilitator none are taken.
type Options struct {
	Facilitator string // address
	Network     string // base, base-sepolia, …
	Asset       string // address of the token's contract
	AssetName   string // EIP-712 domain of the token
	AssetVer    string
	PayTo       string // address that is paid
	UnitPrice   int64  // of one unit in the token's atomic units
	Client      *http.Client
	Now         func() time.Time // nil is the time
}

// Check returns what is wrong with options under which payments are taken.
func (o Options) Check() error {
	if o.Facilitator == "" {
		return nil
	}
	var wrong []error
	if u, err := url.Parse(o.Facilitator); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		wrong = append(wrong, errors.New("the address of the facilitator must be https://host/path"))
	}
	for _, a := range []struct{ name, value string }{{"asset", o.Asset}, {"address that is paid", o.PayTo}} {
		if !isHex(a.value, 20) {
			wrong = append(wrong, fmt.Errorf("the %s %q must be 0x and 40 hexadecimal digits", a.name, a.value))
		}
	}
	for _, a := range []struct{ name, value string }{{"network", o.Network}, {"name of the asset", o.AssetName}, {"version of the asset", o.AssetVer}} {
		if a.value == "" {
			wrong = append(wrong, fmt.Errorf("the %s is missing", a.name))
		}
	}
	if o.UnitPrice <= 0 {
		wrong = append(wrong, fmt.Errorf("the price of a unit is %d and must be above 0", o.UnitPrice))
	}
	return errors.Join(wrong...)
}

// Payments takes payment with calls. Its methods are safe for concurrent use.
type Payments struct {
	options Options
	nonces  nonces
}

// New returns Payments.
func New(o Options) *Payments {
	o.Facilitator = strings.TrimRight(o.Facilitator, "/")
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Client == nil {
		o.Client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	return &Payments{options: o, nonces: nonces{held: map[string]hold{}, capacity: maxNonces}}
}

// Open reports whether payments are taken.
func (x *Payments) Open() bool { return x.options.Facilitator != "" && x.options.UnitPrice > 0 }

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

// Required is the body of a 402.
type Required struct {
	Version int           `json:"x402Version"`
	Error   string        `json:"error"`
	Accepts []Requirement `json:"accepts"`
}

// Require quotes units of a resource (its absolute address); reason says why payment is
// wanted. If no payments are taken it accepts nothing.
func (x *Payments) Require(resource, description string, units int64, reason string) Required {
	d := Required{Version: version, Error: reason, Accepts: []Requirement{}}
	if x.Open() {
		d.Accepts = append(d.Accepts, x.requirement(resource, description, units))
	}
	return d
}

func (x *Payments) requirement(resource, description string, units int64) Requirement {
	return Requirement{
		Scheme:            scheme,
		Network:           x.options.Network,
		MaxAmountRequired: x.amount(units).String(),
		Resource:          resource,
		Description:       description,
		MimeType:          "application/json",
		PayTo:             x.options.PayTo,
		MaxTimeoutSeconds: maxTimeoutSeconds,
		Asset:             x.options.Asset,
		Extra:             map[string]any{"name": x.options.AssetName, "version": x.options.AssetVer},
	}
}

// amount returns the price of units in the token's atomic units.
func (x *Payments) amount(units int64) *big.Int {
	return new(big.Int).Mul(big.NewInt(max(units, 0)), big.NewInt(x.options.UnitPrice))
}

// Refused is a payment that is not taken. Reason is a code of the protocol
// (insufficient_funds) or nonce_already_used.
type Refused struct{ Reason string }

func (r *Refused) Error() string { return "payment refused: " + r.Reason }

// isHex reports whether s is 0x and so many bytes in hexadecimal.
func isHex(s string, bytes int) bool {
	digits, ok := cutHex(s)
	if !ok || len(digits) != 2*bytes {
		return false
	}
	_, err := hex.DecodeString(digits)
	return err == nil
}

// cutHex cuts the prefix of a hexadecimal number.
func cutHex(s string) (digits string, ok bool) {
	if len(s) < 2 || s[0] != '0' || s[1] != 'x' && s[1] != 'X' {
		return "", false
	}
	return s[2:], true
}
