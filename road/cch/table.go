package cch

import (
	"cmp"
	"context"
	"slices"

	"github.com/waygate/waygate/road/cch/searchgraph"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// Cell is one answer of a table: the cheapest path's cost and measure.
type Cell struct {
	Cost uint64 // Unreached where there is no path
	search.Measure
}

// before reports whether a path goes before another: the cheaper one, and of two as cheap
// the one that takes less time. At a node a place has ends that turns without a cost lie
// between, which take time all the same.
func (a *Cell) before(b *Cell) bool {
	return a.Cost < b.Cost || a.Cost == b.Cost && a.Millis < b.Millis
}

// Table finds the cheapest paths from many places to many (RPHAST: Delling,
// Goldberg, Werneck, "Faster Batched Shortest Paths in Road Networks", 2011,
// on the elimination tree): the ancestors of all targets are selected once, and
// swept from the roots down for every batch of sources. A rank's path leads over
// its ancestors alone, so a sweep keeps labels of one rank at each depth. For one
// goroutine at a time.
type Table struct {
	t       *Topology
	up      side     // the searches up of a batch, one behind the other
	starts  []start  // of these
	startAt []int    // by source of the batch: its first in starts
	above   []upward // of a batch

	selected []selection   // targets' ranks and their ancestors, in a preorder of the tree
	entries  []targetEntry // by target
	byRank   []uint64      // entries in ascending order of their ranks, which are the upper halves
	path     []rankIndex   // by depth: in selected, of the ancestors of the entry at work
	upward   []Rank
	// beside is the rank that parentOf last looked for, and the first entry in byRank not
	// below.
	beside struct {
		rank Rank
		next int
	}
	work  int           // arcs of a sweep
	tails []tail        // of the ends of all targets
	from  search.ByEdge // the ends of the source at work
	heads []head        // of these, in ascending order of their nodes

	sweeping
}

// selection is a rank selected.
type selection struct {
	rank   Rank
	depth  uint32
	parent rankIndex // in Table.selected, none of a root
	entry  uint32    // the first in Table.byRank from which a target is reached from it, else none
	above  uint32    // the last in Table.above that is of the rank, none where none is
}

// upward has the results of a search up from the source of a lane for a rank selected.
type upward struct {
	lane int32
	next uint32 // another in Table.above of the same rank, none where there is no more
	cost uint64
	at   rankIndex // in Table.up
}

// targetEntry is a rank from whose edge a target is reached: its own, which is then
// travelled too far, or one before it.
type targetEntry struct {
	rank   Rank
	target uint32
	at     rankIndex      // in Table.selected
	cost   uint64         // from the edge to the target, modulo 1<<64
	rest   search.Measure // likewise,
	less   search.Measure // without this
}

// tail is the node that the edge of a target's end leaves.
type tail struct {
	node   graph.Node
	target uint32
	end    search.End
}

// head is the node that the edge of a source's end leads to.
type head struct {
	node graph.Node
	end  search.End
}

// How much is done between two checks of the context: well below a millisecond of
// work each.
const (
	arcsBetween    = 1 << 16
	targetsBetween = 1 << 9
)

// NewTable returns a table over a topology.
func NewTable(t *Topology) *Table {
	return &Table{t: t, sweeping: sweeping{relax: searchgraph.Fastest()}}
}

// Costs is a costing with its metric and the metric's measures.
type Costs struct {
	Costing  *profile.Costing
	Metric   *Metric
	Measures *Measures
}

// Run fills out, a row for each source, with the cheapest paths between the
// places of each source and those of each target. The error is the context's.
func (x *Table) Run(ctx context.Context, c Costs, sources, targets [][]search.End, out [][]Cell) error {
	if err := x.selectTargets(ctx, c, targets); err != nil {
		return err
	}
	for begin := 0; begin < len(sources); begin += BatchSize {
		end := min(begin+BatchSize, len(sources))
		rows := out[begin:end]
		for _, row := range rows {
			for j := range row {
				row[j].Cost = Unreached
			}
		}
		if err := x.sweep(ctx, c, sources[begin:end], rows); err != nil {
			return err
		}
		for lane, from := range sources[begin:end] {
			if err := x.improveRow(ctx, c.Costing, from, rows[lane]); err != nil {
				return err
			}
		}
	}
	return nil
}

// selectTargets selects the ranks of the edges that targets are reached from and all
// their ancestors, with their arcs.
func (x *Table) selectTargets(ctx context.Context, c Costs, targets [][]search.End) error {
	x.entries, x.tails = x.entries[:0], x.tails[:0]
	for j, ends := range targets {
		if j%targetsBetween == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for _, t := range ends {
			x.tails = append(x.tails, tail{c.Costing.Graph().ByEdge[t.Edge].Tail, uint32(j), t})
			x.addTarget(c.Costing, t, uint32(j))
		}
	}
	x.byRank = x.byRank[:0]
	for i := range x.entries {
		x.byRank = append(x.byRank, uint64(x.entries[i].rank)<<32|uint64(i))
	}
	slices.Sort(x.byRank)
	x.selected, x.path, x.work = x.selected[:0], x.path[:0], 0
	x.beside.rank = none
	look := 0
	for k, ranked := range x.byRank {
		i := uint32(ranked)
		if x.work >= look {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			look = x.work + arcsBetween
		}
		at := x.selectRank(&c.Metric.backward, x.entries[i].rank)
		x.entries[i].at = at
		if s := &x.selected[at]; s.entry == none {
			s.entry = uint32(k)
		}
	}
	return nil
}

// addTarget adds the entries of a target.
func (x *Table) addTarget(c *profile.Costing, t search.End, target uint32) {
	g, rest := c.Graph(), endCell(c, t)
	if w := c.Edge(t.Edge); w != profile.Forbidden {
		e := targetEntry{target: target, cost: rest.Cost - uint64(w), rest: rest.Measure, less: search.MeasureOf(c.Seconds(t.Edge), g.EdgeLength(t.Edge))}
		g.EachCopy(t.Edge, func(own graph.Edge) {
			e.rank = x.t.Rank[own]
			x.entries = append(x.entries, e)
		})
		return
	}
	// No path over the hierarchy has an edge on which journeys may only end.
	g.EachPredecessor(t.Edge, func(e graph.Edge) {
		turn := c.Turn(e, t.Edge)
		if _, ok := c.Follow(e, t.Edge); ok && turn.Cost != profile.Forbidden {
			x.entries = append(x.entries, targetEntry{rank: x.t.Rank[e], target: target, cost: rest.Cost + uint64(turn.Cost), rest: rest.Plus(search.MeasureOf(turn.Seconds, 0))})
		}
	})
}

// selectRank selects a rank and its ancestors, and returns its place. It is called in
// ascending order of ranks, so all ancestors that were selected before are on the path of
// the rank before, because the ranks of a subtree follow one another.
func (x *Table) selectRank(w *searchgraph.Graph, v Rank) rankIndex {
	x.upward = x.upward[:0]
	depth := x.t.Depth[v]
	for u := v; u != graph.None; u = x.t.Parent(u) {
		if d := int(depth) - len(x.upward); d < len(x.path) && x.selected[x.path[d]].rank == u {
			break
		}
		x.upward = append(x.upward, u)
	}
	x.path = x.path[:int(depth)+1-len(x.upward)]
	parent := rankIndex(none)
	if len(x.path) > 0 {
		parent = x.path[len(x.path)-1]
	}
	for _, u := range slices.Backward(x.upward) {
		at := rankIndex(len(x.selected))
		x.selected = append(x.selected, selection{rank: u, depth: uint32(len(x.path)), parent: parent, entry: none, above: none})
		x.path = append(x.path, at)
		x.work += len(w.Of(u))
		parent = at
	}
	x.reach(len(x.path))
	return parent
}

// searchUp searches up from a source and records its costs of selected ranks.
func (x *Table) searchUp(c Costs, lane int, from []search.End) {
	s := &x.up
	s.reset()
	x.startAt = append(x.startAt, len(x.starts))
	departures(c.Costing, from, func(next graph.Edge, cell Cell) {
		r := x.t.Rank[next]
		s.addSource(r, cell.Cost)
		x.starts = append(x.starts, start{r, cell})
	})
	s.searchUp(x.t, &c.Metric.forward, Unreached, nil)
	at := rankIndex(none)
	for p := range s.places { // up each branch in turn
		v := &s.visits[p]
		if at = x.parentOf(at, v.rank); at != none && v.cost < unreached>>searchgraph.ArcBits {
			s := &x.selected[at]
			x.above = append(x.above, upward{int32(lane), s.above, v.cost, p})
			s.above = uint32(len(x.above) - 1)
		}
	}
	s.kept = len(s.visits)
}

// upMeasure returns the measure of the path from a source of the batch to a place of an
// upward search.
func (x *Table) upMeasure(c Costs, lane int, at rankIndex) search.Measure {
	var m search.Measure
	v, w := &x.up.visits[at], &c.Metric.forward
	for v.parent != none {
		p := &x.up.visits[v.parent]
		if p.rank >= v.rank { // every path ends because it comes from lower ranks
			panic(damaged)
		}
		m = m.Plus(c.Measures.up.at(w.Find(p.rank, uint32(x.t.Depth[v.rank]))))
		v = p
	}
	for _, s := range x.starts[x.startAt[lane]:] { // the first of several with the same cost holds
		if s.rank == v.rank && s.Cost == v.cost {
			return m.Plus(s.Measure)
		}
	}
	return m
}

// parentOf returns the place of a rank, none where it is not selected. child is the place of
// the rank of the call before, which is mostly a child of v: the ancestors of a selected
// rank are selected too.
func (x *Table) parentOf(child rankIndex, v Rank) rankIndex {
	if child != none {
		if p := x.selected[child].parent; p != none && x.selected[p].rank == v {
			return p
		}
	}
	// Find an entry in the subtree of v, which has the ranks up to v. If the subtree has
	// the rank of the call before, it is one of the two entries beside that.
	least := v + 1 - Rank(x.t.Size(v))
	if x.beside.rank < least || x.beside.rank > v {
		x.beside.rank = v
		x.beside.next, _ = slices.BinarySearch(x.byRank, uint64(v)<<32)
	}
	at := rankIndex(none)
	if i := x.beside.next; i < len(x.byRank) && Rank(x.byRank[i]>>32) <= v {
		at = x.entries[uint32(x.byRank[i])].at
	} else if i > 0 && Rank(x.byRank[i-1]>>32) >= least {
		at = x.entries[uint32(x.byRank[i-1])].at
	}
	for at != none && x.selected[at].rank != v {
		at = x.selected[at].parent
	}
	return at
}

// improveRow improves the cells of one source by the paths of one or two edges. Ends are
// joined by the edge that both are on, and by the node between their edges.
func (x *Table) improveRow(ctx context.Context, c *profile.Costing, from []search.End, out []Cell) error {
	g := c.Graph()
	x.from.Reset(from)
	x.heads = x.heads[:0]
	for _, s := range from {
		x.heads = append(x.heads, head{g.ByEdge[s.Edge].Head, s})
	}
	slices.SortStableFunc(x.heads, func(a, b head) int { return cmp.Compare(a.node, b.node) })
	for i := range x.tails {
		if i%targetsBetween == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		t := &x.tails[i]
		if len(x.heads) <= fewEnds && !x.meets(t) {
			continue
		}
		best := &out[t.target]
		for _, s := range x.from.On(t.end.Edge) {
			if s.Along <= t.end.Along {
				best.improve(partCell(c, s.Edge, t.end.Along-s.Along, s.Extra+t.end.Extra))
			}
		}
		first, found := slices.BinarySearchFunc(x.heads, t.node, func(h head, n graph.Node) int { return cmp.Compare(h.node, n) })
		if !found {
			continue
		}
		for _, h := range x.heads[first:] {
			if h.node != t.node {
				break
			}
			turn := c.Turn(h.end.Edge, t.end.Edge)
			if _, ok := c.Follow(h.end.Edge, t.end.Edge); !ok || turn.Cost == profile.Forbidden {
				continue
			}
			a, b := startCell(c, h.end), endCell(c, t.end)
			best.improve(Cell{a.Cost + uint64(turn.Cost) + b.Cost, a.Plus(b.Measure).Plus(search.MeasureOf(turn.Seconds, 0))})
		}
	}
	return nil
}

// fewEnds is up to how many ends of a source a linear search is used.
const fewEnds = 8

// meets reports whether some end of the source at work is on the edge of a target's end, or
// leads to it.
func (x *Table) meets(t *tail) bool {
	for i := range x.heads {
		if h := &x.heads[i]; h.node == t.node || h.end.Edge == t.end.Edge {
			return true
		}
	}
	return false
}

// improve replaces a cell by another that goes before it.
func (a *Cell) improve(by Cell) {
	if by.before(a) {
		*a = by
	}
}

func startCell(c *profile.Costing, s search.End) Cell { return partCell(c, s.Edge, 1-s.Along, s.Extra) }

func endCell(c *profile.Costing, t search.End) Cell { return partCell(c, t.Edge, t.Along, t.Extra) }

func partCell(c *profile.Costing, e graph.Edge, share float64, extra uint32) Cell {
	return Cell{search.PartCost(c, e, share) + uint64(extra), search.MeasureOf(c.Seconds(e)*share, c.Graph().EdgeLength(e)*share)}
}

// departures calls yield for each edge that may follow that of a place, with the
// cost and measure from the place to its head.
func departures(c *profile.Costing, from []search.End, yield func(next graph.Edge, to Cell)) {
	g := c.Graph()
	for _, s := range from {
		begun := startCell(c, s)
		n := g.ByEdge[s.Edge].Head
		for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
			turn, w := c.Turn(s.Edge, f), c.Edge(f)
			next, ok := c.Follow(s.Edge, f)
			if !ok || turn.Cost == profile.Forbidden || w == profile.Forbidden {
				continue
			}
			yield(next, Cell{begun.Cost + uint64(turn.Cost) + uint64(w), begun.Plus(search.MeasureOf(turn.Seconds+c.Seconds(f), g.EdgeLength(f)))})
		}
	}
}
