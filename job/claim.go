package job

import (
	"context"
	"database/sql"
	"errors"

	"github.com/waygate/waygate/store"
)

// lease is a job that this process may run until the lease ends.
type lease struct {
	*Job
	holder  string
	request []byte // packed
}

// candidates is the number of keys, and of lost jobs, that claim tries at once: other
// workers may take some of them first.
const candidates = 8

// claim leases a job: first one whose holder was lost, then one of the key that has
// waited longest for a turn, by priority and age. It returns nil where no job of the
// kinds waits.
//
// Of several workers the one that updates the row first gets the job: PostgreSQL checks
// the condition again after waiting for another's update, SQLite has one writer.
func (w *worker) claim(ctx context.Context) (*lease, error) {
	now := w.options.Now().UnixMilli()
	lost, err := w.options.DB.Texts(ctx, "SELECT id FROM jobs WHERE state = 'running' AND lease_until <= $1 AND attempts < $2 AND "+w.condition+" ORDER BY lease_until LIMIT $3", now, mostRuns, candidates)
	if err != nil {
		return nil, err
	}
	keys, err := w.options.DB.Texts(ctx, `SELECT w.key_id FROM (SELECT DISTINCT key_id FROM jobs WHERE state = 'queued' AND next_at <= $1 AND `+w.condition+`) w
		LEFT JOIN job_turns t ON t.key_id = w.key_id ORDER BY COALESCE(t.served_at, 0), w.key_id LIMIT $2`, now, candidates)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		first, err := w.options.DB.Texts(ctx, "SELECT id FROM jobs WHERE state = 'queued' AND key_id = $1 AND next_at <= $2 AND "+w.condition+" ORDER BY priority DESC, created_at, id LIMIT 1", key, now)
		if err != nil {
			return nil, err
		}
		lost = append(lost, first...)
	}
	for _, id := range lost {
		l, err := w.take(ctx, id)
		if err != nil || l != nil {
			return l, err
		}
	}
	return nil, nil
}

// take leases one job. It returns nil where another worker was first.
func (w *worker) take(ctx context.Context, id string) (*lease, error) {
	now := w.options.Now()
	l := &lease{holder: w.replica + "/" + newID()}
	err := w.options.DB.Tx(ctx, func(tx *store.Tx) error {
		err := tx.QueryRow(ctx, `UPDATE jobs SET state = 'running', holder = $2, lease_until = $3, attempts = attempts + 1, started_at = COALESCE(started_at, $4), share = 0, note = ''
			WHERE id = $1 AND attempts < $5 AND (state = 'queued' AND next_at <= $4 OR state = 'running' AND lease_until <= $4) RETURNING request`,
			id, l.holder, now.Add(w.options.Lease).UnixMilli(), now.UnixMilli(), mostRuns).Scan(&l.request)
		if err != nil {
			return err
		}
		if l.Job, err = one(ctx, tx, id); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO job_turns (key_id, served_at) VALUES ($1, $2) ON CONFLICT (key_id) DO UPDATE SET served_at = excluded.served_at", l.Key, now.UnixMilli())
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return l, err
}
