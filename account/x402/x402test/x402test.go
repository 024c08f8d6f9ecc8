// Package x402test is a small facilitator of x402 version 1 for tests, over HTTP:
// signatures are really checked, and the token lives in memory instead of on a chain.
// Payer is the client that signs.
package x402test

import (
	"encoding/hex"
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Token is a token with EIP-3009 on a chain.
type Token struct {
	Network       string // as x402 names it
	ChainID       int64
	Asset         string // address of the contract
	Name, Version string // of its EIP-712 domain
}

// USDC returns the dollar of the test network Base Sepolia.
func USDC() Token {
	return Token{Network: "base-sepolia", ChainID: 84532, Asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e", Name: "USDC", Version: "2"}
}

// Authorization is the message that a payer signs. Numbers are decimal, times Unix seconds,
// addresses and nonce 0x and hexadecimal digits.
type Authorization struct {
	From        string `json:"from"`
	To          string `json:"to"`
	Value       string `json:"value"`
	ValidAfter  string `json:"validAfter"`
	ValidBefore string `json:"validBefore"`
	Nonce       string `json:"nonce"`
}

// Signed is an authorisation with its signature.
type Signed struct {
	Signature     string        `json:"signature"`
	Authorization Authorization `json:"authorization"`
}

// Payment is the content of X-PAYMENT.
type Payment struct {
	Version int    `json:"x402Version"`
	Scheme  string `json:"scheme"`
	Network string `json:"network"`
	Payload Signed `json:"payload"`
}

// Facilitator is an http.Handler of /verify, /settle and /supported.
type Facilitator struct {
	token Token
	now   func() time.Time

	mu       sync.Mutex
	balances map[string]*big.Int // by address in lower case
	used     map[string]bool     // address and nonce
	settled  int
}

// New returns a facilitator of a token that nobody has any of; a nil now is the system
// clock.
func New(t Token, now func() time.Time) *Facilitator {
	if now == nil {
		now = time.Now
	}
	return &Facilitator{token: t, now: now, balances: map[string]*big.Int{}, used: map[string]bool{}}
}

// Fund gives an address atomic units of the token.
func (f *Facilitator) Fund(address string, units int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.add(address, big.NewInt(units))
}

// Balance returns what an address has, in atomic units.
func (f *Facilitator) Balance(address string) *big.Int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return new(big.Int).Set(f.balance(address))
}

// Settled returns how many payments were settled.
func (f *Facilitator) Settled() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.settled
}

func (f *Facilitator) balance(address string) *big.Int {
	if b := f.balances[strings.ToLower(address)]; b != nil {
		return b
	}
	return new(big.Int)
}

func (f *Facilitator) add(address string, units *big.Int) {
	f.balances[strings.ToLower(address)] = new(big.Int).Add(f.balance(address), units)
}

// request is the body of /verify and /settle.
type request struct {
	Version      int     `json:"x402Version"`
	Payment      Payment `json:"paymentPayload"`
	Requirements struct {
		Scheme  string `json:"scheme"`
		Network string `json:"network"`
		Amount  string `json:"maxAmountRequired"`
		PayTo   string `json:"payTo"`
		Asset   string `json:"asset"`
	} `json:"paymentRequirements"`
}

// ServeHTTP answers by section 7 of the specification.
func (f *Facilitator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method + " " + r.URL.Path {
	case "GET /supported":
		write(w, map[string]any{"kinds": []any{map[string]any{"x402Version": 1, "scheme": "exact", "network": f.token.Network}}})
	case "POST /verify":
		if q, ok := read(w, r); ok {
			f.mu.Lock()
			reason := f.check(q)
			f.mu.Unlock()
			answer := map[string]any{"isValid": reason == "", "payer": q.Payment.Payload.Authorization.From}
			if reason != "" {
				answer["invalidReason"] = reason
			}
			write(w, answer)
		}
	case "POST /settle":
		if q, ok := read(w, r); ok {
			write(w, f.settle(q))
		}
	default:
		http.NotFound(w, r)
	}
}

func read(w http.ResponseWriter, r *http.Request) (request, bool) {
	var q request
	if err := json.NewDecoder(io.LimitReader(r.Body, 64<<10)).Decode(&q); err != nil {
		http.Error(w, `{"error":"invalid_payload"}`, http.StatusBadRequest)
		return q, false
	}
	return q, true
}

func write(w http.ResponseWriter, answer any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // the other side has gone
}

// check returns the reason why a payment is not valid, "" if it is.
func (f *Facilitator) check(q request) string {
	p, a, want := q.Payment, q.Payment.Payload.Authorization, q.Requirements
	now := big.NewInt(f.now().Unix())
	switch {
	case q.Version != 1 || p.Version != 1:
		return "invalid_x402_version"
	case p.Scheme != "exact" || want.Scheme != "exact":
		return "unsupported_scheme"
	case p.Network != f.token.Network || want.Network != f.token.Network:
		return "invalid_network"
	case !strings.EqualFold(want.Asset, f.token.Asset):
		return "invalid_payment_requirements"
	}
	text, err := digest(f.token, a)
	if err != nil {
		return "invalid_payload"
	}
	if who, err := signer(text, p.Payload.Signature); err != nil || !strings.EqualFold(who, a.From) {
		return "invalid_exact_evm_payload_signature"
	}
	amount, err := parseUint256(want.Amount)
	if err != nil {
		return "invalid_payment_requirements"
	}
	// digest has checked that these are numbers.
	value, _ := parseUint256(a.Value)
	after, _ := parseUint256(a.ValidAfter)
	before, _ := parseUint256(a.ValidBefore)
	switch {
	case !strings.EqualFold(a.To, want.PayTo):
		return "invalid_exact_evm_payload_recipient_mismatch"
	case value.Cmp(amount) < 0:
		return "invalid_exact_evm_payload_authorization_value"
	case now.Cmp(after) <= 0:
		return "invalid_exact_evm_payload_authorization_valid_after"
	case now.Cmp(before) >= 0:
		return "invalid_exact_evm_payload_authorization_valid_before"
	case f.used[nonce(a)]:
		return "invalid_transaction_state"
	case f.balance(a.From).Cmp(value) < 0:
		return "insufficient_funds"
	}
	return ""
}

func nonce(a Authorization) string { return strings.ToLower(a.From + a.Nonce) }

// settle transfers the amount.
func (f *Facilitator) settle(q request) map[string]any {
	f.mu.Lock()
	defer f.mu.Unlock()
	a := q.Payment.Payload.Authorization
	answer := map[string]any{"success": false, "transaction": "", "network": f.token.Network, "payer": a.From}
	if reason := f.check(q); reason != "" {
		answer["errorReason"] = reason
		return answer
	}
	value, _ := parseUint256(a.Value)
	f.used[nonce(a)] = true
	f.add(a.From, new(big.Int).Neg(value))
	f.add(a.To, value)
	f.settled++
	answer["success"], answer["transaction"] = true, "0x"+hex.EncodeToString(keccak([]byte(nonce(a))))
	return answer
}
