// Command timestamps gives each tracked file of the working folder a time of change that
// follows from its content. The cache of go test compares the size and the time of the files
// that a test reads, and git gives each file of a fresh clone the time of the clone: without
// these times no result of an earlier clone in the same folder would be found. Files that
// differ from the index keep their times, and those that make compares with what it builds.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// epoch is the time of all folders, and the first that a file may get; the last is eighteen
// years later, in the past of every clone.
var epoch = time.Unix(1e9, 0)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "timestamps:", err)
		os.Exit(1)
	}
}

// run sets the times of all files that the index of git has, and of their folders.
func run() error {
	changed := map[string]bool{}
	names, err := git("diff", "--name-only", "-z")
	if err != nil {
		return err
	}
	for _, name := range names {
		changed[name] = true
	}
	entries, err := git("ls-files", "--stage", "-z")
	if err != nil {
		return err
	}
	folders := map[string]bool{}
	for _, entry := range entries {
		head, name, _ := strings.Cut(entry, "\t") // mode, object and stage, then the path
		fields := strings.Fields(head)
		if len(fields) != 3 || changed[name] || built(name) {
			continue
		}
		if !strings.HasPrefix(fields[0], "100") { // a symbolic link has no time of its own
			continue
		}
		object, err := strconv.ParseUint(fields[1][:12], 16, 64)
		if err != nil {
			return err
		}
		// Nanoseconds count, so two contents of one size have one time once in 2^48 pairs.
		if err := os.Chtimes(name, time.Time{}, epoch.Add(time.Duration(object%(1<<48))*2000)); err != nil {
			return err
		}
		for folder := filepath.Dir(name); !folders[folder]; folder = filepath.Dir(folder) {
			folders[folder] = true
		}
	}
	for folder := range folders {
		if err := os.Chtimes(folder, time.Time{}, epoch); err != nil {
			return err
		}
	}
	return nil
}

// built reports whether make builds something from a file where the file is newer.
func built(name string) bool {
	return strings.HasPrefix(name, "web/") || filepath.Base(name) == "package-lock.json"
}

// git returns what a command of git prints, which ends each record with a zero byte.
func git(args ...string) ([]string, error) {
	out, err := exec.Command("git", args...).Output() //nolint:noctx // it ends by itself
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	var records []string
	for record := range bytes.SplitSeq(out, []byte{0}) {
		if len(record) > 0 {
			records = append(records, string(record))
		}
	}
	return records, nil
}
