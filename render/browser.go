package render

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/waygate/waygate/parallel"
)

// browser is a Chromium with the page open. One goroutine manages its life: it starts
// the browser, waits for its end and cleans up.
type browser struct {
	pool *Pool
	tab  context.Context    // of chromedp; it ends with the browser
	kill context.CancelFunc // kills all of its processes, and returns at once
	cmd  *exec.Cmd          // nil before it is started; of the goroutine of its life
	open chan error         // receives once whether the page is open
	used bool               // it was open, and may be called
	gone chan struct{}      // is closed when no process and no file is left
	hold chan struct{}      // has a token for each answer that this process holds

	mu  sync.Mutex
	job *running // nil between jobs
}

// mostHeld limits the concurrent answers to the page: each is held in memory as it came
// and, for a moment, as it is sent, twice as large.
const mostHeld = 16

// running is a job whose page may still make requests.
type running struct {
	Job
	ctx     context.Context
	answers sync.WaitGroup
}

func root() bool { return os.Geteuid() == 0 }

// flags are in addition to those that chromedp gives every browser. No host name
// resolves, in case a request gets past the interception.
func (b *browser) flags(bare bool) []chromedp.ExecAllocatorOption {
	all := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(b.pool.options.Chromium),
		chromedp.ModifyCmdFunc(func(cmd *exec.Cmd) { alone(cmd); b.cmd = cmd }),
		chromedp.Flag("use-angle", "swiftshader"),
		chromedp.Flag("enable-unsafe-swiftshader", true),
		chromedp.Flag("ignore-gpu-blocklist", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND"),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("mute-audio", true),
		chromedp.NoInheritEnv, // the server's has secrets
		chromedp.Env("PATH="+os.Getenv("PATH"), "HOME="+os.TempDir(), "TMPDIR="+os.TempDir(), "LANG=C.UTF-8"),
	)
	if bare {
		all = append(all, chromedp.NoSandbox)
	}
	return all
}

// launch starts a browser in the background.
func (p *Pool) launch(bare bool) *browser {
	b := &browser{pool: p, open: make(chan error, 1), gone: make(chan struct{}), hold: make(chan struct{}, mostHeld)}
	life, kill := context.WithCancel(p.base)
	b.kill = kill
	allocator, released := chromedp.NewExecAllocator(life, b.flags(bare)...)
	tab, closed := chromedp.NewContext(allocator, chromedp.WithLogf(p.warn), chromedp.WithErrorf(p.warn))
	b.tab = tab
	parallel.Go(func() {
		defer close(b.gone)
		b.open <- b.load()
		<-tab.Done() // the browser was killed, or lost
		b.end()
		// These wait for the process and its folder. A second call would wait for
		// ever if the process was never started.
		closed()
		released()
	}, p.caught)
	return b
}

// end kills the processes. The first one may have ended by itself and left others
// behind.
func (b *browser) end() {
	b.kill()
	if b.cmd == nil || b.cmd.Process == nil {
		return
	}
	if err := killGroup(b.cmd); err != nil && !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH) {
		b.pool.warn("its processes cannot be killed: %v", err)
	}
}

// load starts the browser and loads the page.
func (b *browser) load() error {
	if err := chromedp.Listen(b.tab, b.hear); err != nil {
		return fmt.Errorf("start Chromium: %w", err)
	}
	if _, err := chromedp.Call(b.tab, fetch.Enable, fetch.EnableParams{}); err != nil {
		return fmt.Errorf("start Chromium: %w", err)
	}
	return b.navigate(b.tab)
}

// navigate loads the page anew, without any state of earlier jobs.
func (b *browser) navigate(ctx context.Context) error {
	if err := chromedp.Do(ctx, chromedp.Navigate(Origin+"/"+b.pool.options.Page)); err != nil {
		return fmt.Errorf("open the page in Chromium: %w", err)
	}
	return nil
}

// stop kills the browser and waits until its processes and files are gone, or for the
// limit.
func (b *browser) stop(limit time.Duration) {
	b.kill()
	select {
	case <-b.gone:
	case <-time.After(limit):
		b.pool.options.Log.Error("a browser that draws maps was killed and has not ended; it is left behind")
	}
}

func (p *Pool) warn(format string, args ...any) {
	p.options.Log.Debug("chromium", "says", fmt.Sprintf(format, args...))
}

// draw makes the page draw a job.
func (b *browser) draw(ctx context.Context, job Job) ([]byte, error) {
	data, err := json.Marshal(job.Data)
	if err != nil {
		return nil, err
	}
	ctx, done := context.WithCancel(ctx)
	r := &running{Job: job, ctx: ctx}
	b.set(r)
	defer func() { // no request uses the job once it is over
		b.set(nil)
		done()
		r.answers.Wait()
	}()
	call, cancel := b.callContext(ctx)
	defer cancel()
	text, err := chromedp.Run(call, chromedp.Evaluate[string]("draw("+string(data)+")", chromedp.EvalAwaitPromise))
	var thrown *chromedp.ExceptionError
	switch {
	case errors.As(err, &thrown):
		return nil, &PageError{thrown.Error()}
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, err
	}
	return base64.StdEncoding.DecodeString(text)
}

// settled loads the page anew, which ends what it was drawing, and reports whether that
// worked: not if the browser hangs, or has not started yet.
func (b *browser) settled() bool {
	if !b.used {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), b.pool.settleTime)
	defer cancel()
	call, done := b.callContext(ctx)
	defer done()
	return b.navigate(call) == nil
}

// callContext returns a context for calls to the browser that ends with ctx too.
func (b *browser) callContext(ctx context.Context) (context.Context, context.CancelFunc) {
	call, cancel := context.WithCancel(b.tab)
	stop := context.AfterFunc(ctx, cancel)
	return call, func() { stop(); cancel() }
}

func (b *browser) set(r *running) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.job = r
}

// hear handles every event of the browser, and must not block.
func (b *browser) hear(event any) {
	asked, ok := event.(*fetch.EventRequestPaused)
	if !ok {
		return
	}
	b.mu.Lock()
	job := b.job
	if job != nil {
		job.answers.Add(1)
	}
	b.mu.Unlock()
	parallel.Go(func() {
		wanted, done := b.tab, func() {}
		if job != nil {
			wanted, done = job.ctx, job.answers.Done
		}
		var found *Resource // refused once nobody waits for the image
		select {
		case b.hold <- struct{}{}:
			defer func() { <-b.hold }()
			func() {
				defer done()
				found = b.find(job, asked.Request)
			}()
		case <-wanted.Done():
			done()
		}
		b.answer(asked.RequestID, found)
	}, b.pool.caught)
}

// find returns the answer to a request of the page; nil refuses it.
func (b *browser) find(job *running, asked *network.Request) *Resource {
	address, err := url.Parse(asked.URL)
	if err != nil || asked.Method != http.MethodGet {
		return nil
	}
	if own, err := url.Parse(Origin); err == nil && address.Scheme == own.Scheme && address.Host == own.Host {
		if file := b.pool.file(address.Path); file != nil {
			return file
		}
	}
	if job == nil {
		return nil
	}
	found, err := job.Fetch(job.ctx, address)
	if err != nil {
		b.pool.warn("%s: %v", address.Redacted(), err)
		return nil
	}
	return found
}

// file returns one of the page's own files; nil if there is none of the name.
func (p *Pool) file(name string) *Resource {
	body, err := fs.ReadFile(p.options.Site, strings.TrimPrefix(name, "/"))
	if err != nil {
		return nil
	}
	media := mime.TypeByExtension(path.Ext(name))
	if path.Ext(name) == ".mjs" {
		media = "text/javascript"
	}
	return &Resource{Header: http.Header{"Content-Type": {media}}, Body: body}
}

// answer sends a resource to the page, or refuses the request.
func (b *browser) answer(id fetch.RequestID, found *Resource) {
	if found == nil {
		_, err := chromedp.Call(b.tab, fetch.FailRequest, fetch.FailRequestParams{RequestID: id, ErrorReason: network.ErrorReasonBlockedByClient})
		b.lost(err)
		return
	}
	status := found.Status
	if status == 0 {
		status = http.StatusOK
	}
	headers := []*fetch.HeaderEntry{{Name: "Access-Control-Allow-Origin", Value: "*"}, {Name: "Cache-Control", Value: "no-store"}}
	for name, values := range found.Header {
		for _, value := range values {
			headers = append(headers, &fetch.HeaderEntry{Name: name, Value: value})
		}
	}
	_, err := chromedp.Call(b.tab, fetch.FulfillRequest, fetch.FulfillRequestParams{RequestID: id, ResponseCode: int64(status), ResponseHeaders: headers, Body: found.Body})
	b.lost(err)
}

// lost logs an answer that did not reach the page, for instance because it is no longer
// needed.
func (b *browser) lost(err error) {
	if err != nil {
		b.pool.warn("an answer did not arrive: %v", err)
	}
}
