package upstream

import (
	"context"
	"log/slog"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/parallel"
)

// probeTime is how long a probe may take.
const probeTime = 2 * time.Second

// Probed is the one server that a probe asks.
type Probed struct {
	p *Pool
	m *member
}

// Send sends a request to the server, and fails as Pool.Send does.
func (s *Probed) Send(ctx context.Context, r *Request) ([]byte, error) {
	a := s.p.attempt(ctx, s.m, r)
	return a.body, a.err
}

// Watch probes every server again and again until ctx ends.
func (p *Pool) Watch(ctx context.Context) {
	var group parallel.Group
	for _, m := range p.members {
		group.Go(func() {
			parallel.Keep(ctx, func(ctx context.Context) { p.watch(ctx, m) }, func(failed *parallel.Panic) {
				p.options.Log.Error("a probe of a server panicked", "server", m.label, "error", failed, slog.String("stack", string(failed.Stack)))
			})
		})
	}
	group.Wait()
}

func (p *Pool) watch(ctx context.Context, m *member) {
	tick := time.NewTicker(p.options.Every)
	defer tick.Stop()
	for {
		p.probe(ctx, m)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Check returns the state of each server, after probing those whose last probe is older than
// two of Watch would be. ctx bounds how long that takes.
func (p *Pool) Check(ctx context.Context) []State {
	var group parallel.Group
	now := p.options.Now()
	for _, m := range p.members {
		p.mu.Lock()
		fresh := !m.probed.IsZero() && now.Sub(m.probed) < 2*p.options.Every+probeTime
		p.mu.Unlock()
		if !fresh {
			group.Go(func() { p.probe(ctx, m) })
		}
	}
	group.Wait()
	return p.States()
}

// missable is how many probes in a row must fail to put a server aside, and a server that has
// failed its trial so many times in a row must succeed in two to that power before the next.
const (
	missable     = 2
	mostRelapses = 5
)

// probe probes a server. Where a server has calls under way, or is the last that gets calls,
// no answer in time says only that it is busy.
func (p *Pool) probe(ctx context.Context, m *member) {
	bounded, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	info, err := p.options.Probe(bounded, &Probed{p, m})
	if ctx.Err() != nil {
		return // nobody waits for it any more
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.options.Now()
	m.probed = now
	if err != nil {
		m.fault, m.proofs = err, 0
		busy := fault.Is(err, fault.UpstreamTimeout) && (m.inFlight > 0 || !p.others(m))
		switch {
		case m.aside:
			m.tried = now
		case !busy:
			if m.missed++; m.missed == missable {
				p.putAside(m)
			}
		}
		return
	}
	m.fault, m.missed = nil, 0
	if (m.info.Version != "" || !m.info.Data.IsZero()) && info != m.info {
		m.renewed = now
		p.options.Log.Info("a server has another version or other data", "server", m.label, "version", info.Version, "data", info.Data)
	}
	m.info = info
	if m.aside {
		if m.proofs++; m.proofs >= 1<<min(m.relapses, mostRelapses) {
			m.aside, m.trial, m.since = false, true, now
		}
	}
}

// others reports whether another server gets calls. The lock is held.
func (p *Pool) others(m *member) bool {
	for _, o := range p.members {
		if o != m && !o.aside {
			return true
		}
	}
	return false
}
