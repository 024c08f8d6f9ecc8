// Package jobs is what asynchronous jobs mean to an account: a charge that is
// refunded where a job fails, and a webhook that tells how it ended. Both are
// written in the transaction that ends the job.
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

// Jobs refunds and tells. All its fields are required.
type Jobs struct {
	DB     *store.DB
	Ledger *ledger.Ledger
	Outbox *outbox.Outbox
	Log    *slog.Logger
}

// Charge charges an admitted call in a transaction, and gives what Refund takes.
func (j *Jobs) Charge(ctx context.Context, tx *store.Tx, a *meter.Admission) (string, error) {
	c, err := a.ChargeIn(ctx, tx)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(c)
	return string(text), err
}

// Units is what a charge came to; 0 where there was none.
func Units(charge string) int64 {
	var c meter.Charge
	if json.Unmarshal([]byte(charge), &c) != nil {
		return 0
	}
	return c.Units
}

// Refund gives a charge back. The caller sees to it that this happens once.
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

// Hook checks where a key wants to be told of a job: an address that webhooks may
// go to, and a key that has a signing secret. at names the member in refusals.
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

// Tell queues a webhook to an address, signed with the secret that the key has now.
// A key without one, and an address that is not permitted any more, hear nothing.
func (j *Jobs) Tell(ctx context.Context, tx *store.Tx, keyID string, w outbox.Webhook) (err error) {
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

// secretOf gives the signing secret of a key in force; "" where it has none.
func secretOf(ctx context.Context, db store.Querier, keyID string) (string, error) {
	var secret sql.NullString
	err := db.QueryRow(ctx, "SELECT webhook_secret FROM keys WHERE id = $1 AND revoked_at IS NULL", keyID).Scan(&secret)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return secret.String, err
}
