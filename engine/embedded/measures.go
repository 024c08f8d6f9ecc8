package embedded

import (
	"context"
	"sync"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/road/cch"
)

// keptMeasures is how many metrics an engine keeps the measures of. They take
// as much memory as the metrics.
const keptMeasures = 8

// measures keeps the times and lengths of the arcs of metrics that matrices
// and isochrones were asked for. Each is worked out when it is first needed.
type measures struct {
	topology *cch.Topology
	use      func() (done func(), ok bool) // keeps the region open while at work
	mu       sync.Mutex
	kept     map[*cch.Metric]*measured
	clock    int64
}

type measured struct {
	ready chan struct{} // closed once it is there, or came to nothing
	got   *cch.Measures // nil where the region was closed
	used  int64
}

func newMeasures(t *cch.Topology, use func() (func(), bool)) *measures {
	return &measures{topology: t, use: use, kept: map[*cch.Metric]*measured{}}
}

// of gives the measures of a traveller's metric, which must be there. It waits
// for them no longer than the context lasts; they are worked out all the same.
func (m *measures) of(ctx context.Context, w weights) (*cch.Measures, error) {
	k, begin := m.entry(w)
	if begin {
		go m.make(k, w)
	}
	select {
	case <-k.ready:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if k.got == nil {
		return nil, fault.New(fault.UpstreamUnavailable, "the region is being replaced; try again").With("retry_after", 1)
	}
	return k.got, nil
}

// entry gives a metric's place among those kept; begin where it is new.
func (m *measures) entry(w weights) (k *measured, begin bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clock++
	k, known := m.kept[w.hierarchy]
	if !known {
		m.makeRoom()
		k = &measured{ready: make(chan struct{})}
		m.kept[w.hierarchy] = k
	}
	k.used = m.clock
	return k, !known
}

func (m *measures) make(k *measured, w weights) {
	defer close(k.ready)
	done, ok := m.use()
	if !ok {
		return
	}
	defer done()
	k.got = m.topology.Measure(w.Costing, w.hierarchy)
}

// makeRoom forgets the measures that were used longest ago.
func (m *measures) makeRoom() {
	if len(m.kept) < keptMeasures {
		return
	}
	var oldest *cch.Metric
	least := m.clock + 1
	for metric, k := range m.kept {
		if k.used < least {
			oldest, least = metric, k.used
		}
	}
	delete(m.kept, oldest)
}
