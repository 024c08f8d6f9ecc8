package embedded

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// pool keeps what queries work with, for the memory.
type pool struct {
	sync.Pool
	lent atomic.Int32
	idle chan struct{} // hears when nothing is lent any more; nil where nobody listens
}

// Get takes something out of the pool, which giveBack puts back.
func (p *pool) Get() any {
	p.lent.Add(1)
	return p.Pool.Get()
}

// giveBack, deferred, puts x back unless its user panics: a query that broke off
// half-way might spoil the next one's answer.
func (p *pool) giveBack(x any) {
	if p.lent.Add(-1) == 0 {
		select {
		case p.idle <- struct{}{}:
		default:
		}
	}
	if v := recover(); v != nil {
		panic(v)
	}
	p.Put(x)
}

// behind is a context for long work in the background: each time it is asked,
// requests under way go first, though the work takes no more than three times as
// long for them as it would alone.
type behind struct {
	context.Context
	requests *pool
	began    time.Time
	waited   atomic.Int64
}

// mostWait is how long one request is waited for at a time.
const mostWait = 5 * time.Millisecond

// behind gives a context that lets requests go first.
func (e *Engine) behind(ctx context.Context) *behind {
	return &behind{Context: ctx, requests: &e.scratch, began: time.Now()}
}

func (b *behind) Err() error {
	_ = yielding{b.Context}.Err() // gives way; the context is asked below
	for b.requests.lent.Load() > 0 && b.Context.Err() == nil {
		asked := time.Now()
		left := 2*asked.Sub(b.began) - 3*time.Duration(b.waited.Load())
		if left <= 0 {
			break
		}
		timer := time.NewTimer(min(left, mostWait))
		select {
		case <-b.requests.idle:
		case <-timer.C:
		case <-b.Done():
		}
		timer.Stop()
		b.waited.Add(int64(time.Since(asked)))
	}
	return b.Context.Err()
}
