package cch

import (
	"math"
	"slices"

	"github.com/waygate/waygate/road/cch/searchgraph"
	"github.com/waygate/waygate/road/graph"
)

// afterLeaf marks, in Topology.Tree, that a rank has no descendants.
const afterLeaf = 1 << 31

// Size returns the number of descendants of a rank in the elimination tree, itself
// included.
func (t *Topology) Size(v Rank) uint32 {
	if size := t.Tree[v]; size < afterLeaf {
		return size
	}
	return 1
}

// Parent returns a rank's parent in the elimination tree, graph.None of a root.
func (t *Topology) Parent(v Rank) Rank {
	// Ranks are in a postorder of the tree: where the next one has others below it, v is
	// its last child. Otherwise the next one is a leaf, whose entry is the parent of v.
	// A leaf needs no entry of its own.
	next := v + 1
	if int(next) >= len(t.Tree) {
		return graph.None
	}
	x := t.Tree[next]
	if x < afterLeaf {
		return next
	}
	p := Rank(x - afterLeaf)
	if p == noParent {
		return graph.None
	}
	if p <= v { // every climb ends because parents are higher
		panic(damaged)
	}
	return p
}

// noParent is in the place of the parent of a root.
const noParent = afterLeaf - 1

// damaged is the panic of a walk that would never end in a damaged section.
const damaged = searchgraph.Damaged

// depth returns the depth of a rank in the elimination tree. Ancestors have higher ranks, so
// a depth is no more than the number of higher ranks: whatever is kept by depth has a bound
// even if the section is damaged.
func (t *Topology) depth(v Rank) int32 {
	d := t.Depth[v]
	if uint64(d)+uint64(v) >= uint64(len(t.Depth)) {
		panic(damaged)
	}
	return int32(d)
}

// ancestors has the ancestors of the last rank and that rank, by depth. A series of
// neighbouring ranks costs little, because each ancestor is visited once.
type ancestors struct {
	t    *Topology
	path []Rank
}

// of returns the ancestors of a rank, followed by the rank.
func (a *ancestors) of(v Rank) []Rank {
	depth := int(a.t.depth(v))
	for len(a.path) <= depth {
		a.path = append(a.path, graph.None)
	}
	for u, d := v, depth; d >= 0 && a.path[d] != u; u, d = a.t.Parent(u), d-1 {
		a.path[d] = u
	}
	return a.path[:depth+1]
}

// Height returns the height of the elimination tree: the largest number of ranks that an
// upward search from one edge can visit.
func (t *Topology) Height() int {
	most := 0
	for _, d := range t.Depth {
		most = max(most, int(d)+1)
	}
	return most
}

// parents returns the parent of every rank in the elimination tree, graph.None of roots,
// from the higher neighbours of each (Liu, "The Role of Elimination Trees in Sparse
// Factorization", 1990).
func parents(up [][]Rank) []Rank {
	n := len(up)
	at := make([]uint32, n+1)
	for _, list := range up {
		for _, w := range list {
			at[w+1]++
		}
	}
	for v := range n {
		at[v+1] += at[v]
	}
	below, next := make([]Rank, at[n]), slices.Clone(at)
	for v, list := range up {
		for _, w := range list {
			below[next[w]] = Rank(v)
			next[w]++
		}
	}
	parent := slices.Repeat([]Rank{graph.None}, n)
	top := slices.Clone(parent) // an ancestor of each, to climb in leaps
	for v := range Rank(n) {
		for _, u := range below[at[v]:at[v+1]] {
			for top[u] != graph.None && top[u] != v {
				u, top[u] = top[u], v
			}
			if top[u] == graph.None {
				top[u], parent[u] = v, v
			}
		}
	}
	return parent
}

// postorder numbers the nodes of a forest, whose parents have higher numbers, so
// that the descendants of a node come just before it. size is by the old numbers.
func postorder(parent []Rank) (number []Rank, size []uint32) {
	n := len(parent)
	number, size = make([]Rank, n), slices.Repeat([]uint32{1}, n)
	for v, p := range parent {
		if p != graph.None {
			size[p] += size[v]
		}
	}
	// The numbers of a tree end where those of its next higher sibling begin, or at
	// its parent: end is where those still to be given below a node end.
	end, roots := make([]Rank, n), Rank(n)
	for v := n - 1; v >= 0; v-- {
		last := &roots
		if p := parent[v]; p != graph.None {
			last = &end[p]
		}
		number[v] = *last - 1
		*last -= Rank(size[v])
		end[v] = number[v]
	}
	return number, size
}

// sortByTree assigns new ranks to the edges, in a postorder of the elimination tree. That
// adds no arc. It reports whether any rank has changed.
func (t *Topology) sortByTree(parent []Rank) (changed bool) {
	number, _ := postorder(parent)
	edges := make([]graph.Edge, len(t.Edge))
	for v, e := range t.Edge {
		to := number[v]
		edges[to], t.Rank[e] = e, to
		changed = changed || to != Rank(v)
	}
	t.Edge = edges
	return changed
}

// measureTree computes depths, sizes and parents, and where arcs lead; head has their higher
// ranks.
func (t *Topology) measureTree(head []Rank) {
	n := len(t.Edge)
	parent := func(v Rank) Rank {
		if t.First[v] == t.First[v+1] {
			return graph.None
		}
		return head[t.First[v]]
	}
	t.Depth, t.Tree = make([]uint16, n), slices.Repeat([]uint32{1}, n)
	for v := range Rank(n) {
		if p := parent(v); p != graph.None {
			t.Tree[p] += t.Tree[v]
		}
	}
	for v := Rank(n) - 1; v < Rank(n); v-- {
		if p := parent(v); p != graph.None {
			t.Depth[v] = min(t.Depth[p], math.MaxUint16-1) + 1 // what is too high is refused
		}
		if t.Tree[v] == 1 {
			before := Rank(graph.None)
			if v > 0 {
				before = parent(v - 1)
			}
			t.Tree[v] = afterLeaf + min(uint32(before), noParent)
		}
	}
	t.Above = make([]uint16, len(head))
	for a, v := range head {
		t.Above[a] = t.Depth[v]
	}
}
