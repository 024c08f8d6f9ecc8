package meter

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/origin"
	"github.com/waygate/waygate/account/signed"
	"github.com/waygate/waygate/fault"
)

// record is a key as it was read from the database. It does not change.
type record struct {
	key     account.Key
	hash    string         // of the secret, as in the database; signerMark and a name of what was found by it
	signer  *signed.Signer // of a record that was found by its name; nil otherwise
	webhook bool
	read    time.Time // when, at the latest, it was true
	month   string    // month of its figures

	rate   int64 // calls a minute in force
	quota  int64 // units in force
	pool   string
	sold   string // the identity whose credit pays beyond the quota; "" for none
	period string // "" is the month
	users  string // whose active users its callers are: an identity, a provisional key, or "" for nobody

	used             int64 // units of the period
	millipence, held int64 // the balance, and what of it is promised to replicas
	identityKeys     int64
	downloadMiB      int64 // a month
	downloaded       int64 // bytes
	activeUsers      int64
	includedUsers    int64
	asOf             uint64 // settlement of counters before it was read; see pool.learn

	success atomic.Pointer[time.Time] // first_success_at, set or on its way; nil before
}

// life is the period of a provisional key.
const life = "life"

// periodOn returns the period that a call on a day counts in.
func (r *record) periodOn(d *date) string {
	if r.period != "" {
		return r.period
	}
	return d.month
}

// refuse checks what depends on the key alone: whether it is valid, its scope and its
// origins.
func (r *record) refuse(c Call, now time.Time) error {
	k := &r.key
	switch {
	case k.RevokedAt != nil:
		return fault.New(fault.Unauthorized, "this API key was revoked at %s", k.RevokedAt.UTC().Format(time.RFC3339))
	case k.ExpiresAt != nil && !now.Before(*k.ExpiresAt):
		return fault.New(fault.Unauthorized, "this API key expired at %s", k.ExpiresAt.UTC().Format(time.RFC3339))
	case k.Scope == account.Maps && !c.Maps:
		return fault.New(fault.ScopeInsufficient, "%s needs a key of scope %s; this one has scope %s", c.Endpoint, account.Full, k.Scope).
			With("scope", string(k.Scope)).With("required_scope", string(account.Full)).With("endpoint", c.Endpoint)
	case len(k.AllowedOrigins) == 0:
		return nil
	}
	from := origin.Of(c.Origin, c.Referer)
	if from != "" && origin.Allowed(k.AllowedOrigins, from) {
		return nil
	}
	return fromElsewhere("this API key", from, c.Origin)
}

// fromElsewhere refuses a call of a page that may not use what it called with. from is its
// origin, "" where that is none, and sent the header.
func fromElsewhere(what, from, sent string) error {
	from = cmp.Or(from, sent)
	if from == "" {
		return fault.New(fault.OriginNotAllowed, "%s is restricted to certain origins, and the request names none in Origin or Referer", what).With("origin", nil)
	}
	return fault.New(fault.OriginNotAllowed, "%s is not allowed from %s", what, fault.Clip(from)).With("origin", fault.Clip(from))
}

// aboutKey reads all about a key in a month ($2) at a time ($3).
const aboutKey = `SELECT k.id, k.identity_id, k.name, k.secret_hash, k.state, k.created_at, k.expires_at, k.revoked_at, k.first_success_at,
	k.monthly_quota, k.rate_per_min, k.allowed_origins, k.scope, k.source, k.webhook_secret IS NOT NULL,
	i.plan_quota, i.plan_rate, i.monthly_quota, i.download_allowance_mib, i.mau_included,
	COALESCE(u.units, 0), COALESCE(b.millipence, 0), COALESCE(b.held, 0), COALESCE(d.bytes, 0),
	(SELECT COUNT(*) FROM keys o WHERE o.identity_id = k.identity_id AND o.revoked_at IS NULL AND (o.expires_at IS NULL OR o.expires_at > $3)),
	(SELECT COUNT(*) FROM active_users a WHERE a.identity_id = CASE WHEN k.state = 'provisional' THEN k.id ELSE k.identity_id END AND a.month = $2),
	s.id, s.secret
FROM keys k
LEFT JOIN identities i ON i.id = k.identity_id
LEFT JOIN usage_periods u ON u.pool = CASE WHEN k.state = 'verified' THEN COALESCE(k.identity_id, k.id) ELSE k.id END
	AND u.period = CASE WHEN k.state = 'provisional' THEN 'life' ELSE $2 END
LEFT JOIN balances b ON b.identity_id = k.identity_id
LEFT JOIN downloads d ON d.identity_id = k.identity_id AND d.month = $2
`

// Queries of a key by the hash of its secret, and by the name of a secret that signs addresses
// for it ($1).
const (
	keyQuery    = aboutKey + "LEFT JOIN address_secrets s ON s.id = '' WHERE k.secret_hash = $1"
	signerQuery = aboutKey + "JOIN address_secrets s ON s.key_id = k.id WHERE s.id = $1"
)

// signerMark begins what is cached in place of a hash for the name of a secret that signs
// addresses.
const signerMark = "signer:"

// read loads the record of a secret's hash, or of the name of one that signs addresses; nil
// where there is no such key.
func (g *Gate) read(ctx context.Context, hash string) (*record, error) {
	now := g.now()
	query, by := keyQuery, hash
	name, signs := strings.CutPrefix(hash, signerMark)
	if signs {
		query, by = signerQuery, name
	}
	r := &record{read: now, month: g.dateOf(now).month, asOf: g.pools.settlements.Load()}
	var identity, origins, signerID, signerSecret sql.NullString
	var expires, revoked, success, planQuota, planRate, quota, download, users sql.NullInt64
	var created int64
	k := &r.key
	err := g.options.DB.QueryRow(ctx, query, by, r.month, now.UnixMilli()).Scan(&k.ID, &identity, &k.Name, &r.hash, &k.State, &created, &expires, &revoked, &success,
		&k.MonthlyQuota, &k.RatePerMin, &origins, &k.Scope, &k.Source, &r.webhook,
		&planQuota, &planRate, &quota, &download, &users,
		&r.used, &r.millipence, &r.held, &r.downloaded, &r.identityKeys, &r.activeUsers,
		&signerID, &signerSecret)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(origins.String), &k.AllowedOrigins); err != nil {
		// Without its origins the key would be taken for an unrestricted one.
		return nil, fmt.Errorf("the origins of key %s: %w", k.ID, err)
	}
	if signs {
		r.hash = hash
		if r.signer, err = account.StoredSigner(signerID.String, signerSecret.String); err != nil {
			return nil, err
		}
	}
	k.IdentityID = identity.String
	k.CreatedAt = time.UnixMilli(created).UTC()
	k.ExpiresAt, k.RevokedAt, k.FirstSuccessAt = millisTime(expires), millisTime(revoked), millisTime(success)
	r.success.Store(k.FirstSuccessAt)
	r.downloadMiB = or(download, account.DownloadMiB)
	r.includedUsers = or(users, account.IncludedMAU)
	r.rate, r.quota, r.pool, r.users = k.RatePerMin, k.MonthlyQuota, k.ID, k.IdentityID
	switch {
	case k.State == account.Provisional:
		// The address of a provisional key may be another person's: until it is
		// confirmed the key neither sees nor adds to the identity's figures.
		r.period, r.users = life, k.ID
		r.identityKeys, r.downloaded = 1, 0
		r.downloadMiB, r.includedUsers = account.DownloadMiB, account.IncludedMAU
	case k.State == account.Verified && k.IdentityID != "":
		r.rate = or(planRate, k.RatePerMin)
		r.quota = or(quota, or(planQuota, account.VerifiedQuota))
		r.pool, r.sold = k.IdentityID, k.IdentityID
	}
	return r, nil
}

func or(n sql.NullInt64, otherwise int64) int64 {
	if n.Valid {
		return n.Int64
	}
	return otherwise
}

func millisTime(ms sql.NullInt64) *time.Time {
	if !ms.Valid {
		return nil
	}
	t := time.UnixMilli(ms.Int64).UTC()
	return &t
}
