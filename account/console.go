package account

import (
	"context"

	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// ConsoleKey is a key as its owner's console shows it.
type ConsoleKey struct {
	Key
	UsedThisMonth int64 // units, flushed rows
}

// ConsoleView has the part of an identity that the console shows.
type ConsoleView struct {
	Identity      Identity
	Balance       ledger.Balance
	UsedThisMonth int64        // units of the pool
	Keys          []ConsoleKey // newest first, revoked included
	History       []ledger.Entry
}

// Console returns the account of an identity.
func (a *Accounts) Console(ctx context.Context, identityID string) (*ConsoleView, error) {
	i, ok, err := identityBy(ctx, a.options.DB, "id", identityID)
	if err != nil {
		return nil, store.Unavailable(err)
	}
	if !ok {
		return nil, fault.New(fault.NotFound, "there is no such account")
	}
	v, err := a.view(ctx, i)
	return v, store.Unavailable(err)
}

func (a *core) view(ctx context.Context, i *Identity) (*ConsoleView, error) {
	v := &ConsoleView{Identity: *i}
	var err error
	if v.Balance, err = a.options.Ledger.Balance(ctx, i.ID); err != nil {
		return nil, err
	}
	if v.History, err = a.options.Ledger.History(ctx, i.ID); err != nil {
		return nil, err
	}
	if v.Keys, err = a.keysOf(ctx, i.ID); err != nil {
		return nil, err
	}
	err = a.options.DB.QueryRow(ctx, "SELECT CAST(COALESCE(sum(units), 0) AS BIGINT) FROM usage_periods WHERE pool = $1 AND period = $2",
		i.ID, a.now().Format(monthForm)).Scan(&v.UsedThisMonth)
	return v, err
}

// keysOf returns all keys of an identity, newest first, with what each has used
// this month.
func (a *core) keysOf(ctx context.Context, identityID string) ([]ConsoleKey, error) {
	month := a.now().Format(monthForm)
	rows, err := a.options.DB.Query(ctx, "SELECT "+keyColumns+`,
		(SELECT CAST(COALESCE(sum(d.units), 0) AS BIGINT) FROM usage_days d WHERE d.key_id = k.id AND d.day >= $2 AND d.day <= $3)
		FROM keys k WHERE k.identity_id = $1 ORDER BY k.created_at DESC, k.id`, identityID, month+"-01", month+"-31")
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err reports it
	keys := []ConsoleKey{}
	for rows.Next() {
		var used int64
		k, err := scanKey(rows, &used)
		if err != nil {
			return nil, err
		}
		keys = append(keys, ConsoleKey{*k, used})
	}
	return keys, rows.Err()
}
