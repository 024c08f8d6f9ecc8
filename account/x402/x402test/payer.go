package x402test

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/waygate/waygate/account/x402"
)

// Payer has a key and signs payments with it.
type Payer struct{ key *secp256k1.PrivateKey }

// NewPayer makes a payer with a new key.
func NewPayer() (*Payer, error) {
	key, err := secp256k1.GeneratePrivateKey()
	return &Payer{key}, err
}

// Address returns the payer's address, with its checksum.
func (p *Payer) Address() string { return address(p.key.PubKey()) }

// Pay signs the payment that a requirement asks for, with a new nonce, valid from ten
// minutes before now for as long as the requirement allows.
func (p *Payer) Pay(r x402.Requirement, now time.Time) (Payment, error) {
	nonce := make([]byte, 32)
	if _, err := rand.Read(nonce); err != nil {
		return Payment{}, err
	}
	payment := Payment{Version: 1, Scheme: r.Scheme, Network: r.Network, Payload: Signed{Authorization: Authorization{
		From:        p.Address(),
		To:          r.PayTo,
		Value:       r.MaxAmountRequired,
		ValidAfter:  strconv.FormatInt(now.Add(-10*time.Minute).Unix(), 10),
		ValidBefore: strconv.FormatInt(now.Add(time.Duration(r.MaxTimeoutSeconds)*time.Second).Unix(), 10),
		Nonce:       "0x" + hex.EncodeToString(nonce),
	}}}
	return p.Sign(payment, r)
}

// Sign signs a payment again, as after a change to it.
func (p *Payer) Sign(payment Payment, r x402.Requirement) (Payment, error) {
	t, err := tokenOf(r)
	if err != nil {
		return payment, err
	}
	text, err := digest(t, payment.Payload.Authorization)
	if err != nil {
		return payment, err
	}
	payment.Payload.Signature = signature(p.key, text)
	return payment, nil
}

// tokenOf returns the token that a requirement asks for.
func tokenOf(r x402.Requirement) (Token, error) {
	// The networks of section 11.1 of the specification.
	chain, ok := map[string]int64{"base": 8453, "base-sepolia": 84532, "avalanche": 43114, "avalanche-fuji": 43113}[r.Network]
	name, named := r.Extra["name"].(string)
	version, versioned := r.Extra["version"].(string)
	if !ok || !named || !versioned {
		return Token{}, fmt.Errorf("no domain to sign in for network %q and extra %v", r.Network, r.Extra)
	}
	return Token{Network: r.Network, ChainID: chain, Asset: r.Asset, Name: name, Version: version}, nil
}

// Header returns the payment as the header X-PAYMENT.
func (p Payment) Header() (string, error) {
	text, err := json.Marshal(p)
	return base64.StdEncoding.EncodeToString(text), err
}
