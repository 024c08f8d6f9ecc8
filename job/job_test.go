package job_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/job"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

func TestMain(m *testing.M) {
	if address := os.Getenv(workerEnv); address != "" {
		if err := workUntilKilled(address); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(storetest.Main(m))
}

// office is a queue and what its endings wrote.
type office struct {
	*job.Queue
	db  *store.DB
	now atomic.Int64 // seconds that the clock was put on
}

func open(t *testing.T, db *store.DB, change ...func(*job.Options)) *office {
	t.Helper()
	f := &office{db: db}
	o := job.Options{
		DB: db, Workers: 2, Poll: 2 * time.Millisecond, Log: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return time.Now().Add(time.Duration(f.now.Load()) * time.Second) },
		Ended: func(ctx context.Context, tx *store.Tx, j *job.Job) error {
			_, err := tx.Exec(ctx, "INSERT INTO recorded (id, state) VALUES ($1, $2)", j.ID, string(j.State))
			return err
		},
		Problem: func(err error) (string, bool) { return err.Error(), !fault.Is(err, fault.BadRequest) },
	}
	for _, c := range change {
		c(&o)
	}
	q, err := job.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	// An end that is recorded twice fails on the key.
	if _, err := db.Exec(t.Context(), "CREATE TABLE IF NOT EXISTS recorded (id TEXT PRIMARY KEY, state TEXT NOT NULL)"); err != nil {
		t.Fatal(err)
	}
	f.Queue = q
	return f
}

// works has a queue work until the test, or whoever calls stop, ends it.
func (f *office) works(t *testing.T, kinds map[string]job.Kind) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); f.Run(ctx, kinds) }()
	stop = func() { cancel(); <-ended }
	t.Cleanup(stop)
	return stop
}

func (f *office) submit(t *testing.T, s job.Submission) *job.Job {
	t.Helper()
	if s.Kind == "" {
		s.Kind = "echo"
	}
	if s.Key == "" {
		s.Key = "k"
	}
	j, _, err := f.Submit(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func (f *office) await(t *testing.T, key, id string, want job.State) *job.Job {
	t.Helper()
	var j *job.Job
	waittest.Until(t, fmt.Sprintf("%s is %s", id, want), func() bool {
		var err error
		if j, err = f.Get(t.Context(), key, id); err != nil {
			t.Fatal(err)
		}
		return j.State == want
	})
	return j
}

func (f *office) recorded(t *testing.T, id string) string {
	t.Helper()
	state, err := f.db.Texts(t.Context(), "SELECT state FROM recorded WHERE id = $1", id)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(state, " ")
}

func echo(_ context.Context, w *job.Work) ([]byte, error) {
	return append([]byte("did "), w.Request...), nil
}

func TestJobs(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		f := open(t, storetest.Open(t, address))
		failures := map[string]error{"bad": fault.New(fault.BadRequest, "never"), "flaky": errors.New("once"), "broken": errors.New("always")}
		f.works(t, map[string]job.Kind{"echo": echo, "fails": func(_ context.Context, w *job.Work) ([]byte, error) {
			if name := string(w.Request); name == "panics" {
				panic("a defect")
			} else if name != "flaky" || w.Attempt == 1 {
				return nil, failures[name]
			}
			return []byte("at last"), nil
		}})
		j := f.submit(t, job.Submission{Request: []byte("this"), WebhookURL: "https://x", Priority: 3})
		if j.State != job.Queued || j.Priority != 3 || j.WebhookURL != "https://x" || j.Created.IsZero() {
			t.Errorf("%+v", j)
		}
		j = f.await(t, "k", j.ID, job.Succeeded)
		if body, err := f.Result(t.Context(), "k", j.ID); err != nil || string(body) != "did this" {
			t.Errorf("%s %v", body, err)
		}
		if j.Share != 1 || j.Started == nil || j.Finished == nil || j.Expires.Sub(*j.Finished) != 7*24*time.Hour || f.recorded(t, j.ID) != "succeeded" {
			t.Errorf("%+v", j)
		}
		// It is its key's alone.
		for _, get := range []func() error{
			func() error { _, err := f.Get(t.Context(), "other", j.ID); return err },
			func() error { _, err := f.Result(t.Context(), "other", j.ID); return err },
			func() error { _, err := f.Request(t.Context(), "other", j.ID); return err },
			func() error { _, err := f.Cancel(t.Context(), "other", j.ID); return err },
			func() error { _, err := f.Get(t.Context(), "k", "job_none"); return err },
		} {
			if err := get(); !fault.Is(err, fault.NotFound) {
				t.Error(err)
			}
		}
		for name, want := range map[string]struct {
			state job.State
			runs  int
		}{"bad": {job.Failed, 1}, "flaky": {job.Succeeded, 2}, "broken": {job.Failed, 2}, "panics": {job.Failed, 2}} {
			j := f.submit(t, job.Submission{Kind: "fails", Request: []byte(name)})
			waittest.Until(t, name, func() bool {
				f.now.Add(1)
				j, _ = f.Get(t.Context(), "k", j.ID)
				return j.State.Ended()
			})
			if j.State != want.state || j.Attempts != want.runs || f.recorded(t, j.ID) != string(want.state) {
				t.Errorf("%s: %+v", name, j)
			}
		}
		list, err := f.List(t.Context(), "k", "", 3, 1)
		failed, err2 := f.List(t.Context(), "k", job.Failed, 10, 0)
		if err := errors.Join(err, err2); err != nil || len(list) != 3 || len(failed) != 3 {
			t.Errorf("%d %d %v", len(list), len(failed), err)
		}
		// A job that ended long ago is forgotten.
		f.now.Add(8 * 24 * 3600)
		waittest.Until(t, "all are forgotten", func() bool {
			list, err := f.List(t.Context(), "k", "", 10, 0)
			return err == nil && len(list) == 0
		})
	})
}

func TestIdempotency(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		f := open(t, storetest.Open(t, address))
		var charged atomic.Int64
		send := func(request, idempotency string) (*job.Job, bool, error) {
			return f.Submit(t.Context(), job.Submission{Key: "k", Kind: "echo", Request: []byte(request), Idempotency: idempotency, Accept: func(context.Context, *store.Tx, string) (string, error) {
				charged.Add(1)
				return "c", nil
			}})
		}
		first, again, err := send("a", "one")
		if err != nil || again || first.Charge != "c" {
			t.Fatal(first, again, err)
		}
		var all sync.WaitGroup
		var ids sync.Map
		for range 20 {
			all.Go(func() {
				j, _, err := send("b", "two")
				if err != nil {
					t.Error(err)
					return
				}
				ids.Store(j.ID, true)
			})
		}
		all.Wait()
		n := 0
		ids.Range(func(any, any) bool { n++; return true })
		if n != 1 {
			t.Errorf("%d jobs of one idempotency key", n)
		}
		same, again, err := send("a", "one")
		if err != nil || !again || same.ID != first.ID {
			t.Errorf("%v %v %v", same, again, err)
		}
		if _, _, err := send("other", "one"); !fault.Is(err, fault.IdempotencyConflict) {
			t.Error(err)
		}
		// A job whose charge is refused is not taken.
		_, _, err = f.Submit(t.Context(), job.Submission{Key: "poor", Kind: "echo", Accept: func(context.Context, *store.Tx, string) (string, error) {
			return "", fault.New(fault.QuotaExceeded, "no")
		}})
		if list, _ := f.List(t.Context(), "poor", "", 10, 0); !fault.Is(err, fault.QuotaExceeded) || len(list) != 0 {
			t.Errorf("%v %v", err, list)
		}
		for range job.MostQueued {
			_, _, err = f.Submit(t.Context(), job.Submission{Key: "many", Kind: "echo"})
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err = f.Submit(t.Context(), job.Submission{Key: "many", Kind: "echo"}); !fault.Is(err, fault.JobsTooMany) {
			t.Error(err)
		}
	})
}

// A full queue takes nothing from anybody and charges nothing, gives what it took before, and
// takes the next once one of those that wait has gone.
func TestFull(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address)
		f := open(t, db)
		first := f.submit(t, job.Submission{Idempotency: "first"})
		fill := fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			INSERT INTO jobs (id, key_id, kind, state, priority, request, digest, webhook_url, charge, created_at)
			SELECT CONCAT('job_', i), CONCAT('key_', i), kind, state, priority, request, digest, webhook_url, charge, created_at FROM jobs, n`, job.MostWaiting-1)
		if n, err := db.Exec(t.Context(), fill); err != nil || n != job.MostWaiting-1 {
			t.Fatal(n, err)
		}
		charged := 0
		next := job.Submission{Key: "new", Kind: "echo", Accept: func(context.Context, *store.Tx, string) (string, error) {
			charged++
			return "", nil
		}}
		var e *fault.Error
		if _, _, err := f.Submit(t.Context(), next); !errors.As(err, &e) || !fault.Is(err, fault.UpstreamUnavailable) || e.Fields["limit"] != job.MostWaiting || charged != 0 {
			t.Errorf("%v, charged %d times", err, charged)
		}
		if j, again, err := f.Submit(t.Context(), job.Submission{Key: "k", Kind: "echo", Idempotency: "first"}); err != nil || !again || j.ID != first.ID {
			t.Errorf("%v %v %v", j, again, err)
		}
		if _, err := f.Cancel(t.Context(), "k", first.ID); err != nil {
			t.Fatal(err)
		}
		if _, _, err := f.Submit(t.Context(), next); err != nil || charged != 1 {
			t.Errorf("%v, charged %d times", err, charged)
		}
	})
}

// TestBoundsAtOnce: neither bound is passed by calls at once, on any replica.
func TestBoundsAtOnce(t *testing.T) {
	const free, calls = 3, 24
	storetest.Each(t, func(t *testing.T, address string) {
		first := open(t, storetest.Open(t, address))
		replicas := []*office{first, open(t, storetest.Open(t, address))}
		seed := first.submit(t, job.Submission{Key: "seed"})
		fill := func(name, key string, n int) {
			t.Helper()
			query := fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
				INSERT INTO jobs (id, key_id, kind, state, priority, request, digest, webhook_url, charge, created_at)
				SELECT CONCAT('%s', i), %s, kind, state, priority, request, digest, webhook_url, charge, created_at FROM jobs, n WHERE id = $1`, n, name, key)
			if _, err := first.db.Exec(t.Context(), query, seed.ID); err != nil {
				t.Fatal(err)
			}
		}
		taken := func(slug fault.Slug, key func(i int) string) int64 {
			t.Helper()
			var all sync.WaitGroup
			var taken, charged atomic.Int64
			for i := range calls {
				all.Go(func() {
					_, _, err := replicas[i%len(replicas)].Submit(t.Context(), job.Submission{Key: key(i), Kind: "echo", Accept: func(context.Context, *store.Tx, string) (string, error) {
						charged.Add(1)
						return "", nil
					}})
					if err == nil {
						taken.Add(1)
					} else if !fault.Is(err, slug) {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if taken.Load() != charged.Load() {
				t.Errorf("%d jobs taken and %d charged", taken.Load(), charged.Load())
			}
			return taken.Load()
		}
		fill("mine", "'busy'", job.MostQueued-free)
		if n := taken(fault.JobsTooMany, func(int) string { return "busy" }); n != free {
			t.Errorf("%d jobs of a key with room for %d", n, free)
		}
		fill("all", "CONCAT('key', i)", job.MostWaiting-free-job.MostQueued-1)
		if n := taken(fault.UpstreamUnavailable, func(i int) string { return fmt.Sprint("new", i) }); n != free {
			t.Errorf("%d jobs of a queue with room for %d", n, free)
		}
	})
}

// Keys take turns, and a key's jobs go by priority and then by age.
func TestFair(t *testing.T) {
	f := open(t, storetest.Open(t, storetest.SQLite(t)), func(o *job.Options) { o.Workers = 1 })
	for i := range 6 {
		f.submit(t, job.Submission{Key: "greedy", Request: []byte(fmt.Sprint("greedy", i))})
		f.now.Add(1)
	}
	f.submit(t, job.Submission{Key: "modest", Request: []byte("modest0")})
	f.submit(t, job.Submission{Key: "greedy", Request: []byte("urgent"), Priority: 9})
	var mu sync.Mutex
	var order []string
	f.works(t, map[string]job.Kind{"echo": func(_ context.Context, w *job.Work) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, string(w.Request))
		f.now.Add(1)
		return nil, nil
	}})
	waittest.Until(t, "all ran", func() bool { mu.Lock(); defer mu.Unlock(); return len(order) == 8 })
	if want := []string{"urgent", "modest0", "greedy0", "greedy1", "greedy2", "greedy3", "greedy4", "greedy5"}; !slices.Equal(order, want) {
		t.Errorf("%v", order)
	}
}

func TestCancel(t *testing.T) {
	f := open(t, storetest.Open(t, storetest.SQLite(t)), func(o *job.Options) { o.Workers = 1 })
	began, ended := make(chan struct{}), make(chan struct{})
	f.works(t, map[string]job.Kind{"echo": echo, "long": func(ctx context.Context, w *job.Work) ([]byte, error) {
		w.Progress(0.5, "half")
		close(began)
		<-ctx.Done()
		close(ended)
		return []byte("too late"), nil
	}})
	long := f.submit(t, job.Submission{Kind: "long"})
	<-began
	waits := f.submit(t, job.Submission{})
	waittest.Until(t, "progress is seen", func() bool {
		j, err := f.Get(t.Context(), "k", long.ID)
		return err == nil && j.Share == 0.5 && j.Note == "half"
	})
	for _, j := range []*job.Job{waits, long} {
		for range 2 {
			if j, err := f.Cancel(t.Context(), "k", j.ID); err != nil || j.State != job.Cancelled {
				t.Fatal(j, err)
			}
		}
	}
	<-ended
	done := f.submit(t, job.Submission{})
	f.await(t, "k", done.ID, job.Succeeded)
	if _, err := f.Cancel(t.Context(), "k", done.ID); !fault.Is(err, fault.JobEnded) {
		t.Error(err)
	}
	for _, j := range []*job.Job{waits, long} {
		if f.await(t, "k", j.ID, job.Cancelled); f.recorded(t, j.ID) != "cancelled" {
			t.Errorf("%s", f.recorded(t, j.ID))
		}
		if _, err := f.Result(t.Context(), "k", j.ID); !fault.Is(err, fault.NotFound) {
			t.Error("a cancelled job has a result")
		}
	}
}

// A job that is stopped early does so wherever it runs, and whoever runs it
// after a process was lost or stopped.
func TestStopWithWhatThereIs(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address)
		f, other := open(t, db), open(t, db, func(o *job.Options) { o.Workers = 1 })
		for _, caller := range []*office{f, other} {
			if _, err := caller.Stop(t.Context(), "k", "job_none"); !fault.Is(err, fault.NotFound) {
				t.Error(err)
			}
		}
		begun := make(chan struct{}, 2)
		kinds := map[string]job.Kind{"plan": func(ctx context.Context, w *job.Work) ([]byte, error) {
			begun <- struct{}{}
			select {
			case <-w.Stop():
				return []byte("the best so far"), nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}}
		stop := other.works(t, kinds)
		for _, caller := range []*office{f, other} { // from another process, and from its own
			j := f.submit(t, job.Submission{Kind: "plan"})
			<-begun
			waits := f.submit(t, job.Submission{Kind: "plan"})
			if j, err := caller.Stop(t.Context(), "k", waits.ID); err != nil || j.State != job.Cancelled {
				t.Errorf("one that waits: %+v %v", j, err)
			}
			if _, err := caller.Stop(t.Context(), "another", j.ID); !fault.Is(err, fault.NotFound) {
				t.Error(err)
			}
			if _, err := caller.Stop(t.Context(), "k", j.ID); err != nil {
				t.Error(err)
			}
			j = f.await(t, "k", j.ID, job.Succeeded)
			if body, err := f.Result(t.Context(), "k", j.ID); err != nil || string(body) != "the best so far" || j.Stopping || f.recorded(t, j.ID) != "succeeded" {
				t.Errorf("%+v %s %v", j, body, err)
			}
			if _, err := caller.Stop(t.Context(), "k", j.ID); !fault.Is(err, fault.JobEnded) {
				t.Error(err)
			}
		}
		j := f.submit(t, job.Submission{Kind: "plan"})
		<-begun
		stop()
		f.await(t, "k", j.ID, job.Queued)
		if j, err := f.Stop(t.Context(), "k", j.ID); err != nil || !j.Stopping || j.State != job.Queued {
			t.Errorf("one that was handed back: %+v %v", j, err)
		}
		f.works(t, kinds)
		f.await(t, "k", j.ID, job.Succeeded)
	})
}

// A process that is lost leaves its job to another, once; a process that was only
// slow cannot end what is no longer its own.
func TestLost(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address)
		begun, goOn := make(chan string, 10), make(chan struct{})
		slow := open(t, db, func(o *job.Options) { o.Workers, o.Poll = 1, time.Hour })
		alive := open(t, db)
		j := alive.submit(t, job.Submission{Kind: "stuck"})
		stop := slow.works(t, map[string]job.Kind{"stuck": func(_ context.Context, w *job.Work) ([]byte, error) {
			begun <- w.ID
			<-goOn // as in a process that died: until then it neither renews nor ends
			return []byte("too late"), nil
		}})
		defer stop()
		defer close(goOn)
		<-begun
		alive.now.Add(60)
		alive.works(t, map[string]job.Kind{"stuck": echo})
		if got := alive.await(t, "k", j.ID, job.Succeeded); got.Attempts != 2 || alive.recorded(t, j.ID) != "succeeded" {
			t.Errorf("%+v", got)
		}
	})
	t.Run("twice", func(t *testing.T) {
		f := open(t, storetest.Open(t, storetest.SQLite(t)), func(o *job.Options) { o.Lease, o.Workers = time.Second, 1 })
		j := f.submit(t, job.Submission{Kind: "slow"})
		if _, err := f.db.Exec(t.Context(), "UPDATE jobs SET state = 'running', attempts = 2, holder = 'gone', lease_until = 1 WHERE id = $1", j.ID); err != nil {
			t.Fatal(err)
		}
		f.works(t, map[string]job.Kind{"slow": echo})
		if got := f.await(t, "k", j.ID, job.Failed); !strings.Contains(got.Problem, "begun 2 times") || f.recorded(t, j.ID) != "failed" {
			t.Errorf("%+v", got)
		}
	})
}

// A process that stops hands its job back.
func TestStop(t *testing.T) {
	f := open(t, storetest.Open(t, storetest.SQLite(t)), func(o *job.Options) { o.Workers = 1 })
	begun := make(chan struct{}, 1)
	stop := f.works(t, map[string]job.Kind{"long": func(ctx context.Context, w *job.Work) ([]byte, error) {
		if w.Attempt == 2 {
			return nil, nil
		}
		begun <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	j := f.submit(t, job.Submission{Kind: "long"})
	<-begun
	stop()
	if j = f.await(t, "k", j.ID, job.Queued); j.Attempts != 1 {
		t.Errorf("%+v", j)
	}
}

// Several processes on one database run each job once where nobody dies.
func TestManyAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address)
		var runs atomic.Int64
		kinds := map[string]job.Kind{"echo": func(ctx context.Context, w *job.Work) ([]byte, error) { runs.Add(1); return echo(ctx, w) }}
		first := open(t, db)
		for range 2 {
			open(t, db, func(o *job.Options) { o.Lease = waittest.Patience }).works(t, kinds) // none is begun anew because it is slow
		}
		jobs := 120
		if testing.Short() {
			jobs = 40
		}
		var sending sync.WaitGroup
		for k := range 4 {
			sending.Go(func() {
				for i := range jobs / 4 {
					if _, _, err := first.Submit(t.Context(), job.Submission{Key: fmt.Sprint("key", k), Kind: "echo", Request: []byte{byte(i)}}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		sending.Wait()
		waittest.Until(t, "all ended", func() bool {
			s, err := first.Stats(t.Context())
			return err == nil && s.Queued == 0 && s.Running == 0
		})
		recorded, err := db.Texts(t.Context(), "SELECT id FROM recorded WHERE state = 'succeeded'")
		if err != nil || len(recorded) != jobs || runs.Load() != int64(jobs) {
			t.Errorf("%d recorded, %d runs of %d jobs: %v", len(recorded), runs.Load(), jobs, err)
		}
	})
}
