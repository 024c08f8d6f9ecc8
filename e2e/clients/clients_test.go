// Package clients makes clients of the gateway by what generators make of its
// document, compiles them and calls the built binary by them. It also has the
// document looked over by two linters, and clients of other services' forms call it.
package clients

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/soaktest"
	"github.com/waygate/waygate/waittest"
)

// adminToken is the operator's of the gateway that is called.
const adminToken = "0123456789abcdef0123456789abcdef0123456789abcdef"

// gateway is the address of the running binary.
var gateway string

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(code)
}

// run builds the binary, or takes the one that $WAYGATE_BINARY names, and runs
// the tests while it serves the sample county.
func run(m *testing.M) (code int, err error) {
	scratch, err := os.MkdirTemp("", "waygate-clients-")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	binary := os.Getenv("WAYGATE_BINARY")
	if binary == "" {
		binary = filepath.Join(scratch, "waygate")
		build := exec.CommandContext(context.Background(), "go", "build", "-o", binary, "./cmd/waygate")
		build.Dir, build.Env = "../..", append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return 0, fmt.Errorf("build the binary: %w\n%s", err, out)
		}
	}
	if kept := os.Getenv("WAYGATE_COUNTY"); kept != "" { // built by the scenarios before
		if err := os.CopyFS(scratch, os.DirFS(kept)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
	}
	serve := exec.CommandContext(context.Background(), binary, "run")
	serve.Env = append(os.Environ(), "SVC_DATA_DIR="+scratch, "SVC_LISTEN=127.0.0.1:0", "SVC_DEMO_RPM=100000", "SVC_ADMIN_TOKEN="+adminToken, "SVC_SAMPLE_TRAFFIC=false", "SVC_SAMPLE_SURVEY=false")
	log, err := os.Create(filepath.Join(scratch, "log"))
	if err != nil {
		return 0, err
	}
	serve.Stdout, serve.Stderr = log, log
	if err := serve.Start(); err != nil {
		return 0, err
	}
	defer func() {
		_ = serve.Process.Signal(syscall.SIGTERM)
		err = errors.Join(err, serve.Wait())
	}()
	if gateway, err = listens(log.Name()); err != nil {
		return 0, err
	}
	return m.Run(), nil
}

// listens waits until a log says at which address the gateway is.
func listens(log string) (address string, err error) {
	var said []byte
	for deadline := time.Now().Add(waittest.Patience); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if said, err = os.ReadFile(log); err != nil {
			return "", err
		}
		if _, after, ok := strings.Cut(string(said), "msg=listening address="); ok && strings.Contains(after, "\n") {
			address, _, _ = strings.Cut(after, "\n")
			return address, nil
		}
	}
	return "", fmt.Errorf("the gateway does not listen within %s:\n%s", waittest.Patience, said)
}

// document saves the gateway's description, in a version of OpenAPI, to a file.
func document(t *testing.T, version string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, gateway+"/openapi.json?version="+version, nil)
	assert.NilError(t, err)
	resp, err := http.DefaultClient.Do(req)
	assert.NilError(t, err)
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	assert.NilError(t, err)
	assert.Equal(t, resp.StatusCode, http.StatusOK)
	file := filepath.Join(t.TempDir(), "openapi.json")
	assert.NilError(t, os.WriteFile(file, text, 0o644))
	return file
}

// program is a folder in which programs are generated, compiled and run.
type program struct {
	*testing.T
	dir string
	env []string
}

// in copies a folder of testdata to dir.
func in(t *testing.T, name, dir string, env ...string) *program {
	t.Helper()
	assert.NilError(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))))
	return &program{t, dir, append(append(os.Environ(), "WAYGATE_URL="+gateway, "WAYGATE_ADMIN="+adminToken), env...)}
}

// runs runs a command, which must end well.
func (p *program) runs(command string, args ...string) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context(), 30*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = p.dir, p.env, 10*time.Second
	began := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		p.Fatalf("%s %v: %v\n%s", command, args, err, out)
	}
	p.Logf("%s %s took %v", filepath.Base(command), strings.Join(args[:min(1, len(args))], ""), time.Since(began).Round(time.Millisecond))
}

// made returns a folder that build fills. It is kept for other runs with the same
// document, sources of testdata and versions of tools, because generating and compiling
// takes minutes of both processors. $WAYGATE_SOAK has it made anew each time.
func made(t *testing.T, name string, sources []string, build func(dir string)) string {
	t.Helper()
	if soaktest.Whole() {
		dir := t.TempDir()
		build(dir)
		return dir
	}
	key := []string{runtime.Version(), runtime.GOARCH}
	for _, version := range []string{"3.0", "3.1"} {
		key = append(key, realdata.Sum(t, document(t, version)))
	}
	for _, source := range append(sources, "clients_test.go") {
		key = append(key, realdata.Sum(t, source))
	}
	return realdata.Cached(t, "clients-"+name, strings.Join(key, "\n"), func(dir string) error {
		build(dir)
		return nil
	})
}

// tool returns a program of the npm packages.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("node_modules", ".bin", name))
	assert.NilError(t, err)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("%v: make e2e/clients/node_modules", err)
		}
		t.Skipf("%v: make e2e/clients/node_modules", err)
	}
	return path
}

const npmPackages = "package-lock.json"

func TestLinters(t *testing.T) {
	t.Parallel()
	redocly, spectral := tool(t, "redocly"), tool(t, "spectral")
	made(t, "linted", []string{npmPackages, "redocly.yaml", "spectral.yaml"}, func(string) {
		here, file := &program{t, ".", os.Environ()}, document(t, "3.1")
		here.runs(redocly, "lint", "--config", "redocly.yaml", "--max-problems", "1000", file)
		here.runs(spectral, "lint", "--ruleset", "spectral.yaml", "--fail-severity", "hint", file)
	})
}

func TestOapiCodegen(t *testing.T) {
	t.Parallel()
	calls(t, "oapi", func(p *program) {
		assert.NilError(t, os.Mkdir(filepath.Join(p.dir, "oapi", "api"), 0o755))
		p.runs("go", "tool", "oapi-codegen", "-generate", "types,client", "-package", "api", "-o", "oapi/api/api.go", document(t, "3.1"))
	})
}

// ogen reads OpenAPI 3.0 only.
func TestOgen(t *testing.T) {
	t.Parallel()
	calls(t, "ogen", func(p *program) {
		p.runs("go", "tool", "ogen", "--config", "ogen.yml", "--target", "ogen/api", "--package", "api", "--clean", document(t, "3.0"))
	})
}

// calls compiles a program of testdata/golang with a client that generate makes, and has it
// call the gateway.
func calls(t *testing.T, name string, generate func(p *program)) {
	t.Helper()
	sources := filepath.Join("testdata", "golang")
	dir := made(t, name, []string{sources}, func(dir string) {
		p := in(t, "golang", t.TempDir(), "CGO_ENABLED=0")
		generate(p)
		p.runs("go", "build", "-trimpath", "-o", filepath.Join(dir, "calls"), "./"+name)
	})
	in(t, "golang", t.TempDir()).runs(filepath.Join(dir, "calls"))
}

// TestGeocoders has geocoders of maps and servers ask in the forms of Photon and Nominatim.
func TestGeocoders(t *testing.T) {
	t.Parallel()
	tool(t, "tsc") // which comes with their packages
	p := in(t, "geocoders", t.TempDir())
	withPackages(t, p.dir)
	p.runs("node", "clients.mjs")
}

// withPackages gives a folder the npm packages.
func withPackages(t *testing.T, dir string) {
	t.Helper()
	modules, err := filepath.Abs("node_modules")
	assert.NilError(t, err)
	assert.NilError(t, os.Symlink(modules, filepath.Join(dir, "node_modules")))
}

func TestTypeScript(t *testing.T) {
	t.Parallel()
	types, functions, compiler := tool(t, "openapi-typescript"), tool(t, "openapi-ts"), tool(t, "tsc")
	kept := made(t, "typescript", []string{npmPackages, filepath.Join("testdata", "typescript")}, func(dir string) {
		file := document(t, "3.1")
		p := in(t, "typescript", t.TempDir(), "DOCUMENT="+file)
		withPackages(t, p.dir)
		p.runs(types, file, "--output", "fetch/schema.ts")
		p.runs(functions, "--file", "openapi-ts.config.mjs")
		p.runs(compiler, "--project", ".", "--outDir", filepath.Join(dir, "built"))
	})
	p := in(t, "typescript", t.TempDir())
	withPackages(t, p.dir)
	assert.NilError(t, os.CopyFS(filepath.Join(p.dir, "built"), os.DirFS(filepath.Join(kept, "built"))))
	p.runs("node", "built/fetch.js")
	p.runs("node", "built/hey.js")
}
