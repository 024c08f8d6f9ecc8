package region

import "sync"

// Live hands out the current one of a value that is replaced while in use:
// what a server has opened from a region. Each user has it between Acquire
// and release; a replaced value is closed when its last user lets go.
type Live[T any] struct {
	mu      sync.Mutex
	current *counted[T]
}

type counted[T any] struct {
	value T
	close func()
	users int // the Live itself counts as one while it is current
}

// Swap makes value current; close is called once it is not in use any more. It
// may be called while others Acquire.
func (l *Live[T]) Swap(value T, close func()) {
	l.mu.Lock()
	old := l.current
	l.current = &counted[T]{value, close, 1}
	l.mu.Unlock()
	if old != nil {
		l.release(old)
	}
}

// Acquire returns the current value and the function that lets go of it; the
// zero value before the first Swap and after Close.
func (l *Live[T]) Acquire() (T, func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.current
	if h == nil {
		var zero T
		return zero, func() {}
	}
	h.users++
	return h.value, sync.OnceFunc(func() { l.release(h) })
}

// Close lets go of the current value.
func (l *Live[T]) Close() {
	l.mu.Lock()
	old := l.current
	l.current = nil
	l.mu.Unlock()
	if old != nil {
		l.release(old)
	}
}

func (l *Live[T]) release(h *counted[T]) {
	l.mu.Lock()
	h.users--
	last := h.users == 0
	l.mu.Unlock()
	if last && h.close != nil {
		h.close()
	}
}
