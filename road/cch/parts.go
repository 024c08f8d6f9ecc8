package cch

import (
	"slices"
	"sync/atomic"

	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/road/graph"
)

// stretch is some ranks that follow one another: those from from on, before to.
type stretch struct{ from, to Rank }

// parts are the ranks in subtrees of the elimination tree, which customisation can do
// beside one another, since what a subtree's arcs cost depends on arcs in the subtree
// and to ranks above it alone; and what is above all subtrees, in ascending order.
type parts struct{ subtrees, top []stretch }

// subtrees gives the subtrees of at most so many ranks, each as large as that lets it.
func (t *Topology) subtrees(most uint32) (p parts) {
	for end := Rank(len(t.Edge)); end > 0; {
		v := end - 1
		if size := t.Size[v]; size <= most {
			if size == 0 || Rank(size) > end {
				panic(damaged)
			}
			p.subtrees = append(p.subtrees, stretch{end - Rank(size), end})
			end -= Rank(size)
			continue
		}
		if n := len(p.top); n > 0 && p.top[n-1].from == end {
			p.top[n-1].from = v
		} else {
			p.top = append(p.top, stretch{v, end})
		}
		end = v
	}
	slices.Reverse(p.top)
	return p
}

// worker is the scratch of one goroutine of a customisation.
type worker struct {
	arcTo  []Arc      // by rank: the arc from the rank at work to it
	before []arcCosts // of perfect
	end    Rank       // the first beyond those that the worker's ranks may wait for
	beyond []waiting  // those that wait for ranks beyond
}

// waiting is a rank that waits for the head of one of its arcs.
type waiting struct {
	rank Rank
	arc  Arc
}

// partsForWorker is into how many parts a hierarchy is split for each worker, so that
// none is without work for long.
const partsForWorker = 32

// newParts splits the ranks for so many workers: for a single one, all are top.
func (t *Topology) newParts(workers int) parts {
	if workers == 1 {
		return parts{top: []stretch{{0, Rank(len(t.Edge))}}}
	}
	return t.subtrees(uint32(len(t.Edge)/(partsForWorker*workers) + 1))
}

// inSubtrees does something with all subtrees, on as many goroutines as there are
// workers.
func (w *weights) inSubtrees(do func(x *worker, s stretch)) {
	if len(w.parts.subtrees) == 0 {
		return
	}
	var next atomic.Int32
	var all parallel.Group
	for i := range w.workers {
		all.Go(func() {
			for k := int(next.Add(1)) - 1; k < len(w.parts.subtrees); k = int(next.Add(1)) - 1 {
				do(&w.workers[i], w.parts.subtrees[k])
			}
		})
	}
	all.Wait()
}

// inShares does something with each worker's share of n.
func (w *weights) inShares(n int, do func(from, to int)) {
	if len(w.workers) == 1 {
		do(0, n)
		return
	}
	var all parallel.Group
	for i := range w.workers {
		all.Go(func() { do(n*i/len(w.workers), n*(i+1)/len(w.workers)) })
	}
	all.Wait()
}

// lowerNeighbours gives the lower neighbours of one rank after the other, from the
// lowest on, each with the arc between the two. A rank's arcs are sorted by their
// heads: at any time it waits among the neighbours of the next of these.
type lowerNeighbours struct {
	first, next []Rank // by rank: the first that waits for it, and the one that waits behind it
	arc         []Arc  // by rank: the one to whom it waits for
}

// wait lets a rank wait for the head of an arc, unless it has no more. Those that wait
// for a rank beyond the worker's are left to the worker.
func (b *lowerNeighbours) wait(t *Topology, x *worker, at waiting) {
	u, arc := at.rank, at.arc
	if arc == t.First[u+1] {
		return
	}
	w := t.Head[arc]
	if w <= u { // no rank is waited for twice because heads are higher
		panic(damaged)
	}
	if w >= x.end {
		x.beyond = append(x.beyond, at)
		return
	}
	b.arc[u], b.next[u], b.first[w] = arc, b.first[w], u
}

// clear lets no rank wait.
func (b *lowerNeighbours) clear(from, to int) {
	for v := from; v < to; v++ {
		b.first[v] = graph.None
	}
}
