// Package ledger is prepaid credit: balances exact in millipence (1,000 are a
// penny), entries idempotent by reason, and holds, by which a replica is
// promised credit that it may spend without asking the database for each call.
// A hold that its replica does not renew falls back into the balance, so a
// crash loses no credit.
package ledger

import (
	"context"
	"errors"
	"time"

	"github.com/waygate/waygate/store"
)

// Ledger keeps the balances in db.
type Ledger struct {
	db  *store.DB
	now func() time.Time
}

// New makes a ledger; now is nil for the clock.
func New(db *store.DB, now func() time.Time) *Ledger {
	if now == nil {
		now = time.Now
	}
	return &Ledger{db, now}
}

// Entry is one line of an identity's history.
type Entry struct {
	At           time.Time
	Kind         string // credit, usage
	Millipence   int64  // above 0 for credit, below for usage
	BalanceAfter int64  // millipence
	Reason       string // unique in the identity; usage of a day is one entry: usage 2026-11-21
	Source       string // admin, stripe; "" for usage
}

// Credited is the outcome of a credit.
type Credited struct {
	IdentityID string
	Millipence int64 // the balance after it; of a duplicate, after the original
	Duplicate  bool  // the reason was applied before: nothing changed
}

// Balance is an identity's credit. The zero value is of one that never had any.
type Balance struct {
	Millipence int64 // unspent, held included
	Held       int64 // promised to replicas
	Credited   int64 // ever
}

// Credit adds millipence (at least 1) to an identity's balance, once for each
// reason. It refuses an amount that overflows the balance.
func (l *Ledger) Credit(ctx context.Context, identityID string, millipence int64, reason, source string) (*Credited, error) {
	return nil, errors.ErrUnsupported
}

// CreditIn is Credit as part of a transaction.
func (l *Ledger) CreditIn(ctx context.Context, tx *store.Tx, identityID string, millipence int64, reason, source string) (*Credited, error) {
	return nil, errors.ErrUnsupported
}

// Balance gives an identity's credit.
func (l *Ledger) Balance(ctx context.Context, identityID string) (Balance, error) {
	return Balance{}, errors.ErrUnsupported
}

// History gives the entries of an identity, oldest first.
func (l *Ledger) History(ctx context.Context, identityID string) ([]Entry, error) {
	return nil, errors.ErrUnsupported
}

// HoldLife is how long a hold lasts without being renewed.
const HoldLife = time.Minute

// Hold promises at least least and at most want millipence of what is free in
// the balance to the hold id, on top of what it has, and renews it. It gives
// what was added: 0 where less than least is free.
func (l *Ledger) Hold(ctx context.Context, identityID, id string, least, want int64) (added int64, err error) {
	return 0, errors.ErrUnsupported
}

// SpendIn books spent millipence from the hold id as usage of the day of at,
// takes release more out of the hold back into the free balance, and renews
// what is left; a hold with nothing left goes. Where the hold has expired, it
// books from the free balance as much as there is. It gives what was booked.
func (l *Ledger) SpendIn(ctx context.Context, tx *store.Tx, identityID, id string, spent, release int64, at time.Time) (booked int64, err error) {
	return 0, errors.ErrUnsupported
}

// Reap gives expired holds back to their balances and tells how many there
// were.
func (l *Ledger) Reap(ctx context.Context) (int, error) {
	return 0, errors.ErrUnsupported
}
