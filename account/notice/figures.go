package notice

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/store"
)

const monthForm = "2006-01"

// figures are the usage and quota of an identity in a month.
type figures struct {
	id, email  string
	verified   bool
	quota      int64 // units, in force
	used       int64 // units
	millipence int64
}

// reached reports whether a percentage of the quota is used.
func (f *figures) reached(percent int) bool {
	p := int64(percent)
	// The product is computed in two parts, so that no quota overflows.
	return f.used >= f.quota/100*p+(f.quota%100*p+99)/100
}

// figuresOf reads an identity by the condition on it; nil if there is none. An
// operator's figure takes precedence over the plan's.
const figuresOf = `SELECT i.id, i.email, i.verified_at IS NOT NULL, COALESCE(i.monthly_quota, i.plan_quota, $1), COALESCE(u.units, 0), COALESCE(b.millipence, 0)
	FROM identities i
	LEFT JOIN usage_periods u ON u.pool = i.id AND u.period = $2
	LEFT JOIN balances b ON b.identity_id = i.id
	WHERE `

func byID(ctx context.Context, db store.Querier, id string, month time.Time) (*figures, error) {
	return scan(db.QueryRow(ctx, figuresOf+"i.id = $3", account.VerifiedQuota, month.Format(monthForm), id))
}

func byEmail(ctx context.Context, db store.Querier, email string, month time.Time) (*figures, error) {
	return scan(db.QueryRow(ctx, figuresOf+"i.email = $3", account.VerifiedQuota, month.Format(monthForm), strings.ToLower(strings.TrimSpace(email))))
}

func scan(row *sql.Row) (*figures, error) {
	var f figures
	err := row.Scan(&f.id, &f.email, &f.verified, &f.quota, &f.used, &f.millipence)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &f, err
}

// hook is a registered webhook of a key.
type hook struct{ key, url, secret string }

// hooksOf returns the webhooks of an identity's valid keys. Unconfirmed keys are left
// out: their holders may have typed another's address, and must not see the identity's
// usage and credit.
func hooksOf(ctx context.Context, tx *store.Tx, identityID string, now time.Time) (all []hook, err error) {
	rows, err := tx.Query(ctx, `SELECT id, webhook_url, webhook_secret FROM keys
		WHERE identity_id = $1 AND state = 'verified' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
		AND webhook_url <> '' AND webhook_secret <> '' ORDER BY created_at, id`, identityID, now.UnixMilli())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var h hook
		if err := rows.Scan(&h.key, &h.url, &h.secret); err != nil {
			return nil, err
		}
		all = append(all, h)
	}
	return all, rows.Err()
}
