package x402

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"strings"

	"github.com/waygate/waygate/fault"
)

const (
	// maxHeader limits X-PAYMENT. One of a plain account has about 700 bytes;
	// signatures of contract accounts are longer.
	maxHeader = 16 << 10
	// maxDigits bounds a number: 2^256 has 78 digits.
	maxDigits = 78
	// minSignature is r, s and v, in bytes.
	minSignature = 65
)

// Payment is an authorisation that came with a call. It is well-formed; Verify checks
// its value.
type Payment struct {
	wire                 payload
	value, after, before *big.Int
	key                  string // of its nonce: a payer has each once
}

// payload is a payment on the wire (PaymentPayload). The facilitator gets a new
// encoding of it, so that it reads what was checked here, however another parser would
// read the header.
type payload struct {
	Version int    `json:"x402Version"`
	Scheme  string `json:"scheme"`
	Network string `json:"network"`
	Payload struct {
		Signature     string        `json:"signature"`
		Authorization authorization `json:"authorization"`
	} `json:"payload"`
}

// authorization is the signed message, as EIP-3009 has it. Addresses and nonce are
// 0x and hexadecimal digits; numbers are decimal, times Unix seconds.
type authorization struct {
	From        string `json:"from"`
	To          string `json:"to"`
	Value       string `json:"value"`
	ValidAfter  string `json:"validAfter"`
	ValidBefore string `json:"validBefore"`
	Nonce       string `json:"nonce"`
}

// Read reads the header X-PAYMENT. A malformed one is a bad-request that names what is
// wrong. If no payments are taken it returns machine-payments-not-enabled.
func (x *Payments) Read(header string) (*Payment, error) {
	if !x.Open() {
		return nil, fault.NotEnabled("machine-payments", "this deployment takes no payments with the call; send no X-PAYMENT")
	}
	text, problem := decode(header)
	if problem != "" {
		return nil, fault.Invalid(fault.Violation{Location: "X-PAYMENT", Message: problem})
	}
	p, err := parse(text)
	if err != nil {
		return nil, err
	}
	return p, nil
}

func decode(header string) ([]byte, string) {
	if len(header) > maxHeader {
		return nil, "is longer than 16 KiB"
	}
	text, err := base64.StdEncoding.Strict().DecodeString(header)
	if err != nil || strings.ContainsAny(header, "\r\n") {
		return nil, "must be base64 with padding"
	}
	return text, ""
}

// parse reads the JSON of a payment.
func parse(text []byte) (*Payment, error) {
	var first struct {
		Version json.RawMessage `json:"x402Version"`
	}
	if err := json.Unmarshal(text, &first); err != nil {
		return nil, fault.Invalid(fault.Violation{Location: "X-PAYMENT", Message: "must be a JSON object of x402Version, scheme, network and payload"})
	}
	// The version is checked first, because other versions have other members.
	if string(first.Version) != "1" {
		return nil, fault.Invalid(fault.Violation{Location: "X-PAYMENT.x402Version", Value: string(first.Version), Message: "must be 1"})
	}
	var p Payment
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&p.wire); err != nil {
		return nil, fault.Invalid(mistyped(err))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fault.Invalid(fault.Violation{Location: "X-PAYMENT", Message: "more follows the JSON object"})
	}
	return &p, p.form()
}

// mistyped describes a member of the wrong JSON type.
func mistyped(err error) fault.Violation {
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return fault.Violation{Location: "X-PAYMENT." + wrong.Field, Value: wrong.Value, Message: "must be a " + wrong.Type.Kind().String()}
	}
	return fault.Violation{Location: "X-PAYMENT", Message: fault.Clip(strings.TrimPrefix(err.Error(), "json: "))}
}

// form checks the form of every field and reads the numbers.
func (p *Payment) form() error {
	var wrong []fault.Violation
	check := func(ok bool, field string, value any, message string) {
		if !ok {
			wrong = append(wrong, fault.Violation{Location: "X-PAYMENT." + field, Value: value, Message: message})
		}
	}
	const address, number, of = "must be 0x and 40 hexadecimal digits", "must be a decimal number below 2^256", "payload.authorization."
	w, a := &p.wire, &p.wire.Payload.Authorization
	check(w.Scheme != "", "scheme", nil, "is missing")
	check(w.Network != "", "network", nil, "is missing")
	digits, marked := cutHex(w.Payload.Signature)
	_, err := hex.DecodeString(digits)
	check(marked && err == nil && len(digits) >= 2*minSignature, "payload.signature", nil, "must be 0x and 65 bytes or more in hexadecimal")
	check(isHex(a.From, 20), of+"from", a.From, address)
	check(isHex(a.To, 20), of+"to", a.To, address)
	check(isHex(a.Nonce, 32), of+"nonce", a.Nonce, "must be 0x and 64 hexadecimal digits")
	for _, n := range []struct {
		to          **big.Int
		name, value string
	}{{&p.value, "value", a.Value}, {&p.after, "validAfter", a.ValidAfter}, {&p.before, "validBefore", a.ValidBefore}} {
		var ok bool
		*n.to, ok = natural(n.value)
		check(ok, of+n.name, n.value, number)
	}
	p.key = strings.ToLower(a.From + a.Nonce)
	return fault.Invalid(wrong...)
}

// natural reads an unsigned decimal number of 256 bits.
func natural(s string) (*big.Int, bool) {
	if s == "" || len(s) > maxDigits {
		return nil, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return nil, false
		}
	}
	n, ok := new(big.Int).SetString(s, 10)
	return n, ok && n.BitLen() <= 256
}
