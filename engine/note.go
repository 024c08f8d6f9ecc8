package engine

import (
	"context"
	"sync"
)

// Note notes which of several engines answered the first call of a context, and what the
// gateway judged of its routes. It is safe for many goroutines.
type Note struct {
	outer *Note

	mu     sync.Mutex
	engine Engine
	audit  *Audit
}

// noteKey is the key of a *Note in a context.
type noteKey struct{}

// WithNote returns a context whose calls are noted, there and in the Note of ctx.
func WithNote(ctx context.Context) (context.Context, *Note) {
	outer, _ := ctx.Value(noteKey{}).(*Note)
	n := &Note{outer: outer}
	return context.WithValue(ctx, noteKey{}, n), n
}

// NoteEngine notes an engine that has answered a call that others might have. Only the first
// counts.
func NoteEngine(ctx context.Context, e Engine) {
	note(ctx, func(n *Note) {
		if n.engine == nil {
			n.engine = e
		}
	})
}

// NoteAudit notes what was judged of the routes of a call. Only the first counts.
func NoteAudit(ctx context.Context, a *Audit) {
	note(ctx, func(n *Note) {
		if n.audit == nil {
			n.audit = a
		}
	})
}

func note(ctx context.Context, set func(*Note)) {
	n, _ := ctx.Value(noteKey{}).(*Note)
	for ; n != nil; n = n.outer {
		n.mu.Lock()
		set(n)
		n.mu.Unlock()
	}
}

// Engine returns the engine that answered: e, unless e had others answer.
func (n *Note) Engine(e Engine) Engine {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.engine != nil {
		return n.engine
	}
	return e
}

// Audit returns the judgement; nil where there is none.
func (n *Note) Audit() *Audit {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.audit
}
