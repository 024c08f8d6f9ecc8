package outbox

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/waygate/waygate/store"
)

const (
	// leaseTime is how long a replica has a row to itself. It is far above the
	// longest attempt, so that clocks may differ by a minute.
	leaseTime = 2 * time.Minute
	// retention is how long a row without content stays after its end.
	retention = 7 * 24 * time.Hour
	// candidates is how many due rows are looked at to win one.
	candidates = 8
)

// claim leases a due row of a kind; nil where none is due. Whoever changes
// lease_until first has it: PostgreSQL looks at the condition again after it
// waited for another's update, SQLite has one writer.
func (o *Outbox) claim(ctx context.Context, kind string) (*delivery, error) {
	for {
		due, err := o.due(ctx, kind)
		if err != nil {
			return nil, err
		}
		for _, id := range due {
			d, err := o.lease(ctx, id)
			if err != nil || d != nil {
				return d, err
			}
		}
		if len(due) < candidates {
			return nil, nil
		}
	}
}

func (o *Outbox) due(ctx context.Context, kind string) (due []string, err error) {
	return o.options.DB.Texts(ctx, `SELECT id FROM deliveries
		WHERE state = 'waiting' AND kind = $1 AND next_at <= $2 AND lease_until <= $2 AND expires_at > $2
		ORDER BY next_at LIMIT $3`, kind, o.options.Now().UnixMilli(), candidates)
}

// lease leases one row, or gives nil where another was first.
func (o *Outbox) lease(ctx context.Context, id string) (*delivery, error) {
	now := o.options.Now()
	d := &delivery{id: id}
	var created, expires int64
	err := o.options.DB.Tx(ctx, func(tx *store.Tx) error {
		return tx.QueryRow(ctx, `UPDATE deliveries SET lease_until = $3, attempts = attempts + 1
			WHERE id = $1 AND state = 'waiting' AND next_at <= $2 AND lease_until <= $2 AND expires_at > $2
			RETURNING kind, content, attempts, created_at, expires_at`, id, now.UnixMilli(), now.Add(leaseTime).UnixMilli()).
			Scan(&d.kind, &d.content, &d.attempt, &created, &expires)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	d.created, d.expiresAt = time.UnixMilli(created), time.UnixMilli(expires)
	return d, err
}

// delivered ends a row that was sent, whoever has its lease by now.
func (o *Outbox) delivered(ctx context.Context, d *delivery) error {
	_, err := o.options.DB.Exec(ctx, `UPDATE deliveries SET state = 'delivered', content = NULL, error = '', lease_until = 0, ended_at = $2
		WHERE id = $1 AND state <> 'delivered'`, d.id, o.options.Now().UnixMilli())
	return err
}

// postpone has a row tried again at a time, unless its lease was lost.
func (o *Outbox) postpone(ctx context.Context, d *delivery, at time.Time, reason string) error {
	_, err := o.options.DB.Exec(ctx, `UPDATE deliveries SET next_at = $3, lease_until = 0, error = $4
		WHERE id = $1 AND attempts = $2 AND state = 'waiting'`, d.id, d.attempt, at.UnixMilli(), reason)
	return err
}

// abandon gives a row up, unless its lease was lost.
func (o *Outbox) abandon(ctx context.Context, d *delivery, reason string) error {
	_, err := o.options.DB.Exec(ctx, `UPDATE deliveries SET state = 'failed', content = NULL, lease_until = 0, error = $3, ended_at = $4
		WHERE id = $1 AND attempts = $2 AND state = 'waiting'`, d.id, d.attempt, reason, o.options.Now().UnixMilli())
	return err
}

// deleteOld gives up what has expired and drops what ended long ago.
func (o *Outbox) deleteOld(ctx context.Context) error {
	now := o.options.Now()
	_, err := o.options.DB.Exec(ctx, `UPDATE deliveries SET state = 'failed', content = NULL, ended_at = $1,
		error = CASE error WHEN '' THEN 'expired' ELSE 'expired: ' || error END
		WHERE state = 'waiting' AND expires_at <= $1 AND lease_until <= $1`, now.UnixMilli())
	if err != nil {
		return err
	}
	_, err = o.options.DB.Exec(ctx, "DELETE FROM deliveries WHERE state <> 'waiting' AND ended_at <= $1", now.Add(-retention).UnixMilli())
	return err
}
