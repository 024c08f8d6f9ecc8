package embedded

import (
	"sync/atomic"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/contour"
)

// patches keeps what cells of the hierarchy look like in outlines, those last drawn
// for travellers of usual options. It takes mostPatchBytes at most.
type patches struct {
	slots [1 << 14]atomic.Pointer[patch]
	bytes atomic.Int64
}

const mostPatchBytes = 16 << 20

type patch struct {
	patchKey
	shape *contour.Patch
}

// patchKey is a cell with the edges by which a costing's travellers come into it or,
// in reverse, out of it.
type patchKey struct {
	root    cch.Rank
	costing costing.Costing
	reverse bool
}

func (k patchKey) slot() uint32 {
	n := uint32(k.root)<<4 ^ uint32(k.costing)<<1
	if k.reverse {
		n++
	}
	return n * 0x9e3779b1 >> 18 // Knuth's multiplicative hash
}

// get gives the patch of a cell, nil where it is not kept.
func (p *patches) get(k patchKey) *contour.Patch {
	if s := p.slots[k.slot()].Load(); s != nil && s.patchKey == k {
		return s.shape
	}
	return nil
}

// put keeps a patch in place of another while there is room.
func (p *patches) put(k patchKey, shape *contour.Patch) {
	slot := &p.slots[k.slot()]
	before := slot.Load()
	more := int64(shape.Bytes())
	if before != nil {
		more -= int64(before.shape.Bytes())
	}
	if p.bytes.Add(more) > mostPatchBytes && more > 0 || !slot.CompareAndSwap(before, &patch{k, shape}) {
		p.bytes.Add(-more)
	}
}
