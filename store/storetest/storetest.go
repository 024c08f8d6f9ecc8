// Package storetest runs tests on real databases: SQLite, a PostgreSQL server
// and a Redis server of their own, started once for a test binary on free
// ports. Where a server is not installed, its tests skip. The program in
// scripts/postgres starts a PostgreSQL server for a whole run.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/waygate/waygate/store"
)

// Each runs a test on every kind of database. address is of an empty one that
// only this test uses; store.Open opens it, several times where the test wants
// several replicas.
func Each(t *testing.T, test func(t *testing.T, address string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, SQLite(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, PostgreSQL(t)) })
}

// SQLite returns the address of a fresh file.
func SQLite(t testing.TB) string {
	t.Helper()
	return "sqlite:" + filepath.Join(t.TempDir(), "test.db")
}

// databases numbers those made on the server.
var databases atomic.Int64

// PostgreSQL returns the address of a fresh database on the server of this test binary, or on
// the one that $WAYGATE_POSTGRES names, which several test binaries share.
func PostgreSQL(t testing.TB) string {
	t.Helper()
	s := postgres()
	s.need(t)
	name := fmt.Sprintf("test%d_%d", os.Getpid(), databases.Add(1))
	if err := s.run(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	if s.cmd == nil { // others share the server: its disk is not to fill
		t.Cleanup(func() {
			if err := s.run(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
				t.Error(err)
			}
		})
	}
	return s.address + "/" + name + "?sslmode=disable"
}

// run runs a statement that is of no database.
func (s *server) run(ctx context.Context, statement string) error {
	db, err := store.Open(ctx, s.address+"/postgres?sslmode=disable", store.Options{})
	if err != nil {
		return err
	}
	_, err = db.Exec(ctx, statement)
	return errors.Join(err, db.Close())
}

// Redis returns the address of the Redis server of this test binary, emptied.
// Tests that share it must not run in parallel, or use keys of their own.
func Redis(t testing.TB) string {
	t.Helper()
	s := redis()
	s.need(t)
	return s.address
}

// OwnRedis starts a Redis server for one test, which may kill it and start it
// again, empty, at the same address.
func OwnRedis(t testing.TB) (address string, kill, start func()) {
	t.Helper()
	s := startRedis()
	s.need(t)
	t.Cleanup(func() {
		if err := stop(s); err != nil {
			t.Error(err)
		}
	})
	kill = func() {
		if err := s.cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		s.ended <- <-s.ended // for stop, which waits for it too
	}
	start = func() {
		s.again()
		if s.err != nil {
			t.Error(s.err)
		}
	}
	return s.address, kill, start
}

// Open opens a database and brings a room's tables to the newest version; it
// is closed when the test ends. migrate is a function such as schema.Apply.
func Open(t testing.TB, address string, migrate ...func(context.Context, *store.DB, *slog.Logger) error) *store.DB {
	t.Helper()
	return OpenWith(t, address, store.Options{}, migrate...)
}

// OpenWith is Open with options.
func OpenWith(t testing.TB, address string, o store.Options, migrate ...func(context.Context, *store.DB, *slog.Logger) error) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), address, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, m := range migrate {
		if err := m(t.Context(), db, slog.New(slog.DiscardHandler)); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// Main runs a package's tests and then stops the servers they started:
// func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }.
func Main(m *testing.M) int {
	code := m.Run()
	if err := Stop(); err != nil {
		fmt.Println("stop the test servers:", err)
		return max(code, 1)
	}
	return code
}

// Serve starts a PostgreSQL server, calls use with its address, and stops it after. The
// address is "" where PostgreSQL is not installed.
func Serve(use func(address string)) error {
	s := startPostgres()
	if s.err == nil {
		use(s.address)
	}
	return errors.Join(s.err, stop(s))
}

// Stop ends the servers that this test binary started.
func Stop() error { return errors.Join(stop(postgresServer), stop(redisServer)) }

// Dump returns the text of every value in the database, for tests that look for
// what must not be there.
func Dump(t testing.TB, db *store.DB, tables ...string) string {
	t.Helper()
	var all strings.Builder
	for _, table := range tables {
		rows, err := db.Query(t.Context(), "SELECT * FROM "+table) //nolint:gosec // names come from the test
		if err != nil {
			t.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			if err := rows.Scan(values...); err != nil {
				t.Fatal(err)
			}
			for i, v := range values {
				_, _ = fmt.Fprintf(&all, "%s.%s=%v\n", table, columns[i], *v.(*any)) // a Builder takes all
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}

// exists returns the last file that a pattern names.
func exists(pattern string) (string, bool) {
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) == 0 {
		return "", false
	}
	return found[len(found)-1], true
}
