package realdata

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Cached returns a folder that build fills once on a machine and that tests of any
// package only read: a region, or another engine's tiles. It lies in
// $WAYGATE_TEST_CACHE or waygate-test in the user's cache folder. The key must cover
// everything that decides the contents; the name is for people. Processes that want the
// same folder wait for the one that builds it; a killed build leaves nothing that looks
// complete.
func Cached(tb testing.TB, name, key string, build func(dir string) error) string {
	tb.Helper()
	root, err := cacheFolder()
	if err != nil {
		tb.Fatal(err)
	}
	sum := sha256.Sum256([]byte(key))
	dir := filepath.Join(root, name+"-"+hex.EncodeToString(sum[:8]))
	unlock, err := hold(dir + lockSuffix)
	if err != nil {
		tb.Fatal(err)
	}
	defer unlock()
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	work, err := os.MkdirTemp(root, unfinished)
	if err != nil {
		tb.Fatal(err)
	}
	err = build(work)
	if err == nil {
		err = os.Rename(work, dir)
	}
	if err != nil {
		tb.Fatal(errors.Join(err, os.RemoveAll(work)))
	}
	if err := sweep(root, name); err != nil {
		tb.Error(err)
	}
	return dir
}

const (
	lockSuffix = ".lock"
	unfinished = ".unfinished-"
)

func cacheFolder() (string, error) {
	root := os.Getenv("WAYGATE_TEST_CACHE")
	if root == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		root = filepath.Join(cache, "waygate-test")
	}
	return root, os.MkdirAll(root, 0o755)
}

// hold takes a lock among processes, until unlock or the process's end. The lock file's
// time is when the folder was last used. It is not opened with os.Open: go test would
// count the file as an input of the test and never use its cached result.
func hold(path string) (unlock func(), err error) {
	fd, err := syscall.Open(path, syscall.O_CREAT|syscall.O_RDWR|syscall.O_CLOEXEC, 0o644)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for err = syscall.EINTR; errors.Is(err, syscall.EINTR); {
		err = syscall.Flock(fd, syscall.LOCK_EX)
	}
	now := time.Now()
	if err = errors.Join(err, os.Chtimes(path, now, now)); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), syscall.Close(fd))
	}
	return func() { _ = syscall.Close(fd) }, nil // closing releases the lock
}

// generations is how many folders of a name are kept, and inUse how long a folder may
// still be read after a test asked for it.
const (
	generations = 3
	inUse       = time.Hour
)

// sweep deletes folders that an older state of the code made, and unfinished ones.
func sweep(root, name string) error {
	type folder struct {
		path  string
		asked time.Time
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return err
	}
	var old []folder
	for _, e := range entries {
		path := filepath.Join(root, e.Name())
		stamp := path + lockSuffix
		switch i := strings.LastIndexByte(e.Name(), '-'); {
		case !e.IsDir():
			continue
		case strings.HasPrefix(e.Name(), unfinished):
			stamp = path
		case i < 0 || e.Name()[:i] != name:
			continue
		}
		info, err := os.Stat(stamp)
		switch {
		case errors.Is(err, fs.ErrNotExist): // swept by another process
		case err != nil:
			return err
		case stamp != path:
			old = append(old, folder{path, info.ModTime()})
		case time.Since(info.ModTime()) > inUse:
			err = os.RemoveAll(path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	slices.SortFunc(old, func(a, b folder) int { return b.asked.Compare(a.asked) })
	for _, f := range old[min(generations, len(old)):] {
		if time.Since(f.asked) < inUse {
			continue
		}
		if err := errors.Join(os.RemoveAll(f.path), os.RemoveAll(f.path+lockSuffix)); err != nil {
			return err
		}
	}
	return nil
}

// Sum returns the hash of a file, or of all files of a folder with their paths
// in it, for a key.
func Sum(tb testing.TB, path string) string {
	tb.Helper()
	h := sha256.New()
	err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		in, err := filepath.Rel(path, file)
		if err != nil {
			return err
		}
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%q ", in)
		_, err = io.Copy(h, f)
		return errors.Join(err, f.Close())
	})
	if err != nil {
		tb.Fatal(err)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// sourceFiles lists the files of this module that a package is compiled from,
// and the other modules.
const sourceFiles = `{{with $p := .}}{{with .Module}}{{if .Main}}{{range $p.GoFiles}}{{$p.Dir}}/{{.}}
{{end}}{{range $p.EmbedFiles}}{{$p.Dir}}/{{.}}
{{end}}{{else}}{{.Path}} {{.Version}}
{{end}}{{end}}{{end}}`

// Code returns a hash of all the code that a package of this module is made of, for a
// key: with a version that has to be raised by hand, tests could read what outdated code
// made.
func Code(tb testing.TB, pkg string) string {
	tb.Helper()
	out, err := exec.CommandContext(tb.Context(), "go", "list", "-deps", "-f", sourceFiles, pkg).Output()
	if err != nil {
		tb.Fatalf("go list %s: %v", pkg, err)
	}
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version(), runtime.GOARCH)
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		if !filepath.IsAbs(line) {
			fmt.Fprintln(h, line)
			continue
		}
		text, err := os.ReadFile(line)
		if err != nil {
			tb.Fatal(err)
		}
		fmt.Fprintf(h, "%s %d\n%s", filepath.Base(line), len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil))
}
