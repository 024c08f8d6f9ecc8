package job_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/waygate/waygate/job"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

// lines is a log that a test reads.
type lines struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

// A kind that does not look at its context keeps no process from stopping: its job is
// named in the log, and begun anew by another when its lease ends. What it comes to in
// the end changes nothing. Time passes only where nobody works, so that who heeds has
// handed back before.
func TestStopAndWorkAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		address := storetest.SQLite(t)
		log := &lines{}
		f := open(t, storetest.Open(t, address), func(o *job.Options) {
			o.Grace, o.Log = 50*time.Millisecond, slog.New(slog.NewTextHandler(log, nil))
		})
		begun, goOn, late := make(chan struct{}, 2), make(chan struct{}), make(chan struct{})
		stop := f.works(t, map[string]job.Kind{"deaf": func(context.Context, *job.Work) ([]byte, error) {
			defer close(late)
			begun <- struct{}{}
			<-goOn
			return []byte("too late"), nil
		}, "heeds": func(ctx context.Context, _ *job.Work) ([]byte, error) {
			begun <- struct{}{}
			<-ctx.Done()
			return nil, ctx.Err()
		}})
		deaf, heeds := f.submit(t, job.Submission{Kind: "deaf"}), f.submit(t, job.Submission{Kind: "heeds"})
		<-begun
		<-begun
		stopped := make(chan struct{})
		go func() { defer close(stopped); stop() }()
		select {
		case <-stopped:
		case <-time.After(waittest.Patience):
			t.Fatal("Run does not end")
		}
		if said := log.String(); !strings.Contains(said, deaf.ID) || strings.Contains(said, heeds.ID) {
			t.Errorf("the log names other jobs than %s: %s", deaf.ID, said)
		}
		f.await(t, "k", deaf.ID, job.Running) // until its lease ends
		f.await(t, "k", heeds.ID, job.Queued)
		other := open(t, storetest.Open(t, address))
		other.now.Store(60)
		other.works(t, map[string]job.Kind{"deaf": echo, "heeds": echo})
		if j := other.await(t, "k", deaf.ID, job.Succeeded); j.Attempts != 2 {
			t.Errorf("%+v", j)
		}
		close(goOn)
		<-late
		if body, err := other.Result(t.Context(), "k", deaf.ID); err != nil || string(body) != "did " || other.recorded(t, deaf.ID) != "succeeded" {
			t.Errorf("%q %v", body, err)
		}
	})
}

// A job that is cancelled ends on whatever replica it runs, however seldom that looks
// for work and however long its leases are. All that it runs is renewed at once.
func TestCancelElsewhere(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		f := open(t, storetest.Open(t, address))
		other := open(t, storetest.Open(t, address), func(o *job.Options) { o.Workers, o.Poll, o.Lease = 3, time.Hour, time.Hour })
		begun, ended := make(chan struct{}, 3), make(chan string, 3)
		var ids []string
		for range 3 {
			ids = append(ids, f.submit(t, job.Submission{Kind: "long"}).ID)
		}
		other.works(t, map[string]job.Kind{"long": func(ctx context.Context, w *job.Work) ([]byte, error) {
			begun <- struct{}{}
			<-ctx.Done()
			ended <- w.ID
			return nil, ctx.Err()
		}})
		for range ids {
			<-begun
		}
		// Of leases that were written one by one no two end at the same moment for
		// long.
		other.now.Store(5)
		waittest.Until(t, "one statement renews all leases", func() bool {
			var n, least int64
			err := f.db.QueryRow(t.Context(), "SELECT COUNT(DISTINCT lease_until), MIN(lease_until) FROM jobs WHERE state = 'running'").Scan(&n, &least)
			return err == nil && n == 1
		})
		for i, id := range ids {
			var err error
			if i == 0 {
				_, err = f.Forget(t.Context(), "k", id)
			} else {
				_, err = f.Cancel(t.Context(), "k", id)
			}
			if err != nil {
				t.Fatal(err)
			}
			select {
			case got := <-ended:
				if got != id {
					t.Errorf("%s has ended, %s was cancelled", got, id)
				}
			case <-time.After(waittest.Patience):
				t.Fatal("it goes on")
			}
		}
	})
}
