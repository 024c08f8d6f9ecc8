package job_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/job"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

var quiet = slog.New(slog.DiscardHandler)

// noise is bytes that no packing makes fewer.
func noise(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // it never fails
	return b
}

func (f *office) kept(t *testing.T, key string) (bytes int64) {
	t.Helper()
	err := f.db.QueryRow(t.Context(), "SELECT CAST(COALESCE(SUM(LENGTH(request)), 0) + COALESCE(SUM(LENGTH(body)), 0) AS BIGINT) FROM jobs LEFT JOIN job_results ON job_id = id WHERE key_id = $1", key).Scan(&bytes)
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

// A key's jobs have so much room together. With all of it taken new ones are refused and
// charged nothing, other keys have theirs, and deleting jobs makes room.
func TestRoom(t *testing.T) {
	const most, size = 100_000, 30_000
	storetest.Each(t, func(t *testing.T, address string) {
		f := open(t, storetest.Open(t, address), func(o *job.Options) { o.Room = most })
		f.works(t, map[string]job.Kind{"noise": func(context.Context, *job.Work) ([]byte, error) { return noise(size), nil }})
		var done []*job.Job
		for range 3 {
			done = append(done, f.await(t, "k", f.submit(t, job.Submission{Kind: "noise"}).ID, job.Succeeded))
		}
		charged := 0
		next := job.Submission{Key: "k", Kind: "noise", Request: noise(10_000), Accept: func(context.Context, *store.Tx, string) (string, error) {
			charged++
			return "", nil
		}}
		var e *fault.Error
		if _, _, err := f.Submit(t.Context(), next); !errors.As(err, &e) || !fault.Is(err, fault.JobsTooMany) || e.Fields["limit_bytes"] != int64(most) || !strings.Contains(err.Error(), fmt.Sprint(most)) || charged != 0 {
			t.Errorf("%v, charged %d times", err, charged)
		}
		if wait, ok := e.Fields["retry_after"].(int64); !ok || wait < 6*24*3600 || wait > 7*24*3600 {
			t.Errorf("to come back after %v s", e.Fields["retry_after"])
		}
		// A small request has room, its result has not: the job fails, and its end is recorded.
		full := f.await(t, "k", f.submit(t, job.Submission{Kind: "noise"}).ID, job.Failed)
		if !strings.Contains(full.Problem, fmt.Sprint(most)) || f.recorded(t, full.ID) != "failed" {
			t.Errorf("%+v", full)
		}
		f.await(t, "other", f.submit(t, job.Submission{Key: "other", Kind: "noise"}).ID, job.Succeeded)
		if _, err := f.Forget(t.Context(), "other", done[0].ID); !fault.Is(err, fault.NotFound) {
			t.Error(err)
		}
		if j, err := f.Forget(t.Context(), "k", done[0].ID); err != nil || j.State != job.Succeeded {
			t.Errorf("%+v %v", j, err)
		}
		for _, gone := range []func() error{
			func() error { _, err := f.Get(t.Context(), "k", done[0].ID); return err },
			func() error { _, err := f.Result(t.Context(), "k", done[0].ID); return err },
			func() error { _, err := f.Forget(t.Context(), "k", done[0].ID); return err },
		} {
			if err := gone(); !fault.Is(err, fault.NotFound) {
				t.Error(err)
			}
		}
		if left := f.kept(t, "k"); left > 2*size+2_000 {
			t.Errorf("%d bytes are left", left)
		}
		if _, _, err := f.Submit(t.Context(), next); err != nil || charged != 1 {
			t.Errorf("%v, charged %d times", err, charged)
		}
	})
}

// Results that come at once, on several replicas, pass the limit of their key no more
// than those that come one by one.
func TestRoomAtOnce(t *testing.T) {
	const most, size, jobs = 100_000, 20_000, 16
	storetest.Each(t, func(t *testing.T, address string) {
		replicas := []*office{}
		var begun atomic.Int64
		all := make(chan struct{})
		for range 2 {
			f := open(t, storetest.Open(t, address), func(o *job.Options) { o.Room, o.Workers = most, jobs/2 })
			replicas = append(replicas, f)
		}
		for range jobs {
			replicas[0].submit(t, job.Submission{Kind: "noise"})
		}
		for _, f := range replicas {
			f.works(t, map[string]job.Kind{"noise": func(context.Context, *job.Work) ([]byte, error) {
				if begun.Add(1) == jobs {
					close(all)
				}
				<-all
				return noise(size), nil
			}})
		}
		waittest.Until(t, "all ended", func() bool {
			s, err := replicas[0].Stats(t.Context())
			return err == nil && s.Queued+s.Running == 0
		})
		good, err := replicas[0].List(t.Context(), "k", job.Succeeded, 100, 0)
		if err != nil || len(good) != 4 {
			t.Errorf("%d results, room is for 4; %v", len(good), err)
		}
		if n := replicas[0].kept(t, "k"); n > most {
			t.Errorf("%d bytes are kept of %d", n, most)
		}
	})
}

// One that is deleted before it began, or while it runs, is cancelled first.
func TestForgetUnended(t *testing.T) {
	f := open(t, storetest.Open(t, storetest.SQLite(t)), func(o *job.Options) { o.Workers = 1 })
	begun, ended := make(chan struct{}), make(chan struct{})
	f.works(t, map[string]job.Kind{"long": func(ctx context.Context, _ *job.Work) ([]byte, error) {
		close(begun)
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	}})
	runs := f.submit(t, job.Submission{Kind: "long"})
	<-begun
	waits := f.submit(t, job.Submission{Kind: "long"})
	for _, j := range []*job.Job{waits, runs} {
		if got, err := f.Forget(t.Context(), "k", j.ID); err != nil || got.State != job.Cancelled || f.recorded(t, j.ID) != "cancelled" {
			t.Errorf("%+v %v", got, err)
		}
		if _, err := f.Get(t.Context(), "k", j.ID); !fault.Is(err, fault.NotFound) {
			t.Error(err)
		}
	}
	<-ended
}

// Jobs from before the limit count too.
func TestRoomOfOldJobs(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db, before := storetest.Open(t, address), fstest.MapFS{}
		for _, name := range []string{"00001_jobs.sql", "00002_stop.sql", "00003_gate.sql"} {
			text, err := fs.ReadFile(os.DirFS("migrations"), name)
			if err != nil {
				t.Fatal(err)
			}
			before[name] = &fstest.MapFile{Data: text}
		}
		if err := db.Migrate(t.Context(), "job", before, quiet); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(t.Context(), "INSERT INTO jobs (id, key_id, kind, state, request, digest, created_at, ended_at, expires_at) VALUES ('job_old', 'k', 'echo', 'succeeded', $1, '', 1, 1, 99999999999999)", noise(1000)); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(t.Context(), "INSERT INTO job_results (job_id, body) VALUES ('job_old', $1)", noise(50_000)); err != nil {
			t.Fatal(err)
		}
		f := open(t, db, func(o *job.Options) { o.Room = 53_000 })
		if _, _, err := f.Submit(t.Context(), job.Submission{Key: "k", Kind: "echo"}); !fault.Is(err, fault.JobsTooMany) {
			t.Error(err)
		}
		if _, err := f.Forget(t.Context(), "k", "job_old"); err != nil {
			t.Error(err)
		}
		f.submit(t, job.Submission{})
	})
}
