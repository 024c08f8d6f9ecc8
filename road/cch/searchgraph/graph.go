// Package searchgraph has the arcs of a metric of a customizable contraction hierarchy, as
// searches and sweeps read them: from each rank up to its ancestors in the elimination
// tree, with their weights in milliseconds and the ranks that their paths lead over.
// A Relaxer lowers the labels of several sources over the arcs of a rank at once.
package searchgraph

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/waygate/waygate/road/graph"
)

// Rank is the place of an edge in the order of contraction: a node of the
// hierarchy. Ranks are a postorder of the elimination tree: the descendants of a
// rank are those just before it.
type Rank uint32

// Never is the weight of what may not be travelled.
const Never = math.MaxUint32

// Lowered stands in the place of a rank where a path over higher ones is cheaper.
const Lowered = Rank(graph.None - 1)

// Damaged is the panic of a walk that would never end in a damaged section.
const Damaged = "cch: a walk over the hierarchy does not come to an end: its section or its metric is damaged"

// Graph has the arcs in one direction of travel: those between a rank and higher
// ranks follow one another, ascending by these. It is as small as loops over all arcs of a
// rank allow, since arcs are the largest part of a region.
//
// In a region all kinds of travellers share the lists of arcs; their blocks say which arcs
// belong to them (see sharing of package cch).
type Graph struct {
	Blocks     []block
	LongBlocks []longBlock // of those that have no room in Blocks
	Alone      []Counts    // one, in a region: what the kind would have without others
	Arcs       []WeightedArc
	Wide       []WideArc // those that have no room in Arcs
	// Via has, for each arc, over which lower rank its path leads: by how much that is below
	// the arc's own lower rank, 0 for a single turn. Where it is FarBelow that is in Far,
	// which has as many before those of arcs from number n*FarEach on as FarAt[n] says; and
	// where it is FarthestBelow there, in Farthest. Without paths it is nil.
	Via      []uint8
	Far      []uint16
	FarAt    []uint32
	Farthest []FarPath // by their numbers in Far, ascending
}

// FarPath is an entry of Far and the rank that its path leads over.
type FarPath struct {
	Number uint32
	Middle Rank
}

// block is where the arcs of some ranks that follow one another lie: from number
// first on, with 4 bits for how many each rank has, the first in the lowest. Where first
// is LongFrom or more it is that and the number of a longBlock.
type block struct {
	First  uint32
	Counts [2]uint32
}

// longBlock is a block in which a rank has more arcs than 4 bits count: those of the
// i-th lie from at[i] to at[i+1], counted from first on. A rank has fewer of them than
// MostHeight.
type longBlock struct {
	First uint32
	at    [InBlock + 1]uint16
}

const (
	// InBlock is how many ranks have a block: as many as 64 bits count the arcs of.
	InBlock = 16
	// MostShort is the most arcs of a rank that 4 bits count.
	MostShort = 1<<4 - 1
	// LongFrom is more than there are arcs, which a topology numbers with 31 bits.
	LongFrom = 1 << 31
)

// BlocksOf returns how many blocks so many ranks have.
func BlocksOf(ranks int) int { return (ranks + InBlock - 1) / InBlock }

// Span returns the numbers of the arcs of a rank.
func (w *Graph) Span(v Rank) (from, to uint32) {
	b, i := &w.Blocks[v/InBlock], v%InBlock
	if b.First >= LongFrom {
		b := &w.LongBlocks[b.First-LongFrom]
		return b.First + uint32(b.at[i]), b.First + uint32(b.at[i+1])
	}
	counts := uint64(b.Counts[0]) | uint64(b.Counts[1])<<32
	before := counts & (1<<(4*i) - 1)
	// The sum of all that is before, first of every two, in the highest byte.
	const pairs, once = 0x0f0f_0f0f_0f0f_0f0f, 0x0101_0101_0101_0101
	from = b.First + uint32((before&pairs+before>>4&pairs)*once>>56)
	return from, from + uint32(counts>>(4*i)&MostShort)
}

// BlockSpan returns the numbers of the arcs of a block.
func (w *Graph) BlockSpan(b int) (from, to uint32) {
	from, _ = w.Span(Rank(b) * InBlock)
	_, to = w.Span(Rank(b)*InBlock + InBlock - 1)
	return from, to
}

// IsBlock reports whether the block of a rank is there, wherever it lies.
func (w *Graph) IsBlock(v Rank) bool {
	first := w.Blocks[v/InBlock].First
	return first < LongFrom || int(first-LongFrom) < len(w.LongBlocks)
}

// Of returns the arcs of a rank.
func (w *Graph) Of(v Rank) []WeightedArc {
	from, to := w.Span(v)
	return w.Arcs[from:to]
}

// WeightedArc names the higher rank by its depth in the elimination tree, where it is
// the ancestor of the lower one, in its lower bits, with its weight above them. One that
// has no room is WideFrom and its number in Graph.Wide.
type WeightedArc uint32

// WideArc is an arc that has no room in a weightedArc.
type WideArc struct{ Depth, Weight uint32 }

const (
	// DepthBits are those of a WeightedArc that have the depth.
	DepthBits = 10
	// WideFrom is the least WeightedArc that is the number of a WideArc.
	WideFrom = 1 << 31
	// MostWeight is the largest weight of a WeightedArc: 35 minutes. Deeper or dearer are one
	// arc in sixty, in a country of 1,156 ranks above one another one in 24.
	MostWeight = WideFrom>>DepthBits - 1
	// MostHeight is how high an elimination tree can be for the arcs of a block to be
	// counted with 16 bits: three times as high as those of countries.
	MostHeight = math.MaxUint16 / InBlock
)

// NewArc returns an arc, unless it is wide.
func NewArc(depth, weight uint32) (a WeightedArc, wide bool) {
	return WeightedArc(depth | weight<<DepthBits), depth>>DepthBits != 0 || weight > MostWeight
}

// Open returns what an arc of the graph leads to and costs.
func (w *Graph) Open(a WeightedArc) (depth, weight uint32) {
	if a >= WideFrom {
		x := w.Wide[a-WideFrom]
		return x.Depth, x.Weight
	}
	return uint32(a) & (1<<DepthBits - 1), uint32(a) >> DepthBits
}

// Depth returns that of the higher rank of an arc.
func (w *Graph) Depth(a WeightedArc) uint32 {
	depth, _ := w.Open(a)
	return depth
}

// IsThere reports whether an arc has a finite weight.
func (w *Graph) IsThere(a WeightedArc) bool {
	return a < WideFrom || int(a-WideFrom) < len(w.Wide) && w.Wide[a-WideFrom].Weight != Never
}

// Find returns the number of the arc between v and its ancestor at a depth, which must
// be there.
func (w *Graph) Find(v Rank, depth uint32) uint32 {
	i, _ := w.Span(v)
	for w.Depth(w.Arcs[i]) != depth {
		i++
	}
	return i
}

const (
	// FarBelow marks an entry of Via whose distance is in Far.
	FarBelow = math.MaxUint8
	// FarthestBelow marks an entry of Far whose rank is in Farthest.
	FarthestBelow = math.MaxUint16
	// FarEach is how many arcs have an entry of FarAt together.
	FarEach = 256
)

// Middle returns the rank over which the path of arc number i leads, whose lower rank is
// v; graph.None for a single turn.
func (w *Graph) Middle(v Rank, i uint32) Rank {
	switch below := w.Via[i]; below {
	case 0:
		return graph.None
	case FarBelow:
		return w.farOver(v, i)
	default:
		return v - Rank(below)
	}
}

func (w *Graph) farOver(v Rank, i uint32) Rank {
	n := w.FarAt[i/FarEach] + FarIn(w.Via[i/FarEach*FarEach:i])
	if below := w.Far[n]; below < FarthestBelow {
		return v - Rank(below)
	}
	at, ok := slices.BinarySearchFunc(w.Farthest, n, func(p FarPath, n uint32) int { return cmp.Compare(p.Number, n) })
	if !ok {
		panic(Damaged)
	}
	return w.Farthest[at].Middle
}

// FarIn counts the paths that are in Far.
func FarIn(via []uint8) uint32 { return uint32(bytes.Count(via, []byte{FarBelow})) }

// CountFar returns what FarAt has for arcs of these paths, of which the first has number
// from, with so many far ones before it.
func CountFar(via []uint8, from, before uint32) []uint32 {
	var at []uint32
	for i := range uint32(len(via)) {
		if (from+i)%FarEach == 0 {
			at = append(at, before)
		}
		if via[i] == FarBelow {
			before++
		}
	}
	return at
}

// New has room for arcs of so many ranks, and for one that is put last and
// does not stay.
func New(ranks, arcs int) Graph {
	return Graph{Blocks: make([]block, BlocksOf(ranks)), Arcs: make([]WeightedArc, arcs+1), Via: make([]uint8, arcs+1)}
}

// SetArc makes number i an arc of rank v, unless it is not one of a cheapest path, and
// gives how many were put: the next then overwrites it. Which stay is hard for a
// processor to predict, so that there is no branch for it.
func (w *Graph) SetArc(i int, v Rank, depth, cost uint32, via Rank) int {
	below := min(uint32(v-via), FarBelow)
	if via == graph.None {
		below = 0
	}
	arc, wide := NewArc(depth, cost)
	w.Arcs[i], w.Via[i] = arc, uint8(below)
	stays, long := IsCheapest(cost, via), 0
	if wide {
		long = 1
	}
	if below == FarBelow {
		long = 1
	}
	if stays&long != 0 {
		w.putLong(i, v, WideArc{depth, cost}, via)
	}
	return stays
}

// putLong puts what an arc has no room for in the lists beside.
func (w *Graph) putLong(i int, v Rank, x WideArc, via Rank) {
	if _, wide := NewArc(x.Depth, x.Weight); wide {
		w.Arcs[i] = WideFrom + WeightedArc(len(w.Wide))
		w.Wide = append(w.Wide, x)
	}
	if w.Via[i] == FarBelow {
		below := min(uint32(v-via), FarthestBelow)
		if below == FarthestBelow {
			w.Farthest = append(w.Farthest, FarPath{uint32(len(w.Far)), via})
		}
		w.Far = append(w.Far, uint16(below))
	}
}

// End ends the arcs of rank v, which come after those of all lower ranks, before
// number n.
func (w *Graph) End(v Rank, n int) {
	b, i := &w.Blocks[v/InBlock], v%InBlock
	if i == 0 && v > 0 {
		_, b.First = w.Span(v - 1)
	}
	if b.First < LongFrom {
		from, _ := w.Span(v)
		if count := uint32(n) - from; count <= MostShort {
			b.Counts[i/8] |= count << (i % 8 * 4)
			return
		}
		w.LongBlocks = append(w.LongBlocks, w.longOf(v/InBlock))
		*b = block{First: LongFrom + uint32(len(w.LongBlocks)-1)}
	}
	long := &w.LongBlocks[b.First-LongFrom]
	for j := i; j < InBlock; j++ { // there may be no further ranks
		long.at[j+1] = uint16(uint32(n) - long.First)
	}
}

// longOf returns a block with room for more arcs of a rank.
func (w *Graph) longOf(block Rank) longBlock {
	long := longBlock{First: w.Blocks[block].First}
	for i := range Rank(InBlock) {
		_, to := w.Span(block*InBlock + i)
		long.at[i+1] = uint16(to - long.First)
	}
	return long
}

// Reserve makes room for so many arcs, and for one that does not stay, where these are the
// arcs of some of the ranks: if need be, for as many as that makes of all and a little
// more.
func (w *Graph) Reserve(arcs int, some, all Rank) {
	if arcs >= min(cap(w.Arcs), cap(w.Via)) {
		most := int(float64(arcs)*float64(all)/float64(some)*(1+1./32)) + 1
		w.Arcs, w.Via = slices.Grow(w.Arcs, most-len(w.Arcs)), slices.Grow(w.Via, most-len(w.Via))
	}
	w.Arcs, w.Via = w.Arcs[:arcs+1], w.Via[:arcs+1]
}

// Trim frees unused memory.
func (w *Graph) Trim() error {
	n := len(w.Arcs) - 1
	w.Arcs, w.Via = Exactly(w.Arcs[:n]), Exactly(w.Via[:n])
	w.FarAt = CountFar(w.Via, 0, 0)
	w.LongBlocks, w.Wide, w.Far, w.Farthest = slices.Clip(w.LongBlocks), slices.Clip(w.Wide), slices.Clip(w.Far), slices.Clip(w.Farthest)
	return graph.CheckLimit("long arcs of the hierarchy", len(w.Wide), WideFrom)
}

// Exactly returns a list that has no room for more, but for an eighth.
func Exactly[T any](list []T) []T {
	if cap(list)-len(list) > len(list)/8 {
		list = slices.Clone(list)
	}
	return slices.Clip(list)
}

// IsCheapest is 1 where there is a path and none over higher ranks is cheaper, else
// 0.
func IsCheapest(cost uint32, via Rank) int {
	path, cheapest := 0, 0
	if cost != Never {
		path = 1
	}
	if via != Lowered {
		cheapest = 1
	}
	return path & cheapest
}

// SameBlock reports whether a block of another kind lies where this one's does.
func (w *Graph) SameBlock(as *Graph, b int) bool {
	for v := Rank(b) * InBlock; v < Rank(b+1)*InBlock; v++ {
		from, to := w.Span(v)
		if f, t := as.Span(v); f != from || t != to {
			return false
		}
	}
	return true
}

// Counts are numbers of elements of arrays.
type Counts struct{ Arcs, Wide, Far, Farthest uint32 }

// Add adds the numbers of others.
func (n *Counts) Add(more Counts) {
	n.Arcs, n.Wide, n.Far, n.Farthest = n.Arcs+more.Arcs, n.Wide+more.Wide, n.Far+more.Far, n.Farthest+more.Farthest
}
