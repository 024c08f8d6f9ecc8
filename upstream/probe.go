package upstream

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/parallel"
)

// probeTime is how long a probe may take.
const probeTime = 2 * time.Second

// ProbedServer is the one server that a probe asks.
type ProbedServer struct {
	p *Pool
	m *member
}

// Send sends a request to the server, and fails as Pool.Send does.
func (s *ProbedServer) Send(ctx context.Context, r *Request) ([]byte, error) {
	a := s.p.attempt(ctx, s.m, r)
	return a.body, a.err
}

// Watch probes every server again and again until ctx ends.
func (p *Pool) Watch(ctx context.Context) {
	var group parallel.Group
	for _, m := range p.members {
		group.Go(func() {
			parallel.Supervise(ctx, func(ctx context.Context) { p.watch(ctx, m) }, func(failed *parallel.Panic) {
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
		p.probe(ctx, m, true)
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
			group.Go(func() { p.probe(ctx, m, false) })
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
// no answer in time says only that it is busy. watching has it compare the answers of a server
// that has changed, which takes its time.
func (p *Pool) probe(ctx context.Context, m *member, watching bool) {
	bounded, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	info, err := p.options.Probe(bounded, &ProbedServer{p, m})
	if ctx.Err() != nil {
		return // nobody waits for it any more
	}
	p.mu.Lock()
	elder := p.note(m, info, err, watching)
	p.mu.Unlock()
	if elder != nil {
		p.compare(ctx, m, elder)
	}
}

// note notes what came of a probe. It returns the server to compare a changed one with, nil
// for none. The lock is held.
func (p *Pool) note(m *member, info Info, err error, watching bool) (elder *member) {
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
		return nil
	}
	m.fault, m.missed, m.heard = nil, 0, true
	if m.info != (Info{}) && info != m.info {
		if !watching && p.options.Agree != nil {
			return nil // the next probe of Watch, which has time to compare, notes it
		}
		m.renewed, m.before, m.refused = now, m.info, false
		p.options.Log.Info("a server has another version or other data", "server", m.label, "version", info.Version, "data", info.Data)
		elder, _ = p.elder(m, info)
	} else if watching && m.refused && now.Sub(m.since) >= compareAgain {
		elder, m.refused = p.elder(m, info)
	}
	m.info = info
	if elder != nil {
		m.checking, m.refused, m.since = true, false, now
	}
	if m.aside {
		if m.proofs++; m.proofs >= 1<<min(m.relapses, mostRelapses) {
			m.aside, m.trial, m.since = false, true, now
		}
	}
	return elder
}

// elder returns a server that gets calls and has the version which a changed one had before;
// nil where there is none. lone reports that no server which gets calls has the new version.
// The lock is held.
func (p *Pool) elder(m *member, fresh Info) (found *member, lone bool) {
	if p.options.Agree == nil {
		return nil, false
	}
	for _, o := range p.members {
		switch {
		case o == m || o.aside || o.checking || o.refused:
		case o.info == fresh:
			return nil, false
		case o.info == m.before:
			found = o
		}
	}
	return found, true
}

// compareTime is how long the answers of a changed server may take to compare, which is more
// than PoolOptions.Agree should, and compareAgain how long after they differed they are compared again: the server may have been
// starting.
const (
	compareTime  = 5 * time.Minute
	compareAgain = time.Minute
)

// compare compares the answers of a changed server with those of an elder one, and lets it get
// calls again where they agree.
func (p *Pool) compare(ctx context.Context, m, elder *member) {
	ctx, cancel := context.WithTimeout(ctx, compareTime)
	defer cancel()
	err := errors.New("the comparison did not end")
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		m.checking, m.since = false, p.options.Now()
		if m.refused = err != nil; m.refused {
			p.options.Log.Error("a server whose version or data have changed answers otherwise than the version before: it gets calls only where no other server does", "server", m.label, "beside", elder.label, "error", err)
			return
		}
		p.options.Log.Info("a server whose version or data have changed agrees with the version before", "server", m.label, "beside", elder.label)
	}()
	err = p.options.Agree(ctx, &ProbedServer{p, m}, &ProbedServer{p, elder})
}

// others reports whether another server gets calls. The lock is held.
func (p *Pool) others(m *member) bool {
	for _, o := range p.members {
		if o != m && !o.aside && !o.checking && !o.refused {
			return true
		}
	}
	return false
}
