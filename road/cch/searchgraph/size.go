package searchgraph

// Bytes of an element of the arrays of a graph.
const (
	wordBytes     = 4
	stepBytes     = 4 + 1 // of an arc and what its path leads over
	farBytes      = 2     // and a word for each farEach arcs
	farthestBytes = 2 * wordBytes
	blockBytes    = wordBytes + InBlock/2
	longBytes     = wordBytes + 2*(InBlock+1)
	wideBytes     = 8
)

// Count counts the elements of the arrays of a graph.
func (w *Graph) Count() Counts {
	return Counts{Arcs: uint32(len(w.Arcs)), Wide: uint32(len(w.Wide)), Far: uint32(len(w.Far)), Farthest: uint32(len(w.Farthest))}
}

// Has counts what a graph has of its own.
func (w *Graph) Has() Counts {
	if len(w.Alone) == 1 {
		return w.Alone[0]
	}
	return w.Count()
}

// Bytes returns the memory that a graph takes, or would take if it shared no arcs.
func (w *Graph) Bytes() int64 {
	has := w.Has()
	return blockBytes*int64(cap(w.Blocks)) + longBytes*int64(cap(w.LongBlocks)) + stepBytes*int64(has.Arcs) + wideBytes*int64(has.Wide) + farBytes*int64(has.Far) + wordBytes*int64(has.Arcs/FarEach) + farthestBytes*int64(has.Farthest)
}

// MostBytes returns the most memory that a graph of so many ranks and arcs can take.
func MostBytes(ranks, arcs int) int64 {
	return (blockBytes+longBytes)*int64(ranks/InBlock+1) + (stepBytes+wideBytes+farBytes+farthestBytes+1)*int64(arcs)
}
