package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/waygate/waygate/store"
)

// HoldLife is how long a hold lasts without being renewed.
const HoldLife = time.Minute

// Hold reserves at least least and at most want millipence of an identity's free
// balance for the hold id, in addition to what that has, and renews the hold for
// HoldLife from now. It returns what was added: 0 if less than least is free (the hold
// is renewed all the same). With want 0 it only renews. An expired hold is empty: its
// credit is free again. An id belongs to one identity for as long as the hold lasts.
func (l *Ledger) Hold(ctx context.Context, identityID, id string, least, want int64) (added int64, err error) {
	if least < 0 || want < least {
		return 0, fmt.Errorf("hold at least %d and at most %d millipence: not a range", least, want)
	}
	err = l.db.Tx(ctx, func(tx *store.Tx) error {
		added = 0
		b, err := l.lock(ctx, tx, identityID)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if b.free() >= least {
			added = min(want, b.free())
		}
		if err := l.extend(ctx, tx, identityID, id, added); err != nil {
			return err
		}
		b.held += added
		return b.save(ctx, tx)
	})
	if err != nil {
		return 0, store.Unavailable(err)
	}
	return added, nil
}

// extend adds to a hold and renews it. With nothing to add it does not create a hold.
func (l *Ledger) extend(ctx context.Context, tx *store.Tx, identityID, id string, added int64) error {
	until := l.now().Add(HoldLife).UnixMilli()
	n, err := tx.Exec(ctx, "UPDATE holds SET millipence = millipence + $3, expires_at = $4 WHERE id = $2 AND identity_id = $1", identityID, id, added, until)
	if err != nil || n > 0 || added == 0 {
		return err
	}
	if _, err = tx.Exec(ctx, "INSERT INTO holds (id, identity_id, millipence, expires_at) VALUES ($2, $1, $3, $4)", identityID, id, added, until); err != nil {
		return fmt.Errorf("make a hold: %w", err)
	}
	return nil
}

// SpendIn books spent millipence from the hold id as usage of the day of at, returns
// release more of the hold to the free balance, and renews the rest; an empty hold is
// deleted. What the hold lacks, because it has expired or is too small, is booked from
// the free balance as far as that suffices. SpendIn returns what was booked.
//
// It locks the balance until the transaction ends. A transaction that spends for
// several identities must take them in the order of their ids, to avoid a deadlock.
func (l *Ledger) SpendIn(ctx context.Context, tx *store.Tx, identityID, id string, spent, release int64, at time.Time) (booked int64, err error) {
	if spent < 0 || release < 0 {
		return 0, fmt.Errorf("spend %d and release %d millipence: below 0", spent, release)
	}
	b, err := l.lock(ctx, tx, identityID)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	var promised int64
	err = tx.QueryRow(ctx, "SELECT millipence FROM holds WHERE id = $1 AND identity_id = $2", id, identityID).Scan(&promised)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("read a hold: %w", err)
	}
	held := min(spent, promised)
	booked = held + min(spent-held, b.free())
	left := max(promised-held-release, 0)
	if err := l.shrink(ctx, tx, id, promised, left); err != nil {
		return 0, err
	}
	b.held -= promised - left
	b.millipence -= booked
	if err := b.save(ctx, tx); err != nil || booked == 0 {
		return booked, err
	}
	day := at.UTC().Format(time.DateOnly)
	return booked, book(ctx, tx, identityID, Entry{At: at, Kind: usage, Millipence: -booked, BalanceAfter: b.millipence, Reason: usage + " " + day})
}

// UnspendIn returns millipence that SpendIn booked on a day (2026-11-21) to the
// balance, as if that day had used so much less. The caller must call it only once.
func (l *Ledger) UnspendIn(ctx context.Context, tx *store.Tx, identityID, day string, millipence int64) error {
	if millipence < 0 {
		return fmt.Errorf("give %d millipence back: below 0", millipence)
	}
	b, err := l.lock(ctx, tx, identityID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	b.millipence += millipence
	if err := b.save(ctx, tx); err != nil || millipence == 0 {
		return err
	}
	return book(ctx, tx, identityID, Entry{At: l.now(), Kind: usage, Millipence: millipence, BalanceAfter: b.millipence, Reason: usage + " " + day})
}

// shrink sets a hold to what is left of it, or deletes it.
func (l *Ledger) shrink(ctx context.Context, tx *store.Tx, id string, promised, left int64) error {
	var err error
	switch {
	case left > 0:
		_, err = tx.Exec(ctx, "UPDATE holds SET millipence = $2, expires_at = $3 WHERE id = $1", id, left, l.now().Add(HoldLife).UnixMilli())
	case promised > 0:
		_, err = tx.Exec(ctx, "DELETE FROM holds WHERE id = $1", id)
	}
	if err != nil {
		return fmt.Errorf("shrink a hold: %w", err)
	}
	return nil
}

// ReleaseExpired releases expired holds into their balances and returns their number.
func (l *Ledger) ReleaseExpired(ctx context.Context) (int, error) {
	identities, err := l.expired(ctx)
	if err != nil {
		return 0, store.Unavailable(err)
	}
	reaped := 0
	for _, identityID := range identities {
		n := 0
		err := l.db.Tx(ctx, func(tx *store.Tx) error {
			b, err := l.lock(ctx, tx, identityID)
			if err != nil {
				return err
			}
			n = b.reaped
			return b.save(ctx, tx)
		})
		if err != nil {
			return reaped, store.Unavailable(err)
		}
		reaped += n
	}
	return reaped, nil
}

// expired lists the identities with expired holds.
func (l *Ledger) expired(ctx context.Context) (identities []string, err error) {
	return l.db.Texts(ctx, "SELECT DISTINCT identity_id FROM holds WHERE expires_at <= $1 ORDER BY identity_id", l.now().UnixMilli())
}

// locked is a balance whose row is locked until the transaction ends.
type locked struct {
	identityID       string
	millipence, held int64
	reaped           int // expired holds taken out of held, which save makes last
}

// free returns what is not held.
func (b *locked) free() int64 { return b.millipence - b.held }

// lock locks a balance and takes the expired holds out of it. It comes before every
// change of an identity's holds and entries. The error is sql.ErrNoRows for an identity
// that never had credit.
func (l *Ledger) lock(ctx context.Context, tx *store.Tx, identityID string) (b *locked, err error) {
	b = &locked{identityID: identityID}
	err = tx.QueryRow(ctx, "UPDATE balances SET held = held WHERE identity_id = $1 RETURNING millipence, held", identityID).Scan(&b.millipence, &b.held)
	if err != nil {
		return nil, fmt.Errorf("lock the balance: %w", err)
	}
	rows, err := tx.Query(ctx, "DELETE FROM holds WHERE identity_id = $1 AND expires_at <= $2 RETURNING millipence", identityID, l.now().UnixMilli())
	if err != nil {
		return nil, fmt.Errorf("take expired holds: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var promised int64
		if err := rows.Scan(&promised); err != nil {
			return nil, fmt.Errorf("take expired holds: %w", err)
		}
		b.held -= promised
		b.reaped++
	}
	return b, rows.Err()
}

// save writes a locked balance.
func (b *locked) save(ctx context.Context, tx *store.Tx) error {
	if _, err := tx.Exec(ctx, "UPDATE balances SET millipence = $2, held = $3 WHERE identity_id = $1", b.identityID, b.millipence, b.held); err != nil {
		return fmt.Errorf("save the balance: %w", err)
	}
	return nil
}
