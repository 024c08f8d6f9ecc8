package cch

import (
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
)

// made is what a region has of a kind of traveller.
type made struct {
	metric   *Metric
	measures *Measures // nil without paths
}

// directions are the arcs of a kind of traveller in both directions of travel, with
// their measures.
func (x made) directions() (all [2]measured) {
	for i, w := range x.metric.directions() {
		all[i].searchGraph = w
		if x.measures != nil {
			all[i].of = x.measures.lists()[i]
		}
	}
	return all
}

// measured are the arcs in one direction of travel with their measures, nil without
// paths.
type measured struct {
	*searchGraph
	of *measures
}

// counts are numbers of what arrays hold.
type counts struct{ arcs, wide, far, farthest uint32 }

func (w measured) count() counts {
	return counts{arcs: uint32(len(w.arcs)), wide: uint32(len(w.wide)), far: uint32(len(w.far)), farthest: uint32(len(w.farthest))}
}

func (n *counts) add(more counts) {
	n.arcs, n.wide, n.far, n.farthest = n.arcs+more.arcs, n.wide+more.wide, n.far+more.far, n.farthest+more.farthest
}

// sharing lays the arcs of several kinds of travellers, one after the other, into one
// list for each direction of travel. Buses go where cars go, and it costs them the
// same: a block of ranks whose arcs are those that the first kind has, with the same
// weights, ranks that paths lead over and measures, is not there again, but begins
// where that of the first kind does.
type sharing struct {
	begun  bool
	first  [2]measured // nothing once kinds come that travel at other speeds: these share nothing
	own    paged       // the first kind's
	end    [2]counts   // of what is in the lists
	blocks uint32      // of edges' own measures
	packed [3]packing  // of the lists of measures
}

// add gives what was made for a kind of traveller the numbers that it has in the
// lists, and leaves in its own what is to be put behind them. It must not be used
// as a metric after that, and what the first has must stay as it is. With the last the
// lists end.
func (s *sharing) add(k costing.Costing, x made, last bool) error {
	begins := !s.begun
	s.begun = true
	if !k.Motorised() {
		s.first, s.own = [2]measured{}, paged{} // large, and held for nothing
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
		w.alone = []counts{w.count()}
		switch {
		case !begins:
			w.move(w.shared(s.first[i]), s.first[i], s.end[i], &s.packed[i])
		case w.of != nil:
			whole := *w.of
			s.first[i] = measured{w.searchGraph, &whole}
			s.packed[i].goOn(whole, len(w.arcs))
		default:
			s.first[i] = w
		}
		if w.of != nil {
			*w.of = s.packed[i].taken(last)
		}
		s.end[i].add(w.count())
		if err := graph.Fits("arcs of all metrics", int(s.end[i].arcs), longFrom-1); err != nil {
			return err
		}
	}
	return nil
}

// move drops the pages that are those of the first kind, and numbers what is left from a
// block on, which it packs.
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

// shared tells which blocks are those of another kind.
func (w measured) shared(with measured) []bool {
	same := make([]bool, len(w.blocks))
	for b := range same {
		same[b] = with.searchGraph != nil
		for v := Rank(b) * inBlock; v < Rank(b+1)*inBlock && same[b]; v++ {
			same[b] = w.sameArcs(v, with)
		}
	}
	return same
}

// sameArcs reports whether the arcs of a rank are those of another kind.
func (w measured) sameArcs(v Rank, as measured) bool {
	i, end := w.span(v)
	j, last := as.span(v)
	if end-i != last-j {
		return false
	}
	for ; i < end; i, j = i+1, j+1 {
		depth, weight := w.open(w.arcs[i])
		if d, c := as.open(as.arcs[j]); d != depth || c != weight {
			return false
		}
		if w.of != nil && (w.over(v, i) != as.over(v, j) || w.of.at(i) != as.of.at(j)) {
			return false
		}
	}
	return true
}

// move drops the blocks that are those of the first kind and numbers what is left as
// it follows in the lists on what ends there. It packs their measures.
func (w measured) move(same []bool, first measured, end counts, into *packing) {
	n, far, farthest, kept := uint32(0), uint32(0), 0, counts{}
	long := w.long[:0]
	for b := range w.blocks {
		from, to := w.blockSpan(b)
		here := &w.blocks[b]
		is := *here
		is.first = end.arcs + n
		if same[b] {
			is = first.blocks[b]
		}
		if here.first >= longFrom {
			l := w.long[here.first-longFrom]
			l.first = end.arcs + n
			if same[b] {
				l = first.long[is.first-longFrom]
			}
			is.first = longFrom + uint32(len(long))
			long = append(long, l)
		}
		*here = is
		if same[b] {
			far += farIn(w.via[from:to])
			continue
		}
		for i := from; i < to; i++ {
			w.arcs[n], w.via[n] = w.arcs[i], w.via[i]
			if w.via[n] == farBelow {
				w.moveFar(far, &farthest, &kept, end)
				far++
			}
			if a := w.arcs[n]; a >= wideFrom {
				w.wide[kept.wide] = w.wide[a-wideFrom]
				w.arcs[n] = wideFrom + weightedArc(end.wide+kept.wide)
				kept.wide++
			}
			if w.of != nil {
				into.add(w.of.at(i))
			}
			n++
		}
	}
	w.long, w.arcs, w.via = long, w.arcs[:n], w.via[:n]
	w.wide, w.far, w.farthest = w.wide[:kept.wide], w.far[:kept.far], w.farthest[:kept.farthest]
	w.farAt = countFar(w.via, end.arcs, end.far)
}

// moveFar keeps the far path of a number; next is no later than it in farthest, and
// behind it then.
func (w measured) moveFar(number uint32, next *int, kept *counts, end counts) {
	w.far[kept.far] = w.far[number]
	if w.far[kept.far] == farthestBelow {
		for w.farthest[*next].number < number {
			*next++
		}
		w.farthest[kept.farthest] = farPath{end.far + kept.far, w.farthest[*next].over}
		kept.farthest++
		*next++
	}
	kept.far++
}
