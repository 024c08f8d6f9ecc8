package cch

import (
	"context"

	"github.com/waygate/waygate/road/cch/searchgraph"
	"github.com/waygate/waygate/road/search"
)

const (
	// Lanes is how many sources are relaxed together: fewer take as long.
	Lanes = searchgraph.Lanes
	// BatchSize is how many sources a sweep serves at once, at most.
	BatchSize = 4 * Lanes
)

// sweeping is the scratch of a sweep. There are as many labels for each depth as the
// batch has sources, rounded up to a multiple of Lanes.
type sweeping struct {
	relax  searchgraph.Relaxer
	stride int              // of the batch at work
	label  []uint64         // by depth and source
	sum    []search.Measure // by depth and source: the measures of labels that say so
	begun  []rankIndex      // likewise, in Table.up
	first  []uint32         // by depth: the number of the rank's first arc
}

// A label has a cost in its upper bits and below it the number of the arc that
// the path comes by, from searchgraph.FirstArc on, or one of the others: the minimum of several
// labels gives both, without a branch. Costs have 38 bits, 8 years; a dearer
// rank counts as not reached. The label of what is not reached leaves room for a
// weight to be added, and for a sign.
const (
	unreached = 1 << 62

	byMeasured = 0 // the path's measure is known
	byBegun    = 1 // the path is that of a search up
)

var noLanes = [Lanes]uint64{unreached, unreached, unreached, unreached, unreached, unreached, unreached, unreached}

// reach makes room for ranks of so many depths.
func (x *sweeping) reach(depths int) {
	if n := depths - len(x.first); n > 0 {
		x.first = append(x.first, make([]uint32, n)...)
		x.label = append(x.label, make([]uint64, n*BatchSize)...)
		x.sum = append(x.sum, make([]search.Measure, n*BatchSize)...)
		x.begun = append(x.begun, make([]rankIndex, n*BatchSize)...)
	}
}

// sweep computes the costs from each source of a batch to every selected rank, and lowers
// out, a row for each source, to those of the targets.
func (x *Table) sweep(ctx context.Context, c Costs, batch [][]search.End, out [][]Cell) error {
	x.above, x.starts, x.startAt, x.up.kept = x.above[:0], x.starts[:0], x.startAt[:0], 0
	for lane, from := range batch {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		x.searchUp(c, lane, from)
	}
	x.stride = (len(batch) + Lanes - 1) / Lanes * Lanes
	w := &c.Metric.backward
	done, look := 0, 0
	for i := range x.selected {
		s := &x.selected[i]
		if done >= look {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			look = done + arcsBetween
		}
		at := int(s.depth) * x.stride
		row := x.label[at : at+x.stride]
		for g := 0; g < len(row); g += Lanes {
			*(*[Lanes]uint64)(row[g:]) = noLanes
		}
		for n := s.above; n != none; {
			u := &x.above[n]
			row[u.lane], x.begun[at+int(u.lane)] = u.cost<<searchgraph.ArcBits|byBegun, u.at
			n = u.next
		}
		s.above = none
		first, end := w.Span(s.rank)
		x.first[s.depth] = first
		arcs := w.Arcs[first:end]
		if !x.relax(x.label, int(s.depth), x.stride, arcs, w.Wide) {
			panic(damaged)
		}
		done += len(arcs)
		if s.entry != none {
			x.arrive(c, s, row[:len(batch)], out)
			done += len(batch)
		}
	}
	return nil
}

// arrive lowers the cells of the targets that are reached from a rank with the given labels.
func (x *Table) arrive(c Costs, s *selection, labels []uint64, out [][]Cell) {
	for _, ranked := range x.byRank[s.entry:] {
		e := &x.entries[uint32(ranked)]
		if e.rank != s.rank {
			return
		}
		for lane, l := range labels {
			cell := &out[lane][e.target]
			cost := l>>searchgraph.ArcBits + e.cost
			if l >= unreached || cost > cell.Cost {
				continue
			}
			if to := (Cell{cost, x.measureOf(c, s.depth, lane).Plus(e.rest).Minus(e.less)}); to.before(cell) {
				*cell = to
			}
		}
	}
}

// measureOf returns the measure of the path from a source to the rank at a depth that the
// sweep is at or below. Most ranks are on no path of the answer, so measures are added up
// only for those that are, once.
func (x *Table) measureOf(c Costs, depth uint32, lane int) search.Measure {
	at := int(depth)*x.stride + lane
	l := &x.label[at]
	switch by := uint32(*l & searchgraph.ArcMask); by {
	case byMeasured:
	case byBegun:
		x.sum[at] = x.upMeasure(c, lane, x.begun[at])
	default:
		n, w := x.first[depth]+by-searchgraph.FirstArc, &c.Metric.backward
		x.sum[at] = x.measureOf(c, w.Depth(w.Arcs[n]), lane).Plus(c.Measures.down.at(n)) // relax has checked that it is higher
	}
	*l &^= searchgraph.ArcMask
	return x.sum[at]
}
