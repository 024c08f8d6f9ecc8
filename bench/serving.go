package bench

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/parallel"
)

// Round is a set of requests that clients ask of a server, each once.
type Round struct {
	Name    string
	Set     []Request
	Clients int
}

// Ask sends the round and writes the results: times by the clock, the
// processor time of the server for a request, and its own memory.
func (r *Round) Ask(ctx context.Context, s *Server, w io.Writer) error {
	took := make([]time.Duration, len(r.Set))
	var next, refused atomic.Int64
	var all parallel.Group
	before, own := s.Processor(), s.Own()
	for range r.Clients {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(r.Set)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				_, t, err := s.Ask(ctx, &r.Set[i])
				if took[i] = t; err != nil {
					refused.Add(1)
				}
			}
		})
	}
	most := s.watch(all.Wait)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	processor := (s.Processor() - before) / time.Duration(len(r.Set))
	tally := Tally{Took: took}
	_, err := fmt.Fprintf(w, "%d %s, %d at once, %d refused: p50 %s, p99 %s by the clock, %s of processor each; own memory %d MB, %+d MB at most\n",
		len(r.Set), r.Name, r.Clients, refused.Load(), round(tally.Quantile(0.5)), round(tally.Quantile(0.99)), processor.Round(time.Microsecond), own>>20, (most-own)>>20)
	return err
}
