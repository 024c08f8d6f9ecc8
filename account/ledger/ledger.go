// Package ledger manages prepaid credit: balances exact in millipence (1,000 are a
// penny), entries that are idempotent by reason, and holds, which reserve credit for a
// replica to spend without asking the database for each call. A hold that is not
// renewed returns to the balance, so a crash loses no credit.
package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// The limits of credit, in millipence. Every sum of them is exact in an int64, and a
// balance is exact in a JavaScript number.
const (
	MaxCredit  = 1_000_000_000_000     // of one credit: £10 million
	MaxBalance = 1_000_000_000_000_000 // of a balance, and of all that an identity was ever credited
)

// MaxReason is how many characters the reason of a credit may have.
const MaxReason = 200

// The kinds of an entry.
const (
	credit = "credit"
	usage  = "usage"
)

// Ledger manages the balances in a database.
type Ledger struct {
	db  *store.DB
	now func() time.Time
}

// New returns a ledger; a nil now is the system clock.
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

// Balance is an identity's credit. The zero value is that of an identity which never
// had any.
type Balance struct {
	Millipence int64 // unspent, held included
	Held       int64 // promised to replicas; of holds that have expired too, until they are reaped
	Credited   int64 // ever
}

// Credit adds millipence, from 1 to MaxCredit, to an identity's balance, once for each
// reason. It refuses to raise the balance above MaxBalance, an unknown identity
// (not-found), and a reason that is empty, longer than MaxReason or begins with "usage
// " (reserved for the entries of days).
func (l *Ledger) Credit(ctx context.Context, identityID string, millipence int64, reason, source string) (*Credited, error) {
	var c *Credited
	err := l.db.Tx(ctx, func(tx *store.Tx) (err error) {
		c, err = l.CreditIn(ctx, tx, identityID, millipence, reason, source)
		return err
	})
	if err != nil {
		return nil, store.Unavailable(err)
	}
	return c, nil
}

// CreditIn is Credit in a transaction. If it fails the transaction must not be
// committed, except after a bad-request, when nothing has changed.
func (l *Ledger) CreditIn(ctx context.Context, tx *store.Tx, identityID string, millipence int64, reason, source string) (*Credited, error) {
	if err := fault.Invalid(creditable(millipence, reason)...); err != nil {
		return nil, err
	}
	// Writing the balance first locks it, so what is read below does not change.
	var balance, credited int64
	err := tx.QueryRow(ctx, `INSERT INTO balances (identity_id, millipence) SELECT id, 0 FROM identities WHERE id = $1
		ON CONFLICT (identity_id) DO UPDATE SET held = balances.held RETURNING millipence, credited`, identityID).Scan(&balance, &credited)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fault.New(fault.NotFound, "no such identity to credit")
	}
	if err != nil {
		return nil, fmt.Errorf("lock the balance: %w", err)
	}
	c := &Credited{IdentityID: identityID, Duplicate: true}
	err = tx.QueryRow(ctx, "SELECT balance_after FROM entries WHERE identity_id = $1 AND reason = $2", identityID, reason).Scan(&c.Millipence)
	if err == nil {
		return c, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("look for the reason of a credit: %w", err)
	}
	if max(balance, credited) > MaxBalance-millipence {
		return nil, fault.Invalid(fault.Violation{
			Location: "pence", Value: pence(millipence),
			Message: fmt.Sprintf("the balance holds at most %d pence, and so does all credit of an identity together", int64(MaxBalance/1000)),
		})
	}
	c.Duplicate = false
	err = tx.QueryRow(ctx, "UPDATE balances SET millipence = millipence + $2, credited = credited + $2 WHERE identity_id = $1 RETURNING millipence",
		identityID, millipence).Scan(&c.Millipence)
	if err != nil {
		return nil, fmt.Errorf("credit the balance: %w", err)
	}
	return c, book(ctx, tx, identityID, Entry{l.now(), credit, millipence, c.Millipence, reason, source})
}

// creditable returns what is wrong with a credit.
func creditable(millipence int64, reason string) (wrong []fault.Violation) {
	if millipence < 1 || millipence > MaxCredit {
		wrong = append(wrong, fault.Violation{
			Location: "pence", Value: pence(millipence),
			Message: fmt.Sprintf("one credit is above 0 and at most %d pence", int64(MaxCredit/1000)),
		})
	}
	switch {
	case strings.TrimSpace(reason) == "":
		wrong = append(wrong, fault.Violation{Location: "reason", Value: reason, Message: "must not be empty"})
	case utf8.RuneCountInString(reason) > MaxReason:
		wrong = append(wrong, fault.Violation{Location: "reason", Value: reason, Message: fmt.Sprintf("at most %d characters", MaxReason)})
	case !utf8.ValidString(reason) || strings.ContainsFunc(reason, unicode.IsControl):
		wrong = append(wrong, fault.Violation{Location: "reason", Value: strings.ToValidUTF8(reason, "?"), Message: "must be plain text without control characters"})
	case strings.HasPrefix(reason, usage+" "):
		wrong = append(wrong, fault.Violation{Location: "reason", Value: reason, Message: `must not begin with "usage ", which names the usage of a day`})
	}
	return wrong
}

// pence converts an amount to the unit that callers send.
func pence(millipence int64) float64 { return float64(millipence) / 1000 }

// book adds an entry, or adds to the entry of the same reason. The caller has locked
// the balance.
func book(ctx context.Context, tx *store.Tx, identityID string, e Entry) error {
	_, err := tx.Exec(ctx, `INSERT INTO entries (seq, identity_id, at, kind, millipence, balance_after, reason, source)
		VALUES ((SELECT COALESCE(MAX(seq), 0) + 1 FROM entries WHERE identity_id = $1), $1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (identity_id, reason) DO UPDATE SET millipence = entries.millipence + excluded.millipence,
			balance_after = excluded.balance_after, at = CASE WHEN excluded.at > entries.at THEN excluded.at ELSE entries.at END`,
		identityID, e.At.UnixMilli(), e.Kind, e.Millipence, e.BalanceAfter, e.Reason, e.Source)
	if err != nil {
		return fmt.Errorf("book a %s entry: %w", e.Kind, err)
	}
	return nil
}

// Balance returns an identity's credit.
func (l *Ledger) Balance(ctx context.Context, identityID string) (Balance, error) {
	var b Balance
	err := l.db.QueryRow(ctx, "SELECT millipence, held, credited FROM balances WHERE identity_id = $1", identityID).Scan(&b.Millipence, &b.Held, &b.Credited)
	if errors.Is(err, sql.ErrNoRows) {
		return Balance{}, nil
	}
	return b, store.Unavailable(err)
}

// History returns the entries of an identity, oldest first. The entry of a day's usage
// is at the position of the day's first booking; its time and balance are those of the
// last.
func (l *Ledger) History(ctx context.Context, identityID string) (history []Entry, err error) {
	rows, err := l.db.Query(ctx, `SELECT at, kind, millipence, balance_after, reason, source FROM entries
		WHERE identity_id = $1 ORDER BY seq`, identityID)
	if err != nil {
		return nil, store.Unavailable(err)
	}
	defer func() { err = errors.Join(err, store.Unavailable(rows.Close())) }()
	for rows.Next() {
		var e Entry
		var at int64
		if err := rows.Scan(&at, &e.Kind, &e.Millipence, &e.BalanceAfter, &e.Reason, &e.Source); err != nil {
			return nil, store.Unavailable(err)
		}
		e.At = time.UnixMilli(at).UTC()
		history = append(history, e)
	}
	return history, store.Unavailable(rows.Err())
}
