package store_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// accounts opens an empty database with some balances.
func accounts(t *testing.T, address string, owners ...string) *store.DB {
	t.Helper()
	db := storetest.Open(t, address)
	if _, err := db.Exec(t.Context(), "CREATE TABLE accounts (owner TEXT PRIMARY KEY, balance BIGINT NOT NULL)"); err != nil {
		t.Fatal(err)
	}
	for _, owner := range owners {
		if n, err := db.Exec(t.Context(), "INSERT INTO accounts (owner, balance) VALUES ($1, $2)", owner, 100); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
	return db
}

func balance(t *testing.T, q store.Querier, owner string) (pence int64) {
	t.Helper()
	if err := q.QueryRow(t.Context(), "SELECT balance FROM accounts WHERE owner = $1", owner).Scan(&pence); err != nil {
		t.Fatal(err)
	}
	return pence
}

func TestOpenRefuses(t *testing.T) {
	for address, want := range map[string]string{
		"":                                "must start with sqlite: or postgres://",
		"mysql://root:secret@host/db":     "must start with sqlite: or postgres://",
		"postgres//root:secret@host":      "must start with sqlite: or postgres://",
		"sqlite:":                         "names no file",
		"sqlite:/dev/null/folder/file.db": "open SQLite",
		"postgres://root:secret@127.0.0.1:1/db?sslmode=disable": "open PostgreSQL",
	} {
		db, err := store.Open(t.Context(), address, store.Options{})
		if err == nil {
			_ = db.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v, want %q and no password", address, err, want)
		}
	}
}

// TestSQLiteFile makes the folders of a file, keeps what was written, and takes
// a path with characters that an address gives a meaning.
func TestSQLiteFile(t *testing.T) {
	address := "sqlite:" + filepath.Join(t.TempDir(), "new", "a folder?#%41", "data.db")
	db := accounts(t, address, "ada")
	if db.Dialect != store.SQLite {
		t.Errorf("the dialect is %q", db.Dialect)
	}
	again, err := store.Open(t.Context(), address, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := balance(t, again, "ada"); got != 100 {
		t.Errorf("%d pence are there", got)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
	if err := again.Ping(t.Context()); err == nil {
		t.Error("a closed database answers")
	}
	if _, err := os.Stat(strings.TrimPrefix(address, "sqlite:")); err != nil {
		t.Error(err)
	}
}

// TestReading has queries outside a transaction only read, where the dialect
// can tell, and reads several rows.
func TestReading(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := accounts(t, address, "bob", "ada")
		owners, err := db.Texts(t.Context(), "SELECT owner FROM accounts WHERE balance = $1 ORDER BY owner", 100)
		if err != nil || !slices.Equal(owners, []string{"ada", "bob"}) {
			t.Errorf("%q, %v", owners, err)
		}
		if none, err := db.Texts(t.Context(), "SELECT owner FROM accounts WHERE balance < $1", 0); err != nil || len(none) != 0 {
			t.Errorf("%q, %v", none, err)
		}
		if _, err := db.Texts(t.Context(), "SELECT nothing FROM accounts"); err == nil {
			t.Error("a column that is not there is read")
		}
		if n, err := db.Exec(t.Context(), "UPDATE accounts SET balance = balance + 1"); n != 2 || err != nil {
			t.Errorf("%d rows touched, %v", n, err)
		}
		if db.Dialect != store.SQLite {
			return
		}
		var left int64
		if err := db.QueryRow(t.Context(), "UPDATE accounts SET balance = 0 RETURNING balance").Scan(&left); err == nil || balance(t, db, "ada") != 101 {
			t.Errorf("a query outside a transaction writes: %v", err)
		}
	})
}

// TestAllOrNothing has a transaction that fails leave no trace, and give its
// error back as it is.
func TestAllOrNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := accounts(t, address, "ada", "bob")
		stop := errors.New("stop")
		pay := func(tx *store.Tx) error {
			for owner, pence := range map[string]int{"ada": -30, "bob": 30} {
				if n, err := tx.Exec(t.Context(), "UPDATE accounts SET balance = balance + $1 WHERE owner = $2", pence, owner); n != 1 || err != nil {
					return fmt.Errorf("%d rows: %w", n, err)
				}
			}
			return nil
		}
		ran := 0
		err := db.Tx(t.Context(), func(tx *store.Tx) error {
			ran++
			err := pay(tx)
			if got := balance(t, tx, "ada"); got != 70 {
				t.Errorf("inside, ada has %d", got)
			}
			return errors.Join(err, stop)
		})
		if !errors.Is(err, stop) || ran != 1 {
			t.Errorf("%v after %d runs", err, ran)
		}
		if a, b := balance(t, db, "ada"), balance(t, db, "bob"); a != 100 || b != 100 {
			t.Errorf("%d and %d after a transaction that failed", a, b)
		}
		if err := db.Tx(t.Context(), func(tx *store.Tx) error {
			return errors.Join(pay(tx), func() error {
				_, err := tx.Exec(t.Context(), "INSERT INTO accounts (owner, balance) VALUES ('ada', 1)")
				return err
			}())
		}); err == nil || balance(t, db, "bob") != 100 {
			t.Errorf("a second ada: %v", err)
		}
		if err := db.Tx(t.Context(), pay); err != nil {
			t.Fatal(err)
		}
		if a, b := balance(t, db, "ada"), balance(t, db, "bob"); a != 70 || b != 130 {
			t.Errorf("%d and %d after a payment of 30", a, b)
		}
		gone, cancel := context.WithCancel(t.Context())
		if err := db.Tx(gone, func(tx *store.Tx) error { cancel(); return pay(tx) }); err == nil || balance(t, db, "bob") != 130 {
			t.Errorf("the caller has gone: %v", err)
		}
	})
}

// TestAtOnce has many take from one balance by a conditional statement: as
// often as there is something, and never more.
func TestAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := accounts(t, address, "ada")
		replica := storetest.Open(t, address)
		var all sync.WaitGroup
		var taken atomic.Int64
		for i := range 16 {
			all.Go(func() {
				for range 10 {
					err := []*store.DB{db, replica}[i%2].Tx(t.Context(), func(tx *store.Tx) error {
						balance(t, tx, "ada") // what reads first may write all the same
						n, err := tx.Exec(t.Context(), "UPDATE accounts SET balance = balance - 1 WHERE owner = 'ada' AND balance > 0")
						if err == nil && n == 0 {
							err = io.EOF
						}
						return err
					})
					switch {
					case err == nil:
						taken.Add(1)
					case !errors.Is(err, io.EOF):
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		if got := balance(t, db, "ada"); taken.Load() != 100 || got != 0 {
			t.Errorf("%d were taken of 100, %d are left", taken.Load(), got)
		}
	})
}

// TestDeadlockAtOnce has two transactions lock two rows in opposite orders: PostgreSQL
// gives one up, which is tried again.
func TestDeadlockAtOnce(t *testing.T) {
	db := accounts(t, storetest.PostgreSQL(t), "ada", "bob")
	var met, all sync.WaitGroup
	met.Add(2)
	var runs atomic.Int64
	for _, order := range [][]string{{"ada", "bob"}, {"bob", "ada"}} {
		first := sync.OnceFunc(func() { met.Done(); met.Wait() })
		all.Go(func() {
			err := db.Tx(t.Context(), func(tx *store.Tx) error {
				runs.Add(1)
				for _, owner := range order {
					if _, err := tx.Exec(t.Context(), "UPDATE accounts SET balance = balance + 1 WHERE owner = $1", owner); err != nil {
						return err
					}
					first() // each holds one row now
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if a, b := balance(t, db, "ada"), balance(t, db, "bob"); a != 102 || b != 102 || runs.Load() < 3 {
		t.Errorf("%d and %d after %d runs, want 102 twice after three or more", a, b, runs.Load())
	}
}

// TestUnavailable checks that callers of a database that fails get an error of its kind, and
// that an error which is reported already is left as it is.
func TestUnavailable(t *testing.T) {
	if err := store.Unavailable(nil); err != nil {
		t.Errorf("nothing is %v", err)
	}
	cause := errors.New("password=secret")
	err := store.Unavailable(cause)
	if !fault.Is(err, fault.UpstreamUnavailable) || !errors.Is(err, cause) {
		t.Errorf("%v", err)
	}
	if f := (*fault.Error)(nil); !errors.As(err, &f) || strings.Contains(f.Detail, "secret") || f.Fields["retry_after"] == nil {
		t.Errorf("%+v", f)
	}
	wrapped := fmt.Errorf("with more: %w", fault.New(fault.Upstream, "wrapped"))
	if got := store.Unavailable(wrapped); !errors.Is(got, wrapped) || fault.Is(got, fault.UpstreamUnavailable) {
		t.Errorf("%v, want it as it was", got)
	}
}
