package reach

import (
	"sync/atomic"

	"github.com/waygate/waygate/road/contour"
)

// patches keeps what blocks of the hierarchy look like in outlines, of those that
// are asked for again. It takes mostPatchBytes at most.
type patches struct {
	slots [1 << 14]atomic.Pointer[patch]
	bytes atomic.Int64
}

const mostPatchBytes = 16 << 20

// patch has the known reach of a block.
type patch struct {
	block uint32         // by its number
	shape *contour.Patch // nil where it is not drawn
	none  bool           // it cannot be drawn
}

func (p *patches) slot(block uint32) *atomic.Pointer[patch] {
	return &p.slots[block%uint32(len(p.slots))]
}

// get returns the patch of a block, and notes that it was asked for; nil where none is
// kept. One is worth while to be drawn, and put, where the block was asked for before: as
// long as it is asked for once its roads are as soon drawn themselves.
func (p *patches) get(block uint32) (shape *contour.Patch, worth bool) {
	s := p.slot(block).Load()
	if s == nil || s.block != block {
		p.replace(s, &patch{block: block})
		return nil, false
	}
	return s.shape, s.shape == nil && !s.none && p.bytes.Load() < mostPatchBytes
}

// put keeps a block's patch, or that it has none, in place of another while there is
// room.
func (p *patches) put(block uint32, shape *contour.Patch) {
	p.replace(p.slot(block).Load(), &patch{block, shape, shape == nil})
}

func (p *patches) replace(before, now *patch) {
	more := now.bytes() - before.bytes()
	if p.bytes.Add(more) > mostPatchBytes && more > 0 || !p.slot(now.block).CompareAndSwap(before, now) {
		p.bytes.Add(-more)
	}
}

// bytes is about how much memory a patch takes; 0 of none, whose slots are few.
func (p *patch) bytes() int64 {
	if p == nil || p.shape == nil {
		return 0
	}
	return int64(p.shape.Bytes())
}
