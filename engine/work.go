package engine

import "context"

// Admission admits work that is none of an engine's calls by what it costs, beside these.
type Admission interface {
	// Work waits until the work may begin, and returns the context to do it in. done must
	// be called, and says whether the work came to its end. The error says that its turn
	// could not come in time, or that it was estimated and is not to be done.
	Work(ctx context.Context, e Estimate) (working context.Context, done func(whole bool), err error)
}

type admissionKey struct{}

// WithAdmission has Work in the context admitted by s.
func WithAdmission(ctx context.Context, s Admission) context.Context {
	return context.WithValue(ctx, admissionKey{}, s)
}

// Work does a feature's own work, of more than about a millisecond, once there is a
// processor for it. do is given a context to look at every few milliseconds: there the work
// gives way to others. Where nobody admits work it is done at once. The error is that of do,
// or that the work was not begun. An engine's calls within do have the same leave.
func Work(ctx context.Context, e Estimate, do func(context.Context) error) error {
	s, ok := ctx.Value(admissionKey{}).(Admission)
	if !ok {
		return do(ctx)
	}
	working, done, err := s.Work(ctx, e)
	if err != nil {
		return err
	}
	whole := false
	defer func() { done(whole) }() // also where it panics
	err = do(working)
	whole = err == nil
	return err
}

// WorkFor is Work for what returns a value. The value is that of do, and T's zero where the
// work was not begun.
func WorkFor[T any](ctx context.Context, e Estimate, do func(context.Context) (T, error)) (out T, err error) {
	err = Work(ctx, e, func(ctx context.Context) error {
		out, err = do(ctx)
		return err
	})
	return out, err
}
