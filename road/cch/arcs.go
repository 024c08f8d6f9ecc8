package cch

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/waygate/waygate/road/graph"
)

// searchGraph holds the arcs in one direction of travel: those between a rank and
// higher ranks follow one another, ascending by these. It is as small as loops over
// all arcs of a rank allow, since of all that a region has most are arcs.
//
// In a region all kinds of travellers have the same lists of arcs, of which their
// blocks tell what is theirs (see sharing).
type searchGraph struct {
	blocks []block
	long   []longBlock // of those that have no room in blocks
	alone  []counts    // one, in a region: what the kind would have without others
	arcs   []weightedArc
	wide   []wideArc // those that have no room in arcs
	// via tells, for each arc, over which lower rank its path leads: by how much that is
	// below the arc's own lower rank, 0 for a single turn. Where it is farBelow that is in
	// far, which has as many before those of arcs from number n*farEach on as farAt[n]
	// says; and where it is farthestBelow there, in farthest. Without paths it is nil.
	via      []uint8
	far      []uint16
	farAt    []uint32
	farthest []farPath // by their numbers in far, ascending
}

// farPath is an entry of far and the rank that its path leads over.
type farPath struct {
	number uint32
	over   Rank
}

// block tells where the arcs of some ranks that follow one another lie: from number
// first on, with 4 bits for how many each rank has, the first in the lowest. Where first
// is longFrom or more it is that and the number of a longBlock.
type block struct {
	first  uint32
	counts [2]uint32
}

// longBlock is a block in which a rank has more arcs than 4 bits count: those of the
// i-th lie from at[i] to at[i+1], counted from first on. A rank has fewer of them than
// mostHeight.
type longBlock struct {
	first uint32
	at    [inBlock + 1]uint16
}

const (
	// inBlock is how many ranks have a block: as many as 64 bits count the arcs of.
	inBlock   = 16
	mostShort = 1<<4 - 1
	// longFrom is more than there are arcs, which a topology numbers with 31 bits.
	longFrom = 1 << 31
)

// blocksOf is how many blocks so many ranks have.
func blocksOf(ranks int) int { return (ranks + inBlock - 1) / inBlock }

// span gives the numbers of the arcs of a rank.
func (w *searchGraph) span(v Rank) (from, to uint32) {
	b, i := &w.blocks[v/inBlock], v%inBlock
	if b.first >= longFrom {
		b := &w.long[b.first-longFrom]
		return b.first + uint32(b.at[i]), b.first + uint32(b.at[i+1])
	}
	counts := uint64(b.counts[0]) | uint64(b.counts[1])<<32
	before := counts & (1<<(4*i) - 1)
	// The sum of all that is before, first of every two, in the highest byte.
	const pairs, once = 0x0f0f_0f0f_0f0f_0f0f, 0x0101_0101_0101_0101
	from = b.first + uint32((before&pairs+before>>4&pairs)*once>>56)
	return from, from + uint32(counts>>(4*i)&mostShort)
}

// blockSpan gives the numbers of the arcs of a block.
func (w *searchGraph) blockSpan(b int) (from, to uint32) {
	from, _ = w.span(Rank(b) * inBlock)
	_, to = w.span(Rank(b)*inBlock + inBlock - 1)
	return from, to
}

// isBlock reports whether the block of a rank is there, wherever it lies.
func (w *searchGraph) isBlock(v Rank) bool {
	first := w.blocks[v/inBlock].first
	return first < longFrom || int(first-longFrom) < len(w.long)
}

// of gives the arcs of a rank.
func (w *searchGraph) of(v Rank) []weightedArc {
	from, to := w.span(v)
	return w.arcs[from:to]
}

// weightedArc names the higher rank by its depth in the elimination tree, where it is
// the ancestor of the lower one, in its lower bits, with its weight above them. One that
// has no room is wideFrom and its number in searchGraph.wide.
type weightedArc uint32

// wideArc is an arc that has no room in a weightedArc.
type wideArc struct{ depth, weight uint32 }

const (
	depthBits = 10
	wideFrom  = 1 << 31
	// mostWeight is what a weightedArc has room for: 35 minutes. Deeper or dearer are one
	// arc in sixty, in a country of 1,156 ranks above one another one in 24.
	mostWeight = wideFrom>>depthBits - 1
	// mostHeight is how high an elimination tree can be for the arcs of a block to be
	// counted with 16 bits: three times as high as those of countries.
	mostHeight = math.MaxUint16 / inBlock
)

// newArc is an arc, unless it is wide.
func newArc(depth, weight uint32) (a weightedArc, wide bool) {
	return weightedArc(depth | weight<<depthBits), depth>>depthBits != 0 || weight > mostWeight
}

// open gives what an arc of the graph leads to and costs.
func (w *searchGraph) open(a weightedArc) (depth, weight uint32) {
	if a >= wideFrom {
		x := w.wide[a-wideFrom]
		return x.depth, x.weight
	}
	return uint32(a) & (1<<depthBits - 1), uint32(a) >> depthBits
}

// depth is that of the higher rank of an arc.
func (w *searchGraph) depth(a weightedArc) uint32 {
	depth, _ := w.open(a)
	return depth
}

// isThere reports whether an arc has a weight that somebody may travel for.
func (w *searchGraph) isThere(a weightedArc) bool {
	return a < wideFrom || int(a-wideFrom) < len(w.wide) && w.wide[a-wideFrom].weight != Never
}

// find gives the number of the arc between v and its ancestor at a depth, which must
// be there.
func (w *searchGraph) find(v Rank, depth uint32) uint32 {
	i, _ := w.span(v)
	for w.depth(w.arcs[i]) != depth {
		i++
	}
	return i
}

const (
	farBelow      = math.MaxUint8
	farthestBelow = math.MaxUint16
	farEach       = 256
)

// over gives the rank over which the path of arc number i leads, whose lower rank is
// v; graph.None for a single turn.
func (w *searchGraph) over(v Rank, i uint32) Rank {
	switch below := w.via[i]; below {
	case 0:
		return graph.None
	case farBelow:
		return w.farOver(v, i)
	default:
		return v - Rank(below)
	}
}

func (w *searchGraph) farOver(v Rank, i uint32) Rank {
	n := w.farAt[i/farEach] + farIn(w.via[i/farEach*farEach:i])
	if below := w.far[n]; below < farthestBelow {
		return v - Rank(below)
	}
	at, ok := slices.BinarySearchFunc(w.farthest, n, func(p farPath, n uint32) int { return cmp.Compare(p.number, n) })
	if !ok {
		panic(damaged)
	}
	return w.farthest[at].over
}

// farIn counts the paths that are in far.
func farIn(via []uint8) uint32 { return uint32(bytes.Count(via, []byte{farBelow})) }

// countFar gives what farAt has for arcs of these paths, of which the first has number
// from, with so many far ones before it.
func countFar(via []uint8, from, before uint32) []uint32 {
	var at []uint32
	for i := range uint32(len(via)) {
		if (from+i)%farEach == 0 {
			at = append(at, before)
		}
		if via[i] == farBelow {
			before++
		}
	}
	return at
}

// newSearchGraph has room for arcs of so many ranks, and for one that is put last and
// does not stay.
func newSearchGraph(ranks, arcs int) searchGraph {
	return searchGraph{blocks: make([]block, blocksOf(ranks)), arcs: make([]weightedArc, arcs+1), via: make([]uint8, arcs+1)}
}

// put makes number i an arc of rank v, unless it is not one of a cheapest path, and
// gives how many were put: the next then overwrites it. Which stay is hard for a
// processor to predict, so that there is no branch for it.
func (w *searchGraph) put(i int, v Rank, depth, cost uint32, via Rank) int {
	below := min(uint32(v-via), farBelow)
	if via == graph.None {
		below = 0
	}
	arc, wide := newArc(depth, cost)
	w.arcs[i], w.via[i] = arc, uint8(below)
	stays, long := isCheapest(cost, via), 0
	if wide {
		long = 1
	}
	if below == farBelow {
		long = 1
	}
	if stays&long != 0 {
		w.putLong(i, v, wideArc{depth, cost}, via)
	}
	return stays
}

// putLong puts what an arc has no room for in the lists beside.
func (w *searchGraph) putLong(i int, v Rank, x wideArc, via Rank) {
	if _, wide := newArc(x.depth, x.weight); wide {
		w.arcs[i] = wideFrom + weightedArc(len(w.wide))
		w.wide = append(w.wide, x)
	}
	if w.via[i] == farBelow {
		below := min(uint32(v-via), farthestBelow)
		if below == farthestBelow {
			w.farthest = append(w.farthest, farPath{uint32(len(w.far)), via})
		}
		w.far = append(w.far, uint16(below))
	}
}

// end ends the arcs of rank v, which come after those of all lower ranks, before
// number n.
func (w *searchGraph) end(v Rank, n int) {
	b, i := &w.blocks[v/inBlock], v%inBlock
	if i == 0 && v > 0 {
		_, b.first = w.span(v - 1)
	}
	if b.first < longFrom {
		from, _ := w.span(v)
		if count := uint32(n) - from; count <= mostShort {
			b.counts[i/8] |= count << (i % 8 * 4)
			return
		}
		w.long = append(w.long, w.longOf(v/inBlock))
		*b = block{first: longFrom + uint32(len(w.long)-1)}
	}
	long := &w.long[b.first-longFrom]
	for j := i; j < inBlock; j++ { // there may be no further ranks
		long.at[j+1] = uint16(uint32(n) - long.first)
	}
}

// longOf is a block with room for more arcs of a rank.
func (w *searchGraph) longOf(block Rank) longBlock {
	long := longBlock{first: w.blocks[block].first}
	for i := range Rank(inBlock) {
		_, to := w.span(block*inBlock + i)
		long.at[i+1] = uint16(to - long.first)
	}
	return long
}

// room makes room for so many arcs, and for one that does not stay, where these are the
// arcs of some of the ranks: if need be, for as many as that makes of all and a little
// more.
func (w *searchGraph) room(arcs int, some, all Rank) {
	if arcs >= min(cap(w.arcs), cap(w.via)) {
		most := int(float64(arcs)*float64(all)/float64(some)*(1+1./32)) + 1
		w.arcs, w.via = slices.Grow(w.arcs, most-len(w.arcs)), slices.Grow(w.via, most-len(w.via))
	}
	w.arcs, w.via = w.arcs[:arcs+1], w.via[:arcs+1]
}

// trim gives back what is not used.
func (w *searchGraph) trim() error {
	n := len(w.arcs) - 1
	w.arcs, w.via = exactly(w.arcs[:n]), exactly(w.via[:n])
	w.farAt = countFar(w.via, 0, 0)
	w.long, w.wide, w.far, w.farthest = slices.Clip(w.long), slices.Clip(w.wide), slices.Clip(w.far), slices.Clip(w.farthest)
	return graph.Fits("long arcs of the hierarchy", len(w.wide), wideFrom)
}

// exactly gives a list that has no room for more, but for an eighth.
func exactly[T any](list []T) []T {
	if cap(list)-len(list) > len(list)/8 {
		list = slices.Clone(list)
	}
	return slices.Clip(list)
}

// isCheapest is 1 where there is a path and none over higher ranks is cheaper, else
// 0.
func isCheapest(cost uint32, via Rank) int {
	path, cheapest := 0, 0
	if cost != Never {
		path = 1
	}
	if via != lowered {
		cheapest = 1
	}
	return path & cheapest
}
