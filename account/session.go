package account

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// Session is a signed-in session of the console.
type Session struct {
	Token     string // shown once
	ExpiresAt time.Time
}

// SignedIn exchanges the token of a sign-in link, once, for a session; unauthorized
// otherwise. The holder of the link reads the mail of the address, so the address
// counts as confirmed; keys are confirmed by their own links only.
func (a SignIns) SignedIn(ctx context.Context, token string) (*Session, error) {
	refused := fault.New(fault.Unauthorized, "this sign-in link is unknown, used or expired; ask for a new one")
	hash, ok := tokenHash(token)
	if !ok {
		return nil, refused
	}
	now := a.now()
	s := &Session{ExpiresAt: now.Add(SessionLife)}
	var sessionHash, identity string
	s.Token, sessionHash = newToken()
	err := a.tx(ctx, func(tx *store.Tx) error {
		err := tx.QueryRow(ctx, "UPDATE links SET used_at = $1 WHERE token_hash = $2 AND kind = $3 AND used_at IS NULL AND expires_at > $1 RETURNING identity_id",
			now.UnixMilli(), hash, signInLink).Scan(&identity)
		if errors.Is(err, sql.ErrNoRows) {
			return refused
		}
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "UPDATE identities SET verified_at = COALESCE(verified_at, $1) WHERE id = $2", now.UnixMilli(), identity); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO sessions (token_hash, identity_id, created_at, expires_at) VALUES ($1, $2, $3, $4)",
			sessionHash, identity, now.UnixMilli(), s.ExpiresAt.UnixMilli())
		return err
	})
	if err != nil {
		return nil, err
	}
	a.changed(identity)
	return s, nil
}

// Session returns the identity behind a session token; unauthorized otherwise.
func (a SignIns) Session(ctx context.Context, token string) (*Identity, error) {
	refused := fault.New(fault.Unauthorized, "this session is unknown or has ended; sign in again")
	hash, ok := tokenHash(token)
	if !ok {
		return nil, refused
	}
	i, err := scanIdentity(a.options.DB.QueryRow(ctx, "SELECT "+identityColumns+" FROM sessions s JOIN identities i ON i.id = s.identity_id WHERE s.token_hash = $1 AND s.expires_at > $2",
		hash, a.now().UnixMilli()))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, refused
	}
	return i, store.Unavailable(err)
}

// SignOut ends a session. Ending an unknown one succeeds.
func (a SignIns) SignOut(ctx context.Context, token string) error {
	hash, ok := tokenHash(token)
	if !ok {
		return nil
	}
	_, err := a.options.DB.Exec(ctx, "DELETE FROM sessions WHERE token_hash = $1", hash)
	return store.Unavailable(err)
}
