package account

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/waygate/waygate/account/signed"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// addressSecretLife is how long a secret signs addresses. What it has signed is checked with it
// for a day and a little longer.
const (
	addressSecretLife = 30 * 24 * time.Hour
	addressSecretEnd  = addressSecretLife + 2*signed.Longest
)

// AddressSigner returns what signs addresses for a key: its newest secret, or a new one where
// that is older than 30 days or there is none. withdraw makes a new one and removes all
// others, so that no address that was signed before opens anything any more. A revoked key
// is forbidden.
func (a *Accounts) AddressSigner(ctx context.Context, keyID string, withdraw bool) (s *signed.Signer, err error) {
	var removed []string
	err = a.tx(ctx, func(tx *store.Tx) error {
		now := a.now()
		var revoked sql.NullInt64
		err := tx.QueryRow(ctx, "SELECT revoked_at FROM keys WHERE id = $1", keyID).Scan(&revoked)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return noKey(keyID)
		case err != nil:
			return err
		case revoked.Valid:
			return fault.New(fault.Forbidden, "this key is revoked")
		}
		s, removed = nil, nil
		if withdraw {
			if _, err := tx.Exec(ctx, "DELETE FROM address_secrets WHERE key_id = $1", keyID); err != nil {
				return err
			}
			removed = append(removed, keyID)
		} else if s, err = newestSigner(ctx, tx, keyID, now.Add(-addressSecretLife)); err != nil || s != nil {
			return err
		}
		s = &signed.Signer{}
		s.ID, s.Secret = signed.New()
		_, err = tx.Exec(ctx, "INSERT INTO address_secrets (id, key_id, secret, created_at) VALUES ($1, $2, $3, $4)",
			s.ID.String(), keyID, base64.StdEncoding.EncodeToString(s.Secret[:]), now.UnixMilli())
		return err
	})
	if err != nil {
		return nil, err
	}
	a.changed(removed...)
	return s, nil
}

// newestSigner returns the newest of a key that was made after a time; nil where there is none.
func newestSigner(ctx context.Context, tx *store.Tx, keyID string, after time.Time) (*signed.Signer, error) {
	var id, secret string
	err := tx.QueryRow(ctx, "SELECT id, secret FROM address_secrets WHERE key_id = $1 AND created_at > $2 ORDER BY created_at DESC LIMIT 1", keyID, after.UnixMilli()).Scan(&id, &secret)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return StoredSigner(id, secret)
}

// StoredSigner reads a row of the table address_secrets.
func StoredSigner(id, secret string) (*signed.Signer, error) {
	s := &signed.Signer{}
	name, err := base64.RawURLEncoding.DecodeString(id)
	if err != nil || copy(s.ID[:], name) != len(s.ID) {
		return nil, fmt.Errorf("the id of a secret of addresses is damaged: %w", err)
	}
	bytes, err := base64.StdEncoding.DecodeString(secret)
	if err != nil || copy(s.Secret[:], bytes) != len(s.Secret) {
		return nil, fmt.Errorf("the secret %s of addresses is damaged: %w", id, err)
	}
	return s, nil
}
