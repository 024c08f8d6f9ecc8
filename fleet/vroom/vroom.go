// Package vroom plans with a VROOM server: an HTTP service that takes VROOM's JSON as a
// POST, such as vroom-express
// (https://github.com/VROOM-Project/vroom/blob/master/docs/API.md).
//
// The request contains the matrices, so VROOM needs no router. From the answer only the
// order of stops of each vehicle is used; times are computed here, and the plan is
// checked like our own.
package vroom

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/search"
)

const (
	// atOnce is how many problems are sent to a server at once; each uses several
	// threads there.
	atOnce = 4
	// grace is how long an answer is waited for after the search's time has ended.
	grace = 5 * time.Second
)

// Solver is a client of a VROOM server. Its methods are safe for concurrent use.
type Solver struct {
	address string
	client  *http.Client
	places  chan struct{}
	state   atomic.Value // string: what came of the last question
}

// New returns a Solver for the address to which problems are posted. A nil client is
// one that keeps connections for reuse. Redirects are not followed.
func New(address string, client *http.Client) *Solver {
	if client == nil {
		client = &http.Client{Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         (&net.Dialer{Timeout: 2 * time.Second}).DialContext,
			TLSHandshakeTimeout: 5 * time.Second,
			MaxIdleConnsPerHost: atOnce,
			IdleConnTimeout:     90 * time.Second,
		}}
	}
	own := *client
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Solver{address: address, client: &own, places: make(chan struct{}, atOnce)}
}

// Name returns the name in answers.
func (*Solver) Name() string { return "vroom" }

// State returns ok or failing by the server's last answer, or unknown before the first.
func (s *Solver) State() string {
	state, _ := s.state.Load().(string)
	return cmp.Or(state, "unknown")
}

// Stable reports that Problem.Stability is not supported.
func (*Solver) Stable() bool { return false }

// Load counts memory alone: the server does the work.
func (*Solver) Load(p *fleet.Problem, _ search.Options) search.Load {
	n := int64(0)
	for i := range p.Matrices {
		n += int64(p.Matrices[i].N) * int64(p.Matrices[i].N)
	}
	return search.Load{Bytes: 2*n*digits + longest(p)}
}

// Solve plans on the server. Of the options only Time applies, as the upper limit; the
// plan has no Iterations. The error is a fault of the upstream, a fault of the problem
// as in search.Solve, or the context's.
func (s *Solver) Solve(ctx context.Context, p *fleet.Problem, o search.Options) (*fleet.Plan, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	select {
	case s.places <- struct{}{}:
		defer func() { <-s.places }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	q := question{p: p, limit: o.Time, begun: begun(p)}
	for {
		plan, left, err := s.once(ctx, &q)
		switch {
		case err == nil:
			if o.Progress != nil {
				o.Progress(search.Progress{Share: 1, Unassigned: len(plan.Unassigned), Cost: plan.Cost})
			}
			return plan, nil
		case q.begun && errors.Is(err, errRefused):
			q.begun = false
		case q.stays == nil && left != nil:
			q.stays, q.begun = left, false
		default:
			return nil, err
		}
	}
}

// question is a problem with how it is sent.
type question struct {
	p     *fleet.Problem
	limit time.Duration
	// begun sends the plan to begin with. VROOM refuses one that it cannot drive, such
	// as some of its own with breaks; it is then asked again without.
	begun bool
	// stays marks loads on board that are not delivered, nil for none. They take room to the
	// end of the route, which VROOM cannot express: after a plan without room for them it is
	// called again with less capacity.
	stays []bool
}

// begun reports whether there is a plan to begin with that can be driven.
func begun(p *fleet.Problem) bool {
	orders := make([][]fleet.Stop, len(p.Vehicles))
	some := false
	for i := range p.Vehicles {
		orders[i] = p.Vehicles[i].Begins()
		some = some || len(orders[i]) > 0
	}
	if !some {
		return false
	}
	_, err := search.Arrange(p, orders)
	return err == nil
}

// once sends a problem once. If the plan is impossible to drive and leaves loads on
// board, left marks those.
func (s *Solver) once(ctx context.Context, q *question) (plan *fleet.Plan, left []bool, err error) {
	p := q.p
	body, err := written(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	if body == nil {
		plan, err = search.Arrange(p, make([][]fleet.Stop, len(p.Vehicles)))
		return plan, nil, err
	}
	var orders [][]fleet.Stop
	var cut bool
	answer, err := s.ask(ctx, body, q.limit, longest(p))
	if err == nil {
		orders, cut, err = read(answer, p, q.limit)
	}
	switch {
	case err == nil:
		s.state.Store("ok")
	case ctx.Err() == nil && !errors.Is(err, errRefused):
		s.state.Store("failing")
	}
	if err != nil {
		return nil, nil, err
	}
	if plan, err = search.Arrange(p, orders); err != nil {
		return nil, undelivered(p, orders), fault.Wrap(err, fault.Upstream, "the optimisation server (VROOM) answered a plan that breaks a constraint: it is not given").With("upstream_status", http.StatusOK)
	}
	plan.DeadlineHit = cut
	return plan, nil, nil
}

// undelivered marks the loads on board that no order delivers; nil where there are none.
func undelivered(p *fleet.Problem, orders [][]fleet.Stop) (left []bool) {
	done := map[fleet.Stop]bool{}
	for _, order := range orders {
		for _, stop := range order {
			done[stop] = true
		}
	}
	for i := range p.Vehicles {
		for _, s := range p.Vehicles[i].OnBoard {
			if !done[fleet.Stop{Kind: fleet.AtDelivery, Index: s}] {
				if left == nil {
					left = make([]bool, len(p.Shipments))
				}
				left[s] = true
			}
		}
	}
	return left
}
