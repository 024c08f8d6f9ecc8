// Package render draws images with a page in headless Chromium. No request of the page
// reaches a network: each is answered in this process, or refused.
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

// Origin is the origin of the page. The name is reserved and resolves nowhere.
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
	// Fetch answers requests of the page beyond its own files; nil refuses. It is
	// called by up to 16 goroutines at once, and not after Image has returned. Image
	// waits for it, so it must end with its context.
	Fetch func(ctx context.Context, address *url.URL) (*Resource, error)
}

// Resource is the content of an address.
type Resource struct {
	Status int // 0 is 200
	Header http.Header
	Body   []byte
}

// Errors of Image.
var (
	ErrBusy   = errors.New("too many images are waited for")
	ErrHung   = errors.New("the browser drew no image, twice")
	ErrClosed = errors.New("the pool of browsers is closed")
)

// PageError is an error that the page reported, such as an invalid style.
type PageError struct{ Message string }

func (e *PageError) Error() string { return "the page: " + e.Message }

// retireAfter is the number of images after which a browser is replaced, so that its
// leaks do not add up.
const retireAfter = 1000

// How long the end of a browser is waited for.
const (
	// patience is for a browser that was killed, which takes well below a second. One
	// that is not gone by then is abandoned, so that its slot is not lost.
	patience = 5 * time.Second
	// closing is for all browsers and what they draw, when the pool closes.
	closing = 2 * patience
	// settling is for a page that is loaded anew because its caller has left.
	settling = 5 * time.Second
)

// Pool is a set of browsers that draw. They are started when they are needed. Its
// methods are safe for concurrent use.
type Pool struct {
	options    Options
	base       context.Context // of the browsers' lives, and of what they draw
	end        context.CancelFunc
	free       chan *browserSlot
	queued     atomic.Int64
	retire     int           // images after which a browser is replaced: retireAfter but in tests
	settleTime time.Duration // for a page that is loaded anew: settling but in tests
	bare       atomic.Bool   // browsers start only without their sandbox here
	closed     sync.Once
}

// browserSlot is a place for a browser in the pool. A caller that takes it out of free
// must return it once, with leave.
type browserSlot struct {
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
	p := &Pool{options: o, free: make(chan *browserSlot, o.Size), retire: retireAfter, settleTime: settling}
	p.base, p.end = context.WithCancel(context.Background())
	for range o.Size {
		p.free <- &browserSlot{}
	}
	return p
}

// Close ends the drawing of images, with ErrClosed, and the browsers. It returns when
// none is left, within 10 s in every case.
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

// Image draws a job. A browser that hangs is replaced and the job tried once more
// before the error is ErrHung. The error is ErrBusy if too many callers wait, and
// ErrClosed once the pool closes. When the caller's context ends, Image returns its
// error at once, after waiting for Fetch and for a browser that is being replaced (5 s
// at the most).
func (p *Pool) Image(caller context.Context, job Job) ([]byte, error) {
	s, err := p.take(caller)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(caller)
	defer cancel()
	defer context.AfterFunc(p.base, cancel)()
	busy := true // with a job that nobody waits for
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

// leave returns a slot. Whatever its browser is still doing is ended first, in the
// background and within settling and patience: the page is loaded anew, and a browser
// that cannot even do that is stopped.
func (p *Pool) leave(s *browserSlot, busy bool) {
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

// take waits for a free slot.
func (p *Pool) take(ctx context.Context) (*browserSlot, error) {
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

// try starts a browser if the slot has none, and draws.
func (p *Pool) try(ctx context.Context, s *browserSlot, job Job) ([]byte, error) {
	if s.browser == nil {
		if err := p.start(ctx, s); err != nil {
			return nil, err
		}
	}
	limit, cancel := context.WithTimeout(ctx, p.options.Hang)
	defer cancel()
	return s.browser.draw(limit, job)
}

// start starts a browser for a slot, in its sandbox if possible.
func (p *Pool) start(ctx context.Context, s *browserSlot) error {
	limit, cancel := context.WithTimeout(ctx, p.options.Start) // a busy machine takes longer
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

// open waits until a browser has the page open; the browser then belongs to the slot.
func (s *browserSlot) open(ctx context.Context, b *browser) error {
	s.browser, s.drawn = b, 0
	select {
	case err := <-b.open:
		b.used = err == nil
		return err
	case <-ctx.Done():
		return fmt.Errorf("start Chromium: %w", ctx.Err())
	}
}

func (s *browserSlot) stop(limit time.Duration) {
	if s.browser != nil {
		s.browser.stop(limit)
		s.browser = nil
	}
}

// caught logs a panic of a goroutine.
func (p *Pool) caught(failure *parallel.Panic) {
	p.options.Log.Error("panic", "value", failure.Error(), "stack", string(failure.Stack))
}
