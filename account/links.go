package account

import (
	"context"
	"time"

	"github.com/waygate/waygate/store"
)

// The kinds of links.
const (
	verifyLink = "verify"
	signInLink = "signin"
	claimLink  = "claim"
)

// link is a link of an e-mail, or a claim pointer.
type link struct {
	kind       string
	identityID string
	keyID      string // "" for a sign-in link
	created    time.Time
	expires    time.Time
}

func insertLink(ctx context.Context, tx *store.Tx, hash string, l link) error {
	var key *string
	if l.keyID != "" {
		key = &l.keyID
	}
	_, err := tx.Exec(ctx, "INSERT INTO links (token_hash, kind, identity_id, key_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)",
		hash, l.kind, l.identityID, key, l.created.UnixMilli(), l.expires.UnixMilli())
	return err
}
