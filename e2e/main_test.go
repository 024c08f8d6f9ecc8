// Package e2e tests the built binary from outside: its processes, signals,
// files and answers over HTTP, and real clients in a real browser.
package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/sample"
	"github.com/waygate/waygate/store/storetest"
)

// root is the repository's, seen from this package.
const root = ".."

// binary is the built gateway, or the one that $WAYGATE_BINARY names, and scratch a folder that goes with the run.
var binary, scratch string

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	if scratch, err = os.MkdirTemp("", "waygate-e2e-"); err != nil {
		return 0, err
	}
	defer func() {
		stopShared()
		err = errors.Join(err, storetest.Stop(), os.RemoveAll(scratch))
	}()
	if binary = os.Getenv("WAYGATE_BINARY"); binary != "" {
		return m.Run(), nil
	}
	binary = filepath.Join(scratch, "waygate")
	build := exec.CommandContext(context.Background(), "go", "build", "-o", binary, "./cmd/waygate")
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("build the binary: %w\n%s", err, out)
	}
	return m.Run(), nil
}

// generated is the sample county, drawn once.
var generated = sync.OnceValue(sample.Generate)

// countyPlace returns a well-known point of the sample county.
func countyPlace(t *testing.T, name string) geo.Point {
	t.Helper()
	for _, p := range generated().Places {
		if p.Name == name {
			return p.Point
		}
	}
	t.Fatalf("the sample county has no place %q", name)
	return geo.Point{}
}

// shared is the gateway that most tests ask: waygate run on the sample
// county, with the demo lane wide open and no closure that comes and goes. The county as it
// was built is in $WAYGATE_COUNTY, or is put there for the test binaries after this one.
var shared struct {
	once    sync.Once
	gateway *gateway
	err     error
}

func county(t testing.TB) *gateway {
	t.Helper()
	shared.once.Do(func() {
		dir, kept := filepath.Join(scratch, "county"), os.Getenv("WAYGATE_COUNTY")
		built := exists(kept)
		if built {
			shared.err = os.CopyFS(dir, os.DirFS(kept))
		}
		if shared.err == nil {
			shared.gateway, shared.err = launch([]string{"SVC_DATA_DIR=" + dir, "SVC_SAMPLE_TRAFFIC=false", "SVC_SAMPLE_SURVEY=false"}, "run")
		}
		if kept != "" && !built && shared.err == nil {
			shared.err = keep(dir, kept)
		}
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.gateway
}

// keep copies what was built of the county to a folder, which is there once it is whole:
// another test binary may look for it meanwhile, or have built it at the same time.
func keep(dir, kept string) error {
	unfinished, err := os.MkdirTemp(filepath.Dir(kept), filepath.Base(kept)+".unfinished-")
	if err != nil {
		return err
	}
	for _, folder := range []string{"regions", "sample"} {
		if err := os.CopyFS(filepath.Join(unfinished, folder), os.DirFS(filepath.Join(dir, folder))); err != nil {
			return err
		}
	}
	if err := os.Rename(unfinished, kept); err != nil && !exists(kept) {
		return err
	}
	return os.RemoveAll(unfinished) // there is none but where another was first
}

// countyDir returns the folder of the shared gateway's region, and countyPBF the
// extract it was built from. Nobody writes to them.
func countyDir(t testing.TB) string {
	county(t)
	return filepath.Join(scratch, "county", "regions", "halvern")
}

func countyPBF(t *testing.T) string {
	county(t)
	return filepath.Join(scratch, "county", "sample", "halvern.osm.pbf")
}

func stopShared() {
	if shared.gateway != nil {
		if err := shared.gateway.stop(); err != nil {
			fmt.Fprintln(os.Stderr, "the shared gateway ended with:", err)
		}
	}
}
