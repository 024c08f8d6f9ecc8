package embedded

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// weights are what the searches for a traveller minimise.
type weights struct {
	search.Weights
	hierarchy *cch.Metric // nil until it has been worked out
	entry     *cacheEntry
	layer     *overlay.Layer // of the live feeds that costing and hierarchy know; nil is none
	kept      *cch.Kept      // of a hierarchy that knows of a layer, for the next one
}

// metrics keeps the metrics of the options that are asked for again and again,
// as far as there is memory for them. One that is asked for a few times is not
// worth working out.
type metrics struct {
	g             *graph.Graph
	topology      *cch.Topology
	working       func() int64 // bytes of a metric in the making, besides those of the metric
	region        ofRegion
	defaults      map[costing.Options]*cch.Metric                // the region's
	mapped        map[*cch.Metric]*cch.Measures                  // of them
	openAtTimes   map[costing.Costing]func() map[graph.Edge]bool // edges that the law closes and opens at times
	lowerBounds   map[costing.Costing]func() *profile.LowerBound
	vehicleBounds map[costing.Costing]func() *profile.LowerBound // whatever the vehicle
	index         func() *profile.TurnIndex
	slots         chan struct{}                 // a place for each metric in the making
	use           func() (done func(), ok bool) // keeps the region open for it
	// admit waits until there is a processor for what nobody waits for; nil does
	// not.
	admit    func(ctx context.Context, e engine.Estimate) (done func(), err error)
	panicked func(*parallel.Panic) // hears of panics in the background
	layer    func(overlay.View) *overlay.Layer
	behind   func() context.Context // for work that lets requests go first
	metricCache
}

// ofRegion is what a region has of every costing.
type ofRegion struct {
	usual    map[costing.Costing]*cch.Metric // of the default options
	measures map[costing.Costing]*cch.Measures
	bounds   map[costing.Costing]*cch.Metric // of the least
}

// traveller is who a metric is for.
type traveller struct {
	options costing.Options
	open    bool // roads that open at times count as open
	view    overlay.View
	leads   bool // nobody travels so: the metric leads searches for others
}

func newMetrics(g *graph.Graph, t *cch.Topology, of ofRegion, conditions func() *overlay.Conditions, use func() (func(), bool)) *metrics {
	m := &metrics{
		g: g, topology: t, region: of, defaults: map[costing.Options]*cch.Metric{}, mapped: map[*cch.Metric]*cch.Measures{}, use: use, panicked: func(*parallel.Panic) {}, metricCache: metricCache{limit: defaultMemory, entries: map[traveller]*cacheEntry{}},
		openAtTimes: map[costing.Costing]func() map[graph.Edge]bool{}, lowerBounds: map[costing.Costing]func() *profile.LowerBound{},
		vehicleBounds: map[costing.Costing]func() *profile.LowerBound{},
		slots:         make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)),
		working:       sync.OnceValue(t.WorkingBytes),
		index:         sync.OnceValue(func() *profile.TurnIndex { return turnIndex(g, t) }),
	}
	for _, k := range costing.All {
		m.openAtTimes[k] = sync.OnceValue(func() map[graph.Edge]bool { return conditions().Opens(profile.Mode(k)) })
		m.lowerBounds[k] = sync.OnceValue(func() *profile.LowerBound {
			return profile.NewLowerBound(g, profile.BoundedWith(k), func(k costing.Costing) map[graph.Edge]bool { return m.openAtTimes[k]() })
		})
		m.vehicleBounds[k] = sync.OnceValue(func() *profile.LowerBound { return profile.NewUsualBound(g, k) })
	}
	for k, metric := range of.usual {
		m.defaults[costing.Default(k)], m.mapped[metric] = metric, of.measures[k]
	}
	return m
}

// turnIndex numbers the turns of the graph, of which the hierarchy has no fewer:
// what is made for each must not be as many as a damaged file says.
func turnIndex(g *graph.Graph, t *cch.Topology) *profile.TurnIndex {
	x := profile.NewTurnIndex(g)
	if x.Turns() > len(t.TurnArc) {
		panic("embedded: the graph has more turns than the hierarchy: a section is damaged")
	}
	return x
}

// forOptions gives what a search for a traveller minimises. With tree, for a search
// that the hierarchy does not answer. What is missing is worked out in the
// background once somebody comes with the same options again and searches without
// it have cost as much; until then, and where there is no memory for it, they go
// without.
func (m *metrics) forOptions(o costing.Options, tree bool) weights {
	return m.get(traveller{options: o}, tree)
}

func (m *metrics) get(who traveller, tree bool) weights {
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
	if who.view != (overlay.View{}) {
		return m.live(k, tree)
	}
	if k.weights.hierarchy != nil && (!tree || k.weights.Metric != nil) {
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
func (m *metrics) worth(k *cacheEntry) bool {
	cost := int64(m.g.Edges()) * customNanos
	if k.who.leads || k.who.view != (overlay.View{}) {
		cost /= lastingShare
	}
	return k.settled*settleNanos >= cost
}

// lastingShare is what part of the cost of a metric that will be of use for long searches
// have to have taken without it before it is made.
const lastingShare = 8

// searched notes how many edges a search settled that had to do without the metric
// of its weights.
func (m *metrics) searched(w weights, settled int) {
	if w.hierarchy != nil || w.entry == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	w.entry.settled += int64(settled)
	if who, ok := ledBy(&w.entry.who.options); ok {
		if k := m.entries[who]; k != nil && k.weights.hierarchy == nil {
			k.settled += int64(settled)
		}
	}
}

// ledBy gives for whom the metric is made that would lead searches for options, if there
// is one besides those of the region.
func ledBy(o *costing.Options) (who traveller, ok bool) {
	near, ok := profile.NearUsual(o)
	if near.AnyVehicle {
		return anyVehicle(o.Costing), ok
	}
	return far(o.Costing), ok && near.Far > 0
}

// far is for whom the metric is made that leads, beside the usual one, all whose options
// lie between.
func far(k costing.Costing) traveller { return traveller{options: profile.Far(k), leads: true} }

// anyVehicle is for whom the metric is made that leads all by usual options, whatever
// their vehicles and loads.
func anyVehicle(k costing.Costing) traveller {
	return traveller{options: costing.Default(k).Anyhow(), leads: true}
}

// detoured notes how many edges a search settled past what is live for a traveller,
// whose metric did not know of it.
func (m *metrics) detoured(who traveller, settled int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k := m.entries[who]; k != nil {
		k.settled += int64(settled)
	}
}

// making is a traveller's weights in the making.
type making struct {
	claimed int64         // bytes
	begun   bool          // somebody works on it
	ended   chan struct{} // closed once they are there, or came to nothing
}

// claim takes memory for what a traveller's weights lack; false where there is
// none. The lock is held.
func (m *metrics) claim(k *cacheEntry) bool {
	guess := m.estimate(k)
	if k.unmakable || !m.reserve(k, guess) {
		return false
	}
	k.making = &making{claimed: guess, ended: make(chan struct{})}
	return true
}

// later makes weights once there is a processor for it, unless somebody who
// waits for them has begun.
func (m *metrics) later(k *cacheEntry, x *making) {
	if m.admit != nil {
		done, err := m.admit(context.Background(), m.effort())
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

// customised gives a traveller's weights with their metric, made at once where it
// is missing. All who ask for the same one wait for it together, no longer than
// their contexts last; it is made all the same. ok is false where there is no
// memory to keep it.
func (m *metrics) customised(ctx context.Context, who traveller) (w weights, ok bool, err error) {
	m.mu.Lock()
	k := m.entries[who]
	if k == nil {
		k = m.newEntry(who)
		m.touch(k)
		m.add(k)
	}
	if k.weights.hierarchy != nil || k.making == nil && !m.claim(k) {
		defer m.mu.Unlock()
		return k.weights, k.weights.hierarchy != nil, nil
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
		return weights{}, false, ctx.Err()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return k.weights, k.weights.hierarchy != nil, nil
}

// made gives a traveller's weights where they have a metric of the hierarchy. It
// does not count as asking for it.
func (m *metrics) made(who traveller) (w weights, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k := m.entries[who]; k != nil {
		w = k.weights
	}
	return w, w.hierarchy != nil
}

// known reports what has been worked out for options: their metric, and its
// measures. It does not count as asking for it.
func (m *metrics) known(o costing.Options) (metric, measured bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.entries[traveller{options: o}]
	if k == nil {
		return m.defaults[o] != nil, m.defaults[o] != nil
	}
	if m.mapped[k.weights.hierarchy] != nil {
		return true, true
	}
	if k.measured != nil {
		select {
		case <-k.measured.ready:
			measured = true
		default:
		}
	}
	return k.weights.hierarchy != nil, measured
}

// effort is about what a metric takes to make.
func (m *metrics) effort() engine.Estimate {
	edges := int64(m.g.Edges())
	return engine.Estimate{Kind: "customise", Work: time.Duration(edges) * customNanos, Bytes: m.working(), Cores: 1}
}

// newEntry gives what is at hand for a traveller who was not here before.
func (m *metrics) newEntry(who traveller) *cacheEntry {
	opens := m.openTo(who)
	k := &cacheEntry{who: who, weights: weights{Weights: search.Weights{Costing: profile.NewOpen(m.g, who.options, opens)}}}
	k.weights.entry = k
	if len(opens) == 0 {
		k.weights.hierarchy = m.defaults[who.options]
	}
	return k
}

// openTo gives the edges that count as open to a traveller though the law
// closes them. What opens to walkers need not to wheelchairs.
func (m *metrics) openTo(who traveller) map[graph.Edge]bool {
	if !who.open || who.options.Wheelchair {
		return nil
	}
	return m.openAtTimes[who.options.Costing]()
}

// bound gives metrics at or below the costs of a traveller, ok is false where
// there are none. They are tight where paths are hardly dearer, for all that is known of
// the options.
func (m *metrics) bound(who traveller, w weights) (b cch.Bound, tight, ok bool) {
	if w.hierarchy != nil {
		return cch.OfCosting(w.Costing, w.hierarchy, 1), true, true
	}
	kind := who.options.Costing
	if near, ok := profile.NearUsual(&who.options); ok && len(m.openTo(who)) == 0 {
		usual := costing.Default(kind)
		if near.AnyVehicle {
			if w := m.get(anyVehicle(kind), false); w.hierarchy != nil {
				return cch.OfLowerBound(m.vehicleBounds[kind](), w.hierarchy, near.Usual+near.Far), near.Far == 0, true
			}
		} else if h := m.defaults[usual]; h != nil {
			b = cch.OfCosting(m.forOptions(usual, false).Costing, h, near.Usual+near.Far)
			if near.Far == 0 {
				return b, true, true
			}
			w := m.get(far(kind), false)
			made := w.hierarchy != nil
			if made {
				with := cch.OfCosting(w.Costing, w.hierarchy, near.Far)
				b.Scale, b.With = near.Usual, &with
			}
			return b, made, true
		}
	}
	first := profile.BoundedWith(kind)[0]
	scale, ok := profile.LeastScale(&who.options)
	if !ok || m.region.bounds[first] == nil {
		return cch.Bound{}, false, false
	}
	return cch.OfLowerBound(m.lowerBounds[first](), m.region.bounds[first], scale), false, true
}

// estimate is about how much memory what a traveller's weights lack will take: as
// much as those of usual options do.
func (m *metrics) estimate(k *cacheEntry) int64 {
	n := int64(0)
	if k.who.view != (overlay.View{}) {
		// What it replaces goes when it is there.
		hierarchy, _ := m.estimateHierarchy(k.who.options.Costing)
		return max(0, m.topology.TurnBytes()+hierarchy-k.kept)
	}
	if k.weights.Metric == nil && !k.who.leads {
		n += m.topology.TurnBytes()
	}
	if k.weights.hierarchy == nil {
		hierarchy, _ := m.estimateHierarchy(k.who.options.Costing)
		n += hierarchy
	}
	return n
}

// estimateHierarchy is about how much memory a metric of the hierarchy and its
// measures take.
func (m *metrics) estimateHierarchy(k costing.Costing) (hierarchy, measures int64) {
	if usual := m.defaults[costing.Default(k)]; usual != nil {
		return usual.Bytes(), usual.MeasureBytes()
	}
	return m.topology.MostBytes(), m.topology.MostMeasureBytes()
}

// failed hears of a panic while a traveller's weights were made. That is not
// tried again: he goes on without.
func (m *metrics) failed(k *cacheEntry) func(*parallel.Panic) {
	return func(p *parallel.Panic) {
		m.mu.Lock()
		if k.making != nil {
			k.unmakable = true
			m.end(k, k.weights, 0)
		}
		m.mu.Unlock()
		m.panicked(p)
	}
}

// build works out what a traveller's weights lack, for which memory has been
// claimed.
func (m *metrics) build(k *cacheEntry) {
	m.slots <- struct{}{}
	defer func() { <-m.slots }()
	m.mu.Lock()
	w := k.weights
	m.mu.Unlock()
	taken := int64(0)
	if done, ok := m.use(); ok {
		defer done()
		if k.who.view != (overlay.View{}) {
			w, taken = m.buildLive(k)
		}
		if w.layer == nil && w.Metric == nil && !k.who.leads {
			w.Metric = w.Costing.Metric(m.index())
			taken += w.Metric.Bytes()
		}
		if w.hierarchy == nil {
			w.hierarchy = m.customise(k.who, w)
			taken += w.hierarchy.Bytes()
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.end(k, w, taken)
}

// customise makes a traveller's hierarchy. It is for all who come with his options: nobody's
// context ends it.
func (m *metrics) customise(who traveller, w weights) (h *cch.Metric) {
	ctx := yielding{context.Background()}
	switch {
	case who == anyVehicle(who.options.Costing):
		least := m.vehicleBounds[who.options.Costing]()
		h, _ = m.topology.Customise(ctx, m.g, least, least)
	case who.leads:
		h, _ = m.topology.Customise(ctx, m.g, w.Costing, w.Costing.Metric(m.index()))
	default:
		h, _ = m.topology.Customise(ctx, m.g, w.Costing, w.Metric)
	}
	return h
}

// end puts weights that were made, of so many bytes, in place. The lock is held.
func (m *metrics) end(k *cacheEntry, w weights, taken int64) {
	x := k.making
	k.making = nil
	defer close(x.ended)
	if w.layer != k.weights.layer {
		m.replace(k, w, x.claimed, taken)
		return
	}
	k.weights = w
	m.commit(k, x.claimed, taken)
}
