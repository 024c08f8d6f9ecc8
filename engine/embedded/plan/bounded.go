package plan

import "context"

// bounded is the context of searches that end when they have looked at it so often.
type bounded struct {
	context.Context
	left   int
	beyond error // with which they end
}

// WithCheckLimit returns a context that ends with an error when it has been looked at so often.
func WithCheckLimit(ctx context.Context, looks int, beyond error) context.Context {
	return &bounded{ctx, looks, beyond}
}

// Err is called by one search after the other, never by two at once.
func (b *bounded) Err() error {
	if err := b.Context.Err(); err != nil {
		return err
	}
	if b.left--; b.left < 0 {
		return b.beyond
	}
	return nil
}
