package embedded

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/search"
)

// mostExplained bounds the work on the cause of a failure: a refusal costs its
// caller nothing. Searches look at their context at every 1,024th edge that they
// settle, so these are some 130,000 edges, whatever the machine does besides.
const mostExplained = 128

// errTooFar says that a cause was not found within mostExplained.
var errTooFar = errors.New("the cause was not found within the bound of the search")

// bounded is the context of searches that end when they have looked at it so often.
type bounded struct {
	context.Context
	left   int
	beyond error // with which they end
}

// Err is asked by one search after the other, never by two at once.
func (b *bounded) Err() error {
	if err := b.Context.Err(); err != nil {
		return err
	}
	if b.left--; b.left < 0 {
		return b.beyond
	}
	return nil
}

// question is what makes the cause of a failure what it is, where nothing bends the
// roads.
type question struct {
	who      traveller
	from, to string
	told     string // constraints, in the order in which they are tried
}

// cause is why there is no way.
type cause struct {
	blocked map[string]any // nil where nothing that may be lifted is in the way, or it is unknown
	detail  string
	unknown bool
}

// mostCauses is how many are remembered: some hundred bytes each.
const mostCauses = 512

// causes remembers the last answers, for callers who ask again.
type causes struct {
	mu    sync.Mutex
	known map[question]cause
	order []question // in which they came; at is the oldest once there are mostCauses
	at    int
}

func (c *causes) get(q question) (cause, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, ok := c.known[q]
	return found, ok
}

func (c *causes) put(q question, why cause) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.known[q]; ok {
		return
	}
	if c.known == nil {
		c.known = map[question]cause{}
	}
	if len(c.order) < mostCauses {
		c.order = append(c.order, q)
	} else {
		delete(c.known, c.order[c.at])
		c.order[c.at] = q
		c.at = (c.at + 1) % mostCauses
	}
	c.known[q] = why
}

// cause finds why there is no way, or remembers it.
func (p *planner) cause(ctx context.Context, from, to []search.End) (cause, error) {
	plain := p.clock == nil && !p.excludes && p.weights.Overlay.Empty() && p.who.view == (overlay.View{})
	q := question{who: p.who, from: fmt.Sprint(from), to: fmt.Sprint(to)}
	if plain {
		var told strings.Builder
		for _, x := range p.relaxations() {
			fmt.Fprintf(&told, "%s=%v,", x.constraint, x.value)
		}
		q.told = told.String()
		if why, ok := p.e.causes.get(q); ok {
			return why, nil
		}
	}
	why, err := p.findCause(ctx, from, to)
	if err == nil && plain {
		p.e.causes.put(q, why)
	}
	return why, err
}

func (p *planner) findCause(ctx context.Context, from, to []search.End) (cause, error) {
	list, found, err := p.blockage(&bounded{ctx, mostExplained, errTooFar}, from, to)
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
