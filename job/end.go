package job

import (
	"context"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// ending is the final state of a job and the condition under which it may be set.
type ending struct {
	state   State
	problem string
	result  []byte // packed
	where   string // condition on the row, from $6 on
	args    []any
}

// end ends a job in one transaction and returns it. It returns nil, and changes
// nothing, where the job does not meet the condition any more.
func (q *Queue) end(ctx context.Context, id string, e ending) (j *Job, err error) {
	now := q.options.Now()
	err = q.options.DB.Tx(ctx, func(tx *store.Tx) error {
		j = nil
		n, err := tx.Exec(ctx, `UPDATE jobs SET state = $2, problem = $3, ended_at = $4, expires_at = $5, holder = '', lease_until = 0,
			share = CASE WHEN $2 = 'succeeded' THEN 1 ELSE share END WHERE id = $1 AND `+e.where,
			append([]any{id, string(e.state), e.problem, now.UnixMilli(), now.Add(q.options.Retention).UnixMilli()}, e.args...)...)
		if err != nil || n == 0 {
			return err
		}
		if e.result != nil {
			if err := q.storeResult(ctx, tx, id, e.result); err != nil {
				return err
			}
		}
		ended, err := one(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := q.options.Ended(ctx, tx, ended); err != nil {
			return err
		}
		j = ended
		return nil
	})
	if err != nil {
		return nil, err
	}
	if j != nil {
		q.count(j.Kind, string(j.State))
		q.options.AfterEnd()
	}
	return j, nil
}

// Cancel ends a job of a key that has not ended, whichever process runs it. To cancel
// a cancelled job changes nothing; the error is JobEnded for one that ended otherwise.
func (q *Queue) Cancel(ctx context.Context, key, id string) (*Job, error) {
	j, err := q.end(ctx, id, ending{state: Cancelled, where: "key_id = $6 AND state IN ('queued', 'running')", args: []any{key}})
	if err != nil {
		return nil, store.Unavailable(err)
	}
	if j != nil {
		if r, here := q.runs.find(id); here {
			r.end(errLost)
		}
		return j, nil
	}
	if j, err = q.Get(ctx, key, id); err != nil || j.State == Cancelled {
		return j, err
	}
	return nil, ended(j)
}

// Stop lets the run of a job of a key end early with the result it has so far (see
// Work.Stop), whichever process runs it. A job that has not begun is cancelled; the error
// is JobEnded for one that has ended.
func (q *Queue) Stop(ctx context.Context, key, id string) (*Job, error) {
	for {
		n, err := q.options.DB.Exec(ctx, "UPDATE jobs SET stop = 1 WHERE id = $1 AND key_id = $2 AND (state = 'running' OR state = 'queued' AND attempts > 0)", id, key)
		if err != nil {
			return nil, store.Unavailable(err)
		}
		if n > 0 {
			if r, here := q.runs.find(id); here {
				r.work.conclude()
			}
			return q.Get(ctx, key, id)
		}
		j, err := q.end(ctx, id, ending{state: Cancelled, where: "key_id = $6 AND state = 'queued'", args: []any{key}})
		if err != nil || j != nil {
			return j, store.Unavailable(err)
		}
		if j, err = q.Get(ctx, key, id); err != nil || j.State == Cancelled {
			return j, err
		}
		if j.State.Ended() {
			return nil, ended(j)
		} // else it was begun meanwhile
	}
}

// Forget deletes a job of a key with its request and its result, which makes room for
// others; a job that has not ended is cancelled before. It returns the job's last state.
func (q *Queue) Forget(ctx context.Context, key, id string) (*Job, error) {
	j, err := q.Cancel(ctx, key, id)
	if fault.Is(err, fault.JobEnded) {
		j, err = q.Get(ctx, key, id)
	}
	if err != nil {
		return nil, err
	}
	_, err = q.options.DB.Exec(ctx, "DELETE FROM jobs WHERE id = $1 AND key_id = $2 AND ended_at IS NOT NULL", id, key)
	return j, store.Unavailable(err)
}

// ended is the error of a change to a job that has ended.
func ended(j *Job) error {
	return fault.New(fault.JobEnded, "the job %s has %s: it cannot be cancelled any more", j.ID, j.State).With("state", string(j.State))
}
