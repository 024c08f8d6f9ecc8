package account

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// Issue makes a provisional key and queues the verification e-mail. It refuses with
// invalid-email (malformed or disposable), tos-not-accepted, bad-request (label,
// origins, scope, source), issuance-velocity and key-cap. Refused applications count
// against no limit.
//
// The five keys of an address are all its active ones, confirmed or not. A caller can
// so use up slots of another person's address, but not keep them: each key is announced
// to the address, the e-mail's "not mine" frees its slot at once, and otherwise it is
// freed after ProvisionalLife.
func (a Issuance) Issue(ctx context.Context, app Application) (*Issued, error) {
	now := a.now()
	e, err := app.examine(now)
	if err != nil {
		return nil, err
	}
	if err := a.beforeHourly(ctx, now); err != nil {
		return nil, err
	}
	expires := now.Add(ProvisionalLife)
	issued := &Issued{
		Secret: newSecret(),
		Key: Key{
			ID: uuid.NewString(), Name: e.Label, State: Provisional, Scope: e.Scope, AllowedOrigins: e.AllowedOrigins,
			MonthlyQuota: ProvisionalQuota, RatePerMin: RatePerMinute, CreatedAt: now, ExpiresAt: &expires, Source: e.Source,
		},
	}
	token, verifyHash := newToken()
	claim, claimHash := newToken()
	mail, err := a.verificationMail(e, token, now)
	if err != nil {
		return nil, err
	}
	err = a.tx(ctx, func(tx *store.Tx) error {
		// Locks are taken in this order everywhere: client, identity, hour. The hour
		// is shared by all callers and comes last, so that it is held for the
		// shortest time.
		if err := a.countClient(ctx, tx, e.Client, now); err != nil {
			return err
		}
		identity, err := admit(ctx, tx, e, now)
		if err != nil {
			return err
		}
		issued.Key.IdentityID = identity
		if err := insertKey(ctx, tx, &issued.Key, issued.Secret, e.UserAgent); err != nil {
			return err
		}
		if err := insertLink(ctx, tx, verifyHash, link{verifyLink, identity, issued.Key.ID, now, expires}); err != nil {
			return err
		}
		if a.hasConsole() {
			if err := insertLink(ctx, tx, claimHash, link{claimLink, identity, issued.Key.ID, now, now.Add(ClaimLife)}); err != nil {
				return err
			}
		}
		if err := a.countHour(ctx, tx, now); err != nil {
			return err
		}
		return a.options.Outbox.Mail(ctx, tx, mail)
	})
	if err != nil {
		return nil, err
	}
	a.options.Outbox.Wake()
	a.changed(issued.Key.IdentityID)
	if a.hasConsole() {
		c := a.pointer(claim, e.email)
		issued.ClaimURL, issued.DisplayToUser, issued.ClaimExpiresIn = c.URL, c.DisplayToUser, c.ExpiresIn
	}
	return issued, nil
}

// admit returns the identity of an address, made if there is none, with its row locked
// until the transaction ends. It refuses an identity that has all the keys it may have.
func admit(ctx context.Context, tx *store.Tx, e *examined, now time.Time) (id string, err error) {
	err = tx.QueryRow(ctx, `INSERT INTO identities (id, email, created_at, tos_accepted_at, source) VALUES ($1, $2, $3, $3, $4)
		ON CONFLICT (email) DO UPDATE SET tos_accepted_at = excluded.tos_accepted_at RETURNING id`,
		uuid.NewString(), e.email, now.UnixMilli(), e.Source).Scan(&id)
	if err != nil {
		return "", err
	}
	var active int64
	err = tx.QueryRow(ctx, "SELECT count(*) FROM keys WHERE identity_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)",
		id, now.UnixMilli()).Scan(&active)
	if err != nil {
		return "", err
	}
	if active >= KeysPerIdentity {
		return "", fault.New(fault.KeyCap, "this e-mail address has %d active keys, the limit is %d; have one revoked, deny by the link in its e-mail one that you did not ask for, or wait until an unconfirmed one expires", active, KeysPerIdentity).
			With("active_keys", active).With("max_keys", KeysPerIdentity)
	}
	return id, nil
}

func insertKey(ctx context.Context, tx *store.Tx, k *Key, secret, userAgent string) error {
	origins, err := json.Marshal(k.AllowedOrigins)
	if err != nil {
		return err
	}
	var identity *string
	if k.IdentityID != "" {
		identity = &k.IdentityID
	}
	var expires *int64
	if k.ExpiresAt != nil {
		ms := k.ExpiresAt.UnixMilli()
		expires = &ms
	}
	_, err = tx.Exec(ctx, `INSERT INTO keys (id, identity_id, name, secret_hash, state, created_at, expires_at, monthly_quota, rate_per_min, allowed_origins, scope, source, user_agent)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
		k.ID, identity, k.Name, Hash(secret), string(k.State), k.CreatedAt.UnixMilli(), expires, k.MonthlyQuota, k.RatePerMin,
		string(origins), string(k.Scope), k.Source, userAgent)
	return err
}
