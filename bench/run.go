package bench

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/parallel"
)

// Plan is how a set is asked.
type Plan struct {
	Servers []*Server // the first is the one that others are compared with
	Clients int       // that ask at once; 0 is one
	Repeat  int       // times the set is asked after once to warm up; 0 is one
	// Progress, where it is not nil, hears how many requests are done of all.
	Progress func(done, all int)
}

// Result is what one server did.
type Result struct {
	Server  *Server
	Took    []time.Duration // of the requests it answered, in no order
	Failed  int             // of those asked
	Example string          // the first failure
	Bytes   int64           // of all answers
	Memory  int64           // resident bytes afterwards, 0 where unknown
	// Compared with the first server, by request that both answered.
	Agreement Agreement
}

// Run asks every request of each server, one server after the other before the
// next request, so that what else the machine does falls on all alike. A
// failure is counted; the error is the context's.
func Run(ctx context.Context, set []Request, p Plan) ([]*Result, error) {
	if len(p.Servers) == 0 {
		return nil, errors.New("no server to measure")
	}
	results := make([]*Result, len(p.Servers))
	for i, s := range p.Servers {
		results[i] = &Result{Server: s}
	}
	rounds := max(1, p.Repeat)
	all := len(set) * (rounds + 1)
	var next atomic.Int64
	var mu sync.Mutex
	var clients parallel.Group
	for range max(1, p.Clients) {
		clients.Go(func() {
			for ctx.Err() == nil {
				n := int(next.Add(1)) - 1
				if n >= all {
					return
				}
				if p.Progress != nil {
					p.Progress(n, all)
				}
				ask(ctx, &set[n%len(set)], n < len(set), results, &mu)
			}
		})
	}
	clients.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for _, r := range results {
		r.Memory = r.Server.Memory()
	}
	return results, nil
}

// ask puts one request to all. The first round warms up: its times do not
// count, its answers are compared.
func ask(ctx context.Context, q *Request, warming bool, results []*Result, mu *sync.Mutex) {
	var first *Answer
	for i, r := range results {
		a, took, err := r.Server.Ask(ctx, q)
		if ctx.Err() != nil {
			return
		}
		if err == nil && i == 0 {
			first = &a
		}
		mu.Lock()
		switch {
		case err != nil && !warming:
			r.Failed++
			if r.Example == "" {
				r.Example = err.Error()
			}
		case err == nil && warming && i > 0 && first != nil:
			r.Agreement.add(q, first, &a)
		case err == nil && !warming:
			r.Took = append(r.Took, took)
			r.Bytes += int64(a.Bytes)
		}
		mu.Unlock()
	}
}
