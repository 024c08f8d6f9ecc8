package cch

import (
	"context"
	"slices"

	"github.com/waygate/waygate/road/graph"
)

// PieceCache is kept of a metric for the next one, whose turns cost the same except for
// some: the costs between the pieces of the hierarchy and the ranks above them. It is
// immutable.
type PieceCache struct {
	metric *Metric
	pieces []cachedPiece // by subtree
}

// cachedPiece has the costs between a piece and the rest. A path enters and leaves the piece
// over the ancestors that its arcs lead to, some 40 in a country, so only the arcs between
// these ancestors matter.
type cachedPiece struct {
	arcs     []Arc      // between these ancestors, by their numbers above all subtrees
	up, down []label    // of paths over the piece
	lent     []arcCosts // of any path
}

// Bytes returns the memory that the cache takes besides its metric.
func (k *PieceCache) Bytes() int64 {
	n := 0
	for i := range k.pieces {
		n += (wordBytes + 3*wideBytes) * cap(k.pieces[i].arcs)
	}
	return int64(n)
}

// CustomiseNext is Customise for a metric that follows another of the same costing. last is
// the cache of that one, or nil, and changed calls its argument for every original edge
// whose cost, or the cost of a turn from or into it, has changed. Its only error is that of
// its context.
func (t *Topology) CustomiseNext(ctx context.Context, g *graph.Graph, c turnFollower, m costs, last *PieceCache, changed func(yield func(graph.Edge))) (*PieceCache, error) {
	x := newCustomiser(t, pieceRanks)
	var touched []bool
	if last != nil {
		touched = x.touched(g, changed)
	}
	return x.customise(ctx, newRespect(t, g, c, m), last, touched)
}

// Metric returns the metric.
func (k *PieceCache) Metric() *Metric { return k.metric }

// touched reports, by subtree, whether it has arcs of turns from or into some originals.
func (x *customiser) touched(g *graph.Graph, changed func(yield func(graph.Edge))) []bool {
	in := make([]bool, len(x.parts.subtrees))
	touch := func(e graph.Edge) {
		v := x.t.Rank[e]
		i, is := slices.BinarySearchFunc(x.parts.subtrees, v, func(s stretch, v Rank) int {
			switch {
			case s.to <= v:
				return -1
			case s.from > v:
				return 1
			}
			return 0
		})
		if is {
			in[i] = true
		}
	}
	around := func(e graph.Edge) {
		touch(e)
		g.EachPredecessor(g.Original(e), touch)
		n := g.ByEdge[e].Head
		for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
			touch(f)
			touch(g.Follow(e, f))
		}
	}
	some := map[graph.Edge]bool{}
	changed(func(e graph.Edge) {
		some[e] = true
		around(e)
	})
	for i, e := range g.CopyOf {
		if some[e] {
			around(g.Base + graph.Edge(i))
		}
	}
	return in
}

// meeting returns the cache of the current piece, after raise.
func (x *customiser) meeting() (k cachedPiece) {
	p := &x.piece
	meets := make([]bool, len(p.rank))
	for _, n := range p.head[:p.first[p.own]] {
		meets[n] = int(n) >= p.own
	}
	x.inTop(func(number int, from, to, first Arc) {
		if !meets[number] {
			return
		}
		for a := from; a < to; a++ {
			if meets[p.head[a]] {
				k.arcs, k.up, k.down = append(k.arcs, first+a-from), append(k.up, p.up[a]), append(k.down, p.down[a])
			}
		}
	})
	k.arcs, k.up, k.down = slices.Clip(k.arcs), slices.Clip(k.up), slices.Clip(k.down)
	return k
}

// raise lowers the arcs above all subtrees to the paths over the piece.
func (k *cachedPiece) raise(top *piece) {
	for i, a := range k.arcs {
		top.up[a], top.down[a] = min(top.up[a], k.up[i]), min(top.down[a], k.down[i])
	}
}

// borrow copies the costs of crossing the ranks above, and reports whether they have
// changed.
func (k *cachedPiece) borrow(top *piece) (other bool) {
	lent := make([]arcCosts, len(k.arcs))
	for i, a := range k.arcs {
		lent[i] = top.costs[a]
	}
	other = !slices.Equal(lent, k.lent)
	k.lent = lent
	return other
}
