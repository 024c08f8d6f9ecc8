package account

import (
	"context"
	"crypto/rand"
	"encoding/base64"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// WebhookSecret makes a new signing secret for a key's webhooks (whsec_ and 32
// random bytes in base64) and, where address is not "", registers where account
// events go, which must be an address that the outbox permits. A revoked key is
// forbidden.
func (a *Accounts) WebhookSecret(ctx context.Context, keyID, address string) (secret string, err error) {
	var to *string
	if address != "" {
		if err := a.options.Outbox.Permits(address); err != nil {
			return "", fault.Invalid(fault.Violation{Location: "url", Value: fault.Clip(address), Message: err.Error()})
		}
		to = &address
	}
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails: it ends the process instead
	secret = "whsec_" + base64.StdEncoding.EncodeToString(random[:])
	err = a.tx(ctx, func(tx *store.Tx) error {
		if _, err := keyBy(ctx, tx, keyID); err != nil {
			return err
		}
		n, err := tx.Exec(ctx, "UPDATE keys SET webhook_secret = $1, webhook_url = COALESCE($2, webhook_url) WHERE id = $3 AND revoked_at IS NULL", secret, to, keyID)
		if err == nil && n == 0 {
			return fault.New(fault.Forbidden, "this key is revoked")
		}
		return err
	})
	if err != nil {
		return "", err
	}
	a.changed(keyID)
	return secret, nil
}
