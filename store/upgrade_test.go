package store_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

var update = flag.Bool("update", false, "write the migrations that are new to testdata/migrations.txt")

// folders returns the migrations of the project by their folders.
func folders(t *testing.T) map[string]fstest.MapFS {
	t.Helper()
	found := map[string]fstest.MapFS{}
	for _, pattern := range []string{"../*/migrations/*.sql", "../*/*/migrations/*.sql"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			folder := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "../")
			if found[folder] == nil {
				found[folder] = fstest.MapFS{}
			}
			found[folder][filepath.Base(file)] = &fstest.MapFile{Data: text}
		}
	}
	if len(found) < 9 {
		t.Fatalf("only %d folders have migrations", len(found))
	}
	return found
}

// TestMigrationsNeverChange compares the migrations with those that databases may have: a change
// of one would never reach them. -update adds those that are new.
func TestMigrationsNeverChange(t *testing.T) {
	const list = "testdata/migrations.txt"
	text, err := os.ReadFile(list)
	if err != nil && !*update {
		t.Fatal(err)
	}
	had := map[string]string{}
	for line := range strings.Lines(string(text)) {
		hash, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		had[file] = hash
	}
	var lines []string
	for folder, files := range folders(t) {
		for name, f := range files {
			file, hash := path.Join(folder, name), fmt.Sprintf("%x", sha256.Sum256(f.Data))
			switch {
			case had[file] == "" && !*update:
				t.Errorf("%s is new: run this test with -update", file)
			case had[file] != "" && had[file] != hash:
				t.Errorf("%s has changed, and databases have it as it was: write another migration", file)
			}
			delete(had, file)
			lines = append(lines, hash+" "+file+"\n")
		}
	}
	for file := range had {
		t.Errorf("%s is gone, and databases have it", file)
	}
	if *update && !t.Failed() {
		slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[65:], b[65:]) })
		if err := os.WriteFile(list, []byte(strings.Join(lines, "")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestUpgrade migrates the tables of every room to each earlier version, fills them with rows, and
// then migrates them to the newest: nothing of the rows is lost.
func TestUpgrade(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address)
		for folder, files := range folders(t) {
			names := slices.Sorted(func(yield func(string) bool) {
				for name := range files {
					if !yield(name) {
						return
					}
				}
			})
			for n := 1; n < len(names); n++ {
				upgraded(t, db, folder, n, files, names)
			}
		}
	})
}

// upgraded migrates a room to its first n versions, and from there to the newest. Its tables are
// dropped at the end.
func upgraded(t *testing.T, db *store.DB, folder string, n int, files fstest.MapFS, names []string) {
	t.Helper()
	earlier := fstest.MapFS{}
	for _, name := range names[:n] {
		earlier[name] = files[name]
	}
	before := tables(t, db)
	room := fmt.Sprintf("%s_%d", strings.ReplaceAll(folder, "/", "_"), n)
	if err := db.Migrate(t.Context(), room, fs.FS(earlier), quiet); err != nil {
		t.Fatal(err)
	}
	own := slices.DeleteFunc(tables(t, db), func(table string) bool {
		return slices.Contains(before, table) || strings.HasPrefix(table, "schema_")
	})
	fill(t, db, own)
	had := map[string]string{}
	for _, table := range own {
		had[table] = rows(t, db, table, columns(t, db, table))
		if !strings.Contains(had[table], "2") {
			t.Errorf("%s at version %d: no rows in %s", folder, n, table)
		}
	}
	kept := map[string][]column{}
	for _, table := range own {
		kept[table] = columns(t, db, table)
	}
	if err := db.Migrate(t.Context(), room, fs.FS(files), quiet); err != nil {
		t.Fatalf("%s from version %d: %v", folder, n, err)
	}
	for _, table := range own {
		if now := rows(t, db, table, kept[table]); now != had[table] {
			t.Errorf("%s from version %d: %s had\n%s, and has\n%s", folder, n, table, had[table], now)
		}
	}
	for left := tables(t, db); len(left) > len(before); left = tables(t, db) { // in whatever order they refer to each other
		dropped := false
		for _, table := range left {
			if !slices.Contains(before, table) {
				_, err := db.Exec(t.Context(), "DROP TABLE "+table)
				dropped = dropped || err == nil
			}
		}
		if !dropped {
			t.Fatalf("tables that cannot be dropped: %v", left)
		}
	}
}

type column struct{ name, kind string }

func tables(t *testing.T, db *store.DB) []string {
	t.Helper()
	query := "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
	if db.Dialect == store.PostgreSQL {
		query = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
	}
	list, err := db.Texts(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// columns returns those of a table that no database fills by itself.
func columns(t *testing.T, db *store.DB, table string) (list []column) {
	t.Helper()
	query := "SELECT name || ' ' || type FROM pragma_table_info($1)"
	if db.Dialect == store.PostgreSQL {
		query = "SELECT column_name || ' ' || data_type FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1 AND is_identity = 'NO'"
	}
	texts, err := db.Texts(t.Context(), query, table)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		name, kind, _ := strings.Cut(text, " ")
		list = append(list, column{name, strings.ToUpper(kind)})
	}
	return list
}

// fill puts two rows into each table. All texts of the first are alike, and all numbers, so that
// rows refer to each other.
func fill(t *testing.T, db *store.DB, tables []string) {
	t.Helper()
	for row := int64(1); row <= 2; row++ {
		for missing := slices.Clone(tables); len(missing) > 0; {
			var failed error
			left := slices.DeleteFunc(slices.Clone(missing), func(table string) bool {
				var names, holes []string
				var values []any
				for i, c := range columns(t, db, table) {
					names, holes = append(names, c.name), append(holes, fmt.Sprintf("$%d", i+1))
					switch {
					case strings.Contains(c.kind, "TEXT"):
						values = append(values, fmt.Sprint("text ", row))
					case strings.Contains(c.kind, "BYTEA"):
						values = append(values, fmt.Append(nil, "bytes ", row))
					default:
						values = append(values, row)
					}
				}
				_, err := db.Exec(t.Context(), "INSERT INTO "+table+" ("+strings.Join(names, ", ")+") VALUES ("+strings.Join(holes, ", ")+")", values...)
				if err != nil {
					failed = fmt.Errorf("%s: %w", table, err)
				}
				return err == nil
			})
			if len(left) == len(missing) {
				t.Fatal(failed)
			}
			missing = left
		}
	}
}

// rows returns a table's rows in these columns, as text.
func rows(t *testing.T, db *store.DB, table string, of []column) string {
	t.Helper()
	parts := make([]string, len(of))
	for i, c := range of {
		parts[i] = "COALESCE(CAST(" + c.name + " AS TEXT), '-')"
	}
	list, err := db.Texts(t.Context(), "SELECT "+strings.Join(parts, " || '|' || ")+" FROM "+table+" ORDER BY 1")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(list, "\n")
}
