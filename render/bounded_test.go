package render

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/waygate/waygate/waittest"
)

// endsInTime fails a test where f does not end.
func endsInTime(t *testing.T, what string, f func()) {
	t.Helper()
	ended := make(chan struct{})
	go func() { defer close(ended); f() }()
	select {
	case <-ended:
	case <-time.After(waittest.Patience):
		t.Fatal("does not end: " + what)
	}
}

// allFree checks that a pool has all its places, each once, and leaves them there.
func allFree(t *testing.T, p *Pool) {
	t.Helper()
	var all []*browserSlot
	endsInTime(t, "a place is given back", func() {
		for range p.options.Size {
			all = append(all, <-p.free)
		}
	})
	select {
	case <-p.free:
		t.Error("a place was given back twice")
	default:
	}
	for _, s := range all {
		p.free <- s
	}
}

// group counts the processes of a group that have not ended.
func group(t *testing.T, id int) (n int) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(all) == 0 {
		t.Skip("this system lists no processes in /proc")
	}
	for _, name := range all {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it ended just now
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		f := strings.Fields(rest) // state, parent, group
		if f[0] != "Z" && f[2] == strconv.Itoa(id) {
			n++
		}
	}
	return n
}

// emptied waits until a group has no process.
func emptied(t *testing.T, id int) {
	t.Helper()
	endsInTime(t, "the processes of a browser", func() {
		for group(t, id) > 0 {
			time.Sleep(5 * time.Millisecond)
		}
	})
}

// pretend makes a pool whose browser is a shell script, which writes its process id
// first.
func pretend(t *testing.T, script string, change ...func(*Options)) (p *Pool, pid func() int) {
	t.Helper()
	dir := t.TempDir()
	program, pidFile := filepath.Join(dir, "browser"), filepath.Join(dir, "pid")
	text := "#!/bin/sh\necho $$ > " + pidFile + ".new; mv " + pidFile + ".new " + pidFile + "\n" + script + "\n"
	if err := os.WriteFile(program, []byte(text), 0o700); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
	o := Options{Chromium: program, Page: "page.html", Site: fstest.MapFS{}, Size: 1, Start: 2 * waittest.Patience, Log: slog.New(slog.DiscardHandler)}
	for _, c := range change {
		c(&o)
	}
	p = New(o)
	t.Cleanup(func() { endsInTime(t, "Close", p.Close) })
	return p, func() (id int) {
		t.Helper()
		endsInTime(t, "the script starts", func() {
			for {
				if text, err := os.ReadFile(pidFile); err == nil { //nolint:gosec // of this test
					id, _ = strconv.Atoi(strings.TrimSpace(string(text)))
					return
				}
				time.Sleep(time.Millisecond)
			}
		})
		return id
	}
}

// scripts are browsers that misbehave. Each has a child that does not end by itself.
var scripts = map[string]string{
	"never answers":         "sleep 3600 & wait",
	"exits at once":         "sleep 3600 & exit 1",
	"ignores every signal":  "trap '' TERM INT HUP QUIT PIPE; sleep 3600 & while :; do wait; done",
	"answers garbage":       `sleep 3600 & printf 'no JSON\000{"id":"x"}\000' >&4; wait`,
	"closes its connection": "exec 3<&- 4>&-; sleep 3600 & wait",
}

// A caller who leaves while the browser starts is answered, and neither his place nor
// a process stays behind, whatever it is that was started.
func TestLeaveAndStartAtOnce(t *testing.T) {
	t.Parallel()
	for name, script := range scripts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, pid := pretend(t, script)
			for range 2 {
				ctx, leave := context.WithCancel(t.Context())
				ended := make(chan error, 1)
				go func() { _, err := p.Image(ctx, Job{}); ended <- err }()
				id := pid()
				leave()
				endsInTime(t, "Image", func() {
					// One that ends by itself may have done so twice before.
					if err := <-ended; !errors.Is(err, context.Canceled) && !errors.Is(err, ErrHung) {
						t.Error(err)
					}
				})
				allFree(t, p)
				emptied(t, id)
			}
		})
	}
}

// A caller whose time is up gets that error, not that of a cancellation.
func TestTimeIsUpWhileItStarts(t *testing.T) {
	t.Parallel()
	p, pid := pretend(t, scripts["ignores every signal"])
	ctx, up := waittest.Timed(t.Context())
	ended := make(chan error, 1)
	go func() { _, err := p.Image(ctx, Job{}); ended <- err }()
	id := pid()
	up()
	endsInTime(t, "Image", func() {
		if err := <-ended; !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	allFree(t, p)
	emptied(t, id)
}

// A browser that does not come to start is given up, twice.
func TestNeverStarts(t *testing.T) {
	t.Parallel()
	for name, script := range scripts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, pid := pretend(t, script, func(o *Options) { o.Start = 200 * time.Millisecond })
			started := make(chan int, 1)
			go func() { started <- pid() }()
			for id := 0; id == 0; { // a busy machine may not come to start it in that time
				endsInTime(t, "Image", func() {
					if _, err := p.Image(t.Context(), Job{}); !errors.Is(err, ErrHung) {
						t.Error(err)
					}
				})
				allFree(t, p)
				select {
				case id = <-started:
					emptied(t, id)
				case <-time.After(10 * time.Millisecond):
				}
			}
		})
	}
	t.Run("no program", func(t *testing.T) {
		t.Parallel()
		p := New(Options{Chromium: "/nowhere/chromium", Page: "page.html", Site: fstest.MapFS{}, Size: 2, Log: slog.New(slog.DiscardHandler)})
		endsInTime(t, "Image", func() {
			if _, err := p.Image(t.Context(), Job{}); !errors.Is(err, ErrHung) {
				t.Error(err)
			}
		})
		allFree(t, p)
		endsInTime(t, "Close", p.Close)
	})
}

// A pool that closes ends who draws and who waits, and its browsers' processes.
func TestCloseAndDrawAtOnce(t *testing.T) {
	t.Parallel()
	for name, script := range scripts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, pid := pretend(t, script, func(o *Options) { o.Waiting = 1 })
			ended := make(chan error, 2)
			for range 2 {
				go func() { _, err := p.Image(t.Context(), Job{}); ended <- err }()
			}
			id := pid()
			endsInTime(t, "Close", p.Close)
			for range 2 {
				endsInTime(t, "Image", func() {
					if err := <-ended; !errors.Is(err, ErrClosed) && !errors.Is(err, ErrHung) {
						t.Error(err)
					}
				})
			}
			emptied(t, id)
			if _, err := p.Image(t.Context(), Job{}); !errors.Is(err, ErrClosed) {
				t.Error(err)
			}
		})
	}
}

// A place whose owner never gives it back does not keep a pool from closing.
func TestCloseWithoutAPlace(t *testing.T) {
	t.Parallel()
	p := New(Options{Size: 1, Log: slog.New(slog.DiscardHandler)})
	<-p.free
	endsInTime(t, "Close", p.Close)
}

// state describes a pool's one browser, which nobody uses.
func state(t *testing.T, p *Pool) (pid, pages int) {
	t.Helper()
	var s *browserSlot
	endsInTime(t, "a place is given back", func() { s = <-p.free })
	defer func() { p.free <- s }()
	if s.browser == nil {
		t.Error("there is no browser")
		return 0, 0
	}
	all, err := chromedp.CallBrowser(s.browser.tab, target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		t.Error(err)
	}
	return chromedp.FromContext(s.browser.tab).Browser.Process().Pid, len(all.TargetInfos)
}

// slow is a page that starts a worker for each image and waits for what never comes.
const slow = `globalThis.draw = async ({wait}) => {
	globalThis.drawn = (globalThis.drawn ?? 0) + 1
	if (!wait) return btoa(String(globalThis.drawn))
	new Worker("worker.js")
	await fetch("/wait")
	await new Promise(() => {})
}`

// A caller who leaves while his image is drawn leaves nothing behind: the browser has
// the pages and processes that it had before, and is not busy with the image.
func TestLeavesNothing(t *testing.T) {
	t.Parallel()
	p := start(t, slow)
	p.settleTime = waittest.Patience // a browser that is slow is stopped, which is another way
	next := func() string {
		t.Helper()
		got, err := p.Image(t.Context(), Job{Data: map[string]bool{}})
		if err != nil {
			t.Fatal(err)
		}
		return string(got)
	}
	next()
	pid, pages := state(t, p)
	for range 5 {
		ctx, leave := context.WithCancel(t.Context())
		_, err := p.Image(ctx, Job{Data: map[string]bool{"wait": true}, Fetch: func(ctx context.Context, address *url.URL) (*Resource, error) {
			if address.Path == "/wait" {
				leave()
			}
			<-ctx.Done()
			return nil, ctx.Err()
		}})
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		// A worker of the page before takes a moment to end.
		endsInTime(t, "targets of the image that nobody waits for", func() {
			for again, n := state(t, p); n != pages; again, n = state(t, p) {
				if again != pid {
					t.Errorf("process %d, it was %d", again, pid)
				}
				time.Sleep(5 * time.Millisecond)
			}
		})
		if got := next(); got != "1" {
			t.Errorf("the page has drawn %s images since it was loaded", got)
		}
	}
	allFree(t, p)
	endsInTime(t, "Close", p.Close)
	emptied(t, pid)
}

// A page that cannot be stopped takes its browser with it when its caller leaves.
func TestLeavesAHungPage(t *testing.T) {
	t.Parallel()
	p := start(t, `globalThis.draw = async ({hang}) => { if (hang && (await fetch("/how")).status === 200) for (;;); return btoa("ok") }`)
	if _, err := p.Image(t.Context(), Job{Data: map[string]bool{}}); err != nil {
		t.Fatal(err)
	}
	pid, _ := state(t, p)
	ctx, leave := context.WithCancel(t.Context())
	_, err := p.Image(ctx, Job{Data: map[string]bool{"hang": true}, Fetch: func(_ context.Context, address *url.URL) (*Resource, error) {
		if address.Path == "/how" {
			time.AfterFunc(100*time.Millisecond, leave)
			return &Resource{}, nil
		}
		return nil, nil //nolint:nilnil // is refused
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	allFree(t, p)
	if got, err := p.Image(t.Context(), Job{Data: map[string]bool{}}); err != nil || string(got) != "ok" {
		t.Errorf("%q, %v", got, err)
	}
	emptied(t, pid)
}

// A browser that is killed from outside is replaced.
func TestKilled(t *testing.T) {
	t.Parallel()
	p := start(t, slow)
	if _, err := p.Image(t.Context(), Job{Data: map[string]bool{}}); err != nil {
		t.Fatal(err)
	}
	pid, _ := state(t, p)
	killer, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := killer.Kill(); err != nil {
		t.Fatal(err)
	}
	if got, err := p.Image(t.Context(), Job{Data: map[string]bool{}}); err != nil || string(got) != "1" {
		t.Errorf("%q, %v", got, err)
	}
	emptied(t, pid)
	allFree(t, p)
}
