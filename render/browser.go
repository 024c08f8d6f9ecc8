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

// browser is a Chromium with the page open. One goroutine has its whole life: it
// starts the browser, waits until that is over and clears up behind it.
type browser struct {
	pool *Pool
	tab  context.Context    // of chromedp; it ends with the browser
	kill context.CancelFunc // has all of its processes killed, and returns at once
	cmd  *exec.Cmd          // nil before it is started; of the goroutine of its life
	open chan error         // hears once whether the page is open
	used bool               // it was open, and may be called
	gone chan struct{}      // is closed when no process and no file is left
	hold chan struct{}      // has a token for each answer that this process holds

	mu  sync.Mutex
	job *running // nil between jobs
}

// mostHeld bounds what answers to the page take here at once, however many it asks
// for: each is held as it came and, for a moment, as it is sent, twice as large.
const mostHeld = 16

// running is a job while its page may ask for something.
type running struct {
	Job
	ctx     context.Context
	answers sync.WaitGroup
}

func root() bool { return os.Geteuid() == 0 }

// flags are beyond those that chromedp gives every browser. Names lead nowhere,
// should ever a request get past the interception.
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

// launch has a browser started, and does not wait for it.
func (p *Pool) launch(bare bool) *browser {
	b := &browser{pool: p, open: make(chan error, 1), gone: make(chan struct{}), hold: make(chan struct{}, mostHeld)}
	life, kill := context.WithCancel(p.base)
	b.kill = kill
	allocator, released := chromedp.NewExecAllocator(life, b.flags(bare)...)
	tab, closed := chromedp.NewContext(allocator, chromedp.WithLogf(p.tell), chromedp.WithErrorf(p.tell))
	b.tab = tab
	parallel.Go(func() {
		defer close(b.gone)
		b.open <- b.load()
		<-tab.Done() // it was killed, or lost
		b.end()
		// These wait for the process and its folder. Called a second time they
		// would wait for good where the process was never started.
		closed()
		released()
	}, p.caught)
	return b
}

// end kills the processes. The first that was started may have ended by itself and
// left others behind.
func (b *browser) end() {
	b.kill()
	if b.cmd == nil || b.cmd.Process == nil {
		return
	}
	if err := killGroup(b.cmd); err != nil && !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH) {
		b.pool.tell("its processes cannot be killed: %v", err)
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

// navigate loads the page, with nothing left of what it did before.
func (b *browser) navigate(ctx context.Context) error {
	if err := chromedp.Do(ctx, chromedp.Navigate(Origin+"/"+b.pool.options.Page)); err != nil {
		return fmt.Errorf("open the page in Chromium: %w", err)
	}
	return nil
}

// stop kills the browser and waits until nothing of it is left, or for the limit.
func (b *browser) stop(limit time.Duration) {
	b.kill()
	select {
	case <-b.gone:
	case <-time.After(limit):
		b.pool.options.Log.Error("a browser that draws maps was killed and has not ended; it is left behind")
	}
}

func (p *Pool) tell(format string, args ...any) {
	p.options.Log.Debug("chromium", "says", fmt.Sprintf(format, args...))
}

// draw has the page draw a job.
func (b *browser) draw(ctx context.Context, job Job) ([]byte, error) {
	data, err := json.Marshal(job.Data)
	if err != nil {
		return nil, err
	}
	ctx, done := context.WithCancel(ctx)
	r := &running{Job: job, ctx: ctx}
	b.set(r)
	defer func() { // nothing is asked of the job once it is over
		b.set(nil)
		done()
		r.answers.Wait()
	}()
	call, cancel := b.within(ctx)
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

// settled loads the page anew, which ends what it was drawing, and reports whether
// that came about: not where the browser hangs, or had not started yet.
func (b *browser) settled() bool {
	if !b.used {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), settling)
	defer cancel()
	call, done := b.within(ctx)
	defer done()
	return b.navigate(call) == nil
}

// within gives a context to call the browser with that ends with ctx too.
func (b *browser) within(ctx context.Context) (context.Context, context.CancelFunc) {
	call, cancel := context.WithCancel(b.tab)
	stop := context.AfterFunc(ctx, cancel)
	return call, func() { stop(); cancel() }
}

func (b *browser) set(r *running) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.job = r
}

// hear is told of every event, and must not block.
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
		var found *Resource // refused where nobody waits for the image any more
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

// find gives what a request of the page asks for; nil refuses it.
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
		b.pool.tell("%s: %v", address.Redacted(), err)
		return nil
	}
	return found
}

// file is one of the page's own; nil where the name is none.
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

// answer hands a resource to the page, or refuses what it asked for.
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

// lost notes that an answer did not reach the page, as when it needs it no more.
func (b *browser) lost(err error) {
	if err != nil {
		b.pool.tell("an answer did not arrive: %v", err)
	}
}
