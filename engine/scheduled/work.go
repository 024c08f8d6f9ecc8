package scheduled

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/waygate/waygate/engine"
)

// Work waits for a dear slot for work that is none of the engine's calls, such as
// the search for a plan, and gives the context to do it in, which says on how many
// cores (engine.Workers). done must be called, and says whether it came to its end.
// Of a request that asks for estimates only the work is noted, and the error is
// ErrEstimated.
func (s *Scheduler) Work(ctx context.Context, e engine.Estimate) (working context.Context, done func(whole bool), err error) {
	r := RequestOf(ctx)
	if r.EstimateOnly {
		return nil, nil, s.estimated(r, e)
	}
	if hasSlot(ctx) {
		return ctx, func(bool) {}, nil
	}
	r.Written() // the call before has been read
	g, err := s.acquire(ctx, r, e, fitting)
	if err != nil {
		return nil, nil, err
	}
	return g.context(ctx), func(whole bool) { r.ended(g, whole) }, nil
}

// estimated notes work that is not done, corrected by what such work took.
func (s *Scheduler) estimated(r *Request, e engine.Estimate) error {
	s.mu.Lock()
	e.Work = s.rates.corrected(e, s.options.Now())
	s.mu.Unlock()
	r.Note(e)
	return ErrEstimated
}

// slice is how long shared work goes on at least before it steps aside.
const slice = 100 * time.Millisecond

// Share is Work for as long as it takes: each time the context is looked at, which
// is to be often, the slot may go to a caller who waits for one, and the work waits
// until it is its turn again. Callers take turns by what they had. Estimates are as
// of Work.
func (s *Scheduler) Share(ctx context.Context, e engine.Estimate) (working context.Context, done func(), err error) {
	if r := RequestOf(ctx); r.EstimateOnly {
		return nil, nil, s.estimated(r, e)
	}
	e.Kind, e.Work = "", slice
	c := &shared{Context: ctx, s: s, r: RequestOf(ctx), e: e}
	c.r.Written()
	if err := c.begin(); err != nil {
		return nil, nil, err
	}
	c.Context = engine.WithWorkers(ctx, c.g.slots)
	return c, c.end, nil
}

// shared is the context of work that steps aside.
type shared struct {
	context.Context
	s *Scheduler
	r *Request
	e engine.Estimate

	turn   turn
	mu     sync.Mutex // held by who waits for the slot: the others at the work wait for it too
	g      *grant     // nil while there is none
	until  time.Time
	broken error
}

// begin waits for the slot, also where the line is full.
func (c *shared) begin() error {
	const pause = 50 * time.Millisecond
	for {
		g, err := c.s.acquire(c.Context, c.r, c.e, fitting)
		if err == nil {
			c.s.mu.Lock()
			g.shared = true
			c.s.mu.Unlock()
			c.g, c.until = g, c.s.options.Now().Add(slice)
			return nil
		}
		select {
		case <-c.Context.Done():
			return errors.Join(c.Context.Err(), err)
		case <-time.After(pause):
		}
	}
}

// Err is the context's, after whoever waits for the slot had their turn.
func (c *shared) Err() error {
	now := c.s.options.Now()
	c.turn.yield(now)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.g != nil && now.After(c.until) {
		if !c.s.awaited() {
			c.until = now.Add(slice)
		} else {
			c.g.release(false)
			c.g = nil
			if err := c.begin(); err != nil {
				c.broken = err
			}
		}
	}
	if err := c.Context.Err(); err != nil {
		return err
	}
	return c.broken
}

func (c *shared) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.g != nil {
		c.g.release(false)
		c.g = nil
	}
}

// awaited reports whether a dear slot is waited for.
func (s *Scheduler) awaited() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.classes[dear].waiting > 0
}
