package outbox

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/waygate/waygate/store"
)

const (
	// leaseTime is the length of a lease. It is far longer than the longest attempt, so
	// that clocks may differ by a minute.
	leaseTime = 2 * time.Minute
	// retention is how long a row without content stays after its end.
	retention = 7 * 24 * time.Hour
	// candidates is the number of lines that are read from the database at once.
	candidates = 8
)

// deliveries are the tables of what is to be delivered and of the lines in which it waits.
type deliveries struct {
	db      *store.DB
	now     func() time.Time
	timeout time.Duration // of an attempt
}

// claim leases a row of the line whose turn it is. It returns nil where none is due, or
// none of those due may have a slot. Of several replicas the one that updates the line
// first gets the row: PostgreSQL checks the condition again after waiting for another's
// update, SQLite has one writer.
func (t *deliveries) claim(ctx context.Context, l *queue) (*delivery, error) {
	for last := false; ; {
		for of, ok := l.pop(); ok; of, ok = l.pop() {
			d, err := t.lease(ctx, l, of)
			if err != nil || d != nil {
				return d, err
			}
		}
		if last {
			return nil, nil
		}
		due, err := t.due(ctx, l)
		if err != nil {
			return nil, err
		}
		last = len(due) < candidates
		l.push(due)
	}
}

// lease leases the row of a line that is due first. It returns nil where other replicas
// have all of them.
func (t *deliveries) lease(ctx context.Context, l *queue, of line) (*delivery, error) {
	now := t.now()
	d := &delivery{line: of}
	var created, expires int64
	err := t.db.Tx(ctx, func(tx *store.Tx) (err error) {
		if d.failures, err = t.serve(ctx, tx, l, of); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `UPDATE deliveries SET lease_until = $5, attempts = attempts + 1
			WHERE lease_until <= $4 AND id = (SELECT id FROM deliveries
				WHERE state = 'waiting' AND kind = $1 AND owner = $2 AND host = $3 AND next_at <= $4 AND lease_until <= $4 AND expires_at > $4 ORDER BY next_at, id LIMIT 1)
			RETURNING id, content, attempts, created_at, expires_at`, of.kind, of.owner, of.host, now.UnixMilli(), now.Add(leaseTime).UnixMilli()).
			Scan(&d.id, &d.content, &d.attempt, &created, &expires)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	d.created, d.expiresAt = time.UnixMilli(created), time.UnixMilli(expires)
	return d, err
}

// delivered records that a row was sent, even where another replica has its lease by now.
func (t *deliveries) delivered(ctx context.Context, tx *store.Tx, d *delivery) error {
	_, err := tx.Exec(ctx, `UPDATE deliveries SET state = 'delivered', content = NULL, error = '', lease_until = 0, ended_at = $2
		WHERE id = $1 AND state <> 'delivered'`, d.id, t.now().UnixMilli())
	return err
}

// postpone sets the time of the next attempt, unless the lease was lost.
func (t *deliveries) postpone(ctx context.Context, tx *store.Tx, d *delivery, at time.Time, reason string) error {
	if d.host == "" && d.kind == webhookKind { // from before lines, or of an older version
		var c queuedWebhook
		if err := json.Unmarshal([]byte(d.content), &c); err != nil {
			return err
		}
		d.host = receiver(c.URL)
		if err := t.open(ctx, tx, d.line); err != nil {
			return err
		}
	}
	_, err := tx.Exec(ctx, `UPDATE deliveries SET next_at = $3, lease_until = 0, error = $4, host = $5
		WHERE id = $1 AND attempts = $2 AND state = 'waiting'`, d.id, d.attempt, at.UnixMilli(), reason, d.host)
	return err
}

// abandon gives a row up, unless the lease was lost.
func (t *deliveries) abandon(ctx context.Context, tx *store.Tx, d *delivery, reason string) error {
	_, err := tx.Exec(ctx, `UPDATE deliveries SET state = 'failed', content = NULL, lease_until = 0, error = $3, ended_at = $4
		WHERE id = $1 AND attempts = $2 AND state = 'waiting'`, d.id, d.attempt, reason, t.now().UnixMilli())
	return err
}

// deleteOld gives up expired rows and deletes those that ended long ago.
func (t *deliveries) deleteOld(ctx context.Context) error {
	now := t.now()
	_, err := t.db.Exec(ctx, `UPDATE deliveries SET state = 'failed', content = NULL, ended_at = $1,
		error = CASE error WHEN '' THEN 'expired' ELSE 'expired: ' || error END
		WHERE state = 'waiting' AND expires_at <= $1 AND lease_until <= $1`, now.UnixMilli())
	if err != nil {
		return err
	}
	_, err = t.db.Exec(ctx, "DELETE FROM deliveries WHERE state <> 'waiting' AND ended_at <= $1", now.Add(-retention).UnixMilli())
	if err != nil {
		return err
	}
	return t.tidyLines(ctx)
}
