package scheduled

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/waygate/waygate/engine"
)

// ErrEstimated ends a call of a request that asks for estimates only.
var ErrEstimated = errors.New("the call was estimated and not made")

// Request is the state that the calls of one request share.
type Request struct {
	Who   string        // whose it is: callers take turns
	Limit time.Duration // that it may take; 0 is none
	// EstimateOnly has calls estimated, and end with ErrEstimated. Who makes several,
	// of which the later need what the first would answer, notes these too.
	EstimateOnly bool

	brief     bool
	mu        sync.Mutex
	estimated []engine.Estimate
	worked    time.Duration
	answers   []held // until End
	writing   *grant // a dear call whose answer is being written
}

// held is memory of an answer.
type held struct {
	s     *Scheduler
	class int
	bytes int64
}

type requestKey struct{}

// WithRequest makes the calls in the context part of a request, which must be
// ended.
func WithRequest(ctx context.Context, r *Request) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

// RequestOf returns the request of a context; one that ends with each of its calls
// where there is none.
func RequestOf(ctx context.Context) *Request {
	if r, ok := ctx.Value(requestKey{}).(*Request); ok {
		return r
	}
	return &Request{brief: true}
}

func (r *Request) caller() string {
	if r == nil {
		return ""
	}
	return r.Who
}

func (r *Request) limit() time.Duration {
	if r == nil {
		return 0
	}
	return r.Limit
}

// holds reports whether the request holds an answer.
func (r *Request) holds() bool {
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.answers) > 0
}

// Note adds what a part of a request would take that asks for estimates only.
func (r *Request) Note(e engine.Estimate) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.estimated = append(r.estimated, e)
}

// estimating is the time to add up an estimate: some measure a line of 20,000 positions.
const estimating = time.Millisecond

// Estimated ends with ErrEstimated where a request asks for estimates only, and notes what
// work gives: all that an answer takes of several calls, of which the later need what the
// first would answer. work is called in a slot; the error may be that there was none.
func Estimated(ctx context.Context, work func() engine.Estimate) error {
	r := RequestOf(ctx)
	if !r.EstimateOnly {
		return nil
	}
	aside, end := Unestimated(ctx)
	defer end()
	effort := engine.Estimate{Kind: "estimate", Work: estimating, Bytes: 1 << 20, Cores: 1}
	e, err := engine.WorkFor(aside, effort, func(ctx context.Context) (engine.Estimate, error) {
		if err := ctx.Err(); err != nil {
			return engine.Estimate{}, err
		}
		return work(), nil
	})
	if err != nil {
		return err
	}
	r.Note(e)
	return ErrEstimated
}

// Unestimated returns the context for work that is done also for a request that asks for estimates
// only, such as reading its body. end must be called.
func Unestimated(ctx context.Context) (aside context.Context, end func()) {
	r := RequestOf(ctx)
	if !r.EstimateOnly {
		return ctx, func() {}
	}
	own := &Request{Who: r.Who, Limit: r.Limit}
	return WithRequest(ctx, own), own.End
}

// Estimated returns the work of the calls so far; ok is false where there were
// none.
func (r *Request) Estimated() (sum engine.Estimate, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.estimated {
		sum = sum.Plus(e)
	}
	return sum, len(r.estimated) > 0
}

// Worked returns how long calls of the request have worked here, slots times time.
func (r *Request) Worked() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.worked
}

// ended keeps the bytes of a call's answer with the request.
func (r *Request) ended(g *grant, whole bool) {
	answer := g.release(whole)
	if r.brief {
		g.s.sent(g.class, answer)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if g.class != remote {
		r.worked += g.ran
	}
	if answer == 0 {
		return
	}
	r.answers = append(r.answers, held{g.s, g.class, answer})
}

// keepSlots has a dear call keep its slots until its answer is written: to write a
// large one takes a good part of a second.
func (r *Request) keepSlots(g *grant) {
	r.mu.Lock()
	r.writing = g
	r.mu.Unlock()
}

// Written gives back the slots of a call whose answer was being written. To send
// it may take its receiver minutes.
func (r *Request) Written() {
	r.mu.Lock()
	g := r.writing
	r.writing = nil
	r.mu.Unlock()
	if g != nil {
		r.ended(g, true)
	}
}

// End gives back all that the request holds. Its answer has been sent.
func (r *Request) End() {
	r.Written()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, a := range r.answers {
		a.s.sent(a.class, a.bytes)
	}
	r.answers = nil
}
