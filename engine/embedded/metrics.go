package embedded

import (
	"runtime"
	"sync"

	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// keptMetrics is how many metrics an engine keeps beside those of the region:
// of options that callers come back with.
const keptMetrics = 16

// weights are what the searches for a traveller minimise.
type weights struct {
	search.Weights
	hierarchy *cch.Metric // nil until it has been worked out
}

// metrics keeps the metrics of the options that are asked for again and again.
// One that is asked for once is not worth working out.
type metrics struct {
	g        *graph.Graph
	topology *cch.Topology
	usual    map[profile.Options]*cch.Metric         // the region's
	opens    map[profile.Kind]func() map[uint32]bool // edges that the law closes and opens at times
	least    map[profile.Kind]func() *profile.Least
	bounds   map[profile.Kind]*cch.Metric // of the least
	index    func() *profile.TurnIndex
	work     chan struct{}                 // a place for each metric in the making
	use      func() (done func(), ok bool) // keeps the region open for it
	mu       sync.Mutex
	kept     map[traveller]*kept
	clock    int64
}

// traveller is who a metric is for.
type traveller struct {
	options profile.Options
	open    bool // roads that open at times count as open
}

type kept struct {
	weights weights
	asked   int // times that something worked out would have helped
	working bool
	used    int64
}

func newMetrics(g *graph.Graph, t *cch.Topology, usual, bounds map[profile.Kind]*cch.Metric, conditions func() *overlay.Conditions, use func() (func(), bool)) *metrics {
	m := &metrics{
		g: g, topology: t, usual: map[profile.Options]*cch.Metric{}, bounds: bounds, use: use, kept: map[traveller]*kept{},
		opens: map[profile.Kind]func() map[uint32]bool{}, least: map[profile.Kind]func() *profile.Least{},
		work:  make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)),
		index: sync.OnceValue(func() *profile.TurnIndex { return profile.NewTurnIndex(g) }),
	}
	for _, k := range profile.Kinds {
		opens := sync.OnceValue(func() map[uint32]bool { return conditions().Opens(k.Mode()) })
		m.opens[k], m.least[k] = opens, sync.OnceValue(func() *profile.Least { return profile.NewLeast(g, k, opens()) })
	}
	for k, metric := range usual {
		m.usual[profile.Default(k)] = metric
	}
	return m
}

// of gives what a search for a traveller minimises. With tree, for a search
// that the hierarchy does not answer. What is missing is worked out in the
// background once somebody comes with the same options again; until then
// searches go without.
func (m *metrics) of(o profile.Options, tree bool) weights { return m.at(traveller{options: o}, tree) }

func (m *metrics) at(who traveller, tree bool) weights {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clock++
	k, known := m.kept[who]
	if !known {
		k = m.begin(who)
		m.makeRoom()
		m.kept[who] = k
	}
	k.used = m.clock
	if k.weights.hierarchy != nil && (!tree || k.weights.Metric != nil) {
		return k.weights
	}
	if k.asked++; k.asked > 1 && !k.working {
		select {
		case m.work <- struct{}{}:
			k.working = true
			go m.make(k, k.weights)
		default: // all places are taken: perhaps the next time
		}
	}
	return k.weights
}

// begin gives what is at hand for a traveller who was not here before.
func (m *metrics) begin(who traveller) *kept {
	opens := m.opensTo(who)
	k := &kept{weights: weights{Weights: search.Weights{Costing: profile.NewOpen(m.g, who.options, opens)}}}
	if len(opens) == 0 {
		k.weights.hierarchy = m.usual[who.options]
	}
	return k
}

// opensTo gives the edges that count as open to a traveller though the law
// closes them. What opens to walkers need not to wheelchairs.
func (m *metrics) opensTo(who traveller) map[uint32]bool {
	if !who.open || who.options.Wheelchair {
		return nil
	}
	return m.opens[who.options.Kind]()
}

// bound gives a metric at or below the costs of a traveller, ok is false where
// there is none.
func (m *metrics) bound(who traveller, w weights) (b cch.Bound, ok bool) {
	if w.hierarchy != nil {
		return cch.OfCosting(w.Costing, w.hierarchy), true
	}
	kind := who.options.Kind
	if usual := profile.Default(kind); who.options.AtLeast(usual) && len(m.opensTo(who)) == 0 {
		if h := m.usual[usual]; h != nil {
			return cch.OfCosting(m.of(usual, false).Costing, h), true
		}
	}
	least := m.least[kind]()
	scale, ok := least.Bounds(&who.options)
	if !ok || m.bounds[kind] == nil {
		return cch.Bound{}, false
	}
	return cch.OfLeast(least, m.bounds[kind], scale), true
}

// make works out what a traveller's weights lack.
func (m *metrics) make(k *kept, w weights) {
	defer func() { <-m.work }()
	done, ok := m.use()
	if !ok {
		return
	}
	defer done()
	if w.Metric == nil {
		w.Metric = w.Costing.Metric(m.index())
	}
	if w.hierarchy == nil {
		w.hierarchy = m.topology.Customise(m.g, w.Costing, w.Metric)
	}
	m.mu.Lock()
	k.weights, k.working = w, false
	m.mu.Unlock()
}

// makeRoom forgets the options that were used longest ago.
func (m *metrics) makeRoom() {
	if len(m.kept) < keptMetrics {
		return
	}
	var oldest traveller
	least := m.clock + 1
	for o, k := range m.kept {
		if k.used < least {
			oldest, least = o, k.used
		}
	}
	delete(m.kept, oldest)
}
