package x402

import (
	"sync"
	"time"

	"github.com/waygate/waygate/fault"
)

const (
	// maxNonces limits the nonces that are remembered: about 20 MB.
	maxNonces = 1 << 16
	// underWay is how long a verified payment is held for its call.
	underWay = 2 * time.Minute
	// settled is how long a settled payment, or one that may have been settled, is
	// remembered. The chain remembers it for good; this covers the time until the
	// chain and the facilitator have seen it.
	settled = 10 * time.Minute
)

// nonces prevents one payment from paying for two calls: a nonce belongs to the first
// payment that used it, until that is released, settled or forgotten.
type nonces struct {
	mu       sync.Mutex
	held     map[string]hold
	capacity int
	swept    time.Time
}

type hold struct {
	by      *Payment
	until   time.Time
	settled bool // settled, or may be
}

// take reserves the nonce of a payment, to settle it or for its call.
func (n *nonces) take(p *Payment, now time.Time, settle bool) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	h, known := n.held[p.key]
	if known && now.Before(h.until) && (h.by != p || h.settled) {
		return &Refused{"nonce_already_used"}
	}
	if !known && len(n.held) >= n.capacity {
		if n.sweep(now); len(n.held) >= n.capacity {
			return fault.New(fault.UpstreamUnavailable, "too many payments are under way; try again")
		}
	}
	life := underWay
	if settle {
		life = settled
	}
	n.held[p.key] = hold{by: p, until: now.Add(life), settled: settle}
	return nil
}

// drop forgets the nonce of a payment; that of a settled one only if all is true.
func (n *nonces) drop(p *Payment, all bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if h := n.held[p.key]; h.by == p && (all || !h.settled) {
		delete(n.held, p.key)
	}
}

// sweep makes room, once a second at most: expired nonces go first, then settled ones, which
// the facilitator refuses as well.
func (n *nonces) sweep(now time.Time) {
	if since := now.Sub(n.swept); since >= 0 && since < time.Second {
		return
	}
	n.swept = now
	for key, h := range n.held {
		if !now.Before(h.until) {
			delete(n.held, key)
		}
	}
	if len(n.held) < n.capacity {
		return
	}
	for key, h := range n.held {
		if h.settled {
			delete(n.held, key)
		}
	}
}
