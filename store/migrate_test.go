package store_test

import (
	"io/fs"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

var quiet = slog.New(slog.DiscardHandler)

func migration(statements ...string) *fstest.MapFile {
	var b strings.Builder
	b.WriteString("-- +goose Up\n")
	for _, s := range statements {
		b.WriteString(s + ";\n")
	}
	return &fstest.MapFile{Data: []byte(b.String())}
}

func counted(t *testing.T, db *store.DB, query string) (n int) {
	t.Helper()
	if err := db.QueryRow(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestMigrateAtOnce brings tables to the newest version once, however many processes
// start, and each room by itself.
func TestMigrateAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		files := fstest.MapFS{
			"00001_first.sql":  migration("CREATE TABLE notes (text TEXT NOT NULL)", "INSERT INTO notes (text) VALUES ('one')"),
			"00002_second.sql": migration("INSERT INTO notes (text) VALUES ('two')"),
		}
		var replicas sync.WaitGroup
		for range 4 {
			db := storetest.Open(t, address)
			replicas.Go(func() {
				if err := db.Migrate(t.Context(), "notes", files, quiet); err != nil {
					t.Error(err)
				}
			})
		}
		replicas.Wait()
		db := storetest.Open(t, address)
		if n := counted(t, db, "SELECT count(*) FROM notes"); n != 2 {
			t.Fatalf("%d notes, want 2", n)
		}
		files["00003_third.sql"] = migration("INSERT INTO notes (text) VALUES ('three')")
		for range 2 {
			if err := db.Migrate(t.Context(), "notes", files, quiet); err != nil {
				t.Fatal(err)
			}
		}
		if n := counted(t, db, "SELECT count(*) FROM notes"); n != 3 {
			t.Errorf("%d notes after a third migration, want 3", n)
		}
		other := fstest.MapFS{"00001_other.sql": migration("CREATE TABLE letters (text TEXT)")}
		if err := db.Migrate(t.Context(), "letters", other, quiet); err != nil || counted(t, db, "SELECT count(*) FROM letters") != 0 {
			t.Errorf("a room with a first migration of its own: %v", err)
		}
	})
}

// TestNewerTables refuses tables that a newer program has migrated, and leaves them as they are.
func TestNewerTables(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address)
		files := fstest.MapFS{"00001_first.sql": migration("CREATE TABLE notes (text TEXT NOT NULL)")}
		newer := maps.Clone(files)
		newer["00002_second.sql"] = migration("INSERT INTO notes (text) VALUES ('two')")
		if err := db.Migrate(t.Context(), "notes", newer, quiet); err != nil {
			t.Fatal(err)
		}
		err := db.Migrate(t.Context(), "notes", files, quiet)
		if err == nil || !strings.Contains(err.Error(), "the tables of notes have version 2, and this program reads up to 1") {
			t.Errorf("an older program gets %v", err)
		}
		if err := db.Migrate(t.Context(), "notes", newer, quiet); err != nil || counted(t, db, "SELECT count(*) FROM notes") != 1 {
			t.Errorf("the newer program again: %v", err)
		}
	})
}

// TestBrokenMigration leaves the tables as they were, names the room, and is
// made good by a repaired one.
func TestBrokenMigration(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address)
		files := fstest.MapFS{
			"00001_first.sql":  migration("CREATE TABLE notes (text TEXT NOT NULL)"),
			"00002_broken.sql": migration("INSERT INTO notes (text) VALUES ('half')", "INSERT INTO nowhere VALUES (1)"),
		}
		if err := db.Migrate(t.Context(), "notes", files, quiet); err == nil || !strings.Contains(err.Error(), "notes") {
			t.Errorf("a statement that cannot be run gives %v", err)
		}
		if n := counted(t, db, "SELECT count(*) FROM notes"); n != 0 {
			t.Errorf("%d notes of half a migration", n)
		}
		files["00002_broken.sql"] = migration("INSERT INTO notes (text) VALUES ('whole')")
		if err := db.Migrate(t.Context(), "notes", files, quiet); err != nil || counted(t, db, "SELECT count(*) FROM notes") != 1 {
			t.Errorf("repaired: %v", err)
		}
		if err := db.Migrate(t.Context(), "empty", fs.FS(fstest.MapFS{}), quiet); err == nil || !strings.Contains(err.Error(), "empty") {
			t.Errorf("a room without migrations gives %v", err)
		}
	})
}
