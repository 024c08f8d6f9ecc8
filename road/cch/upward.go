package cch

import (
	"cmp"
	"slices"

	"github.com/waygate/waygate/road/cch/searchgraph"
	"github.com/waygate/waygate/road/graph"
)

// side is the search from one end. What it visits are the ancestors of its sources,
// and each source has one at every depth. So visits are kept by depth: those of a
// source up to where the path of another goes on are a branch.
type side struct {
	sources  []source
	branches []branch
	ended    []int32 // branches, each before the one it ends at
	visits   []visit // by place
	kept     int     // visits of searches before, which stay
	frontier []climber
}

// source is a rank at which paths begin, at a cost so far.
type source struct {
	rank Rank
	cost uint64
}

// visit is a rank visited.
type visit struct {
	cost   uint64    // Unreached where no path leads to it
	parent rankIndex // of the rank that the path comes from, none of a source
	rank   Rank
}

// rankIndex is a place in a list of ranks.
type rankIndex uint32

const none = graph.None

// branch is the way up from a source's rank to one below depth above, where the
// branch into goes on. Its visit at a depth has the place base plus that depth.
type branch struct {
	bottom      Rank
	depth       int32 // of bottom
	above, into int32 // -1 of a branch that ends with a root
	base        int32
}

// climber is how far a branch has been followed.
type climber struct {
	rank   Rank
	branch int32
}

func (s *side) reset() { s.sources = s.sources[:0] }

func (s *side) addSource(v Rank, cost uint64) { s.sources = append(s.sources, source{v, cost}) }

// searchUp relaxes the arcs of the sources and all their ancestors in the elimination tree,
// each after its descendants. meet, unless nil, is called with each rank, its depth and its
// cost, and returns the cost from which on paths are of no use.
func (s *side) searchUp(t *Topology, w *searchgraph.Graph, limit uint64, meet func(v Rank, depth int32, cost uint64) uint64) {
	s.begin(t)
	for _, i := range s.ended {
		b := &s.branches[i]
		v, visits, base, above := b.bottom, s.visits, b.base, b.above
		for d := b.depth; d > above; d-- {
			at := base + d
			here := &visits[at]
			here.rank = v
			if cost := here.cost; cost < limit {
				if meet != nil {
					limit = meet(v, d, cost)
				}
				first, end := w.Span(v) // as w.of, which is too long to be compiled in place
				arcs := w.Arcs[first:end]
				for i := range arcs {
					depth, weight := w.Open(arcs[i])
					to := base + int32(depth)
					if int32(depth) <= above {
						to = s.beyond(b, int32(depth))
					}
					if c := cost + uint64(weight); c < visits[to].cost {
						visits[to].cost, visits[to].parent = c, rankIndex(at)
					}
				}
			}
			v = t.Parent(v)
		}
	}
}

// beyond returns the place at a depth at which another branch goes on.
func (s *side) beyond(b *branch, depth int32) int32 {
	for depth <= b.above {
		b = &s.branches[b.into]
	}
	return b.base + depth
}

// begin makes the branches of the sources and their visits, of which only those of the
// sources have a cost.
func (s *side) begin(t *Topology) {
	if len(s.sources) > 1 {
		slices.SortFunc(s.sources, func(a, b source) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.cost, b.cost)) })
		s.sources = slices.CompactFunc(s.sources, func(a, b source) bool { return a.rank == b.rank })
	}
	s.branches, s.ended, s.frontier = s.branches[:0], s.ended[:0], s.frontier[:0]
	for i, x := range s.sources {
		s.branches = append(s.branches, branch{bottom: x.rank, depth: t.depth(x.rank), above: -1, into: -1})
		s.frontier = append(s.frontier, climber{x.rank, int32(i)})
	}
	s.join(t)
	n := int32(s.kept)
	for i := range s.branches {
		b := &s.branches[i]
		b.base = n - b.above - 1
		n += b.depth - b.above
	}
	s.visits = slices.Grow(s.visits[:s.kept], int(n)-s.kept)[:n]
	for i := s.kept; i < int(n); i++ {
		s.visits[i] = visit{cost: Unreached, parent: none}
	}
	for i, x := range s.sources {
		s.visits[s.branches[i].base+s.branches[i].depth].cost = x.cost
	}
}

// join finds where the branches end: the lowest is followed until it meets another, for as
// long as there are several.
func (s *side) join(t *Topology) {
	at := s.frontier
	for len(at) > 1 {
		low := 0
		for i := range at {
			if at[i].rank < at[low].rank {
				low = i
			}
		}
		p := t.Parent(at[low].rank)
		other := slices.IndexFunc(at, func(x climber) bool { return x.rank == p })
		if p != graph.None && other < 0 {
			at[low].rank = p
			continue
		}
		if other >= 0 {
			b := &s.branches[at[low].branch]
			b.above, b.into = t.depth(p), at[other].branch
		}
		s.ended = append(s.ended, at[low].branch)
		at[low] = at[len(at)-1]
		at = at[:len(at)-1]
	}
	for _, x := range at {
		s.ended = append(s.ended, x.branch)
	}
}

// find returns the place of the visit of a rank at its depth; ok is false where it has
// none.
func (s *side) find(v Rank, depth int32) (at rankIndex, ok bool) {
	for i := len(s.ended) - 1; i >= 0; i-- { // the last one leads to a root
		b := &s.branches[s.ended[i]]
		if depth > b.above && depth <= b.depth && s.visits[b.base+depth].rank == v {
			return rankIndex(b.base + depth), true
		}
	}
	return none, false
}

// costOf returns the cost of a rank at its depth, Unreached where no path leads to it.
func (s *side) costOf(v Rank, depth int32) uint64 {
	if at, ok := s.find(v, depth); ok {
		return s.visits[at].cost
	}
	return Unreached
}

// places yields the places of all visits, a parent before its children.
func (s *side) places(yield func(at rankIndex) bool) {
	for _, i := range s.ended {
		b := &s.branches[i]
		for d := b.depth; d > b.above; d-- {
			if !yield(rankIndex(b.base + d)) {
				return
			}
		}
	}
}
