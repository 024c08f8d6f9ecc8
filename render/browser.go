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
	"path"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/waygate/waygate/parallel"
)

// browser is a Chromium with the page open.
type browser struct {
	pool   *Pool
	tab    context.Context // of chromedp
	cancel context.CancelFunc

	mu  sync.Mutex
	job *running // nil between jobs
}

// running is a job while its page may ask for something.
type running struct {
	Job
	ctx     context.Context
	answers sync.WaitGroup
}

func root() bool { return os.Geteuid() == 0 }

// flags are beyond those that chromedp gives every browser. Names lead nowhere,
// should ever a request get past the interception.
func (p *Pool) flags(bare bool) []chromedp.ExecAllocatorOption {
	all := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(p.options.Chromium),
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

// open starts a browser and loads the page; ctx bounds how long that takes.
func (p *Pool) open(ctx context.Context, bare bool) (_ *browser, err error) {
	alone, end := chromedp.NewExecAllocator(p.base, p.flags(bare)...)
	tab, cancel := chromedp.NewContext(alone, chromedp.WithLogf(p.tell), chromedp.WithErrorf(p.tell))
	b := &browser{pool: p, tab: tab, cancel: func() { cancel(); end() }}
	defer func() {
		if err != nil {
			b.cancel()
		}
	}()
	stop := context.AfterFunc(ctx, b.cancel)
	defer stop()
	if err := chromedp.Listen(tab, b.hear); err != nil {
		return nil, fmt.Errorf("start Chromium: %w", err)
	}
	if _, err := chromedp.Call(tab, fetch.Enable, fetch.EnableParams{}); err != nil {
		return nil, fmt.Errorf("start Chromium: %w", err)
	}
	if err := chromedp.Do(tab, chromedp.Navigate(Origin+"/"+p.options.Page)); err != nil {
		return nil, fmt.Errorf("open the page in Chromium: %w", err)
	}
	return b, nil
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
	call, cancel := context.WithCancel(b.tab)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
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
		found := func() *Resource {
			if job != nil {
				defer job.answers.Done()
			}
			return b.find(job, asked.Request)
		}()
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
