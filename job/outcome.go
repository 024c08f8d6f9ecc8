package job

import (
	"context"
	"errors"

	"github.com/waygate/waygate/fault"
)

// succeed ends a job with its result. A result that is too large, or for which the key
// has no room, fails the job.
func (w *worker) succeed(ctx context.Context, l *lease, result []byte) error {
	body, err := pack(result)
	if err != nil {
		return err
	}
	if len(body) > MostPacked {
		return w.giveUp(ctx, l, fault.New(fault.TooLarge, "the result has %d bytes packed and may have %d; ask for less", len(body), int64(MostPacked)).With("limit_bytes", int64(MostPacked)))
	}
	err = stillHeld(w.end(ctx, l.ID, ending{state: Succeeded, result: body, where: ofHolder, args: []any{l.holder}}))
	if fault.Is(err, fault.TooLarge) {
		return w.giveUp(ctx, l, err)
	}
	return err
}

// ofHolder is the condition that the worker still has the lease.
const ofHolder = "holder = $6 AND state = 'running'"

// giveUp ends a job as failed.
func (w *worker) giveUp(ctx context.Context, l *lease, failure error) error {
	text, _ := w.options.Problem(failure)
	return stillHeld(w.end(ctx, l.ID, ending{state: Failed, problem: text, where: ofHolder, args: []any{l.holder}}))
}

// fail ends a job as failed, or puts it back into the queue where another run may help.
func (w *worker) fail(ctx context.Context, l *lease, failure error) error {
	if _, again := w.options.Problem(failure); again && l.Attempts < mostRuns {
		return w.handBack(ctx, l, true)
	}
	return w.giveUp(ctx, l, failure)
}

// handBack puts a job back into the queue, to be run at once or (later) after a pause.
func (w *worker) handBack(ctx context.Context, l *lease, later bool) error {
	at := w.options.Now()
	if later {
		at = at.Add(retryAfter)
	}
	n, err := w.options.DB.Exec(ctx, "UPDATE jobs SET state = 'queued', holder = '', lease_until = 0, next_at = $3 WHERE id = $1 AND holder = $2 AND state = 'running' AND attempts < $4",
		l.ID, l.holder, at.UnixMilli(), mostRuns)
	if err == nil && n > 0 {
		w.count(l.Kind, "again")
	}
	return err
}

// errLost is the error of a run whose lease has ended: another process may have the job.
var errLost = errors.New("the lease was lost")

// stillHeld returns errLost where a job was not ended for want of the lease.
func stillHeld(j *Job, err error) error {
	if err == nil && j == nil {
		return errLost
	}
	return err
}

// errTwice is the failure of a job that was begun mostRuns times and lost each time.
func errTwice() error {
	return fault.New(fault.JobLost, "the job was begun %d times, and each time the server that worked on it stopped; it is not begun again, and is not charged", mostRuns)
}

// sweep fails the jobs that were lost mostRuns times, and deletes those whose time to be
// kept is over.
func (w *worker) sweep(ctx context.Context) error {
	now := w.options.Now().UnixMilli()
	lost, err := w.options.DB.Texts(ctx, "SELECT id FROM jobs WHERE state = 'running' AND lease_until <= $1 AND attempts >= $2 LIMIT $3", now, mostRuns, tidyBatch)
	if err != nil {
		return err
	}
	text, _ := w.options.Problem(errTwice())
	for _, id := range lost {
		j, err := w.end(ctx, id, ending{state: Failed, problem: text, where: "state = 'running' AND lease_until <= $6 AND attempts >= $7", args: []any{now, mostRuns}})
		if err != nil {
			return err
		}
		if j != nil {
			w.count(j.Kind, "lost")
		}
	}
	_, err = w.options.DB.Exec(ctx, "DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE expires_at <= $1 LIMIT $2)", now, tidyBatch)
	if err == nil {
		_, err = w.options.DB.Exec(ctx, "DELETE FROM job_turns WHERE served_at <= $1", now-w.options.Retention.Milliseconds())
	}
	return err
}
