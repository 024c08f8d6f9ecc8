package cch

import (
	"context"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/waygate/waygate/road/cch/searchgraph"
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
	packed []byte
}

const (
	// inMeasures is how many measures a block has: as many of n bits take n*inWord bytes.
	inMeasures = 64
	inWord     = 8 // bytes that are read at once, which is also what follows the last block
	// mostAtOnce is how many bits of a word a measure may have, wherever it begins in a byte.
	mostAtOnce = 57
)

// measureBlock is the position of a block, in bytes divided by inWord; its lower bits have
// how many bits the milliseconds of its measures have, and the measures, with decimetres
// above the milliseconds.
type measureBlock uint64

func newMeasureBlock(first uint64, millis, all int) measureBlock {
	return measureBlock(first<<16 | uint64(all)<<8 | uint64(millis))
}

func (b measureBlock) open() (first, millis, all uint64) {
	return uint64(b) >> 16, uint64(b) & 0xff, uint64(b) >> 8 & 0xff
}

// at returns measure number i.
func (m *measures) at(i uint32) search.Measure { return m.in(m.blocks[i/inMeasures], i%inMeasures) }

// in returns a measure of a block.
func (m *measures) in(b measureBlock, i uint32) search.Measure {
	first, millis, all := b.open()
	bit := uint64(i) * all
	at := m.packed[first*inWord+bit/8:]
	x := binary.LittleEndian.Uint64(at) >> (bit % 8)
	if all > mostAtOnce {
		x |= uint64(at[inWord]) << 1 << (63 - bit%8)
	}
	x = x << ((64 - all) & 63) >> ((64 - all) & 63)
	return search.Measure{Millis: uint32(x & (1<<(millis&63) - 1)), Decimetres: uint32(x >> (millis & 63))}
}

// packing builds a list of measures, one after the other.
type packing struct {
	measures
	rest   []search.Measure // of the block that is not full
	before uint64           // bytes that were taken
	all    int              // measures that there will be, about; 0 where it is not known
}

// at returns a measure that was added; no blocks may have been taken.
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

// pack makes a block of the measures that are left over.
func (p *packing) pack() {
	longest := search.Measure{Millis: 1} // no block has no words
	for _, x := range p.rest {
		longest.Millis, longest.Decimetres = longest.Millis|x.Millis, longest.Decimetres|x.Decimetres
	}
	millis := bits.Len32(longest.Millis)
	all, used := millis+bits.Len32(longest.Decimetres), max(len(p.packed), inWord)-inWord
	p.room(used + all*inWord + inWord)
	p.packed = p.packed[:used+all*inWord+inWord]
	clear(p.packed[used:])
	for i, x := range p.rest {
		bit := i * all
		v, at := uint64(x.Decimetres)<<millis|uint64(x.Millis), p.packed[used+bit/8:]
		binary.LittleEndian.PutUint64(at, binary.LittleEndian.Uint64(at)|v<<(bit%8))
		if all > mostAtOnce {
			at[inWord] = byte(v >> 1 >> (63 - bit%8))
		}
	}
	p.blocks = append(p.blocks, newMeasureBlock((p.before+uint64(used))/inWord, millis, all))
	p.rest = p.rest[:0]
}

// room makes room for a number of bytes: if it has to grow, for the bytes that all measures
// are expected to need, and a little more.
func (p *packing) room(bytes int) {
	if bytes <= cap(p.packed) {
		return
	}
	most := bytes
	if done := len(p.blocks) * inMeasures; done > 0 {
		most = max(bytes, int(float64(bytes)*float64(p.all)/float64(done)*(1+1./32)))
	}
	p.packed = slices.Grow(p.packed, most-len(p.packed))
}

// goOn starts an empty list with n measures that are packed already.
func (p *packing) goOn(m measures, n int) {
	full, used := n/inMeasures, uint64(len(m.packed)-inWord)
	if full < len(m.blocks) {
		first, _, _ := m.blocks[full].open()
		used = first * inWord
	}
	p.measures = measures{m.blocks[:full:full], m.packed[: used+inWord : used+inWord]}
	for i := full * inMeasures; i < n; i++ {
		p.rest = append(p.rest, m.at(uint32(i)))
	}
}

// take returns the blocks made since it was last called.
func (p *packing) take() measures {
	m := measures{p.blocks, p.packed[:max(len(p.packed), inWord)-inWord]}
	p.before += uint64(len(m.packed))
	p.measures = measures{}
	return m
}

// taken returns the result of take or, for the last kind, that of end.
func (p *packing) taken(last bool) measures {
	if last {
		return p.end()
	}
	return p.take()
}

// end returns the blocks made since the last take, with a last block of the measures left
// over.
func (p *packing) end() measures {
	if len(p.rest) > 0 {
		p.pack()
	}
	if len(p.packed) == 0 {
		p.packed = make([]byte, inWord)
	}
	return measures{slices.Clip(p.blocks), searchgraph.Exactly(p.packed)}
}

// paged is a list of measures by rank of which kinds of travellers share blocks: that of
// number pages[p] has the ranks from p*inMeasures on.
type paged struct {
	measures
	pages []uint32
}

// at returns the measure of a rank.
func (m *paged) at(v Rank) search.Measure {
	return m.in(m.blocks[m.pages[v/inMeasures]], uint32(v%inMeasures))
}

// blocksOfMeasures returns how many blocks n measures need.
func blocksOfMeasures(n int) int { return (n + inMeasures - 1) / inMeasures }

// Measure works out the measures of a metric of the costing c in one pass from
// the lowest rank: that of a shortcut is the sum of its two halves. Metrics that share
// arcs with others have theirs in the region.
func (t *Topology) Measure(c *profile.Costing, m *Metric) *Measures {
	x, _ := t.MeasureContext(context.Background(), c, m) // nothing else can fail
	return x
}

// MeasureContext is Measure that ends with its context and returns the context's error.
func (t *Topology) MeasureContext(ctx context.Context, c *profile.Costing, m *Metric) (*Measures, error) {
	up, down, own := packing{all: len(m.forward.Arcs)}, packing{all: len(m.backward.Arcs)}, packing{all: len(t.Edge)}
	g, above := c.Graph(), ancestors{t: t}
	for v := range Rank(len(t.Edge)) {
		depth, path := uint32(t.Depth[v]), above.of(v)
		if v%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		e := g.Original(t.Edge[v])
		own.add(search.MeasureOf(c.Seconds(e), g.EdgeLength(e)))
		for i, end := m.forward.Span(v); i < end; i++ {
			w, u := m.forward.Depth(m.forward.Arcs[i]), m.forward.Middle(v, i)
			if u == graph.None {
				up.add(turnMeasure(c, t.Edge[v], t.Edge[path[w]]))
			} else {
				up.add(down.at(m.backward.Find(u, depth)).Plus(up.at(m.forward.Find(u, w))))
			}
		}
		for i, end := m.backward.Span(v); i < end; i++ {
			w, u := m.backward.Depth(m.backward.Arcs[i]), m.backward.Middle(v, i)
			if u == graph.None {
				down.add(turnMeasure(c, t.Edge[path[w]], t.Edge[v]))
			} else {
				down.add(down.at(m.backward.Find(u, w)).Plus(up.at(m.forward.Find(u, depth))))
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

// turnMeasure returns the measure of a turn and of the edge turned into.
func turnMeasure(c *profile.Costing, e, f graph.Edge) search.Measure {
	f = c.Graph().Original(f)
	return search.MeasureOf(c.Turn(e, f).Seconds+c.Seconds(f), c.Graph().EdgeLength(f))
}

// start is a rank that paths begin at, with what they have taken by then.
type start struct {
	rank Rank
	Cell
}

// measure returns the measures of the paths that an upward search has found, by place.
// starts are its sources.
func (s *side) measure(dst []search.Measure, t *Topology, w *searchgraph.Graph, of *measures, starts []start) []search.Measure {
	dst = slices.Grow(dst[:0], len(s.visits))[:len(s.visits)]
	for _, x := range slices.Backward(starts) { // the first of several with the same cost holds
		if at, ok := s.find(x.rank, int32(t.Depth[x.rank])); ok && s.visits[at].parent == none && s.visits[at].cost == x.Cost {
			dst[at] = x.Measure
		}
	}
	for at := range s.places {
		if p := s.visits[at].parent; p != none {
			dst[at] = dst[p].Plus(of.at(w.Find(s.visits[p].rank, uint32(t.Depth[s.visits[at].rank]))))
		}
	}
	return dst
}

// Bytes of what measures and the caches of pieces have.
const (
	wordBytes    = 4
	wideBytes    = 8
	measureBytes = 5 // with what its block takes: more than on roads
	cellBytes    = 5 // of Cells, for each rank: more than they take on roads
)

// Bytes returns the memory that the measures take.
func (x *Measures) Bytes() int64 {
	n := int64(0)
	for _, m := range x.lists() {
		n += int64(cap(m.packed)) + wideBytes*int64(cap(m.blocks))
	}
	n += wordBytes * int64(cap(x.own.pages)+cap(x.cells.roots))
	for _, b := range x.cells.ways {
		n += wordBytes*int64(cap(b.at)+cap(b.reach)) + wideBytes*int64(cap(b.needs)+cap(b.joined))
	}
	return n
}

// MeasureBytes returns roughly the memory that the Measures of a metric take.
func (m *Metric) MeasureBytes() int64 {
	ranks := searchgraph.InBlock * len(m.forward.Blocks)
	return measureBytes*(int64(m.forward.Has().Arcs)+int64(m.backward.Has().Arcs)+int64(ranks)) + cellBytes*int64(ranks)
}

// MostMeasureBytes returns roughly the most memory that the Measures of a metric of the
// topology take.
func (t *Topology) MostMeasureBytes() int64 {
	return measureBytes*int64(2*len(t.Above)+len(t.Edge)) + cellBytes*int64(len(t.Edge))
}
