package embedded

import (
	"sync"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// keptMetrics is how many metrics an engine keeps: the seven costings with
// their usual options, and some that callers come back with.
const keptMetrics = 16

// metrics keeps the metrics of the options that are asked for again and again.
// One that is asked for once is not worth working out.
type metrics struct {
	mu    sync.Mutex
	g     *graph.Graph
	index func() *profile.TurnIndex
	kept  map[profile.Options]*kept
	clock int64
}

type kept struct {
	weights search.Weights
	working bool // somebody is making the metric
	used    int64
}

func newMetrics(g *graph.Graph) *metrics {
	return &metrics{
		g: g, kept: map[profile.Options]*kept{},
		index: sync.OnceValue(func() *profile.TurnIndex { return profile.NewTurnIndex(g) }),
	}
}

// of gives what a search for a traveller minimises. The second who comes with
// the same options works the metric out; others go without until it is there.
func (m *metrics) of(o profile.Options) search.Weights {
	m.mu.Lock()
	m.clock++
	k, known := m.kept[o]
	if !known {
		k = &kept{weights: search.Weights{Costing: profile.New(m.g, o)}, used: m.clock}
		m.makeRoom()
		m.kept[o] = k
	}
	k.used = m.clock
	work := known && k.weights.Metric == nil && !k.working
	k.working = k.working || work
	weights := k.weights
	m.mu.Unlock()
	if !work {
		return weights
	}
	weights.Metric = weights.Costing.Metric(m.index())
	m.mu.Lock()
	k.weights = weights
	m.mu.Unlock()
	return weights
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
