package profile

import (
	"context"
	"runtime"

	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/road/graph"
)

// Metric is a costing computed for every edge and turn of a graph: a table that searches
// read.
type Metric struct {
	index *TurnIndex
	edge  []uint32 // by original edge
	turn  []uint32 // by place in the index
	// changed is the costing with an overlay; nil where nothing is changed.
	changed *Costing
}

// TurnIndex numbers the turns of a graph: from each original edge, those into
// the originals that leave its head. All metrics of a graph share one.
type TurnIndex struct {
	g     *graph.Graph
	first []uint32 // by original edge, and one more
}

// NewTurnIndex numbers the turns of a graph.
func NewTurnIndex(g *graph.Graph) *TurnIndex {
	x := &TurnIndex{g: g, first: make([]uint32, g.Base+1)}
	for e := range g.Base {
		n := g.ByEdge[e].Head
		x.first[e+1] = x.first[e] + uint32(g.FirstOut[n+1]-g.FirstOut[n])
	}
	return x
}

// Turns returns the number of turns.
func (x *TurnIndex) Turns() int { return int(x.first[x.g.Base]) }

// Metric computes the costing for the whole graph, on all cores.
func (c *Costing) Metric(x *TurnIndex) *Metric {
	m, _ := c.MetricContext(context.Background(), x) // nothing else can fail
	return m
}

// MetricContext is Metric that ends with its context and returns the context's error.
func (c *Costing) MetricContext(ctx context.Context, x *TurnIndex) (*Metric, error) {
	return x.metric(ctx, c.Edge, func(e, f graph.Edge) uint32 { return c.Turn(e, f).Cost })
}

// metric fills a metric with the costs of every edge and turn.
func (x *TurnIndex) metric(ctx context.Context, edge func(e graph.Edge) uint32, turn func(e, f graph.Edge) uint32) (*Metric, error) {
	g := x.g
	m := &Metric{index: x, edge: make([]uint32, g.Base), turn: make([]uint32, x.Turns())}
	parts := uint32(runtime.GOMAXPROCS(0))
	var all parallel.Group
	for part := range parts {
		from, to := uint64(g.Base)*uint64(part)/uint64(parts), uint64(g.Base)*uint64(part+1)/uint64(parts)
		all.Go(func() {
			for e := graph.Edge(from); e < graph.Edge(to); e++ {
				if e%256 == 0 && ctx.Err() != nil {
					return
				}
				m.edge[e] = edge(e)
				out := g.FirstOut[g.ByEdge[e].Head]
				for i := x.first[e]; i < x.first[e+1]; i++ {
					m.turn[i] = turn(e, out+graph.Edge(i-x.first[e]))
				}
			}
		})
	}
	all.Wait()
	return m, ctx.Err()
}

// Bytes returns the memory that a metric takes, without the index.
func (m *Metric) Bytes() int64 { return 4 * int64(cap(m.edge)+cap(m.turn)) }

// Edge returns Costing.Edge of an original edge.
func (m *Metric) Edge(e graph.Edge) uint32 {
	if m.changed != nil && m.changed.overlay.Changes(e) {
		return m.changed.Edge(e)
	}
	return m.edge[e]
}

// Turn returns the cost of Costing.Turn between two originals.
func (m *Metric) Turn(e, f graph.Edge) uint32 {
	if m.changed != nil {
		if least, slow := m.changed.overlay.TurnSeconds(e, f); slow {
			return m.changed.TurnSlowed(e, f, least).Cost
		}
	}
	g := m.index.g
	return m.turn[m.index.first[e]+uint32(f-g.FirstOut[g.ByEdge[e].Head])]
}
