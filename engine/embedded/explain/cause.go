// Package explain finds out why a request fails: what is near its locations, and which
// constraint blocks the way.
package explain

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"

	"github.com/waygate/waygate/engine/embedded/metric"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/search"
)

// explainer is why a request fails.
type explainer struct {
	*plan.Searcher
	refusals *RefusalCache
}

// Explained gives the refusal that an error of a search is, with its cause; other errors as
// they are.
func (c *RefusalCache) Explained(ctx context.Context, p *plan.Searcher, err error) error {
	if err == nil {
		return nil
	}
	var off *plan.OffRoad
	var no *plan.NoPathError
	switch x := (&explainer{p, c}); {
	case errors.As(err, &off):
		return x.noSegment(off.Index, off.Cutoff, off.Looked)
	case errors.As(err, &no):
		return x.noRoute(ctx, no.To, no.Begin, no.End)
	}
	return err
}

// mostExplained bounds the work on the cause of a failure: a refusal costs its
// caller nothing. Searches look at their context at every 1,024th edge that they
// settle, so these are some 130,000 edges, whatever the machine does besides.
const mostExplained = 128

// errTooFar is the error of a cause that was not found within mostExplained.
var errTooFar = errors.New("the cause was not found within the bound of the search")

// question has the parts of a request that its cause of failure depends on, where nothing changes the
// roads.
type question struct {
	who      metric.Traveller
	from, to string
	lifted   string // constraints, in the order in which they are tried
}

// cause is why there is no way.
type cause struct {
	blocked map[string]any // nil where nothing that may be lifted is in the way, or it is unknown
	detail  string
	unknown bool
}

// mostCauses is how many are remembered: some hundred bytes each.
const mostCauses = 512

// RefusalCache remembers the last answers, for callers who ask again.
type RefusalCache struct {
	mu    sync.Mutex
	found map[question]cause
	order []question // in which they came; at is the oldest once there are mostCauses
	at    int
}

func (c *RefusalCache) get(q question) (cause, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, ok := c.found[q]
	return found, ok
}

func (c *RefusalCache) put(q question, why cause) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.found[q]; ok {
		return
	}
	if c.found == nil {
		c.found = map[question]cause{}
	}
	if len(c.order) < mostCauses {
		c.order = append(c.order, q)
	} else {
		delete(c.found, c.order[c.at])
		c.order[c.at] = q
		c.at = (c.at + 1) % mostCauses
	}
	c.found[q] = why
}

// cause finds why there is no way, or remembers it.
func (p *explainer) cause(ctx context.Context, from, to []search.End) (cause, error) {
	plain := p.Clock == nil && !p.Excludes && p.Weights.Overlay.Empty() && p.Who.View == (overlay.View{})
	q := question{who: p.Who, from: fmt.Sprint(from), to: fmt.Sprint(to)}
	if plain {
		var tried strings.Builder
		for _, x := range p.relaxations() {
			fmt.Fprintf(&tried, "%s=%v%s,", x.constraint, x.value, x.remark)
		}
		q.lifted = tried.String()
		if why, ok := p.refusals.get(q); ok {
			return why, nil
		}
	}
	why, err := p.findCause(ctx, from, to)
	if err == nil && plain {
		p.refusals.put(q, why)
	}
	return why, err
}

func (p *explainer) findCause(ctx context.Context, from, to []search.End) (cause, error) {
	list, found, err := p.blockage(plan.WithCheckLimit(ctx, mostExplained, errTooFar), from, to)
	switch {
	case ctx.Err() != nil:
		return cause{}, ctx.Err()
	case errors.Is(err, errTooFar):
		return cause{unknown: true, detail: "; which constraint blocks is unknown: it was not found within the bound of the search"}, nil
	case err != nil:
		return cause{}, err
	case list == nil:
		return cause{detail: "; they lie on parts of the network that do not meet for this way of travel"}, nil
	}
	return p.blockedBy(list, found), nil
}

// describe adds a cause to a refusal.
func (c *cause) describe(err *fault.Error) {
	err.Detail += c.detail
	if c.blocked != nil {
		err.With("blocked_by", maps.Clone(c.blocked))
	}
}
