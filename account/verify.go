package account

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// DenyLife is how long after its link has expired a request can still be denied. After
// that the link is unknown.
const DenyLife = 30 * 24 * time.Hour

// The states of a verification.
const (
	Pending   = "pending"
	Denied    = "denied" // also of a key that an operator revoked
	Expired   = "expired"
	Confirmed = string(Verified)
)

// Verification describes the request behind the link of an e-mail.
type Verification struct {
	Label       string
	MaskedEmail string
	RequestedAt time.Time
	UserAgent   string
	Source      string
	ExpiresAt   time.Time // of the link
	State       string    // pending, verified, denied, expired
	KeyID       string
}

// Verification reads a verification token and changes nothing. An unknown
// token is not-found.
func (a Issuance) Verification(ctx context.Context, token string) (*Verification, error) {
	v, _, err := a.verification(ctx, a.options.DB, token)
	return v, store.Unavailable(err)
}

func (a Issuance) verification(ctx context.Context, q store.Querier, token string) (v *Verification, identity string, err error) {
	unknown := fault.New(fault.NotFound, "this confirmation link is unknown or too old; ask for a new key")
	hash, ok := tokenHash(token)
	if !ok {
		return nil, "", unknown
	}
	now := a.now()
	v = &Verification{}
	var email, state string
	var requested, expires int64
	var revoked *int64
	err = q.QueryRow(ctx, `SELECT i.id, i.email, k.id, k.name, k.user_agent, k.source, k.state, k.created_at, k.revoked_at, l.expires_at
		FROM links l JOIN keys k ON k.id = l.key_id JOIN identities i ON i.id = l.identity_id
		WHERE l.token_hash = $1 AND l.kind = $2 AND l.expires_at > $3`, hash, verifyLink, now.Add(-DenyLife).UnixMilli()).
		Scan(&identity, &email, &v.KeyID, &v.Label, &v.UserAgent, &v.Source, &state, &requested, &revoked, &expires)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, "", unknown
	}
	if err != nil {
		return nil, "", err
	}
	v.MaskedEmail, v.RequestedAt, v.ExpiresAt = masked(email), instant(requested), instant(expires)
	switch {
	case revoked != nil:
		v.State = Denied
	case state == string(Verified):
		v.State = Confirmed
	case !now.Before(v.ExpiresAt):
		v.State = Expired
	default:
		v.State = Pending
	}
	return v, identity, nil
}

// Verify confirms the key that a link was sent for. Confirming twice succeeds; after a
// denial, expiry or revocation it is refused (forbidden). It confirms the address too,
// and no other key.
func (a Issuance) Verify(ctx context.Context, token string) (*Verification, error) {
	var v *Verification
	var identity string
	err := a.tx(ctx, func(tx *store.Tx) (err error) {
		if v, identity, err = a.verification(ctx, tx, token); err != nil {
			return err
		}
		now := a.now().UnixMilli()
		var rate int64
		err = tx.QueryRow(ctx, "UPDATE identities SET verified_at = COALESCE(verified_at, $1) WHERE id = $2 RETURNING COALESCE(plan_rate, $3)",
			now, identity, int64(RatePerMinute)).Scan(&rate)
		if err != nil {
			return err
		}
		n, err := tx.Exec(ctx, `UPDATE keys SET state = $1, verified_at = $2, expires_at = NULL, monthly_quota = $3, rate_per_min = $4
			WHERE id = $5 AND state = $6 AND revoked_at IS NULL AND expires_at > $2`,
			string(Verified), now, int64(VerifiedQuota), rate, v.KeyID, string(Provisional))
		if err != nil {
			return err
		}
		if n > 0 {
			v.State = Confirmed
			return nil
		}
		// Another call may have verified it meanwhile, so the row is read again.
		if v, _, err = a.verification(ctx, tx, token); err != nil {
			return err
		}
		switch v.State {
		case Confirmed:
			return nil
		case Denied:
			return fault.New(fault.Forbidden, "this request was denied or its key revoked; ask for a new key").With("state", v.State)
		default:
			return fault.New(fault.Forbidden, "this link expired on %s; ask for a new key", formatTime(v.ExpiresAt)).With("state", Expired)
		}
	})
	if err != nil {
		return nil, err
	}
	a.changed(v.KeyID, identity)
	return v, nil
}

// Deny revokes the key that a link was sent for, also after it was verified (the holder
// of the address has the last word) and until DenyLife after the link has expired.
// Denying twice succeeds.
func (a Issuance) Deny(ctx context.Context, token string) (*Verification, error) {
	var v *Verification
	var identity string
	err := a.tx(ctx, func(tx *store.Tx) (err error) {
		if v, identity, err = a.verification(ctx, tx, token); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "UPDATE keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL", a.now().UnixMilli(), v.KeyID)
		return err
	})
	if err != nil {
		return nil, err
	}
	v.State = Denied
	a.changed(v.KeyID, identity)
	return v, nil
}

// formatTime writes a time for people.
func formatTime(t time.Time) string { return t.UTC().Format("2 January 2006 at 15:04 UTC") }
