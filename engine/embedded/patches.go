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
	block uint32 // by its number
	shape *contour.Patch
}

func (p *patches) slot(block uint32) *atomic.Pointer[patch] {
	return &p.slots[block%uint32(len(p.slots))]
}

// get gives the patch of a block, nil where it is not kept.
func (p *patches) get(block uint32) *contour.Patch {
	if s := p.slot(block).Load(); s != nil && s.block == block {
		return s.shape
	}
	return nil
}

// put keeps a block's patch in place of another while there is room.
func (p *patches) put(block uint32, shape *contour.Patch) {
	slot := p.slot(block)
	before := slot.Load()
	more := int64(shape.Bytes())
	if before != nil {
		more -= int64(before.shape.Bytes())
	}
	if p.bytes.Add(more) > mostPatchBytes && more > 0 || !slot.CompareAndSwap(before, &patch{block, shape}) {
		p.bytes.Add(-more)
	}
}
