package cch

import (
	"slices"

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
	Scale  float64 // 0 to 1
	// With is added to it, so that both together are at or below the costs; nil is
	// nothing. It has none itself.
	With *Bound
}

// OfCosting returns the bound by a costing with its metric, scaled.
func OfCosting(c *profile.Costing, m *Metric, scale float64) Bound {
	return Bound{Metric: m, Edge: c.EdgeAtEnd, Turn: func(e, f graph.Edge) uint32 { return c.Turn(e, f).Cost }, Follow: c.Follow, Scale: scale}
}

// OfLowerBound returns the bound by the lower bound of a costing with its metric, scaled.
func OfLowerBound(l *profile.LowerBound, m *Metric, scale float64) Bound {
	return Bound{Metric: m, Edge: l.Edge, Turn: l.Turn, Follow: l.Follow, Scale: scale}
}

// Potential computes lower bounds for A*: the exact costs to the targets in the metric of a
// bound, computed for an edge when the search first needs them (CH-Potentials: Strasser and
// Zeitz, "A Fast and Tight Heuristic for A* in Road Networks", 2021). A sum of bounds is a
// bound too, and as consistent. A Potential is for one goroutine at a time and can be reused
// on the same topology.
type Potential struct {
	t     *Topology
	g     *graph.Graph
	back  bool
	all   [len(costsOf{})]term
	terms []term                // the terms in use
	value sparse.Table[costsOf] // by rank
	stack []Rank
	// path are the ancestors of the rank worked out last and that itself, and at their
	// values, by depth: where all arcs of ranks below lead.
	path []Rank
	at   []costsOf
}

// term is one bound of a sum.
type term struct {
	b       Bound
	scale   uint64 // that of b, with search.FineBits more
	targets side   // the search up from the places that A* goes towards
}

// costsOf are the costs of a rank by each term, less valueBase: 0 where they are not known.
type costsOf [2]uint64

// valueBase is a cost that no path has.
const valueBase = Unreached - 1

// NewPotential returns a potential over a topology.
func NewPotential(t *Topology) *Potential {
	return &Potential{t: t}
}

func (p *Potential) begin(g *graph.Graph, b Bound, back bool) {
	p.value.Reset()
	p.g, p.back = g, back
	p.path, p.at = p.path[:0], p.at[:0]
	p.terms = p.all[:1]
	p.all[0].begin(b)
	if b.With != nil {
		p.terms = p.all[:2]
		p.all[1].begin(*b.With)
	}
}

func (x *term) begin(b Bound) {
	x.b, x.scale = b, uint64(b.Scale*(1<<search.FineBits))
	x.targets.reset()
}

// To sets the targets of a search from the start: LowerBound then bounds the cost from
// the end of an edge to any of them.
func (p *Potential) To(b Bound, g *graph.Graph, to []search.End) {
	p.begin(g, b, false)
	for i := range p.terms {
		p.terms[i].to(p.t, g, to)
	}
}

func (x *term) to(top *Topology, g *graph.Graph, to []search.End) {
	b := &x.b
	for _, t := range to {
		edge := b.Edge(t.Edge)
		if edge == profile.Forbidden {
			edge = 0
		}
		rest := uint64(float64(edge)*t.Along) + uint64(t.Extra)
		g.EachPredecessor(t.Edge, func(e graph.Edge) {
			turn := b.Turn(g.Original(e), t.Edge)
			if _, ok := b.Follow(e, t.Edge); ok && turn != profile.Forbidden {
				x.targets.addSource(top.Rank[e], uint64(turn)+rest)
			}
		})
	}
	x.targets.searchUp(top, &b.Metric.backward, Unreached, nil)
}

// From sets the targets of a search from the end, which goes towards the start of
// paths: LowerBound then bounds the cost from any of them to the start of an edge.
func (p *Potential) From(b Bound, g *graph.Graph, from []search.End) {
	p.begin(g, b, true)
	for i := range p.terms {
		p.terms[i].from(p.t, g, from)
	}
}

func (x *term) from(top *Topology, g *graph.Graph, from []search.End) {
	b := &x.b
	for _, s := range from {
		edge := b.Edge(s.Edge)
		if edge == profile.Forbidden {
			edge = 0
		}
		begun := uint64(float64(edge)*(1-s.Along)) + uint64(s.Extra)
		n := g.ByEdge[s.Edge].Head
		for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
			turn, edge := b.Turn(s.Edge, f), b.Edge(f)
			if next, ok := b.Follow(s.Edge, f); ok && turn != profile.Forbidden && edge != profile.Forbidden {
				x.targets.addSource(top.Rank[next], begun+uint64(turn)+uint64(edge))
			}
		}
	}
	x.targets.searchUp(top, &b.Metric.forward, Unreached, nil)
}

// LowerBound returns the lower bound for an edge, search.Unreachable where there is no path.
func (p *Potential) LowerBound(e graph.Edge) uint64 {
	if rest := p.FineLowerBound(e); rest != search.Unreachable {
		return rest >> search.FineBits
	}
	return search.Unreachable
}

// FineLowerBound returns LowerBound with search.FineBits more bits, not rounded.
func (p *Potential) FineLowerBound(e graph.Edge) uint64 {
	sum, all := uint64(0), p.exact(p.t.Rank[e])
	for i := range p.terms {
		x := &p.terms[i]
		cost := all[i] + valueBase
		if cost == Unreached {
			return search.Unreachable
		}
		if p.back {
			// The metric counts the edge itself, which a search from the end has
			// counted already.
			cost -= min(cost, uint64(x.b.Edge(p.g.Original(e))))
		}
		sum += cost * x.scale
	}
	return sum
}

// exact returns the costs between a rank and the targets in the metrics: by the targets'
// upward searches, or over an arc to a higher rank. All heads of arcs are ancestors in the
// elimination tree, so it computes the costs from the highest ancestor without them down to
// the rank.
func (p *Potential) exact(v Rank) costsOf {
	if known := p.value.Get(uint32(v)); known[0] != 0 {
		return known
	}
	p.stack = p.stack[:0]
	joins := 0
	for u := v; u != graph.None; u = p.t.Parent(u) {
		if d := int(p.t.Depth[u]); d < len(p.path) && p.path[d] == u {
			joins = d + 1
			break
		}
		p.stack = append(p.stack, u)
	}
	p.path, p.at = p.path[:joins], p.at[:joins]
	for _, u := range slices.Backward(p.stack) {
		if int(p.t.Depth[u]) != len(p.path) {
			panic(damaged)
		}
		known := p.value.At(uint32(u))
		if known[0] == 0 {
			for i := range p.terms {
				known[i] = p.terms[i].cost(u, p.at, i, p.back) - valueBase
			}
		}
		p.path, p.at = append(p.path, u), append(p.at, *known)
	}
	return p.at[len(p.at)-1]
}

// cost computes the cost of a rank from the values of its ancestors.
func (x *term) cost(u Rank, above []costsOf, i int, back bool) uint64 {
	w := &x.b.Metric.forward
	if back {
		w = &x.b.Metric.backward
	}
	least := x.targets.costOf(u, int32(len(above)))
	for _, a := range w.Of(u) {
		depth, weight := w.Open(a)
		if rest := above[depth][i] + valueBase; rest != Unreached {
			least = min(least, rest+uint64(weight))
		}
	}
	return least
}
