// Package realdata finds the real files that tests and benchmarks read and the
// project does not carry: extracts, figures of other engines, the contract.
// They lie below $WAYGATE_DATA or in a folder shared beside the checkout. A
// test whose file is absent is skipped with a word of how to provide it. What
// takes long to build from them is kept in a cache for all tests.
package realdata

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// File gives a file or folder of the test data, such as
// "osm/liechtenstein-bench.osm.pbf".
func File(tb testing.TB, name string) string {
	tb.Helper()
	if root := os.Getenv("WAYGATE_DATA"); root != "" {
		return there(tb, filepath.Join(root, filepath.FromSlash(name)))
	}
	return Beside(tb, "data/"+name)
}

// Beside gives a file or folder that lies beside the test data, such as
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

// Delaware gives the extract of a real state that the module of another reader
// of OSM files carries: it is on every machine that builds the tests.
func Delaware(tb testing.TB) string {
	tb.Helper()
	return Carried(tb, "delaware-latest.osm.pbf")
}

// Carried gives one of the extracts in the testdata of that module.
func Carried(tb testing.TB, name string) string {
	tb.Helper()
	out, err := exec.CommandContext(tb.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/paulmach/osm").Output()
	if err != nil {
		tb.Skipf("no extract %s: go list: %v", name, err)
	}
	return there(tb, filepath.Join(strings.TrimSpace(string(out)), "testdata", name))
}
