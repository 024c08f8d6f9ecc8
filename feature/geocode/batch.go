package geocode

import (
	"context"
	"sync/atomic"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/parallel"
)

// MostQueries is how many questions one batch may have.
const MostQueries = 1000

// Query is one of a batch: Forward or Reverse, or an Err where it was not worth
// asking.
type Query struct {
	Forward *Forward
	Reverse *Reverse
	Err     error
}

// Outcome is the result of a Query.
type Outcome struct {
	Answer *Answer
	Err    error
}

// proxyWorkers is how many questions of a batch wait for a proxy at once. Those
// to indexes, which keep a core busy, are answered one after the other.
const proxyWorkers = 4

// Batch answers questions in their order. The error is that of the context; what
// single questions fail with is in their outcomes.
func (g *Geocoder) Batch(ctx context.Context, queries []Query) ([]Outcome, error) {
	if _, err := g.backend(false); err != nil {
		return nil, err
	}
	workers := 1
	if forward, err := g.backend(true); err == nil && forward == backend(g.service.Proxy) {
		workers = proxyWorkers
	}
	if workers > 1 {
		return g.answered(ctx, queries, workers)
	}
	all := question
	all.Work = 0
	for i := range queries {
		if f := queries[i].Forward; f != nil {
			all.Work += Effort([]byte(f.Text)).Work
		} else {
			all.Work += question.Work
		}
	}
	return engine.WorkFor(ctx, all, func(ctx context.Context) ([]Outcome, error) { return g.answered(ctx, queries, workers) })
}

// answered answers so many questions at a time.
func (g *Geocoder) answered(ctx context.Context, queries []Query, workers int) ([]Outcome, error) {
	out := make([]Outcome, len(queries))
	var next atomic.Int64
	var work parallel.Group
	for range workers {
		work.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(queries) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				out[i].Answer, out[i].Err = g.one(ctx, &queries[i])
			}
		})
	}
	work.Wait()
	return out, ctx.Err()
}

func (g *Geocoder) one(ctx context.Context, q *Query) (*Answer, error) {
	switch {
	case q.Err != nil:
		return nil, q.Err
	case q.Forward != nil:
		return g.Search(ctx, q.Forward)
	}
	return g.Reverse(ctx, q.Reverse)
}
