package account

import (
	"context"
	"errors"
	"time"

	"github.com/waygate/waygate/account/ledger"
)

// Minting is a key that an operator makes.
type Minting struct {
	Name           string
	MonthlyQuota   int64
	RatePerMin     int64
	AllowedOrigins []string
	Scope          Scope
}

// Mint makes a key of state admin, without an identity.
func (a *Accounts) Mint(ctx context.Context, m Minting) (*Issued, error) {
	return nil, errors.ErrUnsupported
}

// Keys gives every key, newest first, and how many there are.
func (a *Accounts) Keys(ctx context.Context, limit, offset int) (keys []Key, total int64, err error) {
	return nil, 0, errors.ErrUnsupported
}

// Key gives one key's record; not-found otherwise.
func (a *Accounts) Key(ctx context.Context, id string) (*Key, error) {
	return nil, errors.ErrUnsupported
}

// Revoke ends a key. Revoking twice is agreement and keeps the first time.
func (a *Accounts) Revoke(ctx context.Context, id string) (*Key, error) {
	return nil, errors.ErrUnsupported
}

// CreditKey credits the identity of a key; no-identity-ledger for a key
// without one. millipence is at least 1.
func (a *Accounts) CreditKey(ctx context.Context, keyID string, millipence int64, reason string) (*ledger.Credited, error) {
	return nil, errors.ErrUnsupported
}

// CreditIdentity credits an identity by its address; not-found for none.
func (a *Accounts) CreditIdentity(ctx context.Context, email string, millipence int64, reason string) (*ledger.Credited, error) {
	return nil, errors.ErrUnsupported
}

// Summary is an identity as operators list it.
type Summary struct {
	Identity
	Millipence     int64
	DownloadMiB    int64 // used this month, rounded up
	FirstSuccessAt *time.Time
	KeysEver       int64
	LastActive     string // day, "" for never
	MAU            int64
	MAUOverdrawn   bool
	MonthUsed      int64
}

// Order is how identities are listed.
type Order string

// The orders of identities.
const (
	ByCreated Order = "created" // newest first
	ByEmail   Order = "email"
	ByUsage   Order = "usage" // most this month first
	ByBalance Order = "balance"
	ByActive  Order = "active" // most recent first
)

// Search asks for identities.
type Search struct {
	Text          string // in the address; "" is all
	Order         Order
	Limit, Offset int
}

// Identities lists identities and tells how many match.
func (a *Accounts) Identities(ctx context.Context, s Search) (found []Summary, total int64, err error) {
	return nil, 0, errors.ErrUnsupported
}

// Detail is one identity as operators see it.
type Detail struct {
	Identity      Identity
	Balance       ledger.Balance
	Keys          []ConsoleKey // newest first
	History       []ledger.Entry
	MAU           int64
	MAUOverdrawn  bool
	MonthUsed     int64
	DownloadBytes int64
}

// Identity gives one identity by its address; not-found otherwise.
func (a *Accounts) Identity(ctx context.Context, email string) (*Detail, error) {
	return nil, errors.ErrUnsupported
}

// Field is a figure that an operator may set for an identity.
type Field string

// The figures.
const (
	MonthlyQuota      Field = "monthly_quota"          // units, at least 1
	DownloadAllowance Field = "download_allowance_mib" // MiB, at least 0
	MAUIncluded       Field = "mau_included"           // at least 0
)

// Set sets a figure of an identity, once for each reason: repeated, it changes
// nothing and duplicate is true. It gives the value in force.
func (a *Accounts) Set(ctx context.Context, email string, f Field, value int64, reason string) (inForce int64, duplicate bool, err error) {
	return 0, false, errors.ErrUnsupported
}
