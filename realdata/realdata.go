// Package realdata finds the real files that tests and benchmarks read and the project
// does not contain: extracts, figures of other engines, the contract. They lie below
// $WAYGATE_DATA or in a folder shared beside the checkout. A test whose file is missing
// is skipped with a hint. What takes long to build from them is cached for all tests.
package realdata

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// File returns a file or folder of the test data, such as
// "osm/liechtenstein-bench.osm.pbf".
func File(tb testing.TB, name string) string {
	tb.Helper()
	if root := os.Getenv("WAYGATE_DATA"); root != "" {
		return there(tb, filepath.Join(root, filepath.FromSlash(name)))
	}
	return Beside(tb, "data/"+name)
}

// Beside returns a file or folder that lies beside the test data, such as
// "peers/pairs.csv".
func Beside(tb testing.TB, name string) string {
	tb.Helper()
	name = filepath.FromSlash(name)
	if root := os.Getenv("WAYGATE_DATA"); root != "" {
		return there(tb, filepath.Join(root, "..", name))
	}
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		path := filepath.Join(dir, "shared", name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	tb.Skipf("no shared/%s beside the checkout: set WAYGATE_DATA to the folder of the test data", name)
	return ""
}

func there(tb testing.TB, path string) string {
	tb.Helper()
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("not there: %v", err)
	}
	return path
}

// Delaware returns the extract of a real state that comes with the module of another
// reader of OSM files, and so is on every machine that builds the tests.
func Delaware(tb testing.TB) string {
	tb.Helper()
	return Carried(tb, "delaware-latest.osm.pbf")
}

// Carried returns one of the extracts in the testdata of that module.
func Carried(tb testing.TB, name string) string {
	tb.Helper()
	out, err := exec.CommandContext(tb.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/paulmach/osm").Output()
	if err != nil {
		tb.Skipf("no extract %s: go list: %v", name, err)
	}
	return there(tb, filepath.Join(strings.TrimSpace(string(out)), "testdata", name))
}
