package metric

import (
	"time"

	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// mostBehind is by how much the roads in a metric may be older than those that the feeds
// report: until the next one is made requests are answered from it. From then on they look at
// the roads themselves.
const mostBehind = time.Minute

// inUse is how long after a request a metric is renewed with every snapshot.
const inUse = 5 * time.Minute

// RenewInUse has the metrics that are in use made anew that know of an earlier snapshot of
// what is live.
func (m *Store) RenewInUse(s *overlay.Snapshot) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for who, k := range m.entries {
		if who.View != (overlay.View{}) && k.weights.Layer != nil && time.Since(k.asked) < inUse && s.Layer(who.View) != k.weights.Layer {
			m.rebuild(k)
		}
	}
}

// withLive returns the weights of a traveller to whom something live applies: those that
// know of it where they have been made, else those of the roads as they are. often
// says that he looks at more roads than a route does. The lock is held.
func (m *Store) withLive(k *cacheEntry, often bool) Weights {
	layer := m.Data.Current.Get().Layer(k.who.View)
	k.asked = time.Now()
	if k.weights.Layer != layer {
		everywhere := often || k.who.View.Live || k.who.View.Hour > 0
		if everywhere {
			k.requests++
		}
		if k.weights.Layer != nil || everywhere && k.requests > 1 || m.worth(k) {
			m.rebuild(k)
		}
	}
	if old := k.weights.Layer; old != nil && (old == layer || layer.Taken.Sub(old.Taken) < mostBehind) {
		return k.weights
	}
	plain := k.who
	plain.View = overlay.View{}
	base := m.entries[plain]
	if base == nil {
		base = m.newEntry(plain)
		m.touch(base)
		m.add(base)
	}
	return base.weights
}

// rebuild has the weights of a traveller made in the background, with what is live
// now. The lock is held.
func (m *Store) rebuild(k *cacheEntry) {
	if k.making != nil || k.evicted || !m.claim(k) {
		return
	}
	x := k.making
	parallel.Go(func() { m.later(k, x) }, m.failed(k))
}

// buildLive makes the weights of a traveller with what is live now, out of those with
// what was live before where there are any, and returns how many bytes they take.
func (m *Store) buildLive(k *cacheEntry) (Weights, int64) {
	m.mu.Lock()
	turns, before := k.turns, k.weights
	m.mu.Unlock()
	layer := m.Data.Current.Get().Layer(k.who.View)
	if layer != nil && layer == before.Layer {
		return before, 0 // they were made of it while these waited for their turn
	}
	plain := profile.NewOpen(m.Graph, k.who.Options, m.Best(k.who))
	ctx := m.background()
	if turns == nil {
		turns, _ = plain.MetricContext(ctx, m.index())
		m.mu.Lock()
		k.turns = turns
		m.mu.Unlock()
	}
	w := Weights{Weights: search.Weights{Costing: plain.WithOverlay(overlay.WithLayer(layer, false))}, Layer: layer}
	w.kept, _ = m.Topology.CustomiseNext(ctx, m.Graph, w.Costing, turns.WithOverlay(w.Costing), before.kept, func(yield func(graph.Edge)) { layer.Changed(before.Layer, yield) })
	w.Hierarchy = w.kept.Metric()
	return w, w.Hierarchy.Bytes() + w.kept.Bytes() + turns.Bytes()
}

// replace puts weights with what is live in place of those before, as an entry of
// their own: who still reads the old ones keeps what belongs to them, and what is
// claimed for these counts until it is given back. The lock is held.
func (m *Store) replace(k *cacheEntry, w Weights, claimed, taken int64) {
	next := &cacheEntry{
		who: k.who, weights: w, requests: k.requests, asked: k.asked, turns: k.turns, bytes: taken, kept: taken,
		lastUsed: k.lastUsed, usedBefore: k.usedBefore,
	}
	next.weights.Entry = next
	gone := k.kept + claimed
	m.used += taken - gone
	k.bytes, k.kept, k.evicted, k.turns = k.bytes-gone, 0, true, nil
	k.users--
	m.entries[k.who] = next
	m.evictOverLimit()
}
