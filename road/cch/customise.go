package cch

import (
	"cmp"
	"context"
	"errors"
	"math/bits"
	"slices"

	"github.com/waygate/waygate/road/cch/searchgraph"
	"github.com/waygate/waygate/road/graph"
)

// pieceRanks is how many ranks customisation works on at a time. A region of up to as
// many is one piece. Of 2^15 to 2^18 this is the quickest.
const pieceRanks = 1 << 17

// customiser computes metrics, one after the other, each piece by piece. It keeps the labels
// of one subtree at a time, beside those of the ranks above all subtrees, which are few. The
// ranks above need the costs of crossing each subtree, and each subtree needs the costs
// above it, so the labels of a subtree are computed twice; they are still faster to compute,
// because they lie close together in memory.
type customiser struct {
	t          *Topology
	parts      parts
	top, piece piece
	into       []turnInto // by arc
}

// turnInto is a turn between a rank above all subtrees and one in a subtree.
type turnInto struct {
	arc  Arc
	down bool
	cost uint32
}

func newCustomiser(t *Topology, most uint32) *customiser {
	return &customiser{t: t, parts: t.subtrees(most)}
}

// customise computes the metric of turns, and the cache that the next metric can use. last
// is the cache of a metric whose turns cost the same except in the subtrees that changed
// names: the arcs of the other subtrees are copied from it if the costs above them are the
// same. If last is nil, everything is computed.
func (x *customiser) customise(ctx context.Context, of turner, last *PieceCache, changed []bool) (*PieceCache, error) {
	x.beginTop(ctx, of)
	kept := &PieceCache{pieces: make([]cachedPiece, len(x.parts.subtrees))}
	for i, s := range x.parts.subtrees {
		switch {
		case last != nil && !changed[i]:
			kept.pieces[i] = last.pieces[i]
			kept.pieces[i].raise(&x.top)
		case x.t.Parent(s.to-1) != graph.None:
			x.begin(ctx, of, s)
			x.piece.basic(ctx, len(x.piece.rank))
			x.raise()
			kept.pieces[i] = x.meeting()
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	x.top.basic(ctx, x.top.own)
	x.top.split()
	x.top.perfect(ctx)
	m := &Metric{searchgraph.New(len(x.t.Edge), 0), searchgraph.New(len(x.t.Edge), 0)}
	w := writer{t: x.t, m: m}
	above := 0 // how many numbers above all subtrees have been put
	putAbove := func(before Rank) {
		to := above
		for to < x.top.own && x.top.rank[to] < before {
			to++
		}
		w.put(ctx, &x.top, above, to)
		above = to
	}
	for i, s := range x.parts.subtrees {
		putAbove(s.from)
		if other := kept.pieces[i].borrow(&x.top); last != nil && !changed[i] && !other {
			w.copy(ctx, last.metric, s)
		} else {
			x.begin(ctx, of, s)
			x.piece.basic(ctx, x.piece.own)
			x.piece.split()
			x.lend()
			x.piece.perfect(ctx)
			w.put(ctx, &x.piece, 0, x.piece.own)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	putAbove(Rank(len(x.t.Edge)))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	kept.metric = m
	return kept, errors.Join(m.forward.Trim(), m.backward.Trim())
}

// beginTop applies the costs of turns to the arcs above all subtrees, and keeps those of
// turns from there into subtrees until these are computed.
func (x *customiser) beginTop(ctx context.Context, of turner) {
	x.top.loadAbove(ctx, x.t, x.parts.top)
	x.into = x.into[:0]
	for _, s := range x.parts.top {
		of.turns(ctx, s, func(low Rank, a Arc, down bool, cost uint32) {
			if n, is := slices.BinarySearch(x.top.rank, low); is {
				x.top.turn(x.top.first[n]+a-x.t.First[low], down, cost)
			} else {
				x.into = append(x.into, turnInto{a, down, cost})
			}
		})
	}
	slices.SortFunc(x.into, func(a, b turnInto) int { return cmp.Compare(a.arc, b.arc) })
}

// begin loads a subtree and applies the costs of turns to it. Each turn is an arc of the
// lower of its two ranks, so turns that begin in the subtree have their arc here.
func (x *customiser) begin(ctx context.Context, of turner, s stretch) {
	p, first, end := &x.piece, x.t.First[s.from], x.t.First[s.to]
	p.load(ctx, x.t, s)
	of.turns(ctx, s, func(_ Rank, a Arc, down bool, cost uint32) { p.turn(a-first, down, cost) })
	i, _ := slices.BinarySearchFunc(x.into, first, func(t turnInto, a Arc) int { return cmp.Compare(t.arc, a) })
	for ; i < len(x.into) && x.into[i].arc < end; i++ {
		p.turn(x.into[i].arc-first, x.into[i].down, x.into[i].cost)
	}
}

// inTop yields, for each ancestor of the piece, its number in the piece, the numbers of its
// arcs there, and the number of the first of these arcs among those above all subtrees.
func (x *customiser) inTop(yield func(number int, from, to, first Arc)) {
	p, n := &x.piece, 0
	for i, v := range p.rank[p.own:] {
		at, _ := slices.BinarySearch(x.top.rank[n:], v)
		n += at
		yield(p.own+i, p.first[p.own+i], p.first[p.own+i+1], x.top.first[n])
	}
}

// raise lowers the labels above all subtrees to those of the paths over the piece.
func (x *customiser) raise() {
	p, top := &x.piece, &x.top
	x.inTop(func(_ int, from, to, first Arc) {
		for a := from; a < to; a, first = a+1, first+1 {
			top.up[first], top.down[first] = min(top.up[first], p.up[a]), min(top.down[first], p.down[a])
		}
	})
}

// lend copies the costs of the arcs above the piece into it.
func (x *customiser) lend() {
	x.inTop(func(_ int, from, to, first Arc) { copy(x.piece.costs[from:to], x.top.costs[first:]) })
}

// writer appends the arcs of pieces to a metric, in the order of their ranks. It leaves out
// arcs whose path over lower ranks is not a cheapest one, because no search needs them.
type writer struct {
	t        *Topology
	m        *Metric
	up, down int // arcs put
}

// put appends the arcs of a range of a piece's numbers.
func (w *writer) put(ctx context.Context, p *piece, from, to int) {
	if from == to {
		return
	}
	t, m := w.t, w.m
	up, down := 0, 0
	for a := p.first[from]; a < p.first[to]; a++ {
		up += searchgraph.IsCheapest(p.costs[a].up, p.vias[a].up)
		down += searchgraph.IsCheapest(p.costs[a].down, p.vias[a].down)
	}
	some, all := p.rank[to-1]+1, Rank(len(t.Edge))
	m.forward.Reserve(w.up+up, some, all)
	m.backward.Reserve(w.down+down, some, all)
	for n := from; n < to; n++ {
		v, a := p.rank[n], p.first[n]
		for _, depth := range t.above(v) {
			depth, cost, via := uint32(depth), p.costs[a], p.vias[a]
			w.up += m.forward.SetArc(w.up, v, depth, cost.up, via.up)
			w.down += m.backward.SetArc(w.down, v, depth, cost.down, via.down)
			a++
		}
		m.forward.End(v, w.up)
		m.backward.End(v, w.down)
		p.look(ctx, 2*int(a-p.first[n]))
	}
}

// copy appends the arcs of a range of ranks of another metric.
func (w *writer) copy(ctx context.Context, of *Metric, s stretch) {
	done := 0
	for i, to := range w.m.directions() {
		from, n := of.directions()[i], &w.up
		if i == 1 {
			n = &w.down
		}
		first, _ := from.Span(s.from)
		_, end := from.Span(s.to - 1)
		to.Reserve(*n+int(end-first), s.to, Rank(len(w.t.Edge)))
		for v := s.from; v < s.to; v++ {
			at, end := from.Span(v)
			for ; at < end; at++ {
				if arc, via := from.Arcs[at], from.Via[at]; arc < searchgraph.WideFrom && via != searchgraph.FarBelow {
					to.Arcs[*n], to.Via[*n] = arc, via
					*n++
					continue
				}
				depth, cost := from.Open(from.Arcs[at])
				*n += to.SetArc(*n, v, depth, cost, from.Middle(v, at))
			}
			to.End(v, *n)
			if done++; done%4096 == 0 && ctx.Err() != nil {
				return
			}
		}
	}
}

// WorkingBytes returns roughly the memory that the computation of a metric takes besides the
// finished metric.
func (t *Topology) WorkingBytes() int64 { return t.workingBytes(pieceRanks) }

func (t *Topology) workingBytes(mostRanks uint32) int64 {
	p := t.subtrees(mostRanks)
	ranks, arcs := 0, 0
	for _, s := range p.top {
		ranks, arcs = ranks+int(s.to-s.from), arcs+int(t.First[s.to]-t.First[s.from])
	}
	own, most := 0, 0
	for _, s := range p.subtrees {
		own, most = max(own, int(s.to-s.from)), max(most, int(t.First[s.to]-t.First[s.from]))
	}
	// Ancestors of a piece are among those above.
	return pieceArcBytes*int64(2*arcs+most) + pieceRankBytes*int64(2*ranks+own)
}

// Bytes of a piece for each of its arcs and ranks.
const pieceArcBytes, pieceRankBytes = 8 + 8 + 4, 6 * 4

// turner yields the costs of turns.
type turner interface {
	// turns calls put for each allowed turn from an edge of a range of ranks: with the lower
	// of its two ranks, the arc between them, and whether the turn leads down that arc. It
	// stops when its context ends.
	turns(ctx context.Context, of stretch, put func(low Rank, a Arc, down bool, cost uint32))
}

// inOrderOfEdges calls do for the edges of a range of ranks, in ascending order, until do
// returns false: the edges lie close together in the graph, as their ranks do in the tree.
// first is the number of the first turn from an edge. marked has a bit for each edge, in
// words of turnEdges bits, all of them clear.
func (t *Topology) inOrderOfEdges(g *graph.Graph, s stretch, marked []uint64, do func(e graph.Edge, first int) bool) {
	low, high := len(marked), 0
	for v := s.from; v < s.to; v++ {
		at := int(t.Edge[v] / turnEdges)
		marked[at] |= 1 << (t.Edge[v] % turnEdges)
		low, high = min(low, at), max(high, at)
	}
	on := true
	for at := low; at <= high; at++ {
		word := marked[at]
		if marked[at] = 0; word == 0 || !on {
			continue
		}
		e, first := graph.Edge(at*turnEdges), int(t.TurnAt[at])
		for ; word != 0 && on; word &= word - 1 {
			for next := graph.Edge(at*turnEdges + bits.TrailingZeros64(word)); e < next; e++ {
				n := g.ByEdge[e].Head
				first += int(g.FirstOut[n+1] - g.FirstOut[n])
			}
			on = do(e, first)
		}
	}
}
