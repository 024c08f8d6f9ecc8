package cch

import (
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/sparse"
)

// Bound is a metric whose costs, scaled, are at or below those that some search
// minimises, for every edge and every turn.
type Bound struct {
	Metric *Metric
	// The costs of edges and turns that the metric was made of, or
	// profile.Forbidden, and the edge that a turn leads to.
	Edge   func(e graph.Edge) uint32
	Turn   func(e, f graph.Edge) uint32
	Follow func(e, f graph.Edge) (to graph.Edge, ok bool)
	Scale  float64 // above 0 and at most 1
}

// OfCosting is the bound by a costing with its metric, scaled.
func OfCosting(c *profile.Costing, m *Metric, scale float64) Bound {
	return Bound{Metric: m, Edge: c.EdgeAtEnd, Turn: func(e, f graph.Edge) uint32 { return c.Turn(e, f).Cost }, Follow: c.Follow, Scale: scale}
}

// OfLowerBound is the bound by the lower bound of a costing with its metric,
// scaled.
func OfLowerBound(l *profile.LowerBound, m *Metric, scale float64) Bound {
	return Bound{Metric: m, Edge: l.Edge, Turn: l.Turn, Follow: l.Follow, Scale: scale}
}

// Potential gives A* its lower bounds: the exact costs to the targets in the
// metric of a bound, worked out for an edge when the search first asks for it
// (CH-Potentials: Strasser and Zeitz, "A Fast and Tight Heuristic for A* in Road
// Networks", 2021). For one goroutine at a time, to be used again and again on the
// same topology.
type Potential struct {
	t       *Topology
	g       *graph.Graph
	b       Bound
	scale   uint64 // that of b, with search.FineBits more
	back    bool
	targets side                 // the search up from the places that A* goes towards
	value   sparse.Table[uint64] // by rank: the cost less valueBase, 0 where it is not known
	stack   []Rank
}

// valueBase is a cost that no path has.
const valueBase = Unreached - 1

// NewPotential gives a potential over a topology.
func NewPotential(t *Topology) *Potential { return &Potential{t: t} }

func (p *Potential) begin(g *graph.Graph, b Bound, back bool) {
	p.value.Reset()
	p.g, p.b, p.back = g, b, back
	p.scale = uint64(b.Scale * (1 << search.FineBits))
	p.targets.reset()
}

// To sets the targets of a search from the start: Rest then bounds the cost from
// the end of an edge to any of them.
func (p *Potential) To(b Bound, g *graph.Graph, to []search.End) {
	p.begin(g, b, false)
	for _, t := range to {
		edge := b.Edge(t.Edge)
		if edge == profile.Forbidden {
			edge = 0
		}
		rest := uint64(float64(edge)*t.Along) + uint64(t.Extra)
		n := g.Tail[t.Edge]
		before := func(e graph.Edge) {
			turn := b.Turn(g.Original(e), t.Edge)
			if _, ok := b.Follow(e, t.Edge); ok && turn != profile.Forbidden {
				p.targets.addSource(p.t.Rank[e], uint64(turn)+rest)
			}
		}
		for out := g.FirstOut[n]; out < g.FirstOut[n+1]; out++ {
			before(g.Opposite[out])
		}
		for _, e := range g.Copies[g.CopyAt[n]:g.CopyAt[n+1]] {
			before(e)
		}
	}
	p.targets.searchUp(p.t, &b.Metric.backward, Unreached, nil)
}

// From sets the targets of a search from the end, which goes towards the start of
// paths: Rest then bounds the cost from any of them to the start of an edge.
func (p *Potential) From(b Bound, g *graph.Graph, from []search.End) {
	p.begin(g, b, true)
	for _, s := range from {
		edge := b.Edge(s.Edge)
		if edge == profile.Forbidden {
			edge = 0
		}
		begun := uint64(float64(edge)*(1-s.Along)) + uint64(s.Extra)
		n := g.Head[s.Edge]
		for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
			turn, edge := b.Turn(s.Edge, f), b.Edge(f)
			if next, ok := b.Follow(s.Edge, f); ok && turn != profile.Forbidden && edge != profile.Forbidden {
				p.targets.addSource(p.t.Rank[next], begun+uint64(turn)+uint64(edge))
			}
		}
	}
	p.targets.searchUp(p.t, &b.Metric.forward, Unreached, nil)
}

// Rest is the lower bound for an edge, search.Unreachable where there is no path.
func (p *Potential) Rest(e graph.Edge) uint64 {
	if rest := p.Fine(e); rest != search.Unreachable {
		return rest >> search.FineBits
	}
	return search.Unreachable
}

// Fine is Rest, not rounded, with search.FineBits more.
func (p *Potential) Fine(e graph.Edge) uint64 {
	cost := p.exact(p.t.Rank[e])
	if cost == Unreached {
		return search.Unreachable
	}
	if p.back {
		// The metric counts the edge itself, which a search from the end has
		// counted already.
		cost -= min(cost, uint64(p.b.Edge(p.g.Original(e))))
	}
	return cost * p.scale
}

// exact is the cost between a rank and the targets in the metric: that of the
// targets' search up, or over an arc to a higher rank. All heads of arcs are
// ancestors in the elimination tree, so it works out the costs from the highest
// ancestor without one down to the rank.
func (p *Potential) exact(v Rank) uint64 {
	p.stack = p.stack[:0]
	for u := v; u != graph.None && p.value.Get(uint32(u)) == 0; u = p.t.Parent(u) {
		p.stack = append(p.stack, u)
	}
	w := &p.b.Metric.forward
	if p.back {
		w = &p.b.Metric.backward
	}
	for i := len(p.stack) - 1; i >= 0; i-- {
		u := p.stack[i]
		least := p.targets.costOf(u, int32(p.t.Depth[u]))
		a := p.t.First[u]
		arcs := w.of(u)
		for i := range arcs {
			depth, weight := w.open(arcs[i])
			for p.t.Depth[p.t.Head[a]] != depth {
				a++
			}
			if above := p.value.Get(uint32(p.t.Head[a])) + valueBase; above != Unreached {
				least = min(least, above+uint64(weight))
			}
		}
		*p.value.At(uint32(u)) = least - valueBase
	}
	return p.value.Get(uint32(v)) + valueBase
}
