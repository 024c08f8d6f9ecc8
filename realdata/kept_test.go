package realdata

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// cache gives a test a cache of its own.
func cache(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("WAYGATE_TEST_CACHE", dir)
	return dir
}

func folders(t *testing.T, root string) (n int) {
	t.Helper()
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			n++
		}
	}
	return n
}

// TestKeptAtOnce has many want the same at once, and some something else.
func TestKeptAtOnce(t *testing.T) {
	root := cache(t)
	var all sync.WaitGroup
	var built atomic.Int64
	for i := range 8 {
		all.Go(func() {
			key := fmt.Sprint(i % 2)
			dir := Cached(t, "thing", key, func(dir string) error {
				built.Add(1)
				time.Sleep(20 * time.Millisecond)
				return os.WriteFile(filepath.Join(dir, "it"), []byte(key), 0o600)
			})
			if got, err := os.ReadFile(filepath.Join(dir, "it")); err != nil || string(got) != key {
				t.Errorf("under the key %s is %q, %v", key, got, err)
			}
		})
	}
	all.Wait()
	if built.Load() != 2 || folders(t, root) != 2 {
		t.Errorf("two things were built %d times, into %d folders", built.Load(), folders(t, root))
	}
}

// TestOldOnesAreSwept keeps the newest of a name, and what may be in use.
func TestOldOnesAreSwept(t *testing.T) {
	root := cache(t)
	none := func(string) error { return nil }
	ago := func(path string, hours int) {
		at := time.Now().Add(-time.Duration(hours) * time.Hour)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	var dirs []string
	for i := range 5 {
		dirs = append(dirs, Cached(t, "thing", fmt.Sprint(i), none))
	}
	for i, dir := range dirs {
		ago(dir+lockSuffix, 10-i)
	}
	other := Cached(t, "thing-else", "0", none)
	ago(other+lockSuffix, 20)
	if got := Cached(t, "thing", "0", func(string) error { t.Error("what is there is built again"); return nil }); got != dirs[0] {
		t.Errorf("%s, and %s before", got, dirs[0])
	}
	for _, name := range []string{unfinished + "1", unfinished + "2"} {
		if err := os.Mkdir(filepath.Join(root, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	ago(filepath.Join(root, unfinished+"1"), 2)
	dirs = append(dirs, Cached(t, "thing", "new", none), other, filepath.Join(root, unfinished+"1"), filepath.Join(root, unfinished+"2"))
	// The new one, the first, which was just asked for, and the newest besides.
	for i, want := range []bool{true, false, false, false, true, true, true, false, true} {
		if _, err := os.Stat(dirs[i]); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", filepath.Base(dirs[i]), err == nil, want)
		}
	}
}

// TestCodeIsOfAllThatIsCompiled changes with a package, and is the same for
// the same.
func TestCodeIsOfAllThatIsCompiled(t *testing.T) {
	importer, geo := Code(t, "github.com/waygate/waygate/importer"), Code(t, "github.com/waygate/waygate/geo")
	if importer == geo || importer != Code(t, "github.com/waygate/waygate/importer") || len(geo) != 64 {
		t.Errorf("%s and %s", importer, geo)
	}
}
