// Package jobs connects asynchronous jobs with accounts: it charges a job, refunds the
// charge if the job fails, and queues a webhook that reports the end. Both are written
// in the transaction that ends the job.
package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/store"
)

// Jobs charges and refunds jobs and queues their webhooks. All its fields are required.
type Jobs struct {
	DB     *store.DB
	Ledger *ledger.Ledger
	Outbox *outbox.Outbox
	Log    *slog.Logger
}

// Charge charges an admitted call in a transaction, and returns what Refund needs.
func (j *Jobs) Charge(ctx context.Context, tx *store.Tx, a *meter.Admission) (string, error) {
	c, err := a.ChargeIn(ctx, tx)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(c)
	return string(text), err
}

// Units returns the units of a charge; 0 for none.
func Units(charge string) int64 {
	var c meter.Charge
	if json.Unmarshal([]byte(charge), &c) != nil {
		return 0
	}
	return c.Units
}

// Refund returns a charge to the account. The caller must call it only once for each
// charge.
func (j *Jobs) Refund(ctx context.Context, tx *store.Tx, charge string) error {
	if charge == "" {
		return nil
	}
	var c meter.Charge
	if err := json.Unmarshal([]byte(charge), &c); err != nil {
		return fmt.Errorf("read a charge: %w", err)
	}
	return c.RefundIn(ctx, tx, j.Ledger)
}

// Hook checks where the webhook of a job is to go: the address must be permitted, and
// the key must have a signing secret. at names the member in refusals.
func (j *Jobs) Hook(ctx context.Context, keyID, at, address string) error {
	if err := j.Outbox.Permits(address); err != nil {
		return fault.Invalid(fault.Violation{Location: at, Value: address, Message: err.Error()})
	}
	secret, err := secretOf(ctx, j.DB, keyID)
	if err != nil {
		return store.Unavailable(err)
	}
	if secret == "" {
		return fault.Invalid(fault.Violation{Location: at, Value: address, Message: "needs a signing secret of the key, which POST /v1/keys/self/webhook-secret makes"})
	}
	return nil
}

// Notify queues a webhook to an address, signed with the key's present secret. Nothing
// is queued for a key without a secret, or for an address that is no longer permitted.
func (j *Jobs) Notify(ctx context.Context, tx *store.Tx, keyID string, w outbox.Webhook) (err error) {
	if w.Secret, err = secretOf(ctx, tx, keyID); err != nil {
		return err
	}
	if w.Secret == "" {
		j.Log.Warn("a job's webhook cannot be signed: the key has no secret", "key", keyID)
		return nil
	}
	w.Owner = keyID
	if err = j.Outbox.Webhook(ctx, tx, w); errors.Is(err, outbox.ErrRefused) {
		j.Log.Warn("a job's webhook cannot be sent", "key", keyID, "reason", err)
		return nil
	}
	return err
}

// secretOf returns the signing secret of a valid key; "" if it has none.
func secretOf(ctx context.Context, db store.Querier, keyID string) (string, error) {
	var secret sql.NullString
	err := db.QueryRow(ctx, "SELECT webhook_secret FROM keys WHERE id = $1 AND revoked_at IS NULL", keyID).Scan(&secret)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return secret.String, err
}
