package job

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// checkRoom returns an error where the queue, or the room of a key, is full.
func (q *Queue) checkRoom(ctx context.Context, tx *store.Tx, key string, request []byte) error {
	var mine, all int64
	err := tx.QueryRow(ctx, "SELECT COUNT(*), COUNT(CASE WHEN key_id = $1 THEN 1 END) FROM jobs WHERE state = 'queued'", key).Scan(&all, &mine)
	switch {
	case err != nil:
		return fmt.Errorf("count what waits: %w", err)
	case mine >= MostQueued:
		return fault.New(fault.JobsTooMany, "%d jobs of this key wait, and no more may: come back when some are done", mine).With("limit", MostQueued).With("retry_after", 10)
	case all >= MostWaiting:
		return fault.New(fault.UpstreamUnavailable, "the queue is full: %d jobs wait", all).With("limit", MostWaiting).With("retry_after", 30)
	}
	used, err := q.taken(ctx, tx, key)
	if err != nil {
		return err
	}
	if wanted := int64(len(request)) + rowBytes; used+wanted > q.options.Room {
		var first sql.NullInt64
		if err := tx.QueryRow(ctx, "SELECT MIN(expires_at) FROM jobs WHERE key_id = $1", key).Scan(&first); err != nil {
			return fmt.Errorf("see when a job of the key is forgotten: %w", err)
		}
		wait := 10 * time.Second
		if first.Valid {
			wait = max(wait, time.UnixMilli(first.Int64).Sub(q.options.Now()))
		}
		return fault.New(fault.JobsTooMany, "the jobs of this key take %d bytes with their results, this one takes %d more, and all may take %d: delete jobs that have ended (DELETE /v1/jobs/{id}?forget=true), or come back when the oldest is forgotten", used, wanted, q.options.Room).
			With("limit_bytes", q.options.Room).With("retry_after", int64(wait/time.Second))
	}
	return nil
}

// taken returns the bytes that the jobs of a key take.
func (q *Queue) taken(ctx context.Context, tx *store.Tx, key string) (used int64, err error) {
	if err = tx.QueryRow(ctx, "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM jobs WHERE key_id = $1", key).Scan(&used); err != nil {
		err = fmt.Errorf("add up what the jobs of a key take: %w", err)
	}
	return used, err
}

// storeResult stores the result of a job. The error is TooLarge where the key has no
// room for it.
func (q *Queue) storeResult(ctx context.Context, tx *store.Tx, id string, result []byte) error {
	// This locks a row of the key, so that the second of two results stored at once
	// counts the first.
	var key string
	err := tx.QueryRow(ctx, `INSERT INTO job_turns (key_id, served_at) SELECT key_id, 0 FROM jobs WHERE id = $1
		ON CONFLICT (key_id) DO UPDATE SET served_at = job_turns.served_at RETURNING key_id`, id).Scan(&key)
	if err != nil {
		return fmt.Errorf("wait to keep a result: %w", err)
	}
	used, err := q.taken(ctx, tx, key)
	if err != nil {
		return err
	}
	if n := int64(len(result)); used+n > q.options.Room {
		return fault.New(fault.TooLarge, "the result has %d bytes packed, the other jobs of this key take %d with their results, and all may take %d: delete jobs that have ended (DELETE /v1/jobs/{id}?forget=true) and ask again", n, used, q.options.Room).With("limit_bytes", q.options.Room)
	}
	if _, err := tx.Exec(ctx, "INSERT INTO job_results (job_id, body) VALUES ($1, $2)", id, result); err != nil {
		return fmt.Errorf("keep a result: %w", err)
	}
	if _, err := tx.Exec(ctx, "UPDATE jobs SET bytes = bytes + $2 WHERE id = $1", id, int64(len(result))); err != nil {
		return fmt.Errorf("count a result: %w", err)
	}
	return nil
}
