package job_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/waygate/waygate/job"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

// workerEnv names the database that this process works on as one that is killed.
const workerEnv = "WAYGATE_JOB_WORKER"

// accounted returns a queue whose jobs are charged one when they are taken, refunded one when
// they fail, and their end is recorded once.
func accounted(ctx context.Context, db *store.DB) (*job.Queue, error) {
	return job.New(ctx, job.Options{
		DB: db, Workers: 2, Poll: 5 * time.Millisecond, Lease: 400 * time.Millisecond, Log: slog.New(slog.DiscardHandler),
		Ended: func(ctx context.Context, tx *store.Tx, j *job.Job) error {
			if _, err := tx.Exec(ctx, "INSERT INTO recorded (id, state) VALUES ($1, $2)", j.ID, string(j.State)); err != nil {
				return err
			}
			if j.State != job.Failed {
				return nil
			}
			_, err := tx.Exec(ctx, "UPDATE account SET units = units - 1")
			return err
		},
	})
}

// workUntilKilled runs a worker in a process that the test kills.
func workUntilKilled(address string) error {
	ctx := context.Background()
	db, err := store.Open(ctx, address, store.Options{})
	if err != nil {
		return err
	}
	q, err := accounted(ctx, db)
	if err != nil {
		return err
	}
	q.Run(ctx, map[string]job.Kind{"echo": func(ctx context.Context, w *job.Work) ([]byte, error) {
		time.Sleep(rand.N(30 * time.Millisecond))
		return w.Request, ctx.Err()
	}})
	return nil
}

// TestKillNine kills workers, each a process of its own, under a load of jobs. None is
// lost, no end is recorded twice, each is begun twice at the most, and what was charged is
// what has succeeded. WAYGATE_KILLS says how many are killed.
func TestKillNine(t *testing.T) {
	kills := 12
	if n, err := strconv.Atoi(os.Getenv("WAYGATE_KILLS")); err == nil {
		kills = n
	}
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address)
		q, err := accounted(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		for _, statement := range []string{"CREATE TABLE recorded (id TEXT PRIMARY KEY, state TEXT NOT NULL)", "CREATE TABLE account (units BIGINT NOT NULL)", "INSERT INTO account VALUES (0)"} {
			if _, err := db.Exec(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		workers := make([]*exec.Cmd, 2)
		start := func(i int) {
			workers[i] = exec.Command(os.Args[0]) //nolint:gosec // this test itself
			workers[i].Env = append(os.Environ(), workerEnv+"="+address)
			if err := workers[i].Start(); err != nil {
				t.Fatal(err)
			}
		}
		kill := func(i int) {
			_ = workers[i].Process.Kill()
			_ = workers[i].Wait()
		}
		for i := range workers {
			start(i)
		}
		defer func() {
			for i := range workers {
				kill(i)
			}
		}()
		jobs := 0
		for n := range kills {
			for range 6 {
				jobs++
				_, _, err := q.Submit(t.Context(), job.Submission{Key: fmt.Sprint("key", jobs%5), Kind: "echo", Request: []byte(fmt.Sprint(jobs)), Accept: func(ctx context.Context, tx *store.Tx, _ string) (string, error) {
					_, err := tx.Exec(ctx, "UPDATE account SET units = units + 1")
					return "1", err
				}})
				if err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(40*time.Millisecond + rand.N(120*time.Millisecond))
			kill(n % len(workers))
			start(n % len(workers))
		}
		waittest.Until(t, "all jobs end", func() bool {
			s, err := q.Stats(t.Context())
			return err == nil && s.Queued+s.Running == 0
		})
		one := func(query string) (n int) {
			t.Helper()
			if err := db.QueryRow(t.Context(), query).Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		succeeded, failed := one("SELECT COUNT(*) FROM recorded WHERE state = 'succeeded'"), one("SELECT COUNT(*) FROM recorded WHERE state = 'failed'")
		if succeeded+failed != jobs || one("SELECT COUNT(*) FROM jobs") != jobs {
			t.Errorf("%d of %d jobs succeeded and %d failed", succeeded, jobs, failed)
		}
		if units := one("SELECT units FROM account"); units != succeeded {
			t.Errorf("%d units for %d jobs that succeeded", units, succeeded)
		}
		if most := one("SELECT MAX(attempts) FROM jobs"); most > 2 {
			t.Errorf("a job was begun %d times", most)
		}
		if results := one("SELECT COUNT(*) FROM job_results"); results != succeeded {
			t.Errorf("%d results of %d jobs that succeeded", results, succeeded)
		}
		t.Logf("%d kills, %d jobs: %d succeeded, %d failed", kills, jobs, succeeded, failed)
	})
}
