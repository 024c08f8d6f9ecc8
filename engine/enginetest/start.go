package enginetest

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/waittest"
)

// listening and took are how the front says where it listens and how long its
// data took to build.
var (
	listening = regexp.MustCompile(`listening on (http://\S+)`)
	took      = regexp.MustCompile(`(admins|tiles) took (\d+) ms`)
)

// Valhalla is a real one that is running.
type Valhalla struct {
	URL   string    // without a slash at the end
	Built time.Time // when its tiles were
}

// StartValhalla starts a real Valhalla on an extract's tiles, which are built
// once on a machine, and gives its address; it stops with the test. Valhalla
// comes from npm once per checkout, into .tools/valhalla. Where a tool it needs
// is missing, the test is skipped, and fails when the environment has CI=true;
// a short test is skipped anyway.
// Settings are variables of start.sh, as VALHALLA_ELEVATION=folder.
func StartValhalla(t testing.TB, extract string, settings ...string) Valhalla {
	t.Helper()
	if testing.Short() {
		t.Skip("compares with a real Valhalla, which a short test does not")
	}
	key := []string{realdata.Sum(t, extract), realdata.Sum(t, filepath.Join(root(t), front))}
	for _, s := range settings {
		name, value, _ := strings.Cut(s, "=")
		if filepath.IsAbs(value) {
			value = realdata.Sum(t, value)
		}
		key = append(key, name+"="+value)
	}
	name, _, _ := strings.Cut(filepath.Base(extract), ".")
	work := realdata.Cached(t, "valhalla-"+name, strings.Join(key, "\n"), func(dir string) error {
		_, err := buildValhalla(t, extract, dir, settings)
		return err
	})
	// The test's context ends before its clean-up, and Valhalla with it.
	cmd := startFront(t, extract, "0", work, settings)
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
	found := make(chan string, 1)
	go func() {
		defer close(found)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if m := listening.FindStringSubmatch(lines.Text()); m != nil {
				found <- m[1]
				break
			}
		}
		_, _ = io.Copy(io.Discard, out) // keep the pipe empty until it closes
	}()
	select {
	case url := <-found:
		if url == "" {
			_ = cmd.Wait() // the exit status matters less than what it wrote
			t.Fatalf("Valhalla did not start:\n%s", log)
		}
		ready(t, url)
		config, err := os.Stat(filepath.Join(work, "valhalla.json")) // written last
		if err != nil {
			t.Fatal(err)
		}
		return Valhalla{url, config.ModTime()}
	case <-time.After(waittest.Patience):
		t.Fatal("Valhalla did not start")
	}
	return Valhalla{}
}

// BuildValhalla builds an extract's tiles and borders anew, and returns how long
// each took.
func BuildValhalla(t testing.TB, extract string) (tiles, admins time.Duration) {
	t.Helper()
	out, err := buildValhalla(t, extract, t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range took.FindAllSubmatch(out, -1) {
		d, _ := time.ParseDuration(string(m[2]) + "ms") // digits, by the pattern
		if string(m[1]) == "tiles" {
			tiles = d
		} else {
			admins = d
		}
	}
	return tiles, admins
}

// front is the folder of the program that is started, from the module's root.
const front = "engine/enginetest/front"

func buildValhalla(t testing.TB, extract, dir string, settings []string) (stdout []byte, err error) {
	t.Helper()
	cmd := startFront(t, extract, "none", dir, settings)
	log := &strings.Builder{}
	cmd.Stderr = log
	if stdout, err = cmd.Output(); err != nil {
		return nil, fmt.Errorf("build Valhalla's tiles: %w\n%s", err, log)
	}
	return stdout, nil
}

// startFront returns the command that builds tiles in a folder, and serves them.
func startFront(t testing.TB, extract, port, dir string, settings []string) *exec.Cmd {
	t.Helper()
	for _, tool := range []string{"bash", "flock", "node", "npm", "python3", "spatialite"} {
		if _, err := exec.LookPath(tool); err != nil {
			missing(t, "a real Valhalla needs %s: install Node 20 with npm and the packages of scripts/apt-packages.txt", tool)
		}
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(root(t), front, "start.sh"), extract, port, dir)
	cmd.Env = append(os.Environ(), settings...)
	return cmd
}

// root returns the module's folder, above the one the test runs in.
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

// OSRMServers returns the addresses of SVC_OSRM_URL by costing: real servers whose data are of
// Extract's file. There are none where it is not set.
func OSRMServers(t testing.TB) map[costing.Costing]string {
	t.Helper()
	servers := map[costing.Costing]string{}
	for one := range strings.SplitSeq(os.Getenv("SVC_OSRM_URL"), ",") {
		c, at := costing.Auto, one
		if name, rest, named := strings.Cut(one, "="); named {
			if c, at = costing.Named(name), rest; !c.Valid() {
				t.Fatalf("SVC_OSRM_URL names the costing %q", name)
			}
		}
		if at != "" {
			servers[c] = at
		}
	}
	return servers
}
