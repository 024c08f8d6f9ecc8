package scheduled

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/engine"
)

// Engine is an engine whose calls wait for their slots, itself an engine. Calls
// that another process does the work of need none; their memory counts.
type Engine struct {
	engine.Engine
	s *Scheduler
}

var _ engine.Engine = (*Engine)(nil)

// Wrap has a scheduler admit the calls of e.
func (s *Scheduler) Wrap(e engine.Engine) *Engine { return &Engine{Engine: e, s: s} }

// Estimate returns that of the engine, corrected by what such calls took.
func (e *Engine) Estimate(call engine.Call, request any) engine.Estimate {
	x := e.Engine.Estimate(call, request)
	e.s.mu.Lock()
	defer e.s.mu.Unlock()
	x.Work = e.s.rates.corrected(x, e.s.options.Now())
	return x
}

// Background waits for a slot for work that no request waits for, for as
// long as it takes. done must be called.
func (s *Scheduler) Background(ctx context.Context, e engine.Estimate) (done func(), err error) {
	g, err := s.acquire(ctx, nil, e, background)
	if err != nil {
		return nil, err
	}
	return func() { g.release(true) }, nil
}

// admitted makes a call once it has its slots.
func admitted[R, A any](ctx context.Context, e *Engine, call engine.Call, r R, ask func(context.Context, R) (A, error)) (answer A, err error) {
	request := RequestOf(ctx)
	if request.EstimateOnly {
		request.Note(e.Estimate(call, r))
		return answer, ErrEstimated
	}
	if hasSlot(ctx) {
		return ask(ctx, r)
	}
	estimate := e.Engine.Estimate(call, r)
	request.Written() // the call before has been read
	g, err := e.s.acquire(ctx, request, estimate, fitting)
	if err != nil {
		return answer, err
	}
	whole := false
	defer func() { // also where the call panics
		if whole && !request.brief && g.isDear() {
			request.keepSlots(g)
		} else {
			request.ended(g, whole)
		}
	}()
	answer, err = ask(g.context(ctx), r)
	whole = err == nil
	return answer, err
}

// isDear reports whether the call has dear slots.
func (g *grant) isDear() bool {
	g.s.mu.Lock()
	defer g.s.mu.Unlock()
	return g.class == dear && g.slots > 0
}

// context returns the context that the call runs in.
func (g *grant) context(ctx context.Context) context.Context {
	if g.estimate.Cores == 0 {
		return ctx
	}
	c := &paced{Context: engine.WithWorkers(ctx, g.slots), g: g, until: g.since.Add(patience * g.s.options.Small)}
	c.dear.Store(g.class == dear)
	c.tiny = g.class == tiny
	return c
}

// mostLooks is how often a small call looks at its context: between two looks is
// some third of a millisecond of work. Time alone would not distinguish a dear call from
// one that a busy machine keeps from its processor.
const mostLooks = 30

// paced is the context of a call that is heard of each time it looks whether it
// is still wanted, which long loops do every fraction of a millisecond: one that is not
// tiny gives way, and a small one that turns out dear is moved. This keeps the
// kernel free of any thought of who else is there.
type paced struct {
	context.Context
	g      *grant
	tiny   bool // when it began: others need not be let before it
	dear   atomic.Bool
	turn   turn                  // of a call that is not tiny
	looks  atomic.Int32          // at the context
	broken atomic.Pointer[error] // why it may not go on
	until  time.Time             // a small call is taken to be one
}

type slotKey struct{}

// hasSlot reports whether the context is that of a call or of work that has its slot: what
// it calls must not wait for another one.
func hasSlot(ctx context.Context) bool { return ctx.Value(slotKey{}) != nil }

// Value returns the context's.
func (c *paced) Value(key any) any {
	if key == (slotKey{}) {
		return c
	}
	return c.Context.Value(key)
}

// Err is the context's, after others had their turn, or why the call may not go
// on as a dear one.
func (c *paced) Err() error {
	now := c.g.s.options.Now()
	if !c.tiny || c.dear.Load() {
		c.turn.yield(now)
	}
	if !c.dear.Load() && c.looks.Add(1) > mostLooks && now.After(c.until) && c.dear.CompareAndSwap(false, true) {
		if err := c.g.move(c.Context); err != nil {
			c.broken.Store(&err)
		}
	}
	if err := c.broken.Load(); err != nil {
		return *err
	}
	return c.Context.Err()
}

// Route is admitted, as are the calls below.
func (e *Engine) Route(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	return admitted(ctx, e, engine.CallRoute, r, e.Engine.Route)
}

// TraceRoute is admitted.
func (e *Engine) TraceRoute(ctx context.Context, r *engine.MatchRequest) (*engine.TraceAnswer, error) {
	return admitted(ctx, e, engine.CallTraceRoute, r, e.Engine.TraceRoute)
}

// TraceAttributes is admitted.
func (e *Engine) TraceAttributes(ctx context.Context, r *engine.MatchRequest) (*engine.AttributesAnswer, error) {
	return admitted(ctx, e, engine.CallTraceAttributes, r, e.Engine.TraceAttributes)
}

// Matrix is admitted.
func (e *Engine) Matrix(ctx context.Context, r *engine.MatrixRequest) (*engine.MatrixAnswer, error) {
	return admitted(ctx, e, engine.CallMatrix, r, e.Engine.Matrix)
}

// Isochrone is admitted.
func (e *Engine) Isochrone(ctx context.Context, r *engine.IsochroneRequest) (*engine.IsochroneAnswer, error) {
	return admitted(ctx, e, engine.CallIsochrone, r, e.Engine.Isochrone)
}

// Locate is admitted.
func (e *Engine) Locate(ctx context.Context, r *engine.LocateRequest) (*engine.LocateAnswer, error) {
	return admitted(ctx, e, engine.CallLocate, r, e.Engine.Locate)
}

// Nearest is admitted.
func (e *Engine) Nearest(ctx context.Context, r *engine.NearestRequest) (*engine.NearestAnswer, error) {
	return admitted(ctx, e, engine.CallNearest, r, e.Engine.Nearest)
}

// Centroid is admitted.
func (e *Engine) Centroid(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	return admitted(ctx, e, engine.CallCentroid, r, e.Engine.Centroid)
}
