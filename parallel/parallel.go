// Package parallel runs functions on goroutines of their own and hands what
// they panic with to who waits for them: a panic that nobody recovers on its
// goroutine ends the process, whoever was being served by it.
//
// Functions that it runs may read files mapped into memory: a page that cannot be read panics
// too, where it would end the process otherwise. Fault distinguishes such a panic from
// others.
package parallel

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// Panic is the value that a function panicked with, and the stack.
type Panic struct {
	Value any
	Stack []byte // of the goroutine, down to where it panicked
}

// Error words the value, without the stack.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// Unwrap gives the value where it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Of makes a Panic of a value that was just recovered; one that was handed on
// already stays what it is.
func Of(value any) *Panic {
	if p, ok := value.(*Panic); ok {
		return p
	}
	return &Panic{Value: value, Stack: debug.Stack()}
}

// Fault returns the address in memory that a panic could not read.
func (p *Panic) Fault() (address uintptr, ok bool) {
	var at interface{ Addr() uintptr }
	if !errors.As(p, &at) {
		return 0, false
	}
	return at.Addr(), true
}

// Try runs f on the calling goroutine. The error is f's own, or a *Panic.
func Try(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if v := recover(); v != nil {
			err = Of(v)
		}
	}()
	return f()
}

// Go runs f on a goroutine that is not waited for; failed is called with its panic, on
// that goroutine.
func Go(f func(), failed func(*Panic)) {
	go func() {
		if p := caught(f); p != nil {
			failed(p)
		}
	}()
}

// pause is how long Keep waits after a panic.
const pause = time.Second

// Supervise runs f, which ends with ctx, and again where it panics before that, which
// failed receives: for work that goes on in the background as long as a server does.
func Supervise(ctx context.Context, f func(context.Context), failed func(*Panic)) {
	for {
		p := caught(func() { f(ctx) })
		if p == nil {
			return
		}
		failed(p)
		if ctx.Err() != nil {
			return
		}
		select {
		case <-ctx.Done(): // f may have something to put in order
		case <-time.After(pause):
		}
	}
}

// Group is a sync.WaitGroup whose Wait panics with the first panic of what it
// has run, once all has ended. The zero value is ready to use.
type Group struct {
	running  sync.WaitGroup
	panicked atomic.Pointer[Panic]
}

// Go runs f on a goroutine.
func (g *Group) Go(f func()) {
	g.running.Go(func() {
		if p := caught(f); p != nil {
			g.panicked.CompareAndSwap(nil, p)
		}
	})
}

// Wait waits until all has ended.
func (g *Group) Wait() {
	g.running.Wait()
	if p := g.panicked.Load(); p != nil {
		panic(p)
	}
}

// WaitFor waits as Wait does, but no longer than a time, and reports whether all has
// ended.
func (g *Group) WaitFor(limit time.Duration) bool {
	ended := make(chan struct{})
	go func() { defer close(ended); g.running.Wait() }()
	select {
	case <-ended:
		g.Wait() // which panics where it should
		return true
	case <-time.After(limit):
		return false
	}
}

func caught(f func()) *Panic {
	var p *Panic
	_ = errors.As(Try(func() error { f(); return nil }), &p)
	return p
}
