package e2e

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/waygate/waygate/waittest"
)

// gateway is a running process of the binary.
type gateway struct {
	url  string
	cmd  *exec.Cmd
	log  record
	stop func() error // asks it to end and gives how it ended
}

// record keeps what a process says.
type record struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *record) add(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.text.WriteString(line + "\n")
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// databases numbers those of the gateways.
var databases atomic.Int64

// environment returns that of a process: ours without settings of the gateway, on
// any free port with the demo lane wide open, accounts and territories of its own, and what
// the test says.
func environment(more []string) []string {
	var env []string
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "SVC_") {
			env = append(env, e)
		}
	}
	accounts := fmt.Sprintf("SVC_DATABASE_URL=sqlite:%s/accounts-%d.db", scratch, databases.Add(1))
	return append(append(env, "SVC_LISTEN=127.0.0.1:0", "SVC_DEMO_RPM=1000000000", accounts, "SVC_TERRITORIES="+scratch+"/territories"), more...)
}

// launch starts a gateway and waits until it listens.
func launch(env []string, args ...string) (*gateway, error) {
	g := &gateway{cmd: exec.CommandContext(context.Background(), binary, args...)}
	g.cmd.Env = environment(env)
	out, in := io.Pipe()
	g.cmd.Stdout, g.cmd.Stderr = in, in
	if err := g.cmd.Start(); err != nil {
		return nil, err
	}
	listens, ended, logged := make(chan string, 1), make(chan error, 1), make(chan struct{})
	go func() {
		defer close(logged)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			g.log.add(lines.Text())
			if _, address, ok := strings.Cut(lines.Text(), "msg=listening address="); ok {
				listens <- address
			}
		}
		_, _ = io.Copy(io.Discard, out) // a process must never block on a log nobody reads
	}()
	go func() {
		err := g.cmd.Wait()
		_ = in.Close()
		<-logged // the log is whole
		ended <- err
	}()
	g.stop = sync.OnceValue(func() error {
		_ = g.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case err := <-ended:
			return err
		case <-time.After(waittest.Patience):
			return errors.Join(errors.New("did not end"), g.cmd.Process.Kill())
		}
	})
	select {
	case g.url = <-listens:
		return g, nil
	case err := <-ended:
		return nil, fmt.Errorf("%v ended before it listened: %w\n%s", args, err, g.log.String())
	case <-time.After(waittest.Patience):
		return nil, errors.Join(fmt.Errorf("%v does not listen\n%s", args, g.log.String()), g.stop())
	}
}

// kill ends the process at once, as a crash does, and waits until it is gone.
func (g *gateway) kill() {
	_ = g.cmd.Process.Kill()
	_ = g.stop() // that it was killed is no news
}

// start is launch for one test: the gateway ends with it, and must end well.
func start(t testing.TB, env []string, args ...string) *gateway {
	t.Helper()
	g, err := launch(env, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.stop(); err != nil {
			t.Errorf("%v ended with %v\n%s", args, err, g.log.String())
		}
	})
	return g
}

// command runs the binary to its end and gives its exit code and all it said.
func command(t testing.TB, env []string, args ...string) (code int, output string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*waittest.Patience) // an import has much to do
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = environment(env)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		t.Fatalf("%v: %v %v\n%s", args, err, ctx.Err(), out)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// succeeds runs a command that must end well.
func succeeds(t *testing.T, args ...string) string {
	t.Helper()
	code, out := command(t, nil, args...)
	if code != 0 {
		t.Fatalf("%v: exit code %d\n%s", args, code, out)
	}
	return out
}

// fails runs a command that must end badly and say all of want, without a
// stack trace.
func fails(t *testing.T, env []string, want []string, args ...string) {
	t.Helper()
	code, out := command(t, env, args...)
	if code == 0 {
		t.Errorf("%v succeeded\n%s", args, out)
	}
	for _, w := range want {
		if !strings.Contains(out, w) {
			t.Errorf("%v does not say %q:\n%s", args, w, out)
		}
	}
	if strings.Contains(out, "goroutine ") || strings.Contains(out, "panic") {
		t.Errorf("%v panicked:\n%s", args, out)
	}
}

// times returns how often a test does what it does again and again: usual, or as a
// variable of the environment says for a long run.
func times(t *testing.T, variable string, usual int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s=%s is no number above 0", variable, text)
	}
	return n
}
