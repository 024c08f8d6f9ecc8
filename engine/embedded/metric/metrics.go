// Package metric works out the costs of travellers for the whole network, keeps them as
// far as there is memory, and estimates what such work costs.
package metric

import (
	"context"
	"runtime"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/kernel"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// Weights are minimised by the searches for a traveller.
type Weights struct {
	search.Weights
	Hierarchy *cch.Metric // nil until it has been worked out
	Entry     *cacheEntry
	Layer     *overlay.Layer  // of the live feeds that costing and hierarchy know; nil is none
	kept      *cch.PieceCache // of a hierarchy with a layer in it, for the next one
}

// Traveller is the traveller that a metric is for.
type Traveller struct {
	Options costing.Options
	Open    bool // the roads are as at the best of times
	View    overlay.View
	leads   bool // no request has these costs: the metric leads searches for others
}

// Store keeps the metrics of options that requests come back with,
// as far as there is memory for them. The metric of options that few
// requests have is not worth working out.
type Store struct {
	regionMetrics
	slots chan struct{}                 // a place for each metric in the making
	use   func() (done func(), ok bool) // keeps the region open while metrics are made to be kept
	// Admit waits until there is a processor for work in the background; nil does
	// not.
	Admit      func(ctx context.Context, e engine.Estimate) (done func(), err error)
	Alarm      func(*parallel.Panic)  // is called with panics in the background
	background func() context.Context // for work that lets requests go first
	metricCache
}

// NewStore keeps metrics of a region. background is the context of work in the
// background.
func NewStore(d *kernel.Data, background func() context.Context) *Store {
	return &Store{
		regionMetrics: newRegionMetrics(d), use: d.Use, slots: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)), Alarm: func(*parallel.Panic) {}, background: background,
		metricCache: metricCache{limit: defaultMemory, entries: map[Traveller]*cacheEntry{}},
	}
}

// ForOptions returns what a search for a traveller minimises. With tree, for a search
// that the hierarchy does not answer. What is missing is worked out in the
// background once a request comes with the same options again and searches without
// it have cost as much; until then, and where there is no memory for it, they go
// without.
func (m *Store) ForOptions(o costing.Options, tree bool) Weights {
	return m.Get(Traveller{Options: o}, tree)
}

// Get returns the weights for a traveller, with a hierarchy where there is one; tree asks for
// one that trees are searched on.
func (m *Store) Get(who Traveller, tree bool) Weights {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, known := m.entries[who]
	if !known {
		k = m.newEntry(who)
	}
	m.touch(k)
	if !known {
		m.add(k)
	}
	if who.View != (overlay.View{}) {
		return m.withLive(k, tree)
	}
	if k.weights.Hierarchy != nil && (!tree || k.weights.Metric != nil) {
		return k.weights
	}
	if k.requests++; k.requests > 1 && (tree || m.worth(k)) && k.making == nil && m.claim(k) {
		x := k.making
		parallel.Go(func() { m.later(k, x) }, m.failed(k))
	}
	return k.weights
}

// worth reports whether searches without a traveller's metric have cost as much as
// it does, so that no more than twice the least is spent on him whatever he asks. Of one
// for all who come, or that snapshots to come are made from at little cost, a part of it
// is enough. The lock is held.
func (m *Store) worth(k *cacheEntry) bool {
	cost := int64(m.Graph.Edges()) * CustomNanos
	if k.who.leads || k.who.View != (overlay.View{}) {
		cost /= lastingShare
	}
	return k.settled*SettleNanos >= cost
}

// lastingShare is the part of the cost of a metric of lasting use that long searches
// have to have taken without it before it is made.
const lastingShare = 8

// Searched notes how many edges a search settled that had to do without the metric
// of its weights.
func (m *Store) Searched(w Weights, settled int) {
	if w.Hierarchy != nil || w.Entry == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	w.Entry.settled += int64(settled)
	if who, ok := ledBy(&w.Entry.who.Options); ok {
		if k := m.entries[who]; k != nil && k.weights.Hierarchy == nil {
			k.settled += int64(settled)
		}
	}
}

// ledBy gives for whom the metric is made that would lead searches for options, if there
// is one besides those of the region.
func ledBy(o *costing.Options) (who Traveller, ok bool) {
	near, ok := profile.NearUsual(o)
	if near.AnyVehicle {
		return anyVehicle(o.Costing), ok
	}
	return far(o.Costing), ok && near.Far > 0
}

// far is for whom the metric is made that leads, beside the usual one, all whose options
// lie between.
func far(k costing.Costing) Traveller { return Traveller{Options: profile.Far(k), leads: true} }

// anyVehicle is for whom the metric is made that leads all by usual options, whatever
// their vehicles and loads.
func anyVehicle(k costing.Costing) Traveller {
	return Traveller{Options: costing.Default(k).LeastRestricted(), leads: true}
}

// SearchedPast notes how many edges a search settled past what is live for a traveller,
// whose metric did not know of it.
func (m *Store) SearchedPast(who Traveller, settled int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k := m.entries[who]; k != nil {
		k.settled += int64(settled)
	}
}

// making is a traveller's weights in the making.
type making struct {
	claimed int64         // bytes
	begun   bool          // it is being worked on
	ended   chan struct{} // closed once they are there, or came to nothing
}

// claim takes memory for what a traveller's weights lack; false where there is
// none. The lock is held.
func (m *Store) claim(k *cacheEntry) bool {
	guess := m.estimate(k)
	if k.unmakable || !m.reserve(k, guess) {
		return false
	}
	k.making = &making{claimed: guess, ended: make(chan struct{})}
	return true
}

// later makes weights once there is a processor for it, unless a request that
// waits for them has begun.
func (m *Store) later(k *cacheEntry, x *making) {
	if m.Admit != nil {
		done, err := m.Admit(context.Background(), m.effort())
		if err == nil {
			defer done()
		}
		m.mu.Lock()
		if err != nil && !x.begun {
			x.begun = true
			m.end(k, k.weights, 0)
		}
		m.mu.Unlock()
	}
	m.mu.Lock()
	begun := x.begun
	x.begun = true
	m.mu.Unlock()
	if !begun {
		m.build(k)
	}
}

// Customised returns a traveller's weights with their metric, made at once where it
// is missing. All who ask for the same one wait for it together, no longer than
// their contexts last; it is made all the same. ok is false where there is no
// memory to keep it.
func (m *Store) Customised(ctx context.Context, who Traveller) (w Weights, ok bool, err error) {
	m.mu.Lock()
	k := m.entries[who]
	if k == nil {
		k = m.newEntry(who)
		m.touch(k)
		m.add(k)
	}
	if k.weights.Hierarchy != nil || k.making == nil && !m.claim(k) {
		defer m.mu.Unlock()
		return k.weights, k.weights.Hierarchy != nil, nil
	}
	x := k.making
	if !x.begun {
		x.begun = true
		parallel.Go(func() { m.build(k) }, m.failed(k))
	}
	m.mu.Unlock()
	select {
	case <-x.ended:
	case <-ctx.Done():
		return Weights{}, false, ctx.Err()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return k.weights, k.weights.Hierarchy != nil, nil
}

// Existing returns a traveller's weights where they have a metric of the hierarchy. It
// does not count as asking for it.
func (m *Store) Existing(who Traveller) (w Weights, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k := m.entries[who]; k != nil {
		w = k.weights
	}
	return w, w.Hierarchy != nil
}

// Ready reports what has been worked out for options: their metric, and its
// measures. It does not count as asking for it.
func (m *Store) Ready(o costing.Options) (metric, measured bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.entries[Traveller{Options: o}]
	if k == nil {
		return m.defaults[o] != nil, m.defaults[o] != nil
	}
	if m.mapped[k.weights.Hierarchy] != nil {
		return true, true
	}
	if k.measured != nil {
		select {
		case <-k.measured.ready:
			measured = true
		default:
		}
	}
	return k.weights.Hierarchy != nil, measured
}

// newEntry returns what is at hand for a traveller who was not here before.
func (m *Store) newEntry(who Traveller) *cacheEntry {
	best := m.Best(who)
	k := &cacheEntry{who: who, weights: Weights{Weights: search.Weights{Costing: profile.NewOpen(m.Graph, who.Options, best)}}}
	k.weights.Entry = k
	if !best.Any() {
		k.weights.Hierarchy = m.defaults[who.Options]
	}
	return k
}

// Bound gives metrics at or below the costs of a traveller, ok is false where
// there are none. They are tight where paths are hardly dearer, for all that is known of
// the options.
func (m *Store) Bound(who Traveller, w Weights) (b cch.Bound, tight, ok bool) {
	if w.Hierarchy != nil {
		return cch.OfCosting(w.Costing, w.Hierarchy, 1), true, true
	}
	kind := who.Options.Costing
	if near, ok := profile.NearUsual(&who.Options); ok && !m.Best(who).Any() {
		usual := costing.Default(kind)
		if near.AnyVehicle {
			if w := m.Get(anyVehicle(kind), false); w.Hierarchy != nil {
				return cch.OfLowerBound(m.vehicleBounds[kind](), w.Hierarchy, near.Usual+near.Far), near.Far == 0, true
			}
		} else if h := m.defaults[usual]; h != nil {
			b = cch.OfCosting(m.ForOptions(usual, false).Costing, h, near.Usual+near.Far)
			if near.Far == 0 {
				return b, true, true
			}
			w := m.Get(far(kind), false)
			made := w.Hierarchy != nil
			if made {
				with := cch.OfCosting(w.Costing, w.Hierarchy, near.Far)
				b.Scale, b.With = near.Usual, &with
			}
			return b, made, true
		}
	}
	first := profile.BoundedWith(kind)[0]
	scale, ok := profile.LeastScale(&who.Options)
	if !ok || m.Stored.Bounds[first] == nil {
		return cch.Bound{}, false, false
	}
	return cch.OfLowerBound(m.lowerBounds[first](), m.Stored.Bounds[first], scale), false, true
}

// estimate is about how much memory what a traveller's weights lack will take: as
// much as those of usual options do.
func (m *Store) estimate(k *cacheEntry) int64 {
	n := int64(0)
	if k.who.View != (overlay.View{}) {
		// The metric that it replaces is dropped when the new one is there.
		hierarchy, _ := m.EstimateHierarchy(k.who.Options.Costing)
		return max(0, m.Topology.TurnBytes()+hierarchy-k.kept)
	}
	if k.weights.Metric == nil && !k.who.leads {
		n += m.Topology.TurnBytes()
	}
	if k.weights.Hierarchy == nil {
		hierarchy, _ := m.EstimateHierarchy(k.who.Options.Costing)
		n += hierarchy
	}
	return n
}

// failed returns what notes a panic while a traveller's weights were made. That is not
// tried again: he goes on without.
func (m *Store) failed(k *cacheEntry) func(*parallel.Panic) {
	return func(p *parallel.Panic) {
		m.mu.Lock()
		if k.making != nil {
			k.unmakable = true
			m.end(k, k.weights, 0)
		}
		m.mu.Unlock()
		m.Alarm(p)
	}
}

// build works out what a traveller's weights lack, for which memory has been
// claimed.
func (m *Store) build(k *cacheEntry) {
	m.slots <- struct{}{}
	defer func() { <-m.slots }()
	m.mu.Lock()
	w := k.weights
	m.mu.Unlock()
	taken := int64(0)
	if done, ok := m.use(); ok {
		defer done()
		if k.who.View != (overlay.View{}) {
			w, taken = m.buildLive(k)
		}
		if w.Layer == nil && w.Metric == nil && !k.who.leads {
			w.Metric = w.Costing.Metric(m.index())
			taken += w.Metric.Bytes()
		}
		if w.Hierarchy == nil {
			w.Hierarchy = m.customise(k.who, w)
			taken += w.Hierarchy.Bytes()
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.end(k, w, taken)
}

// end puts weights that were made, of so many bytes, in place. The lock is held.
func (m *Store) end(k *cacheEntry, w Weights, taken int64) {
	x := k.making
	k.making = nil
	defer close(x.ended)
	if w.Layer != k.weights.Layer {
		m.replace(k, w, x.claimed, taken)
		return
	}
	k.weights = w
	m.commit(k, x.claimed, taken)
}
