package account

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// openClaims is how many claim pointers of one key are valid at a time: a new one
// beyond them ends the oldest.
const openClaims = 20

// Claim is a pointer that an agent shows its human.
type Claim struct {
	URL           string
	ExpiresIn     time.Duration
	DisplayToUser string
}

func (a *core) pointer(token, email string) *Claim {
	url := a.website() + "/console/claim#" + token
	return &Claim{
		URL: url, ExpiresIn: ClaimLife,
		DisplayToUser: "To see this Waygate key's usage and add credit, open " + url + " within 72 hours and have a sign-in link sent to " + masked(email) + ".",
	}
}

// Claim makes a new claim pointer for a key of an identity; forbidden for a key without
// one, and for a revoked or expired key.
func (a SignIns) Claim(ctx context.Context, keyID string) (*Claim, error) {
	if !a.hasConsole() {
		return nil, fault.NotEnabled("console", "this deployment has no console")
	}
	token, hash := newToken()
	var email string
	err := a.tx(ctx, func(tx *store.Tx) error {
		now := a.now()
		key, err := keyBy(ctx, tx, keyID)
		if err != nil {
			return err
		}
		switch {
		case key.IdentityID == "":
			return fault.New(fault.Forbidden, "an operator made this key: no account goes with it that could be claimed")
		case key.RevokedAt != nil || key.ExpiresAt != nil && !now.Before(*key.ExpiresAt):
			return fault.New(fault.Forbidden, "this key is revoked or expired")
		}
		if err := tx.QueryRow(ctx, "SELECT email FROM identities WHERE id = $1", key.IdentityID).Scan(&email); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `DELETE FROM links WHERE kind = $1 AND identity_id = $2 AND key_id = $3 AND token_hash NOT IN
			(SELECT token_hash FROM links WHERE kind = $1 AND identity_id = $2 AND key_id = $3 ORDER BY created_at DESC LIMIT $4)`,
			claimLink, key.IdentityID, keyID, openClaims-1)
		if err != nil {
			return err
		}
		return insertLink(ctx, tx, hash, link{claimLink, key.IdentityID, keyID, now, now.Add(ClaimLife)})
	})
	if err != nil {
		return nil, err
	}
	return a.pointer(token, email), nil
}

// Resolve returns the masked e-mail behind a claim pointer, which stays valid. A
// pointer that is unknown, expired or of a revoked key is not-found.
func (a SignIns) Resolve(ctx context.Context, token string) (maskedEmail string, err error) {
	email, err := a.claimed(ctx, token)
	if err != nil {
		return "", err
	}
	return masked(email), nil
}

// SignInByClaim e-mails a sign-in link to the identity behind a pointer, within
// the bounds of SignIn. An unknown or expired pointer is not-found.
func (a SignIns) SignInByClaim(ctx context.Context, token string) error {
	email, err := a.claimed(ctx, token)
	if err != nil {
		return err
	}
	return a.sendSignIn(ctx, email)
}

func (a SignIns) claimed(ctx context.Context, token string) (email string, err error) {
	unknown := fault.New(fault.NotFound, "this claim link is unknown or expired; ask your agent for a new one")
	hash, ok := tokenHash(token)
	if !ok {
		return "", unknown
	}
	err = a.options.DB.QueryRow(ctx, `SELECT i.email FROM links l JOIN identities i ON i.id = l.identity_id JOIN keys k ON k.id = l.key_id
		WHERE l.token_hash = $1 AND l.kind = $2 AND l.expires_at > $3 AND k.revoked_at IS NULL`, hash, claimLink, a.now().UnixMilli()).Scan(&email)
	if errors.Is(err, sql.ErrNoRows) {
		return "", unknown
	}
	return email, store.Unavailable(err)
}
