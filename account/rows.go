package account

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// row is a row of a result: *sql.Row or *sql.Rows.
type row interface{ Scan(to ...any) error }

func instant(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

func optional(ms *int64) *time.Time {
	if ms == nil {
		return nil
	}
	t := instant(*ms)
	return &t
}

// keyColumns are the columns that scanKey reads, of keys k.
const keyColumns = `k.id, COALESCE(k.identity_id, ''), k.name, k.state, k.scope, k.allowed_origins, k.monthly_quota,
	k.rate_per_min, k.created_at, k.expires_at, k.revoked_at, k.first_success_at, k.source,
	(SELECT i.monthly_quota FROM identities i WHERE i.id = k.identity_id), (SELECT i.plan_quota FROM identities i WHERE i.id = k.identity_id),
	(SELECT i.plan_rate FROM identities i WHERE i.id = k.identity_id)`

// scanKey reads keyColumns and then the columns in more. The quota and the rate of a
// verified key are those of its identity.
func scanKey(r row, more ...any) (*Key, error) {
	var k Key
	var origins string
	var created int64
	var expires, revoked, success, quota, planned, rate *int64
	to := []any{
		&k.ID, &k.IdentityID, &k.Name, &k.State, &k.Scope, &origins, &k.MonthlyQuota,
		&k.RatePerMin, &created, &expires, &revoked, &success, &k.Source,
		&quota, &planned, &rate,
	}
	if err := r.Scan(append(to, more...)...); err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(origins), &k.AllowedOrigins); err != nil {
		return nil, fmt.Errorf("allowed origins of key %s: %w", k.ID, err)
	}
	if k.State == Verified && k.IdentityID != "" {
		k.MonthlyQuota, k.RatePerMin = first(VerifiedQuota, quota, planned), first(k.RatePerMin, rate)
	}
	k.CreatedAt = instant(created)
	k.ExpiresAt, k.RevokedAt, k.FirstSuccessAt = optional(expires), optional(revoked), optional(success)
	return &k, nil
}

// identityColumns are the columns that scanIdentity reads, of identities i.
const identityColumns = `i.id, i.email, i.created_at, i.tos_accepted_at, i.verified_at, i.source, i.plan,
	COALESCE(i.stripe_customer_id, ''), i.plan_quota, i.monthly_quota, i.download_allowance_mib, i.mau_included`

// scanIdentity reads identityColumns and then the columns in more.
func scanIdentity(r row, more ...any) (*Identity, error) {
	var i Identity
	var created, accepted int64
	var verified, planned, quota, download, users *int64
	to := []any{
		&i.ID, &i.Email, &created, &accepted, &verified, &i.Source, &i.Plan,
		&i.StripeCustomerID, &planned, &quota, &download, &users,
	}
	if err := r.Scan(append(to, more...)...); err != nil {
		return nil, err
	}
	i.CreatedAt, i.TOSAcceptedAt, i.VerifiedAt = instant(created), instant(accepted), optional(verified)
	i.MonthlyQuota = first(VerifiedQuota, quota, planned)
	i.DownloadMiB = first(DownloadMiB, download)
	i.IncludedMAU = first(IncludedMAU, users)
	return &i, nil
}

// first returns the first figure that is set, or otherwise.
func first(otherwise int64, figures ...*int64) int64 {
	for _, f := range figures {
		if f != nil {
			return *f
		}
	}
	return otherwise
}

// identityBy finds an identity by a column; false if there is none.
func identityBy(ctx context.Context, q store.Querier, column, value string) (*Identity, bool, error) {
	i, err := scanIdentity(q.QueryRow(ctx, "SELECT "+identityColumns+" FROM identities i WHERE i."+column+" = $1", value))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	return i, err == nil, err
}

// keyBy finds a key by its id; not-found if there is none. An id that is no UUID is not
// looked up.
func keyBy(ctx context.Context, q store.Querier, id string) (*Key, error) {
	if uuid.Validate(id) != nil {
		return nil, noKey(id)
	}
	k, err := scanKey(q.QueryRow(ctx, "SELECT "+keyColumns+" FROM keys k WHERE k.id = $1", id))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, noKey(id)
	}
	return k, err
}

func noKey(id string) error {
	return fault.New(fault.NotFound, "there is no key with the id %q", fault.Clip(id))
}
