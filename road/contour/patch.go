package contour

import (
	"cmp"
	"slices"
	"sync/atomic"
)

// Patch has the cells of a plane on at most 64 roads that are drawn together again and
// again, all of them or some. To its users it is immutable.
type Patch struct {
	box    box
	roads  []patchRoad
	words  []patchWord
	next   atomic.Pointer[Patch] // the same in cells twice as wide; nil until it is needed
	asked  atomic.Uint64         // the roads of the part drawn last
	joined atomic.Pointer[joined]
}

// joined has the cells of some roads of a patch, each word once: wherever travellers start,
// they mostly reach the same roads of it.
type joined struct {
	roads uint64
	words []patchWord // of these roads
}

// patchRoad is the box of a line and the bits of the roads that have it.
type patchRoad struct {
	bits uint64
	box  box
}

// patchWord is 64 cells in a row, of which some are on a road.
type patchWord struct {
	x, y  int32 // number of the word in its row and of the row, on the plane
	on    uint64
	roads uint64 // a bit for each road that is on these cells
}

// Part is some of the roads of a patch, a bit for each.
type Part struct {
	*Patch
	Roads uint64
}

// mostWords is the most words of the grid around a road of a patch.
const mostWords = 1 << 12

// Road is a line in a patch and the bits of the roads that have it.
type Road struct {
	Line Line
	Bits uint64
}

// Patch returns the patch of some roads; nil if one of them is too long to keep, or lies on
// both sides of the antimeridian. It is part of the Drawer's plane.
func (d *Drawer) Patch(roads []Road) *Patch {
	p := &Patch{box: empty, roads: make([]patchRoad, 0, len(roads))}
	words := d.words[:0]
	for _, r := range roads {
		around := empty
		around.line(r.Line)
		if p.box.join(&around); p.box.crossing() {
			return nil
		}
		p.roads = append(p.roads, patchRoad{r.Bits, around})
		g := grid{plane: d.plane, shift: fraction}
		g.lay(around, 0, 0)
		if g.stride*g.h > mostWords {
			return nil
		}
		d.near.reset(&g) // which is not in use here
		g.line(d.near, r.Line)
		for i, on := range d.near {
			if on != 0 {
				words = append(words, patchWord{int32(g.left/64) + int32(i%g.stride), int32(g.bottom) + int32(i/g.stride), on, r.Bits})
			}
		}
	}
	d.words = words
	p.words = slices.Clone(words)
	return p
}

// Bytes returns roughly the memory that the patch takes, coarser ones included.
func (p *Patch) Bytes() int { return 128 + 24*cap(p.roads) + 58*cap(p.words) }

// coarser returns the patch in cells twice as wide.
func (p *Patch) coarser() *Patch {
	if q := p.next.Load(); q != nil {
		return q
	}
	words := make([]patchWord, 0, len(p.words)*5/8+1)
	for _, w := range p.words {
		w = patchWord{w.x >> 1, w.y >> 1, halved(w.on) << (w.x & 1 * 32), w.roads}
		// The words of a road are in order, row by row.
		at := len(words) - 1
		for at >= 0 && words[at].y == w.y && words[at].roads == w.roads && words[at].x != w.x {
			at--
		}
		if at >= 0 && words[at].y == w.y && words[at].roads == w.roads {
			words[at].on |= w.on
		} else {
			words = append(words, w)
		}
	}
	q := &Patch{box: p.box, roads: p.roads, words: words}
	p.next.Store(q) // may replace an equal one of another goroutine
	return q
}

// put marks the cells of a part.
func (g *grid) put(on bitmap, p Part) {
	patch := p.Patch
	for range g.shift - fraction {
		patch = patch.coarser()
	}
	left, bottom := int(g.left/64), int(g.bottom)
	words := patch.words
	if j := patch.joinedOf(p.Roads); j != nil {
		words = j.words
	}
	for i := range words {
		if w := &words[i]; w.roads&p.Roads != 0 {
			on[(int(w.y)-bottom)*g.stride+int(w.x)-left] |= w.on
		}
	}
}

// joinedOf returns the joined cells of some roads. It makes them if the same roads are drawn
// twice in a row and include all that were joined before, and returns nil otherwise.
func (p *Patch) joinedOf(roads uint64) *joined {
	before := p.joined.Load()
	if before != nil {
		if before.roads == roads {
			return before
		}
		if before.roads&^roads != 0 {
			return nil
		}
	}
	if p.asked.Swap(roads) != roads {
		return nil
	}
	var words []patchWord
	for _, w := range p.words {
		if w.roads&roads != 0 {
			words = append(words, patchWord{w.x, w.y, w.on, roads})
		}
	}
	slices.SortFunc(words, func(a, b patchWord) int { return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x)) })
	n := 0
	for _, w := range words {
		if n > 0 && words[n-1].y == w.y && words[n-1].x == w.x {
			words[n-1].on |= w.on
		} else {
			words[n] = w
			n++
		}
	}
	j := &joined{roads, slices.Clone(words[:n])}
	p.joined.CompareAndSwap(before, j)
	return j
}

// around extends a box by the roads of a part.
func (p Part) around(b *box) {
	if b.holds(&p.box) {
		return
	}
	for i := range p.roads {
		if r := &p.roads[i]; r.bits&p.Roads != 0 {
			b.join(&r.box)
		}
	}
}

// halved returns a bit in the lower half for each two of v, set if either is.
func halved(v uint64) uint64 {
	v = (v | v>>1) & 0x5555555555555555
	v = (v | v>>1) & 0x3333333333333333
	v = (v | v>>2) & 0x0f0f0f0f0f0f0f0f
	v = (v | v>>4) & 0x00ff00ff00ff00ff
	v = (v | v>>8) & 0x0000ffff0000ffff
	return (v | v>>16) & 0x00000000ffffffff
}
