package cch

import (
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/cch/searchgraph"
	"github.com/waygate/waygate/road/graph"
)

// regionMetric is the metric of a region for a kind of traveller, with its measures.
type regionMetric struct {
	metric   *Metric
	measures *Measures // nil without paths
}

// directions returns the arcs of a kind of traveller in both directions of travel, with
// their measures.
func (x regionMetric) directions() (all [2]measured) {
	for i, w := range x.metric.directions() {
		all[i].Graph = w
		if x.measures != nil {
			all[i].of = x.measures.lists()[i]
		}
	}
	return all
}

// measured are the arcs in one direction of travel with their measures, nil without
// paths.
type measured struct {
	*searchgraph.Graph
	of *measures
}

// sharing puts the arcs of several kinds of travellers, one after the other, into one list
// for each direction of travel. Buses go where cars go, at the same costs: a block of ranks
// with the same arcs, weights, ranks that paths lead over and measures as the first kind's
// is not stored again, but begins where that of the first kind does.
type sharing struct {
	begun  bool
	first  [2]measured           // empty once kinds come that travel at other speeds, which share nothing
	own    paged                 // the first kind's
	end    [2]searchgraph.Counts // of what is in the lists
	blocks uint32                // of edges' own measures
	packed [3]packing            // of the lists of measures
}

// add gives the arcs of a kind of traveller their numbers in the lists, and leaves in the
// kind's own arrays what is to be appended. These must not be used as a metric after that,
// and those of the first kind must not change. The last kind ends the lists.
func (s *sharing) add(k costing.Costing, x regionMetric, last bool) error {
	begins := !s.begun
	s.begun = true
	if !k.Motorised() {
		s.first, s.own = [2]measured{}, paged{} // large, and not needed any more
	}
	if x.measures != nil {
		own := &x.measures.own
		if begins {
			s.own = *own
			s.packed[2].goOn(own.measures, len(own.blocks)*inMeasures)
		} else {
			own.move(&s.own, s.blocks, &s.packed[2])
		}
		s.blocks += uint32(len(s.packed[2].blocks))
		own.measures = s.packed[2].taken(last)
	}
	for i, w := range x.directions() {
		w.Alone = []searchgraph.Counts{w.Count()}
		switch {
		case !begins:
			w.move(w.shared(s.first[i]), s.first[i], s.end[i], &s.packed[i])
		case w.of != nil:
			whole := *w.of
			s.first[i] = measured{w.Graph, &whole}
			s.packed[i].goOn(whole, len(w.Arcs))
		default:
			s.first[i] = w
		}
		if w.of != nil {
			*w.of = s.packed[i].taken(last)
		}
		s.end[i].Add(w.Count())
		if err := graph.CheckLimit("arcs of all metrics", int(s.end[i].Arcs), searchgraph.LongFrom-1); err != nil {
			return err
		}
	}
	return nil
}

// move drops the pages that are those of the first kind, numbers the others from a block on,
// and packs them.
func (m *paged) move(first *paged, block uint32, into *packing) {
	for p := range m.pages {
		if first.pages != nil && m.samePage(p, first) {
			m.pages[p] = first.pages[p]
			continue
		}
		for v := Rank(p) * inMeasures; v < Rank(p+1)*inMeasures; v++ {
			into.add(m.at(v))
		}
		m.pages[p] = block
		block++
	}
}

func (m *paged) samePage(p int, as *paged) bool {
	for v := Rank(p) * inMeasures; v < Rank(p+1)*inMeasures; v++ {
		if m.at(v) != as.at(v) {
			return false
		}
	}
	return true
}

// shared reports which blocks are those of another kind.
func (w measured) shared(with measured) []bool {
	same := make([]bool, len(w.Blocks))
	for b := range same {
		same[b] = with.Graph != nil
		for v := Rank(b) * searchgraph.InBlock; v < Rank(b+1)*searchgraph.InBlock && same[b]; v++ {
			same[b] = w.sameArcs(v, with)
		}
	}
	return same
}

// sameArcs reports whether the arcs of a rank are those of another kind.
func (w measured) sameArcs(v Rank, as measured) bool {
	i, end := w.Span(v)
	j, last := as.Span(v)
	if end-i != last-j {
		return false
	}
	for ; i < end; i, j = i+1, j+1 {
		depth, weight := w.Open(w.Arcs[i])
		if d, c := as.Open(as.Arcs[j]); d != depth || c != weight {
			return false
		}
		if w.of != nil && (w.Middle(v, i) != as.Middle(v, j) || w.of.at(i) != as.of.at(j)) {
			return false
		}
	}
	return true
}

// move drops the blocks that are those of the first kind, numbers the others as they follow
// in the lists after end, and packs their measures.
func (w measured) move(same []bool, first measured, end searchgraph.Counts, into *packing) {
	n, far, farthest, kept := uint32(0), uint32(0), 0, searchgraph.Counts{}
	long := w.LongBlocks[:0]
	for b := range w.Blocks {
		from, to := w.BlockSpan(b)
		here := &w.Blocks[b]
		is := *here
		is.First = end.Arcs + n
		if same[b] {
			is = first.Blocks[b]
		}
		if here.First >= searchgraph.LongFrom {
			l := w.LongBlocks[here.First-searchgraph.LongFrom]
			l.First = end.Arcs + n
			if same[b] {
				l = first.LongBlocks[is.First-searchgraph.LongFrom]
			}
			is.First = searchgraph.LongFrom + uint32(len(long))
			long = append(long, l)
		}
		*here = is
		if same[b] {
			far += searchgraph.FarIn(w.Via[from:to])
			continue
		}
		for i := from; i < to; i++ {
			w.Arcs[n], w.Via[n] = w.Arcs[i], w.Via[i]
			if w.Via[n] == searchgraph.FarBelow {
				w.moveFar(far, &farthest, &kept, end)
				far++
			}
			if a := w.Arcs[n]; a >= searchgraph.WideFrom {
				w.Wide[kept.Wide] = w.Wide[a-searchgraph.WideFrom]
				w.Arcs[n] = searchgraph.WideFrom + searchgraph.WeightedArc(end.Wide+kept.Wide)
				kept.Wide++
			}
			if w.of != nil {
				into.add(w.of.at(i))
			}
			n++
		}
	}
	w.LongBlocks, w.Arcs, w.Via = long, w.Arcs[:n], w.Via[:n]
	w.Wide, w.Far, w.Farthest = w.Wide[:kept.Wide], w.Far[:kept.Far], w.Farthest[:kept.Farthest]
	w.FarAt = searchgraph.CountFar(w.Via, end.Arcs, end.Far)
}

// moveFar keeps the far path of a number. next is its place in farthest or an earlier one,
// and is the place after it when moveFar returns.
func (w measured) moveFar(number uint32, next *int, kept *searchgraph.Counts, end searchgraph.Counts) {
	w.Far[kept.Far] = w.Far[number]
	if w.Far[kept.Far] == searchgraph.FarthestBelow {
		for w.Farthest[*next].Number < number {
			*next++
		}
		w.Farthest[kept.Farthest] = searchgraph.FarPath{Number: end.Far + kept.Far, Middle: w.Farthest[*next].Middle}
		kept.Farthest++
		*next++
	}
	kept.Far++
}
