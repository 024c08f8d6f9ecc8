package account

import (
	"context"
	"database/sql"
	"errors"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// Download takes bytes out of the month's download allowance of an identity before they
// are sent. If they do not fit into the rest, it takes nothing and left is the rest.
// Undownload needs the month.
func (a *Accounts) Download(ctx context.Context, identityID string, bytes int64) (month string, left int64, ok bool, err error) {
	month = a.now().Format(monthForm)
	err = a.tx(ctx, func(tx *store.Tx) error {
		ok = false
		var allowance, used int64
		err := tx.QueryRow(ctx, `SELECT COALESCE(i.download_allowance_mib, $3), COALESCE(d.bytes, 0)
			FROM identities i LEFT JOIN downloads d ON d.identity_id = i.id AND d.month = $2 WHERE i.id = $1`, identityID, month, int64(DownloadMiB)).Scan(&allowance, &used)
		if errors.Is(err, sql.ErrNoRows) {
			return fault.New(fault.Forbidden, "downloads need a key of a verified account")
		}
		if err != nil {
			return err
		}
		limit := allowance << 20
		left = max(0, limit-used)
		if bytes > left {
			return nil
		}
		// Another replica may have taken some in the meantime.
		n, err := tx.Exec(ctx, `INSERT INTO downloads (identity_id, month, bytes) VALUES ($1, $2, $3)
			ON CONFLICT (identity_id, month) DO UPDATE SET bytes = downloads.bytes + $3 WHERE downloads.bytes + $3 <= $4`, identityID, month, bytes, limit)
		if ok = n > 0; ok {
			left -= bytes
		}
		return err
	})
	if ok && err == nil {
		a.changed(identityID) // records of its keys contain what is used
	}
	return month, left, ok, err
}

// Undownload returns bytes of a month that were taken and not sent.
func (a *Accounts) Undownload(ctx context.Context, identityID, month string, bytes int64) error {
	if bytes <= 0 {
		return nil
	}
	return a.tx(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE downloads SET bytes = CASE WHEN bytes > $3 THEN bytes - $3 ELSE 0 END WHERE identity_id = $1 AND month = $2", identityID, month, bytes)
		return err
	})
}
