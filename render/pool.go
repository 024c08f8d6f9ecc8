// Package render has images drawn by a page in headless Chromium. What the page
// asks for never reaches a network: each request is answered in this process, or
// refused.
package render

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/parallel"
)

// Origin is where the page believes to be. The name is reserved to lead nowhere.
const Origin = "https://render.invalid"

// Options configure a Pool.
type Options struct {
	Chromium string        // path of the program
	Site     fs.FS         // of the page
	Page     string        // its file
	Size     int           // images drawn at once, each by a Chromium of its own; at least 1
	Waiting  int           // callers that wait for one; more are refused
	Hang     time.Duration // after which a browser is taken to hang; 0 is 12 s
	Log      *slog.Logger
}

// Job is one image.
type Job struct {
	Data any // handed to the page's function draw, as JSON
	// Fetch answers what the page asks for beyond its own files: nil refuses. It
	// is called by several goroutines, and not after Image has returned.
	Fetch func(ctx context.Context, address *url.URL) (*Resource, error)
}

// Resource is what an address has.
type Resource struct {
	Status int // 0 is 200
	Header http.Header
	Body   []byte
}

// Failures of Image.
var (
	ErrBusy = errors.New("too many images are waited for")
	ErrHung = errors.New("the browser drew no image, twice")
)

// PageError is what the page could not do, such as to draw a style that is none.
type PageError struct{ Message string }

func (e *PageError) Error() string { return "the page: " + e.Message }

// retireAfter is the number of images after which a browser is replaced, lest
// what it leaks should add up.
const retireAfter = 1000

// Pool is browsers that draw. They are started when they are needed. Its methods
// are safe for concurrent use.
type Pool struct {
	options Options
	base    context.Context // of the browsers' lives
	end     context.CancelFunc
	free    chan *seat
	queued  atomic.Int64
	bare    atomic.Bool // browsers start only without their sandbox here
}

// seat is a place in the pool.
type seat struct {
	browser *browser // nil until it is needed
	drawn   int
}

// New makes a pool; Close ends its browsers.
func New(o Options) *Pool {
	if o.Hang == 0 {
		o.Hang = 12 * time.Second
	}
	p := &Pool{options: o, free: make(chan *seat, o.Size)}
	p.base, p.end = context.WithCancel(context.Background())
	for range o.Size {
		p.free <- &seat{}
	}
	return p
}

// Close ends the browsers once none draws.
func (p *Pool) Close() {
	for range p.options.Size {
		(<-p.free).stop()
	}
	p.end()
}

// Image has a job drawn. A browser that hangs is replaced and the job tried once
// more, then it is ErrHung. Where too many wait it is ErrBusy.
func (p *Pool) Image(ctx context.Context, job Job) ([]byte, error) {
	s, err := p.sit(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { p.free <- s }()
	for range 2 {
		image, err := p.try(ctx, s, job)
		var page *PageError
		switch {
		case err == nil:
			if s.drawn++; s.drawn >= retireAfter {
				s.stop()
			}
			return image, nil
		case ctx.Err() != nil, errors.As(err, &page):
			return nil, err
		}
		p.options.Log.Warn("a browser that draws maps is replaced", "error", err)
		s.stop()
	}
	return nil, ErrHung
}

// sit waits for a place.
func (p *Pool) sit(ctx context.Context) (*seat, error) {
	select {
	case s := <-p.free:
		return s, nil
	default:
	}
	if p.queued.Add(1) > int64(p.options.Waiting) {
		p.queued.Add(-1)
		return nil, ErrBusy
	}
	defer p.queued.Add(-1)
	select {
	case s := <-p.free:
		return s, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *Pool) try(ctx context.Context, s *seat, job Job) ([]byte, error) {
	limit, cancel := context.WithTimeout(ctx, p.options.Hang)
	defer cancel()
	if s.browser == nil {
		b, err := p.start(limit)
		if err != nil {
			return nil, err
		}
		s.browser, s.drawn = b, 0
	}
	return s.browser.draw(limit, job)
}

// start opens a browser, in its sandbox where that can be.
func (p *Pool) start(ctx context.Context) (*browser, error) {
	b, err := p.open(ctx, p.bare.Load() || root())
	if err == nil || ctx.Err() != nil || p.bare.Load() || root() {
		return b, err
	}
	bare, again := p.open(ctx, true)
	if again != nil {
		return nil, fmt.Errorf("%w; without its sandbox: %w", err, again)
	}
	p.bare.Store(true)
	p.options.Log.Warn("Chromium starts here only without its sandbox", "error", err)
	return bare, nil
}

func (s *seat) stop() {
	if s.browser != nil {
		s.browser.cancel()
		s.browser = nil
	}
}

// caught logs a panic of a goroutine.
func (p *Pool) caught(failure *parallel.Panic) {
	p.options.Log.Error("panic", "value", failure.Error(), "stack", string(failure.Stack))
}
