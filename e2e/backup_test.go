package e2e

import (
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/outbox/outboxtest"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

// TestBackup copies the accounts as docs/operating.md says while calls are
// metered, makes more afterwards, and goes back to the copy: it holds every
// key and all that was counted before it began, and serves.
func TestBackup(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		address := storetest.SQLite(t)
		goBack(t, address, func(t *testing.T) string {
			file := filepath.Join(t.TempDir(), "copy.db")
			code, out := command(t, []string{"SVC_DATABASE_URL=" + address}, "backup", file)
			if code != 0 || !strings.Contains(out, "To go back") {
				t.Fatalf("%d: %s", code, out)
			}
			if code, out := command(t, []string{"SVC_DATABASE_URL=" + address}, "backup", file); code == 0 || !strings.Contains(out, "exists") {
				t.Errorf("a backup is written over: %d: %s", code, out)
			}
			return "sqlite:" + file
		})
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		address, empty := storetest.PostgreSQL(t), storetest.PostgreSQL(t)
		if code, out := command(t, []string{"SVC_DATABASE_URL=" + address}, "backup", filepath.Join(t.TempDir(), "x")); code == 0 || !strings.Contains(out, "pg_dump") {
			t.Errorf("%d: %s", code, out)
		}
		goBack(t, address, func(t *testing.T) string {
			file := filepath.Join(t.TempDir(), "copy")
			for _, c := range [][]string{
				{"pg_dump", "--format", "custom", "--file", file, address},
				{"pg_restore", "--exit-on-error", "--dbname", empty, file},
			} {
				if out, err := exec.CommandContext(t.Context(), c[0], c[1:]...).CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", c[0], err, out)
				}
			}
			return empty
		})
	})
}

// goBack serves from the database at address, and then from what copied gives.
func goBack(t *testing.T, address string, copied func(*testing.T) string) {
	mails := outboxtest.SMTP(t)
	g := start(t, accounts(address, mails), "serve", "--region", countyDir(t))
	key, id := mint(t, g, 1_000_000, unlimitedRate)
	for range 20 {
		if o := (traffic{gateway: g, key: key}).once(); o.status != http.StatusOK {
			t.Fatal(o.status)
		}
	}
	waittest.Until(t, "20 units are written", func() bool { _, units := usageOf(t, g, key).total(); return units >= 20 })
	var over atomic.Bool
	var work sync.WaitGroup
	work.Go(func() {
		traffic{gateway: g, key: key, workers: 4}.run(func([]outcome) bool { return over.Load() })
	})
	defer work.Wait()
	defer over.Store(true)
	time.Sleep(time.Second) // some of it is written and some is not
	again := copied(t)
	over.Store(true)
	work.Wait()
	_, after := mint(t, g, 10, 10)
	if err := g.stop(); err != nil {
		t.Fatal(err)
	}

	db := storetest.Open(t, again)
	kept := queryInt(t, db, "SELECT SUM(units) FROM usage_days WHERE key_id = $1", id)
	if n := queryInt(t, db, "SELECT units FROM usage_periods WHERE pool = $1", id); kept < 20 || n != kept {
		t.Errorf("%d units by day, %d by period, at least 20", kept, n)
	}
	if n := queryInt(t, db, "SELECT COUNT(*) FROM keys WHERE id = $1", after); n != 0 {
		t.Error("the copy holds what came after it")
	}
	g = start(t, accounts(again, mails), "serve", "--region", countyDir(t))
	if used := self(t, g, key).Used; used != kept {
		t.Errorf("the key has used %d, the copy holds %d", used, kept)
	}
	if o := (traffic{gateway: g, key: key}).once(); o.status != http.StatusOK {
		t.Error(o.status)
	}
	waittest.Until(t, fmt.Sprintf("%d units are written", kept+1), func() bool { _, units := usageOf(t, g, key).total(); return units == kept+1 })
}

// TestReady checks that a stopping replica says so before it stops to listen,
// and one whose engine is away say that it is not ready, while it is alive.
func TestReady(t *testing.T) {
	t.Parallel()
	g := start(t, []string{"SVC_DRAIN_DELAY=20s"}, "serve", "--region", countyDir(t))
	g.get(t, "/ready").ok(t)
	ended := make(chan error, 1)
	go func() { ended <- g.stop() }()
	waittest.Until(t, "it is no longer ready", func() bool { return g.get(t, "/ready").status == http.StatusServiceUnavailable })
	g.get(t, "/health").ok(t)
	g.send(t, http.MethodPost, "/adr/check", oneUnit).ok(t)
	if err := <-ended; err != nil {
		t.Error(err)
	}

	g = start(t, []string{"SVC_VALHALLA_URL=http://127.0.0.1:1"}, "serve") // where nothing listens
	g.get(t, "/health").ok(t)
	g.get(t, "/ready").refused(t, http.StatusServiceUnavailable, "upstream-unavailable")
}
