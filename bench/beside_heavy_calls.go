package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/waygate/waygate/parallel"
)

// Raw is a request as it is sent.
type Raw struct{ Method, Target, Body string }

// Endpoint returns the endpoint of the request: the method and the address without its query
// and coordinates.
func (r Raw) Endpoint() string {
	path, _, _ := strings.Cut(r.Target, "?")
	if before, _, ok := strings.Cut(path, ","); ok {
		path = before[:strings.LastIndex(before, "/")]
	}
	return r.Method + " " + path
}

// longestRaw bounds a line of a file of requests.
const longestRaw = 64 << 20

// ReadRaw reads requests, one a line: METHOD TARGET BODY, without a body for none.
func ReadRaw(r io.Reader) (all []Raw, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestRaw)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			continue
		}
		method, rest, ok := strings.Cut(text, " ")
		target, body, _ := strings.Cut(rest, " ")
		if !ok || !strings.HasPrefix(target, "/") {
			return nil, fmt.Errorf("line %d: want METHOD TARGET BODY", n)
		}
		all = append(all, Raw{method, target, body})
	}
	return all, lines.Err()
}

// BesideHeavyCalls is a server that answers small routes while many clients ask for the dearest
// that one endpoint answers, one endpoint after the other.
type BesideHeavyCalls struct {
	Load *Load // its Server, Set, Small, Dear, Block and Rounds
	Raw  []Raw // requests of an endpoint are sent in turn
}

// Run measures small routes alone and beside the clients of each endpoint in turn, and
// writes a table.
func (d *BesideHeavyCalls) Run(ctx context.Context, w io.Writer) error {
	l := d.Load
	if len(l.Set) < 2 {
		return errors.New("a set of at least two routes is needed")
	}
	if _, err := l.clients(ctx, l.Small, l.Block/2, l.route); err != nil { // warm
		return err
	}
	of := map[string][]Raw{}
	var order []string
	for _, r := range d.Raw {
		if of[r.Endpoint()] == nil {
			order = append(order, r.Endpoint())
		}
		of[r.Endpoint()] = append(of[r.Endpoint()], r)
	}
	slices.Sort(order)
	table := tabwriter.NewWriter(w, 0, 0, 1, ' ', 0)
	_, _ = fmt.Fprintln(table, "| endpoint\t| p50 alone\t| p50 beside\t| p99 alone\t| p99 beside\t| times\t| processor, cores\t| what became of the dear calls\t|")
	_, _ = fmt.Fprintln(table, "|---\t|---\t|---\t|---\t|---\t|---\t|---\t|---\t|")
	for _, endpoint := range order {
		var alone, beside, dear Tally
		var used time.Duration
		for range l.Rounds {
			t, err := l.clients(ctx, l.Small, l.Block, l.route)
			if err != nil {
				return err
			}
			alone.add(t)
			began := l.Server.Processor()
			t, others, err := d.beside(ctx, of[endpoint])
			if err != nil {
				return err
			}
			used += l.Server.Processor() - began
			beside.add(t)
			dear.add(others)
		}
		_, _ = fmt.Fprintf(table, "| %s\t| %s\t| %s\t| %s\t| %s\t| %.1f\t| %.2f\t| %.1f/s, statuses %v\t|\n", endpoint,
			round(alone.Quantile(0.5)), round(beside.Quantile(0.5)), round(alone.Quantile(0.99)), round(beside.Quantile(0.99)),
			ratio(&beside, &alone, 0.99), used.Seconds()/dear.Over.Seconds(), dear.Rate(), dear.Status)
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// beside has small routes while clients ask for what is dear.
func (d *BesideHeavyCalls) beside(ctx context.Context, calls []Raw) (small, dear *Tally, err error) {
	l := d.Load
	loading, stop := context.WithCancel(ctx)
	defer stop()
	dear = &Tally{}
	began := time.Now()
	var others parallel.Group
	for range l.Dear {
		others.Go(func() {
			for loading.Err() == nil {
				one, err := l.raw(loading, calls[l.next()%len(calls)])
				if err != nil {
					continue // the context is over, or the server hung up
				}
				l.mu.Lock()
				dear.add(one)
				l.mu.Unlock()
			}
		})
	}
	time.Sleep(l.Block / 5) // until the dear ones are there
	small, err = l.clients(ctx, l.Small, l.Block, l.route)
	stop()
	others.Wait()
	dear.Over = time.Since(began)
	return small, dear, err
}

// raw makes a call and reads its answer to the end.
func (l *Load) raw(ctx context.Context, c Raw) (*Tally, error) {
	r, err := http.NewRequestWithContext(ctx, c.Method, l.Server.Address+c.Target, strings.NewReader(c.Body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	return l.heard(r)
}
