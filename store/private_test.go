package store_test

import (
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/waygate/waygate/store"
)

// modes returns those of a database's files that are there, by the end of their names.
func modes(t *testing.T, path string) map[string]fs.FileMode {
	t.Helper()
	got := map[string]fs.FileMode{}
	for _, end := range []string{"", "-wal", "-shm"} {
		if info, err := os.Stat(path + end); err == nil {
			got[end] = info.Mode().Perm()
		}
	}
	return got
}

// TestOnlyTheOwnerReads opens a new database, and one whose files an older program or
// a copy left open to others.
func TestOnlyTheOwnerReads(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the modes of files say nothing about other users here")
	}
	path := filepath.Join(t.TempDir(), "data.db")
	var log strings.Builder
	open := func() {
		t.Helper()
		db, err := store.Open(t.Context(), "sqlite:"+path, store.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		}()
		if _, err := db.Exec(t.Context(), "CREATE TABLE IF NOT EXISTS letters (text TEXT)"); err != nil {
			t.Fatal(err)
		}
		got := modes(t, path)
		if len(got) != 3 {
			t.Errorf("the files are %v, want three", got)
		}
		for end, mode := range got {
			if mode != 0o600 {
				t.Errorf("the mode of data.db%s is %04o", end, mode)
			}
		}
	}
	open()
	if log.Len() > 0 {
		t.Errorf("a new file is logged: %s", log.String())
	}
	if err := os.WriteFile(path+"-wal", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"", "-wal"} {
		if err := os.Chmod(path+end, 0o664); err != nil {
			t.Fatal(err)
		}
	}
	open()
	if said := log.String(); strings.Count(said, "level=WARN") != 2 || !strings.Contains(said, path) || !strings.Contains(said, "rw-rw-r--") {
		t.Errorf("the log does not name both files and their mode: %s", said)
	}
}
