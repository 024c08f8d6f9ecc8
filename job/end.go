package job

import (
	"context"
	"errors"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// ending is how a job ends.
type ending struct {
	state   State
	problem string
	result  []byte // packed
	where   string // condition on the row, from $6 on
	args    []any
}

// end ends a job in one transaction, unless it is not as the condition says any
// more: then it gives nil.
func (q *Queue) end(ctx context.Context, id string, e ending) (j *Job, err error) {
	now := q.options.Now()
	err = q.options.DB.Tx(ctx, func(tx *store.Tx) error {
		j = nil
		n, err := tx.Exec(ctx, `UPDATE jobs SET state = $2, problem = $3, ended_at = $4, expires_at = $5, holder = '', lease_until = 0,
			share = CASE WHEN $2 = 'succeeded' THEN 1 ELSE share END WHERE id = $1 AND `+e.where,
			append([]any{id, string(e.state), e.problem, now.UnixMilli(), now.Add(q.options.Keep).UnixMilli()}, e.args...)...)
		if err != nil || n == 0 {
			return err
		}
		if e.result != nil {
			if err := q.keep(ctx, tx, id, e.result); err != nil {
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
		q.options.Told()
	}
	return j, nil
}

// succeed ends a run that came to a result. One that is too large, or for which the
// key has no room, fails the job.
func (q *Queue) succeed(ctx context.Context, l *lease, result []byte) error {
	body, err := pack(result)
	if err != nil {
		return err
	}
	if len(body) > MostPacked {
		return q.giveUp(ctx, l, fault.New(fault.TooLarge, "the result has %d bytes packed and may have %d; ask for less", len(body), int64(MostPacked)).With("limit_bytes", int64(MostPacked)))
	}
	err = q.held(q.end(ctx, l.ID, ending{state: Succeeded, result: body, where: ofHolder, args: []any{l.holder}}))
	if fault.Is(err, fault.TooLarge) {
		return q.giveUp(ctx, l, err)
	}
	return err
}

// ofHolder is the condition of an ending by who has the lease.
const ofHolder = "holder = $6 AND state = 'running'"

// giveUp ends a run that failed for good.
func (q *Queue) giveUp(ctx context.Context, l *lease, failure error) error {
	text, _ := q.options.Problem(failure)
	return q.held(q.end(ctx, l.ID, ending{state: Failed, problem: text, where: ofHolder, args: []any{l.holder}}))
}

// fail ends a run that failed, or has it run once more.
func (q *Queue) fail(ctx context.Context, l *lease, failure error) error {
	if _, again := q.options.Problem(failure); again && l.Attempts < mostRuns {
		return q.handBack(ctx, l, true)
	}
	return q.giveUp(ctx, l, failure)
}

// handBack puts a job back into the queue, for some time later or for whoever is
// there.
func (q *Queue) handBack(ctx context.Context, l *lease, later bool) error {
	at := q.options.Now()
	if later {
		at = at.Add(retryAfter)
	}
	n, err := q.options.DB.Exec(ctx, "UPDATE jobs SET state = 'queued', holder = '', lease_until = 0, next_at = $3 WHERE id = $1 AND holder = $2 AND state = 'running' AND attempts < $4",
		l.ID, l.holder, at.UnixMilli(), mostRuns)
	if err == nil && n > 0 {
		q.count(l.Kind, "again")
	}
	return err
}

// errLost says that another has the job by now.
var errLost = errors.New("the lease was lost")

func (q *Queue) held(j *Job, err error) error {
	if err == nil && j == nil {
		return errLost
	}
	return err
}

// Cancel ends a job of a key that has not ended, wherever it runs. Cancelled once
// more it stays as it is; one that came to its end is a conflict.
func (q *Queue) Cancel(ctx context.Context, key, id string) (*Job, error) {
	j, err := q.end(ctx, id, ending{state: Cancelled, where: "key_id = $6 AND state IN ('queued', 'running')", args: []any{key}})
	if err != nil {
		return nil, store.Unavailable(err)
	}
	if j != nil {
		if r, here := q.here(id); here {
			r.end(errLost)
		}
		return j, nil
	}
	if j, err = q.Get(ctx, key, id); err != nil || j.State == Cancelled {
		return j, err
	}
	return nil, ended(j)
}

// Stop has the run of a job of a key end with what it has, wherever it runs; its kind says
// what that is. A job that is not begun is cancelled, and one that came to its end is a
// conflict.
func (q *Queue) Stop(ctx context.Context, key, id string) (*Job, error) {
	for {
		n, err := q.options.DB.Exec(ctx, "UPDATE jobs SET stop = 1 WHERE id = $1 AND key_id = $2 AND (state = 'running' OR state = 'queued' AND attempts > 0)", id, key)
		if err != nil {
			return nil, store.Unavailable(err)
		}
		if n > 0 {
			if r, here := q.here(id); here {
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

// Forget cancels a job of a key that has not ended, and deletes it with its request
// and its result, which makes room for others. It gives the job as it was at last.
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

// here is the run of a job in this process.
func (q *Queue) here(id string) (*run, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, r := range q.running {
		if r.work.ID == id {
			return r, true
		}
	}
	return nil, false
}

// ended refuses what cannot be done to a job any more.
func ended(j *Job) error {
	return fault.New(fault.JobEnded, "the job %s has %s: it cannot be cancelled any more", j.ID, j.State).With("state", string(j.State))
}

// errTwice is the failure of a job that was begun as often as it may be.
func errTwice() error {
	return fault.New(fault.JobLost, "the job was begun %d times, and each time the server that worked on it stopped; it is not begun again, and is not charged", mostRuns)
}

// sweep ends the jobs that were begun twice and lost twice, and forgets those that
// ended long ago.
func (q *Queue) sweep(ctx context.Context) error {
	now := q.options.Now().UnixMilli()
	lost, err := q.options.DB.Texts(ctx, "SELECT id FROM jobs WHERE state = 'running' AND lease_until <= $1 AND attempts >= $2 LIMIT $3", now, mostRuns, tidyBatch)
	if err != nil {
		return err
	}
	text, _ := q.options.Problem(errTwice())
	for _, id := range lost {
		j, err := q.end(ctx, id, ending{state: Failed, problem: text, where: "state = 'running' AND lease_until <= $6 AND attempts >= $7", args: []any{now, mostRuns}})
		if err != nil {
			return err
		}
		if j != nil {
			q.count(j.Kind, "lost")
		}
	}
	_, err = q.options.DB.Exec(ctx, "DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE expires_at <= $1 LIMIT $2)", now, tidyBatch)
	if err == nil {
		_, err = q.options.DB.Exec(ctx, "DELETE FROM job_turns WHERE served_at <= $1", now-q.options.Keep.Milliseconds())
	}
	return err
}
