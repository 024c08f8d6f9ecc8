package embedded

import (
	"runtime"
	"sync"

	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
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
	usual    map[profile.Options]*cch.Metric // the region's
	index    func() *profile.TurnIndex
	work     chan struct{}                 // a place for each metric in the making
	use      func() (done func(), ok bool) // keeps the region open for it
	mu       sync.Mutex
	kept     map[profile.Options]*kept
	clock    int64
}

type kept struct {
	weights weights
	asked   int // times that something worked out would have helped
	working bool
	used    int64
}

func newMetrics(g *graph.Graph, t *cch.Topology, usual map[profile.Kind]*cch.Metric, use func() (func(), bool)) *metrics {
	m := &metrics{
		g: g, topology: t, usual: map[profile.Options]*cch.Metric{}, use: use, kept: map[profile.Options]*kept{},
		work:  make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)),
		index: sync.OnceValue(func() *profile.TurnIndex { return profile.NewTurnIndex(g) }),
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
func (m *metrics) of(o profile.Options, tree bool) weights {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clock++
	k, known := m.kept[o]
	if !known {
		k = &kept{weights: weights{Weights: search.Weights{Costing: profile.New(m.g, o)}, hierarchy: m.usual[o]}}
		m.makeRoom()
		m.kept[o] = k
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
	var oldest profile.Options
	least := m.clock + 1
	for o, k := range m.kept {
		if k.used < least {
			oldest, least = o, k.used
		}
	}
	delete(m.kept, oldest)
}
