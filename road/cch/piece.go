package cch

import (
	"context"
	"math"
	"slices"
	"unsafe"

	"github.com/waygate/waygate/road/graph"
)

// piece is a part of the hierarchy that customisation computes together: a range of ranks,
// and above them their ancestors, with the arcs of all. They are numbered from 0 in the
// order of their ranks, so that the memory of a piece depends on its size alone and lies
// close together.
type piece struct {
	rank  []Rank   // by number
	own   int      // how many are the piece's own; the others are above
	first []Arc    // by number: where its arcs begin; one more than there are
	head  []uint32 // by arc: the number of its higher end, ascending for each lower one

	up, down []label // by arc, in both directions of travel
	// In the memory of these, once they are split: the costs of each arc together, for
	// what is cheaper over higher ranks, and apart from the ranks that its paths lead over.
	costs []arcCosts
	vias  []arcVias

	lower  lowerNeighbours
	arcTo  []Arc      // by number: the arc from the one at work to it
	path   []uint32   // by depth: the number of an ancestor
	before []arcCosts // the costs before perfect lowered them
	done   int        // arcs looked at since the last look at the context
}

// load fills a piece with ranks that follow one another and their ancestors. All ancestors
// that are not among the ranks must be ancestors of the last one.
func (p *piece) load(ctx context.Context, t *Topology, s stretch) {
	p.rank = p.rank[:0]
	for v := s.from; v < s.to; v++ {
		p.rank = append(p.rank, v)
	}
	p.own = len(p.rank)
	for v := t.Parent(s.to - 1); v != graph.None; v = t.Parent(v) {
		p.rank = append(p.rank, v)
	}
	p.numberArcs(ctx, t)
}

// loadAbove fills a piece with the ranks above all subtrees, which include all their
// ancestors.
func (p *piece) loadAbove(ctx context.Context, t *Topology, top []stretch) {
	p.rank = p.rank[:0]
	for _, s := range top {
		for v := s.from; v < s.to; v++ {
			p.rank = append(p.rank, v)
		}
	}
	p.own = len(p.rank)
	p.numberArcs(ctx, t)
}

// numberArcs numbers the arcs of the ranks of a piece and clears their labels.
func (p *piece) numberArcs(ctx context.Context, t *Topology) {
	ranks, arcs := len(p.rank), Arc(0)
	p.first = sized(p.first, ranks+1)
	for n, v := range p.rank {
		p.first[n] = arcs
		arcs += Arc(len(t.above(v)))
		if int(arcs) > len(t.Above) { // no rank has arcs of another
			panic(damaged)
		}
	}
	p.first[ranks] = arcs
	p.head, p.up, p.down = sized(p.head, int(arcs)), sized(p.up, int(arcs)), sized(p.down, int(arcs))
	fill(p.up, unlabelled)
	fill(p.down, unlabelled)
	p.lower.first = sized(p.lower.first, ranks)
	fill(p.lower.first, nobody)
	p.lower.next, p.lower.arc, p.arcTo = sized(p.lower.next, ranks), sized(p.lower.arc, ranks), sized(p.arcTo, ranks)
	// Descending, the ancestors of a rank are those come to last at each depth.
	p.path = p.path[:0]
	for n, v := range slices.Backward(p.rank) {
		at := p.head[p.first[n]:p.first[n+1]]
		for i, depth := range t.above(v) {
			at[i] = p.path[depth]
		}
		p.path = append(p.path[:t.Depth[v]], uint32(n))
		p.look(ctx, len(at))
	}
}

// sized returns a slice of n elements of any content, in the memory of another slice if that
// is large enough.
func sized[T any](in []T, n int) []T {
	if cap(in) < n {
		return make([]T, n)
	}
	return in[:n]
}

func fill[T any](list []T, with T) {
	for i := range list {
		list[i] = with
	}
}

// turn lowers the label of an arc, in the direction of a turn, to the turn's cost.
func (p *piece) turn(a Arc, down bool, cost uint32) {
	to := p.up
	if down {
		to = p.down
	}
	to[a] = min(to[a], labelVia(graph.None, uint64(cost)))
}

// look counts arcs that were looked at and, every lookEvery arcs, reports whether the
// context has ended. It counts arcs because one rank of a dense hierarchy takes as long as
// many others.
func (p *piece) look(ctx context.Context, arcs int) bool {
	if p.done += 1 + arcs; p.done <= lookEvery {
		return false
	}
	p.done = 0
	return ctx.Err() != nil
}

// basic lowers every arc below a number to the cheapest path over lower ranks of the piece
// (basic customisation). It works from the lowest rank up, over all triangles whose third
// rank is lower than both ends of the arc.
func (p *piece) basic(ctx context.Context, below int) {
	for v := range uint32(below) {
		arcs := p.head[p.first[v]:p.first[v+1]]
		for i, w := range arcs {
			p.arcTo[w] = p.first[v] + Arc(i)
		}
		looked := len(arcs)
		for u := p.lower.first[v]; u != nobody; {
			uv, next := p.lower.arc[u], p.lower.next[u]
			// The heads of u's arcs after v are neighbours of v too.
			heads := p.head[uv+1 : p.first[u+1]]
			looked += len(heads)
			// Most arcs can be travelled in one direction only.
			if fromV := p.down[uv].cost(); fromV != Never {
				relax(p.up, p.up[uv+1:], heads, p.arcTo, fromV, p.rank[u])
			}
			if toV := p.up[uv].cost(); toV != Never {
				relax(p.down, p.down[uv+1:], heads, p.arcTo, toV, p.rank[u])
			}
			p.wait(u, uv+1)
			u = next
		}
		if int(v) < p.own {
			p.wait(v, p.first[v])
		}
		if p.look(ctx, looked) {
			return
		}
	}
}

// relax lowers the labels of the arcs to heads to those of the paths over rank u. cost is
// that of the path to u or from it, beyond are the labels of u's arcs to heads, and at has
// the arc to lower for each head.
func relax(labels, beyond []label, heads []uint32, at []Arc, cost uint64, u Rank) {
	beyond = beyond[:len(heads)]
	for i, head := range heads {
		a := at[head]
		labels[a] = min(labels[a], labelVia(u, cost+beyond[i].cost()))
	}
}

// lowerNeighbours lists the lower neighbours of one number after the other, from the lowest
// on, each with the arc between the two. A number's arcs are sorted by their heads, so at
// any time it is in the list of the next of these heads.
type lowerNeighbours struct {
	first, next []uint32 // by number: the first of its list, and the next in the list that it is in
	arc         []Arc    // by number: the arc to the head in whose list it is
}

// nobody ends a list of lower neighbours.
const nobody = math.MaxUint32

// wait puts u into the list of the head of one of its arcs, unless it has no more arcs.
func (p *piece) wait(u uint32, arc Arc) {
	if arc == p.first[u+1] {
		return
	}
	w := p.head[arc]
	if w <= u { // no list has a number twice, because heads are higher
		panic(damaged)
	}
	b := &p.lower
	b.arc[u], b.next[u], b.first[w] = arc, b.first[w], u
}

// split puts the labels of the piece's own arcs into the order that perfect needs.
func (p *piece) split() {
	p.costs = unsafe.Slice((*arcCosts)(unsafe.Pointer(unsafe.SliceData(p.up))), len(p.up))
	p.vias = unsafe.Slice((*arcVias)(unsafe.Pointer(unsafe.SliceData(p.down))), len(p.down))
	for a := range p.first[p.own] {
		up, down := p.up[a], p.down[a]
		p.costs[a], p.vias[a] = arcCosts{uint32(up.cost()), uint32(down.cost())}, arcVias{Rank(up), Rank(down)}
	}
}

// perfect lowers the piece's own arcs to the cheapest path of all (perfect customisation).
// It works from the highest rank down, over triangles whose third rank is higher than the
// lower end of the arc. The costs of the arcs above the piece must be final.
func (p *piece) perfect(ctx context.Context) {
	for u := p.own - 1; u >= 0; u-- {
		from, to := p.first[u], p.first[u+1]
		heads, of := p.head[from:to], p.costs[from:to]
		if !slices.ContainsFunc(of, func(c arcCosts) bool { return c != impassable }) {
			continue // no path leads over this rank, nor over higher ones
		}
		p.before = append(p.before[:0], of...)
		looked := 0
		for i, v := range heads {
			first, last := p.first[v], p.first[v+1]
			looked += int(last - first)
			of[i] = relaxTriangles(of[i], heads[i+1:], of[i+1:], p.head[first:last], p.costs[first:last])
		}
		for i, before := range p.before {
			if of[i] == before {
				continue
			}
			via := &p.vias[int(from)+i]
			if of[i].up != before.up {
				via.up = lowered
			}
			if of[i].down != before.down {
				via.down = lowered
			}
		}
		if p.look(ctx, looked) {
			return
		}
	}
}

// relaxTriangles relaxes the triangles of numbers u < v < w, for one u and v and all w in
// heads. uv is the arc between u and v, uw those between u and heads, and vw those between v
// and above, which contains heads. It lowers uw, and returns the lowered uv.
func relaxTriangles(uv arcCosts, heads []uint32, uw []arcCosts, above []uint32, vw []arcCosts) arcCosts {
	uw, vw = uw[:len(heads)], vw[:len(above)]
	at := 0
	for i, w := range heads {
		for above[at] != w {
			at++
		}
		x, y := uw[i], vw[at]
		// From u to v over w and to w over v, each in both directions.
		uv.up = min(uv.up, plus(x.up, y.down))
		uv.down = min(uv.down, plus(y.up, x.down))
		uw[i] = arcCosts{min(x.up, plus(uv.up, y.up)), min(x.down, plus(y.down, uv.down))}
	}
	return uv
}
