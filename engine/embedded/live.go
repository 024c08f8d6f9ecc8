package embedded

import (
	"context"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// mostBehind is by how much the roads that a metric knows may be older than those
// that the feeds tell of: until the next one is made requests are answered from
// it. From then on they look at the roads themselves.
const mostBehind = time.Minute

// inUse is how long after a request a metric is renewed with every snapshot.
const inUse = 5 * time.Minute

// yielding is a context that lets others run each time it is asked.
type yielding struct{ context.Context }

func (y yielding) Err() error {
	parallel.Yield()
	return y.Context.Err()
}

// SetLive puts what is known of the roads at the moment in place: requests that
// begin from now on see it. Edges are those of this engine's region. Metrics that
// know what was live before are made anew in the background, as far as they are
// in use; until they are, requests are answered from them.
func (e *Engine) SetLive(s *overlay.Snapshot) {
	e.live.Set(s)
	if s == nil {
		return
	}
	m := e.metrics
	m.mu.Lock()
	defer m.mu.Unlock()
	for who, k := range m.entries {
		if who.view != (overlay.View{}) && k.weights.layer != nil && time.Since(k.asked) < inUse && s.Layer(who.view) != k.weights.layer {
			m.renew(k)
		}
	}
}

// Live is what is known of the roads at the moment; nil where nothing is.
func (e *Engine) Live() *overlay.Snapshot { return e.live.Get() }

// live gives the weights of a traveller to whom something live applies: those that
// know of it where they have been made, else those of the roads as they are. often
// says that he looks at more roads than a route does. The lock is held.
func (m *metrics) live(k *cacheEntry, often bool) weights {
	layer := m.layer(k.who.view)
	k.asked = time.Now()
	if k.weights.layer != layer {
		everywhere := often || k.who.view.Live || k.who.view.Hour > 0
		if everywhere {
			k.requests++
		}
		if k.weights.layer != nil || everywhere && k.requests > 1 || m.worth(k) {
			m.renew(k)
		}
	}
	if old := k.weights.layer; old != nil && (old == layer || layer.Taken.Sub(old.Taken) < mostBehind) {
		return k.weights
	}
	plain := k.who
	plain.view = overlay.View{}
	base := m.entries[plain]
	if base == nil {
		base = m.newEntry(plain)
		m.touch(base)
		m.add(base)
	}
	return base.weights
}

// renew has the weights of a traveller made in the background, with what is live
// now. The lock is held.
func (m *metrics) renew(k *cacheEntry) {
	if k.making != nil || k.evicted || !m.claim(k) {
		return
	}
	x := k.making
	parallel.Go(func() { m.later(k, x) }, m.failed(k))
}

// buildLive makes the weights of a traveller with what is live now, out of those with
// what was live before where there are any, and tells how many bytes they take.
func (m *metrics) buildLive(k *cacheEntry) (weights, int64) {
	m.mu.Lock()
	turns, before := k.turns, k.weights
	m.mu.Unlock()
	layer := m.layer(k.who.view)
	if layer != nil && layer == before.layer {
		return before, 0 // they were made of it while these waited for their turn
	}
	plain := profile.NewOpen(m.g, k.who.options, m.openTo(k.who))
	ctx := m.behind()
	if turns == nil {
		turns, _ = plain.MetricContext(ctx, m.index())
		m.mu.Lock()
		k.turns = turns
		m.mu.Unlock()
	}
	w := weights{Weights: search.Weights{Costing: plain.WithOverlay(overlay.WithLayer(layer, false))}, layer: layer}
	w.kept, _ = m.topology.CustomiseNext(ctx, m.g, w.Costing, turns.WithOverlay(w.Costing), before.kept, func(yield func(graph.Edge)) { layer.Changed(before.layer, yield) })
	w.hierarchy = w.kept.Metric()
	return w, w.hierarchy.Bytes() + w.kept.Bytes() + turns.Bytes()
}

// replace puts weights with what is live in place of those before, as an entry of
// their own: who still reads the old ones keeps what belongs to them, and what is
// claimed for these counts until it is given back. The lock is held.
func (m *metrics) replace(k *cacheEntry, w weights, claimed, taken int64) {
	next := &cacheEntry{
		who: k.who, weights: w, requests: k.requests, asked: k.asked, turns: k.turns, bytes: taken, kept: taken,
		lastUsed: k.lastUsed, usedBefore: k.usedBefore,
	}
	next.weights.entry = next
	gone := k.kept + claimed
	m.used += taken - gone
	k.bytes, k.kept, k.evicted, k.turns = k.bytes-gone, 0, true, nil
	k.users--
	m.entries[k.who] = next
	m.evictOverLimit()
}

// bends reports whether something live that no metric knows of may change the
// roads for a request.
func (e *Engine) bends(q *engine.Conditions) bool {
	live := e.live.Get()
	if live == nil {
		return false
	}
	if q.When == nil {
		return live.Passing() || !live.Layer(overlay.View{Closing: overlay.HoldingClosures}).Empty()
	}
	return q.When.Type != engine.Now // those of now have metrics of their own
}

// liveFor is how many seconds of a journey what is live counts for, ever less: the
// farther ahead, the more counts what is usual there.
const liveFor = 3600

// secondsAt is the time that an original edge takes to who comes to it so many
// seconds after he sets out.
func (p *planner) secondsAt(e graph.Edge, elapsed float64) float64 {
	if p.r.When == nil || p.r.When.Type != engine.Now || !p.who.view.Live {
		return p.weights.Seconds(e)
	}
	live := p.e.live.Get()
	kmh, known := p.weights.Overlay.Speed(e)
	if !known || live.LiveSpeed(e) == 0 {
		return p.weights.Seconds(e)
	}
	elapsed += p.moment.Sub(p.began).Seconds()
	free := p.costing.Speed(e)
	usual := free
	if p.who.view.Hour > 0 {
		hour := overlay.HourOfWeek(p.began.Add(time.Duration(elapsed * float64(time.Second))))
		if v := live.Profile.Speed(e, hour); v > 0 {
			usual = min(usual, float64(v))
		}
	}
	share := max(0, 1-elapsed/liveFor)
	return p.costing.SecondsAt(e, share*min(kmh, free)+(1-share)*usual)
}
