package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/parallel"
)

// Plan is how the requests of a set are sent.
type Plan struct {
	Servers []*Server // the first is the one that others are compared with
	Clients int       // that ask at once; 0 is one
	Repeat  int       // times the set is sent after once to warm up; 0 is one
	Block   int       // requests that a server is sent before the next one's turn; 0 is the whole set
	// Progress, where it is not nil, receives how many requests are done of all.
	Progress func(done, all int)
}

// Block is a server's result for some requests in a row.
type Block struct {
	Requests  int
	Processor time.Duration // of the server, all its threads; 0 where unknown
}

// Result is the result of one server.
type Result struct {
	Server  *Server
	Took    []time.Duration // of the requests it answered, in no order
	Blocks  []Block         // in order: those of the same number had the same requests, of every server
	Failed  int             // of those asked
	Example string          // the first failure
	Bytes   int64           // of all answers
	Memory  int64           // resident bytes afterwards, 0 where unknown
	// Compared with the first server, by request that both answered.
	Agreement Agreement
}

// Run sends all servers the same blocks of requests, one server after the other and
// the other way round for the next block, so that what else the machine does falls
// on all alike. A failure is counted; the error is the context's.
func Run(ctx context.Context, set []Request, p Plan) ([]*Result, error) {
	if len(p.Servers) == 0 {
		return nil, errors.New("no server to measure")
	}
	r := &run{Plan: p, set: set, all: len(set) * len(p.Servers) * (max(1, p.Repeat) + 1)}
	for _, s := range p.Servers {
		r.results = append(r.results, &Result{Server: s})
	}
	size := p.Block
	if size <= 0 || size > len(set) {
		size = len(set)
	}
	n := 0
	for round := range max(1, p.Repeat) + 1 {
		for at := 0; at < len(set); at += size {
			block := anew(set[at:min(at+size, len(set))], at, len(set), round)
			r.first, r.answers = at, make([]*Answer, len(block))
			order := slices.Clone(r.results)
			if n%2 == 1 && round > 0 {
				slices.Reverse(order)
			}
			n++
			for _, of := range order {
				r.block(ctx, of, block, round == 0)
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
	}
	for _, of := range r.results {
		of.Memory = of.Server.Memory()
	}
	return r.results, nil
}

// run is a Plan under way.
type run struct {
	Plan
	set     []Request
	results []*Result
	first   int       // of the block under way: the place of its first request in the set
	answers []*Answer // of the first server to the requests of the block, to compare with
	all     int
	done    atomic.Int64
	mu      sync.Mutex
}

// block sends a block to one server. The first round warms up: its times do not count, its
// answers are compared.
func (r *run) block(ctx context.Context, of *Result, block []Request, warming bool) {
	before := of.Server.Processor()
	var next atomic.Int64
	var clients parallel.Group
	for range max(1, r.Clients) {
		clients.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(block) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				a, took, err := of.Server.Ask(ctx, &block[i])
				if ctx.Err() != nil {
					return
				}
				r.mu.Lock()
				if warming {
					r.compare(of, &block[i], i, &a, err)
				} else {
					of.count(r.first+i+1, &a, took, err)
				}
				r.mu.Unlock()
				if r.Progress != nil {
					r.Progress(int(r.done.Add(1)), r.all)
				}
			}
		})
	}
	clients.Wait()
	if !warming {
		of.Blocks = append(of.Blocks, Block{len(block), of.Server.Processor() - before})
	}
}

func (r *run) compare(of *Result, q *Request, i int, a *Answer, err error) {
	switch {
	case err != nil:
	case of == r.results[0]:
		r.answers[i] = a
	case r.answers[i] != nil && q.comparable():
		of.Agreement.add(r.first+i+1, q, r.answers[i], a)
	}
}

func (r *Result) count(number int, a *Answer, took time.Duration, err error) {
	if err != nil {
		r.Failed++
		if r.Example == "" {
			r.Example = fmt.Sprintf("request %d: %v", number, err)
		}
		return
	}
	r.Took = append(r.Took, took)
	r.Bytes += int64(a.Bytes)
}
