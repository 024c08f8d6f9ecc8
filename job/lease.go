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

// keepLeases renews the leases of all runs of this process with one statement, often
// enough that a job which was cancelled elsewhere stops within a second. It ends the
// runs whose lease is lost, which includes those whose lease ran out because the
// database did not answer.
func (w *worker) keepLeases(ctx context.Context) {
	t := time.NewTicker(min(w.options.Lease/4, w.options.Poll, watchEvery))
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		runs := w.runs.all()
		if len(runs) == 0 {
			continue
		}
		limited, cancel := context.WithTimeout(ctx, w.options.Lease/4)
		began := time.Now()
		held, err := w.renew(limited, runs...)
		cancel()
		for _, r := range runs {
			conclude, ours := held[r.lease.holder]
			if conclude {
				r.work.conclude()
			}
			switch {
			case ours:
				r.until = began.Add(w.options.Lease)
			case err == nil, time.Now().After(r.until):
				r.end(errLost)
			}
		}
	}
}

// renew extends leases and records the progress of their runs. It returns the holders
// whose lease is still valid; the value is true where the run was asked to stop early.
func (w *worker) renew(ctx context.Context, runs ...*run) (held map[string]bool, err error) {
	args := []any{w.options.Now().Add(w.options.Lease).UnixMilli()}
	var shares, notes strings.Builder
	var ids, holders []string
	for _, r := range runs {
		share, note := r.work.progress()
		n := len(args)
		args = append(args, r.lease.ID, r.lease.holder, storableShare(share), note)
		_, _ = fmt.Fprintf(&shares, " WHEN $%d THEN CAST($%d AS DOUBLE PRECISION)", n+2, n+3) // a Builder takes all
		_, _ = fmt.Fprintf(&notes, " WHEN $%d THEN $%d", n+2, n+4)
		ids, holders = append(ids, fmt.Sprint("$", n+1)), append(holders, fmt.Sprint("$", n+2))
	}
	query := "UPDATE jobs SET lease_until = $1, share = CASE holder" + shares.String() + " ELSE share END, note = CASE holder" + notes.String() + " ELSE note END" +
		" WHERE id IN (" + strings.Join(ids, ", ") + ") AND holder IN (" + strings.Join(holders, ", ") + ") AND state = 'running' RETURNING holder, stop"
	err = w.options.DB.Tx(ctx, func(tx *store.Tx) (err error) {
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

// abandon logs the jobs that did not end within the grace period. Their leases run out,
// after which another worker begins them anew.
func (w *worker) abandon() {
	runs := w.runs.all()
	slices.SortFunc(runs, func(a, b *run) int { return strings.Compare(a.lease.ID, b.lease.ID) })
	for _, r := range runs {
		w.options.Log.Warn("a job did not end when the server stopped; it is begun anew when its lease ends", "job", r.lease.ID, "kind", r.lease.Kind, "waited", w.options.Grace, "lease", w.options.Lease)
	}
}
