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
	"sync"
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
	Start    time.Duration // that a browser has to start and open the page; 0 is 20 s
	Hang     time.Duration // after which a browser that draws is taken to hang; 0 is 12 s
	Log      *slog.Logger
}

// Job is one image.
type Job struct {
	Data any // handed to the page's function draw, as JSON
	// Fetch answers what the page asks for beyond its own files: nil refuses. It
	// is called by up to 16 goroutines at once, and not after Image has returned,
	// which waits for it: it must end with its context.
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
	ErrBusy   = errors.New("too many images are waited for")
	ErrHung   = errors.New("the browser drew no image, twice")
	ErrClosed = errors.New("the pool of browsers is closed")
)

// PageError is what the page could not do, such as to draw a style that is none.
type PageError struct{ Message string }

func (e *PageError) Error() string { return "the page: " + e.Message }

// retireAfter is the number of images after which a browser is replaced, lest
// what it leaks should add up.
const retireAfter = 1000

// How long a browser's end is waited for.
const (
	// patience is for a browser that was killed; it takes well below a second. One
	// that is not gone by then is left behind, lest its place be lost.
	patience = 5 * time.Second
	// closing is for all of them, and for what they draw, when the pool closes.
	closing = 2 * patience
	// settling is for a page that is loaded anew because its caller has left.
	settling = 5 * time.Second
)

// Pool is browsers that draw. They are started when they are needed. Its methods
// are safe for concurrent use.
type Pool struct {
	options Options
	base    context.Context // of the browsers' lives, and of what they draw
	end     context.CancelFunc
	free    chan *seat
	queued  atomic.Int64
	retire  int         // images after which a browser is replaced: retireAfter but in tests
	bare    atomic.Bool // browsers start only without their sandbox here
	closed  sync.Once
}

// seat is a place in the pool. Whoever takes it out of free puts it back once, with
// leave.
type seat struct {
	browser *browser // nil until it is needed
	drawn   int
}

// New makes a pool; Close ends its browsers.
func New(o Options) *Pool {
	if o.Start == 0 {
		o.Start = 20 * time.Second
	}
	if o.Hang == 0 {
		o.Hang = 12 * time.Second
	}
	p := &Pool{options: o, free: make(chan *seat, o.Size), retire: retireAfter}
	p.base, p.end = context.WithCancel(context.Background())
	for range o.Size {
		p.free <- &seat{}
	}
	return p
}

// Close ends what is drawn, with ErrClosed, and the browsers. It returns when none
// is left, within 10 s whatever they do.
func (p *Pool) Close() { p.closed.Do(p.close) }

func (p *Pool) close() {
	p.end() // kills them
	until := time.Now().Add(closing)
	for range p.options.Size {
		select {
		case s := <-p.free:
			s.stop(time.Until(until))
		case <-time.After(time.Until(until)):
			p.options.Log.Error("what draws maps has not ended; it is left behind", "after", closing)
			return
		}
	}
}

// Image has a job drawn. A browser that hangs is replaced and the job tried once
// more, then it is ErrHung. Where too many wait it is ErrBusy, and ErrClosed once
// the pool closes. When the caller's context ends it fails with its error, at
// once but for what Fetch takes to return and for a browser that is being replaced,
// which takes 5 s at the most.
func (p *Pool) Image(caller context.Context, job Job) ([]byte, error) {
	s, err := p.sit(caller)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(caller)
	defer cancel()
	defer context.AfterFunc(p.base, cancel)()
	busy := true // with something that nobody waits for
	defer func() { p.leave(s, busy) }()
	for range 2 {
		image, err := p.try(ctx, s, job)
		var page *PageError
		switch {
		case err == nil || errors.As(err, &page):
			busy = false
			s.drawn++
			return image, err
		case p.base.Err() != nil:
			return nil, ErrClosed
		case ctx.Err() != nil:
			return nil, caller.Err()
		}
		p.options.Log.Warn("a browser that draws maps is replaced", "error", err)
		s.stop(patience)
	}
	return nil, ErrHung
}

// leave puts a seat back. What its browser is still busy with is done away with
// first, beside and within settling and patience: the page is loaded anew, and a browser
// that does not even do that is stopped.
func (p *Pool) leave(s *seat, busy bool) {
	if !busy && s.drawn < p.retire || s.browser == nil {
		p.free <- s
		return
	}
	parallel.Go(func() {
		defer func() { p.free <- s }()
		if s.drawn >= p.retire || !s.browser.settled() {
			s.stop(patience)
		}
	}, p.caught)
}

// sit waits for a place.
func (p *Pool) sit(ctx context.Context) (*seat, error) {
	if p.base.Err() != nil {
		return nil, ErrClosed
	}
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
	case <-p.base.Done():
		return nil, ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// try starts a browser where the seat has none, and has it draw.
func (p *Pool) try(ctx context.Context, s *seat, job Job) ([]byte, error) {
	if s.browser == nil {
		if err := p.start(ctx, s); err != nil {
			return nil, err
		}
	}
	limit, cancel := context.WithTimeout(ctx, p.options.Hang)
	defer cancel()
	return s.browser.draw(limit, job)
}

// start gives a seat a browser, in its sandbox where that can be.
func (p *Pool) start(ctx context.Context, s *seat) error {
	limit, cancel := context.WithTimeout(ctx, p.options.Start) // a busy machine takes its time
	defer cancel()
	bare := p.bare.Load() || root()
	err := s.open(limit, p.launch(bare))
	if err == nil || bare || limit.Err() != nil {
		return err
	}
	s.stop(patience)
	if again := s.open(limit, p.launch(true)); again != nil {
		return fmt.Errorf("%w; without its sandbox: %w", err, again)
	}
	p.bare.Store(true)
	p.options.Log.Warn("Chromium starts here only without its sandbox", "error", err)
	return nil
}

// open waits until a browser has the page open; it is the seat's from now on.
func (s *seat) open(ctx context.Context, b *browser) error {
	s.browser, s.drawn = b, 0
	select {
	case err := <-b.open:
		b.used = err == nil
		return err
	case <-ctx.Done():
		return fmt.Errorf("start Chromium: %w", ctx.Err())
	}
}

func (s *seat) stop(limit time.Duration) {
	if s.browser != nil {
		s.browser.stop(limit)
		s.browser = nil
	}
}

// caught logs a panic of a goroutine.
func (p *Pool) caught(failure *parallel.Panic) {
	p.options.Log.Error("panic", "value", failure.Error(), "stack", string(failure.Stack))
}
