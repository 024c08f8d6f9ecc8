package account

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// The limits of what an operator sets: far above any use, and small enough that their
// sums do not overflow.
const (
	figureMax = 1_000_000_000_000 // units, MiB or users
	rateMax   = 1_000_000         // calls a minute
	pageMax   = 500
	pageUsual = 50
	offsetMax = 1_000_000_000
	reasonMax = ledger.MaxReason // characters
)

// Minting is a key that an operator makes.
type Minting struct {
	Name           string // 1 to NameMax characters
	MonthlyQuota   int64  // units, 1 to 10^12
	RatePerMin     int64  // calls, 1 to 10^6
	AllowedOrigins []string
	Scope          Scope // "" is Full
}

// Mint makes a key of state admin, without an identity.
func (a Operators) Mint(ctx context.Context, m Minting) (*Issued, error) {
	wrong := checkName("name", m.Name)
	wrong = append(wrong, checkRange("monthly_quota", m.MonthlyQuota, 1, figureMax)...)
	wrong = append(wrong, checkRange("rate_per_min", m.RatePerMin, 1, rateMax)...)
	scope, wrong := scoped(m.Scope, wrong)
	if err := fault.Invalid(wrong...); err != nil {
		return nil, err
	}
	allowed, err := origins(m.AllowedOrigins)
	if err != nil {
		return nil, err
	}
	issued := &Issued{
		Secret: newSecret(),
		Key: Key{
			ID: uuid.NewString(), Name: m.Name, State: Admin, Scope: scope, AllowedOrigins: allowed,
			MonthlyQuota: m.MonthlyQuota, RatePerMin: m.RatePerMin, CreatedAt: a.now(),
		},
	}
	err = a.tx(ctx, func(tx *store.Tx) error { return insertKey(ctx, tx, &issued.Key, issued.Secret, "") })
	if err != nil {
		return nil, err
	}
	return issued, nil
}

// Keys returns a page of all keys, newest first, and how many there are. limit is 1 to
// 500, or 0 for 50.
func (a Operators) Keys(ctx context.Context, limit, offset int) (keys []Key, total int64, err error) {
	if limit, err = page(limit, offset); err != nil {
		return nil, 0, err
	}
	keys, total, err = a.listKeys(ctx, limit, offset)
	return keys, total, store.Unavailable(err)
}

func (a Operators) listKeys(ctx context.Context, limit, offset int) (keys []Key, total int64, err error) {
	if err := a.options.DB.QueryRow(ctx, "SELECT count(*) FROM keys").Scan(&total); err != nil {
		return nil, 0, err
	}
	rows, err := a.options.DB.Query(ctx, "SELECT "+keyColumns+" FROM keys k ORDER BY k.created_at DESC, k.id LIMIT $1 OFFSET $2", limit, offset)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err reports it
	keys = []Key{}
	for rows.Next() {
		k, err := scanKey(rows)
		if err != nil {
			return nil, 0, err
		}
		keys = append(keys, *k)
	}
	return keys, total, rows.Err()
}

// Key returns one key's record; not-found if there is none.
func (a Operators) Key(ctx context.Context, id string) (*Key, error) {
	k, err := keyBy(ctx, a.options.DB, id)
	return k, store.Unavailable(err)
}

// Revoke ends a key. Revoking twice succeeds and keeps the first time.
func (a Operators) Revoke(ctx context.Context, id string) (*Key, error) {
	var k *Key
	err := a.tx(ctx, func(tx *store.Tx) (err error) {
		if k, err = keyBy(ctx, tx, id); err != nil {
			return err
		}
		if _, err = tx.Exec(ctx, "UPDATE keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL", a.now().UnixMilli(), id); err != nil {
			return err
		}
		k, err = keyBy(ctx, tx, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	a.changed(k.ID, k.IdentityID)
	return k, nil
}

func checkRange(location string, value, least, most int64) []fault.Violation {
	if least <= value && value <= most {
		return nil
	}
	return []fault.Violation{{Location: location, Value: value, Message: fmt.Sprintf("must be %d to %d", least, most)}}
}

// page checks the limit and offset of a list and returns the limit.
func page(limit, offset int) (int, error) {
	if limit == 0 {
		limit = pageUsual
	}
	return limit, fault.Invalid(append(checkRange("limit", int64(limit), 1, pageMax), checkRange("offset", int64(offset), 0, offsetMax)...)...)
}
