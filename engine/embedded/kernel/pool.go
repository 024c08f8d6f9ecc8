package kernel

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/parallel"
)

// Pool keeps what queries work with, for the memory.
type Pool struct {
	sync.Pool
	Lent atomic.Int32
	Idle chan struct{} // receives a value when nothing is lent any more; nil for pools without background work
}

// Get takes something out of the pool, which giveBack puts back.
func (p *Pool) Get() any {
	p.Lent.Add(1)
	return p.Pool.Get()
}

// GiveBack puts x back, and is deferred. It drops x where its user panics: a query that
// broke off half-way might spoil the next one's answer.
func (p *Pool) GiveBack(x any) {
	if p.Lent.Add(-1) == 0 {
		select {
		case p.Idle <- struct{}{}:
		default:
		}
	}
	if v := recover(); v != nil {
		panic(v)
	}
	p.Put(x)
}

// background is a context for long work in the background: each time its error is read,
// requests under way go first, though the work takes no more than three times as
// long for them as it would alone.
type background struct {
	context.Context
	requests *Pool
	began    time.Time
	waited   atomic.Int64
}

// mostWait is how long one request is waited for at a time.
const mostWait = 5 * time.Millisecond

// Background returns a context that lets what is lent from the pool be given back first.
func (p *Pool) Background(ctx context.Context) *background {
	return &background{Context: ctx, requests: p, began: time.Now()}
}

func (b *background) Err() error {
	_ = yielding{b.Context}.Err() // lets others run; the error is read below
	for b.requests.Lent.Load() > 0 && b.Context.Err() == nil {
		asked := time.Now()
		left := 2*asked.Sub(b.began) - 3*time.Duration(b.waited.Load())
		if left <= 0 {
			break
		}
		timer := time.NewTimer(min(left, mostWait))
		select {
		case <-b.requests.Idle:
		case <-timer.C:
		case <-b.Done():
		}
		timer.Stop()
		b.waited.Add(int64(time.Since(asked)))
	}
	return b.Context.Err()
}

// yielding is a context that lets others run each time its error is read.
type yielding struct{ context.Context }

// YieldingContext returns a context that lets other goroutines run each time its error is read.
func YieldingContext(ctx context.Context) context.Context { return yielding{ctx} }

func (y yielding) Err() error {
	parallel.Yield()
	return y.Context.Err()
}
