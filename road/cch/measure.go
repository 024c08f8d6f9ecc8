package cch

import (
	"context"
	"math/bits"
	"slices"

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

// measures is a list of measures in blocks of inMeasures. Each has as many bits as the
// longest of its block needs: arcs that follow one another are about as long, and those of
// the lowest ranks, of which most are, short. What follows the last block is read with it.
type measures struct {
	blocks []measureBlock
	words  []uint64
}

// inMeasures is how many measures a block has: as many of n bits have room in n words.
const inMeasures = 64

// measureBlock is the number of the first word of a block, and in the lower bits how many
// bits the milliseconds of its measures have and, above these in them, the decimetres.
type measureBlock uint64

const bitsBits = 6 // of either number of bits

func newMeasureBlock(first uint64, millis, decimetres int) measureBlock {
	return measureBlock(first<<(2*bitsBits) | uint64(decimetres)<<bitsBits | uint64(millis))
}

func (b measureBlock) open() (first uint64, millis, decimetres uint64) {
	return uint64(b) >> (2 * bitsBits), uint64(b) & (1<<bitsBits - 1), uint64(b) >> bitsBits & (1<<bitsBits - 1)
}

// at gives measure number i.
func (m *measures) at(i uint32) search.Measure {
	first, millis, decimetres := m.blocks[i/inMeasures].open()
	bit := uint64(i%inMeasures) * (millis + decimetres)
	w := m.words[first+bit/64:]
	x := w[0]>>(bit&63) | w[1]<<1<<(^bit&63)
	return search.Measure{Millis: uint32(x & (1<<(millis&63) - 1)), Decimetres: uint32(x >> (millis & 63) & (1<<(decimetres&63) - 1))}
}

// packing makes a list of measures, one after the other.
type packing struct {
	measures
	rest   []search.Measure // of the block that is not full
	before uint64           // words that were taken
	all    int              // measures that there will be, about; 0 where it is not known
}

// at gives a measure that was added, where none were taken.
func (p *packing) at(i uint32) search.Measure {
	if int(i/inMeasures) == len(p.blocks) {
		return p.rest[i%inMeasures]
	}
	return p.measures.at(i)
}

func (p *packing) add(x search.Measure) {
	if p.rest = append(p.rest, x); len(p.rest) == inMeasures {
		p.pack()
	}
}

// pack makes a block of the rest.
func (p *packing) pack() {
	longest := search.Measure{Millis: 1} // no block has no words
	for _, x := range p.rest {
		longest.Millis, longest.Decimetres = longest.Millis|x.Millis, longest.Decimetres|x.Decimetres
	}
	millis, decimetres := bits.Len32(longest.Millis), bits.Len32(longest.Decimetres)
	used, more := max(len(p.words), 1), millis+decimetres
	p.room(used + more)
	p.words = p.words[:used+more]
	clear(p.words[used-1:])
	for i, x := range p.rest {
		bit := i * more
		v := uint64(x.Decimetres)<<millis | uint64(x.Millis)
		w := p.words[used-1+bit/64:]
		w[0], w[1] = w[0]|v<<(bit%64), w[1]|v>>1>>(63-bit%64)
	}
	p.blocks = append(p.blocks, newMeasureBlock(p.before+uint64(used-1), millis, decimetres))
	p.rest = p.rest[:0]
}

// room makes room for so many words: if need be, for as many as that makes of all and a
// little more.
func (p *packing) room(words int) {
	if words <= cap(p.words) {
		return
	}
	most := words
	if done := len(p.blocks) * inMeasures; done > 0 {
		most = max(words, int(float64(words)*float64(p.all)/float64(done)*(1+1./32)))
	}
	p.words = slices.Grow(p.words, most-len(p.words))
}

// goOn has an empty list begin with so many measures that are packed already.
func (p *packing) goOn(m measures, n int) {
	full, used := n/inMeasures, uint64(len(m.words)-1)
	if full < len(m.blocks) {
		used, _, _ = m.blocks[full].open()
	}
	p.measures = measures{m.blocks[:full:full], m.words[: used+1 : used+1]}
	for i := full * inMeasures; i < n; i++ {
		p.rest = append(p.rest, m.at(uint32(i)))
	}
}

// take gives the blocks since it was called before.
func (p *packing) take() measures {
	m := measures{p.blocks, p.words[:max(len(p.words), 1)-1]}
	p.before += uint64(len(m.words))
	p.measures = measures{}
	return m
}

// taken gives what take does or, for the last, end.
func (p *packing) taken(last bool) measures {
	if last {
		return p.end()
	}
	return p.take()
}

// end gives the blocks since some were taken, the last of them with the rest.
func (p *packing) end() measures {
	if len(p.rest) > 0 {
		p.pack()
	}
	if len(p.words) == 0 {
		p.words = make([]uint64, 1)
	}
	return measures{slices.Clip(p.blocks), exactly(p.words)}
}

// paged is a list of measures by rank of which kinds of travellers share blocks: that of
// number pages[p] has the ranks from p*inMeasures on.
type paged struct {
	measures
	pages []uint32
}

// at gives the measure of a rank.
func (m *paged) at(v Rank) search.Measure {
	return m.measures.at(m.pages[v/inMeasures]*inMeasures + uint32(v%inMeasures))
}

// blocksOfMeasures is how many blocks so many measures have.
func blocksOfMeasures(n int) int { return (n + inMeasures - 1) / inMeasures }

// Measure works out the measures of a metric of the costing c in one pass from
// the lowest rank: that of a shortcut is the sum of its two halves. Metrics that share
// arcs with others have theirs in the region.
func (t *Topology) Measure(c *profile.Costing, m *Metric) *Measures {
	x, _ := t.measure(context.Background(), c, m)
	return x
}

// measure is Measure, which ends with its context and gives its error.
func (t *Topology) measure(ctx context.Context, c *profile.Costing, m *Metric) (*Measures, error) {
	up, down, own := packing{all: len(m.forward.arcs)}, packing{all: len(m.backward.arcs)}, packing{all: len(t.Edge)}
	g, above := c.Graph(), ancestors{t: t}
	for v := range Rank(len(t.Edge)) {
		depth, path := uint32(t.Depth[v]), above.of(v)
		if v%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e := g.Original(t.Edge[v])
		own.add(search.MeasureOf(c.Seconds(e), g.EdgeLength(e)))
		for i, end := m.forward.span(v); i < end; i++ {
			w, u := m.forward.depth(m.forward.arcs[i]), m.forward.over(v, i)
			if u == graph.None {
				up.add(turnMeasure(c, t.Edge[v], t.Edge[path[w]]))
			} else {
				up.add(down.at(m.backward.find(u, depth)).Plus(up.at(m.forward.find(u, w))))
			}
		}
		for i, end := m.backward.span(v); i < end; i++ {
			w, u := m.backward.depth(m.backward.arcs[i]), m.backward.over(v, i)
			if u == graph.None {
				down.add(turnMeasure(c, t.Edge[path[w]], t.Edge[v]))
			} else {
				down.add(down.at(m.backward.find(u, w)).Plus(up.at(m.forward.find(u, depth))))
			}
		}
	}
	x := &Measures{up: up.end(), down: down.end(), own: paged{own.end(), make([]uint32, blocksOfMeasures(len(t.Edge)))}}
	for p := range x.own.pages {
		x.own.pages[p] = uint32(p)
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
