package store_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

// otherProcess names the file that a second process of this test writes to.
const otherProcess = "WAYGATE_TEST_WRITES_TO"

const writers, writes = 12, 8

// contend has many writers of one DB read a number and write it back, and as
// many single statements; each adds one.
func contend(ctx context.Context, db *store.DB) error {
	var all sync.WaitGroup
	failed := make(chan error, 2*writers)
	for range writers {
		all.Go(func() {
			for range writes {
				err := db.Tx(ctx, func(tx *store.Tx) error {
					var n int
					if err := tx.QueryRow(ctx, "SELECT n FROM tally WHERE id = 1").Scan(&n); err != nil {
						return err
					}
					_, err := tx.Exec(ctx, "UPDATE tally SET n = $1 WHERE id = 1", n+1)
					return err
				})
				if err != nil {
					failed <- fmt.Errorf("a transaction: %w", err)
					return
				}
			}
		})
		all.Go(func() {
			for range writes {
				if _, err := db.Exec(ctx, "UPDATE tally SET n = n + 1 WHERE id = 1"); err != nil {
					failed <- fmt.Errorf("a statement: %w", err)
					return
				}
				var n int
				if err := db.QueryRow(ctx, "SELECT n FROM tally WHERE id = 1").Scan(&n); err != nil {
					failed <- fmt.Errorf("a reader: %w", err)
					return
				}
			}
		})
	}
	all.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

// TestWritesTo is the second process of TestContention.
func TestWritesTo(t *testing.T) {
	address := os.Getenv(otherProcess)
	if address == "" {
		t.Skip("it is run by TestContention")
	}
	if err := contend(t.Context(), storetest.Open(t, address)); err != nil {
		t.Fatal(err)
	}
}

// Two DBs of this process and two other processes write to one SQLite file as
// fast as they can, on a machine whose cores are all taken: every write comes
// through, none is lost, and nobody is kept out for long.
func TestContention(t *testing.T) {
	address := storetest.SQLite(t)
	one, two := storetest.Open(t, address), storetest.Open(t, address)
	for _, statement := range []string{"CREATE TABLE tally (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)", "INSERT INTO tally (id, n) VALUES (1, 0)"} {
		if _, err := one.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	var burners sync.WaitGroup
	var burnt atomic.Int64
	for range runtime.NumCPU() {
		burners.Go(func() {
			for ctx.Err() == nil {
				burnt.Add(1)
			}
		})
	}
	var all sync.WaitGroup
	for _, procs := range []int{1, 2} {
		all.Go(func() {
			other := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestWritesTo$", "-test.count=1")
			other.Env = append(os.Environ(), otherProcess+"="+address, "GOMAXPROCS="+strconv.Itoa(procs))
			if out, err := other.CombinedOutput(); err != nil {
				t.Errorf("another process: %v\n%s", err, out)
			}
		})
	}
	for _, db := range []*store.DB{one, two} {
		all.Go(func() {
			if err := contend(t.Context(), db); err != nil {
				t.Error(err)
			}
		})
	}
	began := time.Now()
	all.Wait()
	stop()
	burners.Wait()
	var n int
	if err := one.QueryRow(t.Context(), "SELECT n FROM tally WHERE id = 1").Scan(&n); err != nil || n != 4*2*writers*writes {
		t.Errorf("%d writes are there of %d: %v", n, 4*2*writers*writes, err)
	}
	t.Logf("%d writes in %s", n, time.Since(began).Round(time.Millisecond))
}

// However busy another DB's writers are, one that comes is let in soon.
func TestNobodyIsKeptOutAtOnce(t *testing.T) {
	address := storetest.SQLite(t)
	busy, late := storetest.Open(t, address), storetest.Open(t, address)
	if _, err := busy.Exec(t.Context(), "CREATE TABLE notes (n INTEGER)"); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	var done atomic.Int64
	for range 8 {
		all.Go(func() {
			for ctx.Err() == nil {
				err := busy.Tx(context.WithoutCancel(ctx), func(tx *store.Tx) error {
					_, err := tx.Exec(t.Context(), "INSERT INTO notes VALUES (1)")
					time.Sleep(20 * time.Millisecond) // a slow disk
					return err
				})
				if err != nil {
					t.Error(err)
				}
				done.Add(1)
			}
		})
	}
	defer all.Wait()
	defer stop()
	most := int64(0)
	for range 10 {
		for n := done.Load(); done.Load() < n+5; {
			time.Sleep(time.Millisecond)
		}
		before := done.Load()
		if _, err := late.Exec(t.Context(), "INSERT INTO notes VALUES (2)"); err != nil {
			t.Fatal(err)
		}
		most = max(most, done.Load()-before)
	}
	t.Logf("at most %d writes of others went before one", most)
	if most > 50 {
		t.Errorf("a writer waited for %d writes of others", most)
	}
}
