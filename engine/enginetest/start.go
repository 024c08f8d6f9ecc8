package enginetest

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// listening and built are how the front says where it listens and how long its
// data took to build.
var (
	listening = regexp.MustCompile(`listening on (http://\S+)`)
	built     = regexp.MustCompile(`(admins|tiles) took (\d+) ms`)
)

// Valhalla is a real one that is running.
type Valhalla struct {
	URL    string        // without a slash at the end
	Tiles  time.Duration // that valhalla_build_tiles took
	Admins time.Duration // that valhalla_build_admins took
}

// StartValhalla builds tiles from an extract, starts a real Valhalla on them
// and gives its address; it stops with the test. Valhalla comes from npm once
// per checkout, into .tools/valhalla. Where a tool it needs is missing, the
// test is skipped, and fails when the environment has CI=true. Settings are
// variables of start.sh, as VALHALLA_ELEVATION=folder.
func StartValhalla(t testing.TB, extract string, settings ...string) Valhalla {
	t.Helper()
	for _, tool := range []string{"bash", "flock", "node", "npm", "python3", "spatialite"} {
		if _, err := exec.LookPath(tool); err != nil {
			missing(t, "a real Valhalla needs %s: install Node 20 with npm and the packages of scripts/apt-packages.txt", tool)
		}
	}
	// The test's context ends before its clean-up, and Valhalla with it.
	cmd := exec.CommandContext(t.Context(), filepath.Join(root(t), "engine", "enginetest", "front", "start.sh"), extract, "0", t.TempDir())
	cmd.Env = append(os.Environ(), settings...)
	log := &strings.Builder{}
	cmd.Stderr = log // read only after Wait
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// It has no state to lose, and an error would only say that it was killed.
	t.Cleanup(func() { _ = cmd.Wait() })
	found := make(chan Valhalla, 1)
	go func() {
		defer close(found)
		var v Valhalla
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if m := built.FindStringSubmatch(lines.Text()); m != nil {
				took, _ := time.ParseDuration(m[2] + "ms") // digits, by the pattern
				if m[1] == "tiles" {
					v.Tiles = took
				} else {
					v.Admins = took
				}
			}
			if m := listening.FindStringSubmatch(lines.Text()); m != nil {
				v.URL = m[1]
				found <- v
				break
			}
		}
		_, _ = io.Copy(io.Discard, out) // keep the pipe empty until it closes
	}()
	select {
	case v := <-found:
		if v.URL == "" {
			_ = cmd.Wait() // the exit status matters less than what it wrote
			t.Fatalf("Valhalla did not start:\n%s", log)
		}
		ready(t, v.URL)
		return v
	case <-time.After(5 * time.Minute): // a first installation downloads 70 MB
		t.Fatal("Valhalla did not start within five minutes")
	}
	return Valhalla{}
}

// root is the module's folder, above the one the test runs in.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			t.Fatalf("no go.mod above %s", dir)
		}
	}
}

func ready(t testing.TB, base string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/status", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Body.Close(); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("Valhalla's status is %s (%v)", res.Status, err)
	}
}

func missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}
