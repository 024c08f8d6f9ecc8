package meter

import (
	"cmp"
	"context"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/fault"
)

const (
	clientsMax = 1 << 16 // callers of the demo lane that are remembered
	topClients = 20
	// paymentFeature is the feature that calls count under which pay for themselves.
	paymentFeature = "x402"
)

// demoLane counts calls without a key. Callers are remembered in memory only.
type demoLane struct {
	since time.Time

	mu       sync.Mutex
	counts   map[demoCount]callCounts
	features map[featureCount]callCounts
	clients  *bounded[netip.Addr, *Client]
}

type demoCount struct {
	day, endpoint string
	class         Class
}

type featureCount struct{ day, feature string }

func newDemoLane(now time.Time) *demoLane {
	return &demoLane{
		since: now, counts: map[demoCount]callCounts{}, features: map[featureCount]callCounts{},
		clients: newBounded[netip.Addr, *Client](clientsMax),
	}
}

// admitDemo admits a call without a key.
func (g *Gate) admitDemo(ctx context.Context, c Call) (*Admission, error) {
	if c.Free || g.options.DemoRPM <= 0 {
		return nil, fault.New(fault.Unauthorized, "%s needs an API key; send it as Authorization: Bearer KEY or as the query parameter api_key", c.Endpoint)
	}
	who := account.Network(c.Client)
	if err := g.limit(ctx, g.options.Demo, who.String(), int64(g.options.DemoRPM), "a caller without a key"); err != nil {
		return nil, err
	}
	g.demo.note(who, g.now())
	return &Admission{gate: g, lane: demo, endpoint: c.Endpoint, client: who, use: unset}, nil
}

func (l *demoLane) note(who netip.Addr, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, ok := l.clients.get(who, now)
	if !ok {
		c = &Client{Address: who}
		l.clients.put(who, c, now)
	}
	c.Calls++
	c.Last = now
}

// count counts a call that was answered.
func (l *demoLane) count(p *Admission, units int64, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts[demoCount{p.date.day, p.endpoint, p.class}] = l.counts[demoCount{p.date.day, p.endpoint, p.class}].plus(units)
	if p.class == Premium {
		for _, f := range p.features {
			l.features[featureCount{p.date.day, f}] = l.features[featureCount{p.date.day, f}].plus(units)
		}
	}
	if c, ok := l.clients.get(p.client, now); ok {
		c.Units += units
	}
}

func (l *demoLane) countPaid(p *Admission, units int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.features[featureCount{p.date.day, paymentFeature}] = l.features[featureCount{p.date.day, paymentFeature}].plus(units)
}

// take returns the counts and resets them.
func (l *demoLane) take() (counts map[demoCount]callCounts, features map[featureCount]callCounts) {
	l.mu.Lock()
	defer l.mu.Unlock()
	counts, features = l.counts, l.features
	l.counts, l.features = map[demoCount]callCounts{}, map[featureCount]callCounts{}
	return counts, features
}

// Client is a caller of the demo lane as this process saw it.
type Client struct {
	Address netip.Addr // of the network
	Calls   int64      // admitted
	Units   int64      // of those that succeeded
	Last    time.Time
}

// DemoClients has the memory of this process of the callers without a key.
type DemoClients struct {
	Since    time.Time
	Tracked  int
	Capacity int
	Evicted  int64
	Top      []Client // by calls, at most 20
}

// DemoClients returns the callers without a key, which are kept in memory only.
func (g *Gate) DemoClients() DemoClients {
	l := g.demo
	l.mu.Lock()
	d := DemoClients{Since: l.since, Tracked: len(l.clients.entries), Capacity: clientsMax, Evicted: l.clients.evicted}
	all := make([]Client, 0, d.Tracked)
	for _, s := range l.clients.entries {
		all = append(all, *s.value)
	}
	l.mu.Unlock()
	slices.SortFunc(all, func(a, b Client) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), a.Address.Compare(b.Address))
	})
	d.Top = slices.Clone(all[:min(len(all), topClients)])
	return d
}
