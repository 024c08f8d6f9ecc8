package job

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/store"
)

// keepLeases renews the leases of all jobs under way in this process with one
// statement, often enough that a job which was cancelled elsewhere stops within a
// second. It ends the runs whose lease is lost. Where the database does not answer for
// as long as the lease lasts, it is.
func (q *Queue) keepLeases(ctx context.Context) {
	t := time.NewTicker(min(q.options.Lease/4, q.options.Poll, watchEvery))
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		runs := q.underWay()
		if len(runs) == 0 {
			continue
		}
		limited, cancel := context.WithTimeout(ctx, q.options.Lease/4)
		began := time.Now()
		held, err := q.renew(limited, runs...)
		cancel()
		for _, r := range runs {
			conclude, ours := held[r.lease.holder]
			if conclude {
				r.work.conclude()
			}
			switch {
			case ours:
				r.until = began.Add(q.options.Lease)
			case err == nil, time.Now().After(r.until):
				r.end(errLost)
			}
		}
	}
}

// underWay is the jobs that run in this process.
func (q *Queue) underWay() []*run {
	q.mu.Lock()
	defer q.mu.Unlock()
	runs := make([]*run, 0, len(q.running))
	for _, r := range q.running {
		runs = append(runs, r)
	}
	return runs
}

// renew keeps leases and writes down how far the runs are. It gives the holders of
// those that are still held, and whether their run is to end with what it has.
func (q *Queue) renew(ctx context.Context, runs ...*run) (held map[string]bool, err error) {
	args := []any{q.options.Now().Add(q.options.Lease).UnixMilli()}
	var shares, notes strings.Builder
	var ids, holders []string
	for _, r := range runs {
		share, note := r.work.progress()
		n := len(args)
		args = append(args, r.lease.ID, r.lease.holder, sound(share), note)
		_, _ = fmt.Fprintf(&shares, " WHEN $%d THEN CAST($%d AS DOUBLE PRECISION)", n+2, n+3) // a Builder takes all
		_, _ = fmt.Fprintf(&notes, " WHEN $%d THEN $%d", n+2, n+4)
		ids, holders = append(ids, fmt.Sprint("$", n+1)), append(holders, fmt.Sprint("$", n+2))
	}
	query := "UPDATE jobs SET lease_until = $1, share = CASE holder" + shares.String() + " ELSE share END, note = CASE holder" + notes.String() + " ELSE note END" +
		" WHERE id IN (" + strings.Join(ids, ", ") + ") AND holder IN (" + strings.Join(holders, ", ") + ") AND state = 'running' RETURNING holder, stop"
	err = q.options.DB.Tx(ctx, func(tx *store.Tx) (err error) {
		held = map[string]bool{}
		rows, err := tx.Query(ctx, query, args...)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		for rows.Next() {
			var holder string
			var stop int64
			if err := rows.Scan(&holder, &stop); err != nil {
				return err
			}
			held[holder] = stop != 0
		}
		return rows.Err()
	})
	if err != nil {
		return nil, err
	}
	return held, nil
}

// abandon tells which jobs did not end when they were told to. Their leases run out,
// and whoever works on jobs then begins them anew.
func (q *Queue) abandon() {
	runs := q.underWay()
	slices.SortFunc(runs, func(a, b *run) int { return strings.Compare(a.lease.ID, b.lease.ID) })
	for _, r := range runs {
		q.options.Log.Warn("a job did not end when the server stopped; it is begun anew when its lease ends", "job", r.lease.ID, "kind", r.lease.Kind, "waited", q.options.Grace, "lease", q.options.Lease)
	}
}
