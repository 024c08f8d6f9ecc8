package upstream

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/waygate/waygate/fault"
)

// The defaults of PoolOptions.
const (
	DefaultHedge = 500 * time.Millisecond
	DefaultProbe = time.Second
)

// PoolOptions configure a Pool.
type PoolOptions struct {
	Client Doer  // nil is NewClient
	Most   int64 // bytes of an answer; longer ones are refused unread
	// Hedge is how long a call waits for its server before it is sent to another one too;
	// 0 is DefaultHedge, below 0 never.
	Hedge time.Duration
	// Every is the time between two probes of a server, and how long one that failed gets
	// no calls where nothing probes it; 0 is DefaultProbe.
	Every time.Duration
	// Probe asks one server by a cheap request whether it works.
	Probe func(ctx context.Context, s *ProbedServer) (Info, error)
	// Agree compares the answers of a server whose version or data have changed with those of
	// one that has the version before; an error says how they differ. nil compares none.
	Agree func(ctx context.Context, fresh, old *ProbedServer) error
	Now   func() time.Time // nil is time.Now
	Log   *slog.Logger     // nil is slog.Default
}

// Pool sends requests to one of several servers that answer alike: to the one with the
// fewest calls under way. All requests must be harmless to send twice.
//
//   - A call goes to another server where the first could not be reached, broke off or
//     failed, and where it has not answered within PoolOptions.Hedge. The first good answer
//     counts, and the other call is cancelled. Of every ten calls one may be sent again for
//     being slow and one for having failed, and ten more in a row. Calls that no server has
//     received, or that were a server's trial, are not counted.
//   - A server that has failed four times in a row is put aside. What an answer of status 5xx,
//     an unreadable one or a slow one says of a server counts only where another server
//     answered the same request better: so a request that no server can answer puts none
//     aside.
//   - A server that is aside gets no calls until a probe succeeds, then one call at a time
//     until it has answered one. Where it fails that, twice as many probes must succeed, up to
//     32.
//   - A server whose version or data have changed, as its probe says, gets calls again once
//     PoolOptions.Agree has found its answers like those of a server with the version before.
//     Where they differ it gets calls only as long as no other server does. Where no server
//     has the version before, or one that gets calls has the new one already, none is compared.
//
// It is safe for concurrent use.
type Pool struct {
	name    string // in failures
	options PoolOptions

	mu      sync.Mutex
	members []*member
	next    int        // where the search for the least loaded begins
	tokens  [2]float64 // calls that may be sent again, by reason
}

// reason is why a call is sent again.
type reason int

// The reasons, of which the first two have a budget.
const (
	slow reason = iota
	failed
	unheard // by any server, or a trial
)

// What a call adds to the calls that may be sent again for a reason, and the most of them.
const (
	tokensPerCall = 0.1
	mostTokens    = 10
)

// NewPool makes a pool of the servers at some addresses, which a failure calls by a name
// such as "the routing engine".
func NewPool(name string, addresses []string, o PoolOptions) *Pool {
	if o.Client == nil {
		o.Client = NewClient()
	}
	o.Hedge, o.Every = cmp.Or(o.Hedge, DefaultHedge), cmp.Or(o.Every, DefaultProbe)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	p := &Pool{name: name, options: o, tokens: [2]float64{mostTokens, mostTokens}}
	for _, a := range addresses {
		p.members = append(p.members, newMember(strings.TrimRight(a, "/"), o.Now()))
	}
	return p
}

// Request is a request to a server of a pool.
type Request struct {
	Path string // with the query, after the server's address
	Body []byte // JSON to POST; nil is a GET
	// Judge reads an answer. failed says that the server did not do its work, so that
	// another one may do better; an error without it is the server's word on the request.
	Judge func(status int, body []byte) (failed bool, err error)
}

// Send sends a request and returns the body of an answer that Judge found no fault with.
//
// The error is Judge's, or the context's where the caller went away, or of slug
// UpstreamTimeout where no answer came in time, UpstreamUnavailable where no server could be
// reached, and Upstream for an answer that broke off or is too long.
func (p *Pool) Send(ctx context.Context, r *Request) ([]byte, error) {
	first := p.choose(nil)
	if first == nil {
		return nil, fault.New(fault.UpstreamUnavailable, "%s is not available: none of its %d servers answers", p.name, len(p.members))
	}
	if len(p.members) == 1 {
		a := p.attempt(ctx, first, r)
		p.recordAttempts([]attempt{a}, false)
		return a.body, a.err
	}
	return p.race(ctx, first, r)
}

// attempt is the result of a request at one server.
type attempt struct {
	member *member
	body   []byte
	err    error
	lost   bool // the server did not do its work
	heard  bool // the server may have received the request
	slow   bool // it did not end before another server, asked later, had answered
}

// attempt sends a request to a server that choose returned.
func (p *Pool) attempt(ctx context.Context, m *member, r *Request) attempt {
	a := attempt{member: m, heard: true}
	method, body := http.MethodGet, io.Reader(http.NoBody)
	if r.Body != nil {
		method, body = http.MethodPost, bytes.NewReader(r.Body)
	}
	req, err := http.NewRequestWithContext(ctx, method, m.base+r.Path, body)
	if err != nil {
		a.err = fault.Wrap(err, fault.UpstreamUnavailable, "the address of %s is no URL", p.name)
		return a
	}
	if r.Body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	passTrace(ctx, req.Header)
	var status int
	if status, a.body, a.err = (Server{p.name, p.options.Client}).send(ctx, req, p.options.Most); a.err == nil {
		a.lost, a.err = r.Judge(status, a.body)
		if a.err != nil {
			a.body = nil
		}
		return a
	}
	switch {
	case ctx.Err() != nil && !fault.Is(a.err, fault.UpstreamTimeout): // the caller left, or another server was quicker
	case fault.Is(a.err, fault.UpstreamUnavailable):
		a.lost, a.heard = true, !unsent(a.err)
	default:
		a.lost = !errors.Is(a.err, errTooLong)
	}
	return a
}

// choose returns the server for a call: of those that get calls and were not tried with it
// the one with the fewest under way, by turns. Where there is none it is one that was refused,
// else one that is aside and was not tried for as long as PoolOptions.Every; else nil.
func (p *Pool) choose(tried []*member) *member {
	p.mu.Lock()
	defer p.mu.Unlock()
	if tried == nil {
		for i := range p.tokens {
			p.tokens[i] = min(mostTokens, p.tokens[i]+tokensPerCall)
		}
	}
	best := p.least(tried, func(m *member) bool { return !m.aside && !m.checking && !m.refused })
	if best == nil && tried == nil {
		best = p.least(nil, func(m *member) bool { return !m.aside })
	}
	if best == nil && tried == nil {
		now := p.options.Now()
		for _, m := range p.members {
			if m.aside && now.Sub(m.tried) >= p.options.Every {
				best, m.tried = m, now
				break
			}
		}
	}
	if best == nil {
		return nil
	}
	p.next++
	best.inFlight++
	return best
}

// least returns the server with the fewest calls under way, by turns, of those that may get
// one more and were not tried; nil where there is none. The lock is held.
func (p *Pool) least(tried []*member, may func(*member) bool) (best *member) {
	for i := range p.members {
		m := p.members[(p.next+i)%len(p.members)]
		if !may(m) || m.trial && m.inFlight > 0 || slices.Contains(tried, m) {
			continue
		}
		if best == nil || m.inFlight < best.inFlight {
			best = m
		}
	}
	return best
}

// again returns another server for a call that was sent to some already, nil where there is
// none, or too many calls were sent again for that reason lately.
func (p *Pool) again(tried []*member, why reason) *member {
	if why != unheard && !p.spend(why, 1) {
		return nil
	}
	m := p.choose(tried)
	switch {
	case m != nil:
		m.hedges.Add(1)
	case why != unheard:
		p.spend(why, -1)
	}
	return m
}

// spend takes from the budget of a reason, unless there is too little.
func (p *Pool) spend(why reason, n float64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tokens[why] < n {
		return false
	}
	p.tokens[why] -= n
	return true
}

// why returns the reason to send a call again that a server has failed.
func (p *Pool) why(a *attempt) reason {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a.heard && !a.member.trial {
		return failed
	}
	return unheard
}

// recordAttempts counts what the attempts of one call say of their servers. rivalled says that
// another server answered the request, though it was asked later than those whose attempts
// failed or did not end.
func (p *Pool) recordAttempts(list []attempt, rivalled bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range list {
		a := &list[i]
		m := a.member
		m.inFlight--
		switch {
		case a.lost:
			m.failed.Add(1)
			if rivalled || isSilent(a.err) {
				p.failing(m)
			}
		case isGone(a.err):
			m.cancelled.Add(1)
			if a.slow {
				p.failing(m)
			}
		default:
			m.answered.Add(1)
			p.worked(m)
		}
	}
}

// worked notes that a server has answered a call. The lock is held.
func (p *Pool) worked(m *member) {
	m.failures, m.missed, m.relapses, m.heard = 0, 0, 0, true
	if m.aside || m.trial {
		m.aside, m.trial, m.since = false, false, p.options.Now()
		p.options.Log.Info("a server has come back", "server", m.label)
	}
}

// failing notes that a server has failed a call. The lock is held.
func (p *Pool) failing(m *member) {
	m.failures++
	switch {
	case m.aside:
	case m.trial:
		m.relapses++
		p.putAside(m)
	case m.failures >= tolerance:
		p.putAside(m)
	}
}

// putAside keeps calls from a server. The lock is held.
func (p *Pool) putAside(m *member) {
	now := p.options.Now()
	m.aside, m.trial, m.proofs, m.since, m.tried = true, false, 0, now, now
	p.options.Log.Warn("a server gets no more calls until it answers a probe", "server", m.label)
}

// States returns what is known of each server, in the order of their addresses.
func (p *Pool) States() []State {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := make([]State, len(p.members))
	for i, m := range p.members {
		list[i] = m.state()
	}
	return list
}
