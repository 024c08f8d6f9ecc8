package engine

import (
	"context"
	"runtime"
	"time"
)

// Estimate is the expected use of this process by a call, worked out before it
// runs. It is worked out in well below a millisecond and promises nothing.
type Estimate struct {
	// Kind names calls whose estimates err alike: what they took corrects those
	// to come. "" is not corrected.
	Kind   string
	Work   time.Duration // of one core
	Cores  int           // that it can use at once; 0 where another process does the work
	Bytes  int64         // of memory held while it runs, its answer included
	Answer int64         // bytes of the answer, in the engine's form and written
	// Cheaper says what would cost less, to follow "it would be less with"; ""
	// where nothing would.
	Cheaper string
}

// Plus returns the work of two calls one after the other.
func (e Estimate) Plus(f Estimate) Estimate {
	sum := e
	sum.Work, sum.Cores, sum.Bytes, sum.Answer = e.Work+f.Work, max(e.Cores, f.Cores), max(e.Bytes, f.Bytes), e.Answer+f.Answer
	if f.Work > e.Work || e.Cheaper == "" {
		sum.Cheaper = f.Cheaper
	}
	return sum
}

type workersKey struct{}

// WithWorkers bounds on how many cores at once a call in the context may work.
func WithWorkers(ctx context.Context, n int) context.Context {
	return context.WithValue(ctx, workersKey{}, n)
}

// Workers is on how many cores at once a call may work: 1 or more, all where
// nobody bounds it.
func Workers(ctx context.Context) int {
	if n, ok := ctx.Value(workersKey{}).(int); ok {
		return n
	}
	return runtime.GOMAXPROCS(0)
}
