package embedded

import (
	"sync/atomic"

	"github.com/waygate/waygate/road/contour"
)

// patches keeps what blocks of the hierarchy look like in outlines, those last drawn.
// It takes mostPatchBytes at most.
type patches struct {
	slots [1 << 14]atomic.Pointer[patch]
	bytes atomic.Int64
}

const mostPatchBytes = 16 << 20

type patch struct {
	block uint32         // by its number
	shape *contour.Patch // nil of one that has none
}

func (p *patches) slot(block uint32) *atomic.Pointer[patch] {
	return &p.slots[block%uint32(len(p.slots))]
}

// get gives the patch of a block, nil of one that has none; known is false where
// it is not kept.
func (p *patches) get(block uint32) (shape *contour.Patch, known bool) {
	if s := p.slot(block).Load(); s != nil && s.block == block {
		return s.shape, true
	}
	return nil, false
}

// put keeps a block's patch, or that it has none, in place of another while there is
// room.
func (p *patches) put(block uint32, shape *contour.Patch) {
	slot, now := p.slot(block), &patch{block, shape}
	before := slot.Load()
	more := now.bytes() - before.bytes()
	if p.bytes.Add(more) > mostPatchBytes && more > 0 || !slot.CompareAndSwap(before, now) {
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
