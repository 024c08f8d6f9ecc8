package multipolygon

import "context"

// Effort limits work that can grow with the square of its input: how rings or coasts
// lie in one another. It also ends with its context. A nil Effort has no limit.
type Effort struct {
	ctx  context.Context
	left int64
	next int64 // left, when the context is looked at again
}

// The most comparisons of rings for one relation or one box of coasts: about ten
// seconds. The 32,000 ways that OpenStreetMap allows a relation, each a ring of
// its own, take an eighth.
const (
	mostEffort    = 1 << 32
	effortBetween = 1 << 22 // looks at the context
)

// NewEffort returns the effort for one relation, or for one box of coasts.
func NewEffort(ctx context.Context) *Effort { return &Effort{ctx, mostEffort, mostEffort} }

// Spend takes n from the effort and reports whether that much was left.
func (e *Effort) Spend(n int) bool {
	if e == nil {
		return true
	}
	e.left -= int64(n)
	if e.left < e.next {
		e.next = e.left - effortBetween
		if e.ctx.Err() != nil {
			e.left = -1
		}
	}
	return e.left >= 0
}

// Left returns how much of the effort is left; below 0 where more was wanted.
func (e *Effort) Left() int64 { return e.left }
