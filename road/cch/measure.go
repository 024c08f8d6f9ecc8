package cch

import (
	"context"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// Measures are the measures of a metric's arcs in both directions of travel, and
// own, by rank, those of the edges themselves; and the cells that follow from them.
// They are immutable.
type Measures struct {
	up, down measures
	own      paged
	cells    Cells
}

// measures is a list of measures in words of 4 bytes: milliseconds in the lower
// bits, decimetres above them. One that does not fit is in wide, from the number on that
// its word has below wideBit.
type measures struct {
	words  []uint32
	wide   []wideMeasure
	shift  uint8  // how many bits the milliseconds have
	before counts // what is in the lists that these are pieces of, before them
}

const wideBit = 1 << 31

// wideMeasure is a measure in 6 bytes, the lower ones first: milliseconds up to 2.3 hours
// in the lower bits, decimetres up to 1,677 km above them. One that does not fit has two
// of them, the first for its milliseconds, marked by its highest bit.
type wideMeasure [3]uint16

const wideMillisBits, wideDecimetresBits = 23, 24

func wideOf(x uint64) wideMeasure { return wideMeasure{uint16(x), uint16(x >> 16), uint16(x >> 32)} }

func (w *wideMeasure) bits() uint64 { return uint64(w[0]) | uint64(w[1])<<16 | uint64(w[2])<<32 }

// isLong reports whether a measure goes on in the next.
func (w *wideMeasure) isLong() bool { return w[2]>>15 != 0 }

// millisBits is how many bits of a word are for milliseconds: as many as leave the
// fewest arcs of real regions beyond words, which is by the speed of travel.
func millisBits(k costing.Costing) uint8 {
	if k == costing.Bicycle || k == costing.Pedestrian {
		return 18
	}
	return 17
}

// at gives measure number i.
func (m *measures) at(i uint32) search.Measure {
	w := m.words[i]
	if w >= wideBit {
		return m.wideAt(w - wideBit)
	}
	return search.Measure{Millis: w & (1<<(m.shift&31) - 1), Decimetres: w >> (m.shift & 31)}
}

func (m *measures) wideAt(i uint32) search.Measure {
	w := &m.wide[i]
	if x := w.bits(); !w.isLong() {
		return search.Measure{Millis: uint32(x & (1<<wideMillisBits - 1)), Decimetres: uint32(x >> wideMillisBits)}
	}
	return search.Measure{Millis: uint32(w.bits()), Decimetres: uint32(m.wide[i+1].bits())}
}

// put makes x measure number i.
func (m *measures) put(i uint32, x search.Measure) { m.words[i] = m.word(x) }

// add puts x behind the others.
func (m *measures) add(x search.Measure) { m.words = append(m.words, m.word(x)) }

// word gives the word of a measure, which it puts beside where that is too short.
func (m *measures) word(x search.Measure) uint32 {
	if x.Millis>>m.shift == 0 && x.Decimetres>>(31-m.shift) == 0 {
		return x.Decimetres<<m.shift | x.Millis
	}
	at := m.before.beside + uint32(len(m.wide))
	if x.Millis>>wideMillisBits == 0 && x.Decimetres>>wideDecimetresBits == 0 {
		m.wide = append(m.wide, wideOf(uint64(x.Decimetres)<<wideMillisBits|uint64(x.Millis)))
	} else {
		m.wide = append(m.wide, wideOf(1<<47|uint64(x.Millis)), wideOf(uint64(x.Decimetres)))
	}
	return wideBit + at // of which there are fewer, see sharing
}

// following is an empty list in the place of m, to be filled from it in order, whose
// measures follow on others.
func (m *measures) following(before counts) measures {
	return measures{words: m.words[:0], wide: m.wide[:0], shift: m.shift, before: before}
}

// paged is a list of measures by rank of which kinds of travellers share pages: those
// of the ranks of page p follow one another from number pages[p] on.
type paged struct {
	measures
	pages []uint32
}

const pageRanks = 64

// at gives the measure of a rank.
func (m *paged) at(v Rank) search.Measure {
	return m.measures.at(m.pages[v/pageRanks] + uint32(v%pageRanks))
}

// newMeasures makes room for the measures of a metric of a kind.
func newMeasures(k costing.Costing, m *Metric, ranks int) *Measures {
	list := func(n int) measures { return measures{words: make([]uint32, n), shift: millisBits(k)} }
	x := &Measures{up: list(len(m.forward.arcs)), down: list(len(m.backward.arcs)), own: paged{list(ranks), make([]uint32, pagesOf(ranks))}}
	for p := range x.own.pages {
		x.own.pages[p] = uint32(p) * pageRanks
	}
	return x
}

// pagesOf is how many pages so many ranks have.
func pagesOf(ranks int) int { return (ranks + pageRanks - 1) / pageRanks }

// Measure works out the measures of a metric of the costing c in one pass from
// the lowest rank: that of a shortcut is the sum of its two halves.
func (t *Topology) Measure(c *profile.Costing, m *Metric) *Measures {
	x, _ := t.measure(context.Background(), c, m)
	return x
}

// measure is Measure, which ends with its context and gives its error.
func (t *Topology) measure(ctx context.Context, c *profile.Costing, m *Metric) (*Measures, error) {
	x, g := newMeasures(c.Options().Costing, m, len(t.Edge)), c.Graph()
	above := ancestors{t: t}
	for v := range Rank(len(t.Edge)) {
		depth, path := uint32(t.Depth[v]), above.of(v)
		if v%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e := g.Original(t.Edge[v])
		x.own.put(uint32(v), search.MeasureOf(c.Seconds(e), g.EdgeLength(e)))
		for i, end := m.forward.span(v); i < end; i++ {
			w, u := m.forward.depth(m.forward.arcs[i]), m.forward.over(v, i)
			if u == graph.None {
				x.up.put(i, turnMeasure(c, t.Edge[v], t.Edge[path[w]]))
			} else {
				x.up.put(i, x.down.at(m.backward.find(u, depth)).Plus(x.up.at(m.forward.find(u, w))))
			}
		}
		for i, end := m.backward.span(v); i < end; i++ {
			w, u := m.backward.depth(m.backward.arcs[i]), m.backward.over(v, i)
			if u == graph.None {
				x.down.put(i, turnMeasure(c, t.Edge[path[w]], t.Edge[v]))
			} else {
				x.down.put(i, x.down.at(m.backward.find(u, w)).Plus(x.up.at(m.forward.find(u, depth))))
			}
		}
	}
	x.cells = t.cells(m, x)
	return x, nil
}

// turnMeasure is that of a turn and the edge turned into.
func turnMeasure(c *profile.Costing, e, f graph.Edge) search.Measure {
	f = c.Graph().Original(f)
	return search.MeasureOf(c.Turn(e, f).Seconds+c.Seconds(f), c.Graph().EdgeLength(f))
}

// start is a rank that paths begin at, with what they have taken by then.
type start struct {
	rank Rank
	Cell
}

// measure gives the measures of the paths that a search up has found, by place.
// starts are its sources.
func (s *side) measure(dst []search.Measure, t *Topology, w *searchGraph, of *measures, starts []start) []search.Measure {
	dst = slices.Grow(dst[:0], len(s.visits))[:len(s.visits)]
	for _, x := range slices.Backward(starts) { // the first of several with the same cost holds
		if at, ok := s.find(x.rank, int32(t.Depth[x.rank])); ok && s.visits[at].parent == none && s.visits[at].cost == x.Cost {
			dst[at] = x.Measure
		}
	}
	for at := range s.places {
		if p := s.visits[at].parent; p != none {
			dst[at] = dst[p].Plus(of.at(w.find(s.visits[p].rank, uint32(t.Depth[s.visits[at].rank]))))
		}
	}
	return dst
}
